// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "formula_parser.h"

#include <percuss/base/suggestion.h>

#include <deal.II/base/numbers.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "formula_functions.h"

namespace Percuss
{
  namespace
  {
    /// An error that has its column already.
    struct FormulaError : std::invalid_argument
    {
      using std::invalid_argument::invalid_argument;
    };

    const unsigned int deepest = 200;

    bool
    is_digit(const char c)
    {
      return c >= '0' && c <= '9';
    }

    bool
    is_letter(const char c)
    {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }

    const Symbolic::Function &
    named_function(const std::string &name)
    {
      const auto &all = Symbolic::functions();
      return *std::find_if(all.begin(), all.end(), [&](const auto &candidate) {
        return candidate.name == name;
      });
    }

    /// Why a character that is no part of a formula is none.
    std::string
    reason_against(const char c, const char following)
    {
      if (c == '=' && following != '=')
        return "it assigns by '='";
      if (std::string("<>=!&|?:").find(c) != std::string::npos)
        return "comparisons and conditions have no derivative; write it with "
               "min, max, abs, sign or step";
      if (c == '*' && following == '*')
        return "powers are written with '^'";
      if (c == ',')
        return "unexpected ','; decimals are written with a point";
      if (c == ')')
        return "this ')' closes no parenthesis";
      return "";
    }
  } // namespace



  FormulaParser::FormulaParser(const std::string  &text,
                               const FormulaNames &names)
    : text(text)
    , names(names)
    , n_used(names.n_variables())
  {}



  GiNaC::ex
  FormulaParser::parse()
  {
    if (next() == 0)
      fail(0, "the formula is empty");
    const GiNaC::ex result = at(0, [this]() { return sum(); });
    if (next() != 0)
      fail_at_operator();
    return result;
  }



  const std::vector<std::string> &
  FormulaParser::reserved_names()
  {
    static const std::vector<std::string> all = []() {
      std::vector<std::string> words = {
        "pi", "e", "sqrt", "atan2", "min", "max", "step", "log"};
      for (const Symbolic::Function &function : Symbolic::functions())
        words.push_back(function.name);
      return words;
    }();
    return all;
  }



  std::size_t
  FormulaParser::length_of_name(const std::string &text,
                                const std::size_t  begin)
  {
    std::size_t end = begin;
    if (end >= text.size() || !is_letter(text[end]))
      return 0;
    while (end < text.size() && (is_letter(text[end]) || is_digit(text[end])))
      ++end;
    while (end < text.size() && text[end] == '\'')
      ++end;
    return end - begin;
  }



  GiNaC::ex
  FormulaParser::sum()
  {
    GiNaC::ex result = product();
    while (next() == '+' || next() == '-')
      {
        const bool is_difference = text[position++] == '-';
        const auto term          = product();
        result += is_difference ? -term : term;
      }
    return result;
  }



  GiNaC::ex
  FormulaParser::product()
  {
    GiNaC::ex result = with_sign();
    while ((next() == '*' && text.compare(position, 2, "**") != 0) ||
           next() == '/')
      {
        const std::size_t sign   = position++;
        const GiNaC::ex   factor = with_sign();
        if (text[sign] == '*')
          result *= factor;
        else if (factor.is_zero())
          fail(sign, "division by zero");
        else
          result = at(sign, [&]() { return GiNaC::ex(result / factor); });
      }
    return result;
  }



  GiNaC::ex
  FormulaParser::with_sign()
  {
    if (++depth > deepest)
      fail(position, "parentheses, signs or powers are nested too deeply");
    GiNaC::ex result;
    if (pass('-'))
      result = -with_sign();
    else if (pass('+'))
      result = with_sign();
    else
      result = power();
    --depth;
    return result;
  }



  GiNaC::ex
  FormulaParser::power()
  {
    const GiNaC::ex base = operand();
    if (next() != '^')
      return base;
    const std::size_t begin    = position++;
    const GiNaC::ex   exponent = with_sign();
    return at(begin, [&]() {
      // e^x is exp(x), with simpler derivatives.
      if (base.is_equal(Symbolic::exact(dealii::numbers::E)))
        return Symbolic::function_of(named_function("exp"), exponent);
      return Symbolic::power(base, exponent);
    });
  }



  GiNaC::ex
  FormulaParser::operand()
  {
    const char c = next();
    if (is_digit(c) || c == '.')
      return number();
    if (is_letter(c))
      return name();
    if (c != '(')
      fail_at_operand();
    const std::size_t opening = position++;
    GiNaC::ex         result  = sum();
    close(opening);
    return result;
  }



  GiNaC::ex
  FormulaParser::number()
  {
    double     value = 0;
    const auto end   = text.data() + text.size();
    const auto read  = std::from_chars(text.data() + position, end, value);
    if (read.ec == std::errc::invalid_argument)
      fail_at_operand();
    if (read.ec == std::errc::result_out_of_range)
      fail(position, "the number is beyond the range 1e-308 to 1e308");
    position = read.ptr - text.data();
    return Symbolic::exact(value);
  }



  GiNaC::ex
  FormulaParser::name()
  {
    const std::size_t begin  = position;
    const std::size_t length = length_of_name(text, begin);
    const std::string word   = text.substr(begin, length);
    position += length;
    const auto &variables = names.variable_names();
    const auto  variable  = std::find(variables.begin(), variables.end(), word);
    const auto  constant  = names.all_constants().find(word);
    GiNaC::ex   result;
    if (variable != variables.end())
      result = Symbolic::variable(variable - variables.begin());
    else if (constant != names.all_constants().end())
      result = Symbolic::exact(constant->second);
    else if (word == "pi")
      result = Symbolic::exact(dealii::numbers::PI);
    else if (word == "e")
      result = Symbolic::exact(dealii::numbers::E);
    else
      {
        const auto &reserved = reserved_names();
        if (word == "log")
          fail(begin, "'log' is ambiguous; write ln or log10");
        if (std::find(reserved.begin(), reserved.end(), word) == reserved.end())
          fail_at_name(word, begin);
        return call(word, begin);
      }
    if (next() != '(')
      return result;
    if (variable == variables.end() || !names.shift())
      fail(begin, "'" + word + "' is no function; products need a '*'");
    return shifted(static_cast<unsigned int>(variable - variables.begin()),
                   begin);
  }



