// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/steppers/jointed_alpha.h>

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/lapack_full_matrix.h>
#include <deal.II/lac/vector.h>

namespace Percuss
{
  /// Adds factor times a block, or its transpose.
  void
  add_block(dealii::FullMatrix<double>       &matrix,
            unsigned int                      row,
            unsigned int                      column,
            double                            factor,
            const dealii::FullMatrix<double> &block,
            bool                              transpose = false);



  /// A factorised matrix; a rank without unknowns has nothing to do.
  class DenseSolver
  {
  public:
    void
    factorize(const dealii::FullMatrix<double> &matrix)
    {
      n = matrix.m();
      if (n == 0)
        return;
      lu.reinit(n);
      lu = matrix;
      lu.compute_lu_factorization();
    }

    void
    solve(dealii::Vector<double> &x) const
    {
      if (n > 0)
        lu.solve(x);
    }

  private:
    unsigned int                     n = 0;
    dealii::LAPACKFullMatrix<double> lu;
  };

  /// What both schemes share: dense matrices, the joints linearised, and the
  /// start.
  class JointedMotion : public CorrectedMotion
  {
  public:
    using Matrix = dealii::FullMatrix<double>;
    using Column = dealii::Vector<double>;

    JointedMotion(const AlphaCoefficients    &coefficients,
                  const TimeStepper::Context &context);

    void
    set_step_size(const double h) override
    {
      smooth.set_step_size(h);
    }

    void
    start(State &state) const override;

    bool
    linearize(const State &end) const override;

    EnergyPromise
    promise() const override
    {
      return smooth.promise();
    }

    std::string
    solver_description() const override
    {
      return "LAPACK, dense";
    }

  protected:
    /// matrix = [H, -G^T; G, 0].
    Matrix
    saddle(const Matrix &H, const Matrix &joints) const;

    /// Dead loads and drive at @p time - K q - C v.
    Column
    force(double time, const Vector &q, const Vector &v) const;

    /// Sets the explicit parts of a step: q_star, v_star and
    /// alpha_f (f + r)_k - alpha_m M a_k.
    void
    begin_step(const State &begin) const;

    /// y = G^T x for multipliers that begin at @p offset of @p x.
    void
    add_joint_force(const Matrix &joints,
                    const Column &x,
                    unsigned int  offset,
                    double        factor,
                    Vector       &y) const;

    const MechanicalModel      &model;
    const BilateralConstraints &joints;
    AlphaStep                   smooth;
    const unsigned int          n, n_joints; ///< on this rank
    const Matrix                M, C, K;
    DenseSolver                 mass;
    mutable Vector              f, q_lin, v_lin;
    mutable Matrix              G;
    mutable Column              q_star, v_star, old_forces, A_begin;
    Vector                      zero;
  };
} // namespace Percuss
