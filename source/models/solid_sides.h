// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

#include <deal.II/base/index_set.h>

#include <vector>

#include "solid_mortar.h"
#include "solid_passage.h"

namespace Percuss
{
  /// Pairs of sides of bodies that may touch each other, in their present
  /// positions. Faces that may come close are searched for with a margin, and
  /// again only when a node has moved by half of that; which constraints there
  /// are depends on the present positions alone. On each rank: the slave faces
  /// around its own nodes, and the master faces of all ranks near these.
  template <int dim>
  class MortarSides
  {
  public:
    using Node  = dealii::types::global_dof_index;
    using Faces = std::vector<MortarFace<dim>>;

    /// @p dofs are those of the model, dim for each node, of which some of this
    /// rank are fixed.
    MortarSides(unsigned int             degree,
                const Partition         &dofs,
                const std::vector<bool> &is_fixed);

    /// Adds a slave and a master side, by the undeformed faces of this rank's
    /// cells. Returns their number. Collective.
    unsigned int
    add(const Faces &slaves, const Faces &masters, const MortarSearch &search);

    /// Rows will have this node of any rank, whatever the motion is.
    void
    keep(Node node);

    /// The own degrees of freedom of all faces of all ranks, ascending.
    const std::vector<unsigned int> &
    own_dofs() const
    {
      return own;
    }

    /// Moves the faces by the displacements @p q. Collective.
    void
    move(const Vector &q);

    /// The constraints of a pair of sides, those of own nodes complete.
    MortarCoupling<dim>
    couple(unsigned int pair) const;

    double
    search_distance(const unsigned int pair) const
    {
      return pairs[pair].search.distance;
    }

    /// The tips of a pair's undeformed sides, of all ranks.
    struct Tips
    {
      unsigned int number   = 0;
      double       sharpest = 0; ///< angle in rad
    };

    const Tips &
    tips(const unsigned int pair) const
    {
      return pairs[pair].tips;
    }

    /// What passes each pair in a step from the displacements @p begin to @p
    /// end, which it moves the faces to where it has to look. On all ranks.
    std::vector<MortarPassage>
    find_passages(const Vector &begin, const Vector &end);

    /// Those of the model, with those of other ranks that constraints may have;
    /// changes with a new search.
    const Partition &
    dofs() const
    {
      return displacement.get_partitioner();
    }

    /// The degree of freedom in direction 0, in the numbering of dofs().
    unsigned int
    first_dof(const Node node) const
    {
      return dofs()->global_to_local(dim * node);
    }

    /// Of a degree of freedom in the numbering of dofs().
    bool
    is_fixed(const unsigned int dof) const
    {
      return fixed.local_element(dof) != 0;
    }

    double
    moved_by(const unsigned int dof) const
    {
      return displacement.local_element(dof);
    }

  private:
    struct Pair
    {
      Faces            slaves;      ///< of any rank, around own nodes
      Faces            own_masters; ///< of own cells
      Faces            masters;     ///< of any rank, near the slaves
      MortarSearch     search;
      MortarCandidates candidates;
      Tips             tips;
    };

    /// Of faces around own nodes.
    Tips
    count_tips(const Faces &slaves, const Faces &masters) const;

    /// The entries of own_dofs().
    std::vector<double>
    values_of_own(const Vector &q) const;

    /// The longest way of an own node from displacements of own_dofs() to @p
    /// to.
    double
    longest_way(const std::vector<double> &from, const Vector &to) const;

    /// The ways of the nodes of faces, from those of dofs().
    MortarWays<dim>
    ways_of(const Faces &faces, const Vector &way) const;

    /// Whether candidates may be missing. Collective.
    bool
    is_search_due(const Vector &q) const;

    /// Finds candidates that are up to @p further apart than the search
    /// distance with its margin.
    void
    search(const Vector &q, double further = 0);

    /// Of all faces.
    void
    place();

    /// Sets displacement to @p q with the entries of other ranks @p others.
    void
    know(const dealii::IndexSet &others, const Vector &q);

    void
    copy(const Vector &q);

    /// Adds what faces need of other ranks.
    void
    add_needed(const Faces &faces, dealii::IndexSet &others) const;
    void
    add_needed(Node node, dealii::IndexSet &others) const;

    void
    place(Faces &faces) const;

    const MortarShapes<dim>   shapes;
    const Partition           of_model;
    const std::vector<bool>   is_fixed_here;
    std::vector<Pair>         pairs;
    std::vector<Node>         kept;
    std::vector<unsigned int> own;
    double                    margin = 0;    ///< in m
    bool                      is_new = true; ///< since the last search
    std::vector<double>       searched_q;    ///< of own
    Vector                    displacement, fixed;
  };
} // namespace Percuss
