// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/expression.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/numbers.h>
#include <deal.II/base/utilities.h>

#include <muParser.h>

#include <stdexcept>

namespace Percuss
{
  Expression::Expression(const std::string              &formula,
                         const std::vector<std::string> &variables)
    : names(variables)
    , values(variables.size())
  {
    Assert(variables.size() <= 2, dealii::ExcNotImplemented());
    assign(formula);
  }



  Expression::Expression(const Expression &other)
    : Expression(other.text, other.names)
  {}



  Expression &
  Expression::operator=(const Expression &other)
  {
    if (this != &other)
      {
        names = other.names;
        values.assign(names.size(), 0.);
        assign(other.text);
      }
    return *this;
  }



  Expression::~Expression() = default;



  void
  Expression::assign(const std::string &new_formula)
  {
    auto compiled = std::make_unique<mu::Parser>();
    compiled->ClearConst();
    compiled->DefineConst("pi", dealii::numbers::PI);
    compiled->DefineConst("e", dealii::numbers::E);
    for (std::size_t i = 0; i < names.size(); ++i)
      compiled->DefineVar(names[i], &values[i]);
    for (std::size_t i = 0; i < new_formula.size(); ++i)
      if (new_formula[i] == '=' && new_formula[i + 1] != '=' &&
          (i == 0 ||
           std::string("=<>!").find(new_formula[i - 1]) == std::string::npos))
        throw std::invalid_argument("column " + std::to_string(i + 1) +
                                    ": it assigns by '='");
    try
      {
        compiled->SetExpr(new_formula);
        int n_results = 0;
        compiled->Eval(n_results);
        if (n_results != 1)
          throw std::invalid_argument(
            "it has a comma; decimals are written with a point");
      }
    catch (const mu::Parser::exception_type &error)
      {
        throw std::invalid_argument("column " +
                                    std::to_string(error.GetPos() + 1) + ": " +
                                    error.GetMsg());
      }
    parser = std::move(compiled);
    text   = new_formula;
  }



  double
  Expression::operator()(const double first, const double second) const
  {
    const double arguments[2] = {first, second};
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = arguments[i];
    return parser->Eval();
  }



  bool
  Expression::is_constant() const
  {
    return parser->GetUsedVar().empty();
  }



  std::array<Expression, 3>
  read_three_expressions(const std::string              &text,
                         const std::vector<std::string> &variables)
  {
    const Expression          zero("0", variables);
    std::array<Expression, 3> result = {{zero, zero, zero}};
    std::size_t               begin  = 0;
    for (unsigned int i = 0; i < 3; ++i)
      {
        const std::size_t end = text.find(';', begin);
        if ((end == std::string::npos) != (i == 2))
          throw std::invalid_argument(
            "it has not three formulas with semicolons between them");
        const std::string piece   = text.substr(begin, end - begin);
        const std::string trimmed = dealii::Utilities::trim(piece);
        if (trimmed.empty())
          throw std::invalid_argument("column " + std::to_string(begin + 1) +
                                      ": a formula is missing");
        // Blanks before it, so that columns are those of the whole text.
        result[i].assign(std::string(begin, ' ') + piece);
        result[i].assign(trimmed);
        begin = end + 1;
      }
    return result;
  }
} // namespace Percuss
