// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/files.h>

#include <deal.II/base/utilities.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace Percuss::Test
{
  /// A file of VtuMesh, or a piece of it, read without the writer's help.
  class VtuText
  {
  public:
    explicit VtuText(const std::filesystem::path &path)
      : text(Files::read(path))
    {}

    /// From each tag <Piece> to its end.
    std::vector<VtuText>
    pieces() const
    {
      std::vector<VtuText> result;
      std::size_t          at = text.find("<Piece");
      while (at != std::string::npos)
        {
          const std::size_t end = found("</Piece>", at) + 8;
          result.push_back(VtuText(text.substr(at, end - at), true));
          at = text.find("<Piece", end);
        }
      return result;
    }

    /// How often a text occurs.
    unsigned int
    count(const std::string &what) const
    {
      unsigned int n  = 0;
      std::size_t  at = text.find(what);
      while (at != std::string::npos)
        {
          ++n;
          at = text.find(what, at + 1);
        }
      return n;
    }

    /// Whether each tag is closed in its turn.
    bool
    is_well_formed() const
    {
      std::vector<std::string> open;
      for (std::size_t at = text.find('<'); at != std::string::npos;
           at             = text.find('<', at + 1))
        {
                      const std::size_t end = text.find('>', at);
                      if (end == std::string::npos)
            return false;
          const std::string tag = text.substr(at + 1, end - at - 1);
                      if (tag.front() == '?' || tag.front() == '!' || tag.back() == '/')
            continue;
          if (tag.front() != '/')
            open.push_back(tag.substr(0, tag.find_first_of(" \n")));
          else if (open.empty() || open.back() != tag.substr(1))
            return false;
          else
            open.pop_back();
        }
      return open.empty();
    }

    /// Of the first element with this tag.
    std::string
    attribute(const std::string &tag, const std::string &name) const
    {
      const std::string key   = name + "=\"";
      const std::size_t start = found(key, found("<" + tag)) + key.size();
      return text.substr(start, text.find('"', start) - start);
    }

    /// The text of a DataArray.
    std::string
    array(const std::string &name) const
    {
      const std::size_t start = text.find('>', found(key_of(name))) + 1;
      return dealii::Utilities::trim(
        text.substr(start, text.find('<', start) - start));
    }

    bool
    has(const std::string &name) const
    {
      return text.find(key_of(name)) != std::string::npos;
    }

    /// The numbers of a DataArray.
    template <typename T>
    std::vector<T>
    values(const std::string &name) const
    {
      const std::vector<unsigned char> bytes =
        dealii::Utilities::decode_base64(array(name));
      std::uint64_t n_bytes = 0;
      std::memcpy(&n_bytes, bytes.data(), sizeof(n_bytes));
      if (bytes.size() != sizeof(n_bytes) + n_bytes)
        throw std::length_error(name);
      std::vector<T> result(n_bytes / sizeof(T));
      if (n_bytes > 0)
        std::memcpy(result.data(), bytes.data() + sizeof(n_bytes), n_bytes);
      return result;
    }

    /// Values of points that have this kind.
    std::vector<std::vector<float>>
    of_kind(const int kind, const std::string &name) const
    {
      const auto                      kinds = values<std::int32_t>("kind");
      const auto                      all   = values<float>(name);
      const std::size_t               n     = all.size() / kinds.size();
      std::vector<std::vector<float>> result;
      for (std::size_t i = 0; i < kinds.size(); ++i)
        if (kinds[i] == kind)
          result.emplace_back(all.begin() + n * i, all.begin() + n * (i + 1));
      return result;
    }

  private:
    VtuText(const std::string &piece, bool)
      : text(piece)
    {}

    static std::string
    key_of(const std::string &name)
    {
      return "Name=\"" + name + "\"";
    }

    std::size_t
    found(const std::string &what, const std::size_t from = 0) const
    {
      const std::size_t at = text.find(what, from);
      if (at == std::string::npos)
        throw std::out_of_range(what);
      return at;
    }

    const std::string text;
  };
} // namespace Percuss::Test
