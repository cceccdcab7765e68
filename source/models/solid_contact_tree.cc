// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_contact_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace Percuss
{
  namespace
  {
    /// Contacts of a leaf.
    constexpr unsigned int few = 8;
  } // namespace



  template <int dim>
  void
  ContactBox<dim>::add(const ContactBox &other)
  {
    for (unsigned int d = 0; d < dim; ++d)
      {
        lower[d] = std::min(lower[d], other.lower[d]);
        upper[d] = std::max(upper[d], other.upper[d]);
      }
  }



  template <int dim>
  ContactTree<dim>::ContactTree(const std::vector<unsigned int>       &numbers,
                                const std::vector<dealii::Point<dim>> &places)
  {
    std::vector<unsigned int> order(numbers.size());
    std::iota(order.begin(), order.end(), 0);
    if (!numbers.empty())
      halve(0, static_cast<unsigned int>(numbers.size()), places, order);
    for (const unsigned int i : order)
      contacts.push_back(numbers[i]);
    boxes.resize(parts.size());
  }



  template <int dim>
  void
  ContactTree<dim>::halve(const unsigned int                     begin,
                          const unsigned int                     end,
                          const std::vector<dealii::Point<dim>> &places,
                          std::vector<unsigned int>             &order)
  {
    const std::size_t part = parts.size();
    parts.push_back({begin, end, 0});
    if (end - begin <= few)
      return;
    Box box{places[order[begin]], places[order[begin]]};
    for (unsigned int i = begin; i < end; ++i)
      box.add({places[order[i]], places[order[i]]});
    unsigned int axis = 0;
    for (unsigned int d = 1; d < dim; ++d)
      if (box.upper[d] - box.lower[d] > box.upper[axis] - box.lower[axis])
        axis = d;
    const unsigned int middle = begin + (end - begin) / 2;
    std::nth_element(order.begin() + begin,
                     order.begin() + middle,
                     order.begin() + end,
                     [&](const unsigned int a, const unsigned int b) {
                       return places[a][axis] < places[b][axis];
                     });
    halve(begin, middle, places, order);
    parts[part].other = static_cast<unsigned int>(parts.size());
    halve(middle, end, places, order);
  }



  /// Halves come after their whole.
  template <int dim>
  void
  ContactTree<dim>::fit(const std::function<Box(unsigned int)> &box_of) const
  {
    for (std::size_t i = parts.size(); i-- > 0;)
      {
        const Part &part = parts[i];
        if (part.other != 0)
          {
            boxes[i] = boxes[i + 1];
            boxes[i].add(boxes[part.other]);
            continue;
          }
        boxes[i] = box_of(contacts[part.begin]);
        for (unsigned int k = part.begin + 1; k < part.end; ++k)
          boxes[i].add(box_of(contacts[k]));
      }
  }



  template <int dim>
  void
  ContactTree<dim>::search(const unsigned int        i,
                           const SolidObstacle<dim> &obstacle,
                           const ContactReach       &reach,
                           std::vector<double>      &bounds) const
  {
    const Part  &part   = parts[i];
    const auto   middle = (boxes[i].lower + boxes[i].upper) / 2;
    const double radius = boxes[i].lower.distance(boxes[i].upper) / 2;
    const auto   least  = obstacle.bound(dealii::Point<dim>(middle), radius);
    const double within =
      reach.distance +
      reach.duration * (std::sqrt(1. * dim) * reach.speed + least.speed);
    if (least.gap > 0 && least.gap > within)
      for (unsigned int k = part.begin; k < part.end; ++k)
        bounds[contacts[k]] = least.gap;
    else if (part.other != 0)
      {
        search(i + 1, obstacle, reach, bounds);
        search(part.other, obstacle, reach, bounds);
      }
  }



  template <int dim>
  void
  ContactTree<dim>::find_near(const SolidObstacle<dim>               &obstacle,
                              const ContactReach                     &reach,
                              const std::function<Box(unsigned int)> &box_of,
                              std::vector<double> &bounds) const
  {
    for (const unsigned int contact : contacts)
      bounds[contact] = 0;
    if (parts.empty() || !std::isfinite(reach.distance))
      return;
    fit(box_of);
    search(0, obstacle, reach, bounds);
  }

  template struct ContactBox<2>;
  template struct ContactBox<3>;
  template class ContactTree<2>;
  template class ContactTree<3>;
} // namespace Percuss
