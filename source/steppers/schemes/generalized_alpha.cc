// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/registry.h>
#include <percuss/mechanics/time_stepper.h>
#include <percuss/steppers/contact_step.h>

namespace Percuss
{
  namespace
  {
    /// Nonsmooth generalized-alpha scheme at velocity level (Q. Chen, V.
    /// Acary, G. Virlez, O. Bruels, Int. J. Numer. Meth. Engng 96, 2013; V.
    /// Acary, seminar slides 2013, equation (53)): the smooth part of the
    /// motion by the generalized-alpha method, the impulses apart,
    /// @f[ (1-\alpha_m) M a_{k+1} + \alpha_m M a_k
    ///     = (1-\alpha_f) f_{k+1} + \alpha_f f_k, \qquad
    ///     M w = D^T \lambda, @f]
    /// @f[ v_{k+1} = v_k + h [(1-\gamma) a_k + \gamma a_{k+1}] + w, @f]
    /// @f[ q_{k+1} = q_k + h v_k
    ///     + h^2 [(\tfrac12-\beta) a_k + \beta a_{k+1}] + \tfrac h2 w. @f]
    /// The unknown of a step is z = v_{k+1} - v_k, which gives
    /// h gamma a_{k+1} = z - w - h (1-gamma) a_k and
    /// @f[ S z = h \gamma [(1-\alpha_f) f(t_{k+1}, q^*, v_k) + \alpha_f f_k]
    ///     + h [(1-\alpha_m)(1-\gamma) - \alpha_m \gamma] M a_k
    ///     + (1-\alpha_m) D^T\lambda
    ///     + (1-\alpha_f) h^2 (\beta-\tfrac\gamma2) K w, @f]
    /// @f[ S = (1-\alpha_m) M + (1-\alpha_f) (\beta h^2 K + \gamma h C), \quad
    ///     q^* = q_k + h v_k + h^2 (\tfrac12 - \tfrac\beta\gamma) a_k. @f]
    /// (Solving for a_{k+1} instead loses digits when steps are long: the
    /// accelerations of neighbouring steps cancel.) Order 1 with
    /// impacts, 2 in smooth phases. Energy: equations (73) and, corrected,
    /// (75) for Newmark's family; doc/schemes/generalized_alpha.md has the
    /// balance of the others.
    class GeneralizedAlpha : public TimeStepper
    {
    public:
      struct Parameters
      {
        std::string parameter_set   = "chung hulbert";
        double      spectral_radius = 0.8;
        double      alpha           = 0.05;
        double      gamma           = 0.5;
        double      beta            = 0.25;

        void
        declare(ParameterSection &section);
      };

      GeneralizedAlpha(const Parameters &parameters, const Context &context);

      void
      set_step_size(double step_size) override;

      void
      start(State &state) const override;

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
      static constexpr unsigned int acceleration = 1; ///< in State::memory

      void
      choose_coefficients(const Parameters &parameters);

      /// v_change = z without impulses.
      void
      solve_free(const State &begin, StepReport &report) const;

      /// jump = w and v_change = z of impulses alone.
      LinearReport
      respond(const Vector &impulse) const;

      double                        alpha_m, alpha_f, gamma, beta;
      const MechanicalModel        &model;
      const MakeLinearSolver        make_linear_solver;
      double                        h = 0, stiffness_ratio = 1;
      std::unique_ptr<SparseMatrix> S, M;
      std::unique_ptr<LinearSolver> solver, mass_solver;
      ContactStep                   contact;
      mutable Vector                q_star, f, jump, v_change;
      Vector                        zero;
    };



    void
    GeneralizedAlpha::Parameters::declare(ParameterSection &section)
    {
      section.add_choice("parameter set",
                         parameter_set,
                         "Which entries below choose the coefficients",
                         {"chung hulbert", "hht", "newmark"});
      section.add("spectral radius",
                  spectral_radius,
                  "With 'chung hulbert': damping of the highest frequency, 1 "
                  "for none, 0 for all within a step",
                  Range::between(0, 1));
      section.add("alpha",
                  alpha,
                  "With 'hht': weight of the old forces",
                  Range::between(0, 1. / 3));
      section.add("gamma",
                  gamma,
                  "With 'newmark': 1/2 conserves the energy of smooth motion",
                  Range::between(0.5, 1));
      section.add("beta",
                  beta,
                  "With 'newmark': at least gamma/2",
                  Range::between(0, 1));
      section.require("beta", [this]() {
        return parameter_set == "newmark" && 2 * beta < gamma ?
                 "is below gamma/2, and long steps would be unstable" :
                 std::string();
      });
    }



    GeneralizedAlpha::GeneralizedAlpha(const Parameters &parameters,
                                       const Context    &context)
      : model(context.model)
      , make_linear_solver(context.make_linear_solver)
      , M(model.assemble(1, 0, 0))
      , mass_solver(make_linear_solver(*M))
      , contact(context)
    {
      choose_coefficients(parameters);
      for (Vector *vector : {&q_star, &f, &jump, &v_change, &zero})
        vector->reinit(model.partition());
    }



    void
    GeneralizedAlpha::choose_coefficients(const Parameters &parameters)
    {
      alpha_m = alpha_f = 0;
      gamma             = parameters.gamma;
      beta              = parameters.beta;
      if (parameters.parameter_set == "chung hulbert")
        {
          const double r = parameters.spectral_radius;
          alpha_m        = (2 * r - 1) / (r + 1);
          alpha_f        = r / (r + 1);
        }
      else if (parameters.parameter_set == "hht")
        alpha_f = parameters.alpha;
      if (parameters.parameter_set != "newmark")
        {
          gamma = 0.5 + alpha_f - alpha_m;
          beta  = (gamma + 0.5) * (gamma + 0.5) / 4;
        }
    }



