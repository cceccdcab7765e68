// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/mechanical_model.h>

#include <memory>
#include <string>
#include <vector>

#include "multibody_contacts.h"
#include "multibody_layout.h"
#include "multibody_reactions.h"

namespace Percuss
{
  class MultibodyPicture;

  /// Rigid bodies and geometrically exact beams with joints, loads and
  /// contacts, all described by frames, q = (phi, d_1, d_2, d_3) each:
  /// @f[ M\,\dot v = -\nabla V(q) + f(t,q) + G(q)^T\mu + D(q)^T\lambda,
  ///     \qquad g_B(q) = 0 @f]
  /// (P. Betsch and P. Steinmann 2001; S. Leyendecker, P. Betsch and
  /// P. Steinmann, Multibody Syst. Dyn. 19, 2008). M is constant; it is
  /// singular where directors have no inertia of their own, but not for motions
  /// that the constraints allow.
  class Multibody : public MechanicalModel
  {
  public:
    using Parameters = MultibodyParameters;

    Multibody(const Parameters &parameters, const Context &context);

    const Partition &
    partition() const override
    {
      return owned;
    }

    State
    initial_state() const override
    {
      return start;
    }

    bool
    is_linear() const override
    {
      return false;
    }

    bool
    has_constant_mass() const override
    {
      return true;
    }

    void
    evaluate(Term term, const Configuration &at, Vector &result) const override;

    bool
    has_conserving_force() const override
    {
      return true;
    }

    void
    add_conserving_force(const Vector &q_begin,
                         const Vector &q_end,
                         double        factor,
                         Vector       &f) const override;

    void
    add_conserving_derivative(const Vector &q_begin,
                              const Vector &q_end,
                              double        factor,
                              SparseMatrix &matrix) const override;

    std::unique_ptr<SparseMatrix>
    make_tangent() const override;

    void
    add_derivative(Term                 term,
                   Argument             argument,
                   const Configuration &at,
                   double               factor,
                   SparseMatrix        &matrix) const override;

    std::unique_ptr<SparseMatrix>
    assemble(double m, double c, double k) const override;

    void
    internal_forces(const Vector &q, const Vector &v, Vector &f) const override;

    void
    damping_forces(const Vector &, Vector &f) const override
    {
      f = 0.;
    }

    void
    multiply_by_mass(const Vector &x, Vector &y) const override;

    double
    mass_norm(const Vector &x) const override;

    double
    stiffness_norm(const Vector &x) const override;

    Energy
    energy(const State &state) const override;

    const Vector &
    dead_load() const override
    {
      return gravity_load;
    }

    void
    add_driving_load(double time, double factor, Vector &f) const override;

    bool
    has_driving_load() const override
    {
      return !parameters.loads.empty() || delays() != nullptr;
    }

    bool
    has_damping() const override
    {
      return false;
    }

    const Delays *
    delays() const override
    {
      return past.all_delays().empty() ? nullptr : &past;
    }

    void
    add_delayed_derivative(const unsigned int signal,
                           const Configuration &,
                           Vector &f) const override
    {
      feedback_loops.add_derivative(signal, f);
    }

    const ContactSet &
    contacts() const override
    {
      return contact_points->set();
    }

    const BilateralConstraints *
    constraints() const override
    {
      return joints.get();
    }

    double
    mean_velocity(const State &state) const override;

    Probe
    make_probe(const std::string &name, const std::string &what) const override;

    std::vector<ExactValue>
    exact_values(double) const override
    {
      return {};
    }

    std::vector<std::pair<std::string, std::string>>
    facts() const override;

    std::string
    write_fields(const State       &state,
                 const Vector      &contact_forces,
                 const FieldFolder &folder,
                 const std::string &name) const override;

    std::vector<std::pair<double, double>>
    profile(const State &, unsigned int) const override
    {
      return {};
    }

