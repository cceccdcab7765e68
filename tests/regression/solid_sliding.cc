// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/suggestion.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "tools.h"

// Bodies that slide far on each other, turn, or touch themselves.

namespace Percuss::Test
{
  namespace
  {
    /// The speed of waves of pressure in the blocks, in m/s.
    double
    pressure_wave()
    {
      const double E = 1e7, nu = 0.3, density = 1000;
      return std::sqrt(E * (1 - nu) / ((1 + nu) * (1 - 2 * nu)) / density);
    }

    /// Rigid blocks: the upper one is slowed down by mu g and drags the lower
    /// one, 24 times as heavy, until both have the same velocity. The contact
    /// has the impulse m (g t + v_y) of the weight and of what the upper block
    /// has of vertical motion. What else differs in the run:
    /// - normals of the lower block's surface, which bends by a pressure of p
    ///   = rho g 0.05 m, incline by p/E: in the mean over the contact at most
    ///   that, and v changes by g t p/E (vibrations of the upper block are gone
    ///   after 0.05 s by its damping, exp(-7));
    /// - waves along the lower block: friction F on its cross section A makes
    ///   the velocity F / (rho A c), twice where it is reflected, with c =
    ///   100 m/s or more.
    TEST(SolidSliding, BlockOnLongBlock)
    {
      const FinishedRun run(
        "benchmark/sliding_blocks.prm",
        {"output/field interval=0",
         "output/probes=upper = velocity x of upper at 0.173, 0.125; "
         "up = velocity y of upper at 0.173, 0.125; "
         "place = displacement x of upper at 0.173, 0.125; "
         "lower = velocity x of lower at 0.6, 0.05; "
         "momentum = mean velocity x"});
      const auto   time  = run.column("probes", "time");
      const auto   upper = run.column("probes", "upper");
      const auto   up    = run.column("probes", "up");
      const auto   lower = run.column("probes", "lower");
      const double mu = 0.3, g = 9.81, v = 1.5, common = v / 25;
      const double a = mu * g, stop = v / (a * 25 / 24);
      const double tilt  = 1000 * g * 0.05 / 1e7;
      const double waves = 2 * mu * 5 * g / (1000 * 0.1 * 100);
      for (std::size_t i = 0; i < time.size(); ++i)
        if (time[i] > 0.05 && time[i] < stop - 0.02)
          {
            EXPECT_NEAR(upper[i],
                        v - mu * (g * time[i] + up[i]),
                        tilt * g * time[i]);
            EXPECT_NEAR(lower[i], a * time[i] / 24, waves);
          }
        else if (time[i] > stop + 0.02)
          {
            EXPECT_NEAR(upper[i], common, waves);
            EXPECT_NEAR(lower[i], common, waves);
          }
      EXPECT_NEAR(run.column("probes", "place").back(),
                  v * stop - a * stop * stop / 2 + common * (0.6 - stop),
                  tilt * g * stop * stop / 2 + waves * (0.6 - stop));
      // Round-off of K q with the displacement of the upper block.
      for (const double mean : run.column("probes", "momentum"))
        EXPECT_NEAR(mean, common, 1e-10);
    }

    /// Nodes enter by their way in a step, h u. The weight acts suddenly at the
    /// start: waves in a column of height H have velocities up to g H / c, and
    /// two sides of a contact twice that; steps are below H / c = 1.3 ms.
    /// (Kinks of p/E in the surface add to the gap in the step in which a node
    /// slides over them: three times h v p/E, a hundredth.) The bound is of
    /// first order in the step: bodies do not sink further while they slide.
    /// The depth itself has no clean order, between 1 and 2 from one step size
    /// to the next: it is that of the last node which sank in, part of h u by
    /// where in the step it met the other side.
    TEST(SolidSliding, PenetrationIsTheWayInAStep)
    {
      for (const double h : {1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5})
        {
          const FinishedRun run("benchmark/sliding_blocks.prm",
                                {"time/step size=" + std::to_string(h),
                                 "time/end time=0.1",
                                 "output/field interval=0"});
          EXPECT_LE(run.values.at("max penetration"),
                    h * 2 * 9.81 * 0.15 / pressure_wave());
        }
    }

