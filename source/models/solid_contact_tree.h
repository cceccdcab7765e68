// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_set.h>

#include <deal.II/base/point.h>

#include <functional>
#include <vector>

#include "solid_obstacles.h"

namespace Percuss
{
  /// A box with sides along the axes.
  template <int dim>
  struct ContactBox
  {
    dealii::Point<dim> lower, upper;

    void
    add(const ContactBox &other);
  };



  /// A tree of boxes around the contacts of a side, halved along their longest
  /// edge. It is built once; in each step the boxes are fitted to the contacts
  /// as they are, which costs less than a tree of other neighbours.
  template <int dim>
  class ContactTree
  {
  public:
    using Box = ContactBox<dim>;

    /// Of contacts with these numbers, at places of the undeformed body.
    ContactTree(const std::vector<unsigned int>       &contacts,
                const std::vector<dealii::Point<dim>> &places);

    /// Finds contacts that may be within @p reach of an obstacle: @p bounds of
    /// their numbers are zero. Those of others are lower bounds of their gaps.
    /// @p box_of gives the present box around a contact.
    void
    find_near(const SolidObstacle<dim>               &obstacle,
              const ContactReach                     &reach,
              const std::function<Box(unsigned int)> &box_of,
              std::vector<double>                    &bounds) const;

  private:
    /// Contacts from `begin` to `end`. A half follows its whole, the other one
    /// is `other`; leaves have none.
    struct Part
    {
      unsigned int begin, end, other;
    };

    void
    halve(unsigned int                           begin,
          unsigned int                           end,
          const std::vector<dealii::Point<dim>> &places,
          std::vector<unsigned int>             &order);

    void
    fit(const std::function<Box(unsigned int)> &box_of) const;

    /// The parts of a part that are not far.
    void
    search(unsigned int              part,
           const SolidObstacle<dim> &obstacle,
           const ContactReach       &reach,
           std::vector<double>      &bounds) const;

    std::vector<unsigned int> contacts;
    std::vector<Part>         parts;
    mutable std::vector<Box>  boxes; ///< of parts
  };
} // namespace Percuss
