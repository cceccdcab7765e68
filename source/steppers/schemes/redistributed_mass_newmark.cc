// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/registry.h>
#include <percuss/steppers/contact_response.h>
#include <percuss/steppers/theta_step.h>

namespace Percuss
{
  namespace
  {
    /// Newmark's scheme (gamma = 1/2, beta = 1/4) for models whose contact
    /// nodes have no mass (H. B. Khenous, P. Laborde, Y. Renard, Eur. J. Mech.
    /// A/Solids 27, 2008): the contact force r is then a continuous function of
    /// time, and no impact law is needed,
    /// @f[ M a = f + D^T r, \qquad 0 \le g(q) \perp r \ge 0 \quad
    ///     \text{at } t_k, t_{k+1}. @f]
    /// Newmark's formulas sum up to
    /// @f[ M (v_{k+1}-v_k) = \tfrac h2 (f_k + f_{k+1}) + D^T\lambda, \qquad
    ///     q_{k+1} = q_k + h v_{k+1/2}, \qquad
    ///     \lambda = \tfrac h2 (r_k + r_{k+1}). @f]
    /// Only the work of the contacts changes the energy of free motion,
    /// @f[ u_{k+1/2}\cdot\lambda
    ///     = \tfrac12 (g_{k+1}\cdot r_k - g_k\cdot r_{k+1}), @f]
    /// which has either sign and is zero while a contact stays closed. Order 2
    /// in smooth motion.
    class RedistributedMassNewmark : public TimeStepper
    {
    public:
      struct Parameters
      {
        void
        declare(ParameterSection &)
        {}
      };

      RedistributedMassNewmark(const Parameters &, const Context &context);

      void
      set_step_size(const double h) override
      {
        motion.set_step_size(h);
        delassus.set([this](const Vector &load, Vector &velocity) {
          return motion.respond(load, velocity);
        });
      }

      /// A closed contact carries what balances the forces on its node.
      void
      start(State &state) const override;

      void
      advance(const State &begin,
              State       &end,
              StepReport  &report) const override;

      EnergyPromise
      promise() const override
      {
        return motion.promise();
      }

      std::vector<std::pair<std::string, std::string>>
      facts() const override
      {
        if (contacts.largest_restitution() == 0)
          return {};
        return {{"restitution", "ignored: a massless node needs none"}};
      }

      std::string
      linear_solver_description() const override
      {
        return motion.solver_description();
      }

    private:
      void
      check_mass() const;

      const MechanicalModel &model;
      const ContactSet      &contacts;
      const double           tolerance;
      ThetaStep              motion;
      ContactResponse        delassus;
      mutable Vector         b, half_impulse, impulse;
    };



    RedistributedMassNewmark::RedistributedMassNewmark(const Parameters &,
                                                       const Context &context)
      : model(context.model)
      , contacts(model.contacts())
      , tolerance(context.activation.tolerance)
      , motion({0.5, 0.5, 0.5}, context)
      , delassus(context)
      , b(contacts.partition())
      , half_impulse(contacts.partition())
      , impulse(model.partition())
    {
      check_mass();
    }



    void
    RedistributedMassNewmark::check_mass() const
    {
      Vector ones(contacts.partition()), all(model.partition());
      Vector product(model.partition());
      ones = 1.;
      contacts.impulses(ones, impulse);
      model.multiply_by_mass(impulse, product);
      const double mass_at_contacts = product.linfty_norm();
      all                           = 1.;
      model.multiply_by_mass(all, product);
      if (mass_at_contacts > 1e-12 * product.linfty_norm())
        throw EntryError("scheme/type",
                         "'redistributed mass newmark' needs a model whose "
                         "contact nodes have no mass; for a bar: set "
                         "model/bar/mass matrix = redistributed");
    }



    void
    RedistributedMassNewmark::start(State &state) const
    {
      state.memory.push_back(
        {"impulse", Vector(contacts.partition()), State::Kind::contact});
      Vector force(contacts.partition()), f(model.partition());
      model.internal_forces(state.q, state.v, f);
      f -= model.dead_load();
      model.add_driving_load(state.time, -1, f);
      contacts.multiply(f, force);
      contacts.gaps(state.q, b);
      for (unsigned int i = 0; i < force.locally_owned_size(); ++i)
        force.local_element(i) = b.local_element(i) <= tolerance ?
                                   std::max(force.local_element(i), 0.) :
                                   0.;
      state.memory.push_back({"contact force", force, State::Kind::contact});
    }



    void
    RedistributedMassNewmark::advance(const State &begin,
                                      State       &end,
                                      StepReport  &report) const
    {
      const double  h       = motion.step_size();
      const Vector &r_begin = begin.memory[1].values;
      Vector       &lambda  = end.memory[0].values;
      motion.solve_free(begin, end, report);
      half_impulse.equ(h / 2, r_begin);
      if (half_impulse.linfty_norm() > 0)
        {
          contacts.impulses(half_impulse, impulse);
          motion.add_impulse(impulse, end, report);
        }
      motion.move(begin, end);
      // g(q) / (h/2) = g(q_free) / (h/2) + D A^{-1} D^T lambda
      contacts.gaps(end.q, b);
      b *= 2 / h;
      lambda = half_impulse;
      report.add(delassus.solve_all(b, lambda));
      end.memory[1].values.equ(2 / h, lambda);
      if (ContactResponse::count(lambda) > 0)
        {
          contacts.impulses(lambda, impulse);
          motion.add_impulse(impulse, end, report);
          motion.move(begin, end);
        }
      lambda += half_impulse;
      report.n_active = ContactResponse::count(lambda);
    }

    const Registration<TimeStepper, RedistributedMassNewmark>
      registration("redistributed mass newmark",
                   "Newmark for models without mass at the contact nodes "
                   "(Khenous, Laborde, Renard); no restitution",
                   {{"order", "2 in smooth motion"},
                    {"energy",
                     "conserves E but for the work of opening and closing "
                     "contacts, of either sign"},
                    {"penetration", "none"}});
  } // namespace
} // namespace Percuss
