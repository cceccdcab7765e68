// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/parameter_section.h>
#include <percuss/mechanics/mechanical_model.h>
#include <percuss/models/element_run.h>
#include <percuss/models/interval.h>
#include <percuss/models/line_delays.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  /// A base for linear models on an interval of equal elements: matrices,
  /// forces and energies from those of one element, on any number of ranks.
  /// Matrices are applied element by element; assembled ones serve the linear
  /// solvers only. The damping is C = a M + b K. At both ends components of
  /// the motion may be fixed.
  class LineModel : public MechanicalModel
  {
  public:
    struct Rayleigh : ProportionalDamping
    {
      void
      declare(ParameterSection &section);
    };

    const Partition &
    partition() const override
    {
      return mesh.partition();
    }

    std::unique_ptr<SparseMatrix>
    assemble(double m, double c, double k) const override;

    void
    internal_forces(const Vector &q, const Vector &v, Vector &f) const override;

    void
    damping_forces(const Vector &v, Vector &f) const override;

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

    bool
    has_damping() const override
    {
      return damping.mass != 0 || damping.stiffness != 0;
    }

    std::optional<ProportionalDamping>
    proportional_damping() const override
    {
      return damping;
    }

    const ContactSet &
    contacts() const override
    {
      return contact_set;
    }

    const Delays *
    delays() const override
    {
      return past.all_delays().empty() ? nullptr : &past;
    }

    /// Without saturation.
    void
    add_delayed_derivative(unsigned int         signal,
                           const Configuration &at,
                           Vector              &f) const override;

    /// Of the first deflection or displacement.
    std::vector<std::pair<double, double>>
    profile(const State &state, unsigned int n_points) const override;

  protected:
    /// The components of the motion that are fixed at the ends.
    struct FixedComponents
    {
      std::vector<unsigned int> left, right;
    };

    /// A part of M besides that of the elements; i and j are local numbers of
    /// owned degrees of freedom.
    struct MassEntry
    {
      unsigned int i, j;
      double       value;
    };

    /// "velocity at L/2" in parts; x is NaN where there is no place on the
    /// line.
    struct PlacedName
    {
      std::string name;
      double      x;
    };

    /// A scalar product of weights with the values of the element that holds a
    /// place, as functions of its local coordinate.
    using Weights = std::function<std::vector<double>(double)>;

    /// What is measured, or what acts: a force has the weights of the
    /// displacement that it works on.
    struct Functional
    {
      Argument argument;
      Weights  weights;
    };
    using Functionals = std::map<std::string, Functional>;

    LineModel(const Interval        &mesh,
              const Rayleigh        &damping,
              const FixedComponents &fixed,
              const Context         &context);

    /// Of the elements of one rank; not called before the derived class is
    /// complete enough.
    virtual const ElementRun &
    run() const = 0;

    /// The component that profile() shows.
    virtual unsigned int
    shown_component() const
    {
      return 0;
    }

    /// By the names of the parameter file.
    virtual Functionals
    sensors() const = 0;
    virtual Functionals
    actuators() const = 0;

    /// Local numbers and weights at a place, for the degrees of freedom that
    /// this rank owns and that can move.
    Delays::Row
    row_at(double x, const Weights &weights) const;

    /// To be called when the derived class is complete, with the motion before
    /// the start where it is not steady.
    void
    add_delays(const LineDelayParameters &parameters,
               const std::string         &section,
               const Delays::Past        &before);

    /// Adds @p factor times these forces. Collective.
    void
    add_delayed_forces(double time, double factor, Vector &f) const;

    /// Calls @p action(local number) for each fixed degree of freedom that this
    /// rank owns.
    template <typename Action>
    void
    for_fixed(const Action &action) const;

    void
    zero_fixed(Vector &x) const;

    /// As if nothing were fixed.
    void
    apply_mass_without_fixing(const Vector &x, Vector &y) const;

    void
    multiply_by_stiffness(const Vector &x, Vector &y) const;

    /// The values on the closed run of this rank's elements.
    std::vector<double>
    closed_values(const Vector &x) const;

    /// Averages what elements say about their nodes: @p values(local values of
    /// an element, node) may differ between the elements that share a node.
    /// The result is for the nodes of this rank's closed run.
    std::vector<double>
    nodal_means(
      const Vector                                              &x,
      const std::function<double(const double *, unsigned int)> &values) const;

    /// Adds up @p weights(xi) times the values of the element that holds x, in
    /// q or v.
    std::function<double(const State &)>
    interpolation(double         x,
                  const Weights &weights,
                  bool           of_velocity,
                  double         offset = 0) const;

    /// @p text as "NAME at X" with X from 0 to @p length, where X may be a
    /// formula of the length L.
    static PlacedName
    split_place(const std::string &text, double length);

    const Interval         mesh;
    const Rayleigh         damping;
    ContactSet             contact_set;
    std::vector<MassEntry> added_mass;
    Vector                 gravity_load;
    bool                   has_gravity = false; ///< the load is not zero

  private:
    /// "velocity at L" of the entry @p entry.
    std::pair<Functional, Delays::Row>
    read_functional(const std::string &entry,
                    const std::string &text,
                    const Functionals &functionals) const;

    /// @p before, or a steady motion where it is empty.
    Delays::Past
    check_past(const Delays::Past &before, const std::string &section) const;

    /// y = operation(x) on the elements that touch this rank's nodes.
    template <typename Operation>
    void
    apply(const Vector &x, Vector &y, const Operation &operation) const;

    /// Rows and columns that are fixed keep their diagonal entry only.
    void
    decouple_fixed(SparseMatrix::Rows &rows) const;

    /// The columns of the row of a component of @p node, and the entries.
    void
    add_row(unsigned int        node,
            unsigned int        component,
            double              mass_factor,
            double              stiffness_factor,
            SparseMatrix::Rows &rows) const;

    double
    local_mass_norm(const Vector &x) const;

    double
    local_stiffness_norm(const Vector &x) const;

    const FixedComponents       fixed;
    Delays                      past;
    FeedbackLoops               feedback_loops;
    mutable Vector              work, delayed_velocity;
    mutable std::vector<double> ghosted_values, result_values;
  };



  template <typename Action>
  void
  LineModel::for_fixed(const Action &action) const
  {
    if (mesh.owns_first_node())
      for (const unsigned int component : fixed.left)
        action(component);
    if (mesh.owns_last_node())
      for (const unsigned int component : fixed.right)
        action((mesh.n_owned_nodes() - 1) * mesh.n_components() + component);
  }
} // namespace Percuss
