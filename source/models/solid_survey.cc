// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_survey.h"

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_nothing.h>
#include <deal.II/fe/fe_values.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <sstream>

#include "mesh_file.h"

namespace Percuss
{
  namespace
  {
    /// Cells whose scaled Jacobian is smaller are flat.
    constexpr double smallest_jacobian = 1e-6;

    std::string
    text(const double value, const std::string &unit = "")
    {
      std::ostringstream stream;
      stream.precision(4);
      stream << value << (unit.empty() ? "" : " ") << unit;
      return stream.str();
    }

    std::string
    count(const double n)
    {
      return std::to_string(std::llround(n));
    }

    /// Points where cells are integrated, and corners.
    template <int dim>
    dealii::Quadrature<dim>
    points_of_check(const unsigned int degree)
    {
      auto       points  = dealii::QGauss<dim>(degree + 1).get_points();
      const auto corners = dealii::QTrapezoid<dim>().get_points();
      points.insert(points.end(), corners.begin(), corners.end());
      return dealii::Quadrature<dim>(points);
    }

    template <int dim>
    double
    scaled_jacobian(const dealii::DerivativeForm<1, dim, dim> &J)
    {
      double lengths = 1;
      for (unsigned int c = 0; c < dim; ++c)
        {
          double square = 0;
          for (unsigned int d = 0; d < dim; ++d)
            square += J[d][c] * J[d][c];
          lengths *= std::sqrt(square);
        }
      return lengths > 0 ? J.determinant() / lengths : 0;
    }

    template <int dim>
    double
    worst_jacobian(const dealii::FEValues<dim> &values)
    {
      double worst = 1;
      for (const unsigned int q : values.quadrature_point_indices())
        {
          const double here = scaled_jacobian<dim>(values.jacobian(q));
          // Also where it is no number.
          worst = here < worst ? here : std::isnan(here) ? -1 : worst;
        }
      return worst;
    }

    /// The shortest and the longest edge.
    template <typename Cell>
    std::pair<double, double>
    edges(const Cell &cell)
    {
      std::pair<double, double> result = {std::numeric_limits<double>::max(),
                                          0.};
      for (const unsigned int l : cell->line_indices())
        {
          const double length =
            cell->line(l)->vertex(0).distance(cell->line(l)->vertex(1));
          result = {std::min(result.first, length),
                    std::max(result.second, length)};
        }
      return result;
    }

    template <int dim>
    class Surveyor
    {
    public:
      Surveyor(const SolidMesh<dim>             &mesh,
               const dealii::Mapping<dim>       &mapping,
               const SolidParameters            &parameters,
               const std::vector<SolidMaterial> &materials);

      std::vector<BodySurvey> bodies;

    private:
      void
      look_at(
        const typename SolidMesh<dim>::Triangulation::cell_iterator &cell);
      void
      add_ranks(MPI_Comm communicator);

      const SolidMesh<dim>             &mesh;
      const SolidParameters            &parameters;
      const std::vector<SolidMaterial> &materials;
      const double                      thickness;
      const dealii::FE_Nothing<dim>     nothing;
      dealii::FEValues<dim>             values, checks;
      dealii::FEFaceValues<dim>         face_values;
    };



    template <int dim>
    Surveyor<dim>::Surveyor(const SolidMesh<dim>             &mesh,
                            const dealii::Mapping<dim>       &mapping,
                            const SolidParameters            &parameters,
                            const std::vector<SolidMaterial> &materials)
      : bodies(parameters.bodies.size())
      , mesh(mesh)
      , parameters(parameters)
      , materials(materials)
      , thickness(dim == 2 ? parameters.thickness : 1)
      , values(mapping,
               nothing,
               dealii::QGauss<dim>(parameters.degree + 1),
               dealii::update_JxW_values)
      , checks(mapping,
               nothing,
               points_of_check<dim>(parameters.degree),
               dealii::update_jacobians)
      , face_values(mapping,
                    nothing,
                    dealii::QGauss<dim - 1>(parameters.degree + 1),
                    dealii::update_JxW_values)
    {
      for (unsigned int b = 0; b < bodies.size(); ++b)
        {
          bodies[b].shortest_edge = std::numeric_limits<double>::max();
          bodies[b].shortest_time = std::numeric_limits<double>::max();
          for (const std::string &side : parameters.sides(b))
            if (side != "all")
              bodies[b].sides[side] = {0, 0};
          // On all ranks, also where they have none of the cells.
          if (const auto &file = parameters.bodies[b].second.imported)
            for (const auto &group : file->volumes)
              for (const std::string &name : group)
                bodies[b].volumes[name].material =
                  parameters.material_of_volumes(b, group);
        }
      for (const auto &cell : mesh.cells().active_cell_iterators())
        if (cell->is_locally_owned())
          look_at(cell);
      add_ranks(mesh.cells().get_communicator());
    }



