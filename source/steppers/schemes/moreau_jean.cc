// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/mechanics/time_stepper.h>
#include <percuss/steppers/contact_step.h>

namespace Percuss
{
  namespace
  {
    /// Moreau's sweeping process in Jean's theta form (M. Jean, Comput.
    /// Methods Appl. Mech. Engrg. 177, 1999; V. Acary, seminar slides 2013,
    /// equation (27)), with x_{k+theta} = (1-theta) x_k + theta x_{k+1}:
    /// @f[ M (v_{k+1}-v_k) + h K q_{k+\theta} + h C v_{k+\theta}
    ///     - h F_{k+\theta} = D^T \lambda, \qquad
    ///     q_{k+1} = q_k + h v_{k+\theta}. @f]
    /// For a linear model one solve with A = M + h theta C + h^2 theta^2 K
    /// gives the free velocity, a second one the response to the impulses.
    /// Order 1, in smooth phases order 2 for theta = 1/2. Energy: equation
    /// (65).
    class MoreauJean : public TimeStepper
    {
    public:
      struct Parameters
      {
        double theta = 0.5;

        void
        declare(ParameterSection &section)
        {
          section.add("theta",
                      theta,
                      "Implicitness: 1/2 conserves the energy of smooth "
                      "motion, 1 dissipates strongly, less is unstable",
                      Range::between(0.5, 1));
        }
      };

      MoreauJean(const Parameters &parameters, const Context &context)
        : theta(parameters.theta)
        , model(context.model)
        , make_linear_solver(context.make_linear_solver)
        , contact(context)
        , position(model.partition())
        , f(model.partition())
        , change(model.partition())
      {}

      void
      set_step_size(double step_size) override;

      void
      start(State &state) const override
      {
        contact.start(state);
      }

      void
      advance(const State &begin,
              State       &end,
              StepReport  &report) const override;

      EnergyPromise
      promise() const override;

      std::string
      linear_solver_description() const override
      {
        return solver->description();
      }

    private:
      /// change = A^{-1} b, with the report kept up.
      void
      solve(const Vector &b, StepReport &report) const;

      const double                  theta;
      const MechanicalModel        &model;
      const MakeLinearSolver        make_linear_solver;
      double                        h = 0, stiffness_ratio = 1;
      std::unique_ptr<SparseMatrix> A;
      std::unique_ptr<LinearSolver> solver;
      ContactStep                   contact;
      mutable Vector                position, f, change;
    };



    void
    MoreauJean::set_step_size(const double step_size)
    {
      h               = step_size;
      solver          = nullptr;
      A               = model.assemble(1, h * theta, h * h * theta * theta);
      solver          = make_linear_solver(*A);
      stiffness_ratio = A->largest_diagonal_ratio(*model.assemble(1, 0, 0));
      contact.set_response(h, [this](const Vector &impulse, Vector &velocity) {
        return solver->solve(impulse, velocity);
      });
    }



    void
    MoreauJean::solve(const Vector &b, StepReport &report) const
    {
      const LinearReport linear = solver->solve(b, change);
      report.converged &= linear.converged;
      report.n_linear_iterations += linear.n_iterations;
    }



    void
    MoreauJean::advance(const State &begin,
                        State       &end,
                        StepReport  &report) const
    {
      const std::size_t   n = begin.q.locally_owned_size();
      const double *const q = begin.q.begin(), *const v = begin.v.begin();

      // A (v_free - v_k) = h [F_{k+theta} - K (q_k + h theta v_k) - C v_k]
      double *const ahead = position.begin();
#pragma omp simd
      for (std::size_t i = 0; i < n; ++i)
        ahead[i] = q[i] + h * theta * v[i];
      model.internal_forces(position, begin.v, f);
      const double *const dead = model.dead_load().begin();
      double *const       b    = f.begin();
#pragma omp simd
      for (std::size_t i = 0; i < n; ++i)
        b[i] = h * (dead[i] - b[i]);
      if (model.has_driving_load())
        {
          model.add_driving_load(begin.time, h * (1 - theta), f);
          model.add_driving_load(begin.time + h, h * theta, f);
        }
      solve(f, report);
      const double *const dv = change.begin();
      double *const v_end = end.v.begin(), *const q_end = end.q.begin();
#pragma omp simd
      for (std::size_t i = 0; i < n; ++i)
        v_end[i] = v[i] + dv[i];

      if (contact.solve(begin, end.v, end, report))
        {
          solve(contact.impulse(), report);
          end.v += change;
        }
#pragma omp simd
      for (std::size_t i = 0; i < n; ++i)
        q_end[i] = q[i] + h * ((1 - theta) * v[i] + theta * v_end[i]);
      end.time = begin.time + h;
      end.step = begin.step + 1;
    }



    EnergyPromise
    MoreauJean::promise() const
    {
      EnergyPromise promise;
      promise.load_weight     = theta;
      promise.contact_weight  = theta;
      promise.velocity        = theta - 0.5;
      promise.displacement    = theta - 0.5;
      promise.stiffness_ratio = stiffness_ratio;
      return promise;
    }

    const Registration<TimeStepper, MoreauJean>
      registration("moreau jean",
                   "Moreau-Jean theta scheme: velocities and impulses as "
                   "unknowns, order 1, robust");
  } // namespace
} // namespace Percuss
