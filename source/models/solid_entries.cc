// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_entries.h"

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cmath>

#include "mesh_file.h"
#include "solid_material.h"

namespace Percuss
{
  using SolidEntries::a_side;
  using SolidEntries::require_length;

  namespace
  {
    const std::vector<std::string> axes = {"x", "y", "z"};


    void
    add_material(SolidParameters::Body &body, ParameterSection &section)
    {
      section.add(
        "material",
        body.material,
        "The name of a section of 'materials'; where it is empty, the "
        "body has the entries of one itself");
      section.add(
        "materials",
        body.materials_of_volumes,
        "Those of volumes of the file, as 'core: steel; shell: foam'; "
        "other cells have that of the body");
      section.matters_with("materials", "mesh", "file");
      body.SolidParameters::Material::declare(section);
      for (const std::string entry :
           {"law", "young modulus", "poisson ratio", "density"})
        section.matters_with(entry, "material", "");
    }
  } // namespace



  void
  SolidParameters::Material::declare(ParameterSection &section)
  {
    section.add_choice("law",
                       law,
                       "Of stresses and strains: linear is for small strains "
                       "and rotations, the others are for large ones",
                       names_of_laws());
    section.add("young modulus", E, "In Pa", Range::positive());
    section.add("poisson ratio", nu, "", {-1, 0.5, true, true});
    section.add("density", density, "In kg/m^3", Range::positive());
  }



  void
  SolidParameters::Body::declare(ParameterSection  &section,
                                 const unsigned int dim)
  {
    if (corner.empty())
      {
        corner.assign(dim, 0.);
        centre.assign(dim, 0.);
        size.assign(dim, 1.);
        cells.assign(dim, 4.);
        shift.assign(dim, 0.);
      }
    std::vector<std::string> meshes = {"box", "ball", "L", "file"};
    meshes.push_back(dim == 2 ? "half ring" : "cylinder");
    section.add_choice("mesh",
                       mesh,
                       "The shape, meshed by the program, or from a file",
                       meshes);
    section.add("corner",
                corner,
                "Box, L: with the smallest coordinates, in m");
    section.add("size",
                size,
                "Box: lengths of the edges, in m; L: of the square or cube "
                "around it, the first one",
                Range::positive());
    section.add("cells",
                cells,
                "Box: cells along the edges",
                {1, 1e6, false, false});
    section.add(
      "centre",
      centre,
      "Ball, half ring: in m; cylinder: the middle of its axis, which "
      "is along z");
    section.add("radius",
                radius,
                "Ball, cylinder, half ring: in m",
                Range::positive());
    section.add("inner radius",
                inner_radius,
                "Half ring: in m",
                Range::positive());
    section.add("height", height, "Cylinder: in m", Range::positive());
    if (dim == 3)
      section.add("cells along the axis",
                  n_layers,
                  "Cylinder: of the mesh before 'refinements'",
                  1);
    add_file(section, dim);
    section.add("refinements",
                n_refinements,
                "How many times all cells are halved in all directions");
    add_conditions(section, dim);
    add_material(*this, section);
    section.add("initial displacement",
                initial_displacement,
                "As 'x = 1e-3*y; z = 0.1', in m, of places x, y, z");
    section.add("initial velocity",
                initial_velocity,
                "As 'z = -1', in m/s, of places x, y, z");
  }



  void
  SolidParameters::Body::add_file(ParameterSection  &section,
                                  const unsigned int dim)
  {
    section.add("file",
                file,
                "File: gmsh's .msh of version 2.2 or 4.1, or Abaqus' .inp, as "
                "text, relative to the folder of this file");
    section.add("scale",
                scale,
                "File: m for a unit of the file, as 1e-3 for mm",
                Range::positive());
    section.add("shift", shift, "File: of the scaled mesh, in m");
    for (const std::string entry : {"file", "scale", "shift"})
      section.matters_with(entry, "mesh", "file");
    require_length(section, "shift", shift, dim);
  }



