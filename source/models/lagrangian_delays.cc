// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "lagrangian_delays.h"

#include <percuss/base/suggestion.h>

#include <cmath>
#include <stdexcept>

namespace Percuss
{
  FormulaNames
  LagrangianDelays::names_with_past()
  {
    FormulaNames result = names.all;
    result.set_shift(
      [this](const unsigned int of,
             const Formula     &earlier,
             const std::string &text) { return add(of, earlier, text); });
    return result;
  }



  FormulaNames
  LagrangianDelays::all_names() const
  {
    FormulaNames result = names.all;
    for (const Variable &variable : variables)
      result.add_nameless_variable(variable.text);
    return result;
  }



  unsigned int
  LagrangianDelays::add(const unsigned int of,
                        const Formula     &earlier,
                        const std::string &text)
  {
    const auto refuse = [](const std::string &reason) {
      throw std::invalid_argument(reason);
    };
    if (of == names.time())
      refuse("'t' is no function; products need a '*'");
    for (unsigned int i = 0; i < names.time(); ++i)
      if (earlier.depends_on(i))
        refuse("the delay in '" + text +
               "' depends on a coordinate or velocity; it may depend on t");
    if (!earlier.depends_on(names.time()) ||
        earlier.derivative(names.time()).is_zero())
      refuse("the time in '" + text +
             "' does not change; write 't - ' and a delay");
    for (unsigned int i = 0; i < variables.size(); ++i)
      if (variables[i].of == of && (variables[i].earlier - earlier).is_zero())
        return variable(i);
    variables.push_back({of, earlier, text});
    return variable(size() - 1);
  }



  Delays::Delay
  LagrangianDelays::make_delay(const Variable &variable) const
  {
    const Formula     tau  = Formula::variable(names.time()) - variable.earlier;
    const std::string text = variable.text;
    const std::string entry = "model/lagrangian/forces";
    if (tau.is_constant())
      return {[length = tau.value()](const double t) { return t - length; },
              true,
              text,
              entry};
    return {[earlier = CompiledFormulas({variable.earlier}, names.all),
             values =
               std::vector<double>(names.time() + 1)](const double t) mutable {
              values.back() = t;
              double result = 0;
              earlier.evaluate(values.data(), &result);
              return result;
            },
            false,
            text,
            entry};
  }



  void
  LagrangianDelays::add_to(Delays &delays, const bool owns_all) const
  {
    for (const Variable &variable : variables)
      {
        const bool         is_velocity = variable.of >= names.size();
        const unsigned int i =
          is_velocity ? variable.of - names.size() : variable.of;
        delays.add(
          Delays::Signal{variable.text,
                         is_velocity ? Argument::velocity : Argument::position,
                         delays.add(make_delay(variable)),
                         owns_all ? Delays::Row{{i, 1.}} : Delays::Row()});
      }
  }



  Delays::Past
  LagrangianDelays::read_past(const LagrangianParameters &parameters,
                              const std::vector<double>  &q,
                              const std::vector<double>  &v) const
  {
    const FormulaEntry entry("initial history", parameters.initial_history);
    FormulaNames       of_time = names.constants;
    of_time.add_variable("t");
    const Formula        t = Formula::variable(0);
    std::vector<Formula> motion;
    for (unsigned int i = 0; i < names.size(); ++i)
      motion.push_back(q[i] + v[i] * t);
    for (const auto &item : entry.items())
      motion[entry.find(item, names.coordinates, "coordinate")] =
        entry.formula(item.text, of_time);
    for (unsigned int i = 0; i < names.size(); ++i)
      motion.push_back(motion[i].derivative(0));
    const CompiledFormulas compiled(motion, of_time);
    std::vector<double>    values(motion.size());
    const double           start = 0;
    compiled.evaluate(&start, values.data());
    for (unsigned int i = 0; i < names.size(); ++i)
      if (!(std::abs(values[i] - q[i]) <= 1e-9 * (1 + std::abs(q[i]))))
        entry.refuse("'" + names.coordinates[i] + "' is " +
                     shortest_text(values[i]) +
                     " at t = 0, not the initial position " +
                     shortest_text(q[i]) + "; positions do not jump.");
    return [compiled, values, n = names.size()](const Argument     argument,
                                                const unsigned int i,
                                                const double time) mutable {
      compiled.evaluate(&time, values.data());
      return values[argument == Argument::position ? i : n + i];
    };
  }
} // namespace Percuss
