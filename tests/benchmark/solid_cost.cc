// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <cstdio>
#include <functional>
#include <set>
#include <vector>

#include "solid_products.h"
#include "solid_stepping.h"

// What a step of a solid costs: a steel cube of hexahedra, on one core, ledger
// on. Seconds are processor time, the least of some tries.
//
// Usage: solid_cost [steps] [contact] [bodies] [strains] [products] [refined]
//                   [large] [TRIES]
//
//   steps     seconds against the number of unknowns, memory, set-up
//   contact   the same cube in the air, lying and falling
//   bodies    the same cube and a plate: two bodies by mortar
//   strains   a block of rubber, large strains: air, lying, with friction
//   products  with the matrix of a step, assembled and matrix-free, of straight
//             and of curved cells
//   refined   matrix-free products on meshes with and without hanging nodes
//   large     steps and contact with a million unknowns too

namespace Percuss::Test
{
  namespace
  {
    struct Case
    {
      std::string name;
      Overrides   overrides;
    };

    const Case in_the_air = {
      "in the air",
      {"model/solid 3d/contacts/floor/through=0, 0, -1",
       "model/solid 3d/bodies/block/initial velocity=z = -sin(pi*z/2)"}};

    const std::vector<Case> cases = {
      in_the_air,
      {"lying, set unchanged",
       {"model/solid 3d/bodies/block/initial velocity=z = -sin(pi*z/2)"}},
      {"falls flat on the floor",
       {"model/solid 3d/bodies/block/initial velocity=z = -1"}},
      {"falls askew, set changes",
       {"model/solid 3d/bodies/block/initial velocity=z = -1",
        "model/solid 3d/bodies/block/initial displacement=z = 8e-5*x"}},
      {"lying, slides with friction",
       {"contact/law=coulomb",
        "model/solid 3d/contacts/floor/friction=0.3",
        "model/solid 3d/bodies/block/initial velocity=x = 0.1; z = "
        "-sin(pi*z/2)"}},
      {"falls askew with friction",
       {"contact/law=coulomb",
        "model/solid 3d/contacts/floor/friction=0.3",
        "model/solid 3d/bodies/block/initial velocity=x = 0.1; z = -1",
        "model/solid 3d/bodies/block/initial displacement=z = 8e-5*x"}}};

    const std::vector<std::string> schemes = {"moreau jean",
                                              "generalized alpha",
                                              "central differences"};

    /// Steps of explicit schemes must be shorter.
    Overrides
    overrides_of(const std::string &scheme, SteelBlock block)
    {
      Overrides result = {"scheme/type=" + scheme};
      if (scheme == "central differences")
        {
          block.cfl = block.degree == 1 ? 0.5 : 0.25;
          result.push_back("model/solid 3d/mass matrix=lumped");
          result.push_back("time/step size=" + text_of(block.step_size()));
        }
      return result;
    }

    /// The try with the least time of a step.
    Cost
    measure(const SteelBlock  &block,
            const std::string &scheme,
            const Case        &what,
            const unsigned int n_tries,
            const unsigned int n_steps)
    {
      Cost      best;
      Overrides overrides = overrides_of(scheme, block);
      overrides.insert(overrides.end(),
                       what.overrides.begin(),
                       what.overrides.end());
      for (unsigned int i = 0; i < n_tries; ++i)
        {
          const Cost cost = Stepping(block, overrides).run(2, n_steps);
          if (i == 0 || cost.step < best.step)
            best = cost;
        }
      return best;
    }



    void
    print_contact(const unsigned int n_tries, const unsigned int n_cells)
    {
      const SteelBlock   block{n_cells};
      const unsigned int n_nodes = n_cells + 1;
      std::printf("\nContact, %u unknowns, %u possible contacts, CFL 1 "
                  "(explicit: 0.5): "
                  "mean of steps 3 to 12\n"
                  "scheme             case                         s in a step "
                  " of air    solver    ledger  iterations  active\n",
                  3 * n_nodes * n_nodes * n_nodes,
                  n_nodes * n_nodes);
      for (const std::string &scheme : schemes)
        {
          double air = 0;
          for (const Case &what : cases)
            {
              const Cost cost = measure(block, scheme, what, n_tries, 12);
              if (air == 0)
                air = cost.step;
              std::printf(
                "%-18s %-28s %11.4f %8.2f %9.4f %9.4f %11u  %u..%u%s\n",
                scheme.c_str(),
                what.name.c_str(),
                cost.step,
                cost.step / air,
                cost.solve,
                cost.ledger,
                cost.n_iterations,
                cost.least_active,
                cost.most_active,
                cost.converged ? "" : "  not converged");
            }
        }
    }



