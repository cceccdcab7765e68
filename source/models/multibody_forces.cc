// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <algorithm>
#include <utility>

#include "multibody.h"

namespace Percuss
{
  namespace
  {
    constexpr unsigned int n_coordinates = Frame::n_coordinates;
  }



  const double *
  Multibody::ghosted(const Vector &q, Vector &storage) const
  {
    if (owned->n_mpi_processes() == 1)
      return q.begin();
    storage.zero_out_ghost_values();
    std::copy(q.begin(), q.end(), storage.begin());
    storage.update_ghost_values();
    return storage.begin();
  }



  BeamElement::Coordinates
  Multibody::coordinates(const Element &element, const double *q) const
  {
    BeamElement::Coordinates result = {};
    for (unsigned int a = 0; a < element.beam.n_nodes(); ++a)
      result[a] =
        q + static_cast<std::size_t>(n_coordinates) * element.frames[a];
    return result;
  }



  void
  Multibody::add_to(const Element &element,
                    const double  *f,
                    Vector        &result) const
  {
    for (unsigned int a = 0; a < element.beam.n_nodes(); ++a)
      if (element.frames[a] < neighbours.size())
        for (unsigned int i = 0; i < n_coordinates; ++i)
          result.local_element(n_coordinates * element.frames[a] + i) +=
            f[n_coordinates * a + i];
  }



  void
  Multibody::add_to(const Element &element,
                    const double  *H,
                    SparseMatrix  &matrix) const
  {
    const auto        &start_of_row = matrix.rows().start;
    double *const      values       = matrix.values();
    const unsigned int n            = n_coordinates * element.beam.n_nodes();
    for (unsigned int a = 0; a < element.beam.n_nodes(); ++a)
      {
        if (element.frames[a] >= neighbours.size())
          continue;
        for (unsigned int i = 0; i < n_coordinates; ++i)
          {
            const unsigned int  row  = n_coordinates * element.frames[a] + i;
            const double *const from = H + (n_coordinates * a + i) * n;
            for (unsigned int b = 0; b < element.beam.n_nodes(); ++b)
              {
                double *const target = values + start_of_row[row] +
                                       n_coordinates * element.blocks[a][b];
                for (unsigned int j = 0; j < n_coordinates; ++j)
                  target[j] += from[n_coordinates * b + j];
              }
          }
      }
  }



  void
  Multibody::add_beam_forces(const Vector &q,
                             const double  factor,
                             Vector       &f) const
  {
    const double *const values = ghosted(q, ghosts);
    for (const Element &element : elements)
      {
        element_values.assign(n_coordinates * element.beam.n_nodes(), 0.);
        element.beam.add_gradient(coordinates(element, values),
                                  -factor,
                                  element_values.data());
        add_to(element, element_values.data(), f);
      }
  }



  void
  Multibody::add_conserving_force(const Vector &q_begin,
                                  const Vector &q_end,
                                  const double  factor,
                                  Vector       &f) const
  {
    const double *const q0 = ghosted(q_begin, ghosts);
    const double *const q1 = ghosted(q_end, other_ghosts);
    for (const Element &element : elements)
      {
        element_values.assign(n_coordinates * element.beam.n_nodes(), 0.);
        element.beam.add_discrete_gradient(coordinates(element, q0),
                                           coordinates(element, q1),
                                           -factor,
                                           element_values.data());
        add_to(element, element_values.data(), f);
      }
    f.add(factor, gravity_load);
  }



  void
  Multibody::add_conserving_derivative(const Vector &q_begin,
                                       const Vector &q_end,
                                       const double  factor,
                                       SparseMatrix &matrix) const
  {
    const double *const q0 = ghosted(q_begin, ghosts);
    const double *const q1 = ghosted(q_end, other_ghosts);
    for (const Element &element : elements)
      {
        const unsigned int n = n_coordinates * element.beam.n_nodes();
        element_values.assign(static_cast<std::size_t>(n) * n, 0.);
        element.beam.add_discrete_hessian(coordinates(element, q0),
                                          coordinates(element, q1),
                                          -factor,
                                          element_values.data());
        add_to(element, element_values.data(), matrix);
      }
  }



  /// A force acts on the origin; a moment m on the directors, with m x d_i / 2
  /// each, so that the sum of d_i x f_i is m.
  void
  Multibody::add_loads(const double  time,
                       const Vector &q,
                       const double  factor,
                       Vector       &f) const
  {
    feedback_loops.add_forces(past, time, factor, f);
    for (const FrameLoad &item : loads)
      {
        const std::size_t first  = n_coordinates * item.frame;
        const Frame       frame  = Frame::read(q.begin() + first);
        Vector3           force  = item.load->force(time);
        Vector3           moment = item.load->moment(time);
        if (item.load->follows)
          {
            force  = frame.direction(force);
            moment = frame.direction(moment);
          }
        for (unsigned int c = 0; c < 3; ++c)
          {
            f.local_element(first + c) += factor * force[c];
            for (unsigned int i = 0; i < 3; ++i)
              f.local_element(first + 3 + 3 * i + c) +=
                factor * 0.5 * cross(moment, frame.d[i])[c];
          }
      }
  }