  void
  SolidParameters::Body::add_conditions(ParameterSection  &section,
                                        const unsigned int dim)
  {
    for (const std::string entry : {"corner", "size"})
      section.matters_with_any(entry, "mesh", {"box", "L"});
    section.matters_with("cells", "mesh", "box");
    section.matters_with_any("centre",
                             "mesh",
                             {"ball", "cylinder", "half ring"});
    section.matters_with_any("radius",
                             "mesh",
                             {"ball", "cylinder", "half ring"});
    section.matters_with("inner radius", "mesh", "half ring");
    section.matters_with("height", "mesh", "cylinder");
    if (dim == 3)
      section.matters_with("cells along the axis", "mesh", "cylinder");
    require_length(section, "corner", corner, dim);
    require_length(section, "size", size, dim);
    require_length(section, "cells", cells, dim);
    require_length(section, "centre", centre, dim);
    section.require("cells", [this]() {
      for (const double n : cells)
        if (n != std::floor(n))
          return "'" + shortest_text(n) + "' is not a whole number";
      return std::string();
    });
    section.require("inner radius", [this]() {
      return mesh == "half ring" && inner_radius >= radius ?
               "is not below the radius" :
               std::string();
    });
    section.require("refinements", [this]() {
      return n_refinements > 12 ? "is above 12" : std::string();
    });
  }



  void
  SolidParameters::Support::declare(ParameterSection &section)
  {
    section.add("on", on, a_side);
    section.add("directions", directions, "That are held, as 'x, z', or 'all'");
    section.add("motion",
                motion,
                "Of these directions, as 'z = 0.001*sin(100*t)', in m, of "
                "places x, y, z and t; empty where they are at rest");
  }



  void
  SolidParameters::Load::declare(ParameterSection &section)
  {
    section.add("on",
                on,
                std::string(a_side) + "; of a body force the body, 'BODY'");
    section.add("traction",
                traction,
                "As 'y = -1e6*sin(t)', in Pa, of places x, y, z and t");
    section.add("pressure",
                pressure,
                "As '1e6*sin(t)', in Pa, instead of a traction: along the "
                "inward normal of the undeformed side, and on its area");
    section.add("body force",
                body_force,
                "As a traction, but in the body, in N/m^3; instead of one");
    section.require("body force", [this]() {
      const int n = !body_force.empty() + !traction.empty() + !pressure.empty();
      return n == 1 ? std::string() :
                      std::string("and 'traction' and 'pressure' are ") +
                        (n == 0 ? "all missing" : "several; one is allowed");
    });
  }



  void
  SolidParameters::Refinement::declare(ParameterSection &section)
  {
    section.add("on",
                on,
                std::string(a_side) + "; only cells with a face on it are "
                                      "halved. Empty for all cells");
    section.add("where",
                where,
                "A formula of places x, y, z such as 'sqrt(x^2 + y^2) - 0.1': "
                "only cells with a vertex or a centre where it is not positive "
                "are halved. Empty for all cells");
    section.add("levels",
                n_levels,
                "How many times they are halved in all directions, after the "
                "'refinements' of their body",
                1);
    section.require("levels", [this]() {
      return n_levels > 12 ? "is above 12" : std::string();
    });
  }



  void
  SolidParameters::Adaptation::declare(ParameterSection &section)
  {
    section.add("interval",
                interval,
                "Steps from one look at the mesh to the next; 0 for a mesh "
                "that does not change");
    section.add("levels",
                n_levels,
                "How many times cells may be halved in all directions, after "
                "the 'refinements' of their body",
                1);
    section.require("levels", [this]() {
      return n_levels > 12 ? "is above 12" : std::string();
    });
    section.add("layers",
                n_layers,
                "Of cells around those that are halved, which are halved, too: "
                "as many of the smallest cells as a wave passes in the "
                "interval");
    section.add("strain jump",
                strain_jump,
                "Cells are halved where displacement gradients jump by more "
                "from cell to cell; a wave of an impact with the velocity v "
                "has the strain v/c. 0 for none",
                Range::non_negative());
    section.add("coarsening",
                coarsening,
                "Cells are joined again where they jump by less than this part "
                "of 'strain jump'",
                {0, 1, false, true});
    section.add("contact distance",
                contact_distance,
                "Cells with a node that may touch an obstacle or another body "
                "and is closer to it have all levels, in m. 0 for none",
                Range::non_negative());
    section.require("interval", [this]() {
      return interval > 0 && strain_jump == 0 && contact_distance == 0 ?
               "needs a 'strain jump' or a 'contact distance'" :
               std::string();
    });
  }



