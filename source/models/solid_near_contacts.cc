// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid.h"
#include "solid_contact_tree.h"

// Which contacts of a solid may be near their obstacles.

namespace Percuss
{
  template <int dim>
  void
  Solid<dim>::make_trees()
  {
    far_gaps.assign(contact_nodes.size(), 0.);
    if (contact_set.has_constant_directions())
      return;
    for (unsigned int c = 0; c < obstacles.size(); ++c)
      {
        std::vector<unsigned int> numbers;
        std::vector<Position>     at;
        for (unsigned int i = 0; i < contact_nodes.size(); ++i)
          if (contact_nodes[i].contact == c)
            {
              numbers.push_back(i);
              at.push_back(places[contact_nodes[i].node]);
            }
        trees.emplace_back(numbers, at);
      }
  }



  template <int dim>
  void
  Solid<dim>::find_near(const Vector &q) const
  {
    for (unsigned int c = 0; c < trees.size(); ++c)
      {
        if (!obstacles[c])
          continue;
        const WeightedSide<dim> *const side  = weighted_sides[c].get();
        ContactReach                   reach = contact_set.reach();
        if (side != nullptr)
          reach.speed *= side->largest_sum();
        trees[c].find_near(
          *obstacles[c],
          reach,
          [&](const unsigned int i) {
            const ContactNode &node = contact_nodes[i];
            if (side != nullptr)
              return side->box(node.constraint);
            Position x = places[node.node];
            for (unsigned int d = 0; d < dim; ++d)
              x[d] += q.local_element(dim * node.node + d);
            return ContactBox<dim>{x, x};
          },
          far_gaps);
      }
  }



  template <int dim>
  std::size_t
  Solid<dim>::row_length(const ContactNode &node) const
  {
    if (weighted_sides[node.contact])
      return dim * weighted_sides[node.contact]
                     ->constraints()[node.constraint]
                     .nodes.size();
    std::size_t n = 0;
    for (unsigned int d = 0; d < dim; ++d)
      n += is_fixed[dim * node.node + d] ? 0 : 1;
    return n;
  }

  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
