// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "bar.h"

#include <percuss/base/error.h>
#include <percuss/base/registry.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

namespace Percuss
{
  namespace
  {
    using dealii::Utilities::MPI::sum;

    const std::vector<std::string> conditions = {"free",
                                                 "clamped",
                                                 "force",
                                                 "wall"};
  } // namespace



  void
  Bar::End::declare(ParameterSection section)
  {
    section.add_choice("condition",
                       condition,
                       "What happens at this end",
                       conditions);
    section.add("force",
                force,
                "With 'force': the load along +x, in N, t in s");
    section.add("gap",
                gap,
                "With 'wall': distance of the undeformed bar, in m",
                Range::non_negative());
    section.add("restitution",
                restitution,
                "With 'wall': Newton's coefficient of the contact node",
                Range::between(0, 1));
    section.matters_with("force", "condition", "force");
    section.matters_with("gap", "condition", "wall");
    section.matters_with("restitution", "condition", "wall");
  }



  void
  Bar::Parameters::declare(ParameterSection &section)
  {
    section.add("length", length, "In m", Range::positive());
    section.add("area", area, "Cross-section, in m^2", Range::positive());
    section.add("young modulus", E, "In Pa", Range::positive());
    section.add("density", density, "In kg/m^3", Range::positive());
    section.add("elements", n_elements, "Number of finite elements", 1);
    section.add("degree", degree, "Of the elements, at most 6", 1);
    section.require("elements", [this]() {
      return static_cast<double>(n_elements) * degree > 2e9 ?
               "gives more than 2e9 nodes" :
               std::string();
    });
    section.require("degree", [this]() {
      return degree <= LineElements::highest_degree ?
               std::string() :
               "degrees above 6 are not available";
    });
    section.add_choice("mass matrix",
                       mass_matrix,
                       "Consistent, lumped by row sums, or redistributed: "
                       "consistent, but without mass at nodes that face a "
                       "wall, mass, centre and inertia of the bar unchanged",
                       {"consistent", "lumped", "redistributed"});
    section.require("mass matrix", [this]() {
      const unsigned int n_walls = left.is("wall") + right.is("wall");
      const unsigned int n_nodes = n_elements * degree + 1;
      return mass_matrix == "redistributed" &&
                 n_nodes < n_walls * std::max(3u, degree + 1) ?
               "needs a finer mesh to redistribute the masses" :
               std::string();
    });
    section.add("mass damping",
                mass_damping,
                "The factor a of C = a M + b K, in 1/s",
                Range::non_negative());
    section.add("stiffness damping",
                stiffness_damping,
                "The factor b of C = a M + b K, in s",
                Range::non_negative());
    section.add("gravity", gravity, "Acceleration along +x, in m/s^2");
    section.add("initial displacement", displacement, "Along +x, in m");
    section.add("initial velocity", velocity, "Along +x, in m/s");
    left.declare(section.subsection("left end"));
    right.declare(section.subsection("right end"));
    const auto clamped_and_moved = [this](const End &end, const double x) {
      return end.is("clamped") && std::abs(displacement(x)) > 1e-12 * length ?
               "is not zero at the clamped end x = " + shortest_text(x) :
               std::string();
    };
    section.require("initial displacement", [this, clamped_and_moved]() {
      const std::string on_left = clamped_and_moved(left, 0);
      return on_left.empty() ? clamped_and_moved(right, length) : on_left;
    });
  }



  Bar::Bar(const Parameters &parameters, const Context &context)
    : MechanicalModel(context)
    , parameters(parameters)
    , mesh(parameters.length,
           parameters.n_elements,
           parameters.degree,
           communicator)
    , elements(LineElements::make({parameters.degree,
                                   mesh.element_length(),
                                   parameters.E * parameters.area,
                                   parameters.density * parameters.area,
                                   parameters.mass_matrix == "lumped"}))
    , contact_set(communicator)
    , row_sums(mesh.partition())
    , gravity_load(mesh.partition())
    , work(mesh.partition())
  {
    const auto [first, end] = mesh.partition()->local_range();
    has_left                = first == 0 && end > 0;
    has_right               = end == mesh.partition()->size() && end > first;
    if (parameters.mass_matrix == "redistributed")
      prepare_redistribution();
    Vector ones(mesh.partition());
    ones = 1.;
    apply_mass_without_clamps(ones, row_sums);
    gravity_load.equ(parameters.gravity, row_sums);
    zero_clamped(gravity_load);
    add_contacts();
  }



