// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/utilities.h>

#include <charconv>
#include <cmath>
#include <memory>

#include "multibody_entries.h"

namespace Percuss
{
  namespace
  {
    /// "bar at 0.5" as {"bar", "at", 0.5}.
    struct PlaceOnBeam
    {
      std::string name;
      std::string word; ///< start, end, at; empty for another text
      double      s = 0;
    };

    /// @p s becomes not a number where it is not readable.
    PlaceOnBeam
    split_place(const std::string &text)
    {
      for (const std::string word : {"start", "end"})
        {
          const std::string tail = " " + word;
          if (text.size() > tail.size() &&
              text.compare(text.size() - tail.size(), tail.size(), tail) == 0)
            return {text.substr(0, text.size() - tail.size()),
                    word,
                    word == "end" ? 1. : 0.};
        }
      const std::size_t at = text.rfind(" at ");
      if (at == std::string::npos || at == 0)
        return {};
      const std::string number = dealii::Utilities::trim(text.substr(at + 4));
      PlaceOnBeam       result{text.substr(0, at), "at"};
      const char       *last = number.data() + number.size();
      const auto        read = std::from_chars(number.data(), last, result.s);
      if (read.ec != std::errc() || read.ptr != last)
        result.s = std::nan("");
      return result;
    }

    /// Why a body cannot have @p name, or an empty string.
    std::string
    refuse_body_name(const std::string &name)
    {
      if (name == "ground")
        return "the ground is no body; take another name";
      return split_place(name).word.empty() ?
               "" :
               "a name with 'start', 'end' or 'at' like this is a place on a "
               "beam; take another name";
    }

    /// Reads places, and follows point masses.
    class PlaceReader
    {
    public:
      PlaceReader(const MultibodyParameters &parameters,
                  const std::string         &entry,
                  const bool                 may_be_whole_beam)
        : parameters(parameters)
        , entry("model/multibody/" + entry)
        , may_be_whole_beam(may_be_whole_beam)
      {}

      MultibodyPlace
      read(const std::string &text, unsigned int n_followed = 0) const;

    private:
      MultibodyPlace
      read_name(unsigned int body, unsigned int n_followed) const;
      MultibodyPlace
      read_on_beam(unsigned int body, const PlaceOnBeam &place) const;

      /// The number of a body, or how many there are.
      unsigned int
      find(const std::string &name) const;

      [[noreturn]] void
      refuse_unknown(const std::string &text) const;

      [[noreturn]] void
      refuse(const std::string &reason) const
      {
        throw EntryError(entry, sentence(reason));
      }

      const MultibodyParameters &parameters;
      const std::string          entry;
      const bool                 may_be_whole_beam;
    };



    MultibodyPlace
    PlaceReader::read(const std::string &text,
                      const unsigned int n_followed) const
    {
      const std::string word     = dealii::Utilities::trim(text);
      const auto        n_bodies = parameters.bodies.size();
      if (word.empty())
        refuse("names no place");
      if (word == "ground")
        {
          MultibodyPlace ground;
          ground.is_ground = true;
          return ground;
        }
      if (const unsigned int body = find(word); body < n_bodies)
        return read_name(body, n_followed);
      const PlaceOnBeam place = split_place(word);
      if (const unsigned int body = find(place.name);
          !place.word.empty() && body < n_bodies)
        return read_on_beam(body, place);
      refuse_unknown(word);
    }



    MultibodyPlace
    PlaceReader::read_name(const unsigned int number,
                           const unsigned int n_followed) const
    {
      const auto &[name, body] = parameters.bodies[number];
      if (body.is("point mass"))
        {
          if (n_followed > parameters.bodies.size())
            refuse("point masses are attached to each other in a circle");
          if (body.attached_to.empty())
            refuse("'" + name + "' is a point mass that is not attached");
          return read(body.attached_to, n_followed + 1);
        }
      MultibodyPlace place;
      place.body          = number;
      place.is_whole_beam = body.is("beam");
      if (place.is_whole_beam && (!may_be_whole_beam || n_followed > 0))
        refuse("'" + name + "' is a beam; name a node of it: '" + name +
               " start', '" + name + " end' or '" + name + " at 0.5'");
      return place;
    }