    /// A cube of rubber instead of steel, of which a wave of 37 m/s crosses a
    /// cell in a step, and velocities of 4 m/s.
    Overrides
    rubber(const unsigned int n_cells)
    {
      const std::string block = "model/solid 3d/bodies/block/";
      const double      young = 1e6, poisson = 0.3, density = 1000;
      const double      speed = std::sqrt(young * (1 - poisson) / density /
                                     ((1 + poisson) * (1 - 2 * poisson)));
      return {block + "law=neo hooke",
              block + "young modulus=" + text_of(young),
              block + "poisson ratio=" + text_of(poisson),
              block + "density=" + text_of(density),
              "time/step size=" + text_of(1 / (n_cells * speed))};
    }

    const std::vector<Case> strain_cases = {
      {"in the air",
       {"model/solid 3d/contacts/floor/through=0, 0, -1",
        "model/solid 3d/bodies/block/initial velocity=z = -4*sin(pi*z/2)"}},
      {"lying",
       {"model/solid 3d/bodies/block/initial velocity=z = -4*sin(pi*z/2)"}},
      {"slides with friction",
       {"contact/law=coulomb",
        "model/solid 3d/contacts/floor/friction=0.3",
        "model/solid 3d/bodies/block/initial velocity=x = 0.4; z = "
        "-4*sin(pi*z/2)"}},
      {"falls askew with friction",
       {"contact/law=coulomb",
        "model/solid 3d/contacts/floor/friction=0.3",
        "model/solid 3d/bodies/block/initial velocity=x = 0.4; z = -4",
        "model/solid 3d/bodies/block/initial displacement=z = 0.01*x"}}};

    void
    print_strain_case(const Case        &what,
                      const std::string &scheme,
                      const unsigned int n_cells,
                      const unsigned int n_tries,
                      double            &air)
    {
      const SteelBlock block{n_cells};
      Overrides        all = rubber(n_cells);
      all.insert(all.end(), what.overrides.begin(), what.overrides.end());
      all.push_back("scheme/type=" + scheme);
      Cost         best;
      std::string  solver;
      unsigned int n_dofs = 0;
      for (unsigned int i = 0; i < n_tries; ++i)
        {
          Stepping   run(block, all);
          const Cost cost = run.run(2, 12);
          n_dofs          = run.n_dofs();
          solver          = run.solver_description();
          if (i == 0 || cost.step < best.step)
            best = cost;
        }
      if (air == 0)
        air = best.step;
      std::printf("%-18s %-26s %8u %11.4f %8.2f %9.4f %9.4f %4u..%-4u %s%s\n",
                  scheme.c_str(),
                  what.name.c_str(),
                  n_dofs,
                  best.step,
                  best.step / air,
                  best.solve,
                  best.ledger,
                  best.least_active,
                  best.most_active,
                  solver.c_str(),
                  best.converged ? "" : "; not converged");
    }

    void
    print_strains(const unsigned int n_tries)
    {
      std::printf("\nLarge strains, CFL 1: mean of steps 3 to 12; tangents and "
                  "iterations of all 12\n"
                  "scheme             case                       unknowns s in "
                  "a step   of air    solver    ledger active     solver\n");
      for (const std::string scheme : {"moreau jean", "generalized alpha"})
        for (const unsigned int n_cells : {9, 14, 32})
          {
            double air = 0;
            for (const Case &what : strain_cases)
              print_strain_case(what, scheme, n_cells, n_tries, air);
          }
    }



    const std::string of_bodies = "model/solid 3d/bodies/",
                      between   = "model/solid 3d/contacts/between/";

