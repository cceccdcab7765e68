// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_problem.h>

#include <memory>
#include <random>
#include <vector>

#include "shared/dense_problems.h"

namespace Percuss::Test
{
  /// Rigid bodies with contacts: W = D M^-1 D^T, b = D v.
  struct RigidBodies
  {
    explicit RigidBodies(const unsigned int n_dofs)
      : inverse_mass(n_dofs, 1.)
      , v(n_dofs)
    {}

    /// A row of D for each direction, with all entries.
    void
    add(const std::vector<std::vector<double>> &rows, const double friction)
    {
      ContactPoint point;
      point.n_directions = static_cast<unsigned int>(rows.size());
      point.friction     = friction;
      point.first        = static_cast<unsigned int>(D.size());
      points.push_back(point);
      D.insert(D.end(), rows.begin(), rows.end());
    }

    /// Entries to be added above the diagonal of W and subtracted below.
    std::vector<double> &
    skew(const unsigned int n_rows)
    {
      skew_part.resize(n_rows * n_rows);
      return skew_part;
    }

    void
    complete()
    {
      const std::size_t   n = D.size();
      std::vector<double> values;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          {
            double sum = 0;
            for (std::size_t k = 0; k < v.size(); ++k)
              sum += D[i][k] * inverse_mass[k] * D[j][k];
            if (!skew_part.empty() && i != j)
              sum += i < j ? skew_part[i * n + j] : -skew_part[j * n + i];
            values.push_back(sum);
          }
      partition = make_partition(static_cast<unsigned int>(n), MPI_COMM_SELF);
      matrix    = dense_matrix(partition, values);
      delassus  = std::make_unique<DelassusMatrix>(*matrix, skew_part.empty());
      b.reinit(partition);
      for (unsigned int i = 0; i < n; ++i)
        for (std::size_t k = 0; k < v.size(); ++k)
          b(i) += D[i][k] * v[k];
    }

    ContactProblem
    problem(const ContactLaw &law) const
    {
      ContactProblem result{*delassus, law, points, {}, b};
      for (unsigned int i = 0; i < points.size(); ++i)
        result.active.push_back(i);
      return result;
    }

    /// v + M^-1 D^T lambda.
    std::vector<double>
    velocities_after(const Vector &lambda) const
    {
      std::vector<double> result = v;
      for (unsigned int i = 0; i < D.size(); ++i)
        for (std::size_t k = 0; k < v.size(); ++k)
          result[k] += inverse_mass[k] * D[i][k] * lambda(i);
      return result;
    }

    std::vector<double>              inverse_mass, v;
    std::vector<std::vector<double>> D;
    std::vector<ContactPoint>        points;
    Partition                        partition;
    std::unique_ptr<SparseMatrix>    matrix;
    std::unique_ptr<DelassusMatrix>  delassus;
    Vector                           b;

  private:
    std::vector<double> skew_part;
  };

  /// What a random problem is made of.
  struct RandomKind
  {
    unsigned int n_contacts, n_directions;
    double       largest_friction;
    bool         is_redundant = false; ///< half as many dofs as rows
    bool         is_symmetric = true;
  };

  /// Rows of D and velocities with entries in [-1, 1].
  inline RigidBodies
  random_bodies(const RandomKind &kind, std::mt19937 &generator)
  {
    const auto number = [&generator]() {
      return std::uniform_real_distribution<double>(-1, 1)(generator);
    };
    const unsigned int n_rows = kind.n_contacts * kind.n_directions;
    RigidBodies bodies(kind.is_redundant ? (n_rows + 1) / 2 : n_rows + 2);
    for (double &entry : bodies.v)
      entry = number();
    for (unsigned int i = 0; i < kind.n_contacts; ++i)
      {
        std::vector<std::vector<double>> rows(
          kind.n_directions, std::vector<double>(bodies.v.size()));
        for (auto &row : rows)
          for (double &entry : row)
            entry = number();
        bodies.add(rows, 0.5 * kind.largest_friction * (1 + number()));
      }
    // A skew part leaves W positive definite.
    if (!kind.is_symmetric)
      for (double &entry : bodies.skew(n_rows))
        entry = 0.3 * number();
    bodies.complete();
    return bodies;
  }
} // namespace Percuss::Test
