// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/steppers/general_theta.h>
#include <percuss/steppers/moreau_step.h>
#include <percuss/steppers/scheme_of_kind.h>

namespace Percuss
{
  namespace
  {
    /// Moreau's sweeping process in Jean's theta form (M. Jean, Comput.
    /// Methods Appl. Mech. Engrg. 177, 1999; V. Acary, seminar slides 2013,
    /// equation (27)), with x_{k+theta} = (1-theta) x_k + theta x_{k+1}:
    /// @f[ M (v_{k+1}-v_k) + h K q_{k+\theta} + h C v_{k+\theta}
    ///     - h F_{k+\theta} = D^T \lambda, \qquad
    ///     q_{k+1} = q_k + h v_{k+\theta}. @f]
    /// For a linear model one solve with A = M + h theta C + h^2 theta^2 K
    /// gives the free velocity, a second one the response to the impulses.
    /// Order 1, in smooth phases order 2 for theta = 1/2. Energy: equation
    /// (65). Other models: GeneralTheta.
    class MoreauJean : public SchemeOfKind
    {
    public:
      struct Parameters
      {
        double theta = 0.5;

        void
        declare(ParameterSection &section)
        {
          section.add("theta",
                      theta,
                      "Implicitness: 1/2 conserves the energy of smooth "
                      "motion, 1 dissipates strongly, less is unstable",
                      Range::between(0.5, 1));
        }
      };

      MoreauJean(const Parameters &parameters, const Context &context)
        : SchemeOfKind(make(parameters.theta, context))
        , is_linear(context.model.is_linear())
        , theta(parameters.theta)
        , largest_restitution(context.model.contacts().largest_restitution())
      {}

      EnergyPromise
      promise() const override
      {
        EnergyPromise promise = SchemeOfKind::promise();
        if (!is_linear)
          return promise;
        promise.promises_dissipation = true;
        promise.hypotheses           = {{"theta >= 1/2", theta >= 0.5},
                                        {"theta <= 1/(1+e)",
                                         theta * (1 + largest_restitution) <= 1}};
        return promise;
      }

    private:
      static std::unique_ptr<TimeStepper>
      make(const double theta, const Context &context)
      {
        if (context.model.is_linear())
          return std::make_unique<MoreauStep>(ThetaWeights{theta, theta, theta},
                                              context);
        return std::make_unique<GeneralTheta>(theta, context);
      }

      const bool   is_linear;
      const double theta, largest_restitution;
    };

    const Registration<TimeStepper, MoreauJean>
      registration("moreau jean",
                   "Moreau-Jean theta scheme: velocities and impulses as "
                   "unknowns, robust",
                   {{"order",
                     "1 with impacts; in smooth motion 2 for theta = 1/2 "
                     "and a constant mass matrix, else 1"},
                    {"energy",
                     "dissipates E for 1/2 <= theta <= 1/(1+e), at all "
                     "frequencies"},
                    {"penetration", "up to h times the impact velocity"}});
  } // namespace
} // namespace Percuss
