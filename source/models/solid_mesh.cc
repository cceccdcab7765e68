// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_mesh.h"

#include <percuss/base/error.h>

#include <deal.II/grid/cell_id.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/manifold_lib.h>

#include <petscsys.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iomanip>
#include <limits>
#include <sstream>
#include <string>

#include "solid_mesh_file.h"

namespace Percuss
{
  namespace
  {
    /// As many halvings as all numbers of cells allow, so that the coarse mesh
    /// is small: the number, and the coarse cells.
    std::pair<unsigned int, std::vector<unsigned int>>
    coarsen(const std::vector<double> &cells)
    {
      std::vector<unsigned int> n(cells.begin(), cells.end());
      unsigned int              n_halvings = 0;
      while (std::all_of(n.begin(), n.end(), [](const unsigned int i) {
        return i % 2 == 0;
      }))
        {
          for (unsigned int &i : n)
            i /= 2;
          ++n_halvings;
        }
      return {n_halvings, n};
    }

    unsigned int
    n_refinements(const SolidParameters::Body &body)
    {
      return body.n_refinements +
             (body.mesh == "box" ? coarsen(body.cells).first : 0);
    }

    bool
    is_flat(const SolidParameters::Body &body)
    {
      return body.mesh == "box" || body.mesh == "L" || body.mesh == "file";
    }

    template <int dim>
    dealii::Point<dim>
    point(const std::vector<double> &coordinates)
    {
      dealii::Point<dim> result;
      for (unsigned int d = 0; d < dim; ++d)
        result[d] = coordinates[d];
      return result;
    }

    /// The number of a side in SolidParameters::sides().
    template <typename Face>
    unsigned int
    side_of(const Face &face, const SolidParameters::Body &body)
    {
      const unsigned int id = face.boundary_id();
      if (body.mesh != "half ring" || id < 2)
        return id;
      return face.center()[0] < body.centre[0] ? 2 : 3;
    }

    /// Appends the cells of one mesh to those of others.
    template <int dim>
    struct CoarseCells
    {
      std::vector<dealii::Point<dim>>    vertices;
      std::vector<dealii::CellData<dim>> cells;
      dealii::SubCellData                sides;

      void
      append(const dealii::Triangulation<dim> &mesh)
      {
        auto [new_vertices, new_cells, new_sides] =
          dealii::GridTools::get_coarse_mesh_description(mesh);
        const auto offset = static_cast<unsigned int>(vertices.size());
        const auto shift  = [offset](auto &items) {
          for (auto &item : items)
            for (unsigned int &vertex : item.vertices)
              vertex += offset;
        };
        shift(new_cells);
        shift(new_sides.boundary_lines);
        shift(new_sides.boundary_quads);
        const auto add = [](auto &to, const auto &from) {
          to.insert(to.end(), from.begin(), from.end());
        };
        add(vertices, new_vertices);
        add(cells, new_cells);
        add(sides.boundary_lines, new_sides.boundary_lines);
        add(sides.boundary_quads, new_sides.boundary_quads);
      }
    };
  } // namespace



  template <int dim>
  void
  SolidMesh<dim>::make_body(const SolidParameters::Body &body,
                            dealii::Triangulation<dim>  &coarse) const
  {
    if (body.mesh == "file")
      {
        make_coarse_mesh(body, coarse);
        return;
      }
    using namespace dealii::GridGenerator;
    const dealii::Point<dim> corner = point<dim>(body.corner);
    const dealii::Point<dim> centre = point<dim>(body.centre);
    if (body.mesh == "box")
      subdivided_hyper_rectangle(coarse,
                                 coarsen(body.cells).second,
                                 corner,
                                 corner + point<dim>(body.size),
                                 true);
    else if (body.mesh == "ball")
      hyper_ball(coarse, centre, body.radius);
    else if (body.mesh == "L")
      {
        hyper_L(coarse, 0, body.size[0]);
        dealii::GridTools::shift(corner, coarse);
      }
    else if (body.mesh == "half ring")
      {
        if constexpr (dim == 2)
          {
            half_hyper_shell(
              coarse, centre, body.inner_radius, body.radius, 4, true);
            // The upper half, with the cut below.
            dealii::GridTools::transform(
              [centre](const dealii::Point<dim> &x) {
                return dealii::Point<dim>(centre[0] - (x[1] - centre[1]),
                                          centre[1] + (x[0] - centre[0]));
              },
              coarse);
          }
      }
    else if constexpr (dim == 3)
      {
        subdivided_cylinder(coarse,
                            body.n_layers,
                            body.radius,
                            body.height / 2);
        // Its axis is x.
        dealii::GridTools::transform(
          [centre](const dealii::Point<dim> &x) {
            return centre + dealii::Point<dim>(x[1], x[2], x[0]);
          },
          coarse);
      }
  }



