// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/expression.h>
#include <percuss/base/parameter_section.h>
#include <percuss/models/feedback.h>

#include <deal.II/base/tensor.h>

#include <array>
#include <deque>
#include <string>
#include <utility>

namespace Percuss
{
  /// The entries of the model 'multibody': named bodies, joints, loads and
  /// contacts, each a section of its own in the parameter file. All points and
  /// directions are those of the reference configuration, in the coordinates
  /// of space.
  struct MultibodyParameters
  {
    using Point = dealii::Tensor<1, 3>;

    /// Three formulas of one variable, separated by semicolons; t unless read
    /// with another one.
    struct VectorExpression
    {
      /// @throws std::invalid_argument with the column and the reason
      static VectorExpression
      read(const std::string &text, const std::string &variable = "t");

      std::array<Expression, 3> component = {{Expression("0", {"t"}),
                                              Expression("0", {"t"}),
                                              Expression("0", {"t"})}};

      /// Whether it is zero at all times, as constants.
      bool
      is_zero() const;

      Point
      operator()(double variable) const;
    };

    struct Body
    {
      std::string type = "rigid"; ///< rigid, beam or point mass

      double mass = 1; ///< of a rigid body or a point mass, in kg
      /// Rigid and beam: at time 0, in m/s, of the centre of mass or of the
      /// start (s = 0) of a beam.
      Point velocity = Point();
      /// Rigid and beam: at time 0, in 1/s; a beam turns about its start.
      Point angular_velocity = Point();

      /// Rigid: where its centre of mass is, and its principal axes, the
      /// third along `axis`, the first along `first direction` as far as it is
      /// normal to that.
      Point centre = Point();
      Point axis   = Point({0, 0, 1});
      Point first_direction =
        Point(); ///< zero: chosen by the program. For beams, too.
      /// Shape: box, cylinder or sphere. `size` is the lengths of a box along
      /// its axes; radius and height (along the axis) of a cylinder or sphere.
      std::string shape  = "sphere";
      Point       size   = Point({1, 1, 1});
      double      radius = 0.1, height = 1;
      /// Principal moments of inertia about direction 1, 2 and the axis, in
      /// kg m^2; zero: of the shape.
      Point inertia = Point();

      /// Beam: straight from start to end, or on a curve, three formulas of s
      /// from 0 to 1, separated by semicolons; empty for none.
      Point        start = Point(), end = Point({1, 0, 0});
      std::string  curve;
      unsigned int n_elements = 10, degree = 1;
      std::string  section   = "rectangle"; ///< circle, pipe, given
      double       width     = 0.01; ///< of a rectangle, along direction 1
      double       thickness = 0.01; ///< of a rectangle, along direction 2
      double       diameter = 0.01, inner_diameter = 0.005;
      double       E = 2.1e11, nu = 0.3, density = 7800;
      double       shear_factor = 0; ///< zero: 5/6, circles 9/10, pipes 1/2
      /// With 'given': (GA_1, GA_2, EA), (EI_1, EI_2, GJ), the mass per length
      /// and the moments of inertia per length about the three directions.
      Point  force_stiffness  = Point({1, 1, 1});
      Point  moment_stiffness = Point({1, 1, 1});
      double line_mass        = 1;
      Point  line_inertia     = Point({1, 1, 2});

      /// Point mass: the place where it is attached, see below.
      std::string attached_to;

      bool
      is(const std::string &word) const
      {
        return type == word;
      }

      /// Of a beam.
      unsigned int
      n_nodes() const
      {
        return n_elements * degree + 1;
      }

      /// Where a beam's line is at @p s from 0 to 1. With a curve its formulas
      /// are read at each call.
      Point
      point_of_line(double s) const;

      void
      declare(ParameterSection &section);

    private:
      void
      declare_rigid(ParameterSection &section);
      void
      declare_line(ParameterSection &section);
      std::string
      refuse_curve() const;
      void
      declare_section(ParameterSection &section);
      void
      declare_given_section(ParameterSection &section);
    };

