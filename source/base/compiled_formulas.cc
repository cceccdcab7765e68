// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/formula.h>

#include <deal.II/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <tuple>

#include "formula_functions.h"
#include "formula_terms.h"

namespace Percuss
{
  /// Writes the operations. Each one is written once: the same kind with the
  /// same registers is the same result. What depends on constants only is one.
  class CompiledFormulas::Compiler
  {
  public:
    Compiler(CompiledFormulas &program)
      : program(program)
      , terms(program.n_variables)
      , is_constant(program.n_variables, false)
    {
      program.registers.resize(program.n_variables);
    }

    unsigned int
    compile(const GiNaC::ex &e)
    {
      return value(terms.convert(e));
    }

  private:
    using Term      = FormulaTerms::Term;
    using Signature = FormulaTerms::Signature;
    using Function  = double (*)(double);

    unsigned int
    value(const Term &term);

    /// The term's value without its coefficient.
    unsigned int
    product(const Term &term);

    /// The product of all base^n with n > 0, or base^-n with n < 0.
    unsigned int
    product_of(const Term &term, bool positive);

    unsigned int
    power(unsigned int base, const GiNaC::numeric &exponent);

    unsigned int
    base(Signature signature);

    unsigned int
    sum(const std::vector<Term> &summands);

    unsigned int
    constant(double number);

    unsigned int
    add_register(double number, bool constant);

    unsigned int
    write(Kind         kind,
          unsigned int a,
          unsigned int b        = 0,
          unsigned int c        = 0,
          Function     function = nullptr);

    using Key =
      std::tuple<Kind, unsigned int, unsigned int, unsigned int, Function>;

    CompiledFormulas                     &program;
    FormulaTerms                          terms;
    std::vector<bool>                     is_constant;
    std::map<Signature, unsigned int>     bases;
    std::map<std::uint64_t, unsigned int> constants; // by their bits
    std::map<Key, unsigned int>           written;
  };



  unsigned int
  CompiledFormulas::Compiler::value(const Term &term)
  {
    const unsigned int c = constant(Symbolic::rounded(term.coefficient));
    if (term.factors.empty())
      return c;
    // c/b needs no 1/b.
    const bool is_reciprocal =
      std::all_of(term.factors.begin(),
                  term.factors.end(),
                  [](const auto &factor) { return factor.second < 0; });
    if (is_reciprocal)
      return write(Kind::divide, c, product_of(term, false));
    return write(Kind::multiply, c, product(term));
  }



  unsigned int
  CompiledFormulas::Compiler::product(const Term &term)
  {
    return write(Kind::divide, product_of(term, true), product_of(term, false));
  }



  unsigned int
  CompiledFormulas::Compiler::product_of(const Term &term, const bool positive)
  {
    unsigned int result = constant(1);
    for (const auto &[signature, exponent] : term.factors)
      if (exponent.is_positive() == positive)
        result = write(Kind::multiply,
                       result,
                       power(base(signature), GiNaC::abs(exponent)));
    return result;
  }



  unsigned int
  CompiledFormulas::Compiler::power(const unsigned int    base,
                                    const GiNaC::numeric &exponent)
  {
    const bool   has_root = !exponent.is_integer();
    unsigned int result =
      has_root ? write(Kind::square_root, base) : constant(1);
    unsigned int square = base;
    for (int n = GiNaC::iquo(exponent.numer(), exponent.denom()).to_int();
         n > 0;
         n /= 2)
      {
        if (n % 2 == 1)
          result = write(Kind::multiply, result, square);
        if (n > 1)
          square = write(Kind::multiply, square, square);
      }
    return result;
  }



