// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "regression/changing_meshes.h"

// Bodies in space that slide on each other or touch themselves.

namespace Percuss::Test
{
  namespace
  {
    const std::string two = "model/solid 2d/", three = "model/solid 3d/";

    /// Rigid blocks as in SolidSliding.BlockOnLongBlock, whose bounds hold here
    /// too: the upper one slides along (0.8, 0.6, 0) over the middle of the
    /// lower one, 24 times as heavy, which therefore does not turn. Friction is
    /// against the motion, whichever tangents the contacts have: across it
    /// there is nothing but what inclined normals make, p/E g t. Waves in the
    /// lower block have its smaller cross section.
    TEST(SolidSlidingInSpace, BlockOnBlock)
    {
      const FinishedRun run("benchmark/sliding_blocks_3d.prm",
                            {"output/probes="
                             "x = velocity x of upper at 0.132, 0.099, 0.125; "
                             "y = velocity y of upper at 0.132, 0.099, 0.125; "
                             "up = velocity z of upper at 0.132, 0.099, 0.125; "
                             "lower_x = velocity x of lower at 0.2, 0.15, 0; "
                             "lower_y = velocity y of lower at 0.2, 0.15, 0; "
                             "momentum_x = mean velocity x; "
                             "momentum_y = mean velocity y",
                             "output/field interval=0"});
      const auto        time = run.column("probes", "time"),
                 x = run.column("probes", "x"), y = run.column("probes", "y"),
                 up      = run.column("probes", "up"),
                 lower_x = run.column("probes", "lower_x"),
                 lower_y = run.column("probes", "lower_y");
      const double mu = 0.3, g = 9.81, v = 1, common = v / 25;
      const double a = mu * g, stop = v / (a * 25 / 24);
      const double tilt  = 1000 * g * 0.05 / 1e7;
      const double waves = 2 * mu * 0.5 * g / (1000 * 0.1 * 0.3 * 100);
      for (std::size_t i = 0; i < time.size(); ++i)
        {
          const double t = time[i], along = 0.8 * x[i] + 0.6 * y[i],
                       across      = 0.8 * y[i] - 0.6 * x[i],
                       lower_along = 0.8 * lower_x[i] + 0.6 * lower_y[i];
          if (t > 0.05 && t < stop - 0.02)
            {
              EXPECT_NEAR(along, v - mu * (g * t + up[i]), tilt * g * t);
              EXPECT_NEAR(across, 0, tilt * g * t);
              EXPECT_NEAR(lower_along, a * t / 24, waves);
            }
          else if (t > stop + 0.02)
            {
              EXPECT_NEAR(along, common, waves);
              EXPECT_NEAR(across, 0, waves);
              EXPECT_NEAR(lower_along, common, waves);
            }
        }
      // Round-off of K q with the displacement of the upper block.
      for (const double mean : run.column("probes", "momentum_x"))
        EXPECT_NEAR(mean, 0.8 * common, 1e-10);
      for (const double mean : run.column("probes", "momentum_y"))
        EXPECT_NEAR(mean, 0.6 * common, 1e-10);
    }

    /// As SolidSliding.PenetrationIsTheWayInAStep: h u with the velocities of
    /// waves of the weight, 2 g H / c in columns of H = 0.15 m. Here the corner
    /// in front is s = 0.05 (0.8 + 0.6) m before the middle. Friction at the
    /// base tilts the block by mu m g a / 2, a = 0.05 m high, and the
    /// pressure, linear over the square base of b = 0.1 m, is 1 + mu a / 2 s
    /// / (b^2 / 12) times its mean there: waves are so much stronger.
    TEST(SolidSlidingInSpace, PenetrationIsTheWayInAStep)
    {
      const double E = 1e7, nu = 0.3, density = 1000;
      const double c =
        std::sqrt(E * (1 - nu) / ((1 + nu) * (1 - 2 * nu)) / density);
      const double stronger =
        1 + 0.3 * 0.05 / 2 * 0.05 * (0.8 + 0.6) / (0.1 * 0.1 / 12);
      for (const double h : {1e-3, 5e-4})
        {
          const FinishedRun run("benchmark/sliding_blocks_3d.prm",
                                {"time/step size=" + std::to_string(h),
                                 "time/end time=0.1",
                                 "output/field interval=0"});
          EXPECT_LE(run.values.at("max penetration"),
                    h * 2 * 9.81 * 0.15 / c * stronger);
        }
    }