    /// Where bodies do not slide, pairs of the start and of the motion are the
    /// same.
    TEST(SolidSliding, PairsOfTheStartAndOfTheMotionAgree)
    {
      const auto run = [](const std::string &pairs) {
        return FinishedRun("benchmark/two_bars_as_solids.prm",
                           {"model/solid 2d/bodies/first/cells=2, 10",
                            "model/solid 2d/bodies/second/cells=3, 10",
                            "model/solid 2d/contacts/ends/pairs=" + pairs,
                            "time/end time=0.15",
                            "output/field interval=0"});
      };
      const auto start  = run("of the start").column("probes", "first");
      const auto motion = run("of the motion").column("probes", "first");
      ASSERT_EQ(start.size(), motion.size());
      for (std::size_t i = 0; i < start.size(); ++i)
        EXPECT_NEAR(start[i], motion[i], 1e-9);
    }

    /// A plane as a formula is an obstacle with directions that change.
    TEST(SolidSliding, TogetherWithOtherObstacles)
    {
      const auto run = [](const std::string &obstacle,
                          const std::string &pairs) {
        return FinishedRun(
          "benchmark/sliding_blocks.prm",
          {"model/solid 2d/bodies/lower/cells=12, 1",
           "model/solid 2d/contacts/floor/obstacle=" + obstacle,
           "model/solid 2d/contacts/floor/distance=y",
           "model/solid 2d/contacts/between/pairs=" + pairs,
           "model/solid 2d/bodies/upper/initial velocity=x=0.01",
           "time/end time=0.02",
           "output/field interval=0"});
      };
      const auto plane   = run("plane", "of the start");
      const auto formula = run("formula", "of the start");
      EXPECT_NEAR(plane.values.at("contact impulse"),
                  formula.values.at("contact impulse"),
                  1e-8);
      EXPECT_NEAR(plane.values.at("final energy"),
                  formula.values.at("final energy"),
                  1e-8);
      const auto motion = run("formula", "of the motion");
      EXPECT_NEAR(run("plane", "of the motion").values.at("final energy"),
                  motion.values.at("final energy"),
                  1e-8);
    }

    /// All schemes whose directions may change, for small and for large
    /// strains, with and without the entries of the response.
    TEST(SolidSliding, Schemes)
    {
      for (const std::string scheme : {"moreau jean",
                                       "generalized alpha",
                                       "moreau",
                                       "symmetric moreau",
                                       "variational moreau"})
        for (const std::string more :
             {"model/solid 2d/materials/rubber/law=st venant kirchhoff",
              "contact/delassus matrix=matrix free"})
          {
            const FinishedRun run(
              "benchmark/sliding_blocks.prm",
              {more,
               "scheme/type=" + scheme,
               "model/solid 2d/bodies/lower/cells=12, 1",
               "model/solid 2d/bodies/upper/cells=1, 1",
               "model/solid 2d/materials/rubber/young modulus=1e6",
               "model/solid 2d/bodies/upper/initial velocity=x=4",
               "time/step size=4e-4",
               "time/end time=0.02",
               "output/field interval=0"});
            EXPECT_EQ(run.code, ExitCode::done) << scheme << more;
            const auto upper = run.column("probes", "upper");
            EXPECT_NEAR(upper.back(), 4 - 0.3 * 9.81 * 0.02, 0.02)
              << scheme << more;
            for (const double mean : run.column("probes", "momentum"))
              EXPECT_NEAR(mean, 4. / 25, 1e-9) << scheme << more;
          }
    }

