// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/registry.h>
#include <percuss/steppers/constrained_step.h>

namespace Percuss
{
  namespace
  {
    /// The energy-momentum scheme (J. C. Simo and N. Tarnow 1992; O. Gonzalez
    /// 1999; P. Betsch and P. Steinmann 2001) for models with a constant mass,
    /// @f[ q_{k+1} - q_k = \tfrac h2 (v_k + v_{k+1}), @f]
    /// @f[ M (v_{k+1}-v_k) = h\,[\bar f(q_k,q_{k+1}) + f_\text{load}
    ///     + f_\text{damping}]_{k+1/2} + D(q_k)^T\lambda
    ///     + G_B(q_{k+1/2})^T\mu, \qquad g_B(q_{k+1}) = 0, @f]
    /// with the discrete gradient of the potential energy. Joints that are
    /// quadratic in q do no work, since G_B(q_{k+1/2}) dq = g_B(q_{k+1}) -
    /// g_B(q_k). Then
    /// @f[ \Delta E = W_\text{load} + W_\text{damping}
    ///     + \tfrac12 (u_k+u_{k+1})\cdot\lambda @f]
    /// to round-off, without algorithmic dissipation, for steps of any size.
    class EnergyMomentum : public ConstrainedStep
    {
    public:
      EnergyMomentum(const Parameters &parameters, const Context &context)
        : ConstrainedStep(parameters, context)
      {
        if (!model.has_constant_mass() || !model.has_conserving_force())
          throw EntryError("scheme/type",
                           "'energy momentum' needs a model with a constant "
                           "mass and a potential energy whose discrete "
                           "gradient it knows; 'null space variational' "
                           "treats all models");
        for (Vector *vector : {&momentum, &work, &q_middle})
          vector->reinit(model.partition());
      }

    protected:
      double
      contact_part() const override
      {
        return 1;
      }

      const Vector &
      joint_place(const State &begin, const State &end) const override
      {
        q_middle = middle(begin, end).q;
        return q_middle;
      }

      std::string
      joint_memory() const override
      {
        return "joint impulse at middle";
      }

      bool
      joints_hold_velocities() const override
      {
        return false;
      }

      bool
      has_mass_of_end() const override
      {
        return true;
      }

      void
      residual(const State &begin, const State &end, Vector &r) const override
      {
        // M (v_{k+1} - v_k) = M (2 dq/h - 2 v_k)
        work = middle(begin, end).v;
        work.add(-1, begin.v);
        model.multiply_by_mass(work, r);
        r *= -2;
        add_forces(begin, end, r);
      }

      void
      add_tangent(const State  &begin,
                  const State  &end,
                  SparseMatrix &tangent) const override
      {
        const Configuration at = middle(begin, end);
        model.add_derivative(
          Term::momentum, Argument::velocity, at, 2 / h, tangent);
        model.add_conserving_derivative(begin.q, end.q, -h, tangent);
        for (const Term term : {Term::load, Term::damping})
          {
            model.add_derivative(term, Argument::position, at, -h / 2, tangent);
            model.add_derivative(term, Argument::velocity, at, -1, tangent);
          }
        if (has_joints)
          model.constraints()->add_hessian(at.q,
                                           joint_multipliers(begin, end),
                                           -0.5,
                                           tangent);
      }

      void
      predict_velocity(const State  &begin,
                       const State  &end,
                       const Vector &x,
                       Vector       &v) const override
      {
        v = middle(begin, end).v;
        v.add(1 / h, x);
        v.sadd(2, -1, begin.v);
      }

      LinearReport
      respond(const Vector &, const Vector &x, Vector &v) const override
      {
        v.equ(2 / h, x);
        return {true, 1};
      }

      bool
      finish(const State  &begin,
             const Vector &contacts,
             State        &end) const override
      {
        work = 0.;
        predict_velocity(begin, end, work, end.v);
        if (!has_joints)
          return true;
        Vector &j = end.recall("joint impulse");
        residual(begin, end, j);
        j += contacts;
        j *= -1;
        end.recall(joint_memory()) = j;
        return true;
      }

      void
      impulse(const Term   term,
              const State &begin,
              const State &end,
              Vector      &J) const override
      {
        J = 0.;
        if (term == Term::force)
          {
            add_forces(begin, end, J);
            return;
          }
        model.evaluate(term, middle(begin, end), J);
        J *= h;
      }

    private:
      void
      add_forces(const State &begin, const State &end, Vector &r) const
      {
        model.add_conserving_force(begin.q, end.q, h, r);
        if (model.has_driving_load())
          {
            model.evaluate(Term::load, middle(begin, end), work);
            r.add(h, work);
          }
        if (model.has_damping())
          {
            model.evaluate(Term::damping, middle(begin, end), work);
            r.add(h, work);
          }
      }

      /// mu that fits the present residual best, for Newton's matrix.
      const std::vector<double> &
      joint_multipliers(const State &begin, const State &end) const
      {
        residual(begin, end, momentum);
        return solver.fit_multipliers(momentum, middle(begin, end).q);
      }

      mutable Vector momentum, work, q_middle;
    };

    const Registration<TimeStepper, EnergyMomentum> registration(
      "energy momentum",
      "energy-momentum scheme with joints, for models with a constant mass",
      {{"order", "1 with impacts, 2 in smooth motion"},
       {"energy", "conserved to round-off but for loads and impacts"},
       {"penetration",
        "of the order of a step times the velocity; joints hold at "
        "position level"}});
  } // namespace
} // namespace Percuss