    /// Rows are the directions in space of a body's own x, y and z.
    using Frame = std::vector<std::vector<double>>;

    /// In space, of the components that a body has along its own directions.
    std::string
    turned(const Frame                    &frame,
           const std::vector<std::string> &components,
           const bool                      as_displacement)
    {
      const char *const names = "xyz";
      std::string       result;
      for (unsigned int i = 0; i < 3; ++i)
        {
          result += std::string(i > 0 ? "; " : "") + names[i] + " = 0";
          for (unsigned int j = 0; j < 3; ++j)
            if (!components[j].empty())
              result += " + (" + std::to_string(std::lround(15 * frame[j][i])) +
                        "/15)*(" + components[j] + ")";
          if (as_displacement)
            result += std::string(" - ") + names[i];
        }
      return result;
    }

    std::string
    position(const Frame &frame)
    {
      return turned(frame, {"x", "y", "z"}, true);
    }

    /// Positions x, y and z of a place of a body, as probes of that name.
    std::string
    place(const std::string &name,
          const std::string &body,
          const std::string &where)
    {
      std::string result;
      for (const std::string d : {"x", "y", "z"})
        result +=
          name + d + " = position " + d + " of " + body + " at " + where + "; ";
      return result;
    }

    /// The positions of two runs, one in the plane, are the same: @p name is
    /// that of the place.
    void
    compare(const FinishedRun &plane,
            const FinishedRun &space,
            const Frame       &frame,
            const std::string &name,
            const double       tolerance)
    {
      const std::vector<std::vector<double>> found = {
        space.column("probes", name + "x"),
        space.column("probes", name + "y"),
        space.column("probes", name + "z")};
      const auto x = plane.column("probes", name + "x"),
                 y = plane.column("probes", name + "y");
      ASSERT_EQ(found[0].size(), x.size());
      for (std::size_t i = 0; i < x.size(); ++i)
        {
          std::vector<double> own(3);
          for (unsigned int j = 0; j < 3; ++j)
            for (unsigned int d = 0; d < 3; ++d)
              own[j] += frame[j][d] * found[d][i];
          EXPECT_NEAR(own[0], x[i], tolerance) << name;
          EXPECT_NEAR(own[1], 0, tolerance) << name;
          EXPECT_NEAR(own[2], y[i], tolerance) << name;
        }
    }

    /// Without Poisson's ratio a body in space that is the same all along its y
    /// moves as one in the plane, however it is turned: nothing of the search,
    /// cuts, functions and tangents may depend on the directions of space.
    /// Forces of contacts are as large as those of the plane times the depth,
    /// and velocities of some m/s are solved for to 1e-10: positions differ by
    /// the time times 1e-9 m/s.
    TEST(SolidSlidingInSpace, ForkClapsAsInThePlane)
    {
      const double      end   = 0.012;
      const std::string speed = "-3*tanh(200*x)*max(z, 0)^2/0.12^2";
      const Overrides   both  = {"time/step size=1e-4",
                                 "time/end time=0.012",
                                 "contact/law=coulomb",
                                 "output/table interval=1",
                                 "output/field interval=0"};
      const FinishedRun plane(
        "benchmark/clapping_fork.prm",
        both + Overrides{two + "bodies/fork/refinements=0",
                         two + "bodies/fork/poisson ratio=0",
                         two + "contacts/itself/friction=0.3",
                         "output/probes="
                         "leftx = position x of fork at -0.015, 0.12; "
                         "lefty = position y of fork at -0.015, 0.12; "
                         "rightx = position x of fork at 0.015, 0.12; "
                         "righty = position y of fork at 0.015, 0.12"});
      EXPECT_GT(plane.values.at("contact steps"), 10);
      const Frame straight = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      const Frame askew    = {{2. / 3, 2. / 3, -1. / 3},
                              {-1. / 3, 2. / 3, 2. / 3},
                              {2. / 3, -1. / 3, 2. / 3}};
      for (const Frame &frame : {straight, askew})
        {
          const FinishedRun space(
            "benchmark/clapping_fork_3d.prm",
            both +
              Overrides{
                three + "bodies/fork/poisson ratio=0",
                three + "bodies/fork/initial displacement=" + position(frame),
                three + "bodies/fork/initial velocity=" +
                  turned(frame, {speed, "", ""}, false),
                "output/probes=" + place("left", "fork", "-0.015, 0, 0.12") +
                  place("right", "fork", "0.015, 0, 0.12") +
                  "momentum = mean velocity"});
          compare(plane, space, frame, "left", end * 1e-9);
          compare(plane, space, frame, "right", end * 1e-9);
        }
    }

