// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/steppers/alpha_step.h>
#include <percuss/steppers/constrained_solver.h>
#include <percuss/steppers/contact_response.h>
#include <percuss/steppers/kept_tangent.h>

#include <memory>
#include <string>
#include <vector>

namespace Percuss
{
  /// The generalized-alpha scheme with contacts and joints at position and at
  /// velocity level (O. Bruels, V. Acary and A. Cardona, Comput. Methods Appl.
  /// Mech. Engrg. 281, 2014) for models that are not linear but have a constant
  /// mass and no damping. With the accelerations A of the equations of motion,
  /// @f[ (1-\alpha_m) a_{k+1} + \alpha_m a_k
  ///     = (1-\alpha_f) A_{k+1} + \alpha_f A_k, @f]
  /// positions and velocities are q_{k+1} = q^* + c_q A_{k+1} + U and
  /// v_{k+1} = v^* + c_v A_{k+1} + W. Multiplied by M, each level has a problem
  /// of its own, since forces depend on positions only:
  /// @f[ M (q_{k+1} - q^*) - c_q f(q_{k+1}) = G_B^T\kappa + D^T\nu, \qquad
  ///     g_B(q_{k+1}) = 0, \quad 0 \le g(q_{k+1}) \perp \nu \ge 0, @f]
  /// @f[ M (v_{k+1} - v^*) - c_v f(q_{k+1}) = G_B^T\Lambda_B + D^T\Lambda,
  ///     \qquad G_B v_{k+1} = 0, \quad 0 \le u_{k+1} + e u_k \perp \Lambda
  ///     \ge 0 \text{ where } \nu > 0 \text{ or } g \le 0, @f]
  /// @f[ M A_{k+1} - f(q_{k+1}) = G_B^T\lambda_B, \qquad
  ///     G_B A_{k+1} + \dot G_B v_{k+1} = 0, @f]
  /// all with G_B and D at q_{k+1}, and
  /// c_q = h^2 beta (1-alpha_f)/(1-alpha_m), c_v = h gamma (1-alpha_f)/
  /// (1-alpha_m).
  class GeneralCorrectedAlpha : public TimeStepper, private MomentumBalance
  {
  public:
    GeneralCorrectedAlpha(const AlphaCoefficients &coefficients,
                          const JointParameters   &joints,
                          const Context           &context);

    void
    set_step_size(double step_size) override;

    void
    start(State &state) const override;

    void
    advance(const State &begin, State &end, StepReport &report) const override;

    EnergyPromise
    promise() const override;

    bool
    treats_nonlinear_models() const override
    {
      return true;
    }

    bool
    treats_joints() const override
    {
      return true;
    }

    std::string
    linear_solver_description() const override
    {
      return solver.description();
    }

    std::string
    delassus_description() const override
    {
      return contacts.size() == 0 ? "" : positions.description();
    }

  private:
    /// q^* and v^*.
    void
    begin_step(const State &begin) const;

    /// One iteration for the positions; returns whether they have converged.
    bool
    iterate(const State &begin, State &end, StepReport &report) const;

    /// Iterates until the positions have converged; false where they do not.
    bool
    converge(const State &begin, State &end, StepReport &report) const;

    /// r = -[M (q - q^*) - c_q f].
    void
    find_residual(const State &end) const;

    /// Its derivative.
    void
    assemble(const State &end) const;

    /// The same, factorised; false where it is singular.
    bool
    linearize(const State &end) const;

    void
    find_closed(const State &end, StepReport &report) const;

    /// The velocities at the end, after the positions.
    bool
    solve_velocities(const State &begin, State &end, StepReport &report) const;

    /// A, and the force of the joints, for the q and v of @p state. After the
    /// mass was factorised there.
    void
    accelerate(State &state) const;

    bool
    factorize_mass(const State &state) const;

    void
    impulse(Term         term,
            const State &begin,
            const State &end,
            Vector      &J) const override;

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

    const AlphaCoefficients c;
    const MechanicalModel  &model;
    const ContactSet       &contacts;
    const ContactLaw       &law;
    const double            tolerance; ///< of activation, in m
    const bool              has_joints;
    ConstrainedSolver       solver, inertia;
    ContactResponse         positions, velocities;
    double                  h = 0, c_q = 0, c_v = 0, round_off = 0;

    std::unique_ptr<SparseMatrix>     tangent, mass;
    mutable std::vector<unsigned int> closed;
    mutable NewtonProgress            progress;
    mutable KeptTangent               kept;
    mutable Vector q_star, v_star, f, r, x, work, load, correction, y, y_unit;
    mutable Vector nu, lambda, b, change, u_before;
  };
} // namespace Percuss
