// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/parameter_tree.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cctype>
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

    /// Why @p name is none that a file may invent, or an empty string.
    std::string
    refuse_name(const std::string &name)
    {
      const auto is_foreign = [](const unsigned char c) {
        return c >= 0x80 ||
               (!std::isalnum(c) && c != ' ' && c != '_' && c != '-');
      };
      if (name.empty())
        return "it is empty";
      if (std::any_of(name.begin(), name.end(), is_foreign))
        return "names have letters a-z, digits, blanks, '_' and '-' only";
      if (name.find("  ") != std::string::npos)
        return "it has two blanks in a row";
      return "";
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
    if (!assignment.opens_section && sections.count(assignment.path) > 0)
      throw Error(ExitCode::usage,
                  assignment.origin + ": '" + assignment.path +
                    "' is a section, not an entry.");
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
    const auto       &names = is_section ? section.sections : section.entries;
    const std::string hint =
      assignment.opens_section && names.empty() && is_child(known) ?
        " Is an 'end' missing before it?" :
        "";
    throw Error(ExitCode::usage,
                assignment.origin + ": " +
                  sentence("unknown " +
                           std::string(is_section ? "section" : "entry") +
                           " '" + words[depth] + "' " + name_of_section(known) +
                           did_you_mean(words[depth], names)) +
                  " Valid names: " + (names.empty() ? "none" : join(names)) +
                  "." + hint);
  }



  void
  ParameterTree::assign_one(const Assignment &assignment,
                            const bool        is_override)
  {
    if (assignment.opens_section)
      return open_section(assignment);
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
  ParameterTree::open_section(const Assignment &assignment)
  {
    const std::string &path = assignment.path;
    if (sections.count(path) == 0)
      add_child(assignment);
    Section &section = sections.at(path);
    if (is_child(path) && !section.origin.empty() &&
        assignment.depth >= section.depth)
      throw Error(ExitCode::usage,
                  assignment.origin + ": section '" + path +
                    "' is opened a second time; the first is at " +
                    section.origin + ".");
    if (section.origin.empty())
      section.origin = assignment.origin;
    section.depth = assignment.depth;
  }



  void
  ParameterTree::add_child(const Assignment &assignment)
  {
    const auto [around, name] = split_last(assignment.path);
    const auto found          = sections.find(around);
    if (found == sections.end() || !found->second.collection.declare_child)
      report_unknown(assignment);
    const std::string refusal = refuse_name(name);
    if (!refusal.empty())
      throw Error(ExitCode::usage,
                  assignment.origin + ": the name '" + name +
                    "' of a section " + name_of_section(around) +
                    " cannot be used: " + refusal + ".");
    ParameterSection collection(*this, around);
    found->second.collection.declare_child(name, collection.subsection(name));
  }



  bool
  ParameterTree::is_child(const std::string &path) const
  {
    const auto found = sections.find(split_last(path).first);
    return !path.empty() && found != sections.end() &&
           found->second.collection.declare_child != nullptr;
  }



  std::string
  ParameterTree::enclosing_child(std::string path) const
  {
    while (!path.empty() && !is_child(path))
      path = split_last(path).first;
    return path;
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
          const bool is_entry = entries.count(condition.path) > 0;
          throw Error(ExitCode::usage,
                      origin(condition.path) + ": " +
                        (is_entry ? "entry '" : "section '") + condition.path +
                        "': " + sentence(reason));
        }
  }



  std::string
  ParameterTree::origin(const std::string &path) const
  {
    const auto  entry  = entries.find(path);
    std::string around = entry == entries.end() ? path : enclosing_child(path);
    if (entry != entries.end() && !entry->second.origin.empty())
      return entry->second.origin;
    while (!around.empty())
      {
        const auto section = sections.find(around);
        if (section != sections.end() && !section->second.origin.empty())
          return section->second.origin;
        around = split_last(around).first;
      }
    return "default value";
  }



  std::string
  ParameterTree::idle_due_to(const Entry &entry) const
  {
    const Entry *present = &entry;
    while (!present->selector.empty())
      {
        const auto &choices = present->choices;
        if (std::find(choices.begin(),
                      choices.end(),
                      value(present->selector)) == choices.end())
          return present->selector;
        present = &entries.at(present->selector);
      }
    return "";
  }



  std::vector<std::string>
  ParameterTree::idle_overrides() const
  {
    std::vector<std::string> sentences;
    for (const std::string &override : overrides_applied)
      {
        std::string path   = override.substr(0, override.find('='));
        std::string due_to = idle_due_to(entries.at(path));
        while (!path.empty() && due_to.empty())
          {
            path                   = split_last(path).first;
            const Section &section = sections.at(path);
            if (!section.selector.empty() &&
                value(section.selector) != section.choice)
              due_to = section.selector;
          }
        if (!due_to.empty())
          sentences.push_back("--set \"" + override + "\" has no effect: '" +
                              due_to + "' is '" + value(due_to) + "'.");
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
    if (with_descriptions && section.collection.declare_child)
      print_help(out, section, indent);
    print_entries(out, path, depth, with_descriptions);
    for (const std::string &name : section.sections)
      {
        const Section &inner = sections.at(prefix + name);
        const bool     shows_help =
          with_descriptions && inner.collection.declare_child;
        if ((inner.entries.empty() && inner.sections.empty() && !shows_help &&
             !is_child(prefix + name)) ||
            (!inner.selector.empty() && value(inner.selector) != inner.choice))
          continue;
        out << (with_descriptions ? "\n" : "") << indent << "subsection "
            << name << '\n';
        print_section(out, prefix + name, depth + 1, with_descriptions);
        out << indent << "end\n";
      }
  }



  void
  ParameterTree::print_entries(std::ostream      &out,
                               const std::string &path,
                               const unsigned int depth,
                               const bool         with_descriptions) const
  {
    const std::string        indent(2 * depth, ' ');
    const std::string        prefix      = path.empty() ? "" : path + "/";
    const bool               leaves_idle = !enclosing_child(path).empty();
    std::size_t              width       = 0;
    std::vector<std::string> names;
    for (const std::string &name : sections.at(path).entries)
      if (!leaves_idle || idle_due_to(entries.at(prefix + name)).empty())
        {
          names.push_back(name);
          width = std::max(width, name.size());
        }
    for (const std::string &name : names)
      {
        const Entry &entry = entries.at(prefix + name);
        if (with_descriptions)
          out << indent << "# " << entry.description << " (" << entry.kind
              << ")\n";
        out << indent << "set " << name << std::string(width - name.size(), ' ')
            << " = " << value(prefix + name) << '\n';
      }
  }



  void
  ParameterTree::print_help(std::ostream      &out,
                            const Section     &section,
                            const std::string &indent)
  {
    out << indent << "# " << section.collection.description
        << " (any number of subsections with names of your own)\n";
    if (!section.sections.empty() || !section.collection.declare_example)
      return;
    ParameterTree    example;
    ParameterSection root = example.root();
    section.collection.declare_example(root.subsection("NAME"));
    std::ostringstream text;
    example.print_section(text, "", 0, true);
    std::istringstream lines(text.str());
    for (std::string line; std::getline(lines, line);)
      if (!line.empty())
        out << indent << "# " << line << '\n';
  }
} // namespace Percuss