    /// Places are texts: "ground", "NAME" of a rigid body, "NAME start",
    /// "NAME end" or "NAME at 0.5" of a beam (the nearest node), "NAME" of a
    /// point mass (the node it is attached to).
    struct Joint
    {
      /// spherical, revolute, prismatic, cylindrical, universal, rigid
      std::string type  = "spherical";
      std::string first = "ground", second;
      Point       point = Point();
      /// Of revolute, prismatic, cylindrical ones; of universal ones the axis
      /// that is fixed in the first place.
      Point axis        = Point({0, 0, 1});
      Point second_axis = Point({1, 0, 0}); ///< universal: in the second

      /// Whether `axis` matters.
      bool
      has_axis() const;

      void
      declare(ParameterSection &section);
    };

    struct Load
    {
      std::string      on;
      VectorExpression force, moment;   ///< in N, N m
      bool             follows = false; ///< components along the directions

      void
      declare(ParameterSection &section);
    };

    /// From the motion of one place to a force on another one.
    struct Feedback
    {
      std::string          sensor, actuator;              ///< places
      std::string          quantity         = "velocity"; ///< or displacement
      Point                sensor_direction = Point({0, 0, 1});
      Point                force_direction  = Point({0, 0, 1});
      ControllerParameters controller;

      void
      declare(ParameterSection &section);
    };

    struct Contact
    {
      std::string on; ///< a place, or the name of a beam for all its nodes
      bool        has_point = false;
      Point       point     = Point(); ///< fixed to the place; else its origin
      double      radius    = 0; ///< of a ball around it; 'point': the distance
      std::string obstacle  = "plane"; ///< plane, sphere, cylinder, point
      Point       through   = Point(); ///< plane, cylinder; centre of a sphere
      Point       normal = Point({0, 0, 1}); ///< plane: towards the free side
      Point       axis   = Point({0, 0, 1}); ///< cylinder
      double      obstacle_radius = 1;
      std::string side            = "outside"; ///< or inside
      std::string other; ///< 'point': another place, not the ground
      Point       other_point     = Point();
      bool        has_other_point = false;
      double      restitution = 0, friction = 0, tangential_restitution = 0;

      void
      declare(ParameterSection &section);

    private:
      void
      declare_obstacle(ParameterSection &section);
    };

    template <typename T>
    using Named = std::deque<std::pair<std::string, T>>;

    Point           gravity = Point(); ///< in m/s^2
    Named<Body>     bodies;
    Named<Joint>    joints;
    Named<Load>     loads;
    Named<Feedback> feedbacks;
    Named<Contact>  contacts;

    /// Sections may be of any order. That places exist is tested when the file
    /// is read; that there is a body at all is left to the model.
    void
    declare(ParameterSection &section);

  private:
    void
    declare_bodies(ParameterSection &section);
    void
    declare_joints(ParameterSection &section);
    void
    declare_loads(ParameterSection &section);
    void
    declare_feedbacks(ParameterSection &section);
    void
    declare_contacts(ParameterSection &section);
  };



  /// A place of MultibodyParameters, read.
  struct MultibodyPlace
  {
    bool is_ground = false;
    /// Number of a rigid body or beam in MultibodyParameters::bodies, in which
    /// point masses are counted, too.
    unsigned int body          = 0;
    double       s             = 0; ///< on a beam, from 0 to 1
    bool         is_whole_beam = false;

    /// The nearest node of a beam, from 0 on; 0 for a rigid body.
    unsigned int
    node(const MultibodyParameters &parameters) const;

    /// Whether two places are the ground, the same body or the same node.
    bool
    is_same(const MultibodyPlace      &other,
            const MultibodyParameters &parameters) const;

    /// Point masses are followed to where they are attached. @p entry is the
    /// path of the entry below model/multibody, for errors: "joints/A/first".
    /// @throws EntryError with a suggestion for unknown names
    static MultibodyPlace
    read(const std::string         &text,
         const MultibodyParameters &parameters,
         const std::string         &entry,
         bool                       may_be_whole_beam = false);
  };
} // namespace Percuss
