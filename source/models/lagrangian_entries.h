// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/formula.h>
#include <percuss/base/parameter_section.h>

#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  /// The entries of the model 'lagrangian', all text.
  struct LagrangianParameters
  {
    std::string coordinates      = "x";
    std::string constants        = "m = 1; g = 9.81";
    std::string kinetic_energy   = "1/2*m*x'^2";
    std::string potential_energy = "m*g*x";
    std::string forces;
    std::string initial_position;
    std::string initial_velocity;
    std::string constraints;

    struct Contacts
    {
      std::string gaps;
      std::string restitution            = "0";
      std::string friction               = "0";
      std::string tangential_restitution = "0";
      std::string sliding_velocities;
      std::string sliding_points;

      void
      declare(ParameterSection &section);
    };
    Contacts contacts;

    struct Drawing
    {
      std::string points;
      std::string lines;
      std::string arrows;

      void
      declare(ParameterSection &section);
    };
    Drawing drawing;

    void
    declare(ParameterSection &section);
  };



  /// Reads one entry of the model: formulas, or lists "name = formula; ...".
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

    /// @p path is below model/lagrangian.
    FormulaEntry(const std::string &path, const std::string &text);

    /// The items of a list.
    std::vector<Item>
    items() const;

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

  private:
    const std::string path, text;
  };



  /// The coordinates of a system, the names its formulas know, and its state
  /// at the start.
  struct LagrangianNames
  {
    explicit LagrangianNames(const LagrangianParameters &parameters);

    unsigned int
    size() const
    {
      return static_cast<unsigned int>(coordinates.size());
    }

    /// Numbers of the variables in formulas.
    unsigned int
    position(const unsigned int i) const
    {
      return i;
    }
    unsigned int
    velocity(const unsigned int i) const
    {
      return size() + i;
    }
    unsigned int
    time() const
    {
      return 2 * size();
    }

    /// A number for each item of @p names: one for all, or a list. Others are
    /// zero.
    std::vector<double>
    numbers(const FormulaEntry             &entry,
            const std::vector<std::string> &items,
            const std::string              &kind) const;

    std::vector<std::string> coordinates;
    FormulaNames             constants; ///< without variables
    FormulaNames             all;
  };
} // namespace Percuss
