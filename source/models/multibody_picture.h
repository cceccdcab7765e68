// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/field_folder.h>
#include <percuss/mechanics/vtu_mesh.h>

#include <array>
#include <string>
#include <vector>

#include "multibody_entries.h"
#include "multibody_frame.h"

namespace Percuss
{
  /// A point of a picture with all that is known there; what does not apply is
  /// zero.
  struct PicturePoint
  {
    enum Kind
    {
      beam       = 0,
      rigid      = 1,
      joint      = 2,
      contact    = 3,
      point_mass = 4
    };

    Kind                   kind   = beam;
    unsigned int           number = 0; ///< of its kind of section in the file
    Vector3                x, displacement, velocity, angular_velocity;
    std::array<Vector3, 3> d;
    Vector3                section_force, section_moment;
    Vector3                reaction_force, reaction_moment;
    Vector3                contact_force;
    double                 radius = 0, strain_energy = 0, gap = 0;

    /// The point X of a frame with the velocity @p rate, which was at
    /// @p reference at the start.
    static PicturePoint
    of_frame(Kind           kind,
             unsigned int   number,
             const Frame   &at,
             const Frame   &rate,
             const Frame   &reference,
             const Vector3 &X = Vector3());
  };



  /// A closed surface in the directions of its body.
  struct BodySurface
  {
    struct Facet
    {
      VtuMesh::Cell             type;
      std::vector<unsigned int> points; ///< seen from outside: anticlockwise
    };

    std::vector<Vector3> points;
    std::vector<Facet>   facets;

    /// The shape of a rigid body; round ones have 24 sides.
    static BodySurface
    of(const MultibodyParameters::Body &body);
  };



  /// The fields of a multibody system at one time: beams as lines, rigid
  /// bodies as surfaces, joints, contacts and point masses as single points.
  class MultibodyPicture
  {
  public:
    void
    add_line(const std::vector<PicturePoint> &points);

    void
    add_surface(const BodySurface               &surface,
                const std::vector<PicturePoint> &points);

    void
    add_vertex(const PicturePoint &point);

    /// As VtuMesh::write().
    std::string
    write(const FieldFolder &folder,
          const std::string &name,
          double             time,
          MPI_Comm           communicator);

  private:
    std::vector<unsigned int>
    add_points(const std::vector<PicturePoint> &some);

    void
    add_cell(VtuMesh::Cell type, const std::vector<unsigned int> &numbers);

    VtuMesh                   mesh;
    std::vector<PicturePoint> points;
    std::vector<unsigned int> first_points; ///< of cells
  };



  /// The radius of a tube for a beam: of a circle with the same area, or, for
  /// sections that are given by their stiffness, the same ratio of bending to
  /// stretching, but at most a fiftieth of @p length.
  double
  tube_radius(const MultibodyParameters::Body &beam, double length);
} // namespace Percuss
