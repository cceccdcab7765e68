// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace GiNaC
{
  class ex;
}

namespace Percuss
{
  class Formula;

  /// The names that formulas may use: variables, whose values come with each
  /// evaluation in the order of declaration, and constants.
  class FormulaNames
  {
  public:
    /// A name is a letter or underscore, then letters, digits and underscores,
    /// then primes: "phi", "phi'", "l_0".
    /// @throws std::invalid_argument with the reason, where @p name is no such
    /// name, is used already, or is a function or one of the constants pi, e.
    void
    add_variable(const std::string &name);

    /// Constants enter formulas as numbers: with k = 0, k*x vanishes.
    /// @throws std::invalid_argument as above, or if @p value is not finite.
    void
    add_constant(const std::string &name, double value);

    /// A variable that formulas cannot name, with a text for people.
    void
    add_nameless_variable(const std::string &text)
    {
      variables.push_back(text);
    }

    /// What "x(t - 1)" means, for a variable x: the number of the variable that
    /// stands for it. It gets the number of x, the formula in parentheses and
    /// the whole text, and may refuse by std::invalid_argument.
    using Shift = std::function<
      unsigned int(unsigned int, const Formula &, const std::string &)>;

    void
    set_shift(const Shift &meaning)
    {
      shifted = meaning;
    }

    /// Empty where there are no such variables.
    const Shift &
    shift() const
    {
      return shifted;
    }

    unsigned int
    n_variables() const
    {
      return variables.size();
    }

    const std::string &
    variable_name(unsigned int variable) const
    {
      return variables[variable];
    }

    /// In the order of declaration.
    const std::vector<std::string> &
    variable_names() const
    {
      return variables;
    }

    /// The values of all constants but pi and e.
    const std::map<std::string, double> &
    all_constants() const
    {
      return constants;
    }

  private:
    void
    check_new_name(const std::string &name) const;

    std::vector<std::string>      variables;
    std::map<std::string, double> constants;
    Shift                         shifted;
  };



  /// A formula of numbered variables with exact derivatives. A value, cheap to
  /// copy.
  ///
  /// The syntax is muParser's, as in Expression: + - * / ^ (from the right,
  /// stronger than a sign: -2^2 = -4), parentheses, the constants pi and e, and
  /// sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp ln log2
  /// log10 sqrt abs sign, atan2(y, x), min and max of two or more, and step(x),
  /// which is 1 for x >= 0 and 0 otherwise. There is no "log", which is ln to
  /// some and log10 to others, and no comparison. Numbers keep the value of the
  /// double that they are read as.
  ///
  /// GiNaC differentiates: exactly, and it simplifies, so that most of what
  /// vanishes is seen to vanish (sin^2 + cos^2 is not seen to be 1, though).
  /// What it does not know or would take for complex (ln and powers of negative
  /// numbers, abs, min, max) is added such that it is real: sqrt(x^2) = abs(x),
  /// abs' = sign, sign' = 0, and min and max have the derivative of the
  /// argument that they return. The text is read by a parser of our own:
  /// GiNaC's errors have no columns, and muParser knows values only.
  ///
  /// GiNaC counts references without locks: one thread at a time.
  class Formula
  {
  public:
    /// @throws std::invalid_argument if @p value is not finite.
    Formula(double value = 0);

    /// @throws std::invalid_argument with column, counted from 1, and reason:
    /// "column 7: 'phj' is not known; did you mean 'phi'?". A part without
    /// variables that is no finite number, such as sqrt(-1), is an error too.
    Formula(const std::string &text, const FormulaNames &names);

    /// The variable of this number, as a formula.
    static Formula
    variable(unsigned int variable);

    Formula
    derivative(unsigned int variable) const;

    bool
    is_zero() const;

    bool
    is_constant() const;

    bool
    depends_on(unsigned int variable) const;

    /// Of a constant formula.
    double
    value() const;

    /// The formula where a variable is zero.
    Formula
    at_zero(unsigned int variable) const;

    Formula &
    operator+=(const Formula &other);
    Formula &
    operator-=(const Formula &other);
    Formula &
    operator*=(const Formula &other);
    /// @throws std::invalid_argument if @p other is zero.
    Formula &
    operator/=(const Formula &other);
    Formula
    operator-() const;

  private:
    explicit Formula(const GiNaC::ex &e);

    std::shared_ptr<const GiNaC::ex> expression;

    friend class CompiledFormulas;
    friend class FormulaParser;
  };

  Formula
  operator+(Formula a, const Formula &b);
  Formula
  operator-(Formula a, const Formula &b);
  Formula
  operator*(Formula a, const Formula &b);
  Formula
  operator/(Formula a, const Formula &b);



  /// All numbers between two.
  struct ValueRange
  {
    double lower, upper;
  };



  /// Formulas compiled together into one list of operations on registers, one
  /// or two nanoseconds each; what the formulas share is computed once, which
  /// muParser could not do. The list is the same in every run and on every
  /// rank, and hence are the results, to the last bit, though GiNaC's order of
  /// terms changes from run to run.
  class CompiledFormulas
  {
  public:
    CompiledFormulas() = default;

    /// @throws std::invalid_argument where a coefficient is beyond the range of
    /// double, or a variable has no name.
    CompiledFormulas(const std::vector<Formula> &formulas,
                     const FormulaNames         &names);

    /// The formulas' values, which may be infinite or NaN, at the values of all
    /// variables. Allocates nothing; one thread at a time for each object.
    void
    evaluate(const double *variables, double *results) const;

    /// Intervals that hold the formulas' values wherever the variables are in
    /// theirs, by interval arithmetic: wider than they would have to be, to
    /// infinity where little is known, but never too narrow by more than
    /// round-off. Values that are no numbers do not count.
    void
    bound(const ValueRange *variables, ValueRange *results) const;

    unsigned int
    size() const
    {
      return outputs.size();
    }

    unsigned int
    n_operations() const
    {
      return operations.size();
    }

  private:
    class Compiler;
    friend class Formula;

    CompiledFormulas(const std::vector<Formula> &formulas,
                     unsigned int                n_variables);

    enum class Kind : unsigned int
    {
      add,          // a + b
      subtract,     // a - b
      multiply,     // a b
      divide,       // a / b
      multiply_add, // a b + c
      square_root,  // of a
      function,     // of a
      power,        // a^b
      arc_tangent,  // of a / b, with quadrant
      is_not_above, // a <= b: 1, 0, or NaN if one of them is
      choice        // b where a is 1, c where it is 0, else NaN
    };

    struct Operation
    {
      Kind         kind;
      unsigned int a, b, c; // registers
      unsigned int target;
      double (*function)(double);
    };

    /// Operations of one kind in a row, which is decided upon once for all.
    struct Run
    {
      Kind         kind;
      unsigned int end;
    };

    static double
    result(Kind kind, const Operation &operation, const double *registers);

    /// Evaluates a run.
    template <Kind kind>
    static void
    evaluate(const Operation *begin, const Operation *end, double *registers);

    /// Of one operation.
    static ValueRange
    bounds(const Operation &operation, const ValueRange *registers);

    /// Reorders the operations such that the runs are long.
    void
    schedule();

    unsigned int                    n_variables = 0;
    std::vector<Operation>          operations;
    std::vector<Run>                runs;
    std::vector<unsigned int>       outputs;
    mutable std::vector<double>     registers; // variables, constants, results
    mutable std::vector<ValueRange> ranges;    // the same
  };
} // namespace Percuss
