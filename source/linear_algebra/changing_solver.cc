// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/linear_algebra/changing_solver.h>
#include <percuss/linear_algebra/updatable_solver.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  bool
  ChangingSolver::set(SparseMatrix &matrix)
  {
    // Both at once: whether all are the same, and finite.
    std::vector<unsigned int> answers(2);
    const double *const       values = matrix.values();
    const std::size_t         n      = matrix.n_values();
    answers[0]                       = &matrix == known && last.size() == n &&
                 std::equal(last.begin(), last.end(), values);
    answers[1] = std::all_of(values, values + n, [](const double x) {
      return std::isfinite(x);
    });
    dealii::Utilities::MPI::min(answers,
                                matrix.partition()->get_mpi_communicator(),
                                answers);
    if (solver && answers[0] == 1)
      return true;
    last.clear();
    if (answers[1] == 0 || !set_up(matrix))
      return false;
    last.assign(values, values + n);
    return true;
  }



  bool
  ChangingSolver::set_up(const SparseMatrix &matrix)
  {
    auto *const updatable = dynamic_cast<UpdatableSolver *>(solver.get());
    if (updatable != nullptr && &matrix == known)
      return updatable->update();
    solver = nullptr;
    known  = nullptr;
    try
      {
        solver = make(matrix);
      }
    catch (const Error &error)
      {
        // A matrix that is not positive definite.
        if (error.code != ExitCode::solver)
          throw;
        return false;
      }
    known = &matrix;
    return true;
  }



  LinearReport
  ChangingSolver::solve_roughly(const Vector &b,
                                Vector       &x,
                                const double  reduction) const
  {
    const auto *const updatable =
      dynamic_cast<const UpdatableSolver *>(solver.get());
    return updatable ? updatable->solve_roughly(b, x, reduction) :
                       solver->solve(b, x);
  }



  std::string
  ChangingSolver::description() const
  {
    return solver ? solver->description() + ", whenever the matrix changes" :
                    "set up in the first step";
  }
} // namespace Percuss