  GiNaC::ex
  FormulaParser::shifted(const unsigned int variable, const std::size_t begin)
  {
    const std::size_t opening  = position++;
    const Formula     argument = Formula(sum());
    close(opening);
    try
      {
        const unsigned int number =
          names.shift()(variable,
                        argument,
                        text.substr(begin, position - begin));
        n_used = std::max(n_used, number + 1);
        return Symbolic::variable(number);
      }
    catch (const std::invalid_argument &error)
      {
        fail(begin, error.what());
      }
  }



  GiNaC::ex
  FormulaParser::call(const std::string &function, const std::size_t begin)
  {
    if (next() != '(')
      fail(begin,
           "the function '" + function + "' needs arguments in parentheses");
    const std::size_t      opening = position++;
    std::vector<GiNaC::ex> arguments;
    if (next() != ')')
      do
        arguments.push_back(sum());
      while (pass(','));
    close(opening);

    const bool        is_extremum = function == "min" || function == "max";
    const std::size_t n           = function == "atan2" || is_extremum ? 2 : 1;
    if (arguments.size() < n || (arguments.size() > n && !is_extremum))
      fail(begin,
           "'" + function + "' takes " +
             (n == 1 ? "one argument" : "two arguments") +
             (is_extremum ? " or more" : "") + ", not " +
             std::to_string(arguments.size()) +
             (arguments.size() > n ? "; decimals are written with a point" :
                                     ""));
    return at(begin, [&]() -> GiNaC::ex {
      GiNaC::ex result = arguments[0];
      if (is_extremum)
        {
          for (std::size_t i = 1; i < arguments.size(); ++i)
            {
              const GiNaC::ex a = result, b = arguments[i];
              result = function == "min" ? Symbolic::choice(a, b, a, b) :
                                           Symbolic::choice(a, b, b, a);
            }
          return result;
        }
      if (function == "atan2")
        return Symbolic::arc_tangent(arguments[0], arguments[1]);
      if (function == "step")
        return Symbolic::choice(0, result, 1, 0);
      if (function == "sqrt")
        return Symbolic::power(result, GiNaC::numeric(1, 2));
      return Symbolic::function_of(named_function(function), result);
    });
  }



  char
  FormulaParser::next()
  {
    while (position < text.size() &&
           std::string(" \t\n\r").find(text[position]) != std::string::npos)
      ++position;
    return position < text.size() ? text[position] : 0;
  }



  bool
  FormulaParser::pass(const char character)
  {
    if (next() != character)
      return false;
    ++position;
    return true;
  }



  void
  FormulaParser::close(const std::size_t opening)
  {
    if (pass(')'))
      return;
    if (next() == 0)
      fail(opening, "this '(' is not closed");
    fail_at_operator();
  }



  template <typename Action>
  GiNaC::ex
  FormulaParser::at(const std::size_t begin, const Action &action) const
  {
    try
      {
        return action();
      }
    catch (const FormulaError &)
      {
        throw;
      }
    catch (const std::exception &)
      {
        fail(begin, "this is no finite number");
      }
  }



  void
  FormulaParser::fail(const std::size_t where, const std::string &reason) const
  {
    // Bytes 10xxxxxx continue a character of UTF-8.
    const auto column =
      1 + std::count_if(text.begin(), text.begin() + where, [](const char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
      });
    throw FormulaError("column " + std::to_string(column) + ": " + reason);
  }



  void
  FormulaParser::fail_at_operator()
  {
    const char c         = next();
    const char following = position + 1 < text.size() ? text[position + 1] : 0;
    const std::string reason = reason_against(c, following);
    if (!reason.empty())
      fail(position, reason);
    if (const std::size_t length = length_of_name(text, position); length > 0)
      fail(position,
           "an operator is missing before '" + text.substr(position, length) +
             "'");
    if (is_digit(c) || c == '.' || c == '(')
      fail(position,
           "an operator is missing before " + quoted_character(position));
    fail(position, "unexpected character " + quoted_character(position));
  }



  void
  FormulaParser::fail_at_operand()
  {
    const char c = next();
    if (c == 0)
      fail(position, "the formula ends where a number or a name is expected");
    const char following = position + 1 < text.size() ? text[position + 1] : 0;
    const std::string reason = reason_against(c, following);
    if (c != ')' && c != ',' && !reason.empty())
      fail(position, reason);
    if (std::string("*/^),").find(c) != std::string::npos)
      fail(position,
           "a number or a name is expected before " +
             quoted_character(position));
    fail(position, "unexpected character " + quoted_character(position));
  }



  void
  FormulaParser::fail_at_name(const std::string &word,
                              const std::size_t  begin) const
  {
    std::vector<std::string> known = names.variable_names();
    for (const auto &constant : names.all_constants())
      known.push_back(constant.first);
    for (const std::string &reserved : reserved_names())
      if (reserved != "log")
        known.push_back(reserved);
    fail(begin, "'" + word + "' is not known" + did_you_mean(word, known));
  }



  std::string
  FormulaParser::quoted_character(const std::size_t where) const
  {
    std::size_t end = where + 1;
    while (end < text.size() &&
           (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
      ++end;
    return "'" + text.substr(where, end - where) + "'";
  }
} // namespace Percuss
