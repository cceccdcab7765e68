// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/parameter_section.h>
#include <percuss/base/parameter_tree.h>
#include <percuss/base/suggestion.h>

#include <algorithm>
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
      std::stringstream   stream(text);
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
      variable = numbers;
      return std::string();
    };
    tree.declare(path,
                 entry,
                 {description, "list, each a " + range.text(), "", assign},
                 to_text(variable),
                 Patterns::List(Patterns::Double()));
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
    tree.conditions.push_back(
      {path.empty() ? entry : path + "/" + entry, reason});
  }



  void
  ParameterSection::matters_with(const std::string &entry,
                                 const std::string &selector,
                                 const std::string &choice)
  {
    auto &found    = tree.entries.at(path + "/" + entry);
    found.selector = path + "/" + selector;
    found.choice   = choice;
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
