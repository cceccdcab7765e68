// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/linear_algebra/band_factorization.h>

#include <deal.II/base/mpi.h>

#include <algorithm>

extern "C"
{
  void
  dpbtrf_(const char *uplo,
          const int  *n,
          const int  *kd,
          double     *ab,
          const int  *ldab,
          int        *info);
  void
  dpbtrs_(const char   *uplo,
          const int    *n,
          const int    *kd,
          const int    *n_rhs,
          const double *ab,
          const int    *ldab,
          double       *b,
          const int    *ldb,
          int          *info);
}

namespace Percuss
{
  namespace
  {
    using Bands = BandFactorization::Bands;

    [[noreturn]] void
    report_indefinite()
    {
      throw Error(ExitCode::solver,
                  "The matrix of the time step is not positive definite; is a "
                  "mass zero?");
    }



    /// A tridiagonal matrix, eliminated from both ends towards the middle
    /// ("twisted"): two independent chains of operations at a time, so that a
    /// solve takes half as long as with LAPACK's dpttrs, whose time is that of
    /// one chain's latency.
    class TridiagonalFactorization : public BandFactorization
    {
    public:
      explicit TridiagonalFactorization(const Bands &bands)
        : n(static_cast<int>(bands.n))
        , middle(n / 2)
        , inverse(bands.n)
        , factor(bands.n)
      {
        const unsigned int stride   = bands.width + 1;
        const auto         diagonal = [&](const int i) {
          return bands.entries[i * stride];
        };
        const auto lower = [&](const int i) {
          return stride == 1 ? 0 : bands.entries[i * stride + 1];
        };
        // factor[i] couples i and i + 1.
        for (int i = 0; i < middle; ++i)
          {
            set_pivot(i,
                      diagonal(i) - (i > 0 ? factor[i - 1] * lower(i - 1) : 0));
            factor[i] = lower(i) * inverse[i];
          }
        for (int i = n - 1; i > middle; --i)
          {
            set_pivot(i, diagonal(i) - (i < n - 1 ? factor[i] * lower(i) : 0));
            factor[i - 1] = lower(i - 1) * inverse[i];
          }
        double pivot = diagonal(middle);
        if (middle > 0)
          pivot -= factor[middle - 1] * lower(middle - 1);
        if (middle < n - 1)
          pivot -= factor[middle] * lower(middle);
        set_pivot(middle, pivot);
      }

      void
      solve(const double *const b, double *const x) const override
      {
        // Rows i = 0, 1, ... and j = n-1, n-2, ... up to the middle, which is
        // as far from one end as from the other, or one row further.
        double left = 0, right = 0;
        int    i = 0, j = n - 1;
        for (; j > middle; ++i, --j)
          {
            x[i] = left = b[i] - (i > 0 ? factor[i - 1] : 0) * left;
            x[j] = right = b[j] - factor[j] * right;
          }
        if (i < middle)
          x[i] = left = b[i] - (i > 0 ? factor[i - 1] : 0) * left;
        x[middle] = (b[middle] - (middle > 0 ? factor[middle - 1] * left : 0) -
                     factor[middle] * right) *
                    inverse[middle];
        left = right = x[middle];
        for (i = middle - 1, j = middle + 1; j < n; --i, ++j)
          {
            x[i] = left = x[i] * inverse[i] - factor[i] * left;
            x[j] = right = x[j] * inverse[j] - factor[j - 1] * right;
          }
        if (i == 0)
          x[0] = x[0] * inverse[0] - factor[0] * left;
      }

      std::string
      description() const override
      {
        return "twisted tridiagonal factorisation";
      }

    private:
      void
      set_pivot(const int i, const double pivot)
      {
        if (!(pivot > 0))
          report_indefinite();
        inverse[i] = 1 / pivot;
      }

      const int           n, middle;
      std::vector<double> inverse; ///< of the pivots
      std::vector<double> factor;  ///< the last one is zero
    };



