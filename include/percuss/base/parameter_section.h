// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/expression.h>

#include <deal.II/base/tensor.h>

#include <array>
#include <functional>
#include <limits>
#include <memory>
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

    /// A point or a direction: three numbers, separated by commas.
    void
    add(const std::string    &entry,
        dealii::Tensor<1, 3> &variable,
        const std::string    &description,
        const Range          &range = Range::any());

    /// Three numbers, or the word @p otherwise, which stands where
    /// @p is_given is false.
    void
    add_optional(const std::string    &entry,
                 dealii::Tensor<1, 3> &variable,
                 bool                 &is_given,
                 const std::string    &otherwise,
                 const std::string    &description);

    /// Three formulas of the expressions' variables, separated by semicolons.
    void
    add(const std::string         &entry,
        std::array<Expression, 3> &variable,
        const std::string         &description);

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
    /// @p reason returns what is wrong with @p entry, or an empty string. A
    /// condition of the section itself has an empty @p entry.
    void
    require(const std::string                  &entry,
            const std::function<std::string()> &reason);

    /// @p entry matters only where the entry @p selector of this section has
    /// the value @p choice, and matters itself.
    void
    matters_with(const std::string &entry,
                 const std::string &selector,
                 const std::string &choice);

    /// The same with one of several values.
    void
    matters_with_any(const std::string              &entry,
                     const std::string              &selector,
                     const std::vector<std::string> &choices);

    ParameterSection
    subsection(const std::string &name);

    /// Declares the entries of a section of a collection that is named
    /// @p child.
    using DeclareChild =
      std::function<void(const std::string &child, ParameterSection section)>;

    /// A section in which the file opens subsections with names of its own:
    /// letters, digits, blanks, '_' and '-'. Each is declared by
    /// @p declare_child when the file opens it, in the order of the file. Its
    /// entries are printed as far as they matter. @p declare_example declares
    /// a section that is only printed, for `percuss template`; without one no
    /// example is shown.
    void
    add_collection(const std::string  &name,
                   const std::string  &description,
                   const DeclareChild &declare_child,
                   const std::function<void(ParameterSection section)>
                     &declare_example = nullptr);

    /// This section matters only where the entry @p selector of the enclosing
    /// section has the value @p choice (it is checked in any case).
    void
    belongs_to(const std::string &selector, const std::string &choice);

  private:
    ParameterTree &tree;
    std::string    path;
  };



  /// A collection whose sections fill @p children, pairs of a name and what
  /// @p declare(child's name, child, section) declares. Children must not move
  /// when others are added.
  template <typename Children, typename Declare>
  void
  add_named(ParameterSection  &section,
            const std::string &name,
            const std::string &description,
            Children          &children,
            const Declare     &declare)
  {
    using Child = typename Children::value_type::second_type;
    section.add_collection(
      name,
      description,
      [&children, declare](const std::string &child,
                           ParameterSection   of_child) {
        declare(child, children.emplace_back(child, Child()).second, of_child);
      },
      [declare, example = std::make_shared<Child>()](
        ParameterSection of_example) { declare("", *example, of_example); });
  }
} // namespace Percuss
