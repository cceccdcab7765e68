// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_set.h>
#include <percuss/steppers/contact_response.h>

#include <map>
#include <utility>
#include <vector>

namespace Percuss
{
  /// The response R of a scheme to impulses of contacts whose
  /// directions change: R e_j of the degrees of freedom j that contacts touch
  /// are computed when they are first needed, and kept where contacts touch.
  /// From then on columns of D R D^T need no solve.
  class UnitResponses
  {
  public:
    UnitResponses(const MechanicalModel           &model,
                  const ContactResponse::Response &response);

    /// @p result = R impulse where contacts touch, and zero elsewhere. The
    /// impulse acts where contacts touch. Collective.
    LinearReport
    respond(const Vector &impulse, Vector &result) const;

    /// R has changed.
    void
    forget()
    {
      known.clear();
    }

  private:
    /// The response to a unit impulse at a degree of freedom of any rank.
    const std::vector<double> &
    of_unit(unsigned int dof, LinearReport &report) const;

    const MechanicalModel                               &model;
    const ContactResponse::Response                      response;
    std::vector<unsigned int>                            touched; ///< local
    mutable std::map<unsigned int, std::vector<double>>  known;   ///< by number
    mutable std::vector<std::pair<unsigned int, double>> acting;
    mutable Vector                                       unit, of_all;
  };
} // namespace Percuss
