// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <limits>
#include <map>
#include <sstream>

#include "multibody.h"

namespace Percuss
{
  namespace
  {
    constexpr unsigned int n_coordinates = Frame::n_coordinates;

    const std::vector<std::string> frame_quantities    = {"position",
                                                          "displacement",
                                                          "velocity",
                                                          "angular velocity",
                                                          "direction 1",
                                                          "direction 2",
                                                          "direction 3"};
    const std::vector<std::string> section_quantities  = {"section force",
                                                          "section moment"};
    const std::vector<std::string> reaction_quantities = {"reaction force",
                                                          "reaction moment"};

    bool
    is_one_of(const std::string &word, const std::vector<std::string> &words)
    {
      return std::find(words.begin(), words.end(), word) != words.end();
    }

    std::string
    unit_of(const std::string &quantity)
    {
      return quantity.find("moment") == std::string::npos ? "N" : "N m";
    }

    /// "QUANTITY component of WHERE"; no component for gaps.
    struct ProbeText
    {
      std::string quantity, component, where;

      static ProbeText
      read(const std::string &what)
      {
        ProbeText         result;
        const std::size_t split = what.find(" of ");
        if (split != std::string::npos)
          result.where = what.substr(split + 4);
        std::istringstream       stream(what.substr(0, split));
        std::vector<std::string> words;
        for (std::string word; stream >> word;)
          words.push_back(word);
        if (words.size() > 1)
          {
            result.component = words.back();
            words.pop_back();
          }
        result.quantity = join(words, " ");
        return result;
      }

      /// The number of the component among @p letters, or how many there are.
      unsigned int
      find(const std::string &letters) const
      {
        const std::size_t found =
          component.size() == 1 ? letters.find(component) : std::string::npos;
        return static_cast<unsigned int>(std::min(found, letters.size()));
      }
    };

    /// @throws Error without the entry, which the caller knows
    MultibodyPlace
    place_of(const std::string &where, const MultibodyParameters &parameters)
    {
      try
        {
          const auto place = MultibodyPlace::read(where, parameters, "");
          if (!place.is_ground)
            return place;
        }
      catch (const EntryError &error)
        {
          throw Error(ExitCode::usage, error.reason);
        }
      throw Error(ExitCode::usage, "the ground does not move; name a body.");
    }

    /// The names of joints or contacts.
    template <typename T>
    std::vector<std::string>
    names_of(const MultibodyParameters::Named<T> &items)
    {
      std::vector<std::string> names;
      for (const auto &[name, item] : items)
        names.push_back(name);
      return names;
    }

    /// @throws Error where @p name is none of @p names, which are @p kind
    unsigned int
    number_of(const std::string              &name,
              const std::vector<std::string> &names,
              const std::string              &kind)
    {
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end())
        throw Error(
          ExitCode::usage,
          sentence("'" + name + "' is no " + kind + did_you_mean(name, names)) +
            " Valid names: " + (names.empty() ? "none" : join(names)) + ".");
      return static_cast<unsigned int>(found - names.begin());
    }