  private:
    /// An element that touches a frame of this rank.
    struct Element
    {
      BeamElement                                       beam;
      bool                                              is_mine; ///< its energy
      std::array<unsigned int, BeamElement::most_nodes> frames;  ///< local, or
                                                                 ///< ghosts
      /// Of each pair of nodes: the place of its block in the rows of the first
      /// one's frame.
      std::array<std::array<unsigned int, BeamElement::most_nodes>,
                 BeamElement::most_nodes>
        blocks;
    };

    struct FrameLoad
    {
      unsigned int frame; ///< local
      unsigned int block; ///< of the frame itself in its rows
      const MultibodyParameters::Load *load;
    };

    void
    make_elements();

    /// Which frames feel each other, and the places of the elements' blocks.
    void
    make_pattern();

    void
    make_mass();

    void
    make_start();

    void
    make_loads();

    void
    make_feedback();

    void
    make_constraints();

    /// @throws EntryError where joints do not hold at the start
    void
    check_joints() const;

    /// Masses that do not stem from elements, of the vectors of a frame.
    std::array<double, Frame::n_vectors>
    lumped_mass(const FramePlace &place) const;

    /// The coordinates of this rank's frames and of the ghosts after them.
    const double *
    ghosted(const Vector &q, Vector &storage) const;

    BeamElement::Coordinates
    coordinates(const Element &element, const double *q) const;

    /// Adds the rows of owned frames of an element's vector or matrix.
    void
    add_to(const Element &element, const double *f, Vector &result) const;
    void
    add_to(const Element &element, const double *H, SparseMatrix &matrix) const;

    void
    add_beam_forces(const Vector &q, double factor, Vector &f) const;

    void
    add_loads(double time, const Vector &q, double factor, Vector &f) const;

    void
    add_load_derivative(double        time,
                        const Vector &q,
                        double        factor,
                        SparseMatrix &matrix) const;

    double
    sum_over_ranks(double value) const;

    /// The kinds of probes, of "QUANTITY component of WHERE".
    Probe
    frame_probe(const std::string &name,
                const std::string &quantity,
                unsigned int       component,
                const std::string &where) const;
    Probe
    section_probe(const std::string &name,
                  const std::string &quantity,
                  unsigned int       component,
                  const std::string &where) const;
    Probe
    reaction_probe(const std::string &name,
                   const std::string &quantity,
                   unsigned int       component,
                   const std::string &where) const;
    Probe
    gap_probe(const std::string &name, const std::string &where) const;

    /// Forces, moments and energy per length of the sections at frames: the
    /// first seven numbers of each frame of this rank, and of ghosts.
    void
    find_section_values(const double *q, Vector &values) const;

    void
    draw_beams(const double     *q,
               const double     *v,
               MultibodyPicture &picture) const;
    void
    draw_bodies(const State &state, MultibodyPicture &picture) const;
    void
    draw_joints(const State &state, MultibodyPicture &picture) const;
    void
    draw_contacts(const State      &state,
                  const Vector     &forces,
                  MultibodyPicture &picture) const;

    const Parameters                       parameters;
    const MultibodyLayout                  layout;
    Partition                              owned, with_ghosts;
    std::vector<Element>                   elements;
    std::vector<std::vector<unsigned int>> neighbours; ///< global, ascending
    std::unique_ptr<SparseMatrix>          mass;
    std::vector<std::size_t>               mass_places; ///< in tangents
    double                                 total_mass = 0;
    Vector                                 gravity_load;
    State                                  start;
    std::vector<FrameLoad>                 loads;
    Delays                                 past;
    FeedbackLoops                          feedback_loops;
    std::unique_ptr<FrameTree>             tree;
    std::unique_ptr<FrameConstraints>      joints;
    std::unique_ptr<MultibodyContacts>     contact_points;
    std::unique_ptr<JointReactions>        reactions;
    mutable Vector                         ghosts, other_ghosts, work;
    mutable std::vector<double>            element_values;
  };
} // namespace Percuss
