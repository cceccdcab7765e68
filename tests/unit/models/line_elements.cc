// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/models/interval.h>
#include <percuss/models/line_elements.h>

#include <gtest/gtest.h>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    TEST(LineElements, HaveTheTextbookMatricesForDegreeOne)
    {
      // EA/l ((1, -1), (-1, 1)) and rho l/6 ((2, 1), (1, 2))
      const auto elements = LineElements::make({1, 0.5, 3, 12, false});
      EXPECT_DOUBLE_EQ(elements->stiffness()(0, 0), 6);
      EXPECT_DOUBLE_EQ(elements->stiffness()(0, 1), -6);
      EXPECT_DOUBLE_EQ(elements->mass()(0, 0), 2);
      EXPECT_DOUBLE_EQ(elements->mass()(1, 0), 1);
      const auto lumped = LineElements::make({1, 0.5, 3, 12, true});
      EXPECT_DOUBLE_EQ(lumped->mass()(0, 0), 3);
      EXPECT_DOUBLE_EQ(lumped->mass()(0, 1), 0);
    }

    TEST(LineElements, FeelNoRigidMotion)
    {
      for (unsigned int p = 1; p <= LineElements::highest_degree; ++p)
        {
          const auto elements   = LineElements::make({p, 1e-3, 1e9, 1, false});
          const unsigned int  n = 5;
          std::vector<double> x(n * p + 1, 123.456), y(x.size());
          elements->apply_stiffness(n, x.data(), y.data());
          for (const double force : y)
            EXPECT_EQ(force, 0) << p;
          EXPECT_EQ(elements->stiffness_norm(n, x.data()), 0);
        }
    }

    TEST(LineElements, StretchAndWeighCorrectly)
    {
      for (unsigned int p = 1; p <= LineElements::highest_degree; ++p)
        {
          const Interval mesh({2., 5, p, 1, {}}, MPI_COMM_SELF);
          const auto     elements =
            LineElements::make({p, mesh.element_length(), 3, 7, false});
          // u = 0.1 x: energy EA 0.01 L; u = 1: mass 7 * 2
          std::vector<double> stretch = mesh.nodes();
          for (double &u : stretch)
            u *= 0.1;
          EXPECT_NEAR(elements->stiffness_norm(5, stretch.data()),
                      3 * 0.01 * 2,
                      1e-14);
          const std::vector<double> ones(stretch.size(), 1.);
          EXPECT_NEAR(elements->mass_norm(5, ones.data()), 14, 1e-12);
          EXPECT_DOUBLE_EQ(mesh.nodes().back(), 2);
        }
    }

    TEST(Bar, HasTheFrequencyOfAClampedBar)
    {
      // First mode of a clamped-free bar, omega = pi/2 c/L = pi/2: after a
      // quarter of its period the displacement is zero and the energy kinetic.
      const FinishedRun run("",
                            {"model/type=bar",
                             "model/bar/young modulus=1",
                             "model/bar/density=1",
                             "model/bar/area=1",
                             "model/bar/elements=40",
                             "model/bar/left end/condition=clamped",
                             "model/bar/initial displacement=sin(pi/2*x)",
                             "scheme/generalized alpha/parameter set=newmark",
                             "time/step size=1e-3",
                             "time/end time=1"});
      const auto        strain  = run.column("energy", "strain");
      const auto        kinetic = run.column("energy", "kinetic");
      EXPECT_NEAR(strain.front(),
                  std::pow(dealii::numbers::PI / 2, 2) / 4,
                  1e-3);
      EXPECT_LT(strain.back(), 1e-5 * kinetic.back());
    }

    TEST(Bar, ProbesInterpolate)
    {
      const Parts parts("",
                        {"model/type=bar",
                         "model/bar/elements=3",
                         "model/bar/degree=2",
                         "model/bar/young modulus=2",
                         "model/bar/initial displacement=x*x",
                         "model/bar/initial velocity=3*x"});
      const State state = parts.model->initial_state();
      const auto  value = [&](const std::string &what) {
        return parts.model->make_probe("p", what).value(state);
      };
      EXPECT_NEAR(value("displacement at 0.7"), 0.49, 1e-14);
      EXPECT_NEAR(value("position at 1"), 2, 1e-14);
      EXPECT_NEAR(value("velocity at 1/3"), 1, 1e-14);
      EXPECT_NEAR(value("stress at 0.5"), 2, 1e-13);
      EXPECT_NEAR(value("mean velocity"), 1.5, 1e-14);
      EXPECT_THROW(value("velocity at 2"), Error);
      EXPECT_THROW(value("speed at 0"), Error);
    }

    TEST(Ball, KnowsItsExactMotionUpToTheZenoPoint)
    {
      // From 1 m with g = 2: t_1 = 1, v_1 = 2, Zeno point at 1.9/0.1 = 19.
      const Parts parts("",
                        {"model/type=ball",
                         "model/ball/gravity=2",
                         "model/ball/restitution=0.9"});
      const auto  value = [&](const double end_time, const std::string &name) {
        for (const ExactValue &exact : parts.model->exact_values(end_time))
          if (exact.name == name)
            return exact.value;
        return std::nan("");
      };
      EXPECT_DOUBLE_EQ(value(2, "first contact"), 1);
      EXPECT_DOUBLE_EQ(value(2, "final energy"), 0.5 * 1.8 * 1.8);
      EXPECT_NEAR(value(19, "final energy"), 0, 1e-12);
      EXPECT_NEAR(value(25, "contact impulse"), 50, 1e-12);
      EXPECT_TRUE(parts.model->exact_values(0.5).empty());
    }

    TEST(EvenShare, CoversEverythingOnce)
    {
      for (const unsigned int n : {0u, 1u, 7u, 100u})
        for (const unsigned int n_ranks : {1u, 3u, 8u})
          {
            unsigned int next = 0;
            for (unsigned int rank = 0; rank < n_ranks; ++rank)
              {
                const auto [begin, end] = even_share(n, rank, n_ranks);
                EXPECT_EQ(begin, next);
                EXPECT_LE(end - begin, n / n_ranks + 1);
                next = end;
              }
            EXPECT_EQ(next, n);
          }
    }
  } // namespace
} // namespace Percuss::Test
