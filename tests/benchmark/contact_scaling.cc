// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/contact_solver.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <map>

#include "../tools.h"

// Contact solvers on an elastic block whose lowest nodes meet a rigid plane:
// iterations and time against the number of contacts, cold and warm.
//
// Usage: contact_scaling [LARGEST NUMBER OF CONTACTS] [CFL] [DEPTH IN CELLS]
//                        [SMALLEST NUMBER OF CONTACTS]
//
// Seconds are processor time of the first rank.

namespace Percuss::Test
{
  namespace
  {
    /// Processor time of this rank, which other programs hardly disturb.
    double
    seconds_since(const std::clock_t start)
    {
      return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    }

    constexpr double pi = 3.14159265358979323846;

    /// A = M + h^2/4 K of one cube of unit size, density and modulus.
    dealii::FullMatrix<double>
    cell_matrix(const dealii::FiniteElement<3>                    &element,
                const dealii::DoFHandler<3>::active_cell_iterator &cell,
                const double                                       cfl)
    {
      dealii::FullMatrix<double> entries(element.n_dofs_per_cell());
      const double               poisson = 0.3;
      const double               mu      = 1 / (2 * (1 + poisson));
      const double               lambda  = 2 * mu * poisson / (1 - 2 * poisson);
      // The step is the wave's time through cfl cells.
      const double            factor = cfl * cfl / (lambda + 2 * mu) / 4;
      const dealii::QGauss<3> quadrature(2);
      dealii::FEValues<3>     values(element,
                                 quadrature,
                                 dealii::update_values |
                                   dealii::update_gradients |
                                   dealii::update_JxW_values);
      values.reinit(cell);
      for (unsigned int q = 0; q < quadrature.size(); ++q)
        for (unsigned int i = 0; i < entries.m(); ++i)
          for (unsigned int j = 0; j < entries.m(); ++j)
            {
              const unsigned int a = element.system_to_component_index(i).first;
              const unsigned int b = element.system_to_component_index(j).first;
              const auto         gi = values.shape_grad(i, q);
              const auto         gj = values.shape_grad(j, q);
              const double       mass =
                a == b ? values.shape_value(i, q) * values.shape_value(j, q) :
                               0;
              entries(i, j) +=
                values.JxW(q) *
                (mass + factor * (lambda * gi[a] * gj[b] + mu * gi[b] * gj[a] +
                                  (a == b ? mu * (gi * gj) : 0)));
            }
      return entries;
    }



    /// The block on the ranks of all, each with its part of the mesh.
    class Block
    {
    public:
      Block(unsigned int n_cells, unsigned int depth, double cfl);

      unsigned int
      n_dofs() const
      {
        return dofs.n_dofs();
      }

      /// The free velocities of the contacts, bumps of the size of the block
      /// and of some cells, moved along the plane.
      void
      set_velocities(double shift, Vector &b) const;

      std::unique_ptr<SparseMatrix> A;
      std::unique_ptr<ContactSet>   contacts;

    private:
      void
      assemble(double cfl);
      /// Each rank must have one.
      dealii::DoFHandler<3>::active_cell_iterator
      own_cell() const;
      void
      find_contacts();

      const double                                    length;
      dealii::parallel::distributed::Triangulation<3> mesh;
      const dealii::FESystem<3>                       element;
      dealii::DoFHandler<3>                           dofs;
      std::vector<dealii::Point<3>>                   places; ///< of contacts
    };



    Block::Block(const unsigned int n_cells,
                 const unsigned int depth,
                 const double       cfl)
      : length(n_cells)
      , mesh(MPI_COMM_WORLD)
      , element(dealii::FE_Q<3>(1), 3)
      , dofs(mesh)
    {
      // All ranks know the coarse mesh only.
      dealii::GridGenerator::subdivided_hyper_rectangle(
        mesh,
        {n_cells / 4, n_cells / 4, depth / 4},
        dealii::Point<3>(),
        dealii::Point<3>(n_cells, n_cells, depth));
      mesh.refine_global(2);
      dofs.distribute_dofs(element);
      assemble(cfl);
      find_contacts();
    }



    void
    Block::assemble(const double cfl)
    {
      // Cells of other ranks next to own ones complete the own rows.
      const auto                    &owned = dofs.locally_owned_dofs();
      dealii::DynamicSparsityPattern pattern(n_dofs(), n_dofs(), owned);
      std::vector<dealii::types::global_dof_index> indices(
        element.n_dofs_per_cell());
      for (const auto &cell : dofs.active_cell_iterators())
        if (!cell->is_artificial())
          {
            cell->get_dof_indices(indices);
            std::vector<dealii::types::global_dof_index> sorted(indices);
            std::sort(sorted.begin(), sorted.end());
            for (const auto row : indices)
              if (owned.is_element(row))
                pattern.add_entries(row, sorted.begin(), sorted.end(), true);
          }
      SparseMatrix::Rows rows;
      for (const auto row : owned)
        {
          for (auto entry = pattern.begin(row); entry != pattern.end(row);
               ++entry)
            rows.columns.push_back(static_cast<PetscInt>(entry->column()));
          rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
        }
      rows.values.resize(rows.columns.size());
      const auto matrix = cell_matrix(element, own_cell(), cfl);
      for (const auto &cell : dofs.active_cell_iterators())
        if (!cell->is_artificial())
          {
            cell->get_dof_indices(indices);
            for (unsigned int i = 0; i < indices.size(); ++i)
              if (owned.is_element(indices[i]))
                {
                  const auto row   = owned.index_within_set(indices[i]);
                  const auto begin = rows.columns.begin() + rows.start[row];
                  const auto end   = rows.columns.begin() + rows.start[row + 1];
                  for (unsigned int j = 0; j < indices.size(); ++j)
                    rows
                      .values[std::lower_bound(
                                begin, end, static_cast<PetscInt>(indices[j])) -
                              rows.columns.begin()] += matrix(i, j);
                }
          }
      A = std::make_unique<SparseMatrix>(make_partition(owned.n_elements(),
                                                        MPI_COMM_WORLD),
                                         std::move(rows));
    }



