// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/expression.h>
#include <percuss/base/parameter_section.h>
#include <percuss/models/line_elements.h>
#include <percuss/models/line_model.h>

#include <memory>
#include <string>
#include <vector>

namespace Percuss
{
  /// The longitudinal motion q(x, t) of an elastic bar on [0, L],
  /// @f[ \rho A\,\ddot q + \text{damping} = (E A\,q')' + \rho A\,g, @f]
  /// by finite elements of degree p (Gauss-Lobatto nodes), with rigid walls at
  /// x = -gap on the left and x = L + gap on the right.
  class Bar : public LineModel
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
      double       length      = 1;
      double       area        = 1e-4;
      double       E           = 2.1e11;
      double       density     = 7800;
      unsigned int n_elements  = 100;
      unsigned int degree      = 1;
      std::string  mass_matrix = "consistent";
      Rayleigh     damping;

      LineDelayParameters delays;

      double     gravity      = 0;
      Expression displacement = Expression("0", {"x"});
      Expression velocity     = Expression("0", {"x"});
      End        left, right;

      void
      declare(ParameterSection &section);

      double
      wave_speed() const;
    };

    Bar(const Parameters &parameters, const Context &context);

    State
    initial_state() const override;

    void
    add_driving_load(double time, double factor, Vector &f) const override;

    bool
    has_driving_load() const override
    {
      return parameters.left.is("force") || parameters.right.is("force") ||
             delays() != nullptr;
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
                 const FieldFolder &folder,
                 const std::string &name) const override;

  private:
    const ElementRun &
    run() const override
    {
      return *elements;
    }

    Functionals
    sensors() const override;

    Functionals
    actuators() const override;

    /// The motion before the start, or none where the file does not give it.
    Delays::Past
    read_past() const;

    void
    add_contacts();

    /// Adds the masses of 'redistributed'.
    void
    redistribute();

    /// What 'redistributed' adds to M at a wall; rows and columns count the
    /// nodes from the wall.
    dealii::FullMatrix<double>
    wall_mass() const;

    /// -1 or 1 for an undamped bar that is undeformed, has the same velocity
    /// everywhere and faces a wall at its left or its right end only; else 0.
    double
    direction_of_simple_impact() const;

    const Parameters              parameters;
    std::unique_ptr<LineElements> elements;
    Vector                        row_sums; ///< of M without clamps, in kg
    bool                          has_left, has_right; ///< end nodes owned
  };
} // namespace Percuss
