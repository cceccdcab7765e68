// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/steppers/constrained_step.h>

namespace Percuss
{
  namespace
  {
    /// The variational integrator of the midpoint rule with the discrete null
    /// space method (S. Leyendecker, B. Schmidt and M. Ortiz; S. Leyendecker,
    /// J. E. Marsden and M. Ortiz, ZAMM 88, 2008), as a map of positions and
    /// momenta. With
    /// @f[ L_d(q_k,q_{k+1}) = h\,L(q_{k+1/2}, \Delta q/h), \qquad
    ///     p_m = \frac{\partial L}{\partial v}, \quad
    ///     b_m = \frac{\partial L}{\partial q} + f
    ///     \text{ at } (q_{k+1/2}, \Delta q/h), @f]
    /// positions obey
    /// @f[ P(q_k)^T\,[p_k - p_m + \tfrac h2 b_m + \tfrac12 D(q_k)^T\lambda]
    ///     = 0, \qquad g_B(q_{k+1}) = 0, @f]
    /// and the velocity at the end is the one that joints allow with
    /// @f[ P(q_{k+1})^T\,[p_m + \tfrac h2 b_m + \tfrac12 D(q_k)^T\lambda
    ///     - M v_{k+1}] = 0, \qquad G_B(q_{k+1})\,v_{k+1} = 0. @f]
    /// Contacts obey their law with v_k and v_{k+1}; without joints, for linear
    /// models, this is Moreau and Jean's scheme with theta = 1/2.
    class NullSpaceVariational : public ConstrainedStep
    {
    public:
      NullSpaceVariational(const Parameters &parameters, const Context &context)
        : ConstrainedStep(parameters, context)
        , legendre(model, solver.treatment, context.make_linear_solver)
        , end_tangent(model.make_tangent())
        , mass(model.make_tangent())
        , nu(legendre.unknowns())
      {
        for (Vector *vector : {&p_begin, &p_end, &b, &work})
          vector->reinit(model.partition());
      }

    protected:
      double
      contact_part() const override
      {
        return 0.5;
      }

      const Vector &
      joint_place(const State &begin, const State &) const override
      {
        return begin.q;
      }

      std::string
      joint_memory() const override
      {
        return "joint impulse at start";
      }

      bool
      joints_hold_velocities() const override
      {
        return true;
      }

      bool
      has_mass_of_end() const override
      {
        return true;
      }

      void
      residual(const State &begin, const State &end, Vector &r) const override
      {
        const Configuration at = middle(begin, end);
        model.evaluate(Term::momentum, {begin.time, begin.q, begin.v}, p_begin);
        model.evaluate(Term::momentum, at, p_end);
        model.evaluate(Term::gradient, at, b);
        r = p_begin;
        r.add(-1, p_end, h / 2, b);
        p_end.add(h / 2, b);
      }

      void
      add_tangent(const State  &begin,
                  const State  &end,
                  SparseMatrix &tangent) const override
      {
        add_derivatives(begin, end, -1, tangent);
        has_end_matrices = false; // they belong to the tangent
      }

      void
      predict_velocity(const State  &begin,
                       const State  &end,
                       const Vector &x,
                       Vector       &v) const override
      {
        prepare_end(begin, end);
        end_tangent->multiply(x, work);
        work += p_end;
        subtract_rest(end, work);
        legendre.solve(work, nu);
        legendre.expand(nu, v);
      }

      LinearReport
      respond(const Vector &impulse, const Vector &x, Vector &v) const override
      {
        end_tangent->multiply(x, work);
        work.add(0.5, impulse);
        legendre.solve(work, nu);
        legendre.expand(nu, v);
        return {legendre.has_converged(), 1};
      }

      bool
      finish(const State  &begin,
             const Vector &impulse,
             State        &end) const override
      {
        residual(begin, end, work); // p_end is that of the last position
        clear(*mass);
        add_mass(end);
        if (!legendre.factorize(*mass, end.q, end.q))
          return false;
        p_end.add(0.5, impulse);
        subtract_rest(end, p_end);
        legendre.solve(p_end, nu);
        legendre.expand(nu, end.v);
        if (!has_joints)
          return legendre.has_converged();
        Vector &j_begin = end.recall("joint impulse at start");
        j_begin         = work;
        j_begin.add(0.5, impulse);
        j_begin *= -1;
        Vector &j = end.recall("joint impulse");
        mass->multiply(end.v, j);
        j -= p_end;
        j += j_begin;
        return true;
      }

      void
      impulse(const Term   term,
              const State &begin,
              const State &end,
              Vector      &J) const override
      {
        const Configuration at = middle(begin, end);
        model.evaluate(term == Term::force ? Term::gradient : term, at, J);
        J *= h;
        if (term != Term::force)
          return;
        model.evaluate(Term::momentum, {begin.time, begin.q, begin.v}, work);
        J += work;
        model.evaluate(Term::momentum, {end.time, end.q, begin.v}, work);
        J -= work;
      }

    private:
      /// Adds the derivatives of sign p_m ... : dp_m/dq - h/2 db_m/dq for the
      /// sign -1, and dp_m/dq + h/2 db_m/dq for 1.
      void
      add_derivatives(const State  &begin,
                      const State  &end,
                      const double  sign,
                      SparseMatrix &matrix) const
      {
        const Configuration at = middle(begin, end);
        if (!model.has_constant_mass())
          model.add_derivative(
            Term::momentum, Argument::position, at, 0.5, matrix);
        model.add_derivative(
          Term::momentum, Argument::velocity, at, 1 / h, matrix);
        model.add_derivative(
          Term::gradient, Argument::position, at, sign * h / 4, matrix);
        model.add_derivative(
          Term::gradient, Argument::velocity, at, sign * 0.5, matrix);
      }

      void
      add_mass(const State &end) const
      {
        model.add_derivative(Term::momentum,
                             Argument::velocity,
                             {end.time, end.q, end.v},
                             1,
                             *mass);
      }

      /// The momentum of a body at rest, where what drives it moves.
      void
      subtract_rest(const State &end, Vector &p) const
      {
        if (!model.is_rheonomic())
          return;
        Vector rest(model.partition()), at_rest(model.partition());
        model.evaluate(Term::momentum, {end.time, end.q, at_rest}, rest);
        p -= rest;
      }

      /// The matrices of the end of a step with contacts, for the position of
      /// the tangent.
      void
      prepare_end(const State &begin, const State &end) const
      {
        if (has_end_matrices)
          return;
        clear(*end_tangent);
        add_derivatives(begin, end, 1, *end_tangent);
        clear(*mass);
        add_mass(end);
        (void)legendre.factorize(*mass, end.q, end.q);
        has_end_matrices = true;
      }

      ConstrainedSolver             legendre;
      std::unique_ptr<SparseMatrix> end_tangent, mass;
      mutable Vector                nu, p_begin, p_end, b, work;
      mutable bool                  has_end_matrices = false;
    };

    const Registration<TimeStepper, NullSpaceVariational> registration(
      "null space variational",
      "variational integrator of the midpoint rule, joints by the discrete "
      "null space method; for any model",
      {{"order", "1 with impacts, 2 in smooth motion"},
       {"energy",
        "symplectic in smooth motion: bounded oscillation without drift, but "
        "for steps in resonance with stiff beams"},
       {"penetration",
        "of the order of a step times the impact velocity; joints hold to "
        "round-off"}});
  } // namespace
} // namespace Percuss
