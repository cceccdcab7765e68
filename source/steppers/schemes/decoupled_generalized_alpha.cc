// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/steppers/corrected_alpha.h>
#include <percuss/steppers/jointed_alpha.h>

namespace Percuss
{
  namespace
  {
    /// The three sub-problems for a model without joints. With
    /// c_P = h^2 beta (1-alpha_f)/(1-alpha_m) and c_V = h gamma
    /// (1-alpha_f)/(1-alpha_m),
    /// @f[ (M + c_P K) U = D^T\nu, \qquad
    ///     (M + c_V C) W = D^T\Lambda - c_V K U, @f]
    /// and the acceleration changes by (W - M^{-1} D^T Lambda) / (h gamma).
    class DecoupledMotion : public FreeMotion
    {
    public:
      DecoupledMotion(const AlphaCoefficients    &coefficients,
                      const TimeStepper::Context &context)
        : FreeMotion(coefficients, context)
        , make_linear_solver(context.make_linear_solver)
      {}

      void
      set_step_size(const double h) override
      {
        smooth.set_step_size(h);
        const double ratio = (1 - smooth.alpha_f) / (1 - smooth.alpha_m);
        c_v                = h * smooth.gamma * ratio;
        position_solver    = nullptr;
        velocity_solver    = nullptr;
        P                  = model.assemble(1, 0, h * h * smooth.beta * ratio);
        V                  = model.assemble(1, c_v, 0);
        position_solver    = make_linear_solver(*P);
        velocity_solver    = make_linear_solver(*V);
      }

      LinearReport
      respond_to_position(const Vector &load,
                          AlphaMotion  &change) const override
      {
        const LinearReport first = position_solver->solve(load, change.q);
        model.internal_forces(change.q, zero, f);
        f *= -c_v;
        const LinearReport second = velocity_solver->solve(f, change.v);
        change.a                  = change.v;
        finish(change);
        return {first.converged && second.converged,
                first.n_iterations + second.n_iterations};
      }

      LinearReport
      respond_to_velocity(const Vector &load,
                          AlphaMotion  &change) const override
      {
        const LinearReport first  = velocity_solver->solve(load, change.v);
        const LinearReport second = smooth.solve_mass(load, change.a);
        change.a.sadd(-1, 1, change.v);
        change.q = 0.;
        finish(change);
        return {first.converged && second.converged,
                first.n_iterations + second.n_iterations};
      }

      bool
      is_coupled() const override
      {
        return false;
      }

    private:
      /// From h gamma a to a, and p = M (U - h^2 beta a).
      void
      finish(AlphaMotion &change) const
      {
        const double h = smooth.step_size();
        change.a *= 1 / (h * smooth.gamma);
        f = change.q;
        f.add(-h * h * smooth.beta, change.a);
        model.multiply_by_mass(f, change.position_impulse);
      }

      const TimeStepper::MakeLinearSolver make_linear_solver;
      double                              c_v = 0;
      std::unique_ptr<SparseMatrix>       P, V;
      std::unique_ptr<LinearSolver>       position_solver, velocity_solver;
    };



    /// The decoupled nonsmooth generalized-alpha method (A. Cosimo, J. Galvez,
    /// F. J. Cavalieri, A. Cardona, O. Bruels, Multibody Syst. Dyn. 48, 2020):
    /// a smooth predictor without contacts, then a correction of the
    /// positions, then one of the velocities; see CorrectedAlpha. For linear
    /// models without damping and joints it is the scheme `position velocity
    /// generalized alpha`. Order 1 with impacts, 2 in smooth phases.
    class DecoupledGeneralizedAlpha : public CorrectedAlpha
    {
    public:
      using Parameters = AlphaParameters;

      DecoupledGeneralizedAlpha(const Parameters &parameters,
                                const Context    &context)
        : CorrectedAlpha(make_motion(parameters.coefficients(), context),
                         context)
      {}

    private:
      static std::unique_ptr<CorrectedMotion>
      make_motion(const AlphaCoefficients &coefficients, const Context &context)
      {
        if (context.model.constraints() == nullptr)
          return std::make_unique<DecoupledMotion>(coefficients, context);
        return make_decoupled_jointed_motion(coefficients, context);
      }
    };

    const Registration<TimeStepper, DecoupledGeneralizedAlpha>
      registration("decoupled generalized alpha",
                   "generalized-alpha with contacts and joints at both levels "
                   "in three sub-problems: smooth motion, positions, "
                   "velocities",
                   {{"order", "1 with impacts, 2 in smooth motion"},
                    {"energy", "balance known; no inequality is promised"},
                    {"penetration", "none; joints hold to round-off"}});
  } // namespace
} // namespace Percuss
