// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/steppers/contact_response.h>
#include <percuss/steppers/theta_step.h>

namespace Percuss
{
  namespace
  {
    /// The contact-stabilised Newmark method of P. Deuflhard, R. Krause and S.
    /// Ertel (Int. J. Numer. Meth. Engng 73, 2008): the predictor is projected
    /// onto the admissible positions, contact forces are implicit,
    /// @f[ \bar q = q_k + h v_k + M^{-1} D^T\pi, \qquad
    ///     0 \le g(\bar q) \perp \pi \ge 0, @f]
    /// @f[ M (v_{k+1}-v_k) = h (F - K q)_{k+1/2} - C (q_{k+1}-q_k)
    ///     + D^T\lambda, \qquad
    ///     q_{k+1} = \bar q + \tfrac h2 (v_{k+1}-v_k), \qquad
    ///     0 \le g(q_{k+1}) \perp \lambda \ge 0. @f]
    /// (The damping acts on the motion: the velocity of a closed contact node
    /// is not zero.) There is no restitution: e = 0. Since
    /// h v_{k+1/2} = dq - M^{-1} p with p = D^T pi,
    /// @f[ \Delta E = \Delta q\cdot F_{k+1/2} - \tfrac1h |\Delta q|_C^2
    ///     + \tfrac1h D\Delta q\cdot\lambda - \tfrac1h p\cdot\Delta v. @f]
    /// The last two terms are never positive where g(q_k) >= 0: lambda > 0
    /// closes a gap, D dq = -g(q_k), and
    /// pi . D dv = (2/h) pi . (g(q_{k+1}) - g(\bar q)) = (2/h) pi . g(q_{k+1}).
    class ContactStabilizedNewmark : public TimeStepper
    {
    public:
      struct Parameters
      {
        void
        declare(ParameterSection &)
        {}
      };

      ContactStabilizedNewmark(const Parameters &, const Context &context)
        : model(context.model)
        , contacts(model.contacts())
        , M(invertible_mass(model))
        , mass_solver(context.make_linear_solver(*M))
        , motion({0.5, 0.5, 0.5}, context)
        , predictor(context)
        , corrector(context)
        , gap(contacts.partition())
        , pi(contacts.partition())
        , position(model.partition())
        , impulse(model.partition())
        , shift(model.partition())
      {
        predictor.set([this](const Vector &load, Vector &displacement) {
          return mass_solver->solve(load, displacement);
        });
      }

      void
      set_step_size(const double h) override
      {
        motion.set_step_size(h);
        corrector.set([this](const Vector &load, Vector &velocity) {
          return motion.respond(load, velocity);
        });
      }

      void
      start(State &state) const override
      {
        state.memory.push_back(
          {"impulse", Vector(contacts.partition()), State::Kind::contact});
        state.memory.push_back(
          {"position impulse", Vector(model.partition()), State::Kind::load});
      }

      void
      advance(const State &begin,
              State       &end,
              StepReport  &report) const override;

      EnergyPromise
      promise() const override
      {
        EnergyPromise promise          = motion.promise();
        promise.force_lag              = 1 / motion.step_size();
        promise.projection             = 1 / motion.step_size();
        promise.damps_mean_motion      = true;
        promise.promises_dissipation   = true;
        promise.needs_approach         = false;
        promise.needs_admissible_start = true;
        return promise;
      }

      std::vector<std::pair<std::string, std::string>>
      facts() const override
      {
        if (contacts.largest_restitution() == 0)
          return {};
        return {{"restitution", "ignored: this scheme knows e = 0 only"}};
      }

      std::string
      linear_solver_description() const override
      {
        return motion.solver_description();
      }

    private:
      /// position = q_k + h v_k, shift = M^{-1} D^T pi. Returns whether the
      /// predictor had to be projected.
      bool
      project(const State &begin, State &end, StepReport &report) const;

      const MechanicalModel        &model;
      const ContactSet             &contacts;
      std::unique_ptr<SparseMatrix> M;
      std::unique_ptr<LinearSolver> mass_solver;
      ThetaStep                     motion;
      ContactResponse               predictor, corrector;
      mutable Vector                gap, pi, position, impulse, shift;
    };



    bool
    ContactStabilizedNewmark::project(const State &begin,
                                      State       &end,
                                      StepReport  &report) const
    {
      position = begin.q;
      position.add(motion.step_size(), begin.v);
      contacts.gaps(position, gap);
      pi = 0.;
      report.add(predictor.solve_all(gap, pi));
      Vector &p = end.memory[1].values;
      if (ContactResponse::count(pi) == 0)
        {
          p = 0.;
          return false;
        }
      contacts.impulses(pi, p);
      report.add(mass_solver->solve(p, shift));
      return true;
    }



    void
    ContactStabilizedNewmark::advance(const State &begin,
                                      State       &end,
                                      StepReport  &report) const
    {
      const double h          = motion.step_size();
      const bool   is_shifted = project(begin, end, report);
      motion.solve_free(begin, end, report, is_shifted ? &shift : nullptr);
      motion.move(begin, end);
      if (is_shifted)
        end.q += shift;
      // g(q) / (h/2) = g(q_free) / (h/2) + D A^{-1} D^T lambda
      contacts.gaps(end.q, gap);
      gap *= 2 / h;
      Vector &lambda = end.memory.front().values;
      lambda         = impulses(begin);
      report.add(corrector.solve_all(gap, lambda));
      report.n_active = ContactResponse::count(lambda);
      if (report.n_active > 0)
        {
          contacts.impulses(lambda, impulse);
          motion.add_impulse(impulse, end, report);
          motion.move(begin, end);
          if (is_shifted)
            end.q += shift;
        }
    }

    const Registration<TimeStepper, ContactStabilizedNewmark>
      registration("contact stabilized newmark",
                   "Newmark with a projected predictor and implicit contact "
                   "forces (Deuflhard, Krause, Ertel); no restitution",
                   {{"order", "1 with impacts, 2 in smooth motion"},
                    {"energy", "dissipates E, in contact only"},
                    {"penetration", "none"}});
  } // namespace
} // namespace Percuss
