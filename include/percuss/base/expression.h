// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace mu
{
  class Parser;
}

namespace Percuss
{
  /// A formula of named variables, for example "0.1*sin(pi*x)": muParser's
  /// syntax, with the constants pi and e. Compiled once, when it is assigned.
  class Expression
  {
  public:
    Expression(const std::string              &formula,
               const std::vector<std::string> &variables);
    Expression(const Expression &other);
    Expression &
    operator=(const Expression &other);
    ~Expression();

    /// Replaces the formula.
    /// @throws std::invalid_argument with the column and the reason.
    void
    assign(const std::string &new_formula);

    /// The value at the variables' values, in their order.
    double
    operator()(double first, double second = 0) const;

    const std::string &
    formula() const
    {
      return text;
    }

    const std::vector<std::string> &
    variables() const
    {
      return names;
    }

    /// Whether the formula is a number that depends on no variable.
    bool
    is_constant() const;

  private:
    std::string                 text;
    std::vector<std::string>    names;
    mutable std::vector<double> values;
    std::unique_ptr<mu::Parser> parser;
  };



  /// The three formulas of a vector, separated by semicolons: "0; t^2; -9.81".
  /// @throws std::invalid_argument with the reason and its column in all of
  /// @p text.
  std::array<Expression, 3>
  read_three_expressions(const std::string              &text,
                         const std::vector<std::string> &variables);
} // namespace Percuss