    template <int dim>
    void
    Surveyor<dim>::look_at(
      const typename SolidMesh<dim>::Triangulation::cell_iterator &cell)
    {
      BodySurvey          &body      = bodies[mesh.body_of(cell)];
      const SolidMaterial &material  = materials[mesh.material_of(cell)];
      const auto [shortest, longest] = edges(cell);
      values.reinit(cell);
      double volume = 0;
      for (const unsigned int q : values.quadrature_point_indices())
        volume += values.JxW(q);
      body.n_cells += 1;
      body.volume += thickness * volume;
      body.mass += material.density * volume;
      for (const std::string &name : mesh.volumes_of(cell))
        {
          BodySurvey::Volume &part = body.volumes[name];
          part.n_cells += 1;
          part.volume += thickness * volume;
          part.mass += material.density * volume;
        }
      body.shortest_edge = std::min(body.shortest_edge, shortest);
      body.longest_edge  = std::max(body.longest_edge, longest);
      body.shortest_time =
        std::min(body.shortest_time,
                 shortest / (material.wave_speed() * parameters.degree));
      checks.reinit(cell);
      body.worst_jacobian =
        std::min(body.worst_jacobian, worst_jacobian(checks));
      for (const unsigned int f : cell->face_indices())
        {
          if (!cell->face(f)->at_boundary())
            continue;
          face_values.reinit(cell, f);
          double area = 0;
          for (const unsigned int q : face_values.quadrature_point_indices())
            area += thickness * face_values.JxW(q);
          for (const std::string &name : mesh.names_of(cell->face(f)))
            {
              body.sides[name].n_faces += 1;
              body.sides[name].area += area;
            }
        }
    }



    template <int dim>
    void
    Surveyor<dim>::add_ranks(const MPI_Comm communicator)
    {
      namespace Ranks = dealii::Utilities::MPI;
      for (BodySurvey &body : bodies)
        {
          body.n_cells        = Ranks::sum(body.n_cells, communicator);
          body.volume         = Ranks::sum(body.volume, communicator);
          body.mass           = Ranks::sum(body.mass, communicator);
          body.shortest_edge  = Ranks::min(body.shortest_edge, communicator);
          body.longest_edge   = Ranks::max(body.longest_edge, communicator);
          body.worst_jacobian = Ranks::min(body.worst_jacobian, communicator);
          body.shortest_time  = Ranks::min(body.shortest_time, communicator);
          for (auto &[name, side] : body.sides)
            side = {Ranks::sum(side.n_faces, communicator),
                    Ranks::sum(side.area, communicator)};
          for (auto &[name, part] : body.volumes)
            part = {Ranks::sum(part.n_cells, communicator),
                    Ranks::sum(part.volume, communicator),
                    Ranks::sum(part.mass, communicator),
                    part.material};
        }
    }

    /// A material with a name, else the body that has it.
    std::string
    name_of_material(const unsigned int     number,
                     const SolidParameters &parameters)
    {
      const auto n = static_cast<unsigned int>(parameters.materials.size());
      return number < n ? parameters.materials[number].first :
                          parameters.bodies[number - n].first;
    }

    /// "core: 20 cells, 0.001 m^3, 7.8 kg of steel; shell: ..."
    std::string
    describe_volumes(const BodySurvey &body, const SolidParameters &parameters)
    {
      std::vector<std::string> items;
      for (const auto &[name, part] : body.volumes)
        items.push_back(name + ": " + count(part.n_cells) + " cells, " +
                        text(part.volume, "m^3") + ", " +
                        text(part.mass, "kg") + " of " +
                        name_of_material(part.material, parameters));
      return join(items, "; ");
    }

    /// "bottom 36 faces of 0.0017 m^2; top 12 of 0.0006 m^2"
    std::string
    describe_sides(const BodySurvey &body)
    {
      constexpr unsigned int most = 12;
      std::string            result;
      unsigned int           n = 0;
      for (const auto &[name, side] : body.sides)
        if (++n <= most)
          result += (n > 1 ? "; " : "") + name + ": " + count(side.n_faces) +
                    (n > 1 ? ", " : " faces, ") + text(side.area, "m^2");
      return result +
             (n > most ? "; " + std::to_string(n - most) + " more" : "");
    }
  } // namespace



  template <int dim>
  std::vector<BodySurvey>
  survey(const SolidMesh<dim>             &mesh,
         const dealii::Mapping<dim>       &mapping,
         const SolidParameters            &parameters,
         const std::vector<SolidMaterial> &materials)
  {
    return Surveyor<dim>(mesh, mapping, parameters, materials).bodies;
  }



