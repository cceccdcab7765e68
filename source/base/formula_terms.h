// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <ginac/ginac.h>

#include <cstdint>
#include <map>
#include <vector>

namespace Percuss
{
  /// Expressions in a form that is the same in every run. GiNaC's is not: its
  /// order of terms and factors follows addresses in memory, and with them the
  /// signs and factors that it takes out of sums in products.
  ///
  /// Everything is identified by a signature, a hash of what it is, and ordered
  /// by it.
  class FormulaTerms
  {
  public:
    using Signature = std::uint64_t;

    /// c * b_1^n_1 * b_2^n_2 ..., the n_i being integers or halves.
    struct Term
    {
      GiNaC::numeric                      coefficient = 1;
      std::map<Signature, GiNaC::numeric> factors; // exponents n_i of b_i
    };

    enum class Kind
    {
      variable,
      sum,
      function, // of one argument
      power,
      arc_tangent,
      choice
    };

    /// What a term is a product of.
    struct Base
    {
      Kind              kind;
      unsigned int      number = 0; // of the variable or function
      std::vector<Term> arguments;
    };

    explicit FormulaTerms(unsigned int n_variables);

    /// @throws std::invalid_argument if there are further variables.
    Term
    convert(const GiNaC::ex &e);

    const Base &
    base(const Signature signature) const
    {
      return bases.at(signature);
    }

  private:
    Term
    convert_anew(const GiNaC::ex &e);
    Term
    convert_sum(const GiNaC::ex &e);
    Term
    convert_power(const GiNaC::ex &e);
    Term
    convert_function(const GiNaC::function &f);

    /// Of a sum: one with coefficients that are coprime but for a power of two,
    /// the largest one from [1, 2) and the first one positive, times a number.
    Term
    normalised(const Term &sum);

    Term
    add_base(const Base &base);

    std::map<GiNaC::ex, Term, GiNaC::ex_is_less> known;
    std::map<Signature, Base>                    bases;
  };
} // namespace Percuss
