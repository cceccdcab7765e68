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
    /// The part of @p x that is no combination of the rows of @p G.
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
      double rest = 0;
      for (unsigned int i = 0; i < n; ++i)
        {
          double entry = x.local_element(i);
          for (unsigned int j = 0; j < n_rows; ++j)
            entry -= G(j, i) * multipliers(j);
          rest = std::max(rest, std::abs(entry));
        }
      return rest;
    }

    /// The same by the null space: P^T x is what x does along motions that the
    /// joints allow.
    double
    along_null_space(const NullSpace &null_space,
                     const Vector    &q,
                     const Vector    &x)
    {
      SparseMatrix::Rows P;
      null_space.matrix(q, P);
      std::vector<double> power(null_space.partition()->locally_owned_size()),
        scale(power.size());
      for (std::size_t i = 0; i + 1 < P.start.size(); ++i)
        for (PetscInt k = P.start[i]; k < P.start[i + 1]; ++k)
          {
            power[P.columns[k]] += P.values[k] * x.local_element(i);
            scale[P.columns[k]] =
              std::max(scale[P.columns[k]], std::abs(P.values[k]));
          }
      double rest = 0;
      for (std::size_t i = 0; i < power.size(); ++i)
        if (scale[i] > 0)
          rest = std::max(rest, std::abs(power[i]) / scale[i]);
      return rest;
    }
  } // namespace



  double
  JointAudit::outside_of_joints(const Vector &q,
                                const Vector &x,
                                const double  round_off) const
  {
    const BilateralConstraints &joints  = *model.constraints();
    double                      largest = 0;
    for (const double entry : x)
      largest = std::max(largest, std::abs(entry));
    const double rest = joints.null_space() != nullptr ?
                          along_null_space(*joints.null_space(), q, x) :
                          outside_of_rows(joints.dense_jacobian(q), x);
    return largest > 0 ? std::max(rest - round_off, 0.) / largest : 0;
  }



  double
  JointAudit::force_violation(const State &begin,
                              const State &end,
                              const double round_off) const
  {
    double      result = 0;
    Vector      place, part;
    const auto *impulse = end.find("joint impulse");
    if (const auto *at_start = end.find("joint impulse at start"))
      {
        result = outside_of_joints(begin.q, *at_start, round_off);
        part   = *impulse;
        part -= *at_start;
        impulse = &part;
      }
    if (const auto *at_middle = end.find("joint impulse at middle"))
      {
        place = begin.q;
        place.sadd(0.5, 0.5, end.q);
        return outside_of_joints(place, *at_middle, round_off);
      }
    for (const Vector *x : {impulse, end.find("joint force")})
      if (x != nullptr)
        result = std::max(result, outside_of_joints(end.q, *x, round_off));
    return result;
  }



  JointAudit::Violations
  JointAudit::measure(const State &begin,
                      const State &end,
                      const double round_off) const
  {
    Violations                  result;
    const BilateralConstraints &joints = *model.constraints();
    if (joints.size() > 0)
      {
        SparseMatrix::Rows G;
        joints.jacobian(end.q, G);
        const auto g = joints.residuals(end.q);
        for (unsigned int j = 0; j < joints.size(); ++j)
          {
            double rate = 0, square = 0;
            for (PetscInt k = G.start[j]; k < G.start[j + 1]; ++k)
              {
                rate += G.values[k] * end.v.local_element(G.columns[k]);
                square += G.values[k] * G.values[k];
              }
            const double slope = std::sqrt(square);
            result.position = std::max(result.position, std::abs(g[j]) / slope);
            result.velocity = std::max(result.velocity, std::abs(rate) / slope);
          }
        result.force = force_violation(begin, end, round_off);
      }
    MPI_Allreduce(
      MPI_IN_PLACE, &result, 3, MPI_DOUBLE, MPI_MAX, model.communicator);
    return result;
  }
} // namespace Percuss
