// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/parameter_section.h>

#include <deal.II/base/parameter_handler.h>

#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace Percuss
{
  /// One `set` of a parameter file or of the command line, or one
  /// `subsection` of a file.
  struct Assignment
  {
    std::string path;   ///< "scheme/generalized alpha/spectral radius"
    std::string value;  ///< as written
    std::string origin; ///< "file.prm:12" or "--set"
    /// Nothing is set; the file opens the section of this path.
    bool opens_section = false;
    /// Of included files: a file may set anew what a file it includes has set.
    unsigned int depth = 0;

    template <class Archive>
    void
    serialize(Archive &archive, const unsigned int)
    {
      archive &opens_section &path &value &origin &depth;
    }
  };



  /// All entries a program knows. It stands on dealii::ParameterHandler, which
  /// keeps the values and their patterns, and adds what that class lacks:
  /// errors with origin and suggestion, ranges, conditions between entries,
  /// duplicate detection, and a print-out of the chosen plugins only.
  class ParameterTree
  {
  public:
    ParameterTree()                      = default;
    ParameterTree(const ParameterTree &) = delete;
    ParameterTree &
    operator=(const ParameterTree &) = delete;

    ParameterSection
    root();

    /// Assigns in order, then tests all conditions between entries. An entry
    /// may be assigned once by files and once more by each override. Sections
    /// of collections are made where files open them, each once; an override
    /// makes none.
    /// @throws Error with ExitCode::usage
    void
    assign(const std::vector<Assignment> &from_files,
           const std::vector<Assignment> &overrides);

    /// Writes a complete parameter file: sections of plugins that are not
    /// chosen are left out, and each entry has its description above it where
    /// @p with_descriptions is set.
    void
    print(std::ostream &out, bool with_descriptions) const;

    /// The values of one section, for comparison with another run.
    std::string
    text_of_section(const std::string &path) const;

    /// Where an entry was set: "file.prm:12", or that it has its default;
    /// there, in a section of a collection, where this was opened. Of a section
    /// where it, or one around it, was opened first.
    std::string
    origin(const std::string &path) const;

    /// The value of an entry, as written.
    std::string
    value(const std::string &path) const;

    /// Entries that an override has changed, as "path=value".
    const std::vector<std::string> &
    overridden() const
    {
      return overrides_applied;
    }

    /// What overrides have no effect, since they belong to what is not chosen,
    /// and why: one sentence for each.
    std::vector<std::string>
    idle_overrides() const;

  private:
    friend class ParameterSection;

    struct Entry
    {
      std::string description;
      std::string kind; ///< "number > 0"
      std::string origin;
      /// Returns why the value is refused, or an empty string; binds it.
      std::function<std::string(const std::string &)> assign;
      unsigned int depth    = 0;  ///< of the file that has set it
      std::string  selector = ""; ///< path of an entry without one of whose
      std::vector<std::string> choices = {}; ///< this one does not matter
    };

    /// What makes a section a collection.
    struct Collection
    {
      std::string                           description;
      ParameterSection::DeclareChild        declare_child;
      std::function<void(ParameterSection)> declare_example; ///< or empty
    };

    struct Section
    {
      std::vector<std::string> entries; ///< in the order of declaration
      std::vector<std::string> sections;
      std::string              selector; ///< path of the selecting entry
      std::string              choice;
      Collection               collection; ///< without functions: is none
      std::string              origin;     ///< where a file opens it first
      unsigned int             depth = 0;  ///< of the file that opened it last
    };

    struct Condition
    {
      std::string                  path;
      std::function<std::string()> reason;
    };

    void
    declare(const std::string                   &section,
            const std::string                   &entry,
            const Entry                         &new_entry,
            const std::string                   &value,
            const dealii::Patterns::PatternBase &pattern);

    void
    assign_one(const Assignment &assignment, bool is_override);

    void
    open_section(const Assignment &assignment);

    /// Makes a section of a collection.
    void
    add_child(const Assignment &assignment);

    /// Whether a section is one of a collection.
    bool
    is_child(const std::string &path) const;

    /// The innermost section of a collection in which, or at which, @p path
    /// is, or an empty string.
    std::string
    enclosing_child(std::string path) const;

    /// The selector due to which an entry does not matter in its section, or
    /// an empty string.
    std::string
    idle_due_to(const Entry &entry) const;

    [[noreturn]] void
    report_unknown(const Assignment &assignment) const;

    void
    set_value(const std::string &path, const std::string &value);

    void
    print_section(std::ostream      &out,
                  const std::string &path,
                  unsigned int       depth,
                  bool               with_descriptions) const;

    void
    print_entries(std::ostream      &out,
                  const std::string &path,
                  unsigned int       depth,
                  bool               with_descriptions) const;

    /// What a collection is, and an example where it has no sections yet.
    static void
    print_help(std::ostream      &out,
               const Section     &section,
               const std::string &indent);

    mutable dealii::ParameterHandler handler;
    std::map<std::string, Entry>     entries;
    std::map<std::string, Section>   sections = {{"", {}}};
    std::vector<Condition>           conditions;
    std::vector<std::string>         overrides_applied;
  };
} // namespace Percuss
