// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/parameter_section.h>
#include <percuss/base/parameter_tree.h>
#include <percuss/base/suggestion.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace Percuss
{
  namespace Patterns = dealii::Patterns;

  namespace
  {
    std::string
    to_text(const std::vector<double> &numbers)
    {
      std::vector<std::string> words;
      std::transform(numbers.begin(),
                     numbers.end(),
                     std::back_inserter(words),
                     shortest_text);
      return join(words);
    }

    std::string
    trimmed(const std::string &text)
    {
      return dealii::Utilities::trim(text);
    }

    /// Reads one number in full; std::from_chars neither skips nor accepts
    /// trailing characters.
    bool
    read_number(const std::string &text, double &number)
    {
      const std::string word  = trimmed(text);
      const char       *begin = word.data();
      const char       *end   = begin + word.size();
      if (begin != end && *begin == '+')
        ++begin;
      const auto result = std::from_chars(begin, end, number);
      return result.ec == std::errc() && result.ptr == end;
    }

    std::string
    refuse_number(const std::string &text, const Range &range, double &number)
    {
      if (!read_number(text, number))
        return "'" + text + "' is not a number";
      if (!range.contains(number))
        return "'" + text + "' is out of range";
      return "";
    }

    /// Reads numbers with commas between them, or says why it cannot.
    std::string
    refuse_list(const std::string   &text,
                const Range         &range,
                std::vector<double> &numbers)
    {
      std::stringstream stream(text);
      for (std::string word; std::getline(stream, word, ',');)
        {
          double            number;
          const std::string refusal =
            refuse_number(trimmed(word), range, number);
          if (!refusal.empty())
            return refusal;
          numbers.push_back(number);
        }
      if (numbers.empty() || trimmed(text).back() == ',')
        return "'" + text + "' is no list of numbers";
      return "";
    }

    std::string
    refuse_vector(const std::string    &text,
                  const Range          &range,
                  dealii::Tensor<1, 3> &vector)
    {
      std::vector<double> numbers;
      const std::string   refusal = refuse_list(text, range, numbers);
      if (!refusal.empty())
        return refusal;
      if (numbers.size() != 3)
        return "'" + text + "' has " + std::to_string(numbers.size()) +
               (numbers.size() == 1 ? " number" : " numbers") + ", not three";
      std::copy(numbers.begin(), numbers.end(), vector.begin_raw());
      return "";
    }

    std::string
    to_text(const dealii::Tensor<1, 3> &vector)
    {
      return to_text(std::vector<double>(vector.begin_raw(), vector.end_raw()));
    }

    /// "a; b; c".
    std::string
    to_text(const std::array<Expression, 3> &formulas)
    {
      return formulas[0].formula() + "; " + formulas[1].formula() + "; " +
             formulas[2].formula();
    }
  } // namespace



  bool
  Range::contains(const double value) const
  {
    return std::isfinite(value) &&
           (lower_open ? value > lower : value >= lower) &&
           (upper_open ? value < upper : value <= upper);
  }



  std::string
  Range::text() const
  {
    const bool below = std::isfinite(lower), above = std::isfinite(upper);
    if (below && above)
      return "number in " + std::string(lower_open ? "(" : "[") +
             shortest_text(lower) + ", " + shortest_text(upper) +
             (upper_open ? ")" : "]");
    if (below)
      return std::string("number ") + (lower_open ? "> " : ">= ") +
             shortest_text(lower);
    if (above)
      return std::string("number ") + (upper_open ? "< " : "<= ") +
             shortest_text(upper);
    return "number";
  }



  Range
  Range::any()
  {
    return {};
  }



  Range
  Range::positive()
  {
    Range range;
    range.lower = 0;
    return range;
  }



  Range
  Range::non_negative()
  {
    Range range      = positive();
    range.lower_open = false;
    return range;
  }



  Range
  Range::between(const double lower, const double upper)
  {
    return {lower, upper, false, false};
  }



  ParameterSection::ParameterSection(ParameterTree     &tree,
                                     const std::string &path)
    : tree(tree)
    , path(path)
  {}



  void
  ParameterSection::add(const std::string &entry,
                        double            &variable,
                        const std::string &description,
                        const Range       &range)
  {
    const auto assign = [&variable, range](const std::string &text) {
      double            number;
      const std::string refusal = refuse_number(text, range, number);
      if (refusal.empty())
        variable = number;
      return refusal;
    };
    tree.declare(path,
                 entry,
                 {description, range.text(), "", assign},
                 shortest_text(variable),
                 Patterns::Double());
  }



  void
  ParameterSection::add(const std::string &entry,
                        unsigned int      &variable,
                        const std::string &description,
                        const unsigned int smallest)
  {
    const auto assign = [&variable, smallest](const std::string &text) {
      const std::string word = trimmed(text);
      unsigned int      number;
      const auto        result =
        std::from_chars(word.data(), word.data() + word.size(), number);
      if (result.ec != std::errc() || result.ptr != word.data() + word.size())
        return "'" + text + "' is not a whole number";
      if (number < smallest)
        return "'" + text + "' is out of range";
      variable = number;
      return std::string();
    };
    tree.declare(
      path,
      entry,
      {description, "whole number >= " + std::to_string(smallest), "", assign},
      std::to_string(variable),
      Patterns::Anything());
  }



  void
  ParameterSection::add(const std::string &entry,
                        bool              &variable,
                        const std::string &description)
  {
    const auto assign = [&variable](const std::string &text) {
      const std::string word = trimmed(text);
      if (word != "true" && word != "false")
        return "'" + text + "' is neither 'true' nor 'false'";
      variable = (word == "true");
      return std::string();
    };
    tree.declare(path,
                 entry,
                 {description, "true or false", "", assign},
                 variable ? "true" : "false",
                 Patterns::Bool());
  }



  void
  ParameterSection::add(const std::string &entry,
                        std::string       &variable,
                        const std::string &description)
  {
    const auto assign = [&variable](const std::string &text) {
      variable = trimmed(text);
      return std::string();
    };
    tree.declare(path,
                 entry,
                 {description, "text", "", assign},
                 variable,
                 Patterns::Anything());
  }



  void
  ParameterSection::add(const std::string   &entry,
                        std::vector<double> &variable,
                        const std::string   &description,
                        const Range         &range)
  {
    const auto assign = [&variable, range](const std::string &text) {
      std::vector<double> numbers;
      const std::string   refusal = refuse_list(text, range, numbers);
      if (refusal.empty())
        variable = numbers;
      return refusal;
    };
    tree.declare(path,
                 entry,
                 {description, "list, each a " + range.text(), "", assign},
                 to_text(variable),
                 Patterns::List(Patterns::Double()));
  }



  void
  ParameterSection::add(const std::string    &entry,
                        dealii::Tensor<1, 3> &variable,
                        const std::string    &description,
                        const Range          &range)
  {
    const auto assign = [&variable, range](const std::string &text) {
      return refuse_vector(text, range, variable);
    };
    const std::string each = range.text();
    tree.declare(path,
                 entry,
                 {description,
                  "three numbers with commas" +
                    (each == "number" ? "" : ", each a " + each),
                  "",
                  assign},
                 to_text(variable),
                 Patterns::List(Patterns::Double(), 3, 3));
  }



  void
  ParameterSection::add_optional(const std::string    &entry,
                                 dealii::Tensor<1, 3> &variable,
                                 bool                 &is_given,
                                 const std::string    &otherwise,
                                 const std::string    &description)
  {
    const auto assign =
      [&variable, &is_given, otherwise](const std::string &text) {
        if (trimmed(text) == otherwise)
          {
            is_given = false;
            return std::string();
          }
        const std::string refusal = refuse_vector(text, Range::any(), variable);
        if (refusal.empty())
          is_given = true;
        return refusal;
      };
    tree.declare(path,
                 entry,
                 {description,
                  "'" + otherwise + "' or three numbers with commas",
                  "",
                  assign},
                 is_given ? to_text(variable) : otherwise,
                 Patterns::Anything());
  }



  void
  ParameterSection::add(const std::string         &entry,
                        std::array<Expression, 3> &variable,
                        const std::string         &description)
  {
    const auto assign = [&variable](const std::string &text) {
      try
        {
          variable = read_three_expressions(text, variable[0].variables());
          return std::string();
        }
      catch (const std::invalid_argument &error)
        {
          return "'" + text + "' is not a vector of expressions, " +
                 error.what();
        }
    };
    tree.declare(path,
                 entry,
                 {description,
                  "three expressions of " +
                    join(variable[0].variables(), ", ") +
                    ", separated by semicolons",
                  "",
                  assign},
                 to_text(variable),
                 Patterns::Anything());
  }



  void
  ParameterSection::add(const std::string &entry,
                        Expression        &variable,
                        const std::string &description)
  {
    const auto assign = [&variable](const std::string &text) {
      try
        {
          variable.assign(text);
          return std::string();
        }
      catch (const std::invalid_argument &error)
        {
          return "'" + text + "' is not an expression, " + error.what();
        }
    };
    tree.declare(path,
                 entry,
                 {description,
                  "expression of " + join(variable.variables(), ", "),
                  "",
                  assign},
                 variable.formula(),
                 Patterns::Anything());
  }



  void
  ParameterSection::add_choice(const std::string              &entry,
                               std::string                    &variable,
                               const std::string              &description,
                               const std::vector<std::string> &choices)
  {
    const auto assign = [&variable, choices](const std::string &text) {
      const std::string word = trimmed(text);
      if (std::find(choices.begin(), choices.end(), word) == choices.end())
        return "'" + text + "' is not a choice" + did_you_mean(word, choices);
      variable = word;
      return std::string();
    };
    tree.declare(path,
                 entry,
                 {description, "one of " + join(choices, " | "), "", assign},
                 variable,
                 Patterns::Selection(join(choices, "|")));
  }



  void
  ParameterSection::require(const std::string                  &entry,
                            const std::function<std::string()> &reason)
  {
    const std::string separator = path.empty() || entry.empty() ? "" : "/";
    tree.conditions.push_back({path + separator + entry, reason});
  }



  void
  ParameterSection::matters_with(const std::string &entry,
                                 const std::string &selector,
                                 const std::string &choice)
  {
    matters_with_any(entry, selector, {choice});
  }



  void
  ParameterSection::matters_with_any(const std::string              &entry,
                                     const std::string              &selector,
                                     const std::vector<std::string> &choices)
  {
    auto &found    = tree.entries.at(path + "/" + entry);
    found.selector = path + "/" + selector;
    found.choices  = choices;
  }



  ParameterSection
  ParameterSection::subsection(const std::string &name)
  {
    const std::string new_path = path.empty() ? name : path + "/" + name;
    if (tree.sections.insert({new_path, {}}).second)
      tree.sections.at(path).sections.push_back(name);
    return {tree, new_path};
  }



  void
  ParameterSection::add_collection(
    const std::string                                   &name,
    const std::string                                   &description,
    const DeclareChild                                  &declare_child,
    const std::function<void(ParameterSection section)> &declare_example)
  {
    const ParameterSection section            = subsection(name);
    tree.sections.at(section.path).collection = {description,
                                                 declare_child,
                                                 declare_example};
  }



  void
  ParameterSection::belongs_to(const std::string &selector,
                               const std::string &choice)
  {
    auto             &section   = tree.sections.at(path);
    const std::size_t slash     = path.rfind('/');
    const std::string enclosing = path.substr(0, slash);
    section.selector            = enclosing + "/" + selector;
    section.choice              = choice;
  }
} // namespace Percuss