  template <int dim>
  void
  SolidMesh<dim>::add_parts(const unsigned int body)
  {
    const auto &file = parameters.bodies[body].second.imported;
    if (file == nullptr)
      {
        parts.push_back({body, parameters.material_of_body(body), {}});
        for (const std::string &side : parameters.sides(body))
          sides.push_back({body, {side}});
        return;
      }
    for (const MeshFile::Group &group : file->volumes)
      parts.push_back(
        {body, parameters.material_of_volumes(body, group), group});
    // Faces without names are the first side.
    sides.push_back({body, {}});
    for (const MeshFile::Group &group : file->sides)
      sides.push_back({body, group});
  }



  /// Before anything is made: each rank holds the coarse cells.
  template <int dim>
  void
  SolidMesh<dim>::check_size(const std::string           &name,
                             const SolidParameters::Body &body) const
  {
    const auto refuse = [&](const double n, const std::string &what) {
      std::ostringstream reason;
      reason << "makes " << std::setprecision(3) << n << what;
      throw EntryError("model/" + parameters.model() + "/bodies/" + name +
                         (body.mesh == "box" ? "/cells" :
                                               "/cells along the axis"),
                       reason.str());
    };
    constexpr double most_coarse = 2e7;
    if (body.mesh == "cylinder" && 5. * body.n_layers > most_coarse)
      refuse(5. * body.n_layers, " coarse cells, which each rank would hold");
    if (body.mesh != "box")
      return;
    double n_unknowns = dim, n_coarse = 1;
    for (const double n : body.cells)
      n_unknowns *= std::ldexp(n, static_cast<int>(body.n_refinements)) *
                      parameters.degree +
                    1;
    if (n_unknowns > std::numeric_limits<PetscInt>::max())
      refuse(n_unknowns, " unknowns, more than this PETSc can number");
    for (const unsigned int n : coarsen(body.cells).second)
      n_coarse *= n;
    if (n_coarse > most_coarse)
      refuse(n_coarse,
             " coarse cells, which each rank would hold; numbers that are "
             "divisible by 2, 4, 8, ... make fewer");
  }



  template <int dim>
  void
  SolidMesh<dim>::make_coarse_cells()
  {
    CoarseCells<dim> all;
    for (unsigned int b = 0; b < parameters.bodies.size(); ++b)
      {
        const SolidParameters::Body &body = parameters.bodies[b].second;
        dealii::Triangulation<dim>   coarse;
        check_size(parameters.bodies[b].first, body);
        make_body(body, coarse);
        coarse.reset_all_manifolds();
        const unsigned int first_part = parts.size(), first_side = sides.size();
        add_parts(b);
        for (const auto &cell : coarse.active_cell_iterators())
          {
            cell->set_material_id(
              first_part + (body.mesh == "file" ? cell->material_id() : 0));
            cell->set_all_manifold_ids(dealii::numbers::flat_manifold_id);
            for (const auto &face : cell->face_iterators())
              if (face->at_boundary())
                face->set_boundary_id(first_side + side_of(*face, body));
          }
        all.append(coarse);
        curved |= !is_flat(body);
      }
    triangulation.create_triangulation(all.vertices, all.cells, all.sides);
  }



