// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/steppers/moreau_step.h>

namespace Percuss
{
  namespace
  {
    /// The variant of the Moreau-Jean scheme that dissipates for any
    /// restitution (V. Acary, seminar slides 2013, equation (68)): positions
    /// move with the mean velocity,
    /// @f[ M (v_{k+1}-v_k) + h K q_{k+\theta} + h C v_{k+1/2}
    ///     - h F_{k+\theta} = D^T \lambda, \qquad
    ///     q_{k+1} = q_k + h v_{k+1/2}. @f]
    /// (The slides leave out the damping; at v_{k+1/2} its work is never
    /// positive.) Order 1, in smooth phases order 2 for theta = 1/2. Energy:
    /// equation (69).
    class DissipativeMoreauJean : public MoreauStep
    {
    public:
      struct Parameters
      {
        double theta = 0.6;

        void
        declare(ParameterSection &section)
        {
          section.add("theta",
                      theta,
                      "Where the elastic forces are taken: 1/2 conserves the "
                      "energy of smooth motion, 1 dissipates strongly",
                      Range::between(0.5, 1));
        }
      };

      DissipativeMoreauJean(const Parameters &parameters,
                            const Context    &context)
        : MoreauStep({parameters.theta, 0.5, 0.5}, context)
        , theta(parameters.theta)
      {}

      EnergyPromise
      promise() const override
      {
        EnergyPromise promise        = MoreauStep::promise();
        promise.promises_dissipation = true;
        promise.hypotheses           = {{"theta >= 1/2", theta >= 0.5}};
        return promise;
      }

    private:
      const double theta;
    };

    const Registration<TimeStepper, DissipativeMoreauJean>
      registration("dissipative moreau jean",
                   "variant of Moreau-Jean that dissipates for every "
                   "restitution",
                   {{"order",
                     "1 with impacts; in smooth motion 2 for theta = 1/2, "
                     "else 1"},
                    {"energy",
                     "dissipates E for theta >= 1/2 and any e of "
                     "approaching contacts, at all frequencies"},
                    {"penetration", "up to h times the impact velocity"}});
  } // namespace
} // namespace Percuss
