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
    /// With S = (1-alpha_m) M + (1-alpha_f) (beta h^2 K + gamma h C), impulses
    /// change a_{k+1} by -(1-alpha_f) S^{-1} (h/2 K + C) w. Order 1 with
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

      /// The position and velocity that a_{k+1} = 0 would give, and a_{k+1}
      /// of the motion without impulses.
      void
      predict(const State &begin, State &end, StepReport &report) const;

      /// jump = w and a_change = -(1-alpha_f) S^{-1} (h/2 K + C) w.
      LinearReport
      respond(const Vector &impulse) const;

      double                        alpha_m, alpha_f, gamma, beta;
      const MechanicalModel        &model;
      const MakeLinearSolver        make_linear_solver;
      double                        h = 0;
      std::unique_ptr<SparseMatrix> S, M;
      std::unique_ptr<LinearSolver> solver, mass_solver;
      ContactStep                   contact;
      mutable Vector q_predicted, v_predicted, q_middle, v_middle, f, jump,
        a_change;
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
                  "With 'newmark': at least gamma/2 for unconditional "
                  "stability",
                  Range::between(0, 1));
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
      for (Vector *vector : {&q_predicted,
                             &v_predicted,
                             &q_middle,
                             &v_middle,
                             &f,
                             &jump,
                             &a_change})
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
      h      = step_size;
      solver = nullptr;
      S      = model.assemble(1 - alpha_m,
                         (1 - alpha_f) * gamma * h,
                         (1 - alpha_f) * beta * h * h);
      solver = make_linear_solver(*S);
      contact.set_response(h, [this](const Vector &impulse, Vector &velocity) {
        const LinearReport report = respond(impulse);
        velocity                  = jump;
        velocity.add(h * gamma, a_change);
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
      const LinearReport first = mass_solver->solve(impulse, jump);
      q_middle.equ(0.5 * h, jump);
      model.internal_forces(q_middle, jump, f);
      f *= -(1 - alpha_f);
      const LinearReport second = solver->solve(f, a_change);
      return {first.converged && second.converged,
              first.n_iterations + second.n_iterations};
    }



    void
    GeneralizedAlpha::predict(const State &begin,
                              State       &end,
                              StepReport  &report) const
    {
      const std::size_t   n = begin.q.locally_owned_size();
      const double *const q = begin.q.begin(), *const v = begin.v.begin();
      const double *const a = begin.memory[acceleration].values.begin();
      for (std::size_t i = 0; i < n; ++i)
        {
          const double position = q[i] + h * v[i] + h * h * (0.5 - beta) * a[i];
          const double velocity = v[i] + h * (1 - gamma) * a[i];
          q_predicted.begin()[i] = position;
          v_predicted.begin()[i] = velocity;
          q_middle.begin()[i]    = position + alpha_f * (q[i] - position);
          v_middle.begin()[i]    = velocity + alpha_f * (v[i] - velocity);
        }
      // S a = (1-alpha_f) f(t_{k+1}, predicted) + alpha_f f_k - alpha_m M a_k;
      // forces of a linear model may be blended before they are evaluated.
      model.internal_forces(q_middle, v_middle, f);
      f.sadd(-1, 1, model.dead_load());
      if (model.has_driving_load())
        {
          model.add_driving_load(begin.time, alpha_f, f);
          model.add_driving_load(begin.time + h, 1 - alpha_f, f);
        }
      if (alpha_m != 0)
        {
          model.multiply_by_mass(begin.memory[acceleration].values, a_change);
          f.add(-alpha_m, a_change);
        }
      const LinearReport linear =
        solver->solve(f, end.memory[acceleration].values);
      report.converged &= linear.converged;
      report.n_linear_iterations += linear.n_iterations;
    }



    void
    GeneralizedAlpha::advance(const State &begin,
                              State       &end,
                              StepReport  &report) const
    {
      predict(begin, end, report);
      Vector           &a = end.memory[acceleration].values;
      const std::size_t n = begin.q.locally_owned_size();
      for (std::size_t i = 0; i < n; ++i)
        {
          end.v.begin()[i] = v_predicted.begin()[i] + h * gamma * a.begin()[i];
          end.q.begin()[i] =
            q_predicted.begin()[i] + h * h * beta * a.begin()[i];
        }
      if (contact.solve(begin, end.v, end, report))
        {
          const LinearReport linear = respond(contact.impulse());
          report.converged &= linear.converged;
          report.n_linear_iterations += linear.n_iterations;
          for (std::size_t i = 0; i < n; ++i)
            {
              const double da = a_change.begin()[i], w = jump.begin()[i];
              a.begin()[i] += da;
              end.v.begin()[i] += h * gamma * da + w;
              end.q.begin()[i] += h * h * beta * da + 0.5 * h * w;
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
      promise.load_weight    = gamma;
      promise.contact_weight = 0.5;
      promise.displacement   = gamma - 0.5;
      promise.acceleration   = (gamma - 0.5) * excess / 2;
      promise.storage        = excess / 4;
      promise.alpha_m        = alpha_m;
      promise.alpha_f        = alpha_f;
      return promise;
    }

    const Registration<TimeStepper, GeneralizedAlpha>
      registration("generalized alpha",
                   "nonsmooth generalized-alpha scheme with the parameters of "
                   "Newmark, HHT or Chung and Hulbert");
  } // namespace
} // namespace Percuss
