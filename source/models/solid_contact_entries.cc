// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "solid_entries.h"

// The entries of contacts of solids, and what all entries have in common.

namespace Percuss
{
  namespace SolidEntries
  {
    const char *const a_side =
      "A side, 'BODY SIDE': of a box 'left', 'right', 'bottom', 'top' and, in "
      "space, 'front', 'back'; of a ball 'surface'; of a cylinder 'surface', "
      "'bottom', 'top'; of a half ring 'outside', 'inside', 'left', 'right'; of "
      "an L 'surface'; of a mesh file its names; or 'all'";



    void
    require_length(ParameterSection          &section,
                   const std::string         &entry,
                   const std::vector<double> &list,
                   const unsigned int         length)
    {
      section.require(entry, [&list, length]() {
        return list.size() == length ?
                 std::string() :
                 "has " + std::to_string(list.size()) + " numbers, not " +
                   std::to_string(length);
      });
    }


    void
    require_direction(ParameterSection          &section,
                      const std::string         &entry,
                      const std::vector<double> &list)
    {
      section.require(entry, [&list]() {
        return std::all_of(list.begin(),
                           list.end(),
                           [](const double n) { return n == 0; }) ?
                 "has no direction" :
                 std::string();
      });
    }
  } // namespace SolidEntries

  using SolidEntries::a_side;
  using SolidEntries::require_direction;
  using SolidEntries::require_length;



  void
  SolidParameters::Contact::set_defaults(const unsigned int dim)
  {
    for (auto *list : {&through, &centre, &corner, &pivot})
      list->assign(dim, 0.);
    for (auto *list : {&normal, &axis, &turning_axis})
      {
        list->assign(dim, 0.);
        list->back() = 1;
      }
    size.assign(dim, 1.);
  }



  void
  SolidParameters::Contact::declare(ParameterSection  &section,
                                    const unsigned int dim)
  {
    if (through.empty())
      set_defaults(dim);
    section.add("on", on, a_side);
    section.add("with",
                with,
                "A side of another body or of the same one that it may touch, "
                "as 'on'; where it is empty, it may touch a rigid obstacle");
    section.add("search distance",
                search_distance,
                "With another side: faces further apart in the undeformed "
                "bodies do not touch, in m; 0: as long as the longest face, "
                "which needs a mesh that does not change. "
                "With an obstacle: nodes of the undeformed body further away "
                "from it at the start do not touch it; 0: all may",
                Range::non_negative());
    section.add_choice("pairs",
                       pairs,
                       "With another side: which faces touch each other, those "
                       "that faced each other in the undeformed bodies, which "
                       "may slide and turn little, or those that do at the "
                       "moment",
                       {"of the start", "of the motion"});
    add_shape(section, dim);
    add_constraints(section);
    add_motion(section, dim);
    section.matters_with("obstacle", "with", "");
    section.add("restitution",
                restitution,
                "Newton's coefficient of the nodes",
                Range::between(0, 1));
    section.add("friction",
                friction,
                "Coulomb's coefficient mu, used with contact/law = coulomb",
                Range::non_negative());
    section.add("tangential restitution",
                tangential_restitution,
                "e_T",
                Range::between(0, 1));
  }



  void
  SolidParameters::Contact::add_shape(ParameterSection  &section,
                                      const unsigned int dim)
  {
    std::vector<std::string> shapes = {"plane", "sphere", "box", "formula"};
    if (dim == 3)
      shapes.emplace_back("cylinder");
    section.add_choice("obstacle",
                       obstacle,
                       "The rigid obstacle; in the plane a sphere is a circle",
                       shapes);
    section.add("through", through, "Plane: one of its points, in m");
    section.add("normal", normal, "Plane: towards the bodies");
    section.add("centre",
                centre,
                "Sphere: in m; cylinder: a point of its axis");
    section.add("radius", radius, "Sphere, cylinder: in m", Range::positive());
    if (dim == 3)
      section.add("axis", axis, "Cylinder: its direction; it has no ends");
    section.add_choice("side",
                       side,
                       "Sphere, cylinder: where the bodies are, outside of it "
                       "or inside, in a cavity",
                       {"outside", "inside"});
    section.add("corner", corner, "Box: with the smallest coordinates, in m");
    section.add("size",
                size,
                "Box: lengths of its edges, in m",
                Range::positive());
    section.add("distance",
                distance,
                "Formula of x, y, z and t that is positive where bodies may "
                "be and zero on the obstacle, best a distance in m");
    for (const std::string entry : {"through", "normal"})
      section.matters_with(entry, "obstacle", "plane");
    for (const std::string entry : {"centre", "radius", "side"})
      section.matters_with_any(entry, "obstacle", {"sphere", "cylinder"});
    for (const std::string entry : {"corner", "size"})
      section.matters_with(entry, "obstacle", "box");
    section.matters_with("distance", "obstacle", "formula");
    for (const auto &[entry, list] : {std::pair("through", &through),
                                      std::pair("normal", &normal),
                                      std::pair("centre", &centre),
                                      std::pair("corner", &corner),
                                      std::pair("size", &size)})
      require_length(section, entry, *list, dim);
    require_direction(section, "normal", normal);
    if (dim == 3)
      {
        section.matters_with("axis", "obstacle", "cylinder");
        require_length(section, "axis", axis, dim);
        require_direction(section, "axis", axis);
      }
    section.require("distance", [this]() {
      return obstacle == "formula" && distance.empty() ? "has no formula" :
                                                         std::string();
    });
  }



  void
  SolidParameters::Contact::add_constraints(ParameterSection &section)
  {
    section.add_choice("constraints",
                       constraints,
                       "What may not enter the obstacle: the nodes, or "
                       "weighted means over points of the faces around each "
                       "node, which see obstacles between the nodes",
                       {"nodes", "weighted"});
    section.add("quadrature points",
                n_points,
                "Weighted constraints: along each direction between "
                "neighbouring nodes",
                2);
    section.add("smoothing length",
                smoothing,
                "Weighted constraints in front of obstacles other than planes: "
                "points whose gap is larger by this length count 1/e as much, "
                "in m; 0: a hundredth of the width of the node's function",
                Range::non_negative());
    section.matters_with("constraints", "with", "");
    for (const std::string entry : {"quadrature points", "smoothing length"})
      section.matters_with(entry, "constraints", "weighted");
  }



  void
  SolidParameters::Contact::add_motion(ParameterSection  &section,
                                       const unsigned int dim)
  {
    section.add("motion",
                motion,
                "How the obstacle moves, as 'y = 1e-3*sin(50*t)', in m");
    section.add("turning",
                turning,
                "Angle by which it turns, a formula of t, in rad");
    section.add("pivot",
                pivot,
                "About which it turns, in m; it moves with the obstacle");
    require_length(section, "pivot", pivot, dim);
    if (dim == 2)
      return;
    section.add("turning axis", turning_axis, "Direction of the axis");
    require_length(section, "turning axis", turning_axis, dim);
    require_direction(section, "turning axis", turning_axis);
  }
} // namespace Percuss