    [[noreturn]] void
    refuse(const std::string &what, const std::string &quantity)
    {
      std::vector<std::string> all = frame_quantities;
      for (const auto *const some : {&section_quantities, &reaction_quantities})
        all.insert(all.end(), some->begin(), some->end());
      all.push_back("gap");
      throw Error(
        ExitCode::usage,
        sentence("'" + what + "' is not understood" +
                 did_you_mean(quantity, all)) +
          " Write 'QUANTITY x of PLACE' with x, y or z and one of " +
          join(frame_quantities) +
          "; 'section force 1 of PLACE' or 'section moment 1 of PLACE' with "
          "1, 2 or 3; 'reaction force x of joint NAME' or 'reaction moment x "
          "of joint NAME'; 'gap of CONTACT'.");
    }
  } // namespace



  Probe
  Multibody::make_probe(const std::string &name, const std::string &what) const
  {
    const ProbeText text = ProbeText::read(what);
    if (text.where.empty())
      refuse(what, text.quantity);
    if (text.quantity == "gap" && text.component.empty())
      return gap_probe(name, text.where);
    if (is_one_of(text.quantity, section_quantities) && text.find("123") < 3)
      return section_probe(name, text.quantity, text.find("123"), text.where);
    if (const unsigned int c = text.find("xyz"); c < 3)
      {
        if (is_one_of(text.quantity, frame_quantities))
          return frame_probe(name, text.quantity, c, text.where);
        if (is_one_of(text.quantity, reaction_quantities))
          return reaction_probe(name, text.quantity, c, text.where);
      }
    refuse(what, text.quantity);
  }



  Probe
  Multibody::frame_probe(const std::string &name,
                         const std::string &quantity,
                         const unsigned int component,
                         const std::string &where) const
  {
    using Quantity = std::function<Vector3(const Frame &, const Frame &)>;
    const FramePlace   place     = layout.frame_of(place_of(where, parameters));
    const unsigned int frame     = layout.number(place);
    const Vector3      reference = layout.reference(place).origin;
    const auto         direction = [](const unsigned int i) {
      return [i](const Frame &q, const Frame &) { return q.d[i]; };
    };
    const std::map<std::string, std::pair<std::string, Quantity>> values = {
      {"position",
       {"m", [](const Frame &q, const Frame &) { return q.origin; }}},
      {"displacement",
       {"m",
        [reference](const Frame &q, const Frame &) {
          return q.origin - reference;
        }}},
      {"velocity",
       {"m/s", [](const Frame &, const Frame &v) { return v.origin; }}},
      {"angular velocity", {"1/s", angular_velocity}},
      {"direction 1", {"1", direction(0)}},
      {"direction 2", {"1", direction(1)}},
      {"direction 3", {"1", direction(2)}}};
    const auto &[unit, value] = values.at(quantity);
    return {name,
            unit,
            [this, frame, component, value = value](const State &state) {
              double result = 0;
              if (layout.owns(frame))
                {
                  const unsigned int first =
                    n_coordinates * (frame - layout.owned().first);
                  result =
                    value(Frame::read(state.q.begin() + first),
                          Frame::read(state.v.begin() + first))[component];
                }
              return sum_over_ranks(result);
            }};
  }



  Probe
  Multibody::section_probe(const std::string &name,
                           const std::string &quantity,
                           const unsigned int component,
                           const std::string &where) const
  {
    const FramePlace place = layout.frame_of(place_of(where, parameters));
    if (!layout.body(place.body).is("beam"))
      throw Error(ExitCode::usage,
                  "'" + where + "' is not on a beam and has no section.");
    const unsigned int  frame = layout.number(place);
    std::vector<size_t> touching;
    for (std::size_t e = 0; layout.owns(frame) && e < elements.size(); ++e)
      for (unsigned int a = 0; a < elements[e].beam.n_nodes(); ++a)
        if (elements[e].frames[a] == frame - layout.owned().first)
          touching.push_back(e);
    const unsigned int s = (quantity == "section force" ? 0 : 3) + component;
    return {name, unit_of(quantity), [this, touching, s](const State &state) {
              const double *const q   = ghosted(state.q, ghosts);
              double              sum = 0;
              for (const std::size_t e : touching)
                sum += elements[e].beam.stresses(elements[e].beam.mean_strains(
                         coordinates(elements[e], q)))[s] /
                       static_cast<double>(touching.size());
              return sum_over_ranks(sum);
            }};
  }



  Probe
  Multibody::reaction_probe(const std::string &name,
                            const std::string &quantity,
                            const unsigned int component,
                            const std::string &where) const
  {
    const std::string word  = "joint ";
    const auto        names = names_of(parameters.joints);
    const bool        has_word =
      where.compare(0, word.size(), word) == 0 && !is_one_of(where, names);
    const unsigned int number =
      number_of(has_word ? where.substr(word.size()) : where, names, "joint");
    const auto &mine     = reactions->joints();
    const auto  found    = std::find(mine.begin(), mine.end(), number);
    const auto  i        = static_cast<std::size_t>(found - mine.begin());
    const bool  is_force = quantity == "reaction force";
    return {name,
            unit_of(quantity),
            [this, i, is_force, component](const State &state) {
              double result = 0;
              if (i < reactions->joints().size())
                {
                  const JointReaction &of_joint = reactions->compute(state)[i];
                  result =
                    (is_force ? of_joint.force : of_joint.moment)[component];
                }
              return sum_over_ranks(result);
            }};
  }



  Probe
  Multibody::gap_probe(const std::string &name, const std::string &where) const
  {
    number_of(where, names_of(parameters.contacts), "contact");
    std::vector<unsigned int> mine;
    for (unsigned int i = 0; i < contacts().points().size(); ++i)
      if (contact_points->name(i) == where)
        mine.push_back(i);
    return {name, "m", [this, mine](const State &state) {
              double gap = std::numeric_limits<double>::max();
              for (const unsigned int i : mine)
                gap =
                  std::min(gap, contact_points->place(i, state.q.begin()).gap);
              return dealii::Utilities::MPI::min(gap, communicator);
            }};
  }
} // namespace Percuss
