// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/error.h>
#include <percuss/contact/motion_system.h>
#include <percuss/linear_algebra/sparse_matrix.h>

#include <vector>

namespace Percuss
{
  /// A product with W needed a linear solve that did not converge: the contact
  /// problem has no answer, and the step may be halved.
  class ResponseFailed : public Error
  {
  public:
    ResponseFailed()
      : Error(ExitCode::solver,
              "The linear solver failed to compute the response of the "
              "contacts.")
    {}
  };



  /// W of xi = W lambda + b: what the impulses of contacts do to their
  /// velocities, each rank holding the rows of its directions. It need not be
  /// symmetric.
  class DelassusOperator
  {
  public:
    virtual ~DelassusOperator() = default;

    /// Which rank owns which row.
    virtual const Partition &
    partition() const = 0;

    /// @p y = W x. Collective.
    virtual void
    multiply(const Vector &x, Vector &y) const = 0;

    /// The entry of row @p i of this rank on the diagonal, or an estimate of
    /// it: it scales residuals and steps.
    virtual double
    diagonal(unsigned int i) const = 0;

    /// Fetches the entries of @p x on other ranks that magnitude() needs.
    /// Collective.
    virtual void
    fetch(const Vector & /*x*/) const
    {}

    /// sum_j |W_ij x_j| of row @p i of this rank, for the @p x fetched last: it
    /// measures the round-off of (W x)_i. Zero where W is only applied and its
    /// terms are not known.
    virtual double
    magnitude(unsigned int /*i*/, const Vector & /*x*/) const
    {
      return 0;
    }

    /// Whether W is known to be symmetric and positive semidefinite.
    virtual bool
    is_symmetric() const = 0;

    /// The entries of W; none where it is only applied.
    virtual const SparseMatrix *
    matrix() const
    {
      return nullptr;
    }

    /// The system from which W stems, where it is known.
    virtual const MotionSystem *
    motion_system() const
    {
      return nullptr;
    }

    const GlobalForm *
    global_form() const
    {
      return motion_system() ? &motion_system()->form : nullptr;
    }

    /// The directions of the contacts have changed: whatever is not computed
    /// from them each time. Collective.
    virtual void
    follow_directions()
    {}
  };



  /// W with all its entries.
  class DelassusMatrix : public DelassusOperator
  {
  public:
    /// @p matrix outlives this object; its values may change, its pattern
    /// stays. Each row has an entry on the diagonal, or counts as having a
    /// zero there.
    explicit DelassusMatrix(const SparseMatrix &matrix,
                            bool                is_symmetric = false);

    const Partition &
    partition() const override
    {
      return W.partition();
    }

    void
    multiply(const Vector &x, Vector &y) const override
    {
      W.multiply(x, y);
    }

    double
    diagonal(const unsigned int i) const override
    {
      return positions[i] < 0 ? 0 : W.rows().values[positions[i]];
    }

    void
    fetch(const Vector &x) const override;

    double
    magnitude(unsigned int i, const Vector &x) const override;

    bool
    is_symmetric() const override
    {
      return symmetric;
    }

    const SparseMatrix *
    matrix() const override
    {
      return &W;
    }

  private:
    const SparseMatrix   &W;
    const bool            symmetric;
    std::vector<PetscInt> positions; ///< of the diagonal, or -1

    /// On several ranks, made by the first fetch(): x with the entries of
    /// other ranks, and for each entry of W where its column is there.
    mutable Vector                    fetched;
    mutable std::vector<unsigned int> columns;
  };



  /// W = D A^-1 D^T, or D (A^-1 + B^-1) D^T, applied by solves each time.
  class MatrixFreeDelassus : public DelassusOperator
  {
  public:
    explicit MatrixFreeDelassus(const GlobalForm &form);

    const Partition &
    partition() const override
    {
      return form.contacts.partition();
    }

    /// @throws ResponseFailed
    void
    multiply(const Vector &x, Vector &y) const override;

    /// With the diagonals of A and B for them: where contacts have one entry in
    /// D, a lower bound.
    double
    diagonal(const unsigned int i) const override
    {
      return estimates[i];
    }

    bool
    is_symmetric() const override
    {
      return true;
    }

    const MotionSystem *
    motion_system() const override
    {
      return &system;
    }

    void
    follow_directions() override;

  private:
    const MotionSystem  system;
    const GlobalForm   &form;
    Vector              inverse_diagonal; ///< of A and B, added up
    std::vector<double> estimates;
    mutable Vector      impulse, velocity, of_second;
  };
} // namespace Percuss
