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
  /// all belongs to the last rank. A node has one or more components, which
  /// are numbered together.
  class Interval
  {
  public:
    struct Parameters
    {
      double       length       = 1; ///< in m
      unsigned int n_elements   = 1;
      unsigned int degree       = 1;
      unsigned int n_components = 1; ///< of a node

      /// All nodes of the element around such a place, in m, are on one rank.
      std::vector<double> undivided;
    };

    /// An element and a coordinate in it, from 0 to 1.
    struct Place
    {
      unsigned int element;
      double       xi;
    };

    Interval(const Parameters &parameters, MPI_Comm communicator);

    /// Of the components of all nodes.
    const Partition &
    partition() const
    {
      return owned;
    }

    unsigned int
    degree() const
    {
      return p;
    }

    unsigned int
    n_components() const
    {
      return parameters.n_components;
    }

    double
    length() const
    {
      return parameters.length;
    }

    unsigned int
    n_elements() const
    {
      return parameters.n_elements;
    }

    /// Of all ranks.
    unsigned int
    n_nodes() const
    {
      return parameters.n_elements * p + 1;
    }

    double
    element_length() const
    {
      return parameters.length / parameters.n_elements;
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
      return owned->locally_owned_size() / parameters.n_components;
    }

    /// The number of the first node of this rank.
    unsigned int
    first_node() const
    {
      return owned->local_range().first / parameters.n_components;
    }

    bool
    owns_first_node() const
    {
      return first_node() == 0 && n_owned_nodes() > 0;
    }

    bool
    owns_last_node() const
    {
      return n_owned_nodes() > 0 && first_node() + n_owned_nodes() == n_nodes();
    }

    /// Number of values before the first owned one in the arrays of ghosted().
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

    /// Where @p x is, on any rank. A node is the first one of its element, but
    /// for the last node.
    Place
    locate(double x) const;

    bool
    owns(const Place &place) const
    {
      return place.element >= owned_elements.first &&
             place.element < owned_elements.second;
    }

  private:
    /// The first element of a rank, or n_elements.
    unsigned int
    first_element(unsigned int rank, unsigned int n_ranks) const;

    const Parameters                      parameters;
    const unsigned int                    p;
    std::pair<unsigned int, unsigned int> owned_elements;
    Partition                             owned;
    Partition                             with_ghosts;
    std::vector<double>                   unit_nodes;
    std::vector<double>                   coordinates;
  };
} // namespace Percuss
