// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <string>

#include "tools.h"

// A quarter of a body between two planes of symmetry moves as the whole.

namespace Percuss::Test
{
  namespace
  {
    const char *const text = R"(
subsection model
  set type = solid 3d
  subsection solid 3d
    set stiffness damping = 0.01
    subsection bodies
      subsection block
        set young modulus    = 1
        set poisson ratio    = 0.3
        set density          = 1
        set initial velocity = x = 0.04*x; y = 0.03*y; z = -0.1 - 0.02*z
        set %s
        set %s
        set %s
      end
    end
    subsection supports
      %s
    end
    subsection contacts
      subsection floor
        set on       = block bottom
        set through  = 0, 0, -0.01
        set friction = 0.3
      end
    end
  end
end
subsection contact
  set law             = coulomb
  set delassus matrix = matrix free
end
subsection linear solver
  set type = cg
end
subsection time
  set step size = 0.05
  set end time  = 1.5
end
subsection output
  set field interval = 0
  set probes         = a = velocity x of block at 1, 1, 0; \
                       b = velocity y of block at 1, 1, 0; \
                       c = velocity z of block at 0, 0, 1; \
                       d = velocity x of block at 1, 0, 0
end
)";

    struct Part
    {
      std::string size, corner, cells, supports;
    };

    const Part whole_block   = {"size = 2, 2, 1",
                                "corner = -1, -1, 0",
                                "cells = 4, 4, 2",
                                ""};
    const Part quarter_block = {"size = 1, 1, 1",
                                "corner = 0, 0, 0",
                                "cells = 2, 2, 2",
                                "subsection side\n"
                                "set on = block left\n"
                                "set directions = x\n"
                                "end\n"
                                "subsection front\n"
                                "set on = block front\n"
                                "set directions = y\n"
                                "end"};

    FinishedRun
    run(const Part &part, const std::string &scheme)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      const std::string     file   = (folder.path / "block.prm").string();
      std::string           filled = text;
      for (const std::string &each :
           {part.size, part.corner, part.cells, part.supports})
        filled.replace(filled.find("%s"), 2, each);
      std::ofstream(file) << filled;
      return FinishedRun(file, {"scheme/type=" + scheme}, MPI_COMM_WORLD);
    }

    /// What the contact solver says of itself.
    std::string
    solver_of(const FinishedRun &run)
    {
      std::ifstream file(run.folder.path / "run.json");
      return nlohmann::json::parse(file).at("contact_solver");
    }

    /// Nodes that the planes hold slide along them: motion and impulses are
    /// still found at once.
    TEST(SolidSymmetry, QuarterIsTheWhole)
    {
      for (const std::string scheme : {"moreau jean", "generalized alpha"})
        {
          const FinishedRun whole   = run(whole_block, scheme);
          const FinishedRun quarter = run(quarter_block, scheme);
          EXPECT_GT(quarter.values.at("contact steps"), 5);
          EXPECT_NEAR(4 * quarter.values.at("contact impulse"),
                      whole.values.at("contact impulse"),
                      1e-8);
          EXPECT_NEAR(4 * quarter.values.at("final energy"),
                      whole.values.at("final energy"),
                      1e-8);
          if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) != 0)
            continue;
          EXPECT_LT(quarter.column("energy", "work_friction").back(), -1e-5);
          for (const std::string probe : {"a", "b", "c", "d"})
            {
              const auto one = whole.column("probes", probe),
                         two = quarter.column("probes", probe);
              ASSERT_EQ(one.size(), two.size());
              for (std::size_t i = 0; i < one.size(); ++i)
                EXPECT_NEAR(one[i], two[i], 1e-9) << probe << i;
            }
          const std::string solver = solver_of(quarter);
          EXPECT_NE(solver.find("motion"), std::string::npos) << solver;
          EXPECT_EQ(solver.find("motion failed"), std::string::npos) << solver;
        }
    }
  } // namespace
} // namespace Percuss::Test
