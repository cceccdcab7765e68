// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_probes.h"

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/base/utilities.h>
#include <deal.II/fe/fe_values.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "solid_material.h"

namespace Percuss
{
  namespace
  {
    const std::vector<std::string> axes = {"x", "y", "z"};

    /// "xx", "yy", "xy" and such, with their indices.
    template <int dim>
    std::vector<std::pair<std::string, std::array<unsigned int, 2>>>
    components_of_stress()
    {
      std::vector<std::pair<std::string, std::array<unsigned int, 2>>> result;
      for (unsigned int i = 0; i < 3; ++i)
        for (unsigned int j = i; j < 3; ++j)
          if (i == j || j < dim)
            result.push_back({axes[i] + axes[j], {{i, j}}});
      return result;
    }

    template <typename Kinds>
    void
    add_names(const Kinds &kinds, std::vector<std::string> &names)
    {
      for (const auto &kind : kinds)
        names.push_back(kind.name);
    }

    /// Null where there is none of this name.
    template <typename Kinds>
    auto
    find_kind(const Kinds &kinds, const std::string &name)
    {
      const auto found =
        std::find_if(kinds.begin(), kinds.end(), [&](const auto &kind) {
          return kind.name == name;
        });
      return found == kinds.end() ? nullptr : &*found;
    }
  } // namespace



  template <int dim>
  std::optional<dealii::Point<dim>>
  read_place(const std::string &text)
  {
    try
      {
        const auto numbers = dealii::Utilities::string_to_double(
          dealii::Utilities::split_string_list(text, ','));
        if (numbers.size() != dim)
          return {};
        dealii::Point<dim> place;
        for (unsigned int d = 0; d < dim; ++d)
          place[d] = numbers[d];
        return place;
      }
    catch (const dealii::ExceptionBase &)
      {
        return {};
      }
  }



  /// The own cells of a body that hold a place. Where several do, on any ranks,
  /// the mean of theirs counts: stresses jump there, and no cell comes first.
  template <int dim>
  struct SolidProbes<dim>::Place
  {
    struct Node
    {
      unsigned int           first; ///< degree of freedom, in `relevant`
      double                 value; ///< of the shape function
      dealii::Tensor<1, dim> gradient;
    };

    struct Cell
    {
      unsigned int      material;
      std::vector<Node> nodes;
    };

    dealii::Point<dim> at;
    std::vector<Cell>  cells;
    unsigned int       n_cells; ///< of all ranks
  };



  template <int dim>
  typename SolidProbes<dim>::Request
  SolidProbes<dim>::read(const std::string &name, const std::string &what)
  {
    const std::size_t of = what.find(" of ");
    const std::size_t at = what.find(" at ", of == std::string::npos ? 0 : of);
    Request result{name, what, what.substr(0, std::min(of, at)), "", ""};
    if (of != std::string::npos)
      result.subject =
        what.substr(of + 4, at == std::string::npos ? at : at - of - 4);
    if (at != std::string::npos)
      result.place = what.substr(at + 4);
    return result;
  }



  template <int dim>
  void
  SolidProbes<dim>::refuse(const Request     &request,
                           const std::string &reason) const
  {
    std::vector<std::string> of_bodies, of_places, of_supports;
    add_names(kinds_of_bodies(), of_bodies);
    add_names(kinds_of_places(), of_places);
    add_names(kinds_of_supports(), of_supports);
    throw Error(ExitCode::usage,
                sentence("probe '" + request.name + " = " + request.what +
                         "' " + reason) +
                  " The model '" + solid.parameters.model() + "' has '" +
                  join(of_bodies, "', '") + "', with or without 'of BODY'; '" +
                  join(of_places, "', '") +
                  "', followed by 'of BODY at PLACE'; '" +
                  join(of_supports, "', '") +
                  "', followed by 'of SUPPORT'; and quantities of contacts.");
  }



  template <int dim>
  unsigned int
  SolidProbes<dim>::find(const Request                  &request,
                         const std::string              &kind,
                         const std::vector<std::string> &names) const
  {
    const auto found = std::find(names.begin(), names.end(), request.subject);
    if (found == names.end())
      refuse(request,
             "names no " + kind + did_you_mean(request.subject, names));
    return static_cast<unsigned int>(found - names.begin());
  }