  template <int dim>
  void
  check_cells(const SolidMesh<dim>       &mesh,
              const dealii::Mapping<dim> &mapping,
              const SolidParameters      &parameters)
  {
    const dealii::FE_Nothing<dim> nothing;
    dealii::FEValues<dim>         values(mapping,
                                 nothing,
                                 points_of_check<dim>(parameters.degree),
                                 dealii::update_jacobians);
    // The Jacobian, the place and the body of the worst cell of this rank.
    std::array<double, dim + 2> worst = {};
    worst[0]                          = 1;
    for (const auto &cell : mesh.cells().active_cell_iterators())
      {
        // All cells of a box are alike.
        if (!cell->is_locally_owned() ||
            parameters.bodies[mesh.body_of(cell)].second.mesh == "box")
          continue;
        values.reinit(cell);
        if (const double here = worst_jacobian(values); here < worst[0])
          {
            worst[0]       = here;
            worst[dim + 1] = mesh.body_of(cell);
            for (unsigned int d = 0; d < dim; ++d)
              worst[1 + d] = cell->center()[d];
          }
      }
    const auto all =
      dealii::Utilities::MPI::all_gather(mesh.cells().get_communicator(),
                                         worst);
    worst = *std::min_element(all.begin(), all.end());
    if (worst[0] > smallest_jacobian)
      return;
    std::string place = text(worst[1]);
    for (unsigned int d = 1; d < dim; ++d)
      place += ", " + text(worst[1 + d]);
    throw Error(
      ExitCode::mesh,
      "body '" +
        parameters.bodies[static_cast<std::size_t>(worst[dim + 1])].first +
        "': the cell at (" + place +
        ") is inverted or flat, with a scaled Jacobian of " + text(worst[0]) +
        ". Change its mesh or refinements.");
  }



  std::string
  coarse_mesh_warning(const std::vector<unsigned int> &n_coarse_cells,
                      const SolidParameters           &parameters)
  {
    constexpr unsigned long most = 100000;
    const unsigned long     n =
      std::accumulate(n_coarse_cells.begin(), n_coarse_cells.end(), 0UL);
    if (n <= most)
      return "";
    const auto largest =
      std::max_element(n_coarse_cells.begin(), n_coarse_cells.end());
    const auto &[name, body] =
      parameters
        .bodies[static_cast<std::size_t>(largest - n_coarse_cells.begin())];
    return "the coarse mesh has " + std::to_string(n) + " cells, " +
           std::to_string(*largest) + " of them in body '" + name +
           "', and each rank holds them all; " +
           (body.mesh == "box" ?
              "numbers of 'cells' that can all be halved several times" :
              "a mesh with fewer cells and more 'refinements'") +
           " would save memory.";
  }



  std::vector<std::pair<std::string, std::string>>
  describe(const std::vector<BodySurvey>    &bodies,
           const SolidParameters            &parameters,
           const std::vector<SolidMaterial> &materials)
  {
    std::vector<std::pair<std::string, std::string>> facts;
    std::set<unsigned int>                           used;
    for (unsigned int b = 0; b < bodies.size(); ++b)
      {
        const BodySurvey &body = bodies[b];
        used.insert(parameters.material_of_body(b));
        const std::string &material = parameters.bodies[b].second.material;
        const std::string  edges    = text(body.shortest_edge);
        facts.emplace_back(parameters.bodies[b].first,
                           count(body.n_cells) + " cells, edges " +
                             (body.longest_edge > 1.0001 * body.shortest_edge ?
                                edges + " to " + text(body.longest_edge, "m") :
                                edges + " m") +
                             ", " + text(body.volume, "m^3") + ", " +
                             text(body.mass, "kg") +
                             (material.empty() || !body.volumes.empty() ?
                                "" :
                                " of " + material));
        if (!body.volumes.empty())
          facts.emplace_back("  volumes", describe_volumes(body, parameters));
        facts.emplace_back("  worst scaled Jacobian",
                           text(body.worst_jacobian) + " (1 of a brick)");
        if (!body.sides.empty())
          facts.emplace_back("  sides", describe_sides(body));
      }
    for (unsigned int m = 0; m < materials.size(); ++m)
      if (m < parameters.materials.size() || used.count(m) > 0)
        facts.emplace_back(
          "waves in " + name_of_material(m, parameters),
          text(materials[m].wave_speed(), "m/s") + " (pressure), " +
            text(std::sqrt(materials[m].mu / materials[m].density), "m/s") +
            " (shear)");
    return facts;
  }

  template std::vector<BodySurvey>
  survey<2>(const SolidMesh<2> &,
            const dealii::Mapping<2> &,
            const SolidParameters &,
            const std::vector<SolidMaterial> &);
  template std::vector<BodySurvey>
  survey<3>(const SolidMesh<3> &,
            const dealii::Mapping<3> &,
            const SolidParameters &,
            const std::vector<SolidMaterial> &);
  template void
  check_cells<2>(const SolidMesh<2> &,
                 const dealii::Mapping<2> &,
                 const SolidParameters &);
  template void
  check_cells<3>(const SolidMesh<3> &,
                 const dealii::Mapping<3> &,
                 const SolidParameters &);
} // namespace Percuss
