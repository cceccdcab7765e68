// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/global_form.h>

#include <functional>
#include <vector>

namespace Percuss
{
  /// The motion w of a GlobalForm with impulses as a quadratic programme. With
  /// one system it is
  /// @f[ \min\; \tfrac12\, w\cdot A w - f\cdot w, @f]
  /// with a second one, w = y + u,
  /// @f[ \min\; \tfrac12\, y\cdot A y - f\cdot y + \tfrac12\, u\cdot B u, @f]
  /// both under what contacts demand of w; their multipliers D^T lambda are
  /// the gradient by w, and B u = D^T lambda. The unknowns x are w and, behind
  /// it on each rank, u; y = w - u. Functions are collective.
  class MotionSystem
  {
  public:
    /// z = P r with P near A^-1.
    using Precondition = std::function<void(const Vector &r, Vector &z)>;

    explicit MotionSystem(const GlobalForm &form);

    /// Of the unknowns.
    const Partition &
    partition() const
    {
      return unknowns;
    }

    /// Of H, the second derivative, and its inverse.
    const std::vector<double> &
    diagonal() const
    {
      find_diagonal();
      return entries;
    }
    const std::vector<double> &
    inverse_diagonal() const
    {
      find_diagonal();
      return inverse_entries;
    }

    /// y = H x.
    void
    multiply(const Vector &x, Vector &y) const;

    /// z = P r with P near H^-1: in the variables y and u there are two
    /// systems, for which @p of_A and that of B serve.
    void
    precondition(const Precondition &of_A, const Vector &r, Vector &z) const;

    /// The linear part of the programme, from f.
    void
    set_load(const Vector &f, Vector &load) const;

    /// Fills @p x with guesses, of w and of the second system's.
    void
    start(const Vector &w, Vector &x) const;

    /// Takes w out of @p x, and the second system's motion.
    void
    finish(Vector &x, Vector &w) const;

    const GlobalForm form;

  private:
    /// At the first call.
    void
    find_diagonal() const;

    void
    make_work_space() const;

    Partition                   unknowns;
    mutable bool                has_diagonal = false;
    mutable std::vector<double> entries, inverse_entries; ///< of the diagonal
    mutable Vector first, second, of_first, of_second;    ///< work space
  };
} // namespace Percuss
