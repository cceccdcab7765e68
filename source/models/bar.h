// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/expression.h>
#include <percuss/base/parameter_section.h>
#include <percuss/mechanics/mechanical_model.h>
#include <percuss/models/interval.h>
#include <percuss/models/line_elements.h>

#include <memory>
#include <string>
#include <vector>

namespace Percuss
{
  /// The longitudinal motion q(x, t) of an elastic bar on [0, L],
  /// @f[ \rho A\,\ddot q + \text{damping} = (E A\,q')' + \rho A\,g, @f]
  /// by finite elements of degree p (Gauss-Lobatto nodes), with rigid walls at
  /// x = -gap on the left and x = L + gap on the right. Matrices are applied
  /// element by element; assembled ones serve the linear solvers only.
  class Bar : public MechanicalModel
  {
  public:
    struct End
    {
      std::string condition   = "free";
      Expression  force       = Expression("0", {"t"});
      double      gap         = 0;
      double      restitution = 0;

      void
      declare(ParameterSection section);

      bool
      is(const std::string &what) const
      {
        return condition == what;
      }
    };

    struct Parameters
    {
      double       length            = 1;
      double       area              = 1e-4;
      double       E                 = 2.1e11;
      double       density           = 7800;
      unsigned int n_elements        = 100;
      unsigned int degree            = 1;
      std::string  mass_matrix       = "consistent";
      double       mass_damping      = 0;
      double       stiffness_damping = 0;
      double       gravity           = 0;
      Expression   displacement      = Expression("0", {"x"});
      Expression   velocity          = Expression("0", {"x"});
      End          left, right;

      void
      declare(ParameterSection &section);

      double
      wave_speed() const;
    };

    Bar(const Parameters &parameters, const Context &context);

    const Partition &
    partition() const override
    {
      return mesh.partition();
    }

    State
    initial_state() const override;

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

    void
    add_driving_load(double time, double factor, Vector &f) const override;

    bool
    has_driving_load() const override
    {
      return parameters.left.is("force") || parameters.right.is("force");
    }

    bool
    has_damping() const override
    {
      return parameters.mass_damping != 0 || parameters.stiffness_damping != 0;
    }

    const ContactSet &
    contacts() const override
    {
      return contact_set;
    }

    double
    mean_velocity(const State &state) const override;

    Probe
    make_probe(const std::string &name, const std::string &what) const override;

    std::vector<ExactValue>
    exact_values(double end_time) const override;

    bool
    exact_state(double time, State &state) const override;

    std::vector<std::pair<std::string, std::string>>
    facts() const override;

    std::string
    write_fields(const State       &state,
                 const Vector      &contact_forces,
                 const std::string &folder,
                 const std::string &name) const override;

    std::vector<std::pair<double, double>>
    profile(const State &state, unsigned int n_points) const override;

  private:
    void
    add_contacts();

    /// Computes wall_mass for 'redistributed'.
    void
    prepare_redistribution();

    /// Calls @p action(i, j, entry) for the entries of wall_mass, with owned
    /// nodes i and j, at each end of this rank that faces a wall.
    template <typename Action>
    void
    for_redistributed_entries(const Action &action) const;

    /// -1 or 1 for an undamped bar that is undeformed, has the same velocity
    /// everywhere and faces a wall at its left or its right end only; else 0.
    double
    direction_of_simple_impact() const;

    /// Rows and columns of clamped nodes keep their diagonal entry only.
    void
    decouple_clamped(SparseMatrix::Rows &rows) const;

    void
    zero_clamped(Vector &x) const;

    /// y = operation(x) on the elements that touch this rank's nodes.
    template <typename Operation>
    void
    apply(const Vector &x, Vector &y, const Operation &operation) const;

    void
    apply_mass_without_clamps(const Vector &x, Vector &y) const;

    void
    multiply_by_stiffness(const Vector &x, Vector &y) const;

    double
    local_mass_norm(const Vector &x) const;

    double
    local_stiffness_norm(const Vector &x) const;

    /// The nodes' values on the closed run of this rank's elements.
    std::vector<double>
    closed_values(const Vector &x) const;

    /// Stress at the same nodes, averaged between neighbours, in Pa.
    std::vector<double>
    nodal_stress(const Vector &q) const;

    const Parameters              parameters;
    Interval                      mesh;
    std::unique_ptr<LineElements> elements;
    ContactSet                    contact_set;
    /// What 'redistributed' adds to M at a wall; rows and columns count the
    /// nodes from the wall. Empty without.
    dealii::FullMatrix<double>  wall_mass;
    Vector                      row_sums; ///< of M without clamps, in kg
    Vector                      gravity_load;
    bool                        has_left, has_right; ///< end nodes owned
    mutable Vector              work;
    mutable std::vector<double> ghosted_values, result_values;
  };
} // namespace Percuss
