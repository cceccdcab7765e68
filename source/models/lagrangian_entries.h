// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/formula.h>
#include <percuss/base/parameter_section.h>

#include <string>
#include <utility>
#include <vector>

#include "formula_entry.h"

namespace Percuss
{
  /// The entries of the model 'lagrangian', all text.
  struct LagrangianParameters
  {
    std::string coordinates      = "x";
    std::string constants        = "m = 1; g = 9.81";
    std::string kinetic_energy   = "1/2*m*x'^2";
    std::string potential_energy = "m*g*x";
    std::string forces;
    std::string initial_position;
    std::string initial_velocity;
    std::string initial_history;
    std::string constraints;

    struct Contacts
    {
      std::string gaps;
      std::string restitution            = "0";
      std::string friction               = "0";
      std::string tangential_restitution = "0";
      std::string sliding_velocities;
      std::string sliding_points;

      void
      declare(ParameterSection &section);
    };
    Contacts contacts;

    struct Drawing
    {
      std::string points;
      std::string lines;
      std::string arrows;

      void
      declare(ParameterSection &section);
    };
    Drawing drawing;

    void
    declare(ParameterSection &section);
  };



  /// The coordinates of a system, the names its formulas know, and its state
  /// at the start.
  struct LagrangianNames
  {
    explicit LagrangianNames(const LagrangianParameters &parameters);

    unsigned int
    size() const
    {
      return static_cast<unsigned int>(coordinates.size());
    }

    /// Numbers of the variables in formulas.
    unsigned int
    position(const unsigned int i) const
    {
      return i;
    }
    unsigned int
    velocity(const unsigned int i) const
    {
      return size() + i;
    }
    unsigned int
    time() const
    {
      return 2 * size();
    }

    std::vector<std::string> coordinates;
    FormulaNames             constants; ///< without variables
    FormulaNames             all;
  };
} // namespace Percuss