    /// The same of a block that slides over the edge of another one and tips.
    TEST(SolidSlidingInSpace, BlockTipsOverAnEdgeAsInThePlane)
    {
      const auto bodies = [](const std::string &model,
                             const std::string &material,
                             const std::string &depth,
                             const std::string &one,
                             const std::string &start) {
        return Overrides{model + "materials/" + material +
                           "/law=st venant kirchhoff",
                         model + "materials/" + material + "/poisson ratio=0",
                         model + "materials/" + material + "/young modulus=1e7",
                         model + "stiffness damping=0",
                         model + "contacts/between/search distance=0.04",
                         model + "contacts/between/friction=0.3",
                         model + "bodies/lower/size=0.3, " + depth + "0.1",
                         model + "bodies/lower/cells=6, " + one + "2",
                         model + "bodies/upper/size=0.1, " + depth + "0.05",
                         model + "bodies/upper/cells=3, " + one + "1",
                         model + "bodies/upper/corner=0.175, " + start + "0.1",
                         "time/step size=1e-4",
                         "time/end time=0.016",
                         "output/table interval=2",
                         "output/field interval=0"};
      };
      const double      end = 0.016;
      const FinishedRun plane(
        "benchmark/sliding_off_the_edge.prm",
        bodies(two, "plastic", "", "", "") +
          Overrides{two + "bodies/upper/initial velocity=x = 10",
                    "output/probes="
                    "frontx = position x of upper at 0.275, 0.1; "
                    "fronty = position y of upper at 0.275, 0.1; "
                    "rearx = position x of upper at 0.175, 0.1; "
                    "reary = position y of upper at 0.175, 0.1"});
      const Frame       frame = {{0.8, 0.6, 0}, {-0.6, 0.8, 0}, {0, 0, 1}};
      const FinishedRun space(
        "benchmark/sliding_blocks_3d.prm",
        bodies(three, "rubber", "0.05, ", "1, ", "0, ") +
          Overrides{
            three + "bodies/lower/initial displacement=" + position(frame),
            three + "bodies/upper/initial displacement=" + position(frame),
            three + "bodies/upper/initial velocity=x = 8; y = 6",
            "output/probes=" + place("front", "upper", "0.275, 0, 0.1") +
              place("rear", "upper", "0.175, 0, 0.1") +
              "momentum = mean velocity"});
      EXPECT_LT(plane.column("probes", "fronty").back(), 0.1 - 1e-4); // tips
      compare(plane, space, frame, "front", end * 1e-9);
      compare(plane, space, frame, "rear", end * 1e-9);
    }

    /// The tip of a prong: an edge along y, from its end with the lower y to
    /// the other one.
    struct TipEdge
    {
      std::vector<double> from, to;

      double
      slope() const
      {
        return (to[0] - from[0]) / (to[1] - from[1]);
      }

      double
      at(const double y) const
      {
        return from[0] + slope() * (y - from[1]);
      }
    };

