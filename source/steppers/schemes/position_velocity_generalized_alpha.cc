// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/steppers/corrected_alpha.h>
#include <percuss/steppers/general_corrected_alpha.h>
#include <percuss/steppers/jointed_alpha.h>
#include <percuss/steppers/scheme_of_kind.h>

namespace Percuss
{
  namespace
  {
    /// Positions and velocities respond through the acceleration a_{k+1},
    /// which obeys the equation of motion with the corrected q and v. With
    /// z = v_{k+1} - v_k, multipliers add to the right-hand side of S z
    /// @f[ (1-\alpha_m) D^T\Lambda + (1-\alpha_f) h^2\beta K W
    ///     - (1-\alpha_f) h\gamma K U, @f]
    /// and q_{k+1} = ... + h beta/gamma (z - W) + U.
    class CoupledMotion : public FreeMotion
    {
    public:
      CoupledMotion(const AlphaCoefficients    &coefficients,
                    const TimeStepper::Context &context)
        : FreeMotion(coefficients, context)
        , correction(model.partition())
      {}

      LinearReport
      respond_to_position(const Vector &load,
                          AlphaMotion  &change) const override
      {
        const double h = smooth.step_size(), gamma = smooth.gamma;
        LinearReport report = smooth.solve_mass(load, correction);
        model.internal_forces(correction, zero, f);
        f *= -(1 - smooth.alpha_f) * h * gamma;
        report = joined(report, smooth.solve(f, change.v));
        change.a.equ(1 / (h * gamma), change.v);
        change.q.equ(h * smooth.beta / gamma, change.v);
        change.q += correction;
        change.position_impulse = load;
        return report;
      }

      LinearReport
      respond_to_velocity(const Vector &load,
                          AlphaMotion  &change) const override
      {
        const double h = smooth.step_size(), gamma = smooth.gamma;
        LinearReport report = smooth.solve_mass(load, correction);
        model.internal_forces(correction, zero, f);
        f.sadd((1 - smooth.alpha_f) * h * h * smooth.beta,
               1 - smooth.alpha_m,
               load);
        report   = joined(report, smooth.solve(f, change.v));
        change.a = change.v;
        change.a -= correction;
        change.q.equ(h * smooth.beta / gamma, change.a);
        change.a *= 1 / (h * gamma);
        change.position_impulse = 0.;
        return report;
      }

      /// Through the damping.
      bool
      is_coupled() const override
      {
        return model.has_damping();
      }

    private:
      static LinearReport
      joined(const LinearReport &first, const LinearReport &second)
      {
        return {first.converged && second.converged,
                first.n_iterations + second.n_iterations};
      }

      mutable Vector correction;
    };



    /// Constraints at position and velocity level at once, in the manner of
    /// Gear, Gupta and Leimkuhler (O. Bruels, V. Acary, A. Cardona, Comput.
    /// Methods Appl. Mech. Engrg. 281, 2014); see CorrectedAlpha. The smooth
    /// acceleration carries the joints' forces but none of the contacts. Order
    /// 1 with impacts, 2 in smooth phases.
    class PositionVelocityGeneralizedAlpha : public SchemeOfKind
    {
    public:
      struct Parameters
      {
        AlphaParameters alpha;
        JointParameters joints;

        void
        declare(ParameterSection &section)
        {
          alpha.declare(section);
          joints.declare(section);
        }
      };

      PositionVelocityGeneralizedAlpha(const Parameters &parameters,
                                       const Context    &context)
        : SchemeOfKind(make(parameters, context))
      {}

    private:
      static std::unique_ptr<TimeStepper>
      make(const Parameters &parameters, const Context &context)
      {
        const AlphaCoefficients coefficients = parameters.alpha.coefficients();
        if (!context.model.is_linear() ||
            !context.model.contacts().has_constant_directions())
          return std::make_unique<GeneralCorrectedAlpha>(coefficients,
                                                         parameters.joints,
                                                         context);
        if (context.model.constraints() != nullptr)
          return std::make_unique<CorrectedAlpha>(
            make_coupled_jointed_motion(coefficients, context), context);
        return std::make_unique<CorrectedAlpha>(
          std::make_unique<CoupledMotion>(coefficients, context), context);
      }
    };

    const Registration<TimeStepper, PositionVelocityGeneralizedAlpha>
      registration("position velocity generalized alpha",
                   "generalized-alpha with contacts and joints at position "
                   "and at velocity level",
                   {{"order", "1 with impacts, 2 in smooth motion"},
                    {"energy", "balance known; no inequality is promised"},
                    {"penetration", "none; joints hold to round-off"}});
  } // namespace
} // namespace Percuss
