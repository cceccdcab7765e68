// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/fclib_file.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fclib_matrices.h"

// Contact problems and the layout of FCLIB, in both directions.

namespace Percuss
{
  namespace
  {
    /// All entries of an operator that is only applied.
    SparseMatrix
    entries_of(const DelassusOperator &W)
    {
      const Partition &partition = W.partition();
      Triplets         entries;
      Vector           x(partition), y(partition);
      for (unsigned int column = 0; column < partition->size(); ++column)
        {
          x = 0.;
          if (partition->in_local_range(column))
            x(column) = 1;
          W.multiply(x, y);
          for (unsigned int i = 0; i < partition->locally_owned_size(); ++i)
            if (y.local_element(i) != 0)
              entries.add(static_cast<int>(i),
                          static_cast<int>(column),
                          y.local_element(i));
        }
      return {partition, compress(entries, partition->locally_owned_size())};
    }

    /// Where the rows of a gathered problem go.
    std::vector<unsigned int>
    places(const GatheredProblem &gathered, const unsigned int dimension)
    {
      std::vector<unsigned int> result;
      for (unsigned int i = 0; i < gathered.points.size(); ++i)
        for (unsigned int d = 0; d < gathered.points[i].n_directions; ++d)
          result.push_back(dimension * i + d);
      return result;
    }

    std::vector<double>
    spread(const std::vector<double>       &values,
           const std::vector<unsigned int> &places,
           const std::size_t                n)
    {
      std::vector<double> result(n, 0.);
      for (std::size_t i = 0; i < values.size(); ++i)
        result[places[i]] = values[i];
      return result;
    }

    /// The matrix with the directions that are added.
    SparseMatrix::Rows
    spread(const GatheredProblem           &gathered,
           const std::vector<unsigned int> &places,
           const unsigned int               dimension)
    {
      Triplets entries;
      for (unsigned int i = 0; i < gathered.size(); ++i)
        for (unsigned int k = gathered.row_start[i];
             k < gathered.row_start[i + 1];
             ++k)
          entries.add(static_cast<int>(places[i]),
                      static_cast<int>(places[gathered.columns[k]]),
                      gathered.values[k]);
      for (unsigned int i = 0; i < gathered.points.size(); ++i)
        {
          const ContactPoint &point  = gathered.points[i];
          double              normal = 1;
          for (unsigned int k = gathered.row_start[point.first];
               k < gathered.row_start[point.first + 1];
               ++k)
            if (gathered.columns[k] == point.first && gathered.values[k] > 0)
              normal = gathered.values[k];
          for (unsigned int d = point.n_directions; d < dimension; ++d)
            entries.add(static_cast<int>(dimension * i + d),
                        static_cast<int>(dimension * i + d),
                        normal);
        }
      return compress(entries,
                      dimension *
                        static_cast<unsigned int>(gathered.points.size()));
    }

    double
    length(const double *begin, const double *end)
    {
      double result = 0;
      for (; begin != end; ++begin)
        result = std::hypot(result, *begin);
      return result;
    }

    /// |r - P_K(r - (u + (mu |u_T| + mu_r |u_R|) e_N))|^2 of one contact.
    /// The normal part s of the nearest point of K to z makes
    /// @f[ s - z_N - \mu\max(0, |z_T| - \mu s)
    ///       - \mu_r\max(0, |z_R| - \mu_r s) @f]
    /// zero: a minimum of four increasing linear functions of s, so that its
    /// zero is the largest of theirs, and s that or 0.
    double
    squared_error(const unsigned int n,
                  const double       mu,
                  const double       mu_r,
                  const double      *r,
                  const double      *u)
    {
      const unsigned int end = std::min(3u, n); // of the tangential part
      double             z[largest_block];
      for (unsigned int d = 0; d < n; ++d)
        z[d] = r[d] - u[d];
      z[0] -= mu * length(u + 1, u + end) + mu_r * length(u + end, u + n);
      const double sliding = length(z + 1, z + end);
      const double rolling = length(z + end, z + n);
      double       normal  = 0;
      for (const double slides : {0., mu})
        for (const double rolls : {0., mu_r})
          normal = std::max(normal,
                            (z[0] + slides * sliding + rolls * rolling) /
                              (1 + slides * slides + rolls * rolls));
      double square = (r[0] - normal) * (r[0] - normal);
      for (unsigned int d = 1; d < n; ++d)
        {
          const double part   = d < end ? sliding : rolling;
          const double radius = (d < end ? mu : mu_r) * normal;
          const double error =
            r[d] - (part > radius ? radius / part : 1) * z[d];
          square += error * error;
        }
      return square;
    }
  } // namespace