    /// Momenta to round-off, forces that press, none after the block has left,
    /// and no gain of energy.
    void
    check_leaving(const FinishedRun &run)
    {
      EXPECT_EQ(run.code, ExitCode::done);
      const auto   rear     = run.column("probes", "rear");
      const auto   momentum = run.column("probes", "momentum");
      const auto   force    = run.column("probes", "force");
      const double side     = force[1] > 0 ? 1 : -1; // of the slave
      for (std::size_t i = 0; i < rear.size(); ++i)
        {
          // Round-off of K q, as with the block on the long one.
          EXPECT_NEAR(momentum[i], 4. * 5 / 35, 1e-9);
          EXPECT_GE(side * force[i], 0);
          // The step in which it leaves began before.
          if (rear[i] > 0.15 + 4 * 1e-4)
            {
              EXPECT_EQ(force[i], 0);
            }
        }
      EXPECT_GT(rear.back(), 0.16);
      const auto total = run.column("energy", "largest_total");
      for (const double energy : total)
        EXPECT_LE(energy, total[0] * (1 + 1e-9));
    }

    /// A rigid block of length 2a and height b that slides with v over an edge
    /// at the distance s = v t behind its middle: with the tilt T small, the
    /// bottom in touch with the edge and k^2 = (4a^2 + b^2)/12,
    /// (k^2 + s^2) T' = g s^2 / (2v), and
    /// T = g / (2 v^2) (s - k atan(s/k)).
    /// In the run the edge may be off by a step's time, h T'; where a contact
    /// is open for a step, the velocity at the edge is off by g h, and T' by g
    /// h s / (k^2 + s^2) <= g h / (2k), and by the same in the other direction.
    void
    check_tipping(const FinishedRun &run)
    {
      const double v = 4, g = 9.81, h = 1e-4;
      const double k           = std::sqrt((0.1 * 0.1 + 0.05 * 0.05) / 12);
      const auto   time        = run.column("probes", "time");
      const auto   rear        = run.column("probes", "rear_down");
      const auto   front       = run.column("probes", "front_down");
      const auto   rear_speed  = run.column("probes", "rear_speed");
      const auto   front_speed = run.column("probes", "front_speed");
      unsigned int n_compared  = 0;
      for (std::size_t i = 0; i < time.size(); ++i)
        {
          const double s = v * time[i] - 0.1;
          if (s < 0.01 || s > 0.05)
            continue;
          const double rate = g * s * s / (2 * v) / (k * k + s * s);
          const double tilt = g / (2 * v * v) * (s - k * std::atan(s / k));
          EXPECT_NEAR((rear[i] - front[i]) / 0.1, tilt, h * rate);
          EXPECT_NEAR((rear_speed[i] - front_speed[i]) / 0.1, rate, g * h / k);
          ++n_compared;
        }
      EXPECT_GT(n_compared, 15);
    }

    TEST(SolidSliding, BlockTipsOverAnEdge)
    {
      const std::string between = "model/solid 2d/contacts/between/";
      for (const bool other_way_round : {false, true})
        {
          const std::string upper = "upper bottom", lower = "lower top";
          const FinishedRun run(
            "benchmark/sliding_off_the_edge.prm",
            {between + "on=" + (other_way_round ? lower : upper),
             between + "with=" + (other_way_round ? upper : lower),
             "output/field interval=0"});
          check_leaving(run);
          check_tipping(run);
        }
      check_leaving(
        FinishedRun("benchmark/sliding_off_the_edge.prm",
                    {between + "friction=0.1", "output/field interval=0"}));
    }

    /// Colliding discs with the centre of the left one at @p y below the
    /// axis.
    FinishedRun
    collide(const double y, const std::string &friction)
    {
      const std::string left  = "-0.045, " + std::to_string(-y),
                        right = "0.045, " + std::to_string(y);
      return FinishedRun("benchmark/colliding_discs.prm",
                         {"model/solid 2d/bodies/left/centre=" + left,
                          "model/solid 2d/bodies/right/centre=" + right,
                          "model/solid 2d/contacts/between/friction=" +
                            friction,
                          "output/field interval=0",
                          "output/probes=left_x = velocity x of left at " +
                            left + "; left_y = velocity y of left at " + left +
                            "; right_x = velocity x of right at " + right +
                            "; right_y = velocity y of right at " + right +
                            "; momentum_x = mean velocity x; "
                            "momentum_y = mean velocity y; "
                            "spin = angular momentum z"});
    }

