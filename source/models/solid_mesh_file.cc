// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_mesh_file.h"

#include <percuss/base/collective.h>
#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/mpi.h>
#include <deal.II/grid/grid_tools.h>

#include <boost/serialization/array.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <algorithm>

namespace Percuss
{
  namespace
  {
    /// Places of the nodes of a file in deal.II's order, which counts along x,
    /// then y, then z.
    constexpr unsigned int order[8] = {0, 1, 3, 2, 4, 5, 7, 6};

    template <int dim>
    std::vector<dealii::Point<dim>>
    vertices(const SolidParameters::Body &body)
    {
      std::vector<dealii::Point<dim>> result;
      for (const MeshFile::Node &node : body.imported->nodes)
        {
          dealii::Point<dim> &place = result.emplace_back();
          for (unsigned int d = 0; d < dim; ++d)
            place[d] = body.scale * node[d] + body.shift[d];
        }
      return result;
    }

    template <int dim>
    void
    add_side(const MeshFile::Element &face, dealii::SubCellData &sides)
    {
      const auto fill = [&face](auto &data) {
        for (unsigned int i = 0; i < data.vertices.size(); ++i)
          data.vertices[i] = face.nodes[order[i]];
        data.boundary_id = 1 + face.group;
        // Else each face would have a manifold of its own.
        data.manifold_id = dealii::numbers::flat_manifold_id;
      };
      if constexpr (dim == 2)
        fill(sides.boundary_lines.emplace_back());
      else
        fill(sides.boundary_quads.emplace_back());
    }
  } // namespace



  template <int dim>
  void
  make_coarse_mesh(const SolidParameters::Body &body,
                   dealii::Triangulation<dim>  &coarse)
  {
    const MeshFile                    &file = *body.imported;
    std::vector<dealii::CellData<dim>> cells;
    for (const MeshFile::Element &element : file.cells)
      {
        dealii::CellData<dim> &cell = cells.emplace_back();
        for (unsigned int i = 0; i < cell.vertices.size(); ++i)
          cell.vertices[i] = element.nodes[order[i]];
        cell.material_id = element.group;
      }
    dealii::SubCellData sides;
    for (const MeshFile::Element &face : file.faces)
      add_side<dim>(face, sides);
    try
      {
        dealii::GridTools::consistently_order_cells(cells);
        coarse.create_triangulation(vertices<dim>(body), cells, sides);
      }
    catch (const std::exception &)
      {
        throw Error(ExitCode::mesh,
                    body.file +
                      ":1: the cells do not fit together. Mesh anew.");
      }
  }



  void
  SolidParameters::read_mesh_files(const MPI_Comm communicator)
  {
    const bool is_first =
      dealii::Utilities::MPI::this_mpi_process(communicator) == 0;
    for (auto &[name, body] : bodies)
      {
        if (body.mesh != "file")
          continue;
        if (body.file.empty())
          throw EntryError("model/" + model() + "/bodies/" + name + "/file",
                           "names no file.");
        MeshFile file;
        collectively(communicator, [&, &body = body]() {
          if (is_first)
            file = read_mesh_file(body.file, dimension);
        });
        file          = dealii::Utilities::MPI::broadcast(communicator, file);
        body.imported = std::make_shared<const MeshFile>(file);
      }
  }



  unsigned int
  SolidParameters::material_of_volumes(
    const unsigned int              body,
    const std::vector<std::string> &volumes) const
  {
    const auto &[name, b]   = bodies[body];
    const std::string entry = "bodies/" + name + "/materials";
    const std::string path  = "model/" + model() + "/" + entry;
    const auto        known =
      b.imported ? MeshFile::names(b.imported->volumes) : volumes;
    std::vector<std::pair<std::string, unsigned int>> found;
    for (const std::string &item :
         dealii::Utilities::split_string_list(b.materials_of_volumes, ';'))
      {
        const auto words = dealii::Utilities::split_string_list(item, ':');
        if (words.size() != 2)
          throw EntryError(path,
                           "'" + item +
                             "' is not as 'core: steel', a volume of the mesh "
                             "and a material.");
        if (std::count(known.begin(), known.end(), words[0]) == 0)
          throw EntryError(path,
                           sentence("'" + words[0] + "' is no volume of '" +
                                    b.file + "'" +
                                    did_you_mean(words[0], known)) +
                             " It has '" + join(known, "', '") + "'.");
        const unsigned int material = find_material(words[1], entry);
        if (std::count(volumes.begin(), volumes.end(), words[0]) > 0)
          found.emplace_back(words[0], material);
      }
    for (const auto &[volume, material] : found)
      if (material != found[0].second)
        throw EntryError(path,
                         "some cells are in both '" + found[0].first +
                           "' and '" + volume +
                           "', which have different materials.");
    return found.empty() ? material_of_body(body) : found[0].second;
  }

  template void
  make_coarse_mesh<2>(const SolidParameters::Body &,
                      dealii::Triangulation<2> &);
  template void
  make_coarse_mesh<3>(const SolidParameters::Body &,
                      dealii::Triangulation<3> &);
} // namespace Percuss