  void
  SolidParameters::declare(ParameterSection &section)
  {
    section.add("degree", degree, "Of the finite elements, 1 to 3", 1);
    section.require("degree", [this]() {
      return degree > 3 ? "is above 3" : std::string();
    });
    if (dimension == 2)
      {
        section.add_choice("plane",
                           plane,
                           "No strain, or no stress, normal to the plane",
                           {"strain", "stress"});
        section.add("thickness",
                    thickness,
                    "Normal to the plane, in m",
                    Range::positive());
      }
    section.add_choice("mass matrix",
                       mass_matrix,
                       "Consistent, or lumped: diagonal, by quadrature at the "
                       "nodes",
                       {"consistent", "lumped"});
    section.add_choice("operator",
                       form,
                       "How products with mass and stiffness are computed: by "
                       "assembled matrices, or matrix-free from cell to cell; "
                       "automatic is matrix-free for large meshes of degree 2 "
                       "and 3, and assembles for solvers that need entries",
                       {"automatic", "assembled", "matrix-free"});
    section.add("mass damping",
                mass_damping,
                "The factor a of C = a M + b K, in 1/s",
                Range::non_negative());
    section.add("stiffness damping",
                stiffness_damping,
                "The factor b of C = a M + b K, in s",
                Range::non_negative());
    section.add("gravity",
                gravity,
                "As 'y = -9.81', in m/s^2, of places x, y, z and t; where it "
                "changes with t, it is a load that does work");
    section.add("fields",
                fields,
                "Of solution.pvd, a list of displacement, velocity, "
                "contact_force, stress (the equivalent one of von Mises), "
                "stress_tensor (Cauchy's) and body (its number)");
    section.require("fields", [this]() {
      for (const std::string &name : chosen_fields())
        if (std::count(known_fields().begin(), known_fields().end(), name) == 0)
          return "'" + name + "' is no field" +
                 did_you_mean(name, known_fields());
      return chosen_fields().empty() ? std::string("names no field") :
                                       std::string();
    });
    add_sections(section);
  }



  void
  SolidParameters::add_sections(ParameterSection &section)
  {
    const auto plain =
      [](const std::string &, auto &child, ParameterSection &of_child) {
        child.declare(of_child);
      };
    const auto in_space = [d = dimension](const std::string &,
                                          auto             &child,
                                          ParameterSection &of_child) {
      child.declare(of_child, d);
    };
    add_named(section,
              "materials",
              "Each section is a material that bodies name",
              materials,
              plain);
    add_named(section, "bodies", "Each section is a body", bodies, in_space);
    add_named(
      section, "supports", "Sides that are held or moved", supports, plain);
    add_named(section, "loads", "Forces on sides or in bodies", loads, plain);
    add_named(section,
              "contacts",
              "Sides whose nodes may touch a rigid obstacle or another side",
              contacts,
              in_space);
    add_named(section,
              "refinement",
              "Each section is a part of the mesh with smaller cells",
              refinements,
              plain);
    ParameterSection of_adaptation = section.subsection("adaptation");
    adaptation.declare(of_adaptation);
  }



  std::vector<std::string>
  SolidParameters::directions() const
  {
    return {axes.begin(), axes.begin() + dimension};
  }



  const std::vector<std::string> &
  SolidParameters::known_fields()
  {
    static const std::vector<std::string> names = {"displacement",
                                                   "velocity",
                                                   "contact_force",
                                                   "stress_tensor",
                                                   "stress",
                                                   "body"};
    return names;
  }



  std::vector<std::string>
  SolidParameters::chosen_fields() const
  {
    return dealii::Utilities::split_string_list(fields, ',');
  }



