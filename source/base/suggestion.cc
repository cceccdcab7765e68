// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/suggestion.h>

#include <algorithm>
#include <charconv>

namespace Percuss
{
  namespace
  {
    /// Optimal string alignment distance.
    std::size_t
    edit_distance(const std::string &a, const std::string &b)
    {
      std::vector<std::vector<std::size_t>> distance(
        a.size() + 1, std::vector<std::size_t>(b.size() + 1));
      for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j)
          {
            if (i == 0 || j == 0)
              {
                distance[i][j] = i + j;
                continue;
              }
            distance[i][j] =
              std::min({distance[i - 1][j] + 1,
                        distance[i][j - 1] + 1,
                        distance[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
              distance[i][j] =
                std::min(distance[i][j], distance[i - 2][j - 2] + 1);
          }
      return distance[a.size()][b.size()];
    }
  } // namespace



  std::string
  nearest_word(const std::string              &word,
               const std::vector<std::string> &candidates)
  {
    std::string nearest;
    std::size_t shortest = std::max<std::size_t>(2, word.size() / 3) + 1;
    if (std::count(candidates.begin(), candidates.end(), word) > 0)
      return "";
    for (const std::string &candidate : candidates)
      if (const std::size_t distance = edit_distance(word, candidate);
          distance < shortest)
        {
          shortest = distance;
          nearest  = candidate;
        }
    return nearest;
  }



  std::string
  did_you_mean(const std::string              &word,
               const std::vector<std::string> &candidates)
  {
    const std::string nearest = nearest_word(word, candidates);
    return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
  }



  std::string
  sentence(const std::string &text)
  {
    const bool ends =
      !text.empty() && (text.back() == '.' || text.back() == '?');
    return ends ? text : text + ".";
  }



  std::string
  shortest_text(const double number)
  {
    char       text[32];
    const auto end = std::to_chars(text, text + sizeof(text), number);
    return {text, end.ptr};
  }



  std::string
  join(const std::vector<std::string> &words, const std::string &separator)
  {
    std::string text;
    for (const std::string &word : words)
      text += (text.empty() ? "" : separator) + word;
    return text;
  }
} // namespace Percuss
