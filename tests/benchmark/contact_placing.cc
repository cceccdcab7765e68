// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "solid_block.h"

// What it costs to place the contacts of a solid in front of an obstacle that
// is curved or moves, at all of its nodes, and by the tree at those that a step
// may need: a plate that dips into the obstacle at one corner.
//
// Usage: contact_placing [CELLS ALONG AN EDGE]

namespace Percuss::Test
{
  namespace
  {
    std::unique_ptr<MechanicalModel>
    plate(const std::string &n, const Overrides &obstacle)
    {
      const std::string model = "model/solid 3d/";
      Overrides         all   = {model + "bodies/block/size=1, 1, 0.02",
                                 model + "bodies/block/corner=0, 0, 0",
                                 model + "bodies/block/cells=" + n + ", " + n + ", 1",
                                 model + "contacts/floor/on=block bottom"};
      for (const std::string &entry : obstacle)
        all.push_back(model + "contacts/floor/" + entry);
      Settings settings;
      assign(settings, "benchmark/block_drop_3d.prm", all);
      return settings.model.build({MPI_COMM_SELF});
    }

    /// Seconds for one of many placings, each at another time.
    template <typename Place>
    double
    seconds(const Place &place)
    {
      constexpr unsigned int n = 20;
      return least(5, [&]() {
        const double start = Clock::now();
        for (unsigned int i = 0; i < n; ++i)
          place(1e-6 * (1 + i));
        return seconds_since(start) / n;
      });
    }

    void
    measure(const std::string &n,
            const std::string &name,
            const Overrides   &obstacle)
    {
      const auto         model = plate(n, obstacle);
      const ContactSet  &set   = model->contacts();
      const Vector       q     = model->initial_state().q;
      const ContactReach reach{0, 1e-4, 1};
      const double all = seconds([&](const double t) { set.place(t, q); });
      const double near =
        seconds([&](const double t) { set.place(t, q, reach); });
      std::printf("%-28s %8u %10.1f %10.1f %8.1f\n",
                  name.c_str(),
                  set.size(),
                  1e9 * all / set.size(),
                  1e9 * near / set.size(),
                  all / near);
    }

    void
    run(const std::string &n)
    {
      const std::string ball = "0.05, 0.05, -0.099";
      const std::string formula =
        "distance=sqrt((x - 0.05)^2 + (y - 0.05)^2 + (z + 0.099)^2) - 0.1";
      std::printf("ns for a contact              contacts       all     "
                  "  tree    ratio\n");
      measure(n, "sphere", {"obstacle=sphere", "centre=" + ball, "radius=0.1"});
      measure(
        n,
        "sphere, without friction",
        {"obstacle=sphere", "centre=" + ball, "radius=0.1", "friction=0"});
      measure(n,
              "box that turns",
              {"obstacle=box",
               "corner=-0.1, -0.1, -0.2",
               "size=0.2, 0.2, 0.2",
               "turning=0.1*t"});
      measure(n, "formula", {"obstacle=formula", formula});
      measure(n,
              "formula, all near",
              {"obstacle=formula", "distance=z + 0.001*sin(x)*sin(y)"});
      measure(n,
              "sphere, weighted",
              {"obstacle=sphere",
               "centre=" + ball,
               "radius=0.1",
               "constraints=weighted"});
    }
  } // namespace
} // namespace Percuss::Test



int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  Percuss::Test::run(argc > 1 ? argv[1] : "100");
}
