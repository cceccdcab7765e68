// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "formula_terms.h"

#include <deal.II/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "formula_functions.h"

namespace Percuss
{
  namespace
  {
    using GiNaC::ex_to;
    using GiNaC::is_a;
    using GiNaC::numeric;

    /// FNV-1a, whose result is the same everywhere.
    FormulaTerms::Signature
    signature_of(const std::string &text)
    {
      FormulaTerms::Signature hash = 14695981039346656037u;
      for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
      return hash;
    }

    std::string
    description(const std::map<FormulaTerms::Signature, numeric> &factors)
    {
      std::ostringstream text;
      for (const auto &[signature, exponent] : factors)
        text << '*' << signature << '^' << exponent;
      return text.str();
    }

    std::string
    description(const FormulaTerms::Base &base)
    {
      std::ostringstream text;
      text << static_cast<int>(base.kind) << ' ' << base.number;
      for (const FormulaTerms::Term &argument : base.arguments)
        text << ',' << argument.coefficient << description(argument.factors);
      return text.str();
    }

    void
    multiply(FormulaTerms::Term &term, const FormulaTerms::Term &other)
    {
      term.coefficient *= other.coefficient;
      for (const auto &[signature, exponent] : other.factors)
        {
          numeric &sum = term.factors[signature];
          sum += exponent;
          if (sum.is_zero())
            term.factors.erase(signature);
        }
    }

    /// The base that a term consists of, or 0.
    FormulaTerms::Signature
    only_factor(const FormulaTerms::Term &term)
    {
      const bool is_one = term.coefficient == 1 && term.factors.size() == 1 &&
                          term.factors.begin()->second == 1;
      return is_one ? term.factors.begin()->first : 0;
    }
  } // namespace



  FormulaTerms::FormulaTerms(const unsigned int n_variables)
  {
    for (unsigned int i = 0; i < n_variables; ++i)
      known[Symbolic::variable(i)] = add_base({Kind::variable, i, {}});
  }



  FormulaTerms::Term
  FormulaTerms::convert(const GiNaC::ex &e)
  {
    const auto found = known.find(e);
    if (found != known.end())
      return found->second;
    return known[e] = convert_anew(e);
  }



  FormulaTerms::Term
  FormulaTerms::convert_anew(const GiNaC::ex &e)
  {
    if (is_a<numeric>(e))
      return {ex_to<numeric>(e), {}};
    if (is_a<GiNaC::constant>(e)) // pi, from simplifications
      return {Symbolic::exact(ex_to<numeric>(e.evalf()).to_double()), {}};
    if (is_a<GiNaC::symbol>(e))
      throw std::invalid_argument("a formula has a variable without a name");
    if (is_a<GiNaC::add>(e))
      return convert_sum(e);
    if (is_a<GiNaC::power>(e))
      return convert_power(e);
    if (is_a<GiNaC::function>(e))
      return convert_function(ex_to<GiNaC::function>(e));
    Assert(is_a<GiNaC::mul>(e), dealii::ExcInternalError());
    Term product;
    for (const GiNaC::ex factor : e)
      multiply(product,
               is_a<GiNaC::add>(factor) ? normalised(convert(factor)) :
                                          convert(factor));
    return product;
  }



  FormulaTerms::Term
  FormulaTerms::convert_sum(const GiNaC::ex &e)
  {
    std::map<Signature, Term> terms;
    for (const GiNaC::ex part : e)
      {
        const Term term      = convert(part);
        const auto signature = signature_of(description(term.factors));
        const auto position  = terms.emplace(signature, term);
        if (!position.second)
          position.first->second.coefficient += term.coefficient;
      }
    Base sum{Kind::sum, 0, {}};
    for (const auto &entry : terms)
      if (!entry.second.coefficient.is_zero())
        sum.arguments.push_back(entry.second);
    if (sum.arguments.empty())
      return {0, {}};
    return sum.arguments.size() == 1 ? sum.arguments[0] : add_base(sum);
  }



  FormulaTerms::Term
  FormulaTerms::convert_power(const GiNaC::ex &e)
  {
    const numeric exponent = ex_to<numeric>(e.op(1));
    Term          base     = convert(e.op(0));
    if (!exponent.is_integer())
      {
        if (base.factors.empty())
          return {Symbolic::exact(std::pow(Symbolic::rounded(base.coefficient),
                                           Symbolic::rounded(exponent))),
                  {}};
        if (only_factor(base) == 0)
          base = add_base({Kind::sum, 0, {base}});
      }
    else
      base = normalised(base);
    base.coefficient = base.coefficient.power(exponent);
    for (auto &factor : base.factors)
      factor.second *= exponent;
    return base;
  }



  FormulaTerms::Term
  FormulaTerms::normalised(const Term &sum)
  {
    const Signature signature = only_factor(sum);
    if (signature == 0 || bases.at(signature).kind != Kind::sum)
      return sum;
    Base    base      = bases.at(signature);
    numeric numerator = 0, denominator = 1;
    for (const Term &term : base.arguments)
      {
        numerator   = GiNaC::gcd(numerator, term.coefficient.numer());
        denominator = GiNaC::lcm(denominator, term.coefficient.denom());
      }
    const numeric content = numerator / denominator;
    int           length  = 0; // of the largest one in bits
    for (const Term &term : base.arguments)
      length =
        std::max(length, GiNaC::abs(term.coefficient / content).int_length());
    const numeric factor = content * numeric(2).power(numeric(length - 1)) *
                           base.arguments[0].coefficient.csgn();
    for (Term &term : base.arguments)
      term.coefficient /= factor;
    Term result        = add_base(base);
    result.coefficient = factor;
    return result;
  }



  FormulaTerms::Term
  FormulaTerms::convert_function(const GiNaC::function &f)
  {
    const unsigned int serial = f.get_serial();
    Base               base{Kind::function, 0, {}};
    for (const GiNaC::ex &argument : f)
      base.arguments.push_back(convert(argument));
    if (serial == Symbolic::power_serial())
      base.kind = Kind::power;
    else if (serial == Symbolic::arc_tangent_serial())
      base.kind = Kind::arc_tangent;
    else if (serial == Symbolic::choice_serial())
      base.kind = Kind::choice;
    else
      {
        const auto &functions = Symbolic::functions();
        while (base.number < functions.size() &&
               functions[base.number].serial != serial)
          ++base.number;
        AssertThrow(base.number < functions.size(), dealii::ExcInternalError());
      }
    return add_base(base);
  }



  FormulaTerms::Term
  FormulaTerms::add_base(const Base &base)
  {
    const Signature signature = signature_of(description(base));
    bases.emplace(signature, base);
    return {1, {{signature, 1}}};
  }
} // namespace Percuss
