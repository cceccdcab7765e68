// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_set.h>
#include <percuss/linear_algebra/sparse_matrix.h>
#include <percuss/linear_algebra/vector.h>
#include <percuss/mechanics/argument.h>
#include <percuss/mechanics/bilateral_constraints.h>
#include <percuss/mechanics/delays.h>
#include <percuss/mechanics/field_folder.h>
#include <percuss/mechanics/moving_supports.h>
#include <percuss/mechanics/state.h>

#include <functional>
#include <memory>
#include <optional>
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



  /// The factors a (in 1/s) and b (in s) of a damping matrix C = a M + b K.
  struct ProportionalDamping
  {
    double mass      = 0;
    double stiffness = 0;
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



  /// Where the terms of the equations of motion are evaluated.
  struct Configuration
  {
    double        time;
    const Vector &q;
    const Vector &v;
  };

  /// The terms of the equations of motion of a system with the Lagrangian
  /// L = T - V and other forces f. Forces may depend on the motion before, see
  /// delays(): as functions of time, such ones are loads.
  enum class Term
  {
    momentum, ///< p = dT/dv, in N s
    gradient, ///< b = dL/dq + f, in N: dp/dt = b
    force,    ///< h = b - (dp/dq) v - dp/dt, in N: M dv/dt = h
    load,     ///< the part of f that drives
    damping   ///< the part of f that damps
  };



  /// What can move. For any model, with generalized coordinates q, v = dq/dt
  /// and a mass matrix M = dp/dv that may depend on q and t,
  /// @f[ M \dot v = h(t,q,v) + D^T \lambda; @f]
  /// for a linear model the matrices are constant,
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

    /// Whether all matrices are constant; the directions of contacts may change
    /// all the same, see ContactSet::has_constant_directions(). If not, the
    /// functions that know of M, C and K mean those at the initial position,
    /// and schemes use evaluate() and add_derivative().
    virtual bool
    is_linear() const
    {
      return true;
    }

    /// Whether the mass matrix is the same at all positions.
    virtual bool
    has_constant_mass() const
    {
      return is_linear();
    }

    /// Whether the model knows forces that do exactly the work of its
    /// potential energy V between any two positions, a discrete gradient:
    /// @f[ \bar f\cdot(q_1-q_0) = V(q_0) - V(q_1). @f]
    virtual bool
    has_conserving_force() const
    {
      return is_linear();
    }

    /// Adds @p factor times this force, with gravity but without loads that
    /// depend on time.
    virtual void
    add_conserving_force(const Vector &q_begin,
                         const Vector &q_end,
                         double        factor,
                         Vector       &f) const;

    /// Adds @p factor times its derivative by @p q_end.
    virtual void
    add_conserving_derivative(const Vector &q_begin,
                              const Vector &q_end,
                              double        factor,
                              SparseMatrix &matrix) const;

    /// @p result is a term of the equations of motion.
    virtual void
    evaluate(Term term, const Configuration &at, Vector &result) const;

    /// A matrix for add_derivative().
    virtual std::unique_ptr<SparseMatrix>
    make_tangent() const
    {
      return assemble(0, 0, 0);
    }

    /// Adds @p factor times the derivative of a term to a matrix that
    /// make_tangent() has made. (For linear models assemble() is the better
    /// choice, where it serves.)
    virtual void
    add_derivative(Term                 term,
                   Argument             argument,
                   const Configuration &at,
                   double               factor,
                   SparseMatrix        &matrix) const;

    /// m M + c C + k K.
    virtual std::unique_ptr<SparseMatrix>
    assemble(double m, double c, double k) const = 0;

    /// The entries of M on the diagonal, of this rank. (Models with large
    /// matrices know them without one.)
    virtual std::vector<double>
    masses() const
    {
      return assemble(1, 0, 0)->diagonal();
    }

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

    /// Where the damping matrix is of the kind; none has zeros.
    virtual std::optional<ProportionalDamping>
    proportional_damping() const
    {
      return has_damping() ? std::nullopt :
                             std::make_optional<ProportionalDamping>();
    }

    /// Whether the energy depends on time by itself, as that of a pivot that is
    /// moved.
    virtual bool
    is_rheonomic() const
    {
      return false;
    }

    /// The power that this puts into the energy, in W.
    virtual double
    explicit_power(const State &) const
    {
      return 0;
    }

    virtual const ContactSet &
    contacts() const = 0;

    /// The joints, or null where there are none.
    virtual const BilateralConstraints *
    constraints() const
    {
      return nullptr;
    }

    /// The parts that move as functions of time and that q and v do not have,
    /// or null where there are none. energy() is that of the whole model.
    virtual const MovingSupports *
    supports() const
    {
      return nullptr;
    }

    /// What forces need of the motion before, or null where they need nothing.
    virtual const Delays *
    delays() const
    {
      return nullptr;
    }

    /// Adds the derivative of the forces by a delayed signal at @p at, for the
    /// stability of small motions.
    virtual void
    add_delayed_derivative(unsigned int /*signal*/,
                           const Configuration & /*at*/,
                           Vector & /*f*/) const
    {}

    /// A model of the same bodies with a mesh that suits @p state, which is
    /// moved to it with all its memories; or null where the present mesh suits.
    /// Before it moves, @p leave is called with the state. Collective.
    virtual std::unique_ptr<MechanicalModel>
    adapt(State & /*state*/,
          const std::function<void(State &)> & /*leave*/) const
    {
      return nullptr;
    }

    /// The mesh as a text for with_mesh(), on rank 0; empty where it does not
    /// change. Collective.
    virtual std::string
    describe_mesh() const
    {
      return "";
    }

    /// A model of the same bodies with a mesh that was described by
    /// describe_mesh(), on any number of ranks.
    virtual std::unique_ptr<MechanicalModel>
    with_mesh(const std::string & /*description*/) const
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

    /// How products with the matrices are computed, as "assembled"; empty where
    /// the model has one way only.
    virtual std::string
    operator_description() const
    {
      return "";
    }

    /// What may go wrong in the run, in sentences for people.
    virtual std::vector<std::string>
    warnings() const
    {
      return {};
    }

    /// What contacts have not seen of the motion in a step and a shorter one
    /// might show them, in a sentence that says what would help; empty where
    /// nothing was missed. Collective.
    /// @throws Error with ExitCode::invariant where shorter steps are no help
    virtual std::string
    missed_contacts(const State & /*begin*/, const State & /*end*/) const
    {
      return "";
    }

    /// Writes FOLDER/NAME.vtu (one file) or NAME.pvtu and its pieces, and
    /// returns the name of the file to open. @p contact_forces is in N.
    virtual std::string
    write_fields(const State       &state,
                 const Vector      &contact_forces,
                 const FieldFolder &folder,
                 const std::string &name) const = 0;

    /// The coordinate and the displacement of at most @p n_points points along
    /// the model for a picture in space and time; empty where a model has no
    /// such line. Complete on rank 0.
    virtual std::vector<std::pair<double, double>>
    profile(const State &state, unsigned int n_points) const = 0;

    const MPI_Comm communicator;
  };
} // namespace Percuss
