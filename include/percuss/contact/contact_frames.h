// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_problem.h>

#include <vector>

namespace Percuss
{
  /// The directions of a contact as an orthonormal frame of as many degrees of
  /// freedom.
  struct ContactFrame
  {
    const ContactPoint *point            = nullptr;
    unsigned int        dofs[3]          = {};
    double              directions[3][3] = {}; ///< in terms of the dofs

    unsigned int
    size() const
    {
      return point->n_directions;
    }
  };



  /// Those of the active contacts of a problem with a global form, where nodes
  /// meet obstacles: no degree of freedom belongs to two of them.
  class ContactFrames
  {
  public:
    /// @p problem outlives this object, and is_possible().
    explicit ContactFrames(const ContactProblem &problem);

    /// Whether the active contacts of all ranks are of the kind. Collective.
    static bool
    is_possible(const ContactProblem &problem);

    /// In the order of the active contacts.
    const std::vector<ContactFrame> &
    all() const
    {
      return frames;
    }

    /// Coordinates along the directions of the contacts, and back.
    void
    to_contacts(Vector &x) const;
    void
    from_contacts(Vector &x) const;

  private:
    std::vector<ContactFrame> frames;
  };
} // namespace Percuss
