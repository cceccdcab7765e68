// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/lu_factorization.h>

#include <deal.II/lac/lapack_templates.h>

#include <umfpack.h>

#include <cmath>

namespace Percuss
{
  /// UMFPACK takes columns: the rows are those of the transposed matrix.
  struct LuFactorization::Umfpack
  {
    Umfpack()
      : work_indices()
      , work()
    {
      umfpack_di_defaults(control);
      control[UMFPACK_IRSTEP] = 0;
    }

    ~Umfpack()
    {
      umfpack_di_free_symbolic(&symbolic);
      umfpack_di_free_numeric(&numeric);
    }

    /// The order of elimination, which matrices of the same pattern share.
    bool
    analyze(const int n, const SparseMatrix::Rows &rows)
    {
      if (symbolic != nullptr && rows.start == known.start &&
          rows.columns == known.columns)
        return true;
      umfpack_di_free_symbolic(&symbolic);
      known.start   = rows.start;
      known.columns = rows.columns;
      return umfpack_di_symbolic(n,
                                 n,
                                 rows.start.data(),
                                 rows.columns.data(),
                                 rows.values.data(),
                                 &symbolic,
                                 control,
                                 nullptr) == UMFPACK_OK;
    }

    bool
    factorize(const int n, const SparseMatrix::Rows &rows)
    {
      umfpack_di_free_numeric(&numeric);
      work_indices.resize(n);
      work.resize(5 * static_cast<std::size_t>(n));
      return analyze(n, rows) && umfpack_di_numeric(rows.start.data(),
                                                    rows.columns.data(),
                                                    rows.values.data(),
                                                    symbolic,
                                                    &numeric,
                                                    control,
                                                    nullptr) == UMFPACK_OK;
    }

    void
    solve(const SparseMatrix::Rows  &rows,
          const std::vector<double> &b,
          std::vector<double>       &x)
    {
      umfpack_di_wsolve(UMFPACK_At,
                        rows.start.data(),
                        rows.columns.data(),
                        rows.values.data(),
                        x.data(),
                        b.data(),
                        numeric,
                        control,
                        nullptr,
                        work_indices.data(),
                        work.data());
    }

    double              control[UMFPACK_CONTROL];
    void               *symbolic = nullptr, *numeric = nullptr;
    SparseMatrix::Rows  known; ///< its pattern
    std::vector<int>    work_indices;
    std::vector<double> work;
  };



  LuFactorization::LuFactorization()
    : umfpack(std::make_unique<Umfpack>())
  {}



  LuFactorization::~LuFactorization() = default;



  bool
  LuFactorization::split(const SparseMatrix::Rows &rows)
  {
    const std::size_t n = rows.start.size() - 1;
    inner_number.resize(n);
    diagonal.assign(n, 1.);
    n_inner = 0;
    for (std::size_t i = 0; i < n; ++i)
      {
        const PetscInt k = rows.start[i];
        if (rows.start[i + 1] == k + 1 &&
            rows.columns[k] == static_cast<PetscInt>(i) &&
            rows.values[k] != 0 && std::isfinite(rows.values[k]))
          {
            inner_number[i] = -1;
            diagonal[i]     = rows.values[k];
          }
        else
          inner_number[i] = n_inner++;
      }
    for (SparseMatrix::Rows *part : {&inner, &coupling})
      {
        part->start.assign(1, 0);
        part->columns.clear();
        part->values.clear();
      }
    for (std::size_t i = 0; i < n; ++i)
      {
        if (inner_number[i] < 0)
          continue;
        for (PetscInt k = rows.start[i]; k < rows.start[i + 1]; ++k)
          {
            if (!std::isfinite(rows.values[k]))
              return false;
            const int column = inner_number[rows.columns[k]];
            auto     &part   = column < 0 ? coupling : inner;
            part.columns.push_back(column < 0 ? rows.columns[k] : column);
            part.values.push_back(rows.values[k]);
          }
        inner.start.push_back(static_cast<PetscInt>(inner.columns.size()));
        coupling.start.push_back(
          static_cast<PetscInt>(coupling.columns.size()));
      }
    return true;
  }



  bool
  LuFactorization::factorize_dense()
  {
    const auto n = static_cast<std::size_t>(n_inner);
    dense.assign(n * n, 0.);
    pivots.resize(n);
    for (std::size_t i = 0; i < n; ++i)
      for (PetscInt k = inner.start[i]; k < inner.start[i + 1]; ++k)
        dense[i + static_cast<std::size_t>(inner.columns[k]) * n] =
          inner.values[k];
    int info = 0;
    dealii::getrf(
      &n_inner, &n_inner, dense.data(), &n_inner, pivots.data(), &info);
    return info == 0;
  }



  bool
  LuFactorization::factorize(const SparseMatrix::Rows &rows)
  {
    if (!split(rows))
      return false;
    rhs.resize(n_inner);
    solution.resize(n_inner);
    if (n_inner == 0)
      return true;
    // Below these limits LAPACK is as fast.
    const auto n = static_cast<double>(n_inner);
    sparse =
      n_inner > 50 && static_cast<double>(inner.values.size()) < 0.3 * n * n;
    return sparse ? umfpack->factorize(n_inner, inner) : factorize_dense();
  }



  void
  LuFactorization::solve_inner() const
  {
    if (sparse)
      {
        umfpack->solve(inner, rhs, solution);
        rhs.swap(solution);
        return;
      }
    const char no_transpose = 'N';
    const int  one          = 1;
    int        info         = 0;
    dealii::getrs(&no_transpose,
                  &n_inner,
                  &one,
                  dense.data(),
                  &n_inner,
                  pivots.data(),
                  rhs.data(),
                  &n_inner,
                  &info);
  }



  void
  LuFactorization::solve(std::vector<double> &x) const
  {
    for (std::size_t i = 0; i < x.size(); ++i)
      if (inner_number[i] < 0)
        x[i] /= diagonal[i];
    if (n_inner == 0)
      return;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (const int row = inner_number[i]; row >= 0)
        {
          rhs[row] = x[i];
          for (PetscInt k = coupling.start[row]; k < coupling.start[row + 1];
               ++k)
            rhs[row] -= coupling.values[k] * x[coupling.columns[k]];
        }
    solve_inner();
    for (std::size_t i = 0; i < x.size(); ++i)
      if (inner_number[i] >= 0)
        x[i] = rhs[inner_number[i]];
  }
} // namespace Percuss
