// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <ginac/ginac.h>

#include <string>
#include <vector>

/// What the parts of Formula have in common: real functions in GiNaC.
namespace Percuss::Symbolic
{
  /// The symbol of the variable of this number, the same for all formulas.
  const GiNaC::ex &
  variable(unsigned int number);

  /// The rational number that a double is.
  /// @throws std::invalid_argument if it is not finite.
  GiNaC::numeric
  exact(double number);

  /// The nearest double.
  /// @throws std::invalid_argument if it is beyond the range.
  double
  rounded(const GiNaC::numeric &number);

  /// A function of one argument.
  struct Function
  {
    std::string name;
    double (*evaluate)(double);
    /// GiNaC's number of the function, which is multiplied by the factor.
    unsigned int serial;
    double       factor = 1;
  };

  /// All of them, in a fixed order.
  const std::vector<Function> &
  functions();

  GiNaC::ex
  function_of(const Function &function, const GiNaC::ex &argument);

  /// base^exponent as a real number: numbers, a power of GiNaC, or
  /// power_serial.
  GiNaC::ex
  power(const GiNaC::ex &base, const GiNaC::ex &exponent);

  GiNaC::ex
  arc_tangent(const GiNaC::ex &y, const GiNaC::ex &x);

  /// @p c where a <= b, @p d elsewhere.
  GiNaC::ex
  choice(const GiNaC::ex &a,
         const GiNaC::ex &b,
         const GiNaC::ex &c,
         const GiNaC::ex &d);

  /// GiNaC's numbers of the functions of several arguments.
  unsigned int
  power_serial();
  unsigned int
  arc_tangent_serial();
  unsigned int
  choice_serial();
} // namespace Percuss::Symbolic
