// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "jointed_motion.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace Percuss
{
  namespace
  {
    dealii::FullMatrix<double>
    dense(const SparseMatrix &sparse)
    {
      const auto        &rows = sparse.rows();
      const unsigned int n = static_cast<unsigned int>(rows.start.size()) - 1;
      dealii::FullMatrix<double> matrix(n, n);
      for (unsigned int i = 0; i < n; ++i)
        for (PetscInt k = rows.start[i]; k < rows.start[i + 1]; ++k)
          matrix(i, rows.columns[k]) += rows.values[k];
      return matrix;
    }
  } // namespace



  void
  add_block(dealii::FullMatrix<double>       &matrix,
            const unsigned int                row,
            const unsigned int                column,
            const double                      factor,
            const dealii::FullMatrix<double> &block,
            const bool                        transpose)
  {
    for (unsigned int i = 0; i < block.m(); ++i)
      for (unsigned int j = 0; j < block.n(); ++j)
        matrix(row + (transpose ? j : i), column + (transpose ? i : j)) +=
          factor * block(i, j);
  }

  JointedMotion::JointedMotion(const AlphaCoefficients    &coefficients,
                               const TimeStepper::Context &context)
    : model(context.model)
    , joints(*context.model.constraints())
    , smooth(coefficients, context)
    , n(model.partition()->locally_owned_size())
    , n_joints(joints.size())
    , M(dense(*model.assemble(1, 0, 0)))
    , C(dense(*model.assemble(0, 1, 0)))
    , K(dense(*model.assemble(0, 0, 1)))
  {
    mass.factorize(M);
    for (Vector *vector : {&f, &q_lin, &v_lin, &zero})
      vector->reinit(model.partition());
  }



  JointedMotion::Matrix
  JointedMotion::saddle(const Matrix &H, const Matrix &rows) const
  {
    Matrix matrix(n + n_joints, n + n_joints);
    add_block(matrix, 0, 0, 1, H);
    add_block(matrix, 0, n, -1, rows, true);
    add_block(matrix, n, 0, 1, rows);
    return matrix;
  }



  JointedMotion::Column
  JointedMotion::force(const double  time,
                       const Vector &q,
                       const Vector &v) const
  {
    model.internal_forces(q, v, f);
    f.sadd(-1, 1, model.dead_load());
    model.add_driving_load(time, 1, f);
    Column result(n);
    std::copy(f.begin(), f.end(), result.begin());
    return result;
  }



  void
  JointedMotion::add_joint_force(const Matrix      &rows,
                                 const Column      &x,
                                 const unsigned int offset,
                                 const double       factor,
                                 Vector            &y) const
  {
    for (unsigned int j = 0; j < n_joints; ++j)
      for (unsigned int i = 0; i < n; ++i)
        y.local_element(i) += factor * rows(j, i) * x(offset + j);
  }



  /// M a = f + G^T lambda, G a + (d/dt G) v = 0.
  void
  JointedMotion::start(State &state) const
  {
    const Matrix rows = joints.dense_jacobian(state.q);
    DenseSolver  solver;
    solver.factorize(saddle(M, rows));
    Column       x(n + n_joints);
    const Column f_start   = force(state.time, state.q, state.v);
    const auto   curvature = joints.curvature(state.q, state.v);
    for (unsigned int i = 0; i < n; ++i)
      x(i) = f_start(i);
    for (unsigned int j = 0; j < n_joints; ++j)
      x(n + j) = -curvature[j];
    solver.solve(x);
    Vector a(model.partition()), r(model.partition());
    std::copy_n(x.begin(), n, a.begin());
    add_joint_force(rows, x, n, 1, r);
    state.memory.push_back({"acceleration", a});
    state.memory.push_back(
      {"position impulse", Vector(model.partition()), State::Kind::load});
    state.memory.push_back(
      {"joint impulse", Vector(model.partition()), State::Kind::load});
    state.memory.push_back({"joint force", r, State::Kind::load});
  }



  bool
  JointedMotion::linearize(const State &end) const
  {
    double change = 0, scale = 0;
    for (unsigned int i = 0; i < n; ++i)
      {
        const double q = end.q.local_element(i), v = end.v.local_element(i);
        const double h = smooth.step_size();
        change         = std::max({change,
                                   std::abs(q - q_lin.local_element(i)),
                                   h * std::abs(v - v_lin.local_element(i))});
        scale          = std::max({scale, std::abs(q), h * std::abs(v)});
      }
    q_lin = end.q;
    v_lin = end.v;
    G     = joints.dense_jacobian(q_lin);
    const bool is_good =
      change <= 64 * std::numeric_limits<double>::epsilon() * scale;
    return dealii::Utilities::MPI::min(is_good ? 1u : 0u, model.communicator) ==
           1;
  }



  void
  JointedMotion::begin_step(const State &begin) const
  {
    const double h = smooth.step_size(), gamma = smooth.gamma;
    q_star.reinit(n);
    v_star.reinit(n);
    A_begin         = force(begin.time, begin.q, begin.v);
    const Vector &r = begin.recall("joint force");
    for (unsigned int i = 0; i < n; ++i)
      {
        const double a = AlphaStep::acceleration(begin).local_element(i);
        const double v = begin.v.local_element(i);
        q_star(i) =
          begin.q.local_element(i) + h * v + h * h * (0.5 - smooth.beta) * a;
        v_star(i) = v + h * (1 - gamma) * a;
        A_begin(i) += r.local_element(i);
      }
    old_forces.reinit(n);
    for (unsigned int i = 0; i < n; ++i)
      old_forces(i) = smooth.alpha_f * A_begin(i);
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = 0; j < n; ++j)
        old_forces(i) -= smooth.alpha_m * M(i, j) *
                         AlphaStep::acceleration(begin).local_element(j);
    mass.solve(A_begin);
  }
} // namespace Percuss
