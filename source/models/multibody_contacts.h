// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_set.h>

#include <string>
#include <vector>

#include "multibody_layout.h"

namespace Percuss
{
  /// The contacts of a multibody system: points of frames, or balls around
  /// them, against fixed planes, spheres and cylinders, or against each other.
  class MultibodyContacts
  {
  public:
    MultibodyContacts(const MultibodyParameters &parameters,
                      const MultibodyLayout     &layout,
                      MPI_Comm                   communicator);

    const ContactSet &
    set() const
    {
      return contact_set;
    }

    /// The contact of the file to which a contact of this rank belongs.
    const std::string &
    name(const unsigned int contact) const
    {
      return parameters.contacts[points[contact].number].first;
    }

    /// Where a contact of this rank touches, and its directions.
    struct Place
    {
      double  gap = 0;
      Vector3 point;
      Vector3 normal, tangent_1, tangent_2;
    };

    Place
    place(unsigned int contact, const double *q) const;

  private:
    struct Point
    {
      unsigned int number;    ///< of the contact in the file
      unsigned int frame;     ///< local
      Vector3      X;         ///< in the frame
      unsigned int other = 0; ///< local, for contacts of two points
      Vector3      Y;
    };

    void
    add_points(unsigned int number, const MultibodyLayout &layout);

    bool
    has_friction(const Point &point) const
    {
      return parameters.contacts[point.number].second.friction > 0;
    }

    /// Gaps and coefficients for ContactSet.
    void
    evaluate(const double *q, double *gaps, double *coefficients) const;

    const MultibodyParameters &parameters;
    std::vector<Point>         points;
    ContactSet                 contact_set;
    unsigned int               n_slots = 0; ///< of all ranks
  };
} // namespace Percuss