    /// The forces of a contact on both bodies are opposite. Their points of
    /// attack are apart by the way from slave to master, along the slave's
    /// normal, at most as long as the penetration d, while the force has the
    /// direction of the master's normal, turned by at most the angle between
    /// faces of both, two times 2 pi / 16, and by friction:
    /// |Delta L| <= d (pi/4 + mu) J with the impulse J.
    void
    check_collision(const FinishedRun &run, const double friction)
    {
      EXPECT_EQ(run.code, ExitCode::done);
      for (const std::string direction : {"x", "y"})
        for (const double mean : run.column("probes", "momentum_" + direction))
          EXPECT_NEAR(mean, 0, 1e-14);
      const auto   spin = run.column("probes", "spin");
      const double most = run.values.at("max penetration") *
                          (M_PI / 4 + friction) *
                          run.values.at("contact impulse");
      for (const double L : spin)
        EXPECT_NEAR(L, spin[0], most);
      EXPECT_LE(most, 0.02 * std::abs(spin[0])); // the bound says something
      const auto total = run.column("energy", "largest_total");
      for (const double energy : total)
        EXPECT_LE(energy, total[0] * (1 + 1e-9));
      for (const double residual : run.column("energy", "residual"))
        EXPECT_NEAR(residual, 0, 1e-12);
      const auto work = run.column("energy", "work_friction");
      if (friction > 0)
        EXPECT_LT(work.back(), 0);
      else
        EXPECT_EQ(work.back(), 0);
    }

    /// The mirror image of the set-up, mesh and all, gives the mirror image of
    /// the motion.
    TEST(SolidSliding, DiscsCollide)
    {
      const auto frictionless = collide(0.025, "0");
      check_collision(frictionless, 0);
      check_collision(collide(0.025, "0.3"), 0.3);
      const auto mirrored = collide(-0.025, "0");
      for (const std::string body : {"left", "right"})
        for (const std::string direction : {"_x", "_y"})
          {
            const double sign = direction == "_x" ? 1 : -1;
            const auto   one  = frictionless.column("probes", body + direction);
            const auto   two  = mirrored.column("probes", body + direction);
            ASSERT_EQ(one.size(), two.size());
            for (std::size_t i = 0; i < one.size(); ++i)
              EXPECT_NEAR(one[i], sign * two[i], 1e-9); // solver's tolerance
          }
    }

    /// A square of 0.1 m instead of a disc, turned by 45 degrees, with its
    /// middle at @p x and @p y.
    Overrides
    square(const std::string &name,
           const std::string &corner,
           const double       x,
           const double       y)
    {
      const std::string body = "model/solid 2d/bodies/" + name + "/",
                        c    = std::to_string(std::sqrt(0.5)),
                        from = "*(x - (" + std::to_string(x) + "))";
      return {body + "mesh=box",
              body + "corner=" + corner + ", -0.05",
              body + "size=0.1, 0.1",
              body + "cells=4, 4",
              body + "refinements=0",
              body + "initial displacement=x = (" + c + " - 1)" + from + " - " +
                c + "*y; y = " + c + from + " + (" + c + " - 1)*y + (" +
                shortest_text(y) + ")"};
    }

    /// Squares that fly against each other corner to corner, one of them higher
    /// by @p offset.
    FinishedRun
    corners_meet(const double offset)
    {
      Overrides overrides = {"model/solid 2d/contacts/between/on=left all",
                             "model/solid 2d/contacts/between/with=right all",
                             "output/field interval=0",
                             "output/probes="
                             "left = position x of left at -0.072, 0; "
                             "right = position x of right at 0.072, 0; "
                             "left_y = position y of left at -0.072, 0; "
                             "right_y = position y of right at 0.072, 0; "
                             "left_tip = position y of left at -0.022, -0.05; "
                             "right_tip = position y of right at 0.022, 0.05; "
                             "momentum = mean velocity x"};
      for (const auto &each : {square("left", "-0.122", -0.072, 0),
                               square("right", "0.022", 0.072, offset)})
        overrides.insert(overrides.end(), each.begin(), each.end());
      return FinishedRun("benchmark/colliding_discs.prm", overrides);
    }