  /// The velocity of the element at the wall is extrapolated from its inner
  /// nodes (linearly from the next two, where there is one inner node only),
  /// so that a rigid motion, and a linear one, keep their kinetic energy:
  /// the conditions of Khenous, Laborde and Renard (2008).
  void
  Bar::prepare_redistribution()
  {
    const unsigned int  p = parameters.degree;
    const unsigned int  n = std::max(3u, p + 1);
    std::vector<double> nodes(mesh.reference_nodes());
    if (p == 1)
      nodes.push_back(2);
    // Row 0: the extrapolation to the wall; then the identity.
    dealii::FullMatrix<double> extension(p + 1, n), product(p + 1, n);
    for (unsigned int j = 1; j < n; ++j)
      {
        extension(0, j) = 1;
        for (unsigned int i = 1; i < n; ++i)
          if (i != j)
            extension(0, j) *= nodes[i] / (nodes[i] - nodes[j]);
        if (j <= p)
          extension(j, j) = 1;
      }
    elements->mass().mmult(product, extension);
    wall_mass.reinit(n, n);
    extension.Tmmult(wall_mass, product);
    for (unsigned int i = 0; i <= p; ++i)
      for (unsigned int j = 0; j <= p; ++j)
        wall_mass(i, j) -= elements->mass()(i, j);
    const unsigned int n_owned = mesh.n_owned_nodes();
    const bool is_too_small    = ((has_left && parameters.left.is("wall")) ||
                               (has_right && parameters.right.is("wall"))) &&
                              n_owned < n;
    if (sum(is_too_small ? 1u : 0u, communicator) > 0)
      throw EntryError("model/bar/mass matrix",
                       "needs a finer mesh, or fewer ranks, to redistribute "
                       "the masses");
  }



