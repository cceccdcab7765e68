// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/formula.h>
#include <percuss/base/parameter_section.h>
#include <percuss/models/line_model.h>

#include <deal.II/base/tensor.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "beam_elements.h"
#include "beam_section.h"

namespace Percuss
{
  /// A straight elastic beam on [0, L]. In one plane, with the deflection
  /// w(x, t) and the rotation psi(x, t) of the sections, by Timoshenko
  /// @f[ \rho A\,\ddot w + \text{damping} = (\kappa GA\,(w'-\psi))' + f, \qquad
  ///     \rho I\,\ddot\psi = (EI\,\psi')' + \kappa GA\,(w'-\psi), @f]
  /// or by Euler and Bernoulli, with psi = w' and, where it is asked for, the
  /// rotary inertia,
  /// @f[ \rho A\,\ddot w - (\rho I\,\ddot w')' + \text{damping}
  ///     + (EI\,w'')'' = f. @f]
  /// In space there are two such deflections, stretch and twist. The motion is
  /// relative to a base that may be moved by b(t), which adds the load
  /// -M b''; supports and stops are fixed to the base. Stops are rigid,
  /// @f[ g = \text{gap} \mp w(x_s, t) \ge 0, @f]
  /// at any place x_s.
  class Beam : public LineModel
  {
  public:
    struct End
    {
      explicit End(const std::string &condition)
        : condition(condition)
      {}

      std::string condition;
      double      mass           = 0;
      double      rotary_inertia = 0;

      void
      declare(ParameterSection section);
    };

    struct Parameters
    {
      double                length             = 1;
      unsigned int          n_elements         = 20;
      std::string           theory             = "euler bernoulli";
      std::string           motion             = "plane";
      bool                  stretches          = false;
      bool                  has_rotary_inertia = false;
      std::string           mass_matrix        = "consistent";
      BeamSectionParameters section;
      Rayleigh              damping;
      LineDelayParameters   delays;
      dealii::Tensor<1, 3>  gravity;
      std::string           base_motion;
      std::string           point_forces;
      std::string           initial_displacement;
      std::string           initial_velocity;
      std::string           stop_gaps;
      std::string           stop_restitution = "0";
      End                   left{"clamped"}, right{"free"};

      void
      declare(ParameterSection &section);

      BeamLayout
      layout() const;

      /// The names of the directions in which the beam moves.
      std::vector<std::string>
      directions() const;

    private:
      void
      declare_loads(ParameterSection &section);
    };

    /// A rigid stop beside the beam.
    struct Stop
    {
      std::string  name;      ///< as in the file: "+y at 1.5"
      unsigned int direction; ///< 1 or 2
      double       side;      ///< 1 or -1
      double       x;         ///< in m
      double       gap;       ///< in m
      double       restitution;
    };

    Beam(const Parameters &parameters, const Context &context);

    State
    initial_state() const override;

    void
    add_driving_load(double time, double factor, Vector &f) const override;

    bool
    has_driving_load() const override
    {
      return driving.size() > 0 || delays() != nullptr;
    }

    /// Along y.
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

  private:
    /// The load of a formula on a degree of freedom of this rank.
    struct NodalLoad
    {
      unsigned int i;       ///< local
      double       weight;  ///< of the shape function
      unsigned int formula; ///< in 'driving'
    };

    /// A component of the motion at the start.
    struct InitialField
    {
      unsigned int     direction;
      CompiledFormulas value_and_slope; ///< of x
    };

    Beam(const Parameters        &parameters,
         const std::vector<Stop> &stops,
         const Context           &context);

    static std::vector<Stop>
    read_stops(const Parameters &parameters);

    const ElementRun &
    run() const override
    {
      return elements;
    }

    unsigned int
    shown_component() const override
    {
      return layout.displacement[1];
    }

    Functionals
    sensors() const override;

    Functionals
    actuators() const override;

    /// The motion before the start, or none where the file does not give it.
    Delays::Past
    read_past() const;

    /// Puts masses on the ends.
    void
    add_end_masses();

    /// Sets the inertia of a rigid motion in each direction, and gravity.
    void
    weigh();

    void
    add_contacts();

    /// Reads base motion and point forces.
    void
    read_loads();

    std::vector<InitialField>
    read_initial(const std::string &entry, const std::string &text) const;

    /// A displaced end must not be fixed.
    void
    check_initial_displacement() const;

    /// Forces and moments at the nodes of this rank's closed run, with names;
    /// averaged between neighbours.
    std::vector<std::pair<std::string, std::vector<double>>>
    nodal_resultants(const Vector &q) const;

    /// Of the displacement at a place, see row_at().
    ContactSet::Row
    displacement_row(unsigned int direction, double x) const;

    const Parameters        parameters;
    const std::vector<Stop> stops;
    const BeamLayout        layout;
    const BeamSection       section;
    const BeamElements      elements;
    double                  total_mass;
    /// M times a unit acceleration along x, y, z, in kg: without the fixed
    /// ends, and all of it along y.
    std::array<Vector, 3>     inertia;
    Vector                    row_sums;
    std::vector<InitialField> initial_displacement, initial_velocity;
    /// Of t: accelerations of the base, in m/s^2, then forces, in N.
    CompiledFormulas            driving;
    std::vector<unsigned int>   base_directions;
    std::vector<NodalLoad>      nodal_loads;
    mutable std::vector<double> driving_values;
  };
} // namespace Percuss
