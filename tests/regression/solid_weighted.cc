// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tools.h"

// Solids with weighted constraints in front of obstacles.

namespace Percuss::Test
{
  namespace
  {
    const std::string model   = "model/solid 2d/",
                      of_belt = model + "contacts/belt/";
    const std::string belt    = "benchmark/conveyor_belt.prm";

    Overrides
    with(Overrides overrides, const Overrides &more)
    {
      overrides.insert(overrides.end(), more.begin(), more.end());
      return overrides;
    }

    /// The pressure under a block at rest is uniform for all degrees, and the
    /// force its weight, on a plane at rest and on one that could move.
    TEST(SolidWeighted, PressureOfABlockAtRest)
    {
      for (const std::string motion : {"", "x = 0"})
        for (const unsigned int degree : {1, 2, 3})
          {
            const FinishedRun run(
              belt,
              {"output/field interval=0",
               "scheme/moreau jean/theta=1",
               "time/step size=0.01",
               model + "degree=" + std::to_string(degree),
               model + "thickness=0.5",
               model + "bodies/block/poisson ratio=0",
               of_belt + "motion=" + motion,
               of_belt + "friction=0",
               of_belt + "constraints=weighted",
               "output/probes=largest = largest contact pressure of belt; "
               "corner = contact pressure of belt at 0, 0; "
               "force = contact force y of belt; "
               "across = contact force x of belt; "
               "area = contact area of belt"});
            const auto last = [&run](const std::string &name) {
              return run.column("probes", name).back();
            };
            const double pressure = 1000 * 9.81 * 0.1;
            EXPECT_NEAR(last("largest"), pressure, 1e-6 * pressure);
            EXPECT_NEAR(last("corner"), pressure, 1e-6 * pressure);
            EXPECT_NEAR(last("force"), 0.1 * pressure, 1e-6 * pressure);
            EXPECT_NEAR(last("across"), 0, 1e-9 * pressure);
            EXPECT_NEAR(last("area"), 0.1, 1e-12);
          }
    }

    /// A scheme of positions holds the weighted gaps: under uniform pressure
    /// all nodes lie on the plane.
    TEST(SolidWeighted, SchatzmanPaoliOnAPlane)
    {
      const FinishedRun run(belt,
                            {"output/field interval=0",
                             "scheme/type=schatzman paoli",
                             "scheme/schatzman paoli/theta=1",
                             "time/step size=0.01",
                             model + "bodies/block/poisson ratio=0",
                             of_belt + "motion=",
                             of_belt + "friction=0",
                             of_belt + "constraints=weighted",
                             "output/probes="
                             "a = position y of block at 0, 0; "
                             "b = position y of block at 0.1, 0; "
                             "force = contact force y of belt"});
      EXPECT_NEAR(run.column("probes", "a").back(), 0, 1e-10);
      EXPECT_NEAR(run.column("probes", "b").back(), 0, 1e-10);
      EXPECT_NEAR(run.column("probes", "force").back(),
                  0.2 * 0.1 * 9810,
                  1e-5 * 0.2 * 0.1 * 9810);
    }

    /// A stiff block of one cell on a small circle under its middle.
    Overrides
    on_a_circle(const std::string &constraints)
    {
      return {"output/field interval=0",
              "scheme/moreau jean/theta=1",
              "contact/law=signorini",
              "time/step size=1e-3",
              "time/end time=0.3",
              model + "bodies/block/size=1, 1",
              model + "bodies/block/corner=-0.5, 0",
              model + "bodies/block/cells=1, 1",
              model + "bodies/block/young modulus=1e12",
              of_belt + "motion=",
              of_belt + "friction=0",
              of_belt + "obstacle=sphere",
              of_belt + "centre=0, -0.1",
              of_belt + "radius=0.1",
              of_belt + "constraints=" + constraints,
              "output/probes=height = position y of block at 0, 0; "
              "corner = position y of block at -0.5, 0; "
              "force = contact force y of belt"};
    }

