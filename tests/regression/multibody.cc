// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    const std::string swing = "benchmark/three_bar_swing.prm";

    const std::vector<std::string> treatments =
      {"multipliers", "null space", "null space with reparametrisation"};

    /// The entry of a column at the time nearest to @p time.
    double
    at(const FinishedRun &run, const std::string &probe, const double time)
    {
      const auto times = run.column("probes", "time");
      const auto found =
        std::min_element(times.begin(),
                         times.end(),
                         [time](double a, double b) {
                           return std::abs(a - time) < std::abs(b - time);
                         });
      return run.column("probes", probe)[found - times.begin()];
    }

    // A planar geometrically exact code with the same mesh (32 elements) and
    // steps of 0.1 ms. Order 2: steps of 2.5 ms err by about 2e-6 m.
    TEST(ThreeBarSwing, MovesAsAnotherCodeFound)
    {
      const FinishedRun run(swing, {"time/step size=2.5e-3"});
      const double reference[][3] = {{0.2, 0.03403153356, -0.0001901327068},
                                     {0.4, 0.1253938017, -0.004412463043},
                                     {0.5, 0.171184969, -0.00949945986},
                                     {0.6, 0.2166948643, -0.01617115688}};
      for (const auto &[time, x, z] : reference)
        {
          EXPECT_NEAR(at(run, "mid_x", time), x, 1e-5);
          EXPECT_NEAR(at(run, "mid_z", time), z, 1e-5);
        }
    }

    // Another code of the same scheme with steps of 0.2 ms; the error of 1 ms
    // is 1.2e-7 m (reference study of the plane swing).
    TEST(ThreeBarSwing, MovesInSpace)
    {
      const FinishedRun run("benchmark/three_bar_swing_spatial.prm",
                            {"time/step size=1e-3"});
      EXPECT_NEAR(at(run, "mid_x", 0.5), 0.17115124, 1e-6);
      EXPECT_NEAR(at(run, "mid_y", 0.5), 0.01769509, 1e-6);
      EXPECT_NEAR(at(run, "mid_z", 0.5), -0.00961313, 1e-6);
    }

    TEST(ThreeBarSwing, MovesTheSameWithEachTreatmentOfJoints)
    {
      for (const std::string scheme : {"null space variational",
                                       "energy momentum",
                                       "position velocity generalized alpha"})
        {
          std::vector<double> first;
          for (const std::string &treatment : treatments)
            {
              const FinishedRun run(swing,
                                    {"model/multibody/bodies/bar/elements=4",
                                     "time/step size=1e-3",
                                     "time/end time=0.1",
                                     "scheme/type=" + scheme,
                                     "scheme/" + scheme +
                                       "/joints=" + treatment});
              const auto        x = run.column("probes", "mid_x");
              if (first.empty())
                first = x;
              for (std::size_t i = 0; i < x.size(); ++i)
                ASSERT_NEAR(x[i], first[i], 1e-12) << scheme << treatment;
            }
        }
    }

    TEST(ThreeBarSwing, HoldsItsJointsToRoundOff)
    {
      const Parts parts(swing, {"model/multibody/bodies/bar/elements=8"});
      parts.scheme->set_step_size(1e-3);
      State begin = parts.model->initial_state();
      parts.scheme->start(begin);
      State end = begin;
      for (unsigned int i = 0; i < 300; ++i)
        {
          StepReport report;
          parts.scheme->advance(begin, end, report);
          ASSERT_TRUE(report.converged);
          for (const double g : parts.model->constraints()->residuals(end.q))
            ASSERT_LT(std::abs(g), 1e-14);
          begin.swap(end);
        }
    }

    // Steps of 2 ms through the snap at 0.69 s, where link and beam are in line
    // and the forces of the joints rise a thousandfold.
    TEST(ThreeBarSwing, KeepsItsEnergyThroughTheSnap)
    {
      const FinishedRun run(swing,
                            {"model/multibody/bodies/bar/elements=8",
                             "scheme/type=energy momentum",
                             "time/step size=2e-3",
                             "time/end time=0.9"});
      const auto        time   = run.column("energy", "time");
      const auto        energy = run.column("energy", "total");
      const double      last   = energy.back();
      ASSERT_NEAR(last, 0.059, 1e-3);
      for (std::size_t i = 0; i < time.size(); ++i)
        {
          if (time[i] <= 0.26)
            continue;
          ASSERT_NEAR(energy[i], last, 1e-9 * last);
        }
    }



    // The beam of steel hits the wall as a rigid rod does; the impulse and the
    // end of the contacts are those of another code with nonsmooth generalized
    // alpha (8 elements: 2.3712 N s, 0.5005 s), within the scatter of its
    // parameters.
    TEST(FlexiblePendulum, HitsTheWall)
    {
      const std::map<std::string, double> steps = {
        {"null space variational", 2.5e-4},
        {"energy momentum", 2.5e-4},
        {"position velocity generalized alpha", 1e-4}};
      for (const auto &[scheme, h] : steps)
        {
          const FinishedRun run("benchmark/flexible_pendulum.prm",
                                {"model/multibody/bodies/rod/elements=8",
                                 "time/step size=" + std::to_string(h),
                                 "time/end time=0.505",
                                 "scheme/type=" + scheme});
          EXPECT_NEAR(run.values.at("first contact"), 0.48333371, 2 * h);
          EXPECT_NEAR(run.values.at("last contact"), 0.5005, 2e-3);
          EXPECT_NEAR(run.values.at("contact impulse"), 2.39, 0.04) << scheme;
        }
    }



    // Impacts of the point mass, exactly; order 1, so that the error of the
    // n-th one grows by about a step for each.
    TEST(MultibodyPendulum, HitsTheWallAtTheRightTimes)
    {
      const double exact[] = {0.59196049, 1.69395598, 2.75526056, 3.79382989};
      for (const std::string scheme : {"null space variational",
                                       "energy momentum",
                                       "position velocity generalized alpha"})
        {
          const FinishedRun   run("benchmark/multibody_pendulum.prm",
                                {"scheme/type=" + scheme});
          const auto          time    = run.column("contacts", "time");
          const auto          impulse = run.column("contacts", "total_impulse");
          std::vector<double> impacts;
          for (std::size_t i = 0; i < time.size(); ++i)
            if (impulse[i] > 1e-6)
              impacts.push_back(time[i]);
          ASSERT_EQ(impacts.size(), 4u) << scheme;
          for (unsigned int n = 0; n < 4; ++n)
            EXPECT_NEAR(impacts[n], exact[n], 1e-3 * (n + 2)) << scheme;
        }
    }

    // Before the impact: positions and velocities.
    TEST(MultibodyPendulum, HasOrderTwoInSmoothMotion)
    {
      for (const std::string scheme : {"null space variational",
                                       "energy momentum",
                                       "position velocity generalized alpha"})
        {
          const auto state_at = [&](const double h) {
            const FinishedRun run("benchmark/multibody_pendulum.prm",
                                  {"scheme/type=" + scheme,
                                   "time/end time=0.5",
                                   "time/step size=" + std::to_string(h)});
            return std::pair(at(run, "x", 0.5), at(run, "omega", 0.5));
          };
          const auto          reference = state_at(1e-4);
          std::vector<double> steps     = {1e-2, 5e-3, 2.5e-3}, x, omega;
          for (const double h : steps)
            {
              const auto found = state_at(h);
              x.push_back(std::abs(found.first - reference.first));
              omega.push_back(std::abs(found.second - reference.second));
            }
          EXPECT_NEAR(observed_order(steps, x), 2, 0.1) << scheme;
          EXPECT_NEAR(observed_order(steps, omega), 2, 0.1) << scheme;
        }
    }



    /// Momentum and moment of momentum about the origin: of each vector x of a
    /// frame with the momentum p, x cross p.
    std::vector<double>
    momenta(const MechanicalModel &model, const State &state)
    {
      Vector p(model.partition());
      model.evaluate(Term::momentum, {state.time, state.q, state.v}, p);
      std::vector<double> result(6);
      for (unsigned int i = 0; i < p.locally_owned_size(); i += 3)
        {
          const double *const x = state.q.begin() + i, *const y = p.begin() + i;
          for (unsigned int c = 0; c < 3; ++c)
            {
              if (i % 12 == 0)
                result[c] += y[c];
              const unsigned int d = (c + 1) % 3, e = (c + 2) % 3;
              result[3 + c] += x[d] * y[e] - x[e] * y[d];
            }
        }
      return result;
    }

    TEST(FreeBody, KeepsItsMomentaAndItsEnergy)
    {
      for (const std::string scheme :
           {"energy momentum", "null space variational"})
        {
          const Parts parts("benchmark/free_rigid_body.prm",
                            {"scheme/type=" + scheme});
          parts.scheme->set_step_size(1e-2);
          State begin = parts.model->initial_state();
          parts.scheme->start(begin);
          const auto   before = momenta(*parts.model, begin);
          const double energy = parts.model->energy(begin).total();
          State        end    = begin;
          for (unsigned int i = 0; i < 500; ++i)
            {
              StepReport report;
              parts.scheme->advance(begin, end, report);
              ASSERT_TRUE(report.converged);
              begin.swap(end);
            }
          const auto after = momenta(*parts.model, begin);
          for (unsigned int c = 0; c < 6; ++c)
            EXPECT_NEAR(after[c], before[c], 1e-13) << scheme;
          const double tolerance = scheme == "energy momentum" ? 1e-12 : 1e-4;
          EXPECT_NEAR(parts.model->energy(begin).total(),
                      energy,
                      tolerance * energy);
        }
    }



    // The moment of momentum about the floor gives the velocity of rolling; the
    // impact ends within a step, in which friction acts with mu g h more.
    TEST(SpinningBallInSpace, SlidesAndRolls)
    {
      for (const std::string scheme :
           {"null space variational", "energy momentum"})
        {
          const FinishedRun run("benchmark/spinning_ball_in_space.prm",
                                {"scheme/type=" + scheme});
          const double      of_step = 0.2 * 9.81 * 1e-3;
          EXPECT_NEAR(run.values.at("first contact"), 0.42835, 1e-3);
          EXPECT_NEAR(at(run, "u", 0.429), 0.840428, 2 * of_step);
          EXPECT_NEAR(at(run, "omega", 0.429), 28.989288, 2 * of_step / 0.04);
          EXPECT_NEAR(at(run, "u", 1), 1.428571, of_step);
          EXPECT_NEAR(at(run, "omega", 1), 14.285714, of_step / 0.04);
        }
    }



    // Without joints, for a linear model, the midpoint rule is Moreau and
    // Jean's scheme with theta = 1/2.
    TEST(NullSpaceVariational, IsMoreauJeanForABar)
    {
      const auto probe = [](const Overrides &scheme) {
        Overrides overrides = {"model/bar/elements=50",
                               "time/step size=4e-6",
                               "time/end time=1e-3",
                               "contact/activation look-ahead=0.5"};
        overrides.insert(overrides.end(), scheme.begin(), scheme.end());
        const FinishedRun run("tutorial/impacting_bar.prm", overrides);
        return std::pair(run.values.at("contact impulse"),
                         run.column("energy", "total").back());
      };
      const auto expected =
        probe({"scheme/type=moreau jean", "scheme/moreau jean/theta=0.5"});
      for (const std::string scheme :
           {"null space variational", "energy momentum"})
        {
          const auto found = probe({"scheme/type=" + scheme});
          ASSERT_GT(expected.first, 0.4);
          EXPECT_NEAR(found.first, expected.first, 1e-10) << scheme;
          EXPECT_NEAR(found.second, expected.second, 1e-12) << scheme;
        }
    }
  } // namespace
} // namespace Percuss::Test
