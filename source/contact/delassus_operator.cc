// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/contact/delassus_operator.h>

#include <algorithm>

namespace Percuss
{
  DelassusMatrix::DelassusMatrix(const SparseMatrix &matrix,
                                 const bool          is_symmetric)
    : W(matrix)
    , symmetric(is_symmetric)
    , positions(matrix.partition()->locally_owned_size(), -1)
  {
    const auto &rows = W.rows();
    const auto  first =
      static_cast<PetscInt>(W.partition()->local_range().first);
    for (std::size_t i = 0; i < positions.size(); ++i)
      {
        const auto begin  = rows.columns.begin() + rows.start[i];
        const auto end    = rows.columns.begin() + rows.start[i + 1];
        const auto column = first + static_cast<PetscInt>(i);
        const auto found  = std::lower_bound(begin, end, column);
        if (found != end && *found == column)
          positions[i] = static_cast<PetscInt>(found - rows.columns.begin());
      }
  }



  MatrixFreeDelassus::MatrixFreeDelassus(const GlobalForm &form)
    : form(form)
    , estimates(form.contacts.partition()->locally_owned_size())
    , impulse(form.A.partition())
    , velocity(form.A.partition())
  {
    const std::vector<double> diagonal = form.A.diagonal();
    for (std::size_t i = 0; i < estimates.size(); ++i)
      for (const auto &[dof, coefficient] :
           form.contacts.row(static_cast<unsigned int>(i)))
        estimates[i] += coefficient * coefficient / diagonal[dof];
  }



  void
  MatrixFreeDelassus::multiply(const Vector &x, Vector &y) const
  {
    form.contacts.impulses(x, impulse);
    if (!form.inverse.solve(impulse, velocity).converged)
      throw Error(ExitCode::solver,
                  "The linear solver failed to compute the response of the "
                  "contacts.");
    form.contacts.multiply(velocity, y);
  }
} // namespace Percuss