    /// How deep the middle of the face is where the smooth minimum is zero, of
    /// a rigid face of length 1 on a circle of radius 0.1, by a fine rule.
    double
    depth_on_a_circle(const double delta)
    {
      const auto gap = [delta](const double depth) {
        const unsigned int n   = 20000;
        double             sum = 0, weight = 0;
        for (unsigned int i = 0; i < n; ++i)
          {
            const double x = (i + 0.5) / n;
            sum +=
              x * std::exp(-(std::hypot(x - 0.5, 0.1 - depth) - 0.1) / delta);
            weight += x;
          }
        return -delta * std::log(sum / weight);
      };
      double lower = 0, upper = 0.1;
      for (unsigned int i = 0; i < 50; ++i)
        (gap((lower + upper) / 2) > 0 ? lower : upper) = (lower + upper) / 2;
      return lower;
    }

    /// Nodes do not meet a circle that is smaller than their face; weighted
    /// constraints carry the block where their gap is zero. Velocities obey
    /// them: a step's way more, of 0.3 m/s at most.
    TEST(SolidWeighted, BlockOnASmallCircle)
    {
      const FinishedRun nodes(belt, on_a_circle("nodes"));
      EXPECT_EQ(nodes.values.at("contact impulse"), 0);
      EXPECT_NEAR(nodes.column("probes", "height").back(),
                  -9.81 / 2 * 0.3 * 0.3,
                  9.81 * 0.3 * 1e-3);
      const double delta = 0.02;
      for (const double h : {1e-3, 2.5e-4})
        {
          const FinishedRun run(belt,
                                with(on_a_circle("weighted"),
                                     {"time/step size=" + std::to_string(h),
                                      of_belt + "quadrature points=60",
                                      of_belt + "smoothing length=" +
                                        std::to_string(delta)}));
          const double      depth = depth_on_a_circle(delta);
          const double      speed = std::sqrt(2 * 9.81 * depth);
          EXPECT_LT(depth, 0.05);
          EXPECT_NEAR(run.column("probes", "height").back(),
                      -depth,
                      h * speed + 1e-4);
          EXPECT_NEAR(run.column("probes", "corner").back(),
                      run.column("probes", "height").back(),
                      1e-6);
          EXPECT_NEAR(run.column("probes", "force").back(), 9810, 1);
          EXPECT_LE(run.simulation->energy_ledger().worst_residual(), 1e-9);
        }
    }

    /// Blocks one on the other, on a plane with weighted constraints that could
    /// move or not.
    FinishedRun
    stack_on_a_plane(const std::string &motion, const std::string &pairs)
    {
      return FinishedRun(
        "benchmark/sliding_blocks.prm",
        {model + "bodies/lower/cells=12, 1",
         model + "bodies/upper/initial velocity=",
         model + "contacts/floor/constraints=weighted",
         model + "contacts/floor/motion=" + motion,
         model + "contacts/between/pairs=" + pairs,
         "time/end time=0.02",
         "output/field interval=0",
         "output/probes=upper = velocity y of upper at 0.173, 0.125; "
         "force = contact force y of floor; "
         "between = contact force y of between; "
         "largest = largest contact pressure of floor"});
    }

    /// Each probe to @p tolerance of its largest value; of velocities, of g t.
    void
    expect_the_same(const FinishedRun &one,
                    const FinishedRun &two,
                    const double       tolerance)
    {
      EXPECT_GT(one.values.at("contact impulse"), 1);
      for (const std::string probe : {"upper", "force", "between", "largest"})
        {
          const auto a = one.column("probes", probe);
          const auto b = two.column("probes", probe);
          ASSERT_EQ(a.size(), b.size());
          double scale = 9.81 * 0.02;
          if (probe != "upper")
            for (const double value : a)
              scale = std::max(scale, std::abs(value));
          for (std::size_t i = 0; i < a.size(); ++i)
            EXPECT_NEAR(a[i], b[i], tolerance * scale) << probe;
        }
    }

    /// With constant directions all is computed once; the others must do the
    /// same. Pairs of the motion have the normals of the bent surfaces, which
    /// incline by p/E.
    TEST(SolidWeighted, TwoBodiesOnAPlane)
    {
      const auto   constant = stack_on_a_plane("", "of the start");
      const auto   motion   = stack_on_a_plane("", "of the motion");
      const double tilt     = 1000 * 9.81 * 0.05 / 1e7;
      expect_the_same(constant,
                      stack_on_a_plane("x = 0", "of the start"),
                      1e-8);
      expect_the_same(motion, stack_on_a_plane("x = 0", "of the motion"), 1e-8);
      expect_the_same(constant, motion, tilt);
    }

