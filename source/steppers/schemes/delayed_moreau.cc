// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/registry.h>
#include <percuss/steppers/node_step.h>

namespace Percuss
{
  namespace
  {
    /// The scheme of J. J. B. Biemond and W. Michiels, Time-stepping scheme for
    /// mechanical systems with unilateral constraints and time-delays,
    /// equation (4): with
    /// @f[ q_{k+1} = q_k + h v_k, \qquad f = f(t_{k+1}, q_{k+1}, v_k,
    ///     q(t_{k+1}-\tau), v(t_{k+1}-\tau)) @f]
    /// and the tangent cone T of the contacts with g(q_{k+1}) <= 0,
    /// @f[ v_{k+1} = -e v_k + (1+e)\,\text{prox}^M_T\Bigl(v_k +
    ///     \frac{h}{1+e} M^{-1} f\Bigr). @f]
    /// The projection is the solution z = v_k + h M^{-1} f / (1+e) + M^{-1} D^T
    /// p of 0 <= p, D z >= 0, p D z = 0. With D z = (D v_{k+1} + e D v_k)/(1+e)
    /// and lambda = (1+e) p this is
    /// @f[ M (v_{k+1} - v_k) - h f = D^T\lambda, \qquad
    ///     0 \le \lambda \perp D v_{k+1} + e D v_k \ge 0, @f]
    /// which also makes sense with one e for each contact, and with friction.
    /// The first velocity is the initial one itself, and velocities belong to
    /// the nodes.
    class DelayedMoreau : public ExplicitNodeStep
    {
    public:
      struct Parameters
      {
        void
        declare(ParameterSection &)
        {}
      };

      DelayedMoreau(const Parameters &, const Context &context)
        : ExplicitNodeStep(as_given(context), context)
      {}

      /// Positions of the step are known before its forces, velocities are not:
      /// the paper's are those of the step before.
      bool
      iterates_delays() const override
      {
        return false;
      }

      bool
      treats_joints() const override
      {
        return false;
      }

    protected:
      /// Velocities belong to the nodes: all of a force acts before them.
      double
      time_after() const override
      {
        return 0;
      }

    private:
      static NodeStep::Parameters
      as_given(const Context &context)
      {
        if (context.model.constraints() != nullptr)
          throw EntryError("scheme/type",
                           "'delayed moreau' does not treat the joints of the "
                           "model; 'moreau' does");
        NodeStep::Parameters parameters;
        parameters.start = "as given";
        return parameters;
      }
    };

    const Registration<TimeStepper, DelayedMoreau> registration(
      "delayed moreau",
      "the explicit scheme of Biemond and Michiels for systems with delays and "
      "impacts",
      {{"order", "1"},
       {"energy", "bounded for separable systems without delays"},
       {"penetration", "up to h times the impact velocity"}});
  } // namespace
} // namespace Percuss