  template <int dim>
  unsigned int
  SolidProbes<dim>::find_body(const Request &request) const
  {
    std::vector<std::string> names;
    for (const auto &each : solid.parameters.bodies)
      names.push_back(each.first);
    return find(request, "body", names);
  }



  template <int dim>
  Probe
  SolidProbes<dim>::make(const std::string &name, const std::string &what) const
  {
    const Request request   = read(name, what);
    const auto    of_bodies = kinds_of_bodies();
    const auto    of_places = kinds_of_places();
    const auto    of_sides  = kinds_of_supports();
    if (const auto *kind = find_kind(of_places, request.quantity))
      {
        if (request.place.empty())
          refuse(request, "has no place");
        return {name, kind->unit, kind->make(find_place(request))};
      }
    const auto *const body    = find_kind(of_bodies, request.quantity);
    const auto *const support = find_kind(of_sides, request.quantity);
    if (!body && !support)
      {
        std::vector<std::string> names;
        add_names(of_bodies, names);
        add_names(of_places, names);
        add_names(of_sides, names);
        refuse(request, "is not known" + did_you_mean(request.quantity, names));
      }
    if (!request.place.empty())
      refuse(request, "has no use for a place");
    if (body)
      return {name,
              body->unit,
              body->make(request.subject.empty() ?
                           std::nullopt :
                           std::make_optional(find_body(request)))};
    std::vector<std::string> names;
    for (const auto &each : solid.parameters.supports)
      names.push_back(each.first);
    const unsigned int number = find(request, "support", names);
    const auto         value  = support->make(number);
    if (!value)
      refuse(request,
             "has a direction that '" + names[number] + "' does not hold");
    return {name, support->unit, value};
  }



  template <int dim>
  auto
  SolidProbes<dim>::kinds_of_bodies() const -> std::vector<Kind<Body>>
  {
    std::vector<Kind<Body>> kinds;
    const auto              add = [&](const std::string &name,
                         const std::string &unit,
                         const unsigned int d,
                         const bool         is_velocity,
                         const bool         is_mean) {
      kinds.push_back(
        {name, unit, [this, d, is_velocity, is_mean](const Body &body) {
           return weighted(body, d, is_velocity, is_mean);
         }});
    };
    add("mean velocity", "m/s", dim - 1, true, true);
    for (unsigned int d = 0; d < dim; ++d)
      {
        add("mean velocity " + axes[d], "m/s", d, true, true);
        add("mean displacement " + axes[d], "m", d, false, true);
        add("momentum " + axes[d], "kg m/s", d, true, false);
      }
    for (unsigned int d = dim == 3 ? 0 : 2; d < 3; ++d)
      kinds.push_back(
        {"angular momentum " + axes[d],
         "kg m^2/s",
         [this, d](const Body &body) { return angular_momentum(body, d); }});
    kinds.push_back({"kinetic energy", "J", [this](const Body &body) {
                       return kinetic_energy(body);
                     }});
    kinds.push_back({"strain energy", "J", [this](const Body &body) {
                       return strain_energy(body);
                     }});
    return kinds;
  }



  template <int dim>
  auto
  SolidProbes<dim>::kinds_of_places() const -> std::vector<Kind<Place>>
  {
    std::vector<Kind<Place>> kinds;
    for (unsigned int d = 0; d < dim; ++d)
      {
        kinds.push_back(
          {"displacement " + axes[d], "m", [this, d](const Place &place) {
             return motion(place, d, false);
           }});
        kinds.push_back(
          {"velocity " + axes[d], "m/s", [this, d](const Place &place) {
             return motion(place, d, true);
           }});
        kinds.push_back(
          {"position " + axes[d], "m", [this, d](const Place &place) -> Value {
             return [from = place.at[d], way = motion(place, d, false)](
                      const State &state) { return from + way(state); };
           }});
      }
    for (const auto &[name, indices] : components_of_stress<dim>())
      kinds.push_back(
        {"stress " + name, "Pa", [this, i = indices](const Place &place) {
           return stress(place,
                         [i](const auto &sigma) { return sigma[i[0]][i[1]]; });
         }});
    kinds.push_back({"von mises stress", "Pa", [this](const Place &place) {
                       return stress(place, von_mises);
                     }});
    return kinds;
  }



  template <int dim>
  auto
  SolidProbes<dim>::kinds_of_supports() const -> std::vector<Kind<unsigned int>>
  {
    std::vector<Kind<unsigned int>> kinds;
    for (unsigned int d = 0; d < dim; ++d)
      kinds.push_back(
        {"reaction " + axes[d], "N", [this, d](const unsigned int support) {
           return reaction(support, d);
         }});
    return kinds;
  }



