// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/parameter_section.h>

#include <mpi.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  struct MeshFile;

  /// The entries of the models 'solid 2d' and 'solid 3d'. Vectors are lists of
  /// numbers, one for each direction of space; vector fields are texts such as
  /// "x = 0.1*y; z = sin(t)".
  struct SolidParameters
  {
    explicit SolidParameters(unsigned int dimension)
      : dimension(dimension)
    {}

    /// Of cells. A body that names none has the entries itself.
    struct Material
    {
      std::string law = "linear";
      double      E = 2.1e11, nu = 0.3, density = 7800;

      void
      declare(ParameterSection &section);
    };

    struct Body : public Material
    {
      std::string         mesh = "box"; ///< ball, cylinder, half ring, L, file
      std::vector<double> corner, size; ///< of a box or L
      std::vector<double> cells;        ///< of a box, along its edges
      std::vector<double> centre;
      double              radius = 0.5, inner_radius = 0.25, height = 1;
      unsigned int        n_layers = 2; ///< of cells, along a cylinder's axis
      std::string         file;         ///< the complete name of a mesh file
      double              scale = 1;    ///< m for a unit of the file
      std::vector<double> shift;        ///< after scaling, in m
      unsigned int        n_refinements = 0;
      std::string         material;             ///< the name of one
      std::string         materials_of_volumes; ///< "core: steel; shell: foam"
      std::string         initial_displacement, initial_velocity;

      /// What the file holds, by SolidParameters::read_mesh_files().
      std::shared_ptr<const MeshFile> imported;

      void
      declare(ParameterSection &section, unsigned int dim);

    private:
      void
      add_file(ParameterSection &section, unsigned int dim);
      void
      add_conditions(ParameterSection &section, unsigned int dim);
    };

    /// Sides are texts: "BODY SIDE".
    struct Support
    {
      std::string on;
      std::string directions = "all"; ///< or "x, z"
      std::string motion     = "";    ///< formulas of place and time, in m

      void
      declare(ParameterSection &section);
    };

    struct Load
    {
      std::string on;         ///< a side, or a body
      std::string traction;   ///< on the side, in Pa
      std::string pressure;   ///< the same, along the inward normal
      std::string body_force; ///< in the body, in N/m^3

      void
      declare(ParameterSection &section);
    };

    /// A side in front of a rigid obstacle.
    struct Contact
    {
      std::string  on;
      std::string  with; ///< a side of a body instead of an obstacle
      double       search_distance = 0;
      std::string  pairs           = "of the start"; ///< or of the motion
      std::string  constraints     = "nodes";        ///< or weighted
      unsigned int n_points        = 5;    ///< of quadrature, if weighted
      double       smoothing       = 0;    ///< the same, in m
      std::string  obstacle = "plane";     ///< sphere, cylinder, box, formula
      std::vector<double> through, normal; ///< of a plane
      std::vector<double> centre, axis;    ///< of a sphere or cylinder
      double              radius = 1;
      std::string         side   = "outside"; ///< or inside: a cavity
      std::vector<double> corner, size;       ///< of a box
      std::string         distance;           ///< a formula
      std::string         motion, turning;    ///< formulas of time
      std::vector<double> pivot, turning_axis;
      double restitution = 0, friction = 0, tangential_restitution = 0;

      /// Lists of the right length.
      void
      set_defaults(unsigned int dim);

      void
      declare(ParameterSection &section, unsigned int dim);

      bool
      is_moving() const
      {
        return !motion.empty() || !turning.empty();
      }

      bool
      follows_motion() const
      {
        return !with.empty() && pairs == "of the motion";
      }

      bool
      is_weighted() const
      {
        return with.empty() && constraints == "weighted";
      }

    private:
      void
      add_shape(ParameterSection &section, unsigned int dim);
      void
      add_constraints(ParameterSection &section);
      void
      add_motion(ParameterSection &section, unsigned int dim);
    };

    /// Smaller cells in a part of a mesh.
    struct Refinement
    {
      std::string  on;    ///< a side, or empty
      std::string  where; ///< a formula, or empty
      unsigned int n_levels = 1;

      void
      declare(ParameterSection &section);
    };

    /// Smaller cells where the motion needs them, from time to time.
    struct Adaptation
    {
      unsigned int interval = 0; ///< in steps; 0 for none
      unsigned int n_levels = 2;
      unsigned int n_layers = 2; ///< of cells around those that need it
      /// Of displacement gradients from cell to cell that ask for smaller
      /// cells, and the part of it below which cells are joined again; 0 for
      /// none.
      double strain_jump = 0, coarsening = 0.2;
      double contact_distance = 0; ///< in m; 0 for none

      void
      declare(ParameterSection &section);
    };

    template <typename T>
    using Named = std::deque<std::pair<std::string, T>>;

    const unsigned int dimension;
    unsigned int       degree       = 1;
    std::string        plane        = "strain"; ///< or stress
    double             thickness    = 1;        ///< in the plane, in m
    std::string        mass_matrix  = "consistent";
    std::string        form         = "automatic"; ///< of the operator
    double             mass_damping = 0, stiffness_damping = 0;
    std::string        gravity; ///< "y = -9.81", in m/s^2
    std::string        fields = "displacement, velocity, contact_force, "
                                "stress, body";
    Named<Material>    materials;
    Named<Body>        bodies;
    Named<Support>     supports;
    Named<Load>        loads;
    Named<Contact>     contacts;
    Named<Refinement>  refinements;
    Adaptation         adaptation;

    void
    declare(ParameterSection &section);

    /// "solid 3d"
    std::string
    model() const
    {
      return "solid " + std::to_string(dimension) + "d";
    }

    std::vector<std::string>
    directions() const;

    /// Those that files of fields may have.
    static const std::vector<std::string> &
    known_fields();
    /// Those that they have.
    std::vector<std::string>
    chosen_fields() const;

    /// The number of the body of a side, and the name of the side.
    /// @throws EntryError with a suggestion
    std::pair<unsigned int, std::string>
    read_side(const std::string &text, const std::string &entry) const;

    /// The number of a body.
    /// @throws EntryError with a suggestion
    unsigned int
    read_body(const std::string &text, const std::string &entry) const;

    /// The directions of a list, as numbers.
    std::vector<unsigned int>
    read_directions(const std::string &text, const std::string &entry) const;

    /// Materials are numbered: those with names, then those of the bodies
    /// themselves.
    const Material &
    material(unsigned int number) const
    {
      return number < materials.size() ?
               materials[number].second :
               bodies[number - materials.size()].second;
    }
    unsigned int
    n_materials() const
    {
      return static_cast<unsigned int>(materials.size() + bodies.size());
    }

    /// The number of the material with a name.
    /// @throws EntryError with a suggestion
    unsigned int
    find_material(const std::string &name, const std::string &entry) const;

    /// That of a body: the one it names, or its own.
    unsigned int
    material_of_body(unsigned int body) const;

    /// That of cells in some volumes of a body's mesh file.
    /// @throws EntryError where the body's entry is wrong
    unsigned int
    material_of_volumes(unsigned int                    body,
                        const std::vector<std::string> &volumes) const;

    /// Reads the meshes that bodies name, on the first rank, and sends them to
    /// all. Collective.
    /// @throws Error with ExitCode::mesh
    void
    read_mesh_files(MPI_Comm communicator);

    /// The sides of a body.
    std::vector<std::string>
    sides(unsigned int body) const;

  private:
    void
    add_sections(ParameterSection &section);
  };



  /// What the files of entries have in common.
  namespace SolidEntries
  {
    /// Describes entries such as "on".
    extern const char *const a_side;

    void
    require_length(ParameterSection          &section,
                   const std::string         &entry,
                   const std::vector<double> &list,
                   unsigned int               length);

    /// Not all zero.
    void
    require_direction(ParameterSection          &section,
                      const std::string         &entry,
                      const std::vector<double> &list);
  } // namespace SolidEntries
} // namespace Percuss
