// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_problem.h>
#include <percuss/linear_algebra/lu_factorization.h>

#include <vector>

namespace Percuss
{
  /// The derivative of a function that maps the impulse and the velocity of
  /// each contact,
  /// @f[ J = C + B\,W, @f]
  /// with blocks C_i and B_i on the diagonals of C and B. Zeros are left out:
  /// an open contact has no others. The diagonal of W is raised by 1e-11 of
  /// itself: where contacts are redundant, W is singular and impulses are not
  /// unique, and the step then stays short.
  class NewtonMatrix
  {
  public:
    using Block = double[3][3];

    explicit NewtonMatrix(const GatheredProblem &problem);

    /// Before the blocks are set anew.
    void
    clear();

    /// The rows of the next contact.
    void
    append(const Block &C, const Block &B);

    /// Replaces the right-hand side @p x by the solution; false where the
    /// matrix is singular.
    bool
    solve(std::vector<double> &x);

    /// @p y = J x.
    void
    multiply(const std::vector<double> &x, std::vector<double> &y) const;

    /// @p y = J^T x.
    void
    transposed_multiply(const std::vector<double> &x,
                        std::vector<double>       &y) const;

  private:
    /// The rows of W of a contact, with the same columns for all of them.
    struct Panel
    {
      unsigned int        first, n_directions;
      std::vector<int>    columns;
      std::vector<double> values; ///< row after row
    };

    std::vector<Panel> panels;
    std::size_t        next = 0; ///< contact to append
    SparseMatrix::Rows rows;
    LuFactorization    lu;
  };
} // namespace Percuss