    /// L L^T by LAPACK.
    class LapackFactorization : public BandFactorization
    {
    public:
      explicit LapackFactorization(Bands &&bands)
        : n(static_cast<int>(bands.n))
        , width(static_cast<int>(bands.width))
        , entries(std::move(bands.entries))
      {
        const int leading = width + 1;
        int       info    = 0;
        dpbtrf_("L", &n, &width, entries.data(), &leading, &info);
        if (info != 0)
          report_indefinite();
      }

      void
      solve(const double *const b, double *const x) const override
      {
        std::copy(b, b + n, x);
        const int one = 1, leading = width + 1;
        int       info = 0;
        dpbtrs_("L", &n, &width, &one, entries.data(), &leading, x, &n, &info);
      }

      std::string
      description() const override
      {
        return "LAPACK band Cholesky, bandwidth " + std::to_string(width);
      }

    private:
      const int           n, width;
      std::vector<double> entries;
    };



    /// No rows at all.
    class EmptyFactorization : public BandFactorization
    {
    public:
      void
      solve(const double *, double *) const override
      {}

      std::string
      description() const override
      {
        return "nothing";
      }
    };
  } // namespace



  BandFactorization::Bands::Bands(const unsigned int n,
                                  const unsigned int width)
    : n(n)
    , width(width)
    , entries(static_cast<std::size_t>(n) * (width + 1))
  {}



  std::unique_ptr<BandFactorization>
  BandFactorization::make(Bands &&bands)
  {
    if (bands.n == 0)
      return std::make_unique<EmptyFactorization>();
    if (bands.width <= 1)
      return std::make_unique<TridiagonalFactorization>(bands);
    return std::make_unique<LapackFactorization>(std::move(bands));
  }



  bool
  DistributedBandFactorization::is_possible(const SparseMatrix &matrix,
                                            const unsigned int  width)
  {
    const auto &partition = *matrix.partition();
    const auto  n_rows =
      dealii::Utilities::MPI::all_gather(partition.get_mpi_communicator(),
                                         static_cast<unsigned int>(
                                           partition.locally_owned_size()));
    // One rank alone has no separators.
    if (n_rows.front() == partition.size())
      return true;
    bool ended = false;
    for (const unsigned int n : n_rows)
      {
        if (n > 0 && (ended || n < 2 * width))
          return false;
        ended |= n == 0;
      }
    return true;
  }



  DistributedBandFactorization::DistributedBandFactorization(
    const SparseMatrix &matrix,
    const unsigned int  width)
    : w(width)
    , partition(matrix.partition())
    , left(w * w)
    , right(w * w)
    , separator_block(w * w)
    , sides(2 * w)
    , all_sides(2 * w * partition->n_mpi_processes())
  {
    const unsigned int n_rows = partition->locally_owned_size();
    n_active = dealii::Utilities::MPI::sum(n_rows > 0 ? 1u : 0u,
                                           partition->get_mpi_communicator());
    n_own   = n_rows > 0 && partition->this_mpi_process() > 0 ? w : 0;
    n_inner = n_rows - n_own;
    work.resize(n_inner);
    rhs.resize((n_active - 1) * w);
    solution.resize(rhs.size());
    inner = BandFactorization::make(split(matrix));
    eliminate();
  }



  Bands
  DistributedBandFactorization::split(const SparseMatrix &matrix)
  {
    Bands       bands(n_inner, w);
    const auto &rows  = matrix.rows();
    const auto  first = static_cast<PetscInt>(partition->local_range().first);
    const auto  end   = static_cast<PetscInt>(partition->local_range().second);
    const auto  first_inner = first + static_cast<PetscInt>(n_own);
    for (PetscInt row = first; row < end; ++row)
      for (PetscInt k = rows.start[row - first];
           k < rows.start[row - first + 1];
           ++k)
        {
          const PetscInt column = rows.columns[k];
          const double   value  = rows.values[k];
          if (row < first_inner)
            {
              if (column >= first && column < first_inner)
                separator_block[(row - first) * w + column - first] = value;
            }
          else if (column < first_inner)
            left[(row - first_inner) * w + column - first] = value;
          else if (column >= end)
            right[(row - (end - static_cast<PetscInt>(w))) * w + column - end] =
              value;
          else if (column <= row)
            bands(static_cast<unsigned int>(row - first_inner),
                  static_cast<unsigned int>(column - first_inner)) = value;
        }
    return bands;
  }