    class TwistedClap
    {
    public:
      TwistedClap(const std::string &slave, const std::string &master)
        : run("benchmark/clapping_fork_3d.prm",
              {three + "contacts/itself/on=fork " + slave,
               three + "contacts/itself/with=fork " + master,
               "output/field interval=0",
               "output/probes=" + place("l0", "fork", "-0.015, -0.01, 0.12") +
                 place("l1", "fork", "-0.015, 0.01, 0.12") +
                 place("r0", "fork", "0.015, -0.01, 0.12") +
                 place("r1", "fork", "0.015, 0.01, 0.12") +
                 "speed_l0 = velocity x of fork at -0.015, -0.01, 0.12; "
                 "speed_l1 = velocity x of fork at -0.015, 0.01, 0.12; "
                 "speed_r0 = velocity x of fork at 0.015, -0.01, 0.12; "
                 "speed_r1 = velocity x of fork at 0.015, 0.01, 0.12; "
                 "x = mean velocity x; y = mean velocity y; z = mean velocity "
                 "z; spin = angular momentum z"})
      {
        for (const auto &column : read_csv(run.folder.path / "probes.csv"))
          probes.insert(column);
      }

      std::size_t
      n_times() const
      {
        return probes.at("time").size();
      }

      TipEdge
      edge(const std::string &side, const std::size_t i) const
      {
        const auto end = [&](const std::string &name) {
          return std::vector<double>{probes.at(name + "x")[i],
                                     probes.at(name + "y")[i],
                                     probes.at(name + "z")[i]};
        };
        return {end(side + "0"), end(side + "1")};
      }

      /// The largest speed of two ends of the tips towards each other.
      double
      closing(const std::size_t i) const
      {
        const auto speed = [&](const std::string &end) {
          return probes.at("speed_" + end)[i];
        };
        return std::max(speed("l0"), speed("l1")) -
               std::min(speed("r0"), speed("r1"));
      }

      FinishedRun                                run;
      std::map<std::string, std::vector<double>> probes;
    };

    /// The gap of the edges where they are side by side, at both ends of this
    /// part, by the positions of their ends. It may be below zero by the way in
    /// a step, h u: contacts are active where g + h u / 2 <= 0, so that g > -h
    /// u / 2 at the start of a step, which takes half of that still.
    void
    check_tips(const TwistedClap &clap)
    {
      const double h          = 1e-4;
      double       closing    = 0;
      unsigned int n_touching = 0;
      for (std::size_t i = 0; i < clap.n_times(); ++i)
        {
          const TipEdge left = clap.edge("l", i), right = clap.edge("r", i);
          const double  first = std::max(left.from[1], right.from[1]),
                       last   = std::min(left.to[1], right.to[1]);
          const double least  = std::min(right.at(first) - left.at(first),
                                        right.at(last) - left.at(last));
          if (least < 1e-3)
            closing = std::max(closing, clap.closing(i));
          EXPECT_GE(least, -h * closing);
          n_touching += least < 0 ? 1 : 0;
        }
      EXPECT_GT(n_touching, 10);
      EXPECT_LE(clap.run.values.at("max penetration"), h * closing);
      EXPECT_LE(h * closing, 0.001); // a tenth of the prong's thickness
    }

    /// The prongs meet off their middles, turn each other and rub. Momenta are
    /// kept to round-off, the angular momentum up to the impulse times the
    /// penetration times the angle of faces (at most 0.5) and friction.
    /// Turned by 180 degrees about z the fork is the same, with its prongs
    /// exchanged: with the other prong as the slave the motion is turned, to
    /// the tolerance of the solvers.
    TEST(SolidSlidingInSpace, ProngsThatMeetOffTheirMiddles)
    {
      const TwistedClap one("left", "right"), other("right", "left"),
        itself("all", "all");
      for (const TwistedClap *clap : {&one, &other, &itself})
        {
          EXPECT_EQ(clap->run.code, ExitCode::done);
          check_tips(*clap);
          for (const std::string d : {"x", "y", "z"})
            for (const double mean : clap->probes.at(d))
              EXPECT_NEAR(mean, 0, 1e-12);
          const auto  &spin = clap->probes.at("spin");
          const double most = clap->run.values.at("max penetration") *
                              (0.5 + 0.3) *
                              clap->run.values.at("contact impulse");
          for (const double L : spin)
            EXPECT_NEAR(L, spin[0], most);
          EXPECT_LT(clap->run.column("energy", "work_friction").back(), 0);
          EXPECT_LE(most, 0.02 * std::abs(spin[0])); // the bound says something
        }
      for (const auto &[left, right] :
           {std::pair("l0", "r1"), std::pair("l1", "r0")})
        for (const std::string d : {"x", "y", "z"})
          for (std::size_t i = 0; i < one.n_times(); ++i)
            EXPECT_NEAR(one.probes.at(left + d)[i],
                        (d == "z" ? 1 : -1) * other.probes.at(right + d)[i],
                        1e-9);
    }

