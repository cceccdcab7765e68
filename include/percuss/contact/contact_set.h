// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

#include <utility>
#include <vector>

namespace Percuss
{
  /// What one possible contact needs to know about itself.
  struct ContactPoint
  {
    double restitution = 0; ///< Newton's coefficient e, in [0, 1]

    /// Bodies are the parts of a model that its matrices do not couple, and
    /// slot counts the contacts of one body. Contacts with the same slot
    /// cannot feel each other, so that their responses are found in one solve.
    unsigned int body = 0;
    unsigned int slot = 0;
  };



  /// The possible contacts of a model, each rank holding those whose degrees
  /// of freedom it owns, with constant directions:
  /// @f[ g(q) = D q + g_0, \qquad u = D v. @f]
  class ContactSet
  {
  public:
    /// An empty set; partition() is valid after complete().
    explicit ContactSet(MPI_Comm communicator);

    /// Adds a contact of this rank. @p row holds the entries of D as (local
    /// index of an owned degree of freedom, coefficient).
    void
    add(const ContactPoint                                 &point,
        const std::vector<std::pair<unsigned int, double>> &row,
        double                                              initial_gap);

    /// Counts the contacts of all ranks. Collective, after the last add().
    void
    complete();

    const std::vector<ContactPoint> &
    points() const
    {
      return local_points;
    }

    /// Which rank owns which contact.
    const Partition &
    partition() const
    {
      return numbering;
    }

    /// On all ranks; zero without contacts. After complete().
    double
    largest_restitution() const
    {
      return restitution;
    }

    /// @p gap = D q + g_0, in m.
    void
    gaps(const Vector &q, Vector &gap) const;

    /// @p u = D v, in m/s.
    void
    velocities(const Vector &v, Vector &u) const;

    /// @p impulse = D^T lambda, in N s.
    void
    impulses(const Vector &lambda, Vector &impulse) const;

    /// Local degree of freedom and coefficient of the rows of contact @p i.
    std::vector<std::pair<unsigned int, double>>
    row(unsigned int i) const;

  private:
    MPI_Comm                  communicator;
    double                    restitution = 0;
    Partition                 numbering;
    std::vector<ContactPoint> local_points;
    std::vector<unsigned int> row_start = {0};
    std::vector<unsigned int> dofs;
    std::vector<double>       coefficients;
    std::vector<double>       initial_gaps;
  };
} // namespace Percuss
