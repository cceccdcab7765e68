// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/expression.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace Percuss
{
  class ParameterTree;

  /// The admissible values of a number; a bound may be left out by "open".
  struct Range
  {
    double lower      = -std::numeric_limits<double>::infinity();
    double upper      = std::numeric_limits<double>::infinity();
    bool   lower_open = true;
    bool   upper_open = true;

    bool
    contains(double value) const;

    /// In words: "number > 0", "number in [0, 1]".
    std::string
    text() const;

    static Range
    any();
    static Range
    positive();
    static Range
    non_negative();
    /// The closed interval.
    static Range
    between(double lower, double upper);
  };



  /// One section of a parameter file, as a class declares its entries: each
  /// call binds a variable, whose present value is the default, to an entry
  /// with its description (unit included) and its admissible values.
  class ParameterSection
  {
  public:
    ParameterSection(ParameterTree &tree, const std::string &path);

    void
    add(const std::string &entry,
        double            &variable,
        const std::string &description,
        const Range       &range = Range::any());

    void
    add(const std::string &entry,
        unsigned int      &variable,
        const std::string &description,
        unsigned int       smallest = 0);

    void
    add(const std::string &entry,
        bool              &variable,
        const std::string &description);

    /// Free text.
    void
    add(const std::string &entry,
        std::string       &variable,
        const std::string &description);

    /// A list of numbers, separated by commas.
    void
    add(const std::string   &entry,
        std::vector<double> &variable,
        const std::string   &description,
        const Range         &range = Range::any());

    /// A formula of the expression's variables.
    void
    add(const std::string &entry,
        Expression        &variable,
        const std::string &description);

    /// One word out of a list.
    void
    add_choice(const std::string              &entry,
               std::string                    &variable,
               const std::string              &description,
               const std::vector<std::string> &choices);

    /// A condition between several entries, tested when the file is read.
    /// @p reason returns what is wrong with @p entry, or an empty string.
    void
    require(const std::string                  &entry,
            const std::function<std::string()> &reason);

    /// @p entry matters only where the entry @p selector of this section has
    /// the value @p choice.
    void
    matters_with(const std::string &entry,
                 const std::string &selector,
                 const std::string &choice);

    ParameterSection
    subsection(const std::string &name);

    /// This section matters only where the entry @p selector of the enclosing
    /// section has the value @p choice (it is checked in any case).
    void
    belongs_to(const std::string &selector, const std::string &choice);

  private:
    ParameterTree &tree;
    std::string    path;
  };
} // namespace Percuss
