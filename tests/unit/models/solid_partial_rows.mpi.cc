// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "models/solid.h"

// Rows of matrices at a few nodes, without the matrices, against those of
// assembled matrices, on each number of ranks.

namespace Percuss::Test
{
  namespace
  {
    template <int dim>
    using Parameters = typename Solid<dim>::Parameters;

    /// A box that is held at one side in one direction, with hanging nodes.
    template <int dim>
    Parameters<dim>
    box(const unsigned int degree, const std::string &mass)
    {
      Parameters<dim>       parameters;
      SolidParameters::Body body;
      body.corner.assign(dim, 0.);
      body.centre.assign(dim, 0.);
      body.size = {1, 0.7, 1.3};
      body.size.resize(dim);
      body.cells.assign(dim, 3.);
      body.E                 = 3;
      body.nu                = 0.3;
      body.density           = 2;
      parameters.degree      = degree;
      parameters.mass_matrix = mass;
      parameters.bodies.emplace_back("box", body);
      SolidParameters::Support support;
      support.on         = "box left";
      support.directions = "y";
      parameters.supports.emplace_back("rail", support);
      SolidParameters::Refinement corner;
      corner.where = "x + y - 0.4";
      parameters.refinements.emplace_back("corner", corner);
      return parameters;
    }

    std::map<PetscInt, double>
    row(const SparseMatrix::Rows &rows, const std::size_t i)
    {
      std::map<PetscInt, double> result;
      for (PetscInt k = rows.start[i]; k < rows.start[i + 1]; ++k)
        if (rows.values[k] != 0)
          result[rows.columns[k]] = rows.values[k];
      return result;
    }

    /// Every seventh degree of freedom of all ranks that does not hang: the
    /// rows of those have entries on the diagonal only.
    std::vector<unsigned int>
    choose_some(const SparseMatrix &K, const unsigned int dim)
    {
      const auto                first = K.partition()->local_range().first;
      std::vector<unsigned int> result;
      for (unsigned int i = 0; i < K.partition()->locally_owned_size(); ++i)
        {
          bool hangs = true;
          for (unsigned int d = 0; d < dim; ++d)
            hangs &= row(K.rows(), i - i % dim + d).size() == 1;
          if ((first + i) % 7 == 3 && !hangs)
            result.push_back(i);
        }
      return result;
    }

    template <int dim>
    void
    compare(Parameters<dim> parameters)
    {
      constexpr double m = 1.3, k = -0.4;
      parameters.form = "assembled";
      const Solid<dim> assembled(parameters, {MPI_COMM_WORLD});
      const auto       K    = assembled.assemble(m, 0, k);
      const auto       some = choose_some(*K, dim);
      for (const std::string form : {"assembled", "matrix-free"})
        {
          parameters.form = form;
          const Solid<dim> solid(parameters, {MPI_COMM_WORLD});
          const auto       rows = solid.rows_of(some, m, k);
          ASSERT_EQ(rows.start.size(), some.size() + 1);
          for (std::size_t i = 0; i < some.size(); ++i)
            {
              const auto exact = row(K->rows(), some[i]), found = row(rows, i);
              double     largest = 0;
              for (const auto &entry : exact)
                largest = std::max(largest, std::abs(entry.second));
              // Entries that vanish in theory may be round-off in one of them.
              for (const auto &both : {exact, found})
                for (const auto &[column, value] : both)
                  {
                    const auto one = exact.find(column);
                    const auto two = found.find(column);
                    EXPECT_NEAR(one == exact.end() ? 0 : one->second,
                                two == found.end() ? 0 : two->second,
                                1e-13 * largest)
                      << form;
                  }
            }
        }
    }

    TEST(SolidPartialRows, AreThoseOfTheMatrix)
    {
      for (const std::string mass : {"lumped", "consistent"})
        for (const unsigned int degree : {1, 2})
          {
            compare<2>(box<2>(degree, mass));
            compare<3>(box<3>(degree, mass));
          }
    }
  } // namespace
} // namespace Percuss::Test