    void
    GeneralizedAlpha::set_step_size(const double step_size)
    {
      h               = step_size;
      solver          = nullptr;
      S               = model.assemble(1 - alpha_m,
                         (1 - alpha_f) * gamma * h,
                         (1 - alpha_f) * beta * h * h);
      solver          = make_linear_solver(*S);
      stiffness_ratio = S->largest_diagonal_ratio(*M);
      contact.set_response(h, [this](const Vector &impulse, Vector &velocity) {
        const LinearReport report = respond(impulse);
        velocity                  = v_change;
        return report;
      });
    }



    void
    GeneralizedAlpha::start(State &state) const
    {
      contact.start(state);
      // M a_0 = f(0, q_0, v_0)
      model.internal_forces(state.q, state.v, f);
      f.sadd(-1, 1, model.dead_load());
      model.add_driving_load(state.time, 1, f);
      Vector a(model.partition());
      if (!mass_solver->solve(f, a).converged)
        throw Error(ExitCode::solver,
                    "The linear solver failed to compute the initial "
                    "acceleration.");
      state.memory.push_back({"acceleration", a});
    }



    LinearReport
    GeneralizedAlpha::respond(const Vector &impulse) const
    {
      const LinearReport first  = mass_solver->solve(impulse, jump);
      const double       factor = (1 - alpha_f) * h * h * (beta - gamma / 2);
      if (factor != 0)
        model.internal_forces(jump, zero, f);
      f.sadd(factor, 1 - alpha_m, impulse);
      const LinearReport second = solver->solve(f, v_change);
      return {first.converged && second.converged,
              first.n_iterations + second.n_iterations};
    }



    void
    GeneralizedAlpha::solve_free(const State &begin, StepReport &report) const
    {
      const std::size_t   n = begin.q.locally_owned_size();
      const double *const q = begin.q.begin(), *const v = begin.v.begin();
      const double *const a = begin.memory[acceleration].values.begin();
      // Forces of a linear model may be blended before they are evaluated.
      const double  from_v = (1 - alpha_f) * h;
      const double  from_a = (1 - alpha_f) * h * h * (0.5 - beta / gamma);
      double *const star   = q_star.begin();
#pragma omp simd
      for (std::size_t i = 0; i < n; ++i)
        star[i] = q[i] + from_v * v[i] + from_a * a[i];
      model.internal_forces(q_star, begin.v, f);
      model.multiply_by_mass(begin.memory[acceleration].values, jump);
      const double        inertia_factor = h * (1 - alpha_m - gamma);
      const double *const dead           = model.dead_load().begin();
      const double *const inertia        = jump.begin();
      double *const       b              = f.begin();
#pragma omp simd
      for (std::size_t i = 0; i < n; ++i)
        b[i] = h * gamma * (dead[i] - b[i]) + inertia_factor * inertia[i];
      if (model.has_driving_load())
        {
          model.add_driving_load(begin.time, h * gamma * alpha_f, f);
          model.add_driving_load(begin.time + h, h * gamma * (1 - alpha_f), f);
        }
      const LinearReport linear = solver->solve(f, v_change);
      report.converged &= linear.converged;
      report.n_linear_iterations += linear.n_iterations;
    }



    void
    GeneralizedAlpha::advance(const State &begin,
                              State       &end,
                              StepReport  &report) const
    {
      solve_free(begin, report);
      const std::size_t   n = begin.q.locally_owned_size();
      const double *const q = begin.q.begin(), *const v = begin.v.begin();
      const double *const a = begin.memory[acceleration].values.begin();
      const double *const z = v_change.begin(), *const w = jump.begin();
      double *const q_end = end.q.begin(), *const v_end = end.v.begin();
      double *const a_end    = end.memory[acceleration].values.begin();
      const double  ratio    = beta / gamma;
      const double  a_from_z = 1 / (h * gamma), a_from_a = 1 - 1 / gamma;
#pragma omp simd
      for (std::size_t i = 0; i < n; ++i)
        {
          v_end[i] = v[i] + z[i];
          a_end[i] = a_from_z * z[i] + a_from_a * a[i];
          q_end[i] =
            q[i] + h * (v[i] + h * (0.5 - ratio) * a[i] + ratio * z[i]);
        }
      if (contact.solve(begin, end.v, end, report))
        {
          const LinearReport linear = respond(contact.impulse());
          report.converged &= linear.converged;
          report.n_linear_iterations += linear.n_iterations;
#pragma omp simd
          for (std::size_t i = 0; i < n; ++i)
            {
              v_end[i] += z[i];
              a_end[i] += a_from_z * (z[i] - w[i]);
              q_end[i] += h * (ratio * z[i] + (0.5 - ratio) * w[i]);
            }
        }
      end.time = begin.time + h;
      end.step = begin.step + 1;
    }



    EnergyPromise
    GeneralizedAlpha::promise() const
    {
      const double  excess = h * h * (2 * beta - gamma);
      EnergyPromise promise;
      promise.load_weight     = gamma;
      promise.contact_weight  = 0.5;
      promise.displacement    = gamma - 0.5;
      promise.acceleration    = (gamma - 0.5) * excess / 2;
      promise.storage         = excess / 4;
      promise.alpha_m         = alpha_m;
      promise.alpha_f         = alpha_f;
      promise.stiffness_ratio = stiffness_ratio;
      return promise;
    }

    const Registration<TimeStepper, GeneralizedAlpha>
      registration("generalized alpha",
                   "nonsmooth generalized-alpha scheme with the parameters of "
                   "Newmark, HHT or Chung and Hulbert");
  } // namespace
} // namespace Percuss
