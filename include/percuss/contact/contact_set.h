// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

#include <functional>
#include <utility>
#include <vector>

namespace Percuss
{
  /// The most directions of a contact: normal, two tangential, two of rolling.
  constexpr unsigned int largest_block = 5;

  /// What one possible contact needs to know about itself.
  struct ContactPoint
  {
    double restitution = 0; ///< Newton's coefficient e, in [0, 1]

    /// Bodies are the parts of a model that its matrices do not couple, and
    /// slot counts the contacts of one body. Contacts with the same slot
    /// cannot feel each other, so that their responses are found in one solve.
    /// A contact takes the slots slot, slot + 1, ... for its directions.
    unsigned int body = 0;
    unsigned int slot = 0;

    /// The normal direction, and the tangential ones in which it may slide:
    /// none, one in the plane, two in space. Those after the third are
    /// directions of rolling, relative angular velocities or such ones times a
    /// length.
    unsigned int n_directions = 1;

    double friction               = 0; ///< Coulomb's coefficient mu
    double tangential_restitution = 0; ///< e_T, in [0, 1]

    /// The coefficient mu_r of rolling friction, a length where the directions
    /// of rolling are angular velocities.
    double rolling_friction = 0;

    /// The entry of its normal direction in this rank's vectors of contacts,
    /// which ContactSet gives; the tangential ones follow.
    unsigned int first = 0;

    /// Of two bodies: the degrees of freedom of the slave node, of this rank;
    /// its rows have others besides.
    unsigned int own_dof = 0, n_own_dofs = 0;
  };



  /// Which contacts a step may need: those with
  /// @f[ g \le d + \tau\,(|v| + |w|), @f]
  /// with the distance d in m, the time tau in s, the velocities v of all
  /// degrees of freedom, at most `speed` each, and w of what moves by itself.
  struct ContactReach
  {
    double distance = 0, duration = 0, speed = 0;

    bool
    covers(const ContactReach &other) const
    {
      return distance >= other.distance && duration >= other.duration &&
             speed >= other.speed;
    }
  };



  /// The possible contacts of a model, each held by one rank, most by the one
  /// that owns their degrees of freedom; those of two bodies may feel degrees
  /// of freedom of other ranks. Vectors of contacts have an entry for each
  /// direction of each contact; gaps use that of the normal direction only.
  /// Directions are constant,
  /// @f[ g(q) = D q + g_0, \qquad u = D v, @f]
  /// or, where the model sets a geometry, functions of position and time,
  /// @f[ g = g(t,q), \qquad u = D(t,q)\,v + c(t,q), @f]
  /// with the rate c of what moves by itself. Then place() must come first. The
  /// degrees of freedom of a row stay, or are found anew with its coefficients
  /// where a contact follows the motion.
  class ContactSet
  {
  public:
    /// A row of D as (local index of an owned degree of freedom, coefficient).
    using Row = std::vector<std::pair<unsigned int, double>>;

    /// A row of D as (global number of a degree of freedom of any rank,
    /// coefficient).
    using GlobalRow =
      std::vector<std::pair<dealii::types::global_dof_index, double>>;

    /// Computes gaps, coefficients (row after row, in the order of their
    /// entries) and rates of this rank's contacts.
    using Geometry = std::function<void(double        time,
                                        const Vector &q,
                                        double       *gaps,
                                        double       *coefficients,
                                        double       *rates)>;

    /// The rows of contacts that follow the motion, one direction after the
    /// other.
    struct FoundRows
    {
      /// Owns what the model's does, and knows those of other ranks that rows
      /// have, also rows of add_across(). Another object where these have
      /// changed.
      Partition                 dofs;
      std::vector<unsigned int> start;   ///< of each row, and the end
      std::vector<unsigned int> columns; ///< in the numbering of dofs
      std::vector<double>       coefficients;
      std::vector<double>       gaps; ///< one for each contact, in m
    };

    /// Finds those of this rank's contacts that follow the motion. Collective.
    using Finder =
      std::function<void(double time, const Vector &q, FoundRows &rows)>;

    /// An empty set; partition() is valid after complete().
    explicit ContactSet(MPI_Comm communicator);

    /// Adds a contact of this rank without tangential directions.
    void
    add(const ContactPoint &point, const Row &row, double initial_gap);

    /// Adds a contact of this rank with a row for each of its directions.
    void
    add(const ContactPoint     &point,
        const std::vector<Row> &rows,
        double                  initial_gap);

    /// Adds a contact of this rank whose rows may have degrees of freedom of
    /// other ranks. The set is then completed with the partition of those.
    void
    add_across(const ContactPoint           &point,
               const std::vector<GlobalRow> &rows,
               double                        initial_gap);

    /// Adds a contact of this rank that follows the motion.
    void
    add_following(const ContactPoint &point);

    /// Before complete(), on all ranks. Where it @p looks_near, contacts beyond
    /// reach() have gaps that are beyond it too, but not larger than the true
    /// ones, and rows and rates of zeros.
    void
    set_geometry(const Geometry &new_geometry, bool looks_near = false);

    /// Before complete(), on all ranks, with the own degrees of freedom that
    /// found rows of any rank may have.
    void
    set_finder(const Finder                    &new_finder,
               const std::vector<unsigned int> &may_be_found);

    /// Counts the contacts of all ranks. Collective, after the last add().
    void
    complete();

