// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/linear_algebra/conjugate_gradients.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <utility>

#include "solid.h"

// Positions, velocities and what schemes remember, moved to another mesh.

namespace Percuss
{
  namespace
  {
    /// Solves with the mass of a model.
    class Projection
    {
    public:
      explicit Projection(const MechanicalModel &model)
        : M(model.assemble(1, 0, 0))
        , solver(*M, {"jacobi", 1e-14, 1000})
      {}

      /// x = M^{-1} b, from a guess.
      void
      improve(const Vector &b, Vector &x) const
      {
        if (!solver.improve(b, x).converged)
          throw Error(ExitCode::solver,
                      "The motion on the new mesh could not be computed.");
      }

    private:
      const std::unique_ptr<SparseMatrix> M;
      const ConjugateGradients            solver;
    };

    /// From the momentum p of a whole body that of its supports, whose velocity
    /// l' is given: M_ff v = p_f - M_fd l'.
    template <int dim>
    void
    subtract_supports(const MechanicalModel    &model,
                      const SolidSupports<dim> &supports,
                      const double              time,
                      Vector                   &p)
    {
      Vector rate(p), of_supports(p);
      rate = 0.;
      supports.add_velocity(time, rate);
      model.multiply_by_mass(rate, of_supports);
      p -= of_supports;
    }
  } // namespace



  /// Positions and velocities are those of the whole body, with what supports
  /// move: another mesh has other nodes there. What schemes remember is zero at
  /// supports. A load is the mass times a field: joined cells keep its work
  /// with all that they can do.
  template <int dim>
  MovingFields
  Solid<dim>::fields_of(const State &state) const
  {
    std::unique_ptr<Projection> projection;
    MovingFields result{{displacement(state.time, state.q)}, {velocity(state)}};
    for (const State::Memory &item : state.memory)
      switch (item.kind)
        {
          case State::Kind::field:
            result.in_mean.push_back(item.values);
            break;
          case State::Kind::load:
            if (!projection)
              projection = std::make_unique<Projection>(*this);
            result.in_mean.emplace_back(owned);
            projection->improve(item.values, result.in_mean.back());
            break;
          case State::Kind::contact:
            for (const Vector &field : tractions_of(state, item.values))
              result.at_nodes.push_back(field);
        }
    return result;
  }



  template <int dim>
  void
  Solid<dim>::set_fields(MovingFields &fields, State &state) const
  {
    state.q.swap(fields.at_nodes.front());
    state.v.swap(fields.in_mean.front());
    zero_fixed(state.q);
    auto next = fields.in_mean.begin() + 1;
    auto side = fields.at_nodes.begin() + 1;
    for (State::Memory &item : state.memory)
      if (item.kind == State::Kind::contact)
        {
          item.values.reinit(contact_set.partition());
          set_contacts(state, &*side, item.values);
          side += parameters.contacts.size();
        }
      else
        {
          item.values.reinit(owned);
          if (item.kind == State::Kind::load)
            multiply_by_mass(*next, item.values);
          else
            item.values.swap(*next);
          ++next;
        }
  }



  template <int dim>
  std::vector<Vector>
  Solid<dim>::tractions_of(const State &state, const Vector &of_contacts) const
  {
    std::vector<Vector> result(obstacles.size(), Vector(owned));
    if (sides)
      contact_set.place(state.time, state.q);
    for (unsigned int c = 0; c < obstacles.size(); ++c)
      set_obstacles(c, state.time, state.q);
    for (unsigned int i = 0; i < contact_nodes.size(); ++i)
      {
        const Traction t      = traction(i, state, of_contacts.begin());
        const auto     vector = t.pressure * t.normal + t.friction;
        for (unsigned int d = 0; d < dim; ++d)
          result[contact_nodes[i].contact].local_element(
            dim * contact_nodes[i].node + d) = vector[d];
      }
    return result;
  }



  template <int dim>
  void
  Solid<dim>::set_contacts(const State        &state,
                           const Vector *const tractions_of_contacts,
                           Vector             &of_contacts) const
  {
    if (sides)
      contact_set.place(state.time, state.q);
    for (unsigned int c = 0; c < obstacles.size(); ++c)
      set_obstacles(c, state.time, state.q);
    for (unsigned int i = 0; i < contact_nodes.size(); ++i)
      {
        const ContactNode     &node  = contact_nodes[i];
        const ContactPoint    &point = contact_set.points()[i];
        const auto             frame = frame_of(node, state.q);
        dealii::Tensor<1, dim> vector;
        for (unsigned int d = 0; d < dim; ++d)
          vector[d] = tractions_of_contacts[node.contact].local_element(
            dim * node.node + d);
        for (unsigned int k = 0; k < point.n_directions && !node.is_open; ++k)
          of_contacts.local_element(point.first + k) =
            node.area * (vector * frame[k]);
      }
  }



  template <int dim>
  CellFields<dim>
  Solid<dim>::cell_fields() const
  {
    return {mesh, numbering, hanging, owned, relevant};
  }



  template <int dim>
  void
  Solid<dim>::take_motion(const std::vector<CellMotion> &motions,
                          const MovingFields            &before,
                          State                         &state) const
  {
    const bool is_joined =
      std::any_of(motions.begin(), motions.end(), [](const CellMotion &motion) {
        return !motion.momenta.empty();
      });
    std::unique_ptr<Projection> projection;
    if (dealii::Utilities::MPI::max(is_joined ? 1 : 0, communicator) == 1)
      projection = std::make_unique<Projection>(*this);
    const CellFields<dim> cells_and_vectors = cell_fields();
    CellMass<dim>         mass_of_cell(mapping,
                               element,
                               parameters.mass_matrix == "lumped");
    const auto            density = [this](const auto &cell) {
      return materials[mesh.material_of(cell)].density;
    };
    MovingFields fields;
    for (std::size_t i = 0; i < before.at_nodes.size(); ++i)
      fields.at_nodes.push_back(
        cells_and_vectors.collect(motions, &CellMotion::at_nodes, i));
    for (std::size_t i = 0; i < before.in_mean.size(); ++i)
      {
        Vector x = cells_and_vectors.collect(motions, &CellMotion::in_mean, i);
        zero_fixed(x);
        if (projection)
          {
            Vector momentum =
              cells_and_vectors.momentum(motions, i, mass_of_cell, density);
            if (i == 0 && moving_supports)
              subtract_supports(*this, *moving_supports, state.time, momentum);
            zero_fixed(momentum);
            projection->improve(momentum, x);
            zero_fixed(x);
          }
        fields.in_mean.push_back(x);
      }
    set_fields(fields, state);
  }

  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
