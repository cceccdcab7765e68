// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/suggestion.h>
#include <percuss/driver/study.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

namespace Percuss
{
  namespace
  {
    using Combination = std::vector<std::string>;

    [[noreturn]] void
    refuse(const std::string &text, const std::string &reason)
    {
      throw Error(ExitCode::usage, "--vary \"" + text + "\" " + reason);
    }

    /// Letters, digits and what else is no trouble in a folder's name.
    std::string
    for_a_name(std::string text)
    {
      for (char &c : text)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 &&
            std::string("+-.").find(c) == std::string::npos)
          c = '_';
      return text;
    }
  } // namespace



  std::string
  Variation::entry() const
  {
    return path.substr(path.rfind('/') + 1); // npos + 1 is 0
  }



  std::vector<double>
  Variation::numbers() const
  {
    std::vector<double> result;
    for (const std::string &text : values)
      {
        double     number = 0;
        const auto end    = text.data() + text.size();
        const auto read   = std::from_chars(text.data(), end, number);
        if (read.ec != std::errc() || read.ptr != end)
          return {};
        result.push_back(number);
      }
    return result;
  }



  Variation
  parse_variation(const std::string &text)
  {
    const std::size_t equal_sign = text.find('=');
    if (equal_sign == std::string::npos)
      refuse(text, "has no '='; write --vary \"section/entry=a,b,c\".");
    Variation variation;
    variation.path = dealii::Utilities::trim(text.substr(0, equal_sign));
    if (variation.path.empty())
      refuse(text, "names no entry.");
    const std::string list = text.substr(equal_sign + 1);
    const char separator   = list.find(';') == std::string::npos ? ',' : ';';
    for (std::size_t begin = 0; begin <= list.size();)
      {
        const std::size_t end =
          std::min(list.find(separator, begin), list.size());
        const std::string value =
          dealii::Utilities::trim(list.substr(begin, end - begin));
        if (value.empty())
          refuse(text, "has an empty value.");
        if (std::count(variation.values.begin(),
                       variation.values.end(),
                       value) > 0)
          refuse(text, "has the value '" + value + "' twice.");
        variation.values.push_back(value);
        begin = end + 1;
      }
    return variation;
  }



  std::vector<Combination>
  combinations(const std::vector<Variation> &variations)
  {
    std::vector<Combination> all = {{}};
    for (auto variation = variations.rbegin(); variation != variations.rend();
         ++variation)
      {
        std::vector<Combination> longer;
        for (const Combination &rest : all)
          for (const std::string &value : variation->values)
            {
              longer.push_back({value});
              longer.back().insert(longer.back().end(),
                                   rest.begin(),
                                   rest.end());
            }
        all = longer;
      }
    return all;
  }



  std::vector<std::string>
  combination_names(const std::vector<Variation>   &variations,
                    const std::vector<Combination> &values)
  {
    std::vector<std::string> names;
    std::set<std::string>    taken;
    for (const Combination &combination : values)
      {
        std::vector<std::string> parts;
        for (std::size_t i = 0; i < variations.size(); ++i)
          {
            const bool is_unique =
              std::count_if(variations.begin(),
                            variations.end(),
                            [&](const Variation &other) {
                              return other.entry() == variations[i].entry();
                            }) == 1;
            parts.push_back(for_a_name(is_unique ? variations[i].entry() :
                                                   variations[i].path) +
                            "=" + for_a_name(combination[i]));
          }
        const std::string name   = join(parts, "_");
        std::string       unique = name;
        for (unsigned int number = 2; !taken.insert(unique).second; ++number)
          unique = name + "_" + std::to_string(number);
        names.push_back(unique);
      }
    return names;
  }
} // namespace Percuss