  /// On the boundary of cells a tolerance decides.
  template <int dim>
  typename SolidProbes<dim>::Place
  SolidProbes<dim>::find_place(const Request &request) const
  {
    const unsigned int body = find_body(request);
    const auto         at   = read_place<dim>(request.place);
    if (!at)
      refuse(request,
             "has no place of " + std::to_string(dim) + " coordinates");
    Place                                        result{*at, {}, 0};
    std::vector<dealii::types::global_dof_index> nodes(
      solid.element.n_dofs_per_cell());
    for (const auto &cell : solid.numbering.active_cell_iterators())
      {
        if (!cell->is_locally_owned() || solid.mesh.body_of(cell) != body ||
            at->distance(cell->center()) > cell->diameter())
          continue;
        try
          {
            const auto xi =
              solid.mapping.transform_real_to_unit_cell(cell, *at);
            if (!cell->reference_cell().contains_point(xi, 1e-8))
              continue;
            dealii::FEValues<dim> values(solid.mapping,
                                         solid.element,
                                         dealii::Quadrature<dim>(xi),
                                         dealii::update_values |
                                           dealii::update_gradients);
            values.reinit(cell);
            cell->get_dof_indices(nodes);
            auto &found    = result.cells.emplace_back();
            found.material = solid.mesh.material_of(cell);
            for (unsigned int a = 0; a < nodes.size(); ++a)
              found.nodes.push_back(
                {solid.relevant->global_to_local(dim * nodes[a]),
                 values.shape_value(a, 0),
                 values.shape_grad(a, 0)});
          }
        catch (const typename dealii::Mapping<dim>::ExcTransformationFailed &)
          {}
      }
    result.n_cells = dealii::Utilities::MPI::sum(
      static_cast<unsigned int>(result.cells.size()), solid.communicator);
    if (result.n_cells == 0)
      throw Error(ExitCode::usage,
                  "probe '" + request.name +
                    "': its place is not in the body '" + request.subject +
                    "'.");
    return result;
  }



  template <int dim>
  typename SolidProbes<dim>::Value
  SolidProbes<dim>::motion(const Place       &place,
                           const unsigned int direction,
                           const bool         is_velocity) const
  {
    return [&solid = solid, place, direction, is_velocity](const State &state) {
      const double *const x =
        solid.ghosted(is_velocity ? solid.velocity(state) :
                                    solid.displacement(state.time, state.q),
                      solid.ghosts);
      double sum = 0;
      for (const auto &cell : place.cells)
        for (const auto &node : cell.nodes)
          sum += node.value * x[node.first + direction];
      return dealii::Utilities::MPI::sum(sum, solid.communicator) /
             place.n_cells;
    };
  }



  template <int dim>
  typename SolidProbes<dim>::Value
  SolidProbes<dim>::stress(
    const Place                                               &place,
    const std::function<double(const dealii::Tensor<2, 3> &)> &of) const
  {
    return [&solid = solid, place, of](const State &state) {
      const double *const x =
        solid.ghosted(solid.displacement(state.time, state.q), solid.ghosts);
      dealii::Tensor<2, 3> sum;
      for (const auto &cell : place.cells)
        {
          dealii::Tensor<2, dim> gradient;
          for (const auto &node : cell.nodes)
            for (unsigned int d = 0; d < dim; ++d)
              gradient[d] += x[node.first + d] * node.gradient;
          sum += solid.stress(cell.material, gradient);
        }
      return of(dealii::Utilities::MPI::sum(sum, solid.communicator) /
                place.n_cells);
    };
  }



  template <int dim>
  typename SolidProbes<dim>::Value
  SolidProbes<dim>::weighted(const Body        &body,
                             const unsigned int direction,
                             const bool         is_velocity,
                             const bool         is_mean) const
  {
    namespace Ranks    = dealii::Utilities::MPI;
    const auto &masses = solid.masses_of_nodes;
    double      mass   = 0;
    for (unsigned int i = 0; i < masses.size(); ++i)
      if (!body || solid.body_of_node[i] == *body)
        mass += masses[i];
    mass = is_mean ? Ranks::sum(mass, solid.communicator) : 1;
    return
      [&solid = solid, body, direction, is_velocity, mass](const State &state) {
        const Vector &x   = is_velocity ? solid.velocity(state) :
                                          solid.displacement(state.time, state.q);
        double        sum = 0;
        for (unsigned int i = 0; i < solid.masses_of_nodes.size(); ++i)
          if (!body || solid.body_of_node[i] == *body)
            sum +=
              solid.masses_of_nodes[i] * x.local_element(dim * i + direction);
        return Ranks::sum(sum, solid.communicator) / mass;
      };
  }