    /// A cube that stands on its corner flies against the middle of a plate.
    FinishedRun
    corner_hits_plate(const std::string &distance)
    {
      std::string     probes;
      const Overrides places = {
        "0, 0", "0.05, 0", "-0.05, 0", "0, 0.05", "0, -0.05"};
      for (std::size_t i = 0; i < places.size(); ++i)
        probes += "p" + std::to_string(i) + " = position z of lower at " +
                  places[i] + ", 0; ";
      return FinishedRun("benchmark/sliding_blocks_3d.prm",
                         {three + "gravity=",
                          three + "stiffness damping=0",
                          three + "materials/rubber/law=neo hooke",
                          three + "bodies/lower/corner=-0.1, -0.1, -0.1",
                          three + "bodies/lower/size=0.2, 0.2, 0.1",
                          three + "bodies/lower/cells=4, 4, 2",
                          three + "bodies/upper/corner=0, 0, 0",
                          three + "bodies/upper/size=0.1, 0.1, 0.1",
                          three + "bodies/upper/cells=2, 2, 2",
                          three + "bodies/upper/initial velocity=z = -1",
                          three + "bodies/upper/initial displacement="
                                  "x = (x - y)/sqrt(2) - x + 0.013; "
                                  "y = (x + y - 2*z)/sqrt(6) - y + 0.007; "
                                  "z = (x + y + z)/sqrt(3) - z + 0.0003",
                          three + "contacts/between/on=upper all",
                          three + "contacts/between/friction=0",
                          three +
                            "contacts/between/search distance=" + distance,
                          three + "contacts/floor/through=0, 0, -1",
                          "time/step size=1e-4",
                          "time/end time=0.01",
                          "output/table interval=1",
                          "output/field interval=0",
                          "output/probes=" + probes +
                            "tip = position z of upper at 0, 0, 0; "
                            "below = position z of lower at 0.013, 0.007, 0; "
                            "momentum = mean velocity z"});
    }

    /// The faces at the corner are covered in part: where their normals miss
    /// the plate, or meet it further away than the search distance. The
    /// constraint of the corner is its distance from the plate all the same. It
    /// enters by its way in a step, h u, and by what the constraint misses of
    /// kinks between faces of the plate, 4/27 of the kink times the length L of
    /// the cube's faces, for kinks along both directions of the plate.
    TEST(SolidSlidingInSpace, CornerOnAPlate)
    {
      const double h = 1e-4, u = 1, mean = -1. / 5;
      for (const std::string distance : {"0.05", "0.2"})
        {
          const FinishedRun run   = corner_hits_plate(distance);
          const auto        tip   = run.column("probes", "tip");
          const auto        below = run.column("probes", "below");
          std::vector<std::vector<double>> p;
          for (const std::string i : {"0", "1", "2", "3", "4"})
            p.push_back(run.column("probes", "p" + i));
          const double L = 0.05 * std::sqrt(2.), l = 0.05;
          for (std::size_t i = 0; i < tip.size(); ++i)
            {
              const double kinks = std::abs(p[1][i] + p[2][i] - 2 * p[0][i]) +
                                   std::abs(p[3][i] + p[4][i] - 2 * p[0][i]);
              EXPECT_GE(tip[i], below[i] - h * u - 4. / 27 * kinks / l * L);
              EXPECT_LE(kinks / l, 0.1); // the bound says something
            }
          EXPECT_GT(run.values.at("contact steps"), 10);
          EXPECT_GT(tip.back() - below.back(), 1e-3); // it flies back
          for (const double v : run.column("probes", "momentum"))
            EXPECT_NEAR(v, mean, 1e-12);
        }
    }
  } // namespace
} // namespace Percuss::Test
