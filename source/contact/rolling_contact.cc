// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "rolling_contact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace Percuss
{
  namespace
  {
    using Block = std::array<double, largest_block>;



    /// The natural map of a contact.
    class NaturalMap
    {
    public:
      NaturalMap(const LocalContact &contact, const double *c);

      /// f at @p lambda with the steps @p r R. Returns its norm
      /// @f[ \Bigl(\sum_i f_i^2 / R_i\Bigr)^{1/2}. @f]
      double
      evaluate(double r, const Block &lambda, Block &f);

      /// Replaces @p f, as evaluate() with r = 1 has left it, by Newton's
      /// step; false where its matrix is singular.
      bool
      newton_step(Block &f) const;

      /// What round-off of f is relative to.
      double
      scale(const Block &lambda) const;

      /// A factor r with which a step of the projection does not go too far:
      /// the reciprocal of the norm of R^1/2 W R^1/2.
      double
      safe_factor() const;

    private:
      /// Projects a part of z to its disk.
      struct Disk
      {
        unsigned int begin, end;
        double       friction;
        double       length = 0; ///< of this part of z
      };

      const LocalContact &contact;
      const double       *c;
      const unsigned int  n;
      std::array<Disk, 2> disks;
      Block               R = {}, z = {};
    };



    NaturalMap::NaturalMap(const LocalContact &contact, const double *c)
      : contact(contact)
      , c(c)
      , n(contact.n_directions)
      , disks{{{1, 3, contact.friction}, {3, n, contact.rolling_friction}}}
    {
      R[0] = 1 / contact.W[0][0];
      for (const Disk &disk : disks)
        {
          double largest = 0;
          for (unsigned int i = disk.begin; i < disk.end; ++i)
            largest = std::max(largest, std::abs(contact.W[i][i]));
          for (unsigned int i = disk.begin; i < disk.end; ++i)
            R[i] = largest > 0 ? 1 / largest : R[0];
        }
    }



    double
    NaturalMap::evaluate(const double r, const Block &lambda, Block &f)
    {
      contact.velocity(c, lambda.data(), f.data());
      for (unsigned int i = 0; i < n; ++i)
        z[i] = lambda[i] - r * R[i] * f[i];
      f[0] = std::max(0., z[0]);
      for (Disk &disk : disks)
        {
          const double radius = disk.friction * f[0];
          disk.length         = 0;
          for (unsigned int i = disk.begin; i < disk.end; ++i)
            disk.length = std::hypot(disk.length, z[i]);
          const double factor = disk.length > radius ? radius / disk.length : 1;
          for (unsigned int i = disk.begin; i < disk.end; ++i)
            f[i] = factor * z[i];
        }
      double sum = 0;
      for (unsigned int i = 0; i < n; ++i)
        {
          f[i] -= lambda[i];
          sum += f[i] * f[i] / R[i];
        }
      return std::sqrt(sum);
    }



    /// Solves A x = b by Gauss' elimination with pivots; false where A is
    /// singular.
    bool
    eliminate(const unsigned int                n,
              std::array<Block, largest_block> &A,
              Block                            &b)
    {
      for (unsigned int k = 0; k < n; ++k)
        {
          unsigned int pivot = k;
          for (unsigned int i = k + 1; i < n; ++i)
            if (std::abs(A[i][k]) > std::abs(A[pivot][k]))
              pivot = i;
          if (!(std::abs(A[pivot][k]) > 0))
            return false;
          std::swap(A[k], A[pivot]);
          std::swap(b[k], b[pivot]);
          for (unsigned int i = k + 1; i < n; ++i)
            {
              const double factor = A[i][k] / A[k][k];
              for (unsigned int j = k; j < n; ++j)
                A[i][j] -= factor * A[k][j];
              b[i] -= factor * b[k];
            }
        }
      for (unsigned int i = n; i-- > 0;)
        {
          for (unsigned int j = i + 1; j < n; ++j)
            b[i] -= A[i][j] * b[j];
          b[i] /= A[i][i];
        }
      return std::all_of(b.begin(), b.begin() + n, [](const double x) {
        return std::isfinite(x);
      });
    }



    bool
    NaturalMap::newton_step(Block &f) const
    {
      // With z' = 1 - R W and t = z_T / |z_T|, the derivative of the
      // projection is that of z inside a disk, and on its boundary
      // mu t z_N' + mu z_N / |z_T| (1 - t t^T) z_T'.
      std::array<Block, largest_block> A = {};
      for (unsigned int j = 0; j < n; ++j)
        {
          Block dz;
          for (unsigned int i = 0; i < n; ++i)
            dz[i] = (i == j ? 1 : 0) - R[i] * contact.W[i][j];
          A[j][j] = 1;
          if (z[0] <= 0)
            continue;
          A[0][j] -= dz[0];
          for (const Disk &disk : disks)
            {
              const bool is_inside = disk.length <= disk.friction * z[0];
              double     along     = 0; // t z_T'
              for (unsigned int i = disk.begin; i < disk.end; ++i)
                along += is_inside ? 0 : z[i] / disk.length * dz[i];
              for (unsigned int i = disk.begin; i < disk.end; ++i)
                A[i][j] -= is_inside ?
                             dz[i] :
                             disk.friction / disk.length *
                               (z[i] * dz[0] +
                                z[0] * (dz[i] - z[i] / disk.length * along));
            }
        }
      return eliminate(n, A, f);
    }



    double
    NaturalMap::scale(const Block &lambda) const
    {
      double sum = 0;
      for (unsigned int i = 0; i < n; ++i)
        sum += lambda[i] * lambda[i] / R[i] + c[i] * c[i] * R[i];
      return std::sqrt(sum);
    }



    double
    NaturalMap::safe_factor() const
    {
      double sum = 0;
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
          sum += contact.W[i][j] * contact.W[i][j] * R[i] * R[j];
      return 1 / std::sqrt(sum);
    }



    /// Newton's method with steps that are halved until f shrinks. Returns the
    /// norm of f where it ends.
    double
    descend(NaturalMap &map, const unsigned int n, Block &lambda)
    {
      Block  f = {}, step = {}, trial = {};
      double error = map.evaluate(1, lambda, f);
      for (unsigned int count = 0; count < 50; ++count)
        {
          step = f;
          if (error <= 1e-16 * map.scale(lambda) || !map.newton_step(step))
            return error;
          double factor = 1, next = error;
          for (; factor > 1e-3; factor *= 0.5)
            {
              for (unsigned int i = 0; i < n; ++i)
                trial[i] = lambda[i] + factor * step[i];
              next = map.evaluate(1, trial, f);
              if (next < (1 - 0.1 * factor) * error)
                break;
            }
          if (!(next < error))
            return error;
          lambda = trial;
          error  = next;
        }
      return error;
    }
  } // namespace



  bool
  solve_rolling(const LocalContact &contact, const double *c, double *lambda)
  {
    const unsigned int n = contact.n_directions;
    NaturalMap         map(contact, c);
    const double       r     = map.safe_factor();
    Block              guess = {}, trial, f = {};
    std::copy_n(lambda, n, guess.begin());
    // Each time from where twice as many plain steps lead.
    for (unsigned int n_steps = 5; n_steps < 500; n_steps *= 2)
      {
        trial = guess;
        if (descend(map, n, trial) <= 1e-13 * map.scale(trial))
          {
            std::copy_n(trial.begin(), n, lambda);
            return true;
          }
        for (unsigned int i = 0; i < n_steps; ++i)
          {
            map.evaluate(r, guess, f);
            for (unsigned int d = 0; d < n; ++d)
              guess[d] += f[d];
          }
      }
    return false;
  }
} // namespace Percuss
