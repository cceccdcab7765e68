// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "multibody_entries.h"

#include <percuss/base/suggestion.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace Percuss
{
  namespace
  {
    using Point = MultibodyParameters::Point;

    std::string
    refuse_axis(const Point &axis)
    {
      return axis.norm() > 0 ? "" : "is zero and has no direction";
    }

    bool
    are_parallel(const Point &a, const Point &b)
    {
      return dealii::cross_product_3d(a, b).norm() <=
             1e-10 * a.norm() * b.norm();
    }

    /// A direction across an axis; zero where the program chooses it.
    std::string
    refuse_direction(const Point &direction, const Point &axis)
    {
      return direction.norm() > 0 && are_parallel(direction, axis) ?
               "is along the axis" :
               "";
    }

    /// The moments of second order along the axes, E_1 = (J_2 + J_3 - J_1)/2
    /// and so on, are not negative, and at most one is zero.
    std::string
    refuse_inertia(const Point &J)
    {
      const double round_off = 1e-12 * std::max({J[0], J[1], J[2]});
      unsigned int n_zero    = 0;
      for (unsigned int i = 0; i < 3; ++i)
        {
          const double a = J[(i + 1) % 3], b = J[(i + 2) % 3];
          if (J[i] > a + b + round_off)
            return "no body has it: " + shortest_text(J[i]) + " is more than " +
                   shortest_text(a) + " + " + shortest_text(b);
          n_zero += J[i] >= a + b - round_off;
        }
      return n_zero > 1 ? "is that of a line, without inertia about it" : "";
    }
  } // namespace



  MultibodyParameters::VectorExpression
  MultibodyParameters::VectorExpression::read(const std::string &text,
                                              const std::string &variable)
  {
    return {read_three_expressions(text, {variable})};
  }



  bool
  MultibodyParameters::VectorExpression::is_zero() const
  {
    return std::all_of(component.begin(),
                       component.end(),
                       [](const Expression &formula) {
                         return formula.is_constant() && formula(0) == 0;
                       });
  }



  MultibodyParameters::Point
  MultibodyParameters::VectorExpression::operator()(const double variable) const
  {
    Point value;
    for (unsigned int i = 0; i < 3; ++i)
      value[i] = component[i](variable);
    return value;
  }



  MultibodyParameters::Point
  MultibodyParameters::Body::point_of_line(const double s) const
  {
    if (curve.empty())
      return (1 - s) * start + s * end;
    return VectorExpression::read(curve, "s")(s);
  }



  void
  MultibodyParameters::Body::declare(ParameterSection &section)
  {
    section.add_choice("type",
                       type,
                       "What it is; a point mass adds to the mass of the place "
                       "where it is attached",
                       {"rigid", "beam", "point mass"});
    section.add("mass",
                mass,
                "Of a rigid body or a point mass, in kg",
                Range::positive());
    section.matters_with_any("mass", "type", {"rigid", "point mass"});
    section.add("attached to",
                attached_to,
                "The place of a point mass: a rigid body NAME, or of a beam "
                "'NAME start', 'NAME end' or 'NAME at 0.5', from 0 to 1");
    section.matters_with("attached to", "type", "point mass");
    declare_rigid(section);
    section.add("first direction",
                first_direction,
                "Principal axis 1 of a rigid body or of a beam's sections, as "
                "far as it is normal to the axis; 0, 0, 0: chosen by the "
                "program");
    declare_line(section);
    section.require("first direction", [this]() -> std::string {
      if (is("rigid"))
        return refuse_direction(first_direction, axis);
      if (is("beam") && curve.empty())
        return refuse_direction(first_direction, end - start);
      return "";
    });
    declare_section(section);
    declare_given_section(section);
    section.add("velocity",
                velocity,
                "At time 0, of the centre of mass of a rigid body or of the "
                "start of a beam, in m/s");
    section.add("angular velocity",
                angular_velocity,
                "At time 0, about the centre of mass of a rigid body or the "
                "start of a beam, in 1/s");
    for (const std::string entry :
         {"first direction", "velocity", "angular velocity"})
      section.matters_with_any(entry, "type", {"rigid", "beam"});
  }



  void
  MultibodyParameters::Body::declare_rigid(ParameterSection &section)
  {
    section.add("centre", centre, "The centre of mass, in m");
    section.add("axis",
                axis,
                "Principal axis 3: the axis of a cylinder, the third length "
                "of a box; of any length");
    section.require("axis",
                    [this]() { return is("rigid") ? refuse_axis(axis) : ""; });
    section.add_choice("shape",
                       shape,
                       "Of even density: gives the inertia, unless that is "
                       "given, and the picture",
                       {"box", "cylinder", "sphere"});
    section.add("size",
                size,
                "The lengths of a box along its axes 1, 2, 3, in m",
                Range::non_negative());
    section.require("size", [this]() -> std::string {
      const bool is_line = (size[0] == 0) + (size[1] == 0) + (size[2] == 0) > 1;
      return is("rigid") && shape == "box" && inertia.norm() == 0 && is_line ?
               "more than one length is zero" :
               "";
    });
    section.add("radius",
                radius,
                "Of a cylinder or a sphere, in m",
                Range::positive());
    section.add("height",
                height,
                "Of a cylinder, along its axis, in m",
                Range::non_negative());
    section.add("inertia",
                inertia,
                "The moments of inertia about the axes 1, 2, 3, in kg m^2; "
                "0, 0, 0: those of the shape",
                Range::non_negative());
    section.require("inertia", [this]() {
      return is("rigid") && inertia.norm() > 0 ? refuse_inertia(inertia) : "";
    });
    for (const std::string entry : {"centre", "axis", "shape", "inertia"})
      section.matters_with(entry, "type", "rigid");
    section.matters_with("size", "shape", "box");
    section.matters_with_any("radius", "shape", {"cylinder", "sphere"});
    section.matters_with("height", "shape", "cylinder");
  }



  void
  MultibodyParameters::Body::declare_line(ParameterSection &section)
  {
    section.add("start", start, "Of a straight beam (s = 0), in m");
    section.add("end", end, "Of a straight beam (s = 1), in m");
    section.require("end", [this]() -> std::string {
      return is("beam") && curve.empty() && (end - start).norm() == 0 ?
               "is the start" :
               "";
    });
    section.add("curve",
                curve,
                "The line of a curved beam, in m: three formulas of s, which "
                "goes from 0 to 1, as 'cos(pi*s); sin(pi*s); 0'; empty: "
                "straight from start to end");
    section.require("curve", [this]() { return refuse_curve(); });
    section.add("elements", n_elements, "Number of elements of the beam", 1);
    section.add("degree", degree, "Of the elements, at most 3", 1);
    section.require("elements", [this]() -> std::string {
      return is("beam") && static_cast<double>(n_elements) * degree > 1e8 ?
               "gives more than 1e8 nodes" :
               "";
    });
    section.require("degree", [this]() -> std::string {
      return is("beam") && degree > 3 ? "degrees above 3 are not available" :
                                        "";
    });
    for (const std::string entry :
         {"start", "end", "curve", "elements", "degree"})
      section.matters_with(entry, "type", "beam");
  }



  std::string
  MultibodyParameters::Body::refuse_curve() const
  {
    if (!is("beam") || curve.empty())
      return "";
    try
      {
        const VectorExpression line = VectorExpression::read(curve, "s");
        const unsigned int     n    = std::min(n_nodes() - 1, 1000u);
        for (unsigned int i = 0; i < n; ++i)
          {
            const double s     = static_cast<double>(i) / n;
            const Point secant = line(static_cast<double>(i + 1) / n) - line(s);
            if (!std::isfinite(secant.norm()))
              return "is not a number at s = " + shortest_text(s) +
                     " or the next node";
            if (secant.norm() == 0)
              return "stands still at s = " + shortest_text(s);
            if (i == 0 && first_direction.norm() > 0 &&
                are_parallel(first_direction, secant))
              return "starts along the first direction";
          }
        return "";
      }
    catch (const std::invalid_argument &error)
      {
        return "'" + curve + "' is no line, " + error.what();
      }
  }



  void
  MultibodyParameters::Body::declare_section(ParameterSection &section)
  {
    section.add_choice("section",
                       this->section,
                       "Of a beam; given: by its stiffness and inertia",
                       {"rectangle", "circle", "pipe", "given"});
    section.matters_with("section", "type", "beam");
    section.add("width",
                width,
                "Of a rectangle, along direction 1, in m",
                Range::positive());
    section.add("thickness",
                thickness,
                "Of a rectangle, along direction 2, in m",
                Range::positive());
    section.add("diameter",
                diameter,
                "Of a circle, outer one of a pipe, in m",
                Range::positive());
    section.add("inner diameter",
                inner_diameter,
                "Of a pipe, in m",
                Range::positive());
    section.require("inner diameter", [this]() -> std::string {
      return is("beam") && this->section == "pipe" &&
                 inner_diameter >= diameter ?
               "is not less than the diameter " + shortest_text(diameter) :
               "";
    });
    section.add("young modulus", E, "In Pa", Range::positive());
    section.add("poisson ratio",
                nu,
                "Gives the shear modulus",
                Range{-1, 0.5, true, false});
    section.add("density", density, "In kg/m^3", Range::positive());
    section.add("shear factor",
                shear_factor,
                "Part of the area that carries shear; 0: 5/6 of a rectangle, "
                "9/10 of a circle, 1/2 of a pipe",
                Range::between(0, 1));
    for (const std::string entry : {"width", "thickness"})
      section.matters_with(entry, "section", "rectangle");
    section.matters_with_any("diameter", "section", {"circle", "pipe"});
    section.matters_with("inner diameter", "section", "pipe");
    for (const std::string entry :
         {"young modulus", "poisson ratio", "density", "shear factor"})
      section.matters_with_any(entry,
                               "section",
                               {"rectangle", "circle", "pipe"});
  }



  void
  MultibodyParameters::Body::declare_given_section(ParameterSection &section)
  {
    section.add("force stiffness",
                force_stiffness,
                "GA_1, GA_2, EA of a given section, in N",
                Range::positive());
    section.add("moment stiffness",
                moment_stiffness,
                "EI_1, EI_2, GJ of a given section, in N m^2",
                Range::positive());
    section.add("line mass",
                line_mass,
                "Mass per length of a given section, in kg/m",
                Range::positive());
    section.add("line inertia",
                line_inertia,
                "Moments of inertia per length of a given section about "
                "direction 1, direction 2 and the line, in kg m",
                Range::non_negative());
    section.require("line inertia", [this]() -> std::string {
      return is("beam") && this->section == "given" ?
               refuse_inertia(line_inertia) :
               "";
    });
    for (const std::string entry :
         {"force stiffness", "moment stiffness", "line mass", "line inertia"})
      section.matters_with(entry, "section", "given");
  }



  bool
  MultibodyParameters::Joint::has_axis() const
  {
    return type != "spherical" && type != "rigid";
  }



  void
  MultibodyParameters::Joint::declare(ParameterSection &section)
  {
    section.add_choice("type",
                       type,
                       "What it leaves free: rotations (spherical), one about "
                       "the axis (revolute), a shift along it (prismatic), "
                       "both (cylindrical), rotations about two axes "
                       "(universal), or nothing (rigid)",
                       {"spherical",
                        "revolute",
                        "prismatic",
                        "cylindrical",
                        "universal",
                        "rigid"});
    section.add("first",
                first,
                "A place: 'ground', a rigid body or point mass NAME, or of a "
                "beam 'NAME start', 'NAME end' or 'NAME at 0.5', from 0 to 1, "
                "the nearest node");
    section.add("second", second, "The other place");
    section.add("point", point, "Where the joint is at time 0, in m");
    section.add("axis",
                axis,
                "At time 0, of any length; of a universal joint the axis that "
                "is fixed in the first place");
    section.matters_with_any(
      "axis", "type", {"revolute", "prismatic", "cylindrical", "universal"});
    section.require("axis",
                    [this]() { return has_axis() ? refuse_axis(axis) : ""; });
    section.add("second axis",
                second_axis,
                "Of a universal joint, fixed in the second place, at time 0, "
                "of any length");
    section.matters_with("second axis", "type", "universal");
    section.require("second axis", [this]() -> std::string {
      if (type != "universal")
        return "";
      const std::string refusal = refuse_axis(second_axis);
      return refusal.empty() ? refuse_direction(second_axis, axis) : refusal;
    });
  }



  void
  MultibodyParameters::Load::declare(ParameterSection &section)
  {
    section.add("on",
                on,
                "A place: a rigid body or point mass NAME, or of a beam 'NAME "
                "start', 'NAME end' or 'NAME at 0.5', the nearest node");
    section.add("force",
                force.component,
                "On the centre of mass or the node, in N, t in s");
    section.add("moment", moment.component, "In N m, t in s");
    section.add("follows",
                follows,
                "Whether the components are along the directions of the body "
                "or node, which turn with it, and not along those of space");
  }



  void
  MultibodyParameters::Feedback::declare(ParameterSection &section)
  {
    section.add("sensor",
                sensor,
                "The place that is watched, as in 'on' of a load");
    section.add_choice("quantity",
                       quantity,
                       "What is measured, y: the place's velocity, or its "
                       "displacement from where it is at time 0",
                       {"displacement", "velocity"});
    section.add(
      "sensor direction",
      sensor_direction,
      "The direction along which it is measured, in space; its length "
      "is a factor");
    section.add("actuator", actuator, "The place where the force acts");
    section.add("force direction",
                force_direction,
                "The direction of the force, in space; its length is a factor");
    controller.declare(section);
  }



  void
  MultibodyParameters::Contact::declare(ParameterSection &section)
  {
    section.add("on",
                on,
                "A place: a rigid body or point mass NAME, of a beam 'NAME "
                "start', 'NAME end' or 'NAME at 0.5', or NAME for all nodes of "
                "a beam");
    section.add_optional("point",
                         point,
                         has_point,
                         "origin",
                         "That touches, fixed to the place: where it is at "
                         "time 0, in m; origin: the centre of mass or node");
    section.add("radius",
                radius,
                "Of a ball around the point, in m",
                Range::non_negative());
    declare_obstacle(section);
    section.add("restitution",
                restitution,
                "Newton's coefficient e_N",
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
  MultibodyParameters::Contact::declare_obstacle(ParameterSection &section)
  {
    section.add_choice("obstacle",
                       obstacle,
                       "What it may not enter: fixed in space, or a point of "
                       "another place, from which it stays away by the radius",
                       {"plane", "sphere", "cylinder", "point"});
    section.add("through",
                through,
                "A point of the plane or of the cylinder's axis, or the centre "
                "of the sphere, in m");
    section.matters_with_any("through",
                             "obstacle",
                             {"plane", "sphere", "cylinder"});
    section.add("normal",
                normal,
                "Of the plane, towards the free side, of any length");
    section.matters_with("normal", "obstacle", "plane");
    section.require("normal", [this]() {
      return obstacle == "plane" ? refuse_axis(normal) : "";
    });
    section.add("axis", axis, "Of the cylinder, of any length");
    section.matters_with("axis", "obstacle", "cylinder");
    section.require("axis", [this]() {
      return obstacle == "cylinder" ? refuse_axis(axis) : "";
    });
    section.add("obstacle radius",
                obstacle_radius,
                "Of the sphere or cylinder, in m",
                Range::positive());
    section.add_choice("side",
                       side,
                       "Where the point is free: outside or inside the sphere "
                       "or cylinder",
                       {"outside", "inside"});
    for (const std::string entry : {"obstacle radius", "side"})
      section.matters_with_any(entry, "obstacle", {"sphere", "cylinder"});
    section.require("radius", [this]() -> std::string {
      if ((obstacle == "sphere" || obstacle == "cylinder") &&
          side == "inside" && radius >= obstacle_radius)
        return "has no room inside the obstacle radius " +
               shortest_text(obstacle_radius);
      return obstacle == "point" && radius == 0 ?
               "is zero; two points have no distance to keep" :
               "";
    });
    section.add("other",
                other,
                "The other place, as for 'on', but not all of a beam");
    section.matters_with("other", "obstacle", "point");
    section.add_optional("other point",
                         other_point,
                         has_other_point,
                         "origin",
                         "Fixed to the other place, as for 'point'");
    section.matters_with("other point", "obstacle", "point");
  }
} // namespace Percuss
