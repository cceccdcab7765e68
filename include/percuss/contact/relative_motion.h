// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_problem.h>
#include <percuss/linear_algebra/ghost_exchange.h>

#include <memory>
#include <vector>

namespace Percuss
{
  /// Unknowns in which contacts of two bodies are those of nodes with
  /// obstacles. The directions of an active contact are functions of degrees of
  /// freedom O of its own, those of a slave node, and of others,
  /// @f[ D w = S\,w_O + M\,w; @f]
  /// then with @f$S^+ = S^T(SS^T)^{-1}@f$
  /// @f[ z_O = a\,(w_O + S^+ M\,w), \qquad z = w \text{ elsewhere}, \qquad
  ///     D w = a^{-1} S\,z_O : @f]
  /// z_O is how the node moves against what is in front of it. a = 1 where
  /// normal directions count alone; frames of all directions have the length a,
  /// which is 1 but beside the edge of the other body. Where nodes meet
  /// obstacles, M = 0 and z = w. Others may be a contact's own, if there is an
  /// order in which contacts follow each other.
  ///
  /// With w = T z, forces on z are T^T f: a matrix A becomes T^T A T. All
  /// functions but own() are collective; vectors may have more entries behind
  /// those of w, which stay.
  class RelativeMotion
  {
  public:
    /// Of a contact that count.
    enum class Directions
    {
      normal,
      all
    };

    /// The degrees of freedom O, and the rows S / a of the directions.
    struct Own
    {
      unsigned int n_dofs           = 0;
      unsigned int dofs[3]          = {};
      double       directions[3][3] = {};
      double       length           = 1; ///< a
    };

    /// That of the active contacts of @p problem; none without a global form,
    /// where two contacts have the same own degrees of freedom, or where there
    /// is no order. Collective.
    static std::unique_ptr<RelativeMotion>
    find(const ContactProblem &problem, Directions directions);

    /// Whether z = w, on all ranks.
    bool
    is_identity() const
    {
      return levels.empty();
    }

    /// In the order of the active contacts.
    const std::vector<Own> &
    own() const
    {
      return of_contacts;
    }

    /// w = T z, in place, and back.
    void
    to_motion(Vector &z) const;
    void
    from_motion(Vector &w) const;

    /// T^T f, in place, and back.
    void
    from_forces(Vector &f) const;
    void
    to_forces(Vector &f) const;

  private:
    /// What an active contact adds to the degrees of freedom of its own.
    struct Contact
    {
      unsigned int n_directions = 1;
      unsigned int start[4]     = {}; ///< of the entries of each row of M, end
      double       factor       = 1;  ///< S^+ is so many times directions^T

      bool
      has_others() const
      {
        return start[0] < start[n_directions];
      }
    };

    explicit RelativeMotion(const GlobalForm &form);

    /// Whether z_O differs from w_O for contact @p c.
    bool
    is_needed(unsigned int c) const
    {
      return entries[c].has_others() || of_contacts[c].length != 1;
    }

    /// Whether it does for any of this rank.
    bool
    is_needed() const;

    /// Reads the rows of a contact; false where they are not of the kind.
    bool
    add(const ContactSet &contacts, const ContactPoint &point);

    /// Returns false for a degree of freedom too many, or of another rank.
    bool
    set_entry(unsigned int direction,
              unsigned int dof,
              double       coefficient,
              Own         &own) const;

    /// For a normal direction, which has to be longer than @p shortest.
    static bool
    find_factor(const Own &own, double shortest, Contact &contact);

    /// For a frame of all directions, which it divides by a.
    static bool
    normalise(Own &own, Contact &contact);

    /// Whether no two contacts of this rank have the same own ones.
    bool
    are_disjoint() const;

    /// Whether there is an order: contacts of a level have own degrees of
    /// freedom of lower levels only among the others. Collective.
    bool
    find_levels(const Partition &partition);

    /// With the levels of degrees of freedom, from 1 on, 0 where no contact
    /// owns them.
    unsigned int
    level_above(const Contact &contact,
                const double  *levels,
                const double  *of_ranks) const;

    /// The entries of other ranks, where rows have any.
    const double *
    entries_of_ranks(const double *w) const;

    /// w_O += sign S^+ M w, for contact @p c.
    void
    add_following(unsigned int  c,
                  double        sign,
                  const double *of_ranks,
                  double       *w) const;

    /// f += sign M^T S^{+T} f_O, for the contacts of a level.
    void
    push(const std::vector<unsigned int> &level, double sign, double *f) const;

    /// w_O times @p factor.
    void
    scale(unsigned int c, double factor, double *w) const;

    const unsigned int        n_owned;
    bool                      is_frame = false; ///< all directions
    std::vector<Own>          of_contacts;
    std::vector<Contact>      entries; ///< of the rows of M
    std::vector<unsigned int> dofs;
    std::vector<double>       coefficients;
    /// The contacts of each level that need T, the same number of levels on all
    /// ranks; none if T = 1.
    std::vector<std::vector<unsigned int>> levels;
    std::unique_ptr<GhostExchange>         exchange; ///< with other ranks
  };
} // namespace Percuss
