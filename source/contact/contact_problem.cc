// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/contact_problem.h>

#include <deal.II/base/mpi.h>

#include <boost/serialization/vector.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace Percuss
{
  namespace
  {
    /// What one rank knows of the active contacts.
    struct LocalPart
    {
      std::vector<PetscInt> active; ///< global numbers of rows
      std::vector<PetscInt> row_start = {0};
      std::vector<PetscInt> columns; ///< global numbers of rows
      std::vector<double>   values, b, lambda;
      /// Of the active contacts.
      std::vector<double> restitution, friction, tangential_restitution,
        rolling_friction;
      std::vector<unsigned int> n_directions;

      template <class Archive>
      void
      serialize(Archive &archive, const unsigned int)
      {
        archive &active &row_start &columns &values &b &lambda;
        archive &restitution &friction &tangential_restitution
                &rolling_friction;
        archive &n_directions;
      }
    };



    LocalPart
    local_part(const ContactProblem &problem, const Vector &lambda)
    {
      LocalPart   part;
      const auto &rows = problem.W.matrix()->rows();
      const auto  first =
        static_cast<PetscInt>(problem.W.partition()->local_range().first);
      for (const unsigned int contact : problem.active)
        {
          const ContactPoint &point = problem.points[contact];
          part.restitution.push_back(point.restitution);
          part.friction.push_back(point.friction);
          part.tangential_restitution.push_back(point.tangential_restitution);
          part.rolling_friction.push_back(point.rolling_friction);
          part.n_directions.push_back(point.n_directions);
          for (unsigned int i = point.first;
               i < point.first + point.n_directions;
               ++i)
            {
              part.active.push_back(first + static_cast<PetscInt>(i));
              part.columns.insert(part.columns.end(),
                                  rows.columns.begin() + rows.start[i],
                                  rows.columns.begin() + rows.start[i + 1]);
              part.values.insert(part.values.end(),
                                 rows.values.begin() + rows.start[i],
                                 rows.values.begin() + rows.start[i + 1]);
              part.row_start.push_back(
                static_cast<PetscInt>(part.columns.size()));
              part.b.push_back(problem.b.local_element(i));
              part.lambda.push_back(lambda.local_element(i));
            }
        }
      return part;
    }



    void
    append(const LocalPart             &part,
           const std::vector<PetscInt> &all_active,
           GatheredProblem             &gathered)
    {
      unsigned int first = gathered.size();
      for (std::size_t i = 0; i < part.n_directions.size(); ++i)
        {
          gathered.points.push_back({part.restitution[i],
                                     0,
                                     0,
                                     part.n_directions[i],
                                     part.friction[i],
                                     part.tangential_restitution[i],
                                     part.rolling_friction[i],
                                     first});
          first += part.n_directions[i];
        }
      for (std::size_t i = 0; i < part.active.size(); ++i)
        {
          for (PetscInt k = part.row_start[i]; k < part.row_start[i + 1]; ++k)
            {
              const auto found = std::lower_bound(all_active.begin(),
                                                  all_active.end(),
                                                  part.columns[k]);
              if (found == all_active.end() || *found != part.columns[k])
                continue;
              gathered.columns.push_back(
                static_cast<unsigned int>(found - all_active.begin()));
              gathered.values.push_back(part.values[k]);
            }
          gathered.row_start.push_back(
            static_cast<unsigned int>(gathered.columns.size()));
          gathered.b.push_back(part.b[i]);
          gathered.lambda.push_back(part.lambda[i]);
        }
    }
  } // namespace



  ActiveSize
  active_size(const ContactProblem &problem)
  {
    ActiveSize size;
    for (const unsigned int contact : problem.active)
      {
        const ContactPoint &point = problem.points[contact];
        size.n_rows += point.n_directions;
        if (problem.law.friction(point) > 0 || point.n_directions > 3)
          size.frictional_block =
            std::max(size.frictional_block, point.n_directions);
      }
    const auto &partition = *problem.W.partition();
    if (partition.n_mpi_processes() == 1)
      return size;
    const MPI_Comm communicator = partition.get_mpi_communicator();
    return {dealii::Utilities::MPI::sum(size.n_rows, communicator),
            dealii::Utilities::MPI::max(size.frictional_block, communicator)};
  }



  double
  law_violation(const ContactLaw   &law,
                const ContactPoint &point,
                const double        w,
                const double       *lambda,
                const double       *xi)
  {
    double projected[largest_block], largest = 0;
    for (unsigned int i = 0; i < point.n_directions; ++i)
      projected[i] = lambda[i] - xi[i] / w;
    law.project(point, projected);
    for (unsigned int i = 0; i < point.n_directions; ++i)
      {
        // Beside lambda, velocities below its round-off cannot be seen: then
        // nothing can be certified.
        const double round_off =
          std::numeric_limits<double>::epsilon() * w * std::abs(lambda[i]);
        const double error =
          std::max(w * std::abs(lambda[i] - projected[i]), round_off);
        // A NaN must not hide behind std::max.
        if (!std::isfinite(error) || !std::isfinite(xi[i]))
          return std::numeric_limits<double>::infinity();
        largest = std::max(largest, error);
      }
    return largest;
  }



  namespace
  {
    /// The residual, and the measure of velocities, of one contact.
    struct Measure
    {
      double error = 0, velocity = 0;
    };

    Measure
    measure(const ContactProblem &problem,
            const ContactPoint   &point,
            const Vector         &lambda,
            const Vector         &xi,
            const bool            impulses_count)
    {
      Measure result;
      double  w = 0, magnitude = 0;
      for (unsigned int i = point.first; i < point.first + point.n_directions;
           ++i)
        {
          const double b        = problem.b.local_element(i);
          const double diagonal = std::abs(problem.W.diagonal(i));
          result.velocity       = std::max(
            {result.velocity, std::abs(b), std::abs(xi.local_element(i) - b)});
          if (impulses_count)
            result.velocity =
              std::max(result.velocity,
                       diagonal * std::abs(lambda.local_element(i)));
          w         = std::max(w, diagonal);
          magnitude = std::max(magnitude, problem.W.magnitude(i, lambda));
        }
      // What is seen, and what round-off may hide.
      result.error = law_violation(problem.law,
                                   point,
                                   w > 0 ? w : 1,
                                   lambda.begin() + point.first,
                                   xi.begin() + point.first) +
                     std::numeric_limits<double>::epsilon() * magnitude;
      return result;
    }



    double
    residual_of(const ContactProblem &problem,
                const Vector         &lambda,
                const Vector         &xi,
                const bool            impulses_count)
    {
      problem.W.fetch(lambda);
      double largest[2] = {0, 0}; // error, velocity
      for (const unsigned int contact : problem.active)
        {
          const Measure found = measure(
            problem, problem.points[contact], lambda, xi, impulses_count);
          largest[0] = std::max(largest[0], found.error);
          largest[1] = std::max(largest[1], found.velocity);
        }
      if (problem.W.partition()->n_mpi_processes() > 1)
        MPI_Allreduce(MPI_IN_PLACE,
                      largest,
                      2,
                      MPI_DOUBLE,
                      MPI_MAX,
                      problem.W.partition()->get_mpi_communicator());
      return largest[0] == 0 || std::isinf(largest[0]) ?
               largest[0] :
               largest[0] / largest[1];
    }
  } // namespace



  double
  natural_residual(const ContactProblem &problem, const Vector &lambda)
  {
    Vector xi(problem.b);
    problem.W.multiply(lambda, xi);
    xi += problem.b;
    return residual_of(problem, lambda, xi, false);
  }



  double
  natural_residual(const ContactProblem &problem,
                   const Vector         &lambda,
                   const Vector         &xi)
  {
    return residual_of(problem, lambda, xi, true);
  }



  GatheredProblem
  gather(const ContactProblem &problem, const Vector &lambda)
  {
    const auto     &partition = *problem.W.partition();
    const LocalPart mine      = local_part(problem, lambda);
    GatheredProblem gathered;
    if (partition.n_mpi_processes() == 1)
      {
        append(mine, mine.active, gathered);
        return gathered;
      }
    const auto parts =
      dealii::Utilities::MPI::all_gather(partition.get_mpi_communicator(),
                                         mine);
    std::vector<PetscInt> all_active;
    for (const LocalPart &part : parts)
      all_active.insert(all_active.end(),
                        part.active.begin(),
                        part.active.end());
    for (unsigned int rank = 0; rank < parts.size(); ++rank)
      {
        if (rank == partition.this_mpi_process())
          gathered.first_owned = gathered.size();
        append(parts[rank], all_active, gathered);
      }
    return gathered;
  }



  void
  scatter(const GatheredProblem &gathered,
          const ContactProblem  &problem,
          Vector                &lambda)
  {
    unsigned int row = gathered.first_owned;
    for (const unsigned int contact : problem.active)
      {
        const ContactPoint &point = problem.points[contact];
        for (unsigned int i = 0; i < point.n_directions; ++i)
          lambda.local_element(point.first + i) = gathered.lambda[row++];
      }
  }
} // namespace Percuss
