// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

#include <vector>

namespace Percuss
{
  /// Equal elements of degree p on [0, L], nodes numbered from left to right,
  /// each rank holding a contiguous run of elements. (p4est has no 1-D meshes,
  /// and a shared triangulation would put the whole mesh on each rank.) The
  /// first node of an element belongs to the element's rank; the last node of
  /// all belongs to the last rank.
  class Interval
  {
  public:
    Interval(double       length,
             unsigned int n_elements,
             unsigned int degree,
             MPI_Comm     communicator);

    /// Of the nodes.
    const Partition &
    partition() const
    {
      return owned_nodes;
    }

    unsigned int
    degree() const
    {
      return p;
    }

    double
    element_length() const
    {
      return length / n_elements;
    }

    /// The elements of this rank, [first, second).
    std::pair<unsigned int, unsigned int>
    elements() const
    {
      return owned_elements;
    }

    /// The elements that touch a node of this rank: elements(), and the one
    /// to the left of them.
    std::pair<unsigned int, unsigned int>
    touching_elements() const;

    unsigned int
    n_owned_nodes() const
    {
      return owned_nodes->locally_owned_size();
    }

    /// Number of owned nodes' places before the first owned one in the arrays
    /// of ghosted().
    unsigned int
    n_left_ghosts() const;

    /// The values at all nodes of touching_elements(), from left to right. The
    /// memory is @p vector's own on one rank, and @p storage otherwise.
    const double *
    ghosted(const Vector &vector, std::vector<double> &storage) const;

    /// Coordinates of the owned nodes, in m.
    const std::vector<double> &
    nodes() const
    {
      return coordinates;
    }

    /// Nodes of the reference element, on [0, 1] (Gauss-Lobatto).
    const std::vector<double> &
    reference_nodes() const
    {
      return unit_nodes;
    }

    /// The element of this rank that holds @p x, or an invalid number.
    unsigned int
    element_at(double x) const;

  private:
    const double                          length;
    const unsigned int                    n_elements, p;
    std::pair<unsigned int, unsigned int> owned_elements;
    Partition                             owned_nodes;
    Partition                             with_ghosts;
    std::vector<double>                   unit_nodes;
    std::vector<double>                   coordinates;
  };
} // namespace Percuss