    const std::vector<Case> cases_of_bodies = {
      {"apart",
       {of_bodies + "plate/corner=-0.2, -0.2, -1.4",
        between + "search distance=2",
        of_bodies + "block/initial velocity=z = -sin(pi*z/2)"}},
      {"lying, set unchanged",
       {of_bodies + "block/initial velocity=z = -sin(pi*z/2)"}},
      {"lands flat", {}},
      {"lands flat, pairs of the motion", {between + "pairs=of the motion"}},
      {"slides with friction",
       {"contact/law=coulomb",
        between + "friction=0.3",
        of_bodies + "block/initial velocity=x = 0.1; z = -sin(pi*z/2)"}},
      {"on a smaller plate",
       {of_bodies + "plate/corner=0.13, 0.13, -0.4",
        of_bodies + "plate/size=0.7, 0.7, 0.4",
        of_bodies + "plate/cells=14, 14, 8"}}};

    void
    print_bodies(const unsigned int n_tries)
    {
      std::printf("\nTwo bodies, 130 518 unknowns, 1089 possible contacts, CFL "
                  "1: mean of steps 3 to 12\n"
                  "scheme             case                              s in a "
                  "step   of apart  iterations  active\n");
      for (const std::string scheme : {"moreau jean", "generalized alpha"})
        {
          double apart = 0;
          for (const Case &what : cases_of_bodies)
            {
              Cost best;
              for (unsigned int i = 0; i < n_tries; ++i)
                {
                  const Cost cost =
                    Stepping("scaling/two_blocks_3d.prm",
                             both({"scheme/type=" + scheme}, what.overrides))
                      .run(2, 12);
                  if (i == 0 || cost.step < best.step)
                    best = cost;
                }
              if (apart == 0)
                apart = best.step;
              std::printf("%-18s %-33s %11.4f %10.2f %11u  %u..%u%s\n",
                          scheme.c_str(),
                          what.name.c_str(),
                          best.step,
                          best.step / apart,
                          best.n_iterations,
                          best.least_active,
                          best.most_active,
                          best.converged ? "" : "  not converged");
            }
        }
    }



    struct Size
    {
      unsigned int n_cells, degree;
      std::string  form; ///< "assembled" or "matrix-free"
    };

    void
    print_size(const Size        &size,
               const std::string &scheme,
               const unsigned int n_tries)
    {
      Cost             best;
      double           set_up = 0, kB = 0, n_dofs = 0;
      const SteelBlock block{size.n_cells, size.degree};
      Overrides        overrides = overrides_of(scheme, block);
      const bool       is_free   = size.form == "matrix-free";
      overrides.insert(overrides.end(),
                       in_the_air.overrides.begin(),
                       in_the_air.overrides.end());
      overrides.push_back("model/solid 3d/operator=" + size.form);
      for (unsigned int i = 0; i < n_tries; ++i)
        {
          Stepping   run(block, overrides);
          const Cost cost = run.run(2, size.n_cells > 40 ? 6 : 12);
          n_dofs          = run.n_dofs();
          kB              = std::max(kB, run.peak_memory);
          set_up          = i == 0 ? run.set_up : std::min(set_up, run.set_up);
          if (i == 0 || cost.step < best.step)
            best = cost;
        }
      std::printf("%-18s Q%u %-11s %9.0f %11.4f %9.4f %9.4f %9.4f %10u %8.0f "
                  "%8.2f %8.1f\n",
                  scheme.c_str(),
                  size.degree,
                  is_free ? "matrix-free" : "assembled",
                  n_dofs,
                  best.step,
                  best.solve,
                  best.step - best.solve - best.ledger,
                  best.ledger,
                  best.n_iterations,
                  1e9 * best.step / n_dofs,
                  kB / n_dofs,
                  set_up / best.step);
    }

