// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_surface.h"

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>
#include <percuss/mechanics/time_stepper.h>
#include <percuss/mechanics/vtu_mesh.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/base/utilities.h>
#include <deal.II/fe/fe_values.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solid.h"
#include "solid_face_nodes.h"
#include "solid_probes.h"

// The surfaces of solids that may touch something, for pictures and probes. The
// forces of nodes are divided by the integrals of their shape functions, so
// that a uniform pressure is uniform for all degrees.

namespace Percuss
{
  namespace
  {
    constexpr double no_distance = std::numeric_limits<double>::max();

    /// The mean step size since the last call: states have impulses, not
    /// forces.
    class StepSize
    {
    public:
      double
      operator()(const State &state) const
      {
        if (state.step > step)
          size = (state.time - time) / (state.step - step);
        else if (state.step == 0)
          size = 0;
        time = state.time;
        step = state.step;
        return size;
      }

    private:
      mutable double       time = 0, size = 0; // in s
      mutable unsigned int step = 0;
    };
  } // namespace



  template <int dim>
  typename SolidSurfaces<dim>::Surface
  SolidSurfaces<dim>::make_surface(const unsigned int body,
                                   const std::string &side,
                                   Vector            &areas_of_nodes) const
  {
    const auto face_nodes = nodes_of_faces<dim>(solid.element);
    using namespace dealii;
    const QGauss<dim - 1> quadrature(solid.parameters.degree + 1);
    FEFaceValues<dim>     values(solid.mapping,
                             solid.element,
                             quadrature,
                             update_values | update_JxW_values);
    std::vector<dealii::types::global_dof_index> nodes(
      solid.element.n_dofs_per_cell());
    Surface      surface;
    const double thickness = dim == 2 ? solid.parameters.thickness : 1;
    for (const auto &cell : solid.numbering.active_cell_iterators())
      for (const unsigned int f : cell->face_indices())
        {
          if (!cell->is_locally_owned() ||
              !solid.mesh.is_on(cell->face(f), body, side))
            continue;
          cell->get_dof_indices(nodes);
          values.reinit(cell, f);
          const FreeNodes free(nodes, solid.hanging);
          for (const unsigned int a : face_nodes[f])
            {
              double area = 0;
              for (const unsigned int q : values.quadrature_point_indices())
                area += thickness * values.shape_value(a, q) * values.JxW(q);
              for (const auto &[i, weight] : free.weights[a])
                areas_of_nodes(dim * free.nodes[i]) += weight * area;
              surface.push_back(
                {solid.mapping.transform_unit_to_real_cell(
                   cell, solid.element.unit_support_point(a)),
                 solid.relevant->global_to_local(dim * nodes[a])});
            }
        }
    return surface;
  }



  template <int dim>
  SolidSurfaces<dim>::SolidSurfaces(const Solid<dim> &solid)
    : solid(solid)
  {
    Vector areas_of_nodes;
    for (const auto &[name, contact] : solid.parameters.contacts)
      {
        const auto [body, side] =
          solid.parameters.read_side(contact.on, "contacts/" + name + "/on");
        areas_of_nodes.reinit(solid.relevant);
        surfaces.push_back(make_surface(body, side, areas_of_nodes));
        areas_of_nodes.compress(dealii::VectorOperation::add);
        areas.emplace_back();
        for (unsigned int i = 0; i < solid.pattern->n_rows(); ++i)
          if (const double area = areas_of_nodes.local_element(dim * i);
              area != 0)
            areas.back().emplace(i, area);
      }
  }



  template <int dim>
  void
  SolidSurfaces<dim>::write(const State       &state,
                            const Vector      &contact_forces,
                            const FieldFolder &folder,
                            const std::string &name) const
  {
    if (solid.contact_set.size() == 0)
      return;
    VtuMesh mesh_of_faces;
    mesh_of_faces.point_fields = {{"gap", 1, false, {}},
                                  {"pressure", 1, false, {}},
                                  {"friction", 3, false, {}},
                                  {"status", 1, true, {}},
                                  {"contact", 1, true, {}}};
    Vector tractions_of_nodes(solid.owned), others(solid.owned),
      gaps_of_nodes(solid.owned);
    Vector gaps(solid.contact_set.partition());
    solid.contact_set.place(state.time, state.q);
    solid.contact_set.gaps(state.q, gaps);
    for (unsigned int c = 0; c < surfaces.size(); ++c)
      {
        solid.set_obstacles(c, state.time, state.q);
        tractions_of_nodes = 0.;
        others             = 0.;
        gaps_of_nodes      = std::numeric_limits<double>::quiet_NaN();
        for (unsigned int i = 0; i < solid.contact_nodes.size(); ++i)
          {
            if (solid.contact_nodes[i].contact != c)
              continue;
            const auto     t = solid.traction(i, state, contact_forces.begin());
            const unsigned first = dim * solid.contact_nodes[i].node;
            for (unsigned int d = 0; d < dim; ++d)
              tractions_of_nodes.local_element(first + d) = t.friction[d];
            others.local_element(first)     = t.pressure;
            others.local_element(first + 1) = t.status;
            if (!solid.contact_nodes[i].is_open)
              gaps_of_nodes.local_element(first) =
                gaps.local_element(solid.contact_set.points()[i].first);
          }
        add_surface(c,
                    state,
                    {{&tractions_of_nodes, &others, &gaps_of_nodes}},
                    mesh_of_faces);
      }
    mesh_of_faces.write(folder, name, state.time, solid.communicator);
  }