    MultibodyPlace
    PlaceReader::read_on_beam(const unsigned int number,
                              const PlaceOnBeam &on_beam) const
    {
      const auto &[name, body] = parameters.bodies[number];
      if (!body.is("beam"))
        refuse("'" + name + "' is no beam; write '" + name + "'");
      if (!(on_beam.s >= 0 && on_beam.s <= 1))
        refuse("after 'at' there is no number from 0 to 1, which is the part "
               "of the beam's length from its start");
      MultibodyPlace place;
      place.body = number;
      place.s    = on_beam.s;
      return place;
    }



    unsigned int
    PlaceReader::find(const std::string &name) const
    {
      unsigned int i = 0;
      while (i < parameters.bodies.size() && parameters.bodies[i].first != name)
        ++i;
      return i;
    }



    void
    PlaceReader::refuse_unknown(const std::string &text) const
    {
      std::vector<std::string> places = {"ground"};
      for (const auto &[name, body] : parameters.bodies)
        {
          if (!body.is("beam") || may_be_whole_beam)
            places.push_back(name);
          if (body.is("beam"))
            for (const std::string tail : {" start", " end", " at 0.5"})
              places.push_back(name + tail);
        }
      refuse(
        sentence("'" + text + "' is no place" + did_you_mean(text, places)) +
        " Places: " + join(places));
    }



    /// "joints/A/first".
    std::string
    of(const std::string &collection,
       const std::string &name,
       const std::string &entry)
    {
      return collection + "/" + name + "/" + entry;
    }



    /// A condition that throws, as one that returns.
    template <typename Action>
    std::string
    refusal_of(const Action &action)
    {
      try
        {
          return action();
        }
      catch (const EntryError &error)
        {
          return error.reason;
        }
    }



    /// A declaration, and conditions of what a file opens: @p add_conditions
    /// has the name, the object and the section.
    template <typename Child, typename Function>
    auto
    with_conditions(const Function &add_conditions)
    {
      return [add_conditions](const std::string &name,
                              Child             &child,
                              ParameterSection  &section) {
        child.declare(section);
        if (!name.empty()) // not that of an example
          add_conditions(name, child, section);
      };
    }
  } // namespace



  unsigned int
  MultibodyPlace::node(const MultibodyParameters &parameters) const
  {
    if (is_ground || !parameters.bodies[body].second.is("beam"))
      return 0;
    return static_cast<unsigned int>(
      std::lround(s * (parameters.bodies[body].second.n_nodes() - 1)));
  }



  bool
  MultibodyPlace::is_same(const MultibodyPlace      &other,
                          const MultibodyParameters &parameters) const
  {
    if (is_ground || other.is_ground)
      return is_ground == other.is_ground;
    return body == other.body && (is_whole_beam || other.is_whole_beam ||
                                  node(parameters) == other.node(parameters));
  }



  MultibodyPlace
  MultibodyPlace::read(const std::string         &text,
                       const MultibodyParameters &parameters,
                       const std::string         &entry,
                       const bool                 may_be_whole_beam)
  {
    return PlaceReader(parameters, entry, may_be_whole_beam).read(text);
  }



  void
  MultibodyParameters::declare(ParameterSection &section)
  {
    section.add("gravity", gravity, "Acceleration of all masses, in m/s^2");
    declare_bodies(section);
    declare_joints(section);
    declare_loads(section);
    declare_feedbacks(section);
    declare_contacts(section);
  }



  void
  MultibodyParameters::declare_bodies(ParameterSection &section)
  {
    const auto conditions = [this](const std::string &name,
                                   const Body        &body,
                                   ParameterSection  &of_body) {
      of_body.require("", [name]() { return refuse_body_name(name); });
      of_body.require("attached to", [this, name, &body]() -> std::string {
        return refusal_of([&]() -> std::string {
          return body.is("point mass") &&
                     MultibodyPlace::read(body.attached_to,
                                          *this,
                                          of("bodies", name, "attached to"))
                       .is_ground ?
                   "a mass on the ground does not move" :
                   "";
        });
      });
    };
    add_named(section,
              "bodies",
              "Rigid bodies, beams and point masses",
              bodies,
              with_conditions<Body>(conditions));
  }