  /// About the centre of mass c: x x p - c x P, with sums over nodes.
  template <int dim>
  typename SolidProbes<dim>::Value
  SolidProbes<dim>::angular_momentum(const Body        &body,
                                     const unsigned int axis) const
  {
    return [&solid = solid, body, axis](const State &state) {
      const Vector &q = solid.displacement(state.time, state.q);
      solid.apply_mass(solid.velocity(state), solid.work);
      const unsigned int e = (axis + 1) % 3, f = (axis + 2) % 3;
      // x x p, the components e and f of p and of m x, and m.
      std::vector<double> sums(6);
      for (unsigned int i = 0; i < solid.masses_of_nodes.size(); ++i)
        {
          if (body && solid.body_of_node[i] != *body)
            continue;
          const double m    = solid.masses_of_nodes[i];
          double       x[3] = {}, p[3] = {};
          for (unsigned int d = 0; d < dim; ++d)
            {
              x[d] = solid.places[i][d] + q.local_element(dim * i + d);
              p[d] = solid.work.local_element(dim * i + d);
            }
          const double terms[6] = {
            x[e] * p[f] - x[f] * p[e], p[e], p[f], m * x[e], m * x[f], m};
          for (unsigned int k = 0; k < 6; ++k)
            sums[k] += terms[k];
        }
      dealii::Utilities::MPI::sum(sums, solid.communicator, sums);
      return sums[0] - (sums[3] * sums[2] - sums[4] * sums[1]) / sums[5];
    };
  }



  template <int dim>
  typename SolidProbes<dim>::Value
  SolidProbes<dim>::kinetic_energy(const Body &body) const
  {
    return [&solid = solid, body](const State &state) {
      const Vector &v = solid.velocity(state);
      solid.apply_mass(v, solid.work);
      double sum = 0;
      for (unsigned int i = 0; i < v.locally_owned_size(); ++i)
        if (!body || solid.body_of_node[i / dim] == *body)
          sum += v.local_element(i) * solid.work.local_element(i) / 2;
      return dealii::Utilities::MPI::sum(sum, solid.communicator);
    };
  }



  template <int dim>
  typename SolidProbes<dim>::Value
  SolidProbes<dim>::strain_energy(const Body &body) const
  {
    const auto values = std::make_shared<dealii::FEValues<dim>>(
      solid.mapping,
      solid.element,
      dealii::QGauss<dim>(solid.parameters.degree + 1),
      dealii::update_gradients | dealii::update_JxW_values);
    return [&solid = solid, body, values](const State &state) {
      const double *const x =
        solid.ghosted(solid.displacement(state.time, state.q), solid.ghosts);
      std::vector<dealii::types::global_dof_index> nodes(values->dofs_per_cell);
      double                                       sum = 0;
      for (const auto &cell : solid.numbering.active_cell_iterators())
        {
          if (!cell->is_locally_owned() ||
              (body && solid.mesh.body_of(cell) != *body))
            continue;
          cell->get_dof_indices(nodes);
          values->reinit(cell);
          const auto &material = solid.materials[solid.mesh.material_of(cell)];
          for (const unsigned int q : values->quadrature_point_indices())
            {
              dealii::Tensor<2, dim> gradient;
              for (unsigned int a = 0; a < nodes.size(); ++a)
                {
                  const double *const u =
                    x + solid.relevant->global_to_local(dim * nodes[a]);
                  for (unsigned int d = 0; d < dim; ++d)
                    gradient[d] += u[d] * values->shape_grad(a, q);
                }
              sum +=
                ElasticLaw<dim>::energy(material, gradient) * values->JxW(q);
            }
        }
      return dealii::Utilities::MPI::sum(sum, solid.communicator);
    };
  }

  template std::optional<dealii::Point<2>>
  read_place<2>(const std::string &);
  template std::optional<dealii::Point<3>>
  read_place<3>(const std::string &);
  template class SolidProbes<2>;
  template class SolidProbes<3>;
} // namespace Percuss
