// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <cstdio>
#include <string>
#include <vector>

#include "solid_block.h"

// What linear solvers make of the matrix of a step of a solid, S = M + h^2/4 K,
// of hexahedra: processor time of a solve for a load without order in ms, to a
// residual of 1e-11, iterations, set-up in s. Then what "automatic" does, and
// what a run of 1000 steps with it takes, a solve in each and its set-up, in
// terms of the best of the others.
//
// Usage: linear_solver_table [BODY] [DEGREE] [LARGEST NUMBER OF UNKNOWNS]
//
//   BODY   cube, beam (1 : 1 : 25), checkers (two materials with moduli of
//          100 : 1 in eight cubes of one body) or refined (a cube with cells of
//          a quarter along a sphere); all of them without it

namespace Percuss::Test
{
  namespace
  {
    constexpr double n_steps = 1000; // of a run

    struct Body
    {
      std::string  name;
      unsigned int degree;
      double       smallest;  ///< edge of a cell, in m
      std::string  mesh;      ///< entries of the body
      std::string  more = ""; ///< sections of the model
    };

    /// Sections of a parameter file; the body is of steel.
    std::string
    model_of(const Body &body)
    {
      return "subsection model\nset type = solid 3d\nsubsection solid 3d\n"
             "set degree = " +
             std::to_string(body.degree) +
             "\nsubsection bodies\nsubsection block\n" + body.mesh +
             "set young modulus = 2.1e11\nset poisson ratio = 0.3\n"
             "set density = 7800\nend\nend\n" +
             body.more + "end\nend\n";
    }

    std::string
    cells(const unsigned int x, const unsigned int z)
    {
      const std::string n = std::to_string(x);
      return "set cells = " + n + ", " + n + ", " + std::to_string(z) + "\n";
    }

    Body
    cube(const unsigned int n, const unsigned int degree)
    {
      return {"cube", degree, 1. / n, cells(n, n)};
    }

    Body
    beam(const unsigned int n, const unsigned int degree)
    {
      return {"beam",
              degree,
              1. / n,
              cells(n, 25 * n) + "set size = 1, 1, 25\n"};
    }

    Body
    refined(const unsigned int n, const unsigned int degree)
    {
      return {"refined",
              degree,
              0.25 / n,
              cells(n, n),
              "subsection refinement\nsubsection sphere\n"
              "set where = abs(sqrt(x^2+y^2+z^2)-0.7)-0.03\n"
              "set levels = 2\nend\nend\n"};
    }

    /// A mesh of gmsh of eight cubes with edges of 1/2, which are in the groups
    /// "stiff" and "soft" in turns.
    void
    write_checkers(const std::string &name)
    {
      std::ofstream file(name);
      const auto    node = [](const int i, const int j, const int k) {
        return 1 + i + 3 * j + 9 * k;
      };
      file << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n"
              "3 1 \"stiff\"\n3 2 \"soft\"\n$EndPhysicalNames\n$Nodes\n27\n";
      for (int i = 0; i < 27; ++i)
        file << i + 1 << ' ' << 0.5 * (i % 3) << ' ' << 0.5 * (i / 3 % 3) << ' '
             << 0.5 * (i / 9) << '\n';
      file << "$EndNodes\n$Elements\n8\n";
      for (int c = 0; c < 8; ++c)
        {
          const int i = c % 2, j = c / 2 % 2, k = c / 4;
          const int group = 1 + (i + j + k) % 2;
          file << c + 1 << " 5 2 " << group << ' ' << group;
          for (const int z : {k, k + 1})
            file << ' ' << node(i, j, z) << ' ' << node(i + 1, j, z) << ' '
                 << node(i + 1, j + 1, z) << ' ' << node(i, j + 1, z);
          file << '\n';
        }
      file << "$EndElements\n";
    }

    Body
    checkers(const std::string &file,
             const unsigned int n_refinements,
             const unsigned int degree)
    {
      return {"checkers",
              degree,
              std::pow(0.5, n_refinements + 1),
              "set mesh = file\nset file = " + file +
                "\nset materials = soft: soft\nset refinements = " +
                std::to_string(n_refinements) + "\n",
              "subsection materials\nsubsection soft\n"
              "set young modulus = 2.1e9\nset poisson ratio = 0.3\n"
              "set density = 7800\nend\nend\n"};
    }



    struct Cost
    {
      double       solve = 0, set_up = 0; ///< in s
      unsigned int n_iterations = 0;
      bool         converged    = true;
      std::string  description;

      double
      of_run() const
      {
        return set_up + n_steps * solve;
      }
    };

