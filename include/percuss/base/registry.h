// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/parameter_section.h>

#include <deal.II/base/exceptions.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  /// The plugins of one family (models, schemes, contact laws, contact
  /// solvers, linear solvers), filled by Registration objects before main().
  ///
  /// A plugin is a class derived from @p Base with a nested struct
  /// `Parameters`, which has a member `declare(ParameterSection &)`, and a
  /// constructor from `(const Parameters &, const Base::Context &)`.
  template <typename Base>
  class Registry
  {
  public:
    using Context = typename Base::Context;

    /// The parameters of one plugin, and the plugin made from them.
    class Builder
    {
    public:
      virtual ~Builder() = default;
      virtual void
      declare(ParameterSection &section) = 0;
      virtual std::unique_ptr<Base>
      build(const Context &context) const = 0;
    };

    /// Further lines of `percuss list`: a word and what it says.
    using Properties = std::vector<std::pair<std::string, std::string>>;

    struct Plugin
    {
      std::string                               description;
      Properties                                properties;
      std::function<std::unique_ptr<Builder>()> make_builder;
    };

    /// All plugins by name.
    static std::map<std::string, Plugin> &
    plugins()
    {
      static std::map<std::string, Plugin> all;
      return all;
    }

    static std::vector<std::string>
    names()
    {
      std::vector<std::string> result;
      for (const auto &plugin : plugins())
        result.push_back(plugin.first);
      return result;
    }
  };



  /// One static object of this type at the end of a plugin's file announces
  /// the plugin: `const Registration<TimeStepper, MoreauJean> r("moreau jean",
  /// "...");`
  template <typename Base, typename PluginClass>
  class Registration
  {
  public:
    Registration(const std::string                         &name,
                 const std::string                         &description,
                 const typename Registry<Base>::Properties &properties = {})
    {
      const bool is_new =
        Registry<Base>::plugins()
          .insert({name,
                   {description,
                    properties,
                    [] { return std::make_unique<Builder>(); }}})
          .second;
      AssertThrow(is_new,
                  dealii::ExcMessage("The plugin '" + name +
                                     "' is registered twice."));
    }

  private:
    class Builder : public Registry<Base>::Builder
    {
    public:
      void
      declare(ParameterSection &section) override
      {
        parameters.declare(section);
      }

      std::unique_ptr<Base>
      build(const typename Base::Context &context) const override
      {
        return std::make_unique<PluginClass>(parameters, context);
      }

    private:
      typename PluginClass::Parameters parameters;
    };
  };



  /// One choice out of a family, as a parameter file makes it: an entry names
  /// the plugin, and each plugin of the family has a subsection of its own.
  template <typename Base>
  class Choice
  {
  public:
    /// Declares the entry @p entry with the default @p choice and the
    /// subsections of all plugins.
    void
    declare(ParameterSection  &section,
            const std::string &entry,
            const std::string &default_choice,
            const std::string &description)
    {
      choice = default_choice;
      section.add_choice(entry, choice, description, Registry<Base>::names());
      for (const auto &[name, plugin] : Registry<Base>::plugins())
        {
          builders[name]              = plugin.make_builder();
          ParameterSection subsection = section.subsection(name);
          builders[name]->declare(subsection);
          subsection.belongs_to(entry, name);
        }
    }

    std::unique_ptr<Base>
    build(const typename Base::Context &context) const
    {
      return builders.at(choice)->build(context);
    }

    const std::string &
    name() const
    {
      return choice;
    }

  private:
    std::string choice;
    std::map<std::string, std::unique_ptr<typename Registry<Base>::Builder>>
      builders;
  };
} // namespace Percuss
