// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "multibody_picture.h"

#include <deal.II/base/numbers.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace Percuss
{
  namespace
  {
    constexpr unsigned int n_sides = 24, n_rings = 11;

    /// A circle of @p n_sides points, normal to direction 3.
    void
    add_ring(const double          radius,
             const double          height,
             std::vector<Vector3> &points)
    {
      for (unsigned int i = 0; i < n_sides; ++i)
        {
          const double angle = 2 * dealii::numbers::PI * i / n_sides;
          points.push_back(Vector3(
            {radius * std::cos(angle), radius * std::sin(angle), height}));
        }
    }

    /// Quadrilaterals between the ring that begins with @p lower and the next.
    void
    add_strip(const unsigned int lower, std::vector<BodySurface::Facet> &facets)
    {
      for (unsigned int i = 0; i < n_sides; ++i)
        {
          const unsigned int j = (i + 1) % n_sides, upper = lower + n_sides;
          facets.push_back({VtuMesh::Cell::quadrilateral,
                            {lower + i, lower + j, upper + j, upper + i}});
        }
    }

    BodySurface
    make_box(const Vector3 &size)
    {
      BodySurface surface;
      for (unsigned int corner = 0; corner < 8; ++corner)
        {
          Vector3 X;
          for (unsigned int c = 0; c < 3; ++c)
            X[c] = ((corner >> c) % 2 == 0 ? -0.5 : 0.5) * size[c];
          surface.points.push_back(X);
        }
      const std::vector<std::vector<unsigned int>> sides = {{0, 4, 6, 2},
                                                            {1, 3, 7, 5},
                                                            {0, 1, 5, 4},
                                                            {2, 6, 7, 3},
                                                            {0, 2, 3, 1},
                                                            {4, 5, 7, 6}};
      for (const auto &side : sides)
        surface.facets.push_back({VtuMesh::Cell::quadrilateral, side});
      return surface;
    }

    BodySurface
    make_cylinder(const double radius, const double height)
    {
      BodySurface surface;
      add_ring(radius, -height / 2, surface.points);
      add_ring(radius, height / 2, surface.points);
      add_strip(0, surface.facets);
      std::vector<unsigned int> bottom, top;
      for (unsigned int i = 0; i < n_sides; ++i)
        {
          bottom.push_back(n_sides - 1 - i);
          top.push_back(n_sides + i);
        }
      surface.facets.push_back({VtuMesh::Cell::polygon, bottom});
      surface.facets.push_back({VtuMesh::Cell::polygon, top});
      return surface;
    }

    BodySurface
    make_sphere(const double radius)
    {
      BodySurface surface;
      for (unsigned int ring = 1; ring <= n_rings; ++ring)
        {
          const double angle = dealii::numbers::PI * ring / (n_rings + 1);
          add_ring(radius * std::sin(angle),
                   -radius * std::cos(angle),
                   surface.points);
          if (ring < n_rings)
            add_strip((ring - 1) * n_sides, surface.facets);
        }
      const unsigned int south = n_rings * n_sides, north = south + 1;
      surface.points.push_back(Vector3({0, 0, -radius}));
      surface.points.push_back(Vector3({0, 0, radius}));
      for (unsigned int i = 0; i < n_sides; ++i)
        {
          const unsigned int j = (i + 1) % n_sides, top = south - n_sides;
          surface.facets.push_back({VtuMesh::Cell::triangle, {j, i, south}});
          surface.facets.push_back(
            {VtuMesh::Cell::triangle, {top + i, top + j, north}});
        }
      return surface;
    }

    void
    append(const Vector3 &x, std::vector<double> &values)
    {
      for (unsigned int c = 0; c < 3; ++c)
        values.push_back(x[c]);
    }

    /// The fields of points in the order of their names.
    std::vector<VtuMesh::Field>
    fields_of(const std::vector<PicturePoint> &points)
    {
      std::vector<VtuMesh::Field> fields;
      const auto add_vector = [&](const std::string &name, const auto &part) {
        fields.push_back({name, 3, false, {}});
        for (const PicturePoint &point : points)
          append(part(point), fields.back().values);
      };
      const auto add_vectors =
        [&](const std::vector<std::pair<std::string, Vector3 PicturePoint::*>>
              &members) {
          for (const auto &[name, member] : members)
            add_vector(name, [member = member](const PicturePoint &point) {
              return point.*member;
            });
        };
      const auto add_number = [&](const std::string &name,
                                  double PicturePoint::*member) {
        fields.push_back({name, 1, false, {}});
        for (const PicturePoint &point : points)
          fields.back().values.push_back(point.*member);
      };
      add_vectors({{"displacement", &PicturePoint::displacement},
                   {"velocity", &PicturePoint::velocity},
                   {"angular_velocity", &PicturePoint::angular_velocity}});
      for (unsigned int i = 0; i < 3; ++i)
        add_vector("d" + std::to_string(i + 1),
                   [i](const PicturePoint &point) { return point.d[i]; });
      add_vectors({{"section_force", &PicturePoint::section_force},
                   {"section_moment", &PicturePoint::section_moment},
                   {"reaction_force", &PicturePoint::reaction_force},
                   {"reaction_moment", &PicturePoint::reaction_moment},
                   {"contact_force", &PicturePoint::contact_force}});
      add_number("strain_energy", &PicturePoint::strain_energy);
      add_number("gap", &PicturePoint::gap);
      add_number("radius", &PicturePoint::radius);
      return fields;
    }
  } // namespace



  PicturePoint
  PicturePoint::of_frame(const Kind         kind,
                         const unsigned int number,
                         const Frame       &at,
                         const Frame       &rate,
                         const Frame       &reference,
                         const Vector3     &X)
  {
    PicturePoint result;
    result.kind             = kind;
    result.number           = number;
    result.x                = at.point(X);
    result.displacement     = at.point(X) - reference.point(X);
    result.velocity         = rate.point(X);
    result.angular_velocity = Percuss::angular_velocity(at, rate);
    result.d                = at.d;
    return result;
  }



  BodySurface
  BodySurface::of(const MultibodyParameters::Body &body)
  {
    return body.shape == "box"      ? make_box(body.size) :
           body.shape == "cylinder" ? make_cylinder(body.radius, body.height) :
                                      make_sphere(body.radius);
  }



  std::vector<unsigned int>
  MultibodyPicture::add_points(const std::vector<PicturePoint> &some)
  {
    std::vector<unsigned int> numbers;
    for (const PicturePoint &point : some)
      {
        numbers.push_back(
          mesh.add_point({{point.x[0], point.x[1], point.x[2]}}));
        points.push_back(point);
      }
    return numbers;
  }



  void
  MultibodyPicture::add_cell(const VtuMesh::Cell              type,
                             const std::vector<unsigned int> &numbers)
  {
    mesh.add_cell(type, numbers);
    first_points.push_back(numbers.front());
  }



  void
  MultibodyPicture::add_line(const std::vector<PicturePoint> &some)
  {
    add_cell(VtuMesh::Cell::polyline, add_points(some));
  }



  void
  MultibodyPicture::add_surface(const BodySurface               &surface,
                                const std::vector<PicturePoint> &some)
  {
    const std::vector<unsigned int> numbers = add_points(some);
    for (const BodySurface::Facet &facet : surface.facets)
      {
        std::vector<unsigned int> corners;
        for (const unsigned int point : facet.points)
          corners.push_back(numbers[point]);
        add_cell(facet.type, corners);
      }
  }



  void
  MultibodyPicture::add_vertex(const PicturePoint &point)
  {
    add_cell(VtuMesh::Cell::vertex, add_points({point}));
  }



  std::string
  MultibodyPicture::write(const FieldFolder &folder,
                          const std::string &name,
                          const double       time,
                          const MPI_Comm     communicator)
  {
    mesh.point_fields         = fields_of(points);
    VtuMesh::Field point_kind = {"kind", 1, true, {}}, cell_kind = point_kind;
    VtuMesh::Field point_body = {"body", 1, true, {}}, cell_body = point_body;
    for (const PicturePoint &point : points)
      {
        point_kind.values.push_back(point.kind);
        point_body.values.push_back(point.number);
      }
    for (const unsigned int first : first_points)
      {
        cell_kind.values.push_back(points[first].kind);
        cell_body.values.push_back(points[first].number);
      }
    mesh.point_fields.insert(mesh.point_fields.end(), {point_kind, point_body});
    mesh.cell_fields = {cell_kind, cell_body};
    return mesh.write(folder, name, time, communicator);
  }



  double
  tube_radius(const MultibodyParameters::Body &beam, const double length)
  {
    if (beam.section == "rectangle")
      return std::sqrt(beam.width * beam.thickness / dealii::numbers::PI);
    if (beam.section != "given")
      return beam.diameter / 2;
    const Vector3 &EI = beam.moment_stiffness;
    const double   EA = beam.force_stiffness[2];
    return std::min(2 * std::sqrt(std::sqrt(EI[0] * EI[1]) / EA), length / 50);
  }
} // namespace Percuss