    void
    print_steps(const unsigned int n_tries, const bool is_large)
    {
      std::printf(
        "\nStep without contact, CFL 1 (explicit: 0.5, Q2 0.25): mean "
        "of steps 3 to 12; rest: "
        "load and vectors; kB: the peak of set-up and steps\n"
        "scheme             elements       unknowns s in a step    "
        "solver      rest    ledger iterations  ns each  kB each "
        "set-up in steps\n");
      std::vector<Size> sizes = {{14, 1, "assembled"},
                                 {32, 1, "assembled"},
                                 {7, 2, "matrix-free"},
                                 {16, 2, "matrix-free"}};
      if (is_large)
        {
          sizes.push_back({72, 1, "assembled"});
          sizes.push_back({36, 2, "matrix-free"});
        }
      for (const std::string &scheme : schemes)
        for (const Size &size : sizes)
          print_size(size, scheme, n_tries);
    }



    /// Of a block; with smaller cells along a sphere, where its displacement
    /// has a kink.
    std::unique_ptr<MechanicalModel>
    make_block(const SteelBlock &block, const bool is_refined)
    {
      const std::string section = "model/solid 3d/";
      Overrides         all     = block.overrides();
      for (const std::string entry :
           {"operator=matrix-free",
            "adaptation/interval=1",
            "adaptation/levels=1",
            "adaptation/strain jump=0.3",
            "bodies/block/initial displacement=x = abs(x^2+y^2+z^2-0.6)"})
        all.push_back(section + entry);
      Settings settings;
      assign(settings, SteelBlock::file, all);
      auto  result = settings.model.build({MPI_COMM_SELF});
      State state  = result->initial_state();
      return is_refined ? result->adapt(state, [](State &) {}) :
                          std::move(result);
    }

    /// From "2:64 4:8", levels and how many cells have them.
    double
    count_cells(const MechanicalModel &model)
    {
      std::istringstream text(model.describe_mesh());
      double             sum = 0, number;
      unsigned int       level;
      char               colon;
      while (text >> level >> colon >> number)
        sum += number;
      return sum;
    }

    void
    print_refined(const unsigned int n_tries)
    {
      std::printf(
        "\nMatrix-free products on meshes with hanging nodes\n"
        "elements  mesh        cells  unknowns   ms  ns each cell  of uniform\n");
      for (const unsigned int degree : {1, 2, 3})
        {
          double uniform = 0;
          for (const bool is_refined : {false, true})
            {
              const SteelBlock block{(is_refined ? 30 : 48) / degree, degree};
              const auto       model   = make_block(block, is_refined);
              const double     h       = block.step_size();
              const auto       A       = model->assemble(1, 0, h * h / 4);
              const double     cells   = count_cells(*model);
              const double     seconds = product_seconds(*A, n_tries);
              if (!is_refined)
                uniform = seconds / cells;
              std::printf("Q%u        %-8s %8.0f %9u %6.2f %10.0f %11.2f\n",
                          degree,
                          is_refined ? "refined" : "uniform",
                          cells,
                          A->partition()->size(),
                          1e3 * seconds,
                          1e9 * seconds / cells,
                          seconds / cells / uniform);
            }
        }
    }
  } // namespace
} // namespace Percuss::Test



int
main(int argc, char **argv)
{
  const dealii::Utilities::MPI::MPI_InitFinalize initialization(argc, argv, 1);
  std::set<std::string>                          words;
  unsigned int                                   n_tries = 3;
  for (int i = 1; i < argc; ++i)
    if (const int number = std::atoi(argv[i]); number > 0)
      n_tries = static_cast<unsigned int>(number);
    else
      words.insert(argv[i]);
  const bool all = words.empty() || words == std::set<std::string>{"large"};
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf("A steel cube, one core, ledger on; processor time, least of %u "
              "tries\n",
              n_tries);
  if (all || words.count("steps") > 0)
    Percuss::Test::print_steps(n_tries, words.count("large") > 0);
  if (all || words.count("contact") > 0)
    for (const unsigned int n_cells : {32, 72})
      if (n_cells == 32 || words.count("large") > 0)
        Percuss::Test::print_contact(n_tries, n_cells);
  if (all || words.count("bodies") > 0)
    Percuss::Test::print_bodies(n_tries);
  if (all || words.count("strains") > 0)
    Percuss::Test::print_strains(n_tries);
  if (all || words.count("products") > 0)
    Percuss::Test::print_products(n_tries);
  if (all || words.count("refined") > 0)
    Percuss::Test::print_refined(n_tries);
  return 0;
}