    dealii::DoFHandler<3>::active_cell_iterator
    Block::own_cell() const
    {
      // Cells far away are coarse here.
      auto cell = dofs.begin_active();
      while (!cell->is_locally_owned())
        ++cell;
      return cell;
    }



    void
    Block::find_contacts()
    {
      const auto &owned = dofs.locally_owned_dofs();
      std::map<unsigned int, dealii::Point<3>> nodes;
      for (const auto &cell : dofs.active_cell_iterators())
        if (!cell->is_artificial())
          for (const unsigned int v : cell->vertex_indices())
            if (const auto dof = cell->vertex_dof_index(v, 2);
                cell->vertex(v)[2] < 1e-8 && owned.is_element(dof))
              nodes[owned.index_within_set(dof)] = cell->vertex(v);
      contacts = std::make_unique<ContactSet>(MPI_COMM_WORLD);
      for (const auto &[dof, place] : nodes)
        {
          contacts->add({}, ContactSet::Row{{dof, 1.}}, 0.);
          places.push_back(place);
        }
      contacts->complete();
    }



    void
    Block::set_velocities(const double shift, Vector &b) const
    {
      for (std::size_t i = 0; i < places.size(); ++i)
        {
          const double x = places[i][0] + shift, y = places[i][1];
          b.local_element(i) =
            std::sin(6 * pi * x / length) * std::cos(4 * pi * y / length) +
            0.5 * std::sin(2 * pi * x / 8.3) * std::sin(2 * pi * y / 9.1) - 0.2;
        }
    }



    std::unique_ptr<LinearSolver>
    linear_solver(const SparseMatrix &A, const Overrides &overrides)
    {
      Settings settings;
      assign(settings, "", overrides);
      return settings.linear_solver.build({A});
    }



    /// A contact problem on the block with all candidates active, and what a
    /// step costs without contact.
    class Study
    {
    public:
      Study(unsigned int n_cells, unsigned int depth, double cfl);

      /// Prints a row for a cold and one for a warm start.
      void
      measure(const std::string      &solver,
              const Overrides        &overrides,
              const DelassusOperator &delassus) const;

      void
      measure(const std::string &solver, const Overrides &overrides) const
      {
        measure(solver, overrides, W);
      }

      /// The same for some solvers with the entries of W, which are found by
      /// as many solves with the factors of A.
      void
      measure_with_entries() const;

    private:
      /// Without the seconds of the certificate, and these.
      void
      print(const std::string   &solver,
            const std::string   &start,
            const ContactReport &report,
            double               seconds,
            double               certificate) const;

      const Block                         block;
      const std::unique_ptr<LinearSolver> inverse;
      const MatrixFreeDelassus            W;
      std::unique_ptr<ContactLaw>         law;
      /// Seconds of a product with A and of the step without contact.
      double product, step;
    };



    Study::Study(const unsigned int n_cells,
                 const unsigned int depth,
                 const double       cfl)
      : block(n_cells, depth, cfl)
      , inverse(linear_solver(*block.A,
                              {"linear solver/type=cg",
                               "linear solver/cg/tolerance=1e-11",
                               "linear solver/cg/maximum iterations=10000"}))
      , W({*block.A, *inverse, *block.contacts})
    {
      Settings settings;
      assign(settings, "", {});
      law = settings.law.build({});

      const auto plain = linear_solver(*block.A,
                                       {"linear solver/type=cg",
                                        "linear solver/cg/tolerance=1e-8"});
      Vector     x(block.A->partition()), y(x);
      for (unsigned int i = 0; i < x.locally_owned_size(); ++i)
        x.local_element(i) =
          std::sin(1. + (block.A->partition()->local_range().first + i) % 1009);
      block.A->multiply(x, y);
      auto start = std::clock();
      for (unsigned int i = 0; i < 5; ++i)
        block.A->multiply(x, y);
      product                         = seconds_since(start) / 5;
      start                           = std::clock();
      const unsigned int n_iterations = plain->solve(x, y).n_iterations;
      step                            = seconds_since(start);

      if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
        std::printf("\n%u contacts, %u dofs, CFL %g, %u ranks: step without "
                    "contact %.3f s (%u iterations), product %.2g s\n"
                    "  solver                 start  iterations   seconds  "
                    "certificate  of a step  residual\n",
                    block.contacts->size(),
                    block.n_dofs(),
                    cfl,
                    dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD),
                    step,
                    n_iterations,
                    product);
    }



