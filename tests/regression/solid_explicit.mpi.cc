// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <string>

#include "ranks.h"

// Explicit steps of solids: all numbers of ranks agree.

namespace Percuss::Test
{
  namespace
  {
    const std::string solid = "model/solid 3d/",
                      block = solid + "bodies/block/";

    /// Contacts with friction that meet the floor one after the other, at the
    /// boundaries of ranks too.
    TEST(SolidExplicit, RanksAgreeOnImpacts)
    {
      for (const std::string form : {"assembled", "matrix-free"})
        compare_with_one_rank(
          "benchmark/explicit_impact_3d.prm",
          {solid + "operator=" + form,
           block + "cells=3, 3, 3",
           block + "poisson ratio=0.3",
           block + "initial displacement=z = 2e-4*x + 1e-4*y",
           block + "initial velocity=z = -1; x = 0.4; y = 0.1",
           solid + "contacts/floor/friction=0.3",
           "contact/law=coulomb",
           "time/end time=2e-4",
           "output/field interval=0"});
    }

    /// Two cells, of which some ranks have none, and which both are in contact.
    TEST(SolidExplicit, RanksWithoutCellsLoseNoContacts)
    {
      compare_with_one_rank(
        "benchmark/explicit_impact_3d.prm",
        {solid + "operator=assembled",
         block + "size=2, 1, 1",
         block + "cells=2, 1, 1",
         block + "corner=0, 0, 0",
         block + "poisson ratio=0.3",
         block + "initial velocity=z = -1; x = 0.4*z",
         solid + "contacts/floor/friction=0.3",
         "contact/law=coulomb",
         "time/step size=1e-5",
         "time/end time=2e-3",
         "output/probes=v = velocity x of block at 0, 0, 0; "
         "w = velocity z of block at 2, 1, 1; "
         "force = contact force x of floor",
         "output/field interval=0"});
    }

    /// Hanging nodes, and nodes of contacts that supports move.
    TEST(SolidExplicit, RanksAgreeOnMeshesWithHangingNodes)
    {
      for (const std::string form : {"assembled", "matrix-free"})
        compare_with_one_rank("benchmark/shaken_block_3d.prm",
                              {solid + "operator=" + form,
                               solid + "mass matrix=lumped",
                               solid + "stiffness damping=0",
                               solid + "refinement/edge/where=x - z + 0.1",
                               solid + "contacts/wall/friction=0.3",
                               "contact/law=coulomb",
                               "scheme/type=central differences",
                               "time/step size=4e-4",
                               "time/end time=0.2",
                               "output/field interval=0"});
    }
  } // namespace
} // namespace Percuss::Test
