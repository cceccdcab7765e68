// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/ledger/joint_audit.h>

#include <deal.II/base/mpi.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  namespace
  {
    /// The part of @p x that is no combination of the rows of @p G, relative to
    /// the largest entry of x.
    double
    outside_of_rows(const dealii::FullMatrix<double> &G, const Vector &x)
    {
      const unsigned int         n_rows = G.m(), n = G.n();
      dealii::FullMatrix<double> product(n_rows, n_rows);
      dealii::Vector<double>     projection(n_rows), multipliers(n_rows);
      G.mTmult(product, G);
      for (unsigned int j = 0; j < n_rows; ++j)
        for (unsigned int i = 0; i < n; ++i)
          projection(j) += G(j, i) * x.local_element(i);
      product.gauss_jordan();
      product.vmult(multipliers, projection);
      double rest = 0, largest = 0;
      for (unsigned int i = 0; i < n; ++i)
        {
          double entry = x.local_element(i);
          largest      = std::max(largest, std::abs(entry));
          for (unsigned int j = 0; j < n_rows; ++j)
            entry -= G(j, i) * multipliers(j);
          rest = std::max(rest, std::abs(entry));
        }
      return largest > 0 ? rest / largest : 0;
    }
  } // namespace



  JointAudit::Violations
  JointAudit::measure(const State &state) const
  {
    Violations                  result;
    const BilateralConstraints &joints = *model.constraints();
    if (joints.size() > 0)
      {
        const auto G = joints.jacobian(state.q);
        const auto g = joints.residuals(state.q);
        for (unsigned int j = 0; j < G.m(); ++j)
          {
            double rate = 0, square = 0;
            for (unsigned int i = 0; i < G.n(); ++i)
              {
                rate += G(j, i) * state.v.local_element(i);
                square += G(j, i) * G(j, i);
              }
            const double slope = std::sqrt(square);
            result.position = std::max(result.position, std::abs(g[j]) / slope);
            result.velocity = std::max(result.velocity, std::abs(rate) / slope);
          }
        for (const State::Memory &item : state.memory)
          if (item.name == "joint force" || item.name == "joint impulse")
            result.force =
              std::max(result.force, outside_of_rows(G, item.values));
      }
    MPI_Allreduce(
      MPI_IN_PLACE, &result, 3, MPI_DOUBLE, MPI_MAX, model.communicator);
    return result;
  }
} // namespace Percuss
