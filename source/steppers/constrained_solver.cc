// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/steppers/constrained_solver.h>

#include <deal.II/base/mpi.h>

#include <boost/serialization/utility.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace Percuss
{
  namespace
  {
    using Rows = SparseMatrix::Rows;

    /// y = A x.
    void
    multiply(const Rows &A, const double *x, double *y)
    {
      for (std::size_t i = 0; i + 1 < A.start.size(); ++i)
        {
          double sum = 0;
          for (PetscInt k = A.start[i]; k < A.start[i + 1]; ++k)
            sum += A.values[k] * x[A.columns[k]];
          y[i] = sum;
        }
    }

    void
    clear(Rows &rows)
    {
      rows.start.assign(1, 0);
      rows.columns.clear();
      rows.values.clear();
    }

    /// Appends row @p i of @p from, with other numbers of columns.
    template <typename Renumber>
    void
    append(const Rows       &from,
           const std::size_t i,
           const double      factor,
           const Renumber   &renumber,
           Rows             &to)
    {
      for (PetscInt k = from.start[i]; k < from.start[i + 1]; ++k)
        {
          to.columns.push_back(renumber(from.columns[k]));
          to.values.push_back(factor * from.values[k]);
        }
    }

    void
    end_row(Rows &rows)
    {
      rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
    }

    const std::string multipliers_name = "multipliers",
                      projection_name  = "null space",
                      reparametrisation_name =
                        "null space with reparametrisation";
  } // namespace



  void
  JointParameters::declare(ParameterSection &section)
  {
    section.add_choice(
      "joints",
      joints,
      "How joints are treated, where the model has some: with Lagrange "
      "multipliers; with the null space of the joints and all coordinates; or "
      "with it and as few unknowns as there are velocities, such that joints "
      "hold to round-off (multipliers take its place where a model does not "
      "know the null space)",
      {multipliers_name, projection_name, reparametrisation_name});
  }



  JointTreatment
  JointParameters::treatment(const MechanicalModel &model) const
  {
    const BilateralConstraints *const constraints = model.constraints();
    const bool                        has_null_space =
      constraints != nullptr && constraints->null_space() != nullptr;
    if (constraints == nullptr || joints == multipliers_name ||
        (!has_null_space && joints == reparametrisation_name))
      return JointTreatment::multipliers;
    if (!has_null_space)
      throw EntryError("scheme/type",
                       "the model does not know the null space of its joints "
                       "(do they close a loop?); choose 'joints = "
                       "multipliers'");
    return joints == projection_name ? JointTreatment::projection :
                                       JointTreatment::reparametrisation;
  }



  void
  NewtonProgress::restart()
  {
    last_change = std::numeric_limits<double>::max();
  }



  bool
  NewtonProgress::is_done(const Vector &x,
                          const Vector &q_begin,
                          const Vector &q_end,
                          const double  part)
  {
    const double round_off = 16 * std::numeric_limits<double>::epsilon();
    const double size      = q_end.linfty_norm();
    const double change    = x.linfty_norm();
    way                    = q_end;
    way -= q_begin;
    const bool result =
      change <= std::max(part * way.linfty_norm(), round_off * size) ||
      (change <= 1e-11 * size && change > last_change / 2);
    last_change = change;
    return result;
  }



  double
  impulse_round_off(const SparseMatrix &S, const Vector &q)
  {
    double stiffest = 0;
    for (const double entry : S.diagonal())
      stiffest = std::max(stiffest, std::abs(entry));
    return 64 * std::numeric_limits<double>::epsilon() *
           dealii::Utilities::MPI::max(stiffest,
                                       S.partition()->get_mpi_communicator()) *
           q.linfty_norm();
  }



  ConstrainedSolver::ConstrainedSolver(const MechanicalModel      &model,
                                       const JointTreatment        treatment,
                                       const ChangingSolver::Make &make)
    : treatment(treatment)
    , model(model)
    , joints(model.constraints())
    , null_space(joints == nullptr ? nullptr : joints->null_space())
    , n(model.partition()->locally_owned_size())
    , n_joints(joints == nullptr ? 0 : joints->size())
    , symmetric(make)
    , may_be_symmetric(make != nullptr && joints == nullptr)
  {
    if (treatment == JointTreatment::multipliers)
      {
        rows_partition = make_partition(n + n_joints, model.communicator);
        PetscInt   end = 0, shift = 0;
        const auto sizes =
          dealii::Utilities::MPI::all_gather(model.communicator,
                                             std::make_pair(n, n_joints));
        for (const auto &[n_coordinates, n_constraints] : sizes)
          {
            end += static_cast<PetscInt>(n_coordinates);
            ends.push_back(end);
            shifts.push_back(shift);
            shift += static_cast<PetscInt>(n_constraints);
          }
      }
    else if (treatment == JointTreatment::projection)
      rows_partition = model.partition();
    else
      rows_partition = null_space->partition();
    rhs.resize(rows_partition->locally_owned_size());
    mu.resize(n_joints);
  }



  const Partition &
  ConstrainedSolver::unknowns() const
  {
    return treatment == JointTreatment::reparametrisation ?
             null_space->partition() :
             model.partition();
  }



  PetscInt
  ConstrainedSolver::renumbered(const PetscInt coordinate) const
  {
    const auto rank =
      std::upper_bound(ends.begin(), ends.end(), coordinate) - ends.begin();
    return coordinate + shifts[rank];
  }



  bool
  ConstrainedSolver::factorize(SparseMatrix &S,
                               const Vector &q_impulse,
                               const Vector &q_position) const
  {
    if (joints != nullptr)
      {
        if (treatment == JointTreatment::multipliers)
          joints->jacobian(q_impulse, G_impulse);
        else
          null_space->matrix(q_impulse, P_impulse);
        if (treatment == JointTreatment::reparametrisation)
          null_space->matrix(q_position, P_position);
        else
          joints->jacobian(q_position, G_position);
      }
    factorized   = &S;
    converged    = true;
    is_symmetric = may_be_symmetric && S.has_blocks();
    if (is_symmetric)
      return symmetric.set(S);
    switch (treatment)
      {
        case JointTreatment::multipliers:
          return factorize_with_multipliers(S);
        case JointTreatment::projection:
          return factorize_projection(S);
        case JointTreatment::reparametrisation:
          return factorize_reduced(S);
      }
    return false;
  }



  bool
  ConstrainedSolver::factorize_with_multipliers(const SparseMatrix &S) const
  {
    const auto first =
      static_cast<PetscInt>(rows_partition->local_range().first);
    const auto to_multiplier = [&](const PetscInt constraint) {
      return first + static_cast<PetscInt>(n) + constraint;
    };
    const auto to_own = [&](const PetscInt coordinate) {
      return first + coordinate;
    };
    const auto to_any = [this](const PetscInt coordinate) {
      return renumbered(coordinate);
    };
    if (n_joints > 0)
      transpose(G_impulse, n, G_transposed);
    // Rows of this rank: its own columns, then multipliers, then those of
    // other ranks; ascending.
    clear(matrix);
    for (unsigned int i = 0; i < n; ++i)
      {
        const std::size_t begin = matrix.columns.size();
        append(S.rows(), i, 1, to_any, matrix);
        if (n_joints == 0)
          {
            end_row(matrix);
            continue;
          }
        const auto later =
          std::lower_bound(matrix.columns.begin() +
                             static_cast<std::ptrdiff_t>(begin),
                           matrix.columns.end(),
                           to_multiplier(0)) -
          matrix.columns.begin();
        const std::size_t middle = matrix.columns.size();
        append(G_transposed, i, -1, to_multiplier, matrix);
        std::rotate(matrix.columns.begin() + later,
                    matrix.columns.begin() +
                      static_cast<std::ptrdiff_t>(middle),
                    matrix.columns.end());
        std::rotate(matrix.values.begin() + later,
                    matrix.values.begin() + static_cast<std::ptrdiff_t>(middle),
                    matrix.values.end());
        end_row(matrix);
      }
    for (unsigned int j = 0; j < n_joints; ++j)
      {
        append(G_position, j, 1, to_own, matrix);
        end_row(matrix);
      }
    return lu.factorize(matrix, rows_partition);
  }



  bool
  ConstrainedSolver::factorize_projection(const SparseMatrix &S) const
  {
    const auto first =
      static_cast<PetscInt>(rows_partition->local_range().first);
    transpose(P_impulse,
              null_space->partition()->locally_owned_size(),
              P_transposed);
    const Rows &upper =
      P_S.compute(P_transposed, S.rows(), S.partition()->size());
    clear(matrix);
    for (std::size_t i = 0; i + 1 < upper.start.size(); ++i)
      {
        append(
          upper, i, 1, [](const PetscInt c) { return c; }, matrix);
        end_row(matrix);
      }
    for (unsigned int j = 0; j < n_joints; ++j)
      {
        append(
          G_position,
          j,
          1,
          [first](const PetscInt c) { return first + c; },
          matrix);
        end_row(matrix);
      }
    return lu.factorize(matrix, rows_partition);
  }



  bool
  ConstrainedSolver::factorize_reduced(const SparseMatrix &S) const
  {
    const unsigned int n_unknowns =
      null_space->partition()->locally_owned_size();
    transpose(P_impulse, n_unknowns, P_transposed);
    P_S.compute(P_transposed, S.rows(), S.partition()->size());
    if (rows_partition->n_mpi_processes() > 1)
      return factorize_reduced_on_ranks();
    return lu.factorize(P_S_P.compute(P_S.result(), P_position, n_unknowns),
                        rows_partition);
  }



  /// The columns of other ranks need their rows of P.
  bool
  ConstrainedSolver::factorize_reduced_on_ranks() const
  {
    const auto first =
      static_cast<PetscInt>(rows_partition->local_range().first);
    const std::pair<unsigned int, unsigned int> of_unknowns = {
      rows_partition->locally_owned_size(), rows_partition->size()};
    const std::pair<unsigned int, unsigned int> of_coordinates = {
      n, model.partition()->size()};
    const bool is_first = static_cast<Mat>(reduced) == nullptr;
    set_rows(
      P_S.result(), model.communicator, of_unknowns, of_coordinates, left);
    matrix = P_position;
    for (PetscInt &column : matrix.columns)
      column += first;
    set_rows(matrix, model.communicator, of_coordinates, of_unknowns, right);
    if (is_first)
      check_petsc(MatMatMult(
        left, right, MAT_INITIAL_MATRIX, PETSC_DEFAULT, reduced.receive()));
    else
      {
        Mat product = reduced;
        check_petsc(
          MatMatMult(left, right, MAT_REUSE_MATRIX, PETSC_DEFAULT, &product));
      }
    return lu.factorize(static_cast<Mat>(reduced));
  }



  void
  ConstrainedSolver::solve(const Vector              &b,
                           const std::vector<double> *g,
                           Vector                    &y) const
  {
    if (is_symmetric)
      {
        converged &= symmetric.solve(b, y).converged;
        return;
      }
    std::size_t first_constraint = n;
    if (treatment == JointTreatment::multipliers)
      std::copy(b.begin(), b.end(), rhs.begin());
    else
      {
        first_constraint = null_space->partition()->locally_owned_size();
        multiply(P_transposed, b.begin(), rhs.data());
      }
    if (treatment != JointTreatment::reparametrisation)
      for (unsigned int j = 0; j < n_joints; ++j)
        rhs[first_constraint + j] = g == nullptr ? 0 : -(*g)[j];
    lu.solve(rhs);
    std::copy_n(rhs.begin(), y.locally_owned_size(), y.begin());
  }



  void
  ConstrainedSolver::correct(const Vector &b, const Vector &q, Vector &y) const
  {
    if (joints == nullptr || treatment == JointTreatment::reparametrisation)
      {
        solve(b, y);
        return;
      }
    const std::vector<double> g = joints->residuals(q);
    solve(b, &g, y);
  }



  /// Independent velocities cannot have c: then x is some x_0 = G^T z with
  /// G x_0 = c, and the rest P nu with P^T S P nu = P^T (b - S x_0).
  void
  ConstrainedSolver::solve(const Vector              &b,
                           const std::vector<double> &curvature,
                           const Vector              &q,
                           Vector                    &x) const
  {
    if (treatment != JointTreatment::reparametrisation)
      {
        solve(b, curvature.empty() ? nullptr : &curvature, x);
        return;
      }
    mu = curvature;
    for (double &entry : mu)
      entry *= -1;
    if (n_joints > 0 && factorize_fit(q))
      fit.solve(mu);
    Vector special(model.partition()), rest(b), nu(unknowns());
    if (n_joints > 0)
      multiply(G_transposed, mu.data(), special.begin());
    factorized->multiply(special, x);
    rest -= x;
    solve(rest, nu);
    expand(nu, x);
    x += special;
  }



  bool
  ConstrainedSolver::factorize_fit(const Vector &q) const
  {
    joints->jacobian(q, G_impulse);
    transpose(G_impulse, n, G_transposed);
    return fit.factorize(G_G.compute(G_impulse, G_transposed, n_joints));
  }



  /// G G^T mu = -G r.
  const std::vector<double> &
  ConstrainedSolver::fit_multipliers(const Vector &r, const Vector &q) const
  {
    if (n_joints == 0)
      return mu;
    const bool is_regular = factorize_fit(q);
    multiply(G_impulse, r.begin(), mu.data());
    for (double &entry : mu)
      entry *= -1;
    if (is_regular)
      fit.solve(mu);
    else
      std::fill(mu.begin(), mu.end(), 0.);
    return mu;
  }



  void
  ConstrainedSolver::expand(const Vector &y, Vector &x) const
  {
    if (treatment == JointTreatment::reparametrisation)
      multiply(P_position, y.begin(), x.begin());
    else
      x = y;
  }



  void
  ConstrainedSolver::displace(const Vector &y, Vector &q) const
  {
    if (treatment == JointTreatment::reparametrisation)
      null_space->displace(y, q);
    else
      q += y;
  }



  std::string
  ConstrainedSolver::description() const
  {
    const std::string unknowns_text =
      " for " + std::to_string(n_rows()) + " unknowns";
    return (is_symmetric ? symmetric.description() :
                           LuSolver::description(rows_partition)) +
           unknowns_text;
  }
} // namespace Percuss
