// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_set.h>
#include <percuss/linear_algebra/linear_solver.h>
#include <percuss/linear_algebra/sparse_matrix.h>

#include <vector>

namespace Percuss
{
  /// A second system that impulses move beside a first one, with a symmetric
  /// positive definite matrix B = b N, b a number, and velocities of its own,
  /// see GlobalForm.
  class SecondSystem
  {
  public:
    virtual ~SecondSystem() = default;

    virtual double
    b() const = 0;

    /// @p y = N x. Collective, as all that follows.
    virtual void
    multiply(const Vector &x, Vector &y) const = 0;

    /// @p z = P r with a symmetric positive definite P near N^-1.
    virtual void
    precondition(const Vector &r, Vector &z) const = 0;

    /// Solves B x = b from a guess in @p x.
    virtual LinearReport
    improve(const Vector &b, Vector &x) const = 0;

    /// Of B, this rank's part.
    virtual std::vector<double>
    diagonal() const = 0;

    /// u: a guess before the impulses are found, and what belongs to them
    /// afterwards.
    virtual Vector &
    motion() const = 0;
  };



  /// The system behind a Delassus operator: impulses lambda change velocities
  /// by w,
  /// @f[ A\,w = D^T\lambda, \qquad \xi = D\,w + b, @f]
  /// with symmetric positive definite A and the directions D of the contacts;
  /// or in two ways at once, whose velocities add up,
  /// @f[ w = y + u, \qquad A\,y = D^T\lambda, \qquad B\,u = D^T\lambda. @f]
  /// Methods that work on it need no W.
  struct GlobalForm
  {
    const SparseMatrix &A;
    const LinearSolver &inverse; ///< of A
    const ContactSet   &contacts;
    const SecondSystem *second = nullptr; ///< B, where there is one
  };
} // namespace Percuss