    /// Squares that meet corner to corner see each other when they overlap, at
    /// most h u after they have touched, and stop within half of that: along
    /// normals of 45 degrees 1.5 h u / sqrt(2), up to the strains u/c of 1 %
    /// that turn these. They do not pass and fly back.
    TEST(SolidSliding, CornersMeet)
    {
      const double      h = 5e-5, u = 1;
      const FinishedRun run = corners_meet(0);
      EXPECT_EQ(run.code, ExitCode::done);
      EXPECT_LE(run.values.at("max penetration"),
                1.01 * 1.5 * h * u / std::sqrt(2.));
      EXPECT_GT(run.column("probes", "right").back() -
                  run.column("probes", "left").back(),
                0.1 * std::sqrt(2.));
      for (const double mean : run.column("probes", "momentum"))
        EXPECT_NEAR(mean, 0, 1e-14);
    }

    /// A corner slides off another one: the motion along the middle is unstable
    /// and grows from round-off, by a factor of up to 5.6 in a step, until the
    /// tips are apart by what two motions have, mirror images of each other.
    /// An offset chooses one of these. Then the opposite one gives the mirror
    /// image, to the round-off of n steps at places of 0.1 m.
    TEST(SolidSliding, CornersAreMirrored)
    {
      const double      offset = 1e-9;
      const FinishedRun one = corners_meet(offset), two = corners_meet(-offset);
      const double      n = 240;
      const double bound  = n * std::numeric_limits<double>::epsilon() * 0.1;
      for (const std::string probe :
           {"left_y", "right_y", "left_tip", "right_tip"})
        {
          const auto up   = one.column("probes", probe);
          const auto down = two.column("probes", probe);
          ASSERT_EQ(up.size(), down.size());
          for (std::size_t i = 0; i < up.size(); ++i)
            EXPECT_NEAR(up[i], -down[i], bound) << probe;
        }
      // There is something to be mirrored.
      EXPECT_GT(std::abs(one.column("probes", "right_tip").back()),
                10 * offset);
    }

    using Probes = std::map<std::string, std::vector<double>>;

    /// A prong from its tip downwards: the tip and the two nodes below.
    struct Prong
    {
      double x[3], y[3];

      /// Between the tip and the node below, at a height.
      double
      at(const double height) const
      {
        return x[0] + (x[0] - x[1]) / (y[0] - y[1]) * (height - y[0]);
      }

      double
      slope(const unsigned int i) const
      {
        return (x[i] - x[i + 1]) / (y[i] - y[i + 1]);
      }

      double
      length() const
      {
        return std::hypot(x[0] - x[1], y[0] - y[1]);
      }
    };

    Prong
    prong(const Probes &probes, const std::string &name, const std::size_t i)
    {
      Prong result;
      for (unsigned int k = 0; k < 3; ++k)
        {
          result.x[k] = probes.at(name + "_x" + std::to_string(k))[i];
          result.y[k] = probes.at(name + "_y" + std::to_string(k))[i];
        }
      return result;
    }

    /// How far apart the prongs are at the height of the lower tip.
    double
    gap_of_tips(const Prong &left, const Prong &right)
    {
      return left.y[0] < right.y[0] ? right.at(left.y[0]) - left.x[0] :
                                      right.x[0] - left.at(right.y[0]);
    }

