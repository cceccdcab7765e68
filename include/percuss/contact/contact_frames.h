// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/relative_motion.h>

#include <memory>
#include <vector>

namespace Percuss
{
  /// The directions of a contact as an orthonormal frame of as many degrees of
  /// freedom.
  struct ContactFrame
  {
    const ContactPoint *point = nullptr;
    RelativeMotion::Own own; ///< degrees of freedom, and directions in them

    unsigned int
    size() const
    {
      return point->n_directions;
    }
  };



  /// Those of the active contacts of a problem with a global form, where
  /// RelativeMotion exists with frames: nodes meet obstacles, or each other.
  class ContactFrames
  {
  public:
    /// None where they are not of the kind. @p problem outlives them.
    /// Collective.
    static std::unique_ptr<ContactFrames>
    find(const ContactProblem &problem);

    /// In the order of the active contacts.
    const std::vector<ContactFrame> &
    all() const
    {
      return frames;
    }

    /// Motions in coordinates along the directions of the contacts, in place,
    /// and back.
    void
    to_contacts(Vector &w) const;
    void
    from_contacts(Vector &w) const;

    /// The same of forces.
    void
    forces_to_contacts(Vector &f) const;
    void
    forces_from_contacts(Vector &f) const;

  private:
    ContactFrames(const ContactProblem           &problem,
                  std::unique_ptr<RelativeMotion> relative);

    /// Coordinates of own degrees of freedom along the directions, and back.
    void
    turn(Vector &x) const;
    void
    turn_back(Vector &x) const;

    const std::unique_ptr<RelativeMotion> relative;
    std::vector<ContactFrame>             frames;
  };
} // namespace Percuss
