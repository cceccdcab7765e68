// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/parameter_section.h>
#include <percuss/linear_algebra/changing_solver.h>
#include <percuss/linear_algebra/lu_solver.h>
#include <percuss/linear_algebra/sparse_products.h>
#include <percuss/mechanics/mechanical_model.h>

#include <string>
#include <vector>

namespace Percuss
{
  /// How the joints of a model are treated in the equations of a step,
  /// @f[ S\,x = b + G_i^T\mu, \qquad G_p\,x = c, @f]
  /// where the joints act at one position (G_i, P_i) and hold at another (G_p,
  /// P_p).
  enum class JointTreatment
  {
    /// x and mu are unknown:
    /// @f[ \begin{pmatrix} S & -G_i^T \\ G_p & 0 \end{pmatrix}
    ///     \begin{pmatrix} x \\ \mu \end{pmatrix}
    ///     = \begin{pmatrix} b \\ c \end{pmatrix}. @f]
    multipliers,
    /// The null space takes the multipliers away, x stays:
    /// @f[ \begin{pmatrix} P_i^T S \\ G_p \end{pmatrix} x
    ///     = \begin{pmatrix} P_i^T b \\ c \end{pmatrix}. @f]
    projection,
    /// Independent velocities nu are unknown, with positions that always obey
    /// the joints, c = 0: @f[ P_i^T S P_p\,\nu = P_i^T b, \qquad x = P_p
    /// \nu.@f]
    reparametrisation
  };



  /// The entry of a parameter file that chooses.
  struct JointParameters
  {
    std::string joints = "null space with reparametrisation";

    void
    declare(ParameterSection &section);

    /// For a model that has the null space, or not.
    /// @throws EntryError where the model lacks what is chosen
    JointTreatment
    treatment(const MechanicalModel &model) const;
  };



  /// When Newton's method for positions is done. It squares the error: a change
  /// that is a small part of the way leaves nothing beyond round-off. Where
  /// round-off itself is reached, changes no longer shrink.
  class NewtonProgress
  {
  public:
    void
    restart();

    /// For a change @p x that has led to @p q_end: smaller than @p part of the
    /// way. Collective.
    bool
    is_done(const Vector &x,
            const Vector &q_begin,
            const Vector &q_end,
            double        part = 1e-9);

  private:
    double last_change = 0;
    Vector way;
  };

  /// Impulses that round-off of the positions makes in the equations of a step
  /// with the tangent @p S, in N s.
  double
  impulse_round_off(const SparseMatrix &S, const Vector &q);



  /// Solves such equations; without joints they are S x = b. The unknown y is x
  /// or nu.
  class ConstrainedSolver
  {
  public:
    /// @p make makes the linear solver of large symmetric matrices without
    /// joints; others are factorised by LU.
    ConstrainedSolver(const MechanicalModel      &model,
                      JointTreatment              treatment,
                      const ChangingSolver::Make &make = nullptr);

    /// @returns whether the matrix is regular. Collective.
    bool
    factorize(SparseMatrix &S,
              const Vector &q_impulse,
              const Vector &q_position) const;

    /// With c = 0.
    void
    solve(const Vector &b, Vector &y) const
    {
      solve(b, static_cast<const std::vector<double> *>(nullptr), y);
    }

    /// With c = -g(q): joints hold at q + x, up to what is quadratic in x.
    void
    correct(const Vector &b, const Vector &q, Vector &y) const;

    /// x itself, with c = -@p curvature, for joints at @p q; an empty list is
    /// zero.
    void
    solve(const Vector              &b,
          const std::vector<double> &curvature,
          const Vector              &q,
          Vector                    &x) const;

    /// @p x = the change of positions, or the velocity, that @p y stands for.
    void
    expand(const Vector &y, Vector &x) const;

    /// Moves @p q, the position of factorize(), by @p y.
    void
    displace(const Vector &y, Vector &q) const;

    /// Which rank owns which part of y.
    const Partition &
    unknowns() const;

    /// mu with G(q)^T mu nearest to -@p r.
    const std::vector<double> &
    fit_multipliers(const Vector &r, const Vector &q) const;

    /// The matrix that was factorised, where this rank is the only one.
    const SparseMatrix::Rows &
    factorized_rows() const
    {
      return treatment == JointTreatment::reparametrisation ? P_S_P.result() :
                                                              matrix;
    }

    /// Rows of the matrix that is factorised, on all ranks.
    unsigned int
    n_rows() const
    {
      return rows_partition->size();
    }

    std::string
    description() const;

    /// Whether the symmetric part of a matrix was factorised, so that Newton's
    /// method may converge linearly.
    bool
    has_symmetric_part() const
    {
      return is_symmetric;
    }

    /// Whether all solves since factorize() have converged.
    bool
    has_converged() const
    {
      return converged;
    }

    const JointTreatment treatment;

  private:
    /// With c = -@p g; null is zero.
    void
    solve(const Vector &b, const std::vector<double> *g, Vector &y) const;

    bool
    factorize_with_multipliers(const SparseMatrix &S) const;

    bool
    factorize_projection(const SparseMatrix &S) const;

    bool
    factorize_reduced(const SparseMatrix &S) const;

    bool
    factorize_reduced_on_ranks() const;

    /// G G^T at @p q.
    bool
    factorize_fit(const Vector &q) const;

    /// The number of a coordinate among the rows with multipliers: those of a
    /// rank come after its coordinates.
    PetscInt
    renumbered(PetscInt coordinate) const;

    const MechanicalModel            &model;
    const BilateralConstraints *const joints;
    const NullSpace *const            null_space;
    const unsigned int                n, n_joints; ///< on this rank
    Partition                         rows_partition;
    std::vector<PetscInt>      ends, shifts; ///< of the ranks' coordinates
    mutable SparseMatrix::Rows G_impulse, G_position, P_impulse, P_position;
    mutable SparseMatrix::Rows P_transposed, G_transposed, matrix;
    mutable SparseProduct      P_S, P_S_P;
    mutable LuSolver           lu;
    mutable ChangingSolver     symmetric;
    const bool                 may_be_symmetric;
    mutable bool               is_symmetric = false; ///< what was factorised
    mutable bool               converged    = true;
    /// P_i^T S, P_p and their product, on several ranks.
    mutable PetscHandle<Mat, &MatDestroy> left, right, reduced;
    mutable const SparseMatrix           *factorized = nullptr;
    mutable SparseProduct                 G_G;
    mutable LuFactorization               fit;
    mutable std::vector<double>           mu, rhs;
  };
} // namespace Percuss