  FclibProblem
  to_fclib(const ContactProblem &problem,
           const Vector         &guess,
           const Vector         *solution)
  {
    if (!problem.W.matrix())
      {
        const SparseMatrix   matrix = entries_of(problem.W);
        const DelassusMatrix W(matrix, problem.W.is_symmetric());
        return to_fclib(
          {W, problem.law, problem.points, problem.active, problem.b},
          guess,
          solution);
      }
    const GatheredProblem gathered = gather(problem, guess);
    FclibProblem          result;
    result.space_dimension = 2;
    for (const ContactPoint &point : gathered.points)
      {
        result.mu.push_back(problem.law.friction(point));
        result.space_dimension =
          std::max(result.space_dimension, point.n_directions);
      }
    if (result.space_dimension > 3)
      {
        result.space_dimension = largest_block;
        for (const ContactPoint &point : gathered.points)
          result.mu_r.push_back(problem.law.rolling_friction(point));
      }
    const unsigned int dimension = result.space_dimension;
    const std::size_t  n         = dimension * gathered.points.size();
    const auto         rows      = places(gathered, dimension);
    result.W                     = spread(gathered, rows, dimension);
    result.q                     = spread(gathered.b, rows, n);
    result.guess                 = spread(gathered.lambda, rows, n);
    if (solution != nullptr)
      result.solution = spread(gather(problem, *solution).lambda, rows, n);
    return result;
  }



  double
  fclib_error(const ContactProblem &problem, const Vector &r)
  {
    Vector u(problem.b);
    problem.W.multiply(r, u);
    u += problem.b;
    double sums[2] = {0, 0}; // error, |q|^2
    for (const unsigned int contact : problem.active)
      {
        const ContactPoint &point = problem.points[contact];
        sums[0] += squared_error(point.n_directions,
                                 problem.law.friction(point),
                                 problem.law.rolling_friction(point),
                                 r.begin() + point.first,
                                 u.begin() + point.first);
        for (unsigned int d = 0; d < point.n_directions; ++d)
          sums[1] += problem.b.local_element(point.first + d) *
                     problem.b.local_element(point.first + d);
      }
    MPI_Allreduce(MPI_IN_PLACE,
                  sums,
                  2,
                  MPI_DOUBLE,
                  MPI_SUM,
                  problem.W.partition()->get_mpi_communicator());
    return sums[0] == 0 ? 0 : std::sqrt(sums[0] / sums[1]);
  }



  StoredProblem::StoredProblem(const FclibProblem &all,
                               const MPI_Comm      communicator)
    : law(
        Registry<ContactLaw>::plugins().at("coulomb").make_builder()->build({}))
  {
    using namespace dealii::Utilities::MPI;
    const unsigned int dimension = all.space_dimension;
    const auto [begin, end] =
      even_share(static_cast<unsigned int>(all.mu.size()),
                 this_mpi_process(communicator),
                 n_mpi_processes(communicator));
    for (unsigned int contact = begin; contact < end; ++contact)
      {
        ContactPoint point;
        point.n_directions = dimension;
        point.friction     = all.mu[contact];
        if (!all.mu_r.empty())
          point.rolling_friction = all.mu_r[contact];
        point.first = dimension * (contact - begin);
        points.push_back(point);
      }
    partition = make_partition(dimension * (end - begin), communicator);
    const PetscInt     first = all.W.start[dimension * begin];
    const PetscInt     last  = all.W.start[dimension * end];
    SparseMatrix::Rows rows;
    rows.columns.assign(all.W.columns.begin() + first,
                        all.W.columns.begin() + last);
    rows.values.assign(all.W.values.begin() + first,
                       all.W.values.begin() + last);
    for (unsigned int row = dimension * begin; row < dimension * end; ++row)
      rows.start.push_back(all.W.start[row + 1] - first);
    matrix = std::make_unique<SparseMatrix>(partition, std::move(rows));
    const std::vector<double> diagonal = matrix->diagonal();
    const double              smallest =
      diagonal.empty() ? 0 :
                                      *std::min_element(diagonal.begin(), diagonal.end());
    const bool symmetric =
      is_symmetric(all.W, 1e-12) && min(smallest, communicator) >= 0;
    W = std::make_unique<DelassusMatrix>(*matrix, symmetric);
    std::vector<unsigned int> active(points.size());
    std::iota(active.begin(), active.end(), 0);
    contact_problem = std::make_unique<ContactProblem>(
      ContactProblem{*W, *law, points, active, share(all.q)});
  }



  Vector
  StoredProblem::share(const std::vector<double> &all) const
  {
    Vector result(partition);
    if (!all.empty())
      std::copy_n(all.begin() + partition->local_range().first,
                  partition->locally_owned_size(),
                  result.begin());
    return result;
  }
} // namespace Percuss