  template <typename Action>
  void
  Bar::for_redistributed_entries(const Action &action) const
  {
    const unsigned int n = wall_mass.m(), last = mesh.n_owned_nodes() - 1;
    if (n == 0)
      return;
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = 0; j < n; ++j)
        {
          if (has_left && parameters.left.is("wall"))
            action(i, j, wall_mass(i, j));
          if (has_right && parameters.right.is("wall"))
            action(last - i, last - j, wall_mass(i, j));
        }
  }



  void
  Bar::add_contacts()
  {
    const bool two_walls =
      parameters.left.is("wall") && parameters.right.is("wall");
    if (has_left && parameters.left.is("wall"))
      contact_set.add({parameters.left.restitution, 0, 0},
                      {{0, 1.}},
                      parameters.left.gap);
    if (has_right && parameters.right.is("wall"))
      contact_set.add({parameters.right.restitution, 0, two_walls ? 1u : 0u},
                      {{mesh.n_owned_nodes() - 1, -1.}},
                      parameters.right.gap);
    contact_set.complete();
  }



  void
  Bar::zero_clamped(Vector &x) const
  {
    if (has_left && parameters.left.is("clamped"))
      x.local_element(0) = 0;
    if (has_right && parameters.right.is("clamped"))
      x.local_element(mesh.n_owned_nodes() - 1) = 0;
  }



  State
  Bar::initial_state() const
  {
    State state;
    state.q.reinit(mesh.partition());
    state.v.reinit(mesh.partition());
    for (unsigned int i = 0; i < mesh.n_owned_nodes(); ++i)
      {
        state.q.local_element(i) = parameters.displacement(mesh.nodes()[i]);
        state.v.local_element(i) = parameters.velocity(mesh.nodes()[i]);
      }
    zero_clamped(state.q);
    zero_clamped(state.v);
    return state;
  }



  std::unique_ptr<SparseMatrix>
  Bar::assemble(const double m, const double c, const double k) const
  {
    const double       mass_factor      = m + c * parameters.mass_damping;
    const double       stiffness_factor = k + c * parameters.stiffness_damping;
    const unsigned int p                = parameters.degree;
    const auto [first_node, end_node]   = mesh.partition()->local_range();
    SparseMatrix::Rows rows;
    rows.start.reserve(end_node - first_node + 1);
    rows.columns.reserve((end_node - first_node) * (p + 2));
    rows.values.reserve((end_node - first_node) * (p + 2));
    for (unsigned int node = first_node; node < end_node; ++node)
      {
        // The elements that hold the node, and the nodes of these.
        const unsigned int last_element = parameters.n_elements - 1;
        const unsigned int left         = node == 0 ? 0 : (node - 1) / p;
        const unsigned int right        = std::min(node / p, last_element);
        const std::size_t  begin        = rows.values.size();
        for (unsigned int j = left * p; j <= (right + 1) * p; ++j)
          rows.columns.push_back(static_cast<PetscInt>(j));
        rows.values.resize(rows.columns.size());
        for (unsigned int e = left; e <= right; ++e)
          for (unsigned int j = 0; j <= p; ++j)
            rows.values[begin + (e - left) * p + j] +=
              mass_factor * elements->mass()(node - e * p, j) +
              stiffness_factor * elements->stiffness()(node - e * p, j);
        rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
      }
    for_redistributed_entries(
      [&, first = first_node](const auto i, const auto j, const double added) {
        for (PetscInt entry = rows.start[i]; entry < rows.start[i + 1]; ++entry)
          if (rows.columns[entry] == static_cast<PetscInt>(first + j))
            rows.values[entry] += mass_factor * added;
      });
    decouple_clamped(rows);
    return std::make_unique<SparseMatrix>(mesh.partition(), std::move(rows));
  }



  void
  Bar::decouple_clamped(SparseMatrix::Rows &rows) const
  {
    const auto     first = mesh.partition()->local_range().first;
    const PetscInt last  = static_cast<PetscInt>(mesh.partition()->size()) - 1;
    const auto     is_clamped = [&](const PetscInt node) {
      return (node == 0 && parameters.left.is("clamped")) ||
             (node == last && parameters.right.is("clamped"));
    };
    if (!parameters.left.is("clamped") && !parameters.right.is("clamped"))
      return;
    for (std::size_t row = 0; row + 1 < rows.start.size(); ++row)
      for (PetscInt k = rows.start[row]; k < rows.start[row + 1]; ++k)
        {
          const auto node = static_cast<PetscInt>(first + row);
          if (rows.columns[k] != node &&
              (is_clamped(node) || is_clamped(rows.columns[k])))
            rows.values[k] = 0;
        }
  }



  template <typename Operation>
  void
  Bar::apply(const Vector &x, Vector &y, const Operation &operation) const
  {
    const auto [left, right] = mesh.touching_elements();
    if (mesh.partition()->n_mpi_processes() == 1)
      operation(right - left, x.begin(), y.begin());
    else
      {
        const double *const ghosted = mesh.ghosted(x, ghosted_values);
        result_values.resize((right - left) * parameters.degree + 1);
        if (left < right)
          operation(right - left, ghosted, result_values.data());
        std::copy_n(result_values.begin() + mesh.n_left_ghosts(),
                    mesh.n_owned_nodes(),
                    y.begin());
      }
  }



  void
  Bar::apply_mass_without_clamps(const Vector &x, Vector &y) const
  {
    apply(x, y, [this](const unsigned int n, const double *in, double *out) {
      elements->apply_mass(n, in, out);
    });
    for_redistributed_entries([&](const auto i, const auto j, const double m) {
      y.local_element(i) += m * x.local_element(j);
    });
  }



  void
  Bar::multiply_by_mass(const Vector &x, Vector &y) const
  {
    apply_mass_without_clamps(x, y);
    zero_clamped(y);
  }



  void
  Bar::multiply_by_stiffness(const Vector &x, Vector &y) const
  {
    apply(x, y, [this](const unsigned int n, const double *in, double *out) {
      elements->apply_stiffness(n, in, out);
    });
    zero_clamped(y);
  }



  void
  Bar::internal_forces(const Vector &q, const Vector &v, Vector &f) const
  {
    if (parameters.stiffness_damping == 0)
      multiply_by_stiffness(q, f);
    else
      {
        work = q;
        work.add(parameters.stiffness_damping, v);
        multiply_by_stiffness(work, f);
      }
    if (parameters.mass_damping != 0)
      {
        multiply_by_mass(v, work);
        f.add(parameters.mass_damping, work);
      }
  }



  void
  Bar::damping_forces(const Vector &v, Vector &f) const
  {
    multiply_by_stiffness(v, f);
    f *= parameters.stiffness_damping;
    multiply_by_mass(v, work);
    f.add(parameters.mass_damping, work);
  }



  double
  Bar::local_mass_norm(const Vector &x) const
  {
    const auto [first, end] = mesh.elements();
    const double *const values =
      mesh.ghosted(x, ghosted_values) + mesh.n_left_ghosts();
    double norm = first < end ? elements->mass_norm(end - first, values) : 0;
    for_redistributed_entries([&](const auto i, const auto j, const double m) {
      norm += m * x.local_element(i) * x.local_element(j);
    });
    return norm;
  }



  double
  Bar::local_stiffness_norm(const Vector &x) const
  {
    const auto [first, end] = mesh.elements();
    const double *const values =
      mesh.ghosted(x, ghosted_values) + mesh.n_left_ghosts();
    return first < end ? elements->stiffness_norm(end - first, values) : 0;
  }



  double
  Bar::mass_norm(const Vector &x) const
  {
    return sum(local_mass_norm(x), communicator);
  }



  double
  Bar::stiffness_norm(const Vector &x) const
  {
    return sum(local_stiffness_norm(x), communicator);
  }



  Energy
  Bar::energy(const State &state) const
  {
    double parts[3] = {0.5 * local_mass_norm(state.v),
                       0.5 * local_stiffness_norm(state.q),
                       0};
    if (parameters.gravity != 0)
      parts[2] = -std::inner_product(state.q.begin(),
                                     state.q.end(),
                                     gravity_load.begin(),
                                     0.);
    if (mesh.partition()->n_mpi_processes() > 1)
      MPI_Allreduce(MPI_IN_PLACE, parts, 3, MPI_DOUBLE, MPI_SUM, communicator);
    return {parts[0], parts[1], parts[2]};
  }



  void
  Bar::add_driving_load(const double time, const double factor, Vector &f) const
  {
    if (has_left && parameters.left.is("force"))
      f.local_element(0) += factor * parameters.left.force(time);
    if (has_right && parameters.right.is("force"))
      f.local_element(mesh.n_owned_nodes() - 1) +=
        factor * parameters.right.force(time);
  }



  double
  Bar::mean_velocity(const State &state) const
  {
    return (row_sums * state.v) /
           (parameters.density * parameters.area * parameters.length);
  }



  const Registration<MechanicalModel, Bar>
    registration("bar",
                 "elastic bar of 1-D finite elements, free, clamped, loaded or "
                 "facing a rigid wall at its ends");
} // namespace Percuss
