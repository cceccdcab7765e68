// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/parameter_tree.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace Percuss
{
  namespace
  {
    /// "a/b/c" as {"a/b", "c"}.
    std::pair<std::string, std::string>
    split_last(const std::string &path)
    {
      const std::size_t slash = path.rfind('/');
      if (slash == std::string::npos)
        return {"", path};
      return {path.substr(0, slash), path.substr(slash + 1)};
    }

    std::vector<std::string>
    words_of(const std::string &path)
    {
      return dealii::Utilities::split_string_list(path, '/');
    }

    std::string
    name_of_section(const std::string &path)
    {
      return path.empty() ? "at the top level" : "in section '" + path + "'";
    }
  } // namespace



  ParameterSection
  ParameterTree::root()
  {
    return {*this, ""};
  }



  void
  ParameterTree::declare(const std::string                   &section,
                         const std::string                   &entry,
                         const Entry                         &new_entry,
                         const std::string                   &value,
                         const dealii::Patterns::PatternBase &pattern)
  {
    const std::string path   = section.empty() ? entry : section + "/" + entry;
    const bool        is_new = entries.insert({path, new_entry}).second;
    AssertThrow(is_new,
                dealii::ExcMessage("Entry '" + path + "' declared twice."));
    sections.at(section).entries.push_back(entry);
    const auto words = words_of(section);
    for (const std::string &word : words)
      handler.enter_subsection(word);
    handler.declare_entry(entry, value, pattern, new_entry.description);
    for (std::size_t i = 0; i < words.size(); ++i)
      handler.leave_subsection();
  }



  std::string
  ParameterTree::value(const std::string &path) const
  {
    const auto [section, entry] = split_last(path);
    return handler.get(words_of(section), entry);
  }



  void
  ParameterTree::set_value(const std::string &path, const std::string &value)
  {
    const auto words = words_of(split_last(path).first);
    for (const std::string &word : words)
      handler.enter_subsection(word);
    handler.set(split_last(path).second, value);
    for (std::size_t i = 0; i < words.size(); ++i)
      handler.leave_subsection();
  }



  void
  ParameterTree::report_unknown(const Assignment &assignment) const
  {
    // Descend as far as the path names known sections.
    std::string known;
    const auto  words = words_of(assignment.path);
    std::size_t depth = 0;
    const auto  next  = [&]() {
      return known.empty() ? words[depth] : known + "/" + words[depth];
    };
    while (depth + 1 < words.size() && sections.count(next()) > 0)
      {
        known = next();
        ++depth;
      }
    const Section &section = sections.at(known);
    const bool     is_section =
      assignment.opens_section || depth + 1 < words.size();
    const auto &names = is_section ? section.sections : section.entries;
    throw Error(ExitCode::usage,
                assignment.origin + ": " +
                  sentence("unknown " +
                           std::string(is_section ? "section" : "entry") +
                           " '" + words[depth] + "' " + name_of_section(known) +
                           did_you_mean(words[depth], names)) +
                  " Valid names: " + (names.empty() ? "none" : join(names)) +
                  ".");
  }



  void
  ParameterTree::assign_one(const Assignment &assignment,
                            const bool        is_override)
  {
    if (assignment.opens_section)
      {
        if (sections.count(assignment.path) == 0)
          report_unknown(assignment);
        return;
      }
    const auto found = entries.find(assignment.path);
    if (found == entries.end())
      report_unknown(assignment);
    Entry &entry = found->second;
    if (!is_override && !entry.origin.empty() &&
        assignment.depth >= entry.depth)
      throw Error(ExitCode::usage,
                  assignment.origin + ": entry '" + assignment.path +
                    "' is set a second time; the first is at " + entry.origin +
                    ".");
    const std::string refusal = entry.assign(assignment.value);
    if (!refusal.empty())
      throw Error(ExitCode::usage,
                  assignment.origin + ": entry '" + assignment.path + "': " +
                    sentence(refusal) + " Expected: " + entry.kind + ".");
    set_value(assignment.path, assignment.value);
    entry.origin = assignment.origin;
    entry.depth  = assignment.depth;
    if (is_override)
      overrides_applied.push_back(assignment.path + "=" + assignment.value);
  }



  void
  ParameterTree::assign(const std::vector<Assignment> &from_files,
                        const std::vector<Assignment> &overrides)
  {
    for (const Assignment &assignment : from_files)
      assign_one(assignment, false);
    for (const Assignment &assignment : overrides)
      assign_one(assignment, true);
    for (const Condition &condition : conditions)
      if (const std::string reason = condition.reason(); !reason.empty())
        {
          throw Error(ExitCode::usage,
                      origin(condition.path) + ": entry '" + condition.path +
                        "': " + reason + ".");
        }
  }



  std::string
  ParameterTree::origin(const std::string &path) const
  {
    const std::string &origin = entries.at(path).origin;
    return origin.empty() ? "default value" : origin;
  }



  std::vector<std::string>
  ParameterTree::idle_overrides() const
  {
    std::vector<std::string> sentences;
    const auto               add_idle = [&](const std::string &override,
                              const std::string &selector,
                              const std::string &choice) {
      if (!selector.empty() && value(selector) != choice)
        sentences.push_back("--set \"" + override + "\" has no effect: '" +
                            selector + "' is '" + value(selector) + "'.");
      return !selector.empty() && value(selector) != choice;
    };
    for (const std::string &override : overrides_applied)
      {
        std::string  path  = override.substr(0, override.find('='));
        const Entry &entry = entries.at(path);
        if (add_idle(override, entry.selector, entry.choice))
          continue;
        while (!path.empty())
          {
            path                   = split_last(path).first;
            const Section &section = sections.at(path);
            if (add_idle(override, section.selector, section.choice))
              break;
          }
      }
    return sentences;
  }



  void
  ParameterTree::print(std::ostream &out, const bool with_descriptions) const
  {
    print_section(out, "", 0, with_descriptions);
  }



  std::string
  ParameterTree::text_of_section(const std::string &path) const
  {
    std::ostringstream text;
    print_section(text, path, 0, false);
    return text.str();
  }



  void
  ParameterTree::print_section(std::ostream      &out,
                               const std::string &path,
                               const unsigned int depth,
                               const bool         with_descriptions) const
  {
    const Section    &section = sections.at(path);
    const std::string indent(2 * depth, ' ');
    const std::string prefix = path.empty() ? "" : path + "/";
    std::size_t       width  = 0;
    for (const std::string &name : section.entries)
      width = std::max(width, name.size());
    for (const std::string &name : section.entries)
      {
        const Entry &entry = entries.at(prefix + name);
        if (with_descriptions)
          out << indent << "# " << entry.description << " (" << entry.kind
              << ")\n";
        out << indent << "set " << name << std::string(width - name.size(), ' ')
            << " = " << value(prefix + name) << '\n';
      }
    for (const std::string &name : section.sections)
      {
        const Section &inner = sections.at(prefix + name);
        if ((inner.entries.empty() && inner.sections.empty()) ||
            (!inner.selector.empty() && value(inner.selector) != inner.choice))
          continue;
        out << (with_descriptions ? "\n" : "") << indent << "subsection "
            << name << '\n';
        print_section(out, prefix + name, depth + 1, with_descriptions);
        out << indent << "end\n";
      }
  }
} // namespace Percuss