  template <int dim>
  void
  SolidSurfaces<dim>::add_surface(const unsigned int                   contact,
                                  const State                         &state,
                                  const std::array<const Vector *, 3> &of_nodes,
                                  VtuMesh &result) const
  {
    std::array<std::vector<double>, 4>  values;
    const std::array<const Vector *, 4> all = {
      {&solid.displacement(state.time, state.q),
       of_nodes[0],
       of_nodes[1],
       of_nodes[2]}};
    for (unsigned int f = 0; f < 4; ++f)
      {
        const double *const begin = solid.ghosted(*all[f], solid.ghosts);
        values[f].assign(begin,
                         begin + solid.relevant->locally_owned_size() +
                           solid.relevant->n_ghost_indices());
      }
    const auto &[q, friction, others, gaps] = values;
    auto              &fields               = result.point_fields;
    const unsigned int first_point          = result.n_points();
    for (const SolidSurfacePoint<dim> &point : surfaces[contact])
      {
        dealii::Point<dim>    x = point.place;
        std::array<double, 3> coordinates{};
        for (unsigned int d = 0; d < dim; ++d)
          coordinates[d] = x[d] += q[point.first + d];
        result.add_point(coordinates);
        fields[0].values.push_back(solid.obstacles[contact] &&
                                       !solid.weighted_sides[contact] ?
                                     solid.obstacles[contact]->view(x).gap :
                                     gaps[point.first]);
        fields[1].values.push_back(others[point.first]);
        for (unsigned int d = 0; d < 3; ++d)
          fields[2].values.push_back(d < dim ? friction[point.first + d] : 0);
        fields[3].values.push_back(others[point.first + 1]);
        fields[4].values.push_back(contact);
      }
    // A face of degree p is drawn as p or p x p cells.
    const unsigned int p = solid.parameters.degree, n = p + 1;
    const unsigned int n_nodes = dim == 2 ? n : n * n;
    for (unsigned int k = first_point; k < result.n_points(); k += n_nodes)
      for (unsigned int j = 0; j < (dim == 2 ? 1 : p); ++j)
        for (unsigned int i = 0; i < p; ++i)
          {
            const unsigned int a = k + n * j + i;
            if constexpr (dim == 2)
              result.add_cell(VtuMesh::Cell::polyline, {a, a + 1});
            else
              result.add_cell(VtuMesh::Cell::quadrilateral,
                              {a, a + 1, a + n + 1, a + n});
          }
  }



  /// Probes of whole contacts: name, unit and value.
  template <int dim>
  std::vector<ContactQuantity<dim>>
  SolidSurfaces<dim>::quantities() const
  {
    using Sums                               = TractionSums<dim>;
    std::vector<ContactQuantity<dim>> result = {
      {"largest contact pressure",
       "Pa",
       [](const Sums &sums) { return sums.largest; }},
      {"contact area", "m^2", [](const Sums &sums) { return sums.area; }},
      {"sticking contact area",
       "m^2",
       [](const Sums &sums) { return sums.sticking_area; }},
      {"contact spread",
       "m",
       [](const Sums &sums) { return sums.of_pressure.spread(); }},
      {"contact friction spread", "m", [](const Sums &sums) {
         return sums.of_friction.spread();
       }}};
    const auto directions = solid.parameters.directions();
    for (unsigned int d = 0; d < dim; ++d)
      result.push_back({"contact force " + directions[d],
                        "N",
                        [d](const Sums &sums) { return sums.force[d]; }});
    return result;
  }