    /// With a matrix that nobody has asked for entries before.
    Cost
    measure(const MechanicalModel &model,
            const double           h,
            const Overrides       &overrides)
    {
      const auto          matrix = model.assemble(1, 0, h * h / 4);
      const SparseMatrix &S      = *matrix;
      Settings            settings;
      assign(settings, "", overrides);
      const auto start  = Clock::now();
      const auto solver = settings.linear_solver.build({S});
      Cost       cost;
      cost.set_up = seconds_since(start);
      Vector b(S.partition()), x(S.partition());
      for (unsigned int i = 0; i < b.size(); ++i)
        b(i) = std::sin(static_cast<double>(i));
      const auto solve = [&]() {
        const auto         begin  = Clock::now();
        const LinearReport report = solver->solve(b, x);
        cost.n_iterations         = report.n_iterations;
        cost.converged            = report.converged;
        return seconds_since(begin);
      };
      cost.solve = solve();
      cost.solve = std::min(cost.solve, least(cost.solve < 0.1 ? 9 : 1, solve));
      cost.description = solver->description();
      return cost;
    }

    void
    print(const Cost &cost)
    {
      std::printf(" %.3g, %u (%.2g)%s |",
                  1e3 * cost.solve,
                  cost.n_iterations,
                  cost.set_up,
                  cost.converged ? "" : " failed");
    }

    const std::vector<std::string> preconditioners = {"jacobi",
                                                      "chebyshev",
                                                      "icc",
                                                      "gamg",
                                                      "hypre"};

    /// A row for each step size. The factors take as long for all of them.
    void
    print_rows(const Body &body, const double largest)
    {
      const double modulus = 2.1e11 * 0.7 / (1.3 * 0.4), density = 7800;
      const double h_1 =
        body.smallest / body.degree * std::sqrt(density / modulus);
      const TemporaryFolder folder;
      const std::string     file = folder.path / "body.prm";
      std::ofstream(file) << model_of(body);
      Settings settings;
      settings.tree.assign(read_parameter_file(file, MPI_COMM_SELF), {});
      const auto model = settings.model.build({MPI_COMM_SELF});
      if (model->partition()->size() > largest)
        return;
      Cost direct;
      for (const double cfl : {1., 10., 100.})
        {
          const double h = cfl * h_1;
          std::printf("| %s | %u | %u | %.0f |",
                      body.name.c_str(),
                      body.degree,
                      model->partition()->size(),
                      cfl);
          if (cfl == 1)
            direct = measure(*model, h, {"linear solver/type=direct"});
          double best = direct.of_run();
          for (const std::string &preconditioner : preconditioners)
            {
              const Cost cost =
                measure(*model,
                        h,
                        {"linear solver/type=cg",
                         "linear solver/cg/tolerance=1e-11",
                         "linear solver/cg/maximum iterations=5000",
                         "linear solver/cg/preconditioner=" + preconditioner});
              print(cost);
              if (cost.converged)
                best = std::min(best, cost.of_run());
            }
          print(direct);
          const Cost automatic =
            measure(*model, h, {"linear solver/type=automatic"});
          print(automatic);
          std::printf(" %s | %.2f |\n",
                      automatic.description.c_str(),
                      automatic.of_run() / best);
        }
    }
  } // namespace
} // namespace Percuss::Test



int
main(int argc, char **argv)
{
  using namespace Percuss::Test;
  const dealii::Utilities::MPI::MPI_InitFinalize initialization(argc, argv, 1);
  const int         first_number = argc > 1 && std::atoi(argv[1]) == 0 ? 2 : 1;
  const std::string body         = first_number == 2 ? argv[1] : "";
  const auto        number       = [&](const int i, const int other) {
    return argc > first_number + i ? std::atoi(argv[first_number + i]) : other;
  };
  const unsigned int degree  = static_cast<unsigned int>(number(0, 0));
  const double       largest = number(1, 120000);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf("Processor time of a solve in ms, iterations, (set-up in s)\n"
              "| body | degree | unknowns | Courant number |");
  for (const std::string &name : preconditioners)
    std::printf(" %s |", name.c_str());
  std::printf(" direct | automatic | which is | of the best |\n"
              "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  const TemporaryFolder folder;
  const std::string     file = folder.path / "checkers.msh";
  write_checkers(file);
  for (const Body &one : {cube(9, 1),
                          cube(14, 1),
                          cube(25, 1),
                          cube(32, 1),
                          cube(4, 2),
                          cube(7, 2),
                          cube(12, 2),
                          cube(16, 2),
                          beam(4, 1),
                          beam(8, 1),
                          beam(4, 2),
                          checkers(file, 3, 1),
                          checkers(file, 4, 1),
                          checkers(file, 3, 2),
                          refined(8, 1),
                          refined(4, 2)})
    if ((body.empty() || body == one.name) &&
        (degree == 0 || degree == one.degree))
      print_rows(one, largest);
  return 0;
}