    /// The block on a circle with another one on it, in a file for runs.
    class StackOnACircle
    {
    public:
      StackOnACircle()
        : folder(MPI_COMM_SELF)
      {
        const auto file = folder.path / "stack.prm";
        std::ofstream(file) << "include " << parameter_files() << "/" << belt
                            << "\nsubsection model\nsubsection solid 2d\n"
                               "subsection bodies\nsubsection upper\n"
                               "set corner = -0.5, 1\nset size = 1, 1\n"
                               "set cells = 2, 1\nset density = 1000\n"
                               "set young modulus = 1e12\nend\nend\n"
                               "subsection contacts\nsubsection between\n"
                               "set on = upper bottom\nset with = block top\n"
                               "set pairs = of the motion\n"
                               "end\nend\nend\nend\n";
        path = std::filesystem::relative(file, parameter_files());
      }

      std::string path;

    private:
      TemporaryFolder folder;
    };

    /// It rests where it would alone, with twice the force.
    TEST(SolidWeighted, StackOnASmallCircle)
    {
      const StackOnACircle file;
      const double         delta = 0.02, h = 2.5e-4;
      auto                 overrides =
        with(on_a_circle("weighted"),
             {"time/step size=" + std::to_string(h),
              of_belt + "quadrature points=60",
              of_belt + "smoothing length=" + std::to_string(delta)});
      overrides.push_back("output/probes="
                          "height = position y of block at 0, 0; "
                          "top = displacement y of upper at 0, 2; "
                          "force = contact force y of belt; "
                          "between = contact force y of between");
      const FinishedRun run(file.path, overrides);
      const double      depth = depth_on_a_circle(delta);
      const double      way   = h * std::sqrt(2 * 9.81 * depth) + 1e-4;
      EXPECT_NEAR(run.column("probes", "height").back(), -depth, way);
      EXPECT_NEAR(run.column("probes", "top").back(), -depth, way);
      EXPECT_NEAR(run.column("probes", "force").back(), 2 * 9810, 2);
      EXPECT_NEAR(run.column("probes", "between").back(), 9810, 1);
      EXPECT_LE(run.simulation->energy_ledger().worst_residual(), 1e-9);
    }

    /// The energy balance of all schemes that treat directions which change.
    TEST(SolidWeighted, LedgerClosesInEveryScheme)
    {
      unsigned int n_schemes = 0;
      for (const auto &plugin : Registry<TimeStepper>::plugins())
        {
          const Overrides overrides = {"contact/law=signorini",
                                       "scheme/type=" + plugin.first,
                                       model + "mass matrix=lumped",
                                       model + "stiffness damping=0",
                                       model + "bodies/block/cells=2, 1",
                                       model + "bodies/block/young modulus=1e5",
                                       model +
                                         "bodies/block/initial velocity=y = -1",
                                       "time/step size=1e-4",
                                       "time/end time=0.05",
                                       "output/table interval=1",
                                       "output/field interval=0",
                                       of_belt + "constraints=weighted",
                                       of_belt + "obstacle=sphere",
                                       of_belt + "centre=0.05, -0.055",
                                       of_belt + "radius=0.05",
                                       of_belt + "motion=y = 0.01*sin(100*t)"};
          try
            {
              const FinishedRun run(belt, overrides);
              EXPECT_EQ(run.code, ExitCode::done) << plugin.first;
              EXPECT_LE(run.simulation->energy_ledger().worst_residual(), 1e-9)
                << plugin.first;
              EXPECT_GT(run.values.at("contact impulse"), 1) << plugin.first;
              ++n_schemes;
            }
          catch (const Error &error) // one that says that it does not
            {
              EXPECT_EQ(error.code, ExitCode::usage) << plugin.first;
            }
        }
      EXPECT_GE(n_schemes, 6);
    }
  } // namespace
} // namespace Percuss::Test