  void
  Multibody::add_load_derivative(const double  time,
                                 const Vector &q,
                                 const double  factor,
                                 SparseMatrix &matrix) const
  {
    for (const FrameLoad &item : loads)
      {
        const Frame frame = Frame::read(q.begin() + n_coordinates * item.frame);
        const Vector3 force = item.load->force(time);
        const Vector3 given = item.load->moment(time);
        const Vector3 moment =
          item.load->follows ? frame.direction(given) : given;
        const auto add = [&](const unsigned int row_vector,
                             const unsigned int column_vector,
                             const Matrix3     &values) {
          for (unsigned int c = 0; c < 3; ++c)
            for (unsigned int d = 0; d < 3; ++d)
              matrix
                .values()[matrix.rows().start[n_coordinates * item.frame +
                                              3 * row_vector + c] +
                          n_coordinates * item.block + 3 * column_vector + d] +=
                factor * values[c][d];
        };
        const Matrix3 identity = dealii::unit_symmetric_tensor<3>();
        for (unsigned int i = 0; i < 3; ++i)
          {
            add(1 + i, 1 + i, 0.5 * hat(moment));
            if (!item.load->follows)
              continue;
            add(0, 1 + i, force[i] * identity);
            for (unsigned int j = 0; j < 3; ++j)
              add(1 + j, 1 + i, -0.5 * given[i] * hat(frame.d[j]));
          }
      }
  }



  void
  Multibody::evaluate(const Term           term,
                      const Configuration &at,
                      Vector              &result) const
  {
    switch (term)
      {
        case Term::momentum:
          mass->multiply(at.v, result);
          break;
        case Term::gradient:
        case Term::force:
          result = gravity_load;
          add_beam_forces(at.q, 1, result);
          add_loads(at.time, at.q, 1, result);
          break;
        case Term::load:
          result = 0.;
          add_loads(at.time, at.q, 1, result);
          break;
        case Term::damping:
          result = 0.;
      }
  }



  void
  Multibody::add_derivative(const Term           term,
                            const Argument       argument,
                            const Configuration &at,
                            const double         factor,
                            SparseMatrix        &matrix) const
  {
    if (term == Term::momentum && argument == Argument::velocity)
      {
        double *const values = matrix.values();
        for (std::size_t i = 0; i < mass_places.size(); ++i)
          values[mass_places[i]] += factor * mass->rows().values[i];
      }
    if (argument != Argument::position || term == Term::momentum ||
        term == Term::damping)
      return;
    add_load_derivative(at.time, at.q, factor, matrix);
    if (term == Term::load)
      return;
    const double *const q = ghosted(at.q, ghosts);
    for (const Element &element : elements)
      {
        const unsigned int n = n_coordinates * element.beam.n_nodes();
        element_values.assign(static_cast<std::size_t>(n) * n, 0.);
        element.beam.add_hessian(coordinates(element, q),
                                 -factor,
                                 element_values.data());
        add_to(element, element_values.data(), matrix);
      }
  }



  std::unique_ptr<SparseMatrix>
  Multibody::assemble(const double m, const double, const double k) const
  {
    if (k == 0)
      {
        SparseMatrix::Rows rows = mass->rows();
        for (double &value : rows.values)
          value *= m;
        return std::make_unique<SparseMatrix>(owned, std::move(rows));
      }
    auto                matrix = make_tangent();
    const Configuration at     = {0, start.q, start.v};
    add_derivative(Term::momentum, Argument::velocity, at, m, *matrix);
    add_derivative(Term::force, Argument::position, at, -k, *matrix);
    return matrix;
  }



  void
  Multibody::internal_forces(const Vector &q, const Vector &, Vector &f) const
  {
    f = 0.;
    add_beam_forces(q, -1, f);
  }



  void
  Multibody::multiply_by_mass(const Vector &x, Vector &y) const
  {
    mass->multiply(x, y);
  }



  double
  Multibody::mass_norm(const Vector &x) const
  {
    mass->multiply(x, work);
    return work * x;
  }



  double
  Multibody::stiffness_norm(const Vector &x) const
  {
    assemble(0, 0, 1)->multiply(x, work);
    return work * x;
  }



  void
  Multibody::add_driving_load(const double time,
                              const double factor,
                              Vector      &f) const
  {
    add_loads(time, start.q, factor, f);
  }



  Energy
  Multibody::energy(const State &state) const
  {
    mass->multiply(state.v, work);
    double              parts[3] = {0.5 * local_product(state.v, work),
                                    0,
                                    -local_product(state.q, gravity_load)};
    const double *const q        = ghosted(state.q, ghosts);
    for (const Element &element : elements)
      if (element.is_mine)
        parts[1] += element.beam.energy(coordinates(element, q));
    if (owned->n_mpi_processes() > 1)
      MPI_Allreduce(MPI_IN_PLACE, parts, 3, MPI_DOUBLE, MPI_SUM, communicator);
    return {parts[0], parts[1], parts[2]};
  }
} // namespace Percuss