  void
  MultibodyParameters::declare_joints(ParameterSection &section)
  {
    const auto conditions = [this](const std::string &name,
                                   const Joint       &joint,
                                   ParameterSection  &of_joint) {
      of_joint.require("first", [this, name, &joint]() {
        return refusal_of([&]() {
          MultibodyPlace::read(joint.first, *this, of("joints", name, "first"));
          return "";
        });
      });
      of_joint.require("second", [this, name, &joint]() {
        return refusal_of([&]() -> std::string {
          const auto first = MultibodyPlace::read(joint.first,
                                                  *this,
                                                  of("joints", name, "first"));
          return MultibodyPlace::read(joint.second,
                                      *this,
                                      of("joints", name, "second"))
                     .is_same(first, *this) ?
                   "is the same place as the first" :
                   "";
        });
      });
    };
    add_named(section,
              "joints",
              "Between two places",
              joints,
              with_conditions<Joint>(conditions));
  }



  void
  MultibodyParameters::declare_loads(ParameterSection &section)
  {
    const auto conditions = [this](const std::string &name,
                                   const Load        &load,
                                   ParameterSection  &of_load) {
      of_load.require("on", [this, name, &load]() {
        return refusal_of([&]() -> std::string {
          return MultibodyPlace::read(load.on, *this, of("loads", name, "on"))
                     .is_ground ?
                   "the ground feels no load" :
                   "";
        });
      });
    };
    add_named(section,
              "loads",
              "Forces and moments",
              loads,
              with_conditions<Load>(conditions));
  }



  void
  MultibodyParameters::declare_feedbacks(ParameterSection &section)
  {
    const auto conditions = [this](const std::string &name,
                                   const Feedback    &feedback,
                                   ParameterSection  &of_feedback) {
      const auto moves = [this, name](const std::string &entry,
                                      const std::string &place) {
        return refusal_of([&]() -> std::string {
          return MultibodyPlace::read(place, *this, of("feedback", name, entry))
                     .is_ground ?
                   "the ground does not move" :
                   "";
        });
      };
      of_feedback.require("sensor", [moves, &feedback]() {
        return moves("sensor", feedback.sensor);
      });
      of_feedback.require("actuator", [moves, &feedback]() {
        return moves("actuator", feedback.actuator);
      });
      for (const auto &[entry, direction] :
           {std::make_pair("sensor direction", &feedback.sensor_direction),
            std::make_pair("force direction", &feedback.force_direction)})
        of_feedback.require(entry, [&vector = *direction]() {
          return vector.norm() == 0 ? "has no direction" : std::string();
        });
    };
    add_named(section,
              "feedback",
              "Each section is a controller between a sensor and an actuator",
              feedbacks,
              with_conditions<Feedback>(conditions));
  }



  void
  MultibodyParameters::declare_contacts(ParameterSection &section)
  {
    const auto conditions = [this](const std::string &name,
                                   const Contact     &contact,
                                   ParameterSection  &of_contact) {
      const auto on = [this, name, &contact]() {
        return MultibodyPlace::read(contact.on,
                                    *this,
                                    of("contacts", name, "on"),
                                    contact.obstacle != "point");
      };
      of_contact.require("on", [on]() {
        return refusal_of([&]() -> std::string {
          return on().is_ground ? "the ground does not move; name a body" : "";
        });
      });
      of_contact.require("point", [on, &contact]() -> std::string {
        return contact.has_point && on().is_whole_beam ?
                 "is one point, but 'on' is all nodes of a beam" :
                 "";
      });
      of_contact.require("other", [this, on, name, &contact]() {
        return refusal_of([&]() -> std::string {
          if (contact.obstacle != "point")
            return "";
          const auto other =
            MultibodyPlace::read(contact.other,
                                 *this,
                                 of("contacts", name, "other"));
          return other.is_ground ?
                   "the ground does not move; take a sphere as obstacle" :
                 other.is_same(on(), *this) ? "is the place of 'on'" :
                                              "";
        });
      });
    };
    add_named(section,
              "contacts",
              "Points that stay out of an obstacle",
              contacts,
              with_conditions<Contact>(conditions));
  }
} // namespace Percuss