  unsigned int
  CompiledFormulas::Compiler::base(const Signature signature)
  {
    const auto known = bases.find(signature);
    if (known != bases.end())
      return known->second;
    const FormulaTerms::Base &b      = terms.base(signature);
    unsigned int              result = b.number;
    std::vector<unsigned int> arguments;
    if (b.kind != FormulaTerms::Kind::sum)
      for (const Term &argument : b.arguments)
        arguments.push_back(value(argument));
    switch (b.kind)
      {
        case FormulaTerms::Kind::variable:
          break;
        case FormulaTerms::Kind::sum:
          result = sum(b.arguments);
          break;
        case FormulaTerms::Kind::function:
          result = write(Kind::function,
                         arguments[0],
                         0,
                         0,
                         Symbolic::functions()[b.number].evaluate);
          break;
        case FormulaTerms::Kind::power:
          result = write(Kind::power, arguments[0], arguments[1]);
          break;
        case FormulaTerms::Kind::arc_tangent:
          result = write(Kind::arc_tangent, arguments[0], arguments[1]);
          break;
        case FormulaTerms::Kind::choice:
          result = write(Kind::choice,
                         write(Kind::is_not_above, arguments[0], arguments[1]),
                         arguments[2],
                         arguments[3]);
          break;
      }
    return bases[signature] = result;
  }



  unsigned int
  CompiledFormulas::Compiler::sum(const std::vector<Term> &summands)
  {
    // First a number or a term without coefficient, which saves a product.
    std::size_t first = 0;
    for (std::size_t i = 0; i < summands.size(); ++i)
      if (summands[i].factors.empty() ||
          (summands[i].coefficient == 1 && !summands[first].factors.empty()))
        first = i;
    unsigned int result = value(summands[first]);
    for (std::size_t i = 0; i < summands.size(); ++i)
      {
        const double c = Symbolic::rounded(summands[i].coefficient);
        if (i == first)
          continue;
        const unsigned int p = product(summands[i]);
        if (c == 1)
          result = write(Kind::add, result, p);
        else if (c == -1)
          result = write(Kind::subtract, result, p);
        else
          result = write(Kind::multiply_add, constant(c), p, result);
      }
    return result;
  }



  unsigned int
  CompiledFormulas::Compiler::constant(const double number)
  {
    std::uint64_t bits;
    std::memcpy(&bits, &number, sizeof(bits));
    const auto known = constants.find(bits);
    if (known != constants.end())
      return known->second;
    return constants[bits] = add_register(number, true);
  }



  unsigned int
  CompiledFormulas::Compiler::add_register(const double number,
                                           const bool   constant)
  {
    program.registers.push_back(number);
    is_constant.push_back(constant);
    return program.registers.size() - 1;
  }



  unsigned int
  CompiledFormulas::Compiler::write(const Kind         kind,
                                    unsigned int       a,
                                    unsigned int       b,
                                    const unsigned int c,
                                    const Function     function)
  {
    const unsigned int one = constant(1);
    if (kind == Kind::multiply && (a == one || b == one))
      return a == one ? b : a;
    if (kind == Kind::divide && b == one)
      return a;
    if ((kind == Kind::multiply || kind == Kind::add) && a > b)
      std::swap(a, b);
    const bool      has_b = kind != Kind::square_root && kind != Kind::function;
    const bool      has_c = kind == Kind::multiply_add || kind == Kind::choice;
    const Operation operation{kind, a, b, c, 0, function};
    if (is_constant[a] && (!has_b || is_constant[b]) &&
        (!has_c || is_constant[c]))
      return constant(result(kind, operation, program.registers.data()));
    const auto [entry, is_new] =
      written.emplace(Key(kind, a, b, c, function), 0);
    if (is_new)
      {
        entry->second = add_register(0, false);
        program.operations.push_back(operation);
        program.operations.back().target = entry->second;
      }
    return entry->second;
  }



  CompiledFormulas::CompiledFormulas(const std::vector<Formula> &formulas,
                                     const FormulaNames         &names)
    : CompiledFormulas(formulas, names.n_variables())
  {}



  CompiledFormulas::CompiledFormulas(const std::vector<Formula> &formulas,
                                     const unsigned int          n_variables)
    : n_variables(n_variables)
  {
    Compiler compiler(*this);
    for (const Formula &formula : formulas)
      outputs.push_back(compiler.compile(*formula.expression));
    schedule();
  }



