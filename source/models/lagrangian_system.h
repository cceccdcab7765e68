// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_set.h>
#include <percuss/mechanics/mechanical_model.h>

#include <vector>

#include "lagrangian_delays.h"
#include "lagrangian_entries.h"

namespace Percuss
{
  /// The equations of motion of a Lagrangian system, from T, V and f by exact
  /// differentiation, compiled for evaluation. All results are functions of
  /// the variables (q, v, t) in the order of LagrangianNames, and those of the
  /// motion before.
  class LagrangianSystem
  {
  public:
    LagrangianSystem(const LagrangianParameters &parameters,
                     const LagrangianNames      &names);

    /// The vector of a term.
    const CompiledFormulas &
    term(const Term which) const
    {
      return terms[static_cast<unsigned int>(which)].values;
    }

    /// The matrix of its derivatives, by rows.
    const CompiledFormulas &
    derivative(const Term which, const Argument argument) const
    {
      const auto &found = terms[static_cast<unsigned int>(which)];
      return argument == Argument::position ? found.by_position :
                                              found.by_velocity;
    }

    /// T_2, V - T_0, their power by explicit time, and T, where T_2 and T_0 are
    /// the parts of T with two and no velocities.
    const CompiledFormulas &
    energies() const
    {
      return compiled_energies;
    }

    /// The derivatives of the forces by the variables of the motion before, by
    /// rows.
    const CompiledFormulas &
    force_by_past() const
    {
      return compiled_by_past;
    }

    /// The variables of the motion before.
    const LagrangianDelays &
    delays() const
    {
      return past;
    }

    /// Whether T = v^T M v / 2 and M, C and K are constant, C and K symmetric,
    /// T and V are free of t, and f has no part with positions.
    bool
    is_linear() const
    {
      return linear;
    }

    /// Whether T or V depends on time by itself.
    bool
    is_rheonomic() const
    {
      return rheonomic;
    }

    /// Whether there are forces at rest besides those of the potential.
    bool
    has_loads() const
    {
      return loaded;
    }

    /// Whether there are others, with velocities.
    bool
    has_damping() const
    {
      return damped;
    }

  private:
    using Formulas = std::vector<Formula>;

    struct CompiledTerm
    {
      CompiledFormulas values, by_position, by_velocity;
    };

    /// d formulas / d (positions or velocities), by rows.
    Formulas
    differentiate(const Formulas &formulas, Argument argument) const;

    Formulas
    read_forces(const LagrangianParameters &parameters);

    /// The formula where all velocities are zero.
    Formula
    at_rest(Formula formula) const;

    /// Whether the masses M, the forces h and the loads f make a linear system.
    void
    find_kind(const Formula  &T,
              const Formula  &V,
              const Formulas &M,
              const Formulas &forces,
              const Formulas &loads);

    void
    compile_loads(const Formulas &f);

    void
    compile_energies(const Formula &T, const Formula &V, const Formulas &M);

    void
    compile_past(const Formulas &forces);

    void
    compile(Term which, const Formulas &formulas);

    const LagrangianNames &names;
    LagrangianDelays       past;
    FormulaNames           variables; ///< all, with those of the past
    CompiledTerm           terms[5];
    CompiledFormulas       compiled_energies, compiled_by_past;
    bool                   linear = false, loaded = false, damped = false;
    bool                   rheonomic = false;
  };



  /// The contacts of such a system: gaps, and the velocities at which they
  /// slide.
  class LagrangianContacts
  {
  public:
    LagrangianContacts(const LagrangianParameters &parameters,
                       const LagrangianNames      &names);

    struct Contact
    {
      std::string                  name;
      ContactPoint                 point; ///< with the number of directions
      std::vector<ContactSet::Row> rows;  ///< coefficients where constant
      double offset = 0; ///< of the gap, where directions are constant
    };

    const std::vector<Contact> &
    all() const
    {
      return contacts;
    }

    std::vector<std::string>
    contact_names() const;

    bool
    has_constant_directions() const
    {
      return is_constant;
    }

    /// Gaps, coefficients and rates for ContactSet::Geometry, one after the
    /// other.
    const CompiledFormulas &
    geometry() const
    {
      return compiled;
    }

  private:
    /// For each contact the velocity of its surface, as a formula of
    /// velocities.
    std::vector<std::vector<Formula>>
    read_sliding(const LagrangianParameters &parameters) const;

    void
    read_coefficients(const LagrangianParameters &parameters);

    void
    set_constants(const std::vector<Formula> &gaps,
                  const std::vector<Formula> &coefficients);

    void
    compile(const std::vector<Formula> &gaps,
            const std::vector<Formula> &coefficients,
            const std::vector<Formula> &rates);

    /// Rows and rates of one direction with the velocity @p u.
    void
    add_direction(const Formula        &u,
                  Contact              &contact,
                  std::vector<Formula> &coefficients,
                  std::vector<Formula> &rates);

    const LagrangianNames &names;
    std::vector<Contact>   contacts;
    bool                   is_constant = true;
    CompiledFormulas       compiled;
  };
} // namespace Percuss
