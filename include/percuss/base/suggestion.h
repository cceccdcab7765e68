// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <string>
#include <vector>

namespace Percuss
{
  /// The candidate nearest to @p word by edit distance (insertions, deletions,
  /// replacements and swaps of neighbours), or an empty string where none is
  /// near enough to be a typing error, or @p word is one of them.
  std::string
  nearest_word(const std::string              &word,
               const std::vector<std::string> &candidates);

  /// "; did you mean 'length'?" or an empty string.
  std::string
  did_you_mean(const std::string              &word,
               const std::vector<std::string> &candidates);

  /// @p text with a full stop, unless it ends a sentence already.
  std::string
  sentence(const std::string &text);

  /// A number with as many digits as it takes to read back the same one.
  std::string
  shortest_text(double number);

  /// "a, b, c".
  std::string
  join(const std::vector<std::string> &words,
       const std::string              &separator = ", ");
} // namespace Percuss