  void
  CompiledFormulas::schedule()
  {
    // Each time, take the kind of which most operations can be done.
    std::vector<bool> is_known(registers.size(), true);
    for (const Operation &operation : operations)
      is_known[operation.target] = false;
    std::vector<Operation> scheduled;
    while (!operations.empty())
      {
        std::vector<Operation> longest;
        for (unsigned int k = 0; k <= static_cast<unsigned int>(Kind::choice);
             ++k)
          {
            std::vector<Operation> run;
            for (const Operation &operation : operations)
              if (operation.kind == static_cast<Kind>(k) &&
                  is_known[operation.a] && is_known[operation.b] &&
                  is_known[operation.c])
                {
                  run.push_back(operation);
                  is_known[operation.target] = true;
                }
            for (const Operation &operation : run)
              is_known[operation.target] = false;
            if (run.size() > longest.size())
              longest = run;
          }
        for (const Operation &operation : longest)
          is_known[operation.target] = true;
        operations.erase(std::remove_if(operations.begin(),
                                        operations.end(),
                                        [&](const Operation &operation) {
                                          return is_known[operation.target];
                                        }),
                         operations.end());
        scheduled.insert(scheduled.end(), longest.begin(), longest.end());
        runs.push_back(
          {longest[0].kind, static_cast<unsigned int>(scheduled.size())});
      }
    operations = scheduled;
  }



  inline double
  CompiledFormulas::result(const Kind       kind,
                           const Operation &operation,
                           const double    *r)
  {
    const double a = r[operation.a];
    const double b = r[operation.b];
    switch (kind)
      {
        case Kind::add:
          return a + b;
        case Kind::subtract:
          return a - b;
        case Kind::multiply:
          return a * b;
        case Kind::divide:
          return a / b;
        case Kind::multiply_add:
          return a * b + r[operation.c];
        case Kind::square_root:
          return std::sqrt(a);
        case Kind::function:
          return operation.function(a);
        case Kind::power:
          return std::pow(a, b);
        case Kind::arc_tangent:
          return std::atan2(a, b);
        case Kind::is_not_above:
          return a <= b ? 1 :
                 a > b  ? 0 :
                          std::numeric_limits<double>::quiet_NaN();
        case Kind::choice:
          return a == 1 ? b : a == 0 ? r[operation.c] : a;
      }
    Assert(false, dealii::ExcInternalError());
    return 0;
  }



  template <CompiledFormulas::Kind kind>
  inline void
  CompiledFormulas::evaluate(const Operation *begin,
                             const Operation *end,
                             double          *r)
  {
    for (; begin != end; ++begin)
      r[begin->target] = result(kind, *begin, r);
  }



  void
  CompiledFormulas::evaluate(const double *variables, double *results) const
  {
    double *r = registers.data();
    std::copy(variables, variables + n_variables, r);
    const Operation *begin = operations.data();
    for (const Run &run : runs)
      {
        const Operation *end = operations.data() + run.end;
        switch (run.kind)
          {
            case Kind::add:
              evaluate<Kind::add>(begin, end, r);
              break;
            case Kind::subtract:
              evaluate<Kind::subtract>(begin, end, r);
              break;
            case Kind::multiply:
              evaluate<Kind::multiply>(begin, end, r);
              break;
            case Kind::divide:
              evaluate<Kind::divide>(begin, end, r);
              break;
            case Kind::multiply_add:
              evaluate<Kind::multiply_add>(begin, end, r);
              break;
            case Kind::square_root:
              evaluate<Kind::square_root>(begin, end, r);
              break;
            case Kind::function:
              evaluate<Kind::function>(begin, end, r);
              break;
            case Kind::power:
              evaluate<Kind::power>(begin, end, r);
              break;
            case Kind::arc_tangent:
              evaluate<Kind::arc_tangent>(begin, end, r);
              break;
            case Kind::is_not_above:
              evaluate<Kind::is_not_above>(begin, end, r);
              break;
            case Kind::choice:
              evaluate<Kind::choice>(begin, end, r);
              break;
          }
        begin = end;
      }
    for (std::size_t i = 0; i < outputs.size(); ++i)
      results[i] = r[outputs[i]];
  }
} // namespace Percuss
