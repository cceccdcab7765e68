// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/error.h>
#include <percuss/contact/contact_law.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/linear_algebra/linear_solver.h>
#include <percuss/mechanics/energy_promise.h>
#include <percuss/mechanics/mechanical_model.h>
#include <percuss/mechanics/state.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  /// Which contacts take part in a step from q_k, v_k with the gap g and the
  /// normal velocity u: those with
  /// @f[ g(q_k) + \gamma h\,u_k \le \text{tolerance}, @f]
  /// and, on request, u_k <= 0 in addition.
  struct Activation
  {
    double look_ahead       = 0.5;   ///< gamma
    double tolerance        = 1e-12; ///< in m; against ties in round-off
    bool   approaching_only = false;
  };



  /// How the Delassus operator of the contacts is held.
  enum class DelassusForm
  {
    automatic, ///< by what costs less
    entries,
    applied ///< by solves, where the scheme allows it
  };



  /// What happened in a step.
  struct [[nodiscard]] StepReport
  {
    bool          converged        = true;
    bool          is_finite        = true; ///< all that the model computed
    bool          delays_converged = true; ///< those shorter than the step
    ContactReport contact;
    unsigned int  n_active            = 0; ///< on all ranks
    unsigned int  n_linear_iterations = 0;

    void
    add(const LinearReport &linear)
    {
      converged &= linear.converged;
      n_linear_iterations += linear.n_iterations;
    }

    void
    add(const ContactReport &solved)
    {
      converged &= solved.converged;
      contact.converged &= solved.converged;
      contact.n_iterations += solved.n_iterations;
      n_linear_iterations += solved.n_linear_iterations;
      contact.residual = std::max(contact.residual, solved.residual);
    }
  };



  /// A step that a scheme does not take on this mesh, where smaller ones would
  /// do.
  class StepTooLong : public EntryError
  {
  public:
    explicit StepTooLong(const std::string &reason)
      : EntryError("time/step size", reason)
    {}
  };



  /// The impulses lambda of this rank's contacts in the step that led to
  /// @p state, in N s. All schemes keep them as the first memory.
  inline const Vector &
  impulses(const State &state)
  {
    return state.memory.front().values;
  }



  /// A pure map from one state to the next. All that depends on the step size
  /// alone is prepared by set_step_size().
  class TimeStepper
  {
  public:
    using MakeLinearSolver =
      std::function<std::unique_ptr<LinearSolver>(const SparseMatrix &)>;

    /// All references outlive the stepper.
    struct Context
    {
      const MechanicalModel &model;
      const ContactLaw      &law;
      const ContactSolver   &contact_solver;
      Activation             activation;
      MakeLinearSolver       make_linear_solver;
      DelassusForm           delassus = DelassusForm::automatic;
    };

    virtual ~TimeStepper() = default;

    /// The mass matrix, for schemes that divide by it.
    /// @throws EntryError where a coordinate has no mass
    static std::unique_ptr<SparseMatrix>
    invertible_mass(const MechanicalModel &model);

    /// Assembles and factorises for steps of @p h seconds.
    /// @throws StepTooLong
    virtual void
    set_step_size(double h) = 0;

    /// Adds to an initial state what the scheme carries along; a state with a
    /// lead goes on from a step of this scheme on another mesh.
    virtual void
    start(State &state) const = 0;

    /// Before a state goes to another mesh: memories become their difference
    /// from those of start(). An acceleration has peaks at contacts and at the
    /// borders of cells that depend on the size of the cells; what it differs
    /// from the one of the forces by does not.
    void
    leave(State &state) const;

    /// The same as start(), after leave() on another mesh.
    void
    arrive(State &state) const;

    /// One step from @p begin to @p end, which has the size of @p begin. Where
    /// the report says that it failed, @p end is meaningless.
    virtual void
    advance(const State &begin, State &end, StepReport &report) const = 0;

    /// For the present step size.
    virtual EnergyPromise
    promise() const = 0;

    /// Facts for people, before the run and for the present step size: a
    /// stable step, an entry that the scheme does not use.
    virtual std::vector<std::pair<std::string, std::string>>
    facts() const
    {
      return {};
    }

    /// Whether the scheme treats models that are not linear.
    virtual bool
    treats_nonlinear_models() const
    {
      return false;
    }

    /// Whether the scheme treats tangential impulses, and so friction.
    virtual bool
    treats_friction() const
    {
      return false;
    }

    /// Whether the scheme treats the joints of a model.
    virtual bool
    treats_joints() const
    {
      return false;
    }

    /// Whether a step whose delayed forces depend on its own motion is repeated
    /// with the motion that it found. Otherwise they see the motion go on as at
    /// the start of the step.
    virtual bool
    iterates_delays() const
    {
      return true;
    }

    /// What solves the linear systems, for run.json.
    virtual std::string
    linear_solver_description() const = 0;

    /// How the Delassus operator of the contacts is held, for run.json; empty
    /// where there is none.
    virtual std::string
    delassus_description() const
    {
      return "";
    }
  };
} // namespace Percuss
