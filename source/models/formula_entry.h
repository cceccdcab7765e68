// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/formula.h>

#include <string>
#include <vector>

namespace Percuss
{
  /// Reads one entry of a model: formulas, or lists "name = formula; ...".
  /// Errors name the entry and the column in its text.
  class FormulaEntry
  {
  public:
    /// A piece of the entry's text, with blanks before it so that columns are
    /// those of the whole text.
    using Piece = std::string;

    struct Item
    {
      std::string name;
      Piece       text;
    };

    /// @p path is below @p section.
    FormulaEntry(const std::string &path,
                 const std::string &text,
                 const std::string &section = "model/lagrangian");

    /// The items of a list.
    std::vector<Item>
    items() const;

    /// Whether there is more than blanks.
    bool
    has_text() const
    {
      return text.find_first_not_of(" \t") != std::string::npos;
    }

    /// The text without the blanks of a piece's start.
    Piece
    whole() const
    {
      return text;
    }

    /// The parts of a piece between separators, but not within parentheses.
    std::vector<Piece>
    split(const Piece &piece, const std::string &separator) const;

    Formula
    formula(const Piece &piece, const FormulaNames &names) const;

    /// A formula of constants.
    double
    number(const Piece &piece, const FormulaNames &names) const;

    [[noreturn]] void
    refuse(const std::string &reason) const;

    /// The index of an item's name among @p names.
    unsigned int
    find(const Item                     &item,
         const std::vector<std::string> &names,
         const std::string              &kind) const;

    /// A number for each of @p items: one for all, or a list. Others are zero.
    std::vector<double>
    numbers(const std::vector<std::string> &items,
            const std::string              &kind,
            const FormulaNames             &names) const;

  private:
    const std::string path, text;
  };
} // namespace Percuss
