// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "models/solid_strain_kernel.h"

#include <percuss/base/processor.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "models/solid_material.h"

namespace Percuss::Test
{
  namespace
  {
    constexpr unsigned int n_lanes = StrainCell::n_lanes;

    /// A cell with random shape functions and points, and small strains or
    /// large ones.
    template <int dim>
    struct RandomCell
    {
      using Matrix = dealii::Tensor<2, dim>;

      explicit RandomCell(const double size)
      {
        std::mt19937                           generator(7);
        std::uniform_real_distribution<double> number(-1, 1);
        for (unsigned int i = 0; i < n_groups * n_nodes * dim * n_lanes; ++i)
          gradients.push_back(number(generator));
        for (unsigned int i = 0; i < n_groups * (dim * dim + 1) * n_lanes; ++i)
          geometry.push_back(
            0.2 * number(generator) +
            ((i / n_lanes) % (dim * dim + 1) % (dim + 1) == 0));
        for (unsigned int i = 0; i < n_nodes * dim; ++i)
          displacements.push_back(size * number(generator));
      }

      double
      gradient(const unsigned int point,
               const unsigned int node,
               const unsigned int direction) const
      {
        return gradients[((point / n_lanes * n_nodes + node) * dim +
                          direction) *
                           n_lanes +
                         point % n_lanes];
      }

      double
      geometry_of(const unsigned int point, const unsigned int entry) const
      {
        return geometry[(point / n_lanes * (dim * dim + 1) + entry) * n_lanes +
                        point % n_lanes];
      }

      /// By the law, with the sum of the sizes of all terms.
      std::vector<double>
      forces(const SolidMaterial &material, double &size) const
      {
        std::vector<double> result(n_nodes * dim);
        size = 0;
        for (unsigned int p = 0; p < n_groups * n_lanes; ++p)
          {
            Matrix g, inverse;
            for (unsigned int c = 0; c < dim; ++c)
              for (unsigned int d = 0; d < dim; ++d)
                {
                  inverse[c][d] = geometry_of(p, c * dim + d);
                  for (unsigned int i = 0; i < n_nodes; ++i)
                    g[c][d] += displacements[i * dim + c] * gradient(p, i, d);
                }
            const Matrix t = geometry_of(p, dim * dim) *
                             (ElasticLaw<dim>::stress(material, g * inverse) *
                              transpose(inverse));
            size += t.norm();
            for (unsigned int i = 0; i < n_nodes; ++i)
              for (unsigned int c = 0; c < dim; ++c)
                for (unsigned int d = 0; d < dim; ++d)
                  result[i * dim + c] += t[c][d] * gradient(p, i, d);
          }
        return result;
      }

      static constexpr unsigned int n_nodes = 9, n_groups = 3;
      std::vector<double>           gradients, geometry, displacements;
    };

    std::vector<StrainKernel>
    kernels(const unsigned int dim, const unsigned int law)
    {
      std::vector<StrainKernel> result = {portable_strain_kernel(dim, law)};
      if (avx2_strain_kernel(dim, law) != nullptr && processor_has_avx2())
        result.push_back(avx2_strain_kernel(dim, law));
      return result;
    }

    /// Forces are those of ElasticLaw, to round-off: some hundred operations
    /// at each point, none of which cancels, so that this also holds for
    /// strains of 1e-6.
    template <int dim>
    void
    compare(const double size)
    {
      for (const unsigned int law : {0, 1, 2})
        {
          const SolidMaterial material{
            1.7, 0.9, 1, 0.3, static_cast<SolidMaterial::Law>(law)};
          const RandomCell<dim> cell(size);
          double                terms = 0;
          const auto            exact = cell.forces(material, terms);
          ASSERT_TRUE(std::isfinite(terms));
          for (const StrainKernel kernel : kernels(dim, law))
            {
              std::vector<double> forces(exact.size());
              kernel({cell.n_nodes,
                      cell.n_groups,
                      cell.gradients.data(),
                      cell.geometry.data(),
                      material.lambda,
                      material.mu},
                     cell.displacements.data(),
                     forces.data());
              for (unsigned int i = 0; i < forces.size(); ++i)
                EXPECT_NEAR(forces[i], exact[i], 1e-14 * terms) << law;
            }
        }
    }

    TEST(StrainKernel, ForcesAreThoseOfTheLaws)
    {
      for (const double size : {0.03, 1e-6})
        {
          compare<2>(size);
          compare<3>(size);
        }
    }

    /// At one point of many.
    TEST(StrainKernel, CellsInsideOutHaveNoForces)
    {
      RandomCell<3> cell(0);
      for (unsigned int i = 0; i < 9; ++i)
        cell.displacements[3 * i] = -10 * cell.gradient(5, i, 0);
      for (const unsigned int law : {1, 2})
        for (const StrainKernel kernel : kernels(3, law))
          {
            std::vector<double> forces(27);
            kernel({9, 3, cell.gradients.data(), cell.geometry.data(), 1, 1},
                   cell.displacements.data(),
                   forces.data());
            EXPECT_TRUE(std::isnan(forces[0])) << law;
          }
    }
  } // namespace
} // namespace Percuss::Test
