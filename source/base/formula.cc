// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/formula.h>

#include <deal.II/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "formula_functions.h"
#include "formula_parser.h"

namespace Percuss
{
  void
  FormulaNames::check_new_name(const std::string &name) const
  {
    const auto &reserved = FormulaParser::reserved_names();
    if (name.empty() || FormulaParser::length_of_name(name) != name.size())
      throw std::invalid_argument(
        "'" + name +
        "' is no name: letters, digits and '_', a letter first, primes last");
    if (std::find(reserved.begin(), reserved.end(), name) != reserved.end())
      throw std::invalid_argument(
        "'" + name + "' is " +
        (name == "pi" || name == "e" ? "a constant" : "a function") +
        " of all formulas");
    if (constants.count(name) > 0 ||
        std::count(variables.begin(), variables.end(), name) > 0)
      throw std::invalid_argument("the name '" + name + "' is used twice");
  }



  void
  FormulaNames::add_variable(const std::string &name)
  {
    check_new_name(name);
    variables.push_back(name);
  }



  void
  FormulaNames::add_constant(const std::string &name, const double value)
  {
    check_new_name(name);
    if (!std::isfinite(value))
      throw std::invalid_argument("the constant '" + name + "' is not finite");
    constants[name] = value;
  }



  Formula::Formula(const double value)
    : Formula(GiNaC::ex(Symbolic::exact(value)))
  {}



  Formula::Formula(const std::string &text, const FormulaNames &names)
  {
    FormulaParser parser(text, names);
    expression = std::make_shared<const GiNaC::ex>(parser.parse());
    try
      {
        CompiledFormulas({*this}, parser.n_variables());
      }
    catch (const std::exception &error)
      {
        throw std::invalid_argument(std::string("column 1: ") + error.what());
      }
  }



  Formula::Formula(const GiNaC::ex &e)
    : expression(std::make_shared<const GiNaC::ex>(e))
  {}



  Formula
  Formula::variable(const unsigned int variable)
  {
    return Formula(Symbolic::variable(variable));
  }



  Formula
  Formula::derivative(const unsigned int variable) const
  {
    return Formula(expression->diff(
      GiNaC::ex_to<GiNaC::symbol>(Symbolic::variable(variable))));
  }



  bool
  Formula::is_zero() const
  {
    return expression->is_zero() || expression->expand().is_zero();
  }



  bool
  Formula::is_constant() const
  {
    const GiNaC::ex expanded = expression->expand();
    for (auto part = expanded.preorder_begin(); part != expanded.preorder_end();
         ++part)
      if (GiNaC::is_a<GiNaC::symbol>(*part))
        return false;
    return true;
  }



  bool
  Formula::depends_on(const unsigned int variable) const
  {
    return expression->expand().has(Symbolic::variable(variable));
  }



  double
  Formula::value() const
  {
    Assert(is_constant(), dealii::ExcMessage("The formula has variables."));
    double result = 0;
    CompiledFormulas({Formula(expression->expand())}, 0)
      .evaluate(nullptr, &result);
    return result;
  }



  Formula
  Formula::at_zero(const unsigned int variable) const
  {
    return Formula(
      expression->subs(Symbolic::variable(variable) == 0).expand());
  }



  Formula &
  Formula::operator+=(const Formula &other)
  {
    return *this = Formula(*expression + *other.expression);
  }



  Formula &
  Formula::operator-=(const Formula &other)
  {
    return *this = Formula(*expression - *other.expression);
  }



  Formula &
  Formula::operator*=(const Formula &other)
  {
    return *this = Formula(*expression * *other.expression);
  }



  Formula &
  Formula::operator/=(const Formula &other)
  {
    if (other.is_zero())
      throw std::invalid_argument("a formula is divided by zero");
    return *this = Formula(*expression / *other.expression);
  }



  Formula
  Formula::operator-() const
  {
    return Formula(-*expression);
  }



  Formula
  operator+(Formula a, const Formula &b)
  {
    return a += b;
  }



  Formula
  operator-(Formula a, const Formula &b)
  {
    return a -= b;
  }



  Formula
  operator*(Formula a, const Formula &b)
  {
    return a *= b;
  }



  Formula
  operator/(Formula a, const Formula &b)
  {
    return a /= b;
  }
} // namespace Percuss
