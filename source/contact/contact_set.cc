// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/contact_set.h>

#include <deal.II/base/mpi.h>

#include <algorithm>

namespace Percuss
{
  ContactSet::ContactSet(const MPI_Comm communicator)
    : communicator(communicator)
  {}



  void
  ContactSet::add(const ContactPoint                                 &point,
                  const std::vector<std::pair<unsigned int, double>> &row,
                  const double initial_gap)
  {
    local_points.push_back(point);
    initial_gaps.push_back(initial_gap);
    for (const auto &[dof, coefficient] : row)
      {
        dofs.push_back(dof);
        coefficients.push_back(coefficient);
      }
    row_start.push_back(static_cast<unsigned int>(dofs.size()));
  }



  void
  ContactSet::complete()
  {
    numbering = make_partition(static_cast<unsigned int>(local_points.size()),
                               communicator);
    for (const ContactPoint &point : local_points)
      restitution = std::max(restitution, point.restitution);
    restitution = dealii::Utilities::MPI::max(restitution, communicator);
  }



  void
  ContactSet::gaps(const Vector &q, Vector &gap) const
  {
    velocities(q, gap);
    for (std::size_t i = 0; i < local_points.size(); ++i)
      gap.local_element(i) += initial_gaps[i];
  }



  void
  ContactSet::velocities(const Vector &v, Vector &u) const
  {
    for (std::size_t i = 0; i < local_points.size(); ++i)
      {
        double sum = 0;
        for (unsigned int k = row_start[i]; k < row_start[i + 1]; ++k)
          sum += coefficients[k] * v.local_element(dofs[k]);
        u.local_element(i) = sum;
      }
  }



  void
  ContactSet::impulses(const Vector &lambda, Vector &impulse) const
  {
    impulse = 0.;
    for (std::size_t i = 0; i < local_points.size(); ++i)
      for (unsigned int k = row_start[i]; k < row_start[i + 1]; ++k)
        impulse.local_element(dofs[k]) +=
          coefficients[k] * lambda.local_element(i);
  }



  std::vector<std::pair<unsigned int, double>>
  ContactSet::row(const unsigned int i) const
  {
    std::vector<std::pair<unsigned int, double>> entries;
    for (unsigned int k = row_start[i]; k < row_start[i + 1]; ++k)
      entries.emplace_back(dofs[k], coefficients[k]);
    return entries;
  }
} // namespace Percuss
