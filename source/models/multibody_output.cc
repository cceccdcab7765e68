// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>
#include <percuss/mechanics/vtu.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "multibody.h"

namespace Percuss
{
  namespace
  {
    constexpr unsigned int n_coordinates = Frame::n_coordinates;

    /// omega of a frame: half the sum of d_i x d_i'.
    Vector3
    angular_velocity(const Frame &at, const Frame &rate)
    {
      Vector3 omega;
      for (unsigned int i = 0; i < 3; ++i)
        omega += 0.5 * cross(at.d[i], rate.d[i]);
      return omega;
    }
  } // namespace



  /// "QUANTITY x of PLACE", with the quantities below.
  Probe
  Multibody::make_probe(const std::string &name, const std::string &what) const
  {
    using Quantity = std::function<Vector3(const Frame &, const Frame &)>;
    const std::size_t  split = what.find(" of ");
    std::istringstream words(what.substr(0, split));
    std::string        quantity, component;
    for (std::string word; words >> word;)
      {
        if (!component.empty())
          quantity += (quantity.empty() ? "" : " ") + component;
        component = word;
      }
    const std::vector<std::string> quantities = {"position",
                                                 "displacement",
                                                 "velocity",
                                                 "angular velocity",
                                                 "direction 1",
                                                 "direction 2",
                                                 "direction 3"};
    if (split == std::string::npos || component.size() != 1 ||
        std::string("xyz").find(component) == std::string::npos ||
        std::find(quantities.begin(), quantities.end(), quantity) ==
          quantities.end())
      throw Error(ExitCode::usage,
                  "'" + what +
                    "' is not understood; write 'QUANTITY x of PLACE' with x, "
                    "y or z and one of " +
                    join(quantities, ", ") + ".");
    const auto c =
      static_cast<unsigned int>(std::string("xyz").find(component));
    const MultibodyPlace place =
      MultibodyPlace::read(what.substr(split + 4), parameters, "");
    const FramePlace   frame_place = layout.frame_of(place);
    const unsigned int frame       = layout.number(frame_place);
    const Vector3      reference   = layout.reference(frame_place).origin;
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
      {"direction 1",
       {"1", [](const Frame &q, const Frame &) { return q.d[0]; }}},
      {"direction 2",
       {"1", [](const Frame &q, const Frame &) { return q.d[1]; }}},
      {"direction 3",
       {"1", [](const Frame &q, const Frame &) { return q.d[2]; }}}};
    const auto &[unit, value] = values.at(quantity);
    return {name, unit, [this, frame, c, value = value](const State &state) {
              double result = 0;
              if (layout.owns(frame))
                {
                  const unsigned int first =
                    n_coordinates * (frame - layout.owned().first);
                  result = value(Frame::read(state.q.begin() + first),
                                 Frame::read(state.v.begin() + first))[c];
                }
              return sum_over_ranks(result);
            }};
  }



  std::string
  Multibody::write_fields(const State &state,
                          const Vector &,
                          const std::string &folder,
                          const std::string &name) const
  {
    using Fields = FieldPatches<1, 3>;
    Fields fields;
    fields.names   = {"displacement_x", "displacement_y", "displacement_z"};
    fields.vectors = {"displacement"};
    const double *const q = ghosted(state.q, ghosts);
    for (const Element &element : elements)
      {
        if (!element.is_mine)
          continue;
        for (unsigned int a = 0; a + 1 < element.beam.n_nodes(); ++a)
          {
            auto patch = Fields::make_patch();
            patch.data.reinit(3, 2);
            for (unsigned int k = 0; k < 2; ++k)
              {
                const Frame frame =
                  Frame::read(q + n_coordinates * element.frames[a + k]);
                patch.vertices[k] = dealii::Point<3>(frame.origin);
              }
            fields.patches.push_back(patch);
          }
      }
    return write_vtu(fields, folder, name, state.time, communicator);
  }
} // namespace Percuss