    /// What that may be at most below zero, whichever prong is the slave. Where
    /// it is the one with the lower tip, its face is covered, and the
    /// constraint of the tip is its distance from the other prong in line with
    /// the face there. Where it is the other one, its face is covered up to the
    /// lower tip, and the constraint there is the gap at this edge. Both along
    /// a normal, except
    /// - their way in a step with the closing speed u: contacts are active
    ///   where g + h u / 2 <= 0, so that g > -h u / 2 at the start of a step
    ///   with u < 0, which takes half of h u still;
    /// - where the master has a kink in front of the slave's face of length L,
    ///   at t L, (1/w) int psi of what is beyond it: kink L t^2 (1 - t)
    ///   <= kink L 4/27 with psi = 2 - 3t.
    double
    deepest(const Prong &left, const Prong &right, const double way_in_a_step)
    {
      double kink = 0, length = 0, across = 0;
      for (const Prong &each : {left, right})
        {
          kink   = std::max(kink, std::abs(each.slope(1) - each.slope(0)));
          length = std::max(length, each.length());
          across = std::max(across, std::hypot(1, each.slope(0)));
        }
      return across * (way_in_a_step + kink * length * 4 / 27);
    }

    /// Positions of the inner nodes of both prongs, from the tips downwards,
    /// and what else the test needs.
    std::string
    probes_of_prongs()
    {
      std::string result;
      for (const std::string side : {"left", "right"})
        {
          const std::string at =
            " of fork at " + std::string(side == "left" ? "-" : "") + "0.015, ";
          const char *const heights[] = {"0.12", "0.115", "0.11"};
          for (unsigned int k = 0; k < 3; ++k)
            for (const std::string direction : {"x", "y"})
              result += side + "_" + direction + std::to_string(k) +
                        " = position " + direction + at + heights[k] + "; ";
          result += side + "_speed = velocity x" + at + "0.12; ";
        }
      return result + "momentum = mean velocity x";
    }

    /// With two sides as slave and master, checked.
    Probes
    clap(const std::string &slave, const std::string &master)
    {
      const double      h      = 5e-5;
      const std::string itself = "model/solid 2d/contacts/itself/";
      const FinishedRun run("benchmark/clapping_fork.prm",
                            {itself + "on=fork " + slave,
                             itself + "with=fork " + master,
                             "output/field interval=0",
                             "output/probes=" + probes_of_prongs()});
      Probes            probes;
      for (const auto &column : read_csv(run.folder.path / "probes.csv"))
        probes.insert(column);
      const std::size_t n       = probes.at("left_x0").size();
      double            closing = 0; // near the contact
      for (std::size_t i = 0; i < n; ++i)
        if (probes["right_x0"][i] - probes["left_x0"][i] < 1e-3)
          closing =
            std::max(closing,
                     probes["left_speed"][i] - probes["right_speed"][i]);
      EXPECT_LE(run.values.at("max penetration"), h * closing);
      unsigned int n_touching = 0;
      for (std::size_t i = 0; i < n; ++i)
        {
          const Prong left  = prong(probes, "left", i),
                      right = prong(probes, "right", i);
          const double gap  = gap_of_tips(left, right);
          EXPECT_GE(gap, -deepest(left, right, h * closing));
          n_touching += gap < 0 ? 1 : 0;
        }
      EXPECT_GT(n_touching, 10);
      // Both give up their speed, in the mean over the prong a third of 3 m/s.
      EXPECT_GT(run.values.at("contact impulse"), 1.2 * 0.5);
      for (const double mean : probes["momentum"])
        EXPECT_NEAR(mean, 0, 1e-12);
      return probes;
    }

    /// Whichever prong is the slave; with the other one the motion is the
    /// mirror image, to the round-off of n steps at places of 0.12 m.
    TEST(SolidSliding, ForkClapsAgainstItself)
    {
      clap("all", "all");
      const Probes one = clap("left", "right"), two = clap("right", "left");
      const double bound = 300 * std::numeric_limits<double>::epsilon() * 0.12;
      for (const std::string node : {"0", "1", "2"})
        for (const std::string direction : {"_x", "_y"})
          {
            const double sign  = direction == "_x" ? -1 : 1;
            const auto  &left  = one.at("left" + direction + node);
            const auto  &right = two.at("right" + direction + node);
            ASSERT_EQ(left.size(), right.size());
            for (std::size_t i = 0; i < left.size(); ++i)
              EXPECT_NEAR(left[i], sign * right[i], bound);
          }
    }
  } // namespace
} // namespace Percuss::Test