  void
  DistributedBandFactorization::subtract_couplings(const double *const y,
                                                   double *const result) const
  {
    if (n_inner == 0)
      return;
    for (unsigned int i = 0; i < w; ++i)
      for (unsigned int j = 0; j < w; ++j)
        {
          result[j] -= left[i * w + j] * y[i];
          result[w + j] -= right[i * w + j] * y[n_inner - w + i];
        }
  }



  void
  DistributedBandFactorization::eliminate()
  {
    // This rank's part of the Schur complement: rows and columns are the
    // separators on its left and on its right.
    std::vector<double> part(4 * w * w), column(n_inner), response(n_inner);
    for (unsigned int c = 0; c < 2 * w && n_inner > 0; ++c)
      {
        std::fill(column.begin(), column.end(), 0.);
        for (unsigned int i = 0; i < w; ++i)
          if (c < w)
            column[i] += left[i * w + c];
          else
            column[n_inner - w + i] += right[i * w + c - w];
        inner->solve(column.data(), response.data());
        subtract_couplings(response.data(), &part[c * 2 * w]);
      }
    for (unsigned int i = 0; i < w; ++i)
      for (unsigned int j = 0; j < w; ++j)
        part[j * 2 * w + i] += separator_block[i * w + j];

    const auto parts =
      dealii::Utilities::MPI::all_gather(partition->get_mpi_communicator(),
                                         part);
    // Separators of rank r are the unknowns (r-1) w, ..., r w - 1.
    Bands bands((n_active - 1) * w, w == 0 ? 0 : 2 * w - 1);
    for (unsigned int r = 0; r < n_active; ++r)
      for (unsigned int c = 0; c < 2 * w; ++c)
        for (unsigned int i = c; i < 2 * w; ++i)
          {
            const bool outside =
              (r == 0 && c < w) || (r + 1 == n_active && i >= w);
            if (!outside)
              bands(r * w + i - w, r * w + c - w) += parts[r][c * 2 * w + i];
          }
    separators = BandFactorization::make(std::move(bands));
  }



  void
  DistributedBandFactorization::solve(const Vector &b, Vector &x) const
  {
    const double *const b_inner = b.begin() + n_own;
    double *const       x_inner = x.begin() + n_own;
    inner->solve(b_inner, x_inner);
    if (n_active == 1 || w == 0)
      return;

    std::fill(sides.begin(), sides.end(), 0.);
    std::copy(b.begin(), b.begin() + n_own, sides.begin());
    subtract_couplings(x_inner, sides.data());
    const int n_sides = static_cast<int>(2 * w);
    MPI_Allgather(sides.data(),
                  n_sides,
                  MPI_DOUBLE,
                  all_sides.data(),
                  n_sides,
                  MPI_DOUBLE,
                  partition->get_mpi_communicator());
    for (unsigned int r = 1; r < n_active; ++r)
      for (unsigned int j = 0; j < w; ++j)
        rhs[(r - 1) * w + j] =
          all_sides[2 * w * r + j] + all_sides[2 * w * (r - 1) + w + j];
    separators->solve(rhs.data(), solution.data());
    if (n_inner == 0)
      return;

    // The inner rows again, now with the separators known.
    const unsigned int  rank = partition->this_mpi_process();
    const double *const own  = solution.data() + (rank > 0 ? rank - 1 : 0) * w;
    const double *const next = solution.data() + rank * w;
    std::copy(b_inner, b_inner + n_inner, work.begin());
    for (unsigned int i = 0; i < w; ++i)
      for (unsigned int j = 0; j < w; ++j)
        {
          if (rank > 0)
            work[i] -= left[i * w + j] * own[j];
          if (rank + 1 < n_active)
            work[n_inner - w + i] -= right[i * w + j] * next[j];
        }
    inner->solve(work.data(), x_inner);
    std::copy(own, own + n_own, x.begin());
  }



  std::string
  DistributedBandFactorization::description() const
  {
    return inner->description() +
           (n_active > 1 && w > 0 ?
              " on each rank, Schur complement between them" :
              "");
  }
} // namespace Percuss
