// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/parameter_section.h>
#include <percuss/steppers/general_step.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  /// Schemes with a possible impact at each node t_k of time and a constant
  /// velocity v_k between two nodes (S. Capobianco and S. R. Eugster: Time
  /// finite element based Moreau-type integrators, Int. J. Numer. Meth. Engng.
  /// 114, 2018). The state at t_k has the velocity after the node; a step moves
  /// with it,
  /// @f[ q_{k+1} = q_k + h v_k, @f]
  /// and finds v_{k+1} from the balance of momentum at the new node, where
  /// contacts with g(q_{k+1}) <= 0 are active and directions are those at
  /// q_{k+1}.
  ///
  /// Joints act at the node, with the impulse G(q_{k+1})^T mu, such that they
  /// hold at the next one, g_B(q_{k+1} + h v_{k+1}) = 0, as in the method
  /// SHAKE: positions obey them to round-off, velocities to order h.
  ///
  /// Forces act at a node for half of the element before and half of the one
  /// after it, together h unless the step size changes, which costs an error of
  /// order h^2 in positions.
  ///
  /// The first velocity v_0 follows from the initial one by half a kick at the
  /// first node, which has no element before it. Where the file asks for it,
  /// the velocity of the first element is the initial velocity itself; this
  /// costs one order in smooth motion.
  class NodeStep : public GeneralStep
  {
  public:
    struct Parameters
    {
      std::string start = "half kick";

      void
      declare(ParameterSection &section);
    };

    NodeStep(const Parameters &parameters, const Context &context);

    void
    set_step_size(double step_size) override;

    /// After set_step_size().
    void
    start(State &state) const override;

    void
    advance(const State &begin, State &end, StepReport &report) const override;

    std::vector<std::pair<std::string, std::string>>
    facts() const override;

    bool
    treats_joints() const override
    {
      return true;
    }

    EnergyPromise
    promise() const override;

  protected:
    void
    prepare(const State &begin, State &end) const override;

    void
    move(const State &, State &) const override
    {}

    /// Joints act at the node and hold at the end of the element after it.
    JointPlaces
    joint_places(const State &begin, const State &end) const override;

    Configuration
    contact_place(const State &begin, const State &end) const override
    {
      return {end.time, end.q, begin.v};
    }

    double
    look_ahead() const override
    {
      return 0;
    }

    bool
    has_mass_of_end() const override
    {
      return true;
    }

    bool
    has_contacts_of_end() const override
    {
      return true;
    }

    void
    impulse(Term         term,
            const State &begin,
            const State &end,
            Vector      &J) const override;

    /// What the element before the node contributes to the time that its
    /// forces act, h/2 but after a change of the step size and at the start.
    double
    time_before(const State &begin) const
    {
      return h - begin.lead;
    }

    /// What the element after it contributes.
    virtual double
    time_after() const
    {
      return h / 2;
    }

    /// The part of the forces of a node that is evaluated with the velocity
    /// after it: 0 or 1/2.
    virtual double
    implicit_part() const = 0;

  private:
    /// max x^T A x / x^T M x for a matrix of a linear model, by power
    /// iterations: a lower bound, and near to it. The steps of explicit schemes
    /// must not be longer than 2 over the square root of that of K.
    double
    largest_ratio(
      const std::function<double(const Vector &)>         &norm,
      const std::function<void(const Vector &, Vector &)> &multiply) const;

    const bool     has_half_kick;
    mutable bool   is_starting = false; ///< a node without a way to it
    mutable Vector q_of_joints;
    double         highest_frequency = -1; ///< in 1/s; not known yet
  };



  /// A step with the forces of the equations of motion before the node,
  /// @f[ M(q_{k+1}) (v_{k+1}-v_k) - t\,h(q_{k+1}, v_k)
  ///     = D(q_{k+1})^T\lambda, @f]
  /// for the time t of the elements before and after it: Moreau's.
  class ExplicitNodeStep : public NodeStep
  {
  public:
    using NodeStep::NodeStep;

  protected:
    double
    implicit_part() const override
    {
      return 0;
    }

    void
    residual(const State &begin, const State &end, Vector &r) const override;

    void
    add_tangent(const State  &begin,
                const State  &end,
                SparseMatrix &tangent) const override;
  };
} // namespace Percuss
