// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <cmath>

#include "tools.h"

// Contacts of solids whose impulses are found with the motion, without the
// Delassus matrix, against those by the matrix.

namespace Percuss::Test
{
  namespace
  {
    const std::string file = "benchmark/block_drop_3d.prm";

    /// A soft cube with waves in it that meets a plane, some nodes first.
    Overrides
    cube(const std::string &normal, const std::string &friction)
    {
      const std::string model = "model/solid 3d/",
                        body  = model + "bodies/block/";
      return {body + "size=1, 1, 1",
              body + "corner=0, 0, 0",
              body + "cells=3, 3, 3",
              body + "young modulus=1",
              body + "poisson ratio=0.3",
              body + "density=1",
              body + "initial velocity=z = -0.1 + 0.02*x; x = 0.03; y = 0.01*x",
              body + "initial displacement=z = 0.01*x*y",
              model + "stiffness damping=0.01",
              model + "contacts/floor/on=block bottom",
              model + "contacts/floor/normal=" + normal,
              model + "contacts/floor/through=0, 0, -0.06",
              model + "contacts/floor/friction=" + friction,
              model + "contacts/floor/restitution=0.2",
              std::string("contact/law=") +
                (friction == "0" ? "signorini" : "coulomb"),
              "linear solver/type=cg",
              "time/step size=0.05",
              "time/end time=1.5",
              "output/field interval=0",
              "output/probes=a = position z of block at 0, 0, 0; "
              "b = velocity x of block at 1, 1, 1"};
    }

    void
    compare(Overrides overrides, const Overrides &scheme)
    {
      overrides.insert(overrides.end(), scheme.begin(), scheme.end());
      overrides.push_back("contact/delassus matrix=explicit");
      const FinishedRun with_matrix(file, overrides, MPI_COMM_WORLD);
      overrides.back() = "contact/delassus matrix=matrix free";
      const FinishedRun with_motion(file, overrides, MPI_COMM_WORLD);
      EXPECT_EQ(with_motion.code, ExitCode::done);
      EXPECT_GT(with_matrix.values.at("contact steps"), 4);
      for (const auto &[name, value] : with_matrix.values)
        EXPECT_NEAR(with_motion.values.at(name),
                    value,
                    1e-8 * (1 + std::abs(value)))
          << name << " with " << scheme.back();
    }

    const std::vector<Overrides> schemes = {
      {"scheme/type=moreau jean"},
      {"scheme/type=generalized alpha"},
      {"scheme/type=generalized alpha",
       "scheme/generalized alpha/spectral radius=0.5"},
      {"scheme/type=generalized alpha",
       "scheme/generalized alpha/spectral radius=0"},
      {"scheme/type=generalized alpha",
       "scheme/generalized alpha/parameter set=newmark"},
      {"model/solid 3d/mass matrix=lumped", "scheme/type=central differences"}};

    // The response of damped models to impulses, and of long steps, whose
    // forces of jumps are not small.
    const std::vector<Overrides> hard = {
      {"scheme/type=generalized alpha",
       "model/solid 3d/mass damping=0.5",
       "model/solid 3d/stiffness damping=0.1"},
      {"scheme/type=generalized alpha",
       "scheme/generalized alpha/spectral radius=0.3",
       "model/solid 3d/stiffness damping=0",
       "time/step size=1",
       "time/end time=20"}};

    TEST(SolidContacts, WithoutFrictionAreFoundWithTheMotion)
    {
      for (const Overrides &scheme : schemes)
        {
          compare(cube("0, 0, 1", "0"), scheme);
          compare(cube("0.1, -0.05, 1", "0"), scheme);
        }
    }

    TEST(SolidContacts, OfDampedModelsAndLongStepsAreFoundWithTheMotion)
    {
      for (const Overrides &scheme : hard)
        {
          compare(cube("0.1, -0.05, 1", "0"), scheme);
          compare(cube("0.1, -0.05, 1", "0.3"), scheme);
        }
    }

    TEST(SolidContacts, WithFrictionAreFoundWithTheMotion)
    {
      for (const Overrides &scheme : schemes)
        {
          compare(cube("0, 0, 1", "0.2"), scheme);
          compare(cube("0.1, -0.05, 1", "0.6"), scheme);
        }
    }
  } // namespace
} // namespace Percuss::Test
