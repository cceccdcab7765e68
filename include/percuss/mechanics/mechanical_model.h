// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_set.h>
#include <percuss/linear_algebra/sparse_matrix.h>
#include <percuss/linear_algebra/vector.h>
#include <percuss/mechanics/bilateral_constraints.h>
#include <percuss/mechanics/state.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  /// In J.
  struct Energy
  {
    double kinetic   = 0;
    double strain    = 0;
    double potential = 0; ///< of the dead loads

    double
    total() const
    {
      return kinetic + strain + potential;
    }
  };



  /// A number of the result that is known exactly for the model as it is set
  /// up. The names are those of RunSummary::values().
  struct ExactValue
  {
    std::string name;
    double      value;
    std::string unit;
  };



  /// A named scalar of the state, written to probes.csv.
  struct Probe
  {
    std::string                          name;
    std::string                          unit;
    std::function<double(const State &)> value; ///< collective
  };



  /// What can move: masses, stiffness, damping, loads and possible contacts of
  /// @f[ M \dot v + C v + K q = f_\text{dead} + f_\text{drive}(t) + D^T
  ///     \lambda. @f]
  /// The only home of mesh and dimension. Functions on vectors are collective.
  class MechanicalModel
  {
  public:
    struct Context
    {
      MPI_Comm communicator;
    };

    explicit MechanicalModel(const Context &context)
      : communicator(context.communicator)
    {}
    virtual ~MechanicalModel() = default;

    virtual const Partition &
    partition() const = 0;

    virtual State
    initial_state() const = 0;

    /// m M + c C + k K.
    virtual std::unique_ptr<SparseMatrix>
    assemble(double m, double c, double k) const = 0;

    /// @p f = K q + C v, in N.
    virtual void
    internal_forces(const Vector &q, const Vector &v, Vector &f) const = 0;

    /// @p f = C v, in N.
    virtual void
    damping_forces(const Vector &v, Vector &f) const = 0;

    /// @p y = M x.
    virtual void
    multiply_by_mass(const Vector &x, Vector &y) const = 0;

    /// x^T M x.
    virtual double
    mass_norm(const Vector &x) const = 0;

    /// x^T K x.
    virtual double
    stiffness_norm(const Vector &x) const = 0;

    virtual Energy
    energy(const State &state) const = 0;

    /// Loads that depend on nothing and have the potential
    /// -f_dead . q (gravity), in N.
    virtual const Vector &
    dead_load() const = 0;

    /// Adds @p factor times the loads that depend on time, in N.
    virtual void
    add_driving_load(double time, double factor, Vector &f) const = 0;

    virtual bool
    has_driving_load() const = 0;

    virtual bool
    has_damping() const = 0;

    virtual const ContactSet &
    contacts() const = 0;

    /// The joints, or null where there are none.
    virtual const BilateralConstraints *
    constraints() const
    {
      return nullptr;
    }

    /// Velocity of the centre of mass, in m/s.
    virtual double
    mean_velocity(const State &state) const = 0;

    /// Understands "displacement at 0.5".
    /// @throws Error with ExitCode::usage
    virtual Probe
    make_probe(const std::string &name, const std::string &what) const = 0;

    /// What is known exactly at @p end_time; empty where nothing is.
    virtual std::vector<ExactValue>
    exact_values(double end_time) const = 0;

    /// Fills q and v of @p state with the exact motion at @p time and returns
    /// true, where it is known for the model as it is set up.
    virtual bool
    exact_state(double /*time*/, State & /*state*/) const
    {
      return false;
    }

    /// Facts for people, before the run: sizes, wave speeds, critical steps.
    virtual std::vector<std::pair<std::string, std::string>>
    facts() const = 0;

    /// Writes FOLDER/NAME.vtu (one rank) or NAME.pvtu and its pieces, and
    /// returns the name of the file to open. @p contact_forces is in N.
    virtual std::string
    write_fields(const State       &state,
                 const Vector      &contact_forces,
                 const std::string &folder,
                 const std::string &name) const = 0;

    /// The coordinate and the displacement of at most @p n_points points along
    /// the model for a picture in space and time; empty where a model has no
    /// such line. Complete on rank 0.
    virtual std::vector<std::pair<double, double>>
    profile(const State &state, unsigned int n_points) const = 0;

    const MPI_Comm communicator;
  };
} // namespace Percuss
