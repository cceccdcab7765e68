// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/formula.h>

#include <ginac/ginac.h>

#include <string>
#include <vector>

namespace Percuss
{
  /// Reads a formula by recursive descent:
  ///   sum     = product { (+ | -) product }
  ///   product = signed { (* | /) signed }
  ///   signed  = { + | - } power
  ///   power   = operand [ ^ signed ]
  ///   operand = number | name | function ( sum { , sum } ) | ( sum )
  ///           | name ( sum ), where names may be shifted
  class FormulaParser
  {
  public:
    FormulaParser(const std::string &text, const FormulaNames &names);

    /// @throws std::invalid_argument with column and reason.
    GiNaC::ex
    parse();

    /// Enough for all that the formula uses.
    unsigned int
    n_variables() const
    {
      return n_used;
    }

    /// Functions and constants that every formula knows.
    static const std::vector<std::string> &
    reserved_names();

    /// The length of the name at the beginning of @p text, or 0.
    static std::size_t
    length_of_name(const std::string &text, std::size_t begin = 0);

  private:
    GiNaC::ex
    sum();
    GiNaC::ex
    product();
    GiNaC::ex
    with_sign();
    GiNaC::ex
    power();
    GiNaC::ex
    operand();
    GiNaC::ex
    number();
    GiNaC::ex
    name();
    GiNaC::ex
    call(const std::string &function, std::size_t begin);
    /// A variable at another time.
    GiNaC::ex
    shifted(unsigned int variable, std::size_t begin);

    /// The next character that is no space, or 0 at the end.
    char
    next();

    /// Whether @p character comes next; it is passed then.
    bool
    pass(char character);

    /// Passes the parenthesis that closes the one at @p opening.
    void
    close(std::size_t opening);

    /// @p action's result; its errors get the column of @p begin.
    template <typename Action>
    GiNaC::ex
    at(std::size_t begin, const Action &action) const;

    [[noreturn]] void
    fail(std::size_t where, const std::string &reason) const;

    /// Fails where an operator or the end should be, or an operand.
    [[noreturn]] void
    fail_at_operator();
    [[noreturn]] void
    fail_at_operand();

    [[noreturn]] void
    fail_at_name(const std::string &word, std::size_t begin) const;

    /// A character, whole also in UTF-8, in quotes.
    std::string
    quoted_character(std::size_t where) const;

    const std::string  &text;
    const FormulaNames &names;
    std::size_t         position = 0;
    unsigned int        depth    = 0;
    unsigned int        n_used;
  };
} // namespace Percuss