    void
    Study::measure(const std::string      &name,
                   const Overrides        &overrides,
                   const DelassusOperator &delassus) const
    {
      Settings  settings;
      Overrides all = {"contact/solver=" + name, "contact/tolerance=1e-8"};
      all.insert(all.end(), overrides.begin(), overrides.end());
      assign(settings, "", all);
      const auto solver =
        settings.contact_solver.build(settings.contact_tolerance);
      ContactProblem problem{
        delassus, *law, block.contacts->points(), {}, Vector(W.partition())};
      for (unsigned int i = 0; i < problem.points.size(); ++i)
        problem.active.push_back(i);
      std::string label = name;
      for (const std::string &text : overrides)
        label += ", " + text.substr(text.find('=') + 1);

      Vector     lambda(W.partition()), xi(lambda);
      const auto certificate_start = std::clock();
      lambda                       = 1.;
      delassus.multiply(lambda, xi);
      const double certificate = seconds_since(certificate_start);
      lambda                   = 0.;
      double shift             = 0;
      for (const std::string start : {"cold", "warm"})
        {
          block.set_velocities(shift, problem.b);
          const auto          begin   = std::clock();
          const ContactReport report  = solver->solve(problem, lambda);
          const double        seconds = seconds_since(begin);
          if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
            print(label,
                  start,
                  report,
                  std::max(0., seconds - certificate),
                  certificate);
          shift = 0.05;
        }
    }



    void
    Study::measure_with_entries() const
    {
      const auto               start   = std::clock();
      const auto               factors = linear_solver(*block.A, {});
      const MatrixFreeDelassus applied({*block.A, *factors, *block.contacts});
      const auto              &partition = *W.partition();
      const unsigned int       n_local   = partition.locally_owned_size();
      Vector                   unit(W.partition()), column(unit);
      SparseMatrix::Rows       rows;
      for (unsigned int i = 0; i < n_local; ++i)
        {
          for (unsigned int j = 0; j < partition.size(); ++j)
            rows.columns.push_back(static_cast<PetscInt>(j));
          rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
        }
      rows.values.resize(rows.columns.size());
      for (unsigned int j = 0; j < partition.size(); ++j)
        {
          unit = 0.;
          if (partition.in_local_range(j))
            unit(j) = 1;
          applied.multiply(unit, column);
          for (unsigned int i = 0; i < n_local; ++i)
            rows.values[i * partition.size() + j] = column.local_element(i);
        }
      const SparseMatrix   entries(W.partition(), std::move(rows));
      const DelassusMatrix explicit_W(entries, true);
      if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
        std::printf("  with the entries of W, found in %.2f s:\n",
                    seconds_since(start));
      for (const std::string name :
           {"mprgp", "active set", "petsc tao", "petsc vi"})
        measure(name, {}, explicit_W);
    }



    void
    Study::print(const std::string   &solver,
                 const std::string   &start,
                 const ContactReport &report,
                 const double         seconds,
                 const double         certificate) const
    {
      std::printf("  %-22s %5s %11u %9.3f %12.3f %10.2f %9.1e%s\n",
                  solver.c_str(),
                  start.c_str(),
                  report.n_iterations,
                  seconds,
                  certificate,
                  seconds / step,
                  report.residual,
                  report.converged ? "" : " FAILED");
      std::fflush(stdout);
    }



    void
    run(const unsigned int n_contacts, const unsigned int depth, double cfl)
    {
      const auto n_cells = static_cast<unsigned int>(
        4 * std::lround((std::sqrt(n_contacts) - 1) / 4));
      const Study study(n_cells, depth, cfl);
      study.measure("mprgp", {});
      study.measure("active set", {});
      study.measure("petsc tao", {});
      if (n_contacts <= 10000)
        {
          for (const std::string name : {"jacobi", "gamg"})
            study.measure("active set",
                          {"contact/active set/preconditioner=" + name});
          study.measure("petsc tao", {"contact/petsc tao/method=bnls"});
        }
      if (n_contacts <= 1000 && depth <= 8)
        study.measure_with_entries();
    }
  } // namespace
} // namespace Percuss::Test

int
main(int argc, char **argv)
{
  const dealii::Utilities::MPI::MPI_InitFinalize initialization(argc, argv, 1);
  const unsigned int largest  = argc > 1 ? std::stoul(argv[1]) : 10000;
  const double       cfl      = argc > 2 ? std::stod(argv[2]) : 10;
  const unsigned int depth    = argc > 3 ? std::stoul(argv[3]) : 4;
  const unsigned int smallest = argc > 4 ? std::stoul(argv[4]) : 100;
  for (unsigned int n_contacts = smallest; n_contacts <= largest;
       n_contacts *= 10)
    Percuss::Test::run(n_contacts, depth, cfl);
  return 0;
}
