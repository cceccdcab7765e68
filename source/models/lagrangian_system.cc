// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "lagrangian_system.h"

#include <algorithm>
#include <exception>
#include <sstream>

namespace Percuss
{
  namespace
  {
    bool
    are_constant(const std::vector<Formula> &formulas)
    {
      return std::all_of(formulas.begin(),
                         formulas.end(),
                         [](const Formula &formula) {
                           return formula.is_constant();
                         });
    }

    bool
    are_zero(const std::vector<Formula> &formulas)
    {
      return std::all_of(formulas.begin(),
                         formulas.end(),
                         [](const Formula &formula) {
                           return formula.is_zero();
                         });
    }

    /// For constant formulas, by rows.
    bool
    is_symmetric(const std::vector<Formula> &matrix, const unsigned int n)
    {
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < i; ++j)
          if (matrix[i * n + j].value() != matrix[j * n + i].value())
            return false;
      return true;
    }
  } // namespace



  LagrangianSystem::LagrangianSystem(const LagrangianParameters &parameters,
                                     const LagrangianNames      &names)
    : names(names)
    , past(names)
  {
    const FormulaEntry kinetic("kinetic energy", parameters.kinetic_energy);
    const FormulaEntry potential("potential energy",
                                 parameters.potential_energy);
    const Formula      T = kinetic.formula(kinetic.whole(), names.all);
    const Formula      V = potential.formula(potential.whole(), names.all);
    const unsigned int n = names.size();
    Formulas           p, b, h;
    const Formulas     f = read_forces(parameters);
    variables            = past.all_names();
    for (unsigned int i = 0; i < n; ++i)
      {
        if (V.depends_on(names.velocity(i)))
          potential.refuse("it depends on the velocity " +
                           names.coordinates[i] +
                           "'; such forces belong to 'forces'.");
        p.push_back(T.derivative(names.velocity(i)));
        b.push_back((T - V).derivative(names.position(i)) + f[i]);
      }
    const Formulas M = differentiate(p, Argument::velocity);
    for (const Formula &mass : M)
      for (unsigned int i = 0; i < n; ++i)
        if (mass.depends_on(names.velocity(i)))
          kinetic.refuse("it is not quadratic in the velocities.");
    const Formulas by_position = differentiate(p, Argument::position);
    for (unsigned int i = 0; i < n; ++i)
      {
        h.push_back(b[i] - p[i].derivative(names.time()));
        for (unsigned int j = 0; j < n; ++j)
          h[i] -= by_position[i * n + j] * Formula::variable(names.velocity(j));
      }
    compile(Term::momentum, p);
    compile(Term::gradient, b);
    compile(Term::force, h);
    compile_past(h);
    find_kind(T, V, M, h, f);
    compile_loads(f);
    compile_energies(T, V, M);
  }



  /// The part of T that is quadratic in the velocities, the rest of the energy
  /// (of Jacobi, for T = T_2 + T_1 + T_0: T_2 + V - T_0), its power by explicit
  /// time, and T itself.
  void
  LagrangianSystem::compile_energies(const Formula  &T,
                                     const Formula  &V,
                                     const Formulas &M)
  {
    const unsigned int n = names.size();
    Formula            T2, rest = V - at_rest(T);
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = 0; j < n; ++j)
        T2 += 0.5 * M[i * n + j] * Formula::variable(names.velocity(i)) *
              Formula::variable(names.velocity(j));
    const Formula power = (V - T).derivative(names.time());
    rheonomic           = !power.is_zero();
    compiled_energies   = CompiledFormulas({T2, rest, power, T}, variables);
  }



  Formula
  LagrangianSystem::at_rest(Formula formula) const
  {
    for (unsigned int i = 0; i < names.size(); ++i)
      formula = formula.at_zero(names.velocity(i));
    return formula;
  }



  /// What is left of the forces at rest drives, the other part damps.
  void
  LagrangianSystem::compile_loads(const Formulas &f)
  {
    Formulas load, damping;
    for (const Formula &force : f)
      {
        Formula driving = force;
        try
          {
            driving = at_rest(force);
          }
        catch (const std::exception &)
          {
            // Such as x'/abs(x'), which is nothing at rest.
          }
        load.push_back(driving);
        damping.push_back(force - driving);
      }
    loaded = !are_zero(load);
    damped = !are_zero(damping);
    compile(Term::load, load);
    compile(Term::damping, damping);
  }



  LagrangianSystem::Formulas
  LagrangianSystem::read_forces(const LagrangianParameters &parameters)
  {
    Formulas           forces(names.size());
    const FormulaEntry entry("forces", parameters.forces);
    const FormulaNames with_past = past.names_with_past();
    for (const auto &item : entry.items())
      forces[entry.find(item, names.coordinates, "coordinate")] =
        entry.formula(item.text, with_past);
    return forces;
  }



  LagrangianSystem::Formulas
  LagrangianSystem::differentiate(const Formulas &formulas,
                                  const Argument  argument) const
  {
    Formulas result;
    for (const Formula &formula : formulas)
      for (unsigned int i = 0; i < names.size(); ++i)
        result.push_back(formula.derivative(argument == Argument::position ?
                                              names.position(i) :
                                              names.velocity(i)));
    return result;
  }



  void
  LagrangianSystem::find_kind(const Formula  &T,
                              const Formula  &V,
                              const Formulas &M,
                              const Formulas &forces,
                              const Formulas &loads)
  {
    const Formulas K = differentiate(forces, Argument::position);
    const Formulas C = differentiate(forces, Argument::velocity);
    linear           = are_constant(M) && are_constant(K) && are_constant(C) &&
             is_symmetric(K, names.size()) && is_symmetric(C, names.size()) &&
             are_zero(differentiate(loads, Argument::position)) &&
             !V.depends_on(names.time()) && !T.depends_on(names.time());
    // T has neither a part without velocities nor one linear in them.
    linear = linear && at_rest(T).is_zero();
    for (unsigned int i = 0; i < names.size(); ++i)
      linear = linear && at_rest(T.derivative(names.velocity(i))).is_zero();
  }



  void
  LagrangianSystem::compile(const Term which, const Formulas &formulas)
  {
    CompiledTerm &term = terms[static_cast<unsigned int>(which)];
    term.values        = CompiledFormulas(formulas, variables);
    term.by_position =
      CompiledFormulas(differentiate(formulas, Argument::position), variables);
    term.by_velocity =
      CompiledFormulas(differentiate(formulas, Argument::velocity), variables);
  }



  void
  LagrangianSystem::compile_past(const Formulas &forces)
  {
    Formulas derivatives;
    for (const Formula &force : forces)
      for (unsigned int i = 0; i < past.size(); ++i)
        derivatives.push_back(force.derivative(past.variable(i)));
    compiled_by_past = CompiledFormulas(derivatives, variables);
  }



  LagrangianContacts::LagrangianContacts(const LagrangianParameters &parameters,
                                         const LagrangianNames      &names)
    : names(names)
  {
    const FormulaEntry   entry("contacts/gaps", parameters.contacts.gaps);
    std::vector<Formula> gaps, coefficients, rates;
    for (const auto &item : entry.items())
      {
        const Formula gap = entry.formula(item.text, names.all);
        for (unsigned int i = 0; i < names.size(); ++i)
          if (gap.depends_on(names.velocity(i)))
            entry.refuse("the gap '" + item.name + "' depends on a velocity.");
        bool has_coordinate = false;
        for (unsigned int i = 0; i < names.size(); ++i)
          has_coordinate |= gap.depends_on(names.position(i));
        if (!has_coordinate)
          entry.refuse("the gap '" + item.name + "' depends on no coordinate.");
        contacts.push_back({item.name, {}, {}, 0});
        gaps.push_back(gap);
      }
    read_coefficients(parameters);
    const auto sliding = read_sliding(parameters);
    for (std::size_t c = 0; c < contacts.size(); ++c)
      {
        Formula rate = gaps[c].derivative(names.time());
        for (unsigned int i = 0; i < names.size(); ++i)
          rate += gaps[c].derivative(names.position(i)) *
                  Formula::variable(names.velocity(i));
        add_direction(rate, contacts[c], coefficients, rates);
        for (const Formula &u : sliding[c])
          add_direction(u, contacts[c], coefficients, rates);
        contacts[c].point.n_directions =
          static_cast<unsigned int>(contacts[c].rows.size());
      }
    is_constant = are_constant(coefficients) && are_zero(rates);
    if (is_constant)
      set_constants(gaps, coefficients);
    else
      compile(gaps, coefficients, rates);
  }



  /// With constant slopes and rates a gap is linear.
  void
  LagrangianContacts::set_constants(const std::vector<Formula> &gaps,
                                    const std::vector<Formula> &coefficients)
  {
    std::size_t next = 0;
    for (std::size_t c = 0; c < contacts.size(); ++c)
      {
        Formula offset = gaps[c];
        for (unsigned int i = 0; i < names.size(); ++i)
          offset = offset.at_zero(names.position(i));
        contacts[c].offset = offset.value();
        for (ContactSet::Row &row : contacts[c].rows)
          for (auto &entry : row)
            entry.second = coefficients[next++].value();
      }
  }



  void
  LagrangianContacts::compile(const std::vector<Formula> &gaps,
                              const std::vector<Formula> &coefficients,
                              const std::vector<Formula> &rates)
  {
    std::vector<Formula> all_formulas;
    for (std::size_t c = 0; c < contacts.size(); ++c)
      {
        all_formulas.push_back(gaps[c]);
        all_formulas.resize(all_formulas.size() + contacts[c].rows.size() - 1);
      }
    all_formulas.insert(all_formulas.end(),
                        coefficients.begin(),
                        coefficients.end());
    all_formulas.insert(all_formulas.end(), rates.begin(), rates.end());
    compiled = CompiledFormulas(all_formulas, names.all);
  }



  std::vector<std::string>
  LagrangianContacts::contact_names() const
  {
    std::vector<std::string> result;
    for (const Contact &contact : contacts)
      result.push_back(contact.name);
    return result;
  }



  void
  LagrangianContacts::read_coefficients(const LagrangianParameters &parameters)
  {
    const auto read = [&](const std::string &name,
                          const std::string &text,
                          const double       largest) {
      const FormulaEntry entry("contacts/" + name, text);
      const auto         values =
        entry.numbers(contact_names(), "contact of 'gaps'", names.constants);
      for (const double value : values)
        if (!(value >= 0 && value <= largest))
          {
            std::ostringstream reason;
            reason << value << " is out of range, from 0 to " << largest << ".";
            entry.refuse(reason.str());
          }
      return values;
    };
    const auto &text        = parameters.contacts;
    const auto  restitution = read("restitution", text.restitution, 1);
    const auto  friction    = read("friction", text.friction, 1e6);
    const auto  tangential =
      read("tangential restitution", text.tangential_restitution, 1);
    for (std::size_t c = 0; c < contacts.size(); ++c)
      {
        contacts[c].point.restitution            = restitution[c];
        contacts[c].point.friction               = friction[c];
        contacts[c].point.tangential_restitution = tangential[c];
      }
  }



  std::vector<std::vector<Formula>>
  LagrangianContacts::read_sliding(const LagrangianParameters &parameters) const
  {
    std::vector<std::vector<Formula>> sliding(contacts.size());
    const auto read = [&](const FormulaEntry &entry, const bool is_position) {
      for (const auto &item : entry.items())
        {
          auto &velocities =
            sliding[entry.find(item, contact_names(), "contact of 'gaps'")];
          if (!velocities.empty())
            entry.refuse("'" + item.name + "' has a sliding velocity already.");
          for (const auto &piece : entry.split(item.text, ","))
            {
              Formula u = entry.formula(piece, names.all);
              if (is_position)
                {
                  const Formula point = u;
                  u                   = point.derivative(names.time());
                  for (unsigned int i = 0; i < names.size(); ++i)
                    {
                      if (point.depends_on(names.velocity(i)))
                        entry.refuse("the point '" + item.name +
                                     "' depends on a velocity.");
                      u += point.derivative(names.position(i)) *
                           Formula::variable(names.velocity(i));
                    }
                }
              for (unsigned int i = 0; i < names.size(); ++i)
                for (unsigned int j = 0; j < names.size(); ++j)
                  if (u.derivative(names.velocity(i))
                        .depends_on(names.velocity(j)))
                    entry.refuse("'" + item.name +
                                 "' is not linear in the velocities.");
              velocities.push_back(u);
            }
          if (velocities.size() > 2)
            entry.refuse("'" + item.name +
                         "' has more than two tangential directions.");
        }
    };
    read({"contacts/sliding velocities",
          parameters.contacts.sliding_velocities},
         false);
    read({"contacts/sliding points", parameters.contacts.sliding_points}, true);
    for (std::size_t c = 0; c < contacts.size(); ++c)
      if (contacts[c].point.friction > 0 && sliding[c].empty())
        FormulaEntry("contacts/friction", "")
          .refuse("the contact '" + contacts[c].name +
                  "' has friction and needs an item of 'sliding velocities' "
                  "or 'sliding points'.");
    return sliding;
  }



  void
  LagrangianContacts::add_direction(const Formula        &u,
                                    Contact              &contact,
                                    std::vector<Formula> &coefficients,
                                    std::vector<Formula> &rates)
  {
    ContactSet::Row row;
    Formula         rate = u;
    for (unsigned int i = 0; i < names.size(); ++i)
      {
        const Formula coefficient = u.derivative(names.velocity(i));
        rate                      = rate.at_zero(names.velocity(i));
        if (coefficient.is_zero())
          continue;
        row.emplace_back(i, 0.);
        coefficients.push_back(coefficient);
      }
    contact.rows.push_back(row);
    rates.push_back(rate);
  }
} // namespace Percuss
