// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/parameter_section.h>
#include <percuss/mechanics/time_stepper.h>
#include <percuss/steppers/contact_response.h>
#include <percuss/steppers/mass_solver.h>
#include <percuss/steppers/solution_guess.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace Percuss
{
  /// Of the generalized-alpha family.
  struct AlphaCoefficients
  {
    double alpha_m = 0, alpha_f = 0, gamma = 0.5, beta = 0.25;
  };



  /// How a parameter file chooses them.
  struct AlphaParameters
  {
    std::string parameter_set   = "chung hulbert";
    double      spectral_radius = 0.8;
    double      alpha           = 0.05;
    double      gamma           = 0.5;
    double      beta            = 0.25;

    void
    declare(ParameterSection &section);

    AlphaCoefficients
    coefficients() const;
  };



  /// The smooth part of a generalized-alpha step,
  /// @f[ (1-\alpha_m) M a_{k+1} + \alpha_m M a_k
  ///     = (1-\alpha_f) f_{k+1} + \alpha_f f_k, @f]
  /// @f[ v_{k+1} = v_k + h [(1-\gamma) a_k + \gamma a_{k+1}], \qquad
  ///     q_{k+1} = q_k + h v_k
  ///     + h^2 [(\tfrac12-\beta) a_k + \beta a_{k+1}]. @f]
  /// The unknown is z = v_{k+1} - v_k, with
  /// h gamma a_{k+1} = z - h (1-gamma) a_k:
  /// @f[ S z = h \gamma [(1-\alpha_f) f(t_{k+1}, q^*, v_k) + \alpha_f f_k]
  ///     + h [(1-\alpha_m)(1-\gamma) - \alpha_m \gamma] M a_k, @f]
  /// @f[ S = (1-\alpha_m) M + (1-\alpha_f) (\beta h^2 K + \gamma h C), \quad
  ///     q^* = q_k + h v_k + h^2 (\tfrac12 - \tfrac\beta\gamma) a_k. @f]
  /// (Solving for a_{k+1} instead loses digits when steps are long: the
  /// accelerations of neighbouring steps cancel.)
  class AlphaStep
  {
  public:
    AlphaStep(const AlphaCoefficients    &coefficients,
              const TimeStepper::Context &context);

    void
    set_step_size(double step_size);

    /// Adds the acceleration to an initial state, M a_0 = f_0.
    void
    start(State &state) const;

    /// Adds what the filter of the HHT family remembers, after start().
    void
    start_filter(State &state) const;

    /// q, v and a of @p end, and its time, without impulses.
    void
    advance(const State &begin, State &end, StepReport &report) const;

    /// The right-hand side of S z. It stays until the next call.
    const Vector &
    load(const State &begin) const;

    /// A guess of z from the steps before, for finish().
    Vector &
    guess_change(const State &begin) const
    {
      guess.guess(begin.step, z);
      return z;
    }

    /// q, v and a of @p end, and its time, from z.
    void
    finish(const State &begin, State &end) const;

    /// What the filter remembers of the step. After the last change of @p end.
    void
    remember(const State &begin, State &end) const;

    /// x = S^{-1} b.
    LinearReport
    solve(const Vector &b, Vector &x) const
    {
      return solver->solve(b, x);
    }

    /// The velocities z that impulses D^T lambda cause,
    /// @f[ S z = (1-\alpha_m) D^T\lambda + \kappa K w, \qquad
    ///     M w = D^T\lambda, \qquad
    ///     \kappa = (1-\alpha_f) h^2 (\beta-\tfrac\gamma2). @f]
    /// With C = a M + b K the matrix is S = m M + k K, and without K
    /// @f[ z = s S^{-1} D^T\lambda + \theta w, \qquad
    ///     \theta = \kappa / k, \qquad s = 1 - \alpha_m - \theta m. @f]
    struct Response
    {
      double of_S, of_M; ///< s and theta
    };

    /// None where C is not of the kind, or s would not be positive, or kappa is
    /// negative, as in explicit schemes.
    std::optional<Response>
    response() const;

    const SparseMatrix &
    matrix() const
    {
      return *S;
    }

    const LinearSolver &
    linear_solver() const
    {
      return *solver;
    }

    /// kappa.
    double
    stiffness_of_impulses() const
    {
      return gamma == 2 * beta ? 0 : (1 - alpha_f) * h * h * (beta - gamma / 2);
    }

    /// x = M^{-1} b from a guess in @p x, where iterations solve for it until
    /// the residual is @p tolerance times @p b.
    LinearReport
    improve_mass(const Vector &b, Vector &x, const double tolerance) const
    {
      return mass_iterations ? mass_iterations->improve(b, x, tolerance) :
                               mass_solver->improve(b, x);
    }

    /// z = P r with P near M^{-1}.
    void
    precondition_mass(const Vector &r, Vector &x) const
    {
      mass_solver->precondition(r, x);
    }

    /// x = M^{-1} b.
    LinearReport
    solve_mass(const Vector &b, Vector &x) const
    {
      return mass_solver->solve(b, x);
    }

    /// Of the smooth motion, and with impulses at velocity level.
    EnergyPromise
    promise() const;

    static const Vector &
    acceleration(const State &state)
    {
      return state.memory[acceleration_index].values;
    }

    static Vector &
    acceleration(State &state)
    {
      return state.memory[acceleration_index].values;
    }

    std::string
    solver_description() const
    {
      return solver->description();
    }

    double
    step_size() const
    {
      return h;
    }

    /// Whether the balance of H is known: alpha_m = 0 < alpha_f.
    bool
    is_filtered() const
    {
      return alpha_m == 0 && alpha_f > 0;
    }

    const double alpha_m, alpha_f, gamma, beta;

  private:
    static constexpr unsigned int acceleration_index = 1; ///< in memory

    const MechanicalModel              &model;
    const TimeStepper::MakeLinearSolver make_linear_solver;
    double                              h = 0, stiffness_ratio = 1;
    std::unique_ptr<SparseMatrix>       S, M;
    std::unique_ptr<LinearSolver>       solver, mass_solver;
    const MassSolver                   *mass_iterations = nullptr;
    mutable Vector                      q_star, f, z;
    mutable SolutionGuess               guess;
  };
} // namespace Percuss