  template <int dim>
  SolidMesh<dim>::SolidMesh(const SolidParameters &parameters,
                            const MPI_Comm         communicator,
                            const std::string     &description)
    : parameters(parameters)
    , triangulation(communicator)
  {
    if (parameters.bodies.empty())
      throw EntryError("model/" + parameters.model() + "/bodies",
                       "there is no body");
    for (const auto &[name, entries] : parameters.refinements)
      regions.push_back(make_region(name, entries));
    make_coarse_cells();
    set_manifolds();
    halve([this](const Cell &cell) {
      return cell->level() < first_level(body_of(cell));
    });
    if (description.empty())
      refine_locally();
    else
      refine_as(description);
  }



  template <int dim>
  SolidMesh<dim>::SolidMesh(const SolidMesh &other)
    : parameters(other.parameters)
    , regions(other.regions)
    , parts(other.parts)
    , sides(other.sides)
    , triangulation(other.triangulation.get_communicator())
    , curved(other.curved)
  {
    triangulation.copy_triangulation(other.triangulation);
  }



  template <int dim>
  int
  SolidMesh<dim>::first_level(const unsigned int body) const
  {
    return static_cast<int>(n_refinements(parameters.bodies[body].second));
  }



  template <int dim>
  void
  SolidMesh<dim>::set_manifolds()
  {
    using namespace dealii;
    for (unsigned int b = 0; b < parameters.bodies.size(); ++b)
      {
        const SolidParameters::Body &body   = parameters.bodies[b].second;
        const types::manifold_id     number = b + 1;
        if (is_flat(body))
          continue;
        const bool is_ring = body.mesh == "half ring";
        for (const auto &cell : triangulation.active_cell_iterators())
          if (body_of(cell) == b)
            {
              if (is_ring)
                cell->set_all_manifold_ids(number);
              for (const auto &face : cell->face_iterators())
                if (!is_ring && is_on(face, b, "surface"))
                  face->set_all_manifold_ids(number);
            }
        if constexpr (dim == 3)
          {
            if (body.mesh == "cylinder")
              {
                triangulation.set_manifold(
                  number,
                  CylindricalManifold<3>(Tensor<1, 3>({0., 0., 1.}),
                                         point<3>(body.centre)));
                continue;
              }
          }
        triangulation.set_manifold(
          number, SphericalManifold<dim>(point<dim>(body.centre)));
      }
  }



  template <int dim>
  typename SolidMesh<dim>::Place
  SolidMesh<dim>::place_of(const Cell &cell)
  {
    // The tree of p4est is the number of the coarse cell here.
    const dealii::CellId id    = cell->id();
    Place                place = {id.get_coarse_cell_id(), 0};
    unsigned int         shift = 64;
    for (const std::uint64_t child : id.get_child_indices())
      place.second |= child << (shift -= dim);
    return place;
  }



  template <int dim>
  std::vector<typename SolidMesh<dim>::Triangulation::active_cell_iterator>
  SolidMesh<dim>::own_cells() const
  {
    using ActiveCell = typename Triangulation::active_cell_iterator;
    std::vector<std::pair<Place, ActiveCell>> found;
    for (const auto &cell : triangulation.active_cell_iterators())
      if (cell->is_locally_owned())
        found.emplace_back(place_of(cell), cell);
    std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) {
      return a.first < b.first;
    });
    std::vector<ActiveCell> result;
    for (const auto &each : found)
      result.push_back(each.second);
    return result;
  }



  template <int dim>
  std::vector<unsigned int>
  SolidMesh<dim>::n_coarse_cells() const
  {
    std::vector<unsigned int> result(parameters.bodies.size());
    for (const auto &cell : triangulation.cell_iterators_on_level(0))
      ++result[body_of(cell)];
    return result;
  }



  template <int dim>
  bool
  SolidMesh<dim>::is_on(const typename Triangulation::face_iterator &face,
                        const unsigned int                           body,
                        const std::string                           &side) const
  {
    if (!face->at_boundary())
      return false;
    const auto &[of_body, names] = sides[face->boundary_id()];
    return of_body == body &&
           (side == "all" ||
            std::find(names.begin(), names.end(), side) != names.end());
  }

  template class SolidMesh<2>;
  template class SolidMesh<3>;
} // namespace Percuss
