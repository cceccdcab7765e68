// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "formula_entry.h"

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <stdexcept>

namespace Percuss
{
  namespace
  {
    using dealii::Utilities::trim;

    bool
    is_blank(const std::string &text)
    {
      return trim(text).empty();
    }
  } // namespace



  FormulaEntry::FormulaEntry(const std::string &path,
                             const std::string &text,
                             const std::string &section)
    : path(section + "/" + path)
    , text(text)
  {}



  void
  FormulaEntry::refuse(const std::string &reason) const
  {
    throw EntryError(path, reason);
  }



  std::vector<FormulaEntry::Item>
  FormulaEntry::items() const
  {
    std::vector<Item> items;
    for (const Piece &piece : split(text, ";"))
      {
        if (is_blank(piece))
          continue;
        const std::size_t equal_sign = piece.find('=');
        const std::string word       = trim(piece);
        if (equal_sign == std::string::npos)
          refuse("'" + word + "' has no '='; write 'name = formula'.");
        const std::string name = trim(piece.substr(0, equal_sign));
        for (const Item &other : items)
          if (other.name == name)
            refuse("'" + name + "' is given twice.");
        if (name.empty())
          refuse("'" + word + "' has no name before '='.");
        items.push_back(
          {name,
           std::string(equal_sign + 1, ' ') + piece.substr(equal_sign + 1)});
      }
    return items;
  }



  std::vector<FormulaEntry::Piece>
  FormulaEntry::split(const Piece &piece, const std::string &separator) const
  {
    std::vector<Piece> parts;
    int                depth = 0;
    std::size_t        begin = 0;
    for (std::size_t i = 0; i < piece.size(); ++i)
      {
        depth += (piece[i] == '(') - (piece[i] == ')');
        if (depth == 0 && piece.compare(i, separator.size(), separator) == 0)
          {
            parts.push_back(std::string(begin, ' ') +
                            piece.substr(begin, i - begin));
            begin = i + separator.size();
          }
      }
    parts.push_back(std::string(begin, ' ') + piece.substr(begin));
    return parts;
  }



  Formula
  FormulaEntry::formula(const Piece &piece, const FormulaNames &names) const
  {
    try
      {
        return Formula(piece, names);
      }
    catch (const std::invalid_argument &error)
      {
        refuse("'" + trim(piece) + "' is not a formula here, " +
               sentence(error.what()));
      }
  }



  double
  FormulaEntry::number(const Piece &piece, const FormulaNames &names) const
  {
    return formula(piece, names).value();
  }



  unsigned int
  FormulaEntry::find(const Item                     &item,
                     const std::vector<std::string> &names,
                     const std::string              &kind) const
  {
    const auto found = std::find(names.begin(), names.end(), item.name);
    if (found == names.end())
      refuse(sentence("'" + item.name + "' is no " + kind +
                      did_you_mean(item.name, names)));
    return static_cast<unsigned int>(found - names.begin());
  }



  std::vector<double>
  FormulaEntry::numbers(const std::vector<std::string> &all_items,
                        const std::string              &kind,
                        const FormulaNames             &names) const
  {
    std::vector<double> values(all_items.size());
    if (!is_blank(text) && text.find('=') == std::string::npos)
      {
        values.assign(all_items.size(), number(text, names));
        return values;
      }
    for (const Item &item : items())
      values[find(item, all_items, kind)] = number(item.text, names);
    return values;
  }
} // namespace Percuss