  unsigned int
  SolidParameters::find_material(const std::string &name,
                                 const std::string &entry) const
  {
    std::vector<std::string> names;
    for (unsigned int i = 0; i < materials.size(); ++i)
      {
        names.push_back(materials[i].first);
        if (names.back() == name)
          return i;
      }
    throw EntryError("model/" + model() + "/" + entry,
                     sentence("'" + name + "' names no material" +
                              did_you_mean(name, names)));
  }



  unsigned int
  SolidParameters::material_of_body(const unsigned int body) const
  {
    const auto &[name, b] = bodies[body];
    return b.material.empty() ?
             static_cast<unsigned int>(materials.size()) + body :
             find_material(b.material, "bodies/" + name + "/material");
  }



  std::vector<std::string>
  SolidParameters::sides(const unsigned int body) const
  {
    const std::string &mesh = bodies[body].second.mesh;
    if (const auto &file = bodies[body].second.imported; file != nullptr)
      {
        std::vector<std::string> names = MeshFile::names(file->sides);
        names.push_back("all");
        return names;
      }
    if (mesh == "box" && dimension == 2)
      return {"left", "right", "bottom", "top", "all"};
    if (mesh == "box")
      return {"left", "right", "front", "back", "bottom", "top", "all"};
    if (mesh == "cylinder")
      return {"surface", "bottom", "top", "all"};
    if (mesh == "half ring")
      return {"inside", "outside", "left", "right", "all"};
    return {"surface", "all"};
  }



  std::pair<unsigned int, std::string>
  SolidParameters::read_side(const std::string &text,
                             const std::string &entry) const
  {
    const std::string path  = "model/" + model() + "/" + entry;
    const std::string words = dealii::Utilities::trim(text);
    // Names of bodies and sides may have blanks.
    std::vector<std::string> names;
    std::size_t              found = bodies.size();
    for (unsigned int i = 0; i < bodies.size(); ++i)
      {
        names.push_back(bodies[i].first);
        if (words.compare(0, names[i].size() + 1, names[i] + " ") == 0 &&
            (found == bodies.size() || names[i].size() > names[found].size()))
          found = i;
      }
    if (found == bodies.size())
      throw EntryError(path,
                       sentence("'" + words + "' names no body and side" +
                                did_you_mean(words.substr(0, words.rfind(' ')),
                                             names)));
    const std::string side =
      dealii::Utilities::trim(words.substr(names[found].size()));
    const auto body = static_cast<unsigned int>(found);
    const auto all  = sides(body);
    if (std::count(all.begin(), all.end(), side) == 0)
      throw EntryError(path,
                       sentence("'" + side + "' is no side of '" +
                                names[found] + "'" + did_you_mean(side, all)) +
                         " It has '" + join(all, "', '") + "'.");
    return {body, side};
  }



  unsigned int
  SolidParameters::read_body(const std::string &text,
                             const std::string &entry) const
  {
    const std::string        name = dealii::Utilities::trim(text);
    std::vector<std::string> names;
    for (const auto &body : bodies)
      names.push_back(body.first);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw EntryError("model/" + model() + "/" + entry,
                       sentence("'" + name + "' names no body" +
                                did_you_mean(name, names)));
    return static_cast<unsigned int>(found - names.begin());
  }



  std::vector<unsigned int>
  SolidParameters::read_directions(const std::string &text,
                                   const std::string &entry) const
  {
    std::vector<unsigned int> result;
    const auto                known = directions();
    if (dealii::Utilities::trim(text) == "all")
      for (unsigned int d = 0; d < dimension; ++d)
        result.push_back(d);
    else
      for (const std::string &word :
           dealii::Utilities::split_string_list(text, ','))
        {
          const auto found = std::find(known.begin(), known.end(), word);
          if (found == known.end())
            throw EntryError("model/" + model() + "/" + entry,
                             "'" + word + "' is no direction of '" +
                               join(known, "', '") + "'.");
          result.push_back(static_cast<unsigned int>(found - known.begin()));
        }
    return result;
  }
} // namespace Percuss
