// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/steppers/moreau_step.h>

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
    /// (65).
    class MoreauJean : public MoreauStep
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
        : MoreauStep({parameters.theta, parameters.theta, parameters.theta},
                     context)
        , theta(parameters.theta)
        , largest_restitution(context.model.contacts().largest_restitution())
      {}

      EnergyPromise
      promise() const override
      {
        EnergyPromise promise        = MoreauStep::promise();
        promise.promises_dissipation = true;
        promise.hypotheses           = {{"theta >= 1/2", theta >= 0.5},
                                        {"theta <= 1/(1+e)",
                                         theta * (1 + largest_restitution) <= 1}};
        return promise;
      }

    private:
      const double theta, largest_restitution;
    };

    const Registration<TimeStepper, MoreauJean>
      registration("moreau jean",
                   "Moreau-Jean theta scheme: velocities and impulses as "
                   "unknowns, robust",
                   {{"order",
                     "1 with impacts; in smooth motion 2 for theta = 1/2, "
                     "else 1"},
                    {"energy",
                     "dissipates E for 1/2 <= theta <= 1/(1+e), at all "
                     "frequencies"},
                    {"penetration", "up to h times the impact velocity"}});
  } // namespace
} // namespace Percuss