  template <int dim>
  Probe
  SolidSurfaces<dim>::make_probe(const std::string &name,
                                 const std::string &what) const
  {
    const auto refuse = [&](const std::string &reason) {
      throw Error(
        ExitCode::usage,
        sentence("probe '" + name + " = " + what + "' " + reason) +
          " Contacts have 'contact pressure of CONTACT at PLACE', 'contact "
          "friction x of CONTACT at PLACE', 'largest contact pressure of "
          "CONTACT', 'contact force y of CONTACT', 'contact area of CONTACT', "
          "'sticking contact area of CONTACT', 'contact spread of CONTACT' and "
          "'contact friction spread of CONTACT'.");
    };
    const std::size_t of = what.find(" of "), at = what.find(" at ");
    if (of == std::string::npos)
      refuse("names no contact");
    const std::string quantity = what.substr(0, of);
    const std::string contact =
      what.substr(of + 4, at == std::string::npos ? at : at - of - 4);
    std::vector<std::string> names;
    for (const auto &each : solid.parameters.contacts)
      names.push_back(each.first);
    const auto found = std::find(names.begin(), names.end(), contact);
    if (found == names.end())
      refuse("names no contact" + did_you_mean(contact, names));
    const auto number = static_cast<unsigned int>(found - names.begin());
    // Of places: the pressure, then components of the friction.
    std::vector<std::string> quantities;
    const auto               of_contacts = this->quantities();
    if (at != std::string::npos)
      {
        quantities = {"contact pressure"};
        for (const std::string &direction : solid.parameters.directions())
          quantities.push_back("contact friction " + direction);
      }
    else
      for (const ContactQuantity<dim> &each : of_contacts)
        quantities.push_back(each.name);
    const auto known =
      std::find(quantities.begin(), quantities.end(), quantity);
    if (known == quantities.end())
      refuse("is not known" + did_you_mean(quantity, quantities));
    const auto which = static_cast<unsigned int>(known - quantities.begin());
    if (at == std::string::npos)
      return sum_probe(name, number, of_contacts[which]);
    const auto place = read_place<dim>(what.substr(at + 4));
    if (!place)
      refuse("has no place of " + std::to_string(dim) + " coordinates");
    return traction_probe(name, number, *place, which);
  }



  template <int dim>
  Probe
  SolidSurfaces<dim>::sum_probe(const std::string          &name,
                                const unsigned int          contact,
                                const ContactQuantity<dim> &quantity) const
  {
    return {name,
            quantity.unit,
            [this, contact, value = quantity.value, h = StepSize()](
              const State &state) {
              return value(add_up(contact, state, h(state)));
            }};
  }



  template <int dim>
  TractionSums<dim>
  SolidSurfaces<dim>::add_up(const unsigned int contact,
                             const State       &state,
                             const double       h) const
  {
    TractionSums<dim> sums;
    solid.contact_set.place(state.time, state.q);
    if (h > 0)
      {
        std::vector<double> forces(impulses(state).begin(),
                                   impulses(state).end());
        for (double &force : forces)
          force /= h;
        solid.set_obstacles(contact, state.time, state.q);
        for (unsigned int i = 0; i < solid.contact_nodes.size(); ++i)
          if (solid.contact_nodes[i].contact == contact)
            sums.add(solid.traction(i, state, forces.data()),
                     solid.places[solid.contact_nodes[i].node],
                     solid.contact_nodes[i].area);
      }
    sums.largest =
      dealii::Utilities::MPI::max(sums.largest, solid.communicator);
    MPI_Allreduce(MPI_IN_PLACE,
                  &sums.area,
                  sizeof(sums) / sizeof(double) - 1,
                  MPI_DOUBLE,
                  MPI_SUM,
                  solid.communicator);
    return sums;
  }



  /// At the node that is nearest in the undeformed body; of equal ones, that
  /// of the first rank. Component 0 is the pressure, d + 1 the friction along
  /// direction d.
  template <int dim>
  Probe
  SolidSurfaces<dim>::traction_probe(const std::string        &name,
                                     const unsigned int        contact,
                                     const dealii::Point<dim> &place,
                                     const unsigned int        component) const
  {
    double       nearest = no_distance;
    unsigned int mine    = 0;
    for (unsigned int i = 0; i < solid.contact_nodes.size(); ++i)
      if (solid.contact_nodes[i].contact == contact)
        if (const double distance =
              place.distance(solid.places[solid.contact_nodes[i].node]);
            distance < nearest)
          {
            nearest = distance;
            mine    = i;
          }
    namespace MPI           = dealii::Utilities::MPI;
    const double       best = MPI::min(nearest, solid.communicator);
    const unsigned int rank = MPI::this_mpi_process(solid.communicator);
    const unsigned int first =
      MPI::min(nearest == best ? rank :
                                 MPI::n_mpi_processes(solid.communicator),
               solid.communicator);
    const bool is_mine = rank == first && best < no_distance;
    return {name,
            "Pa",
            [this, contact, mine, is_mine, component, h = StepSize()](
              const State &state) {
              const double duration = h(state);
              double       value    = 0;
              solid.contact_set.place(state.time, state.q);
              solid.set_obstacles(contact, state.time, state.q);
              if (is_mine && duration > 0)
                {
                  const auto t =
                    solid.traction(mine, state, impulses(state).begin());
                  value =
                    (component == 0 ? t.pressure : t.friction[component - 1]) /
                    duration;
                }
              return dealii::Utilities::MPI::sum(value, solid.communicator);
            }};
  }

  template class SolidSurfaces<2>;
  template class SolidSurfaces<3>;
} // namespace Percuss