    /// The same where add_across() was called on any rank, which owns the
    /// degrees of freedom as in @p of_dofs. Products with D are collective
    /// where a row has degrees of freedom of another rank, and as cheap as
    /// those of complete() where none has.
    void
    complete(const Partition &of_dofs);

    /// Whether a row of any rank may have degrees of freedom of another one.
    bool
    reaches_other_ranks() const
    {
      return felt.size() > 0;
    }

    /// Then: the numbers of degrees of freedom in rows.
    const Partition &
    dofs() const
    {
      return felt.get_partitioner();
    }

    const std::vector<ContactPoint> &
    points() const
    {
      return local_points;
    }

    /// Which rank owns which contact.
    const Partition &
    partition() const
    {
      return numbering;
    }

    /// On all ranks; zero without contacts. After complete().
    double
    largest_restitution() const
    {
      return restitution;
    }

    bool
    has_constant_directions() const
    {
      return !geometry && !finder;
    }

    /// Whether the contact has a direction: one that follows the motion has
    /// none where it is in front of nothing. Its gap is positive then.
    bool
    has_direction(const ContactPoint &point) const
    {
      return rows().start[point.first] < rows().start[point.first + 1];
    }

    /// The own degrees of freedom that rows of any rank have, or may get,
    /// ascending. Collective.
    std::vector<unsigned int>
    touched_dofs() const;

    /// Contacts of all ranks. After complete().
    unsigned int
    size() const
    {
      return n_contacts;
    }

    /// The largest number of directions of a contact of any rank that has
    /// tangential directions and friction, or that can roll; 1 where there is
    /// none. After complete().
    unsigned int
    largest_frictional_block() const
    {
      return frictional_block;
    }

    /// Whether a contact of any rank is one of two bodies, with degrees of
    /// freedom of its own. After complete().
    bool
    connects_bodies() const
    {
      return of_two_bodies;
    }

    /// Evaluates the geometry, where there is one, for all that follows.
    void
    place(double time, const Vector &q) const;

    /// The same, where contacts within @p reach at least are needed.
    void
    place(double time, const Vector &q, const ContactReach &reach) const;

    /// With the reach of the last time: gaps are right where they are not
    /// positive.
    void
    place_near(double time, const Vector &q) const
    {
      place(time, q, last_reach);
    }

    /// Where it was placed before for a step whose impulses are known.
    void
    place_again(double time, const Vector &q) const;

    /// For geometries that look near.
    const ContactReach &
    reach() const
    {
      return placed_reach;
    }

    /// @p gap = g(q), in m.
    void
    gaps(const Vector &q, Vector &gap) const;

    /// @p y = D x.
    void
    multiply(const Vector &x, Vector &y) const;

    /// @p w_i = sum_k D_ik^2 a_k, the diagonal of D A D^T for a diagonal A.
    void
    squares(const Vector &a, Vector &w) const;

    /// @p u = D v + c, in m/s.
    void
    velocities(const Vector &v, Vector &u) const;

    /// @p impulse = D^T lambda, in N s.
    void
    impulses(const Vector &lambda, Vector &impulse) const;

    /// The row of direction @p i. Degrees of freedom of other ranks have
    /// numbers after the own ones.
    Row
    row(unsigned int i) const;

  private:
    struct Rows
    {
      std::vector<unsigned int> start = {0};
      std::vector<unsigned int> dofs;
      std::vector<double>       coefficients;
    };

    const Rows &
    rows() const
    {
      return finder ? present : added;
    }

    /// Gives the entries of add_across() their numbers in @p dofs.
    void
    number_across(const Partition &dofs) const;

    /// Puts together the rows that were added and those that were found.
    void
    merge() const;

    /// Where @p is_again, any reach of before is enough.
    void
    place(double              time,
          const Vector       &q,
          const ContactReach &reach,
          bool                is_again) const;

    /// Whether place() was called with the same arguments before: on all ranks
    /// where rows reach other ranks, whose geometries may be collective.
    bool
    is_placed(double time, const Vector &q) const;

    /// The entries of @p x that rows have, in the numbering of dofs.
    const double *
    values(const Vector &x) const;

    void
    add_point(const ContactPoint &point, std::size_t n_rows, bool following);

    MPI_Comm                  communicator;
    double                    restitution      = 0;
    unsigned int              frictional_block = 1;
    bool                      of_two_bodies    = false;
    unsigned int              n_contacts       = 0;
    Partition                 numbering;
    std::vector<ContactPoint> local_points;
    mutable Rows              added; ///< empty for those that follow
    /// g_0, or the gaps where the contacts are placed.
    mutable std::vector<double> offsets;
    mutable std::vector<double> rates;
    Geometry                    geometry;
    bool                        looks_near = false;
    mutable ContactReach        last_reach, placed_reach;
    mutable double              placed_time = 0;
    mutable std::vector<double> placed_q;
    /// Entries of added.dofs by add_across(), with their global numbers, and
    /// what numbers them at present.
    std::vector<std::pair<std::size_t, dealii::types::global_dof_index>> across;
    mutable Partition numbers_across;
    mutable Vector    felt; ///< with those of other ranks; empty without any

    /// Of contacts that follow the motion.
    std::vector<bool>         follows; ///< of points
    mutable Rows              present; ///< with those that follow, if any
    Finder                    finder;
    mutable FoundRows         found;
    std::vector<unsigned int> findable; ///< own dofs, by the finder
  };
} // namespace Percuss
