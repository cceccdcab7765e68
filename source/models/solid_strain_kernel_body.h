// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

// Forces of cells with large strains, compiled once for each processor that has
// a file of its own, which includes this one. All of it has internal linkage,
// and nothing but the compiler is used, as in solid_kernel_body.h. The laws are
// those of ElasticLaw.

#include "solid_strain_kernel.h"

namespace Percuss
{
  namespace
  {
#define PERCUSS_INLINE inline __attribute__((always_inline))

    constexpr unsigned int n_lanes = StrainCell::n_lanes;

    using Lanes = double __attribute__((vector_size(8 * n_lanes)));

    enum class LargeLaw
    {
      linear,
      st_venant_kirchhoff,
      neo_hooke
    };

    template <int dim>
    struct Entries
    {
      Lanes a[dim][dim];
    };



    PERCUSS_INLINE Lanes
    load(const double *const values)
    {
      Lanes result;
      __builtin_memcpy(&result, values, sizeof(result));
      return result;
    }



    template <int dim>
    PERCUSS_INLINE Lanes
    determinant(const Lanes (&a)[dim][dim])
    {
      if constexpr (dim == 2)
        return a[0][0] * a[1][1] - a[0][1] * a[1][0];
      else
        return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
               a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
               a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
    }



    /// Of a symmetric matrix, det C times its inverse.
    template <int dim>
    PERCUSS_INLINE Entries<dim>
                   cofactors(const Lanes (&C)[dim][dim])
    {
      Entries<dim> r;
      if constexpr (dim == 2)
        {
          r.a[0][0] = C[1][1];
          r.a[1][1] = C[0][0];
          r.a[0][1] = r.a[1][0] = -C[0][1];
        }
      else
        {
          r.a[0][0] = C[1][1] * C[2][2] - C[1][2] * C[1][2];
          r.a[1][1] = C[0][0] * C[2][2] - C[0][2] * C[0][2];
          r.a[2][2] = C[0][0] * C[1][1] - C[0][1] * C[0][1];
          r.a[0][1] = r.a[1][0] = C[0][2] * C[1][2] - C[0][1] * C[2][2];
          r.a[0][2] = r.a[2][0] = C[0][1] * C[1][2] - C[0][2] * C[1][1];
          r.a[1][2] = r.a[2][1] = C[0][1] * C[0][2] - C[0][0] * C[1][2];
        }
      return r;
    }



    /// det C - 1 of C = 1 + 2 E, without cancellation.
    template <int dim>
    PERCUSS_INLINE Lanes
    change_of_determinant(const Lanes (&E)[dim][dim])
    {
      Lanes result = 2 * E[0][0];
      for (int c = 1; c < dim; ++c)
        result += 2 * E[c][c];
      for (int c = 0; c < dim; ++c)
        for (int d = c + 1; d < dim; ++d)
          result += 4 * (E[c][c] * E[d][d] - E[c][d] * E[c][d]);
      if constexpr (dim == 3)
        result += 8 * determinant<3>(E);
      return result;
    }



    PERCUSS_INLINE Lanes
    half_log1p(const Lanes x)
    {
      Lanes result;
      for (unsigned int lane = 0; lane < n_lanes; ++lane)
        result[lane] = 0.5 * __builtin_log1p(x[lane]);
      return result;
    }



    /// E = (H + H^T + H^T H)/2, or without the last term.
    template <int dim, bool is_large>
    PERCUSS_INLINE Entries<dim>
                   strain(const Lanes (&H)[dim][dim])
    {
      Entries<dim> E;
      for (int c = 0; c < dim; ++c)
        for (int d = c; d < dim; ++d)
          {
            Lanes sum = H[c][d] + H[d][c];
            if constexpr (is_large)
              for (int e = 0; e < dim; ++e)
                sum += H[e][c] * H[e][d];
            E.a[c][d] = E.a[d][c] = 0.5 * sum;
          }
      return E;
    }



    /// S = lambda tr E 1 + 2 mu E.
    template <int dim>
    PERCUSS_INLINE Entries<dim>
                   quadratic_stress(const double lambda,
                                    const double mu,
                                    const Lanes (&E)[dim][dim])
    {
      Lanes trace = E[0][0];
      for (int c = 1; c < dim; ++c)
        trace += E[c][c];
      Entries<dim> S;
      for (int c = 0; c < dim; ++c)
        {
          for (int d = 0; d < dim; ++d)
            S.a[c][d] = 2 * mu * E[c][d];
          S.a[c][c] += lambda * trace;
        }
      return S;
    }



    /// S = C^-1 (2 mu E + lambda ln J 1).
    template <int dim>
    PERCUSS_INLINE Entries<dim>
                   neo_hooke_stress(const double lambda,
                                    const double mu,
                                    const Lanes (&E)[dim][dim])
    {
      const Lanes change   = change_of_determinant<dim>(E);
      const Lanes pressure = lambda * half_log1p(change);
      Lanes       C[dim][dim];
      for (int c = 0; c < dim; ++c)
        {
          for (int d = 0; d < dim; ++d)
            C[c][d] = 2 * E[c][d];
          C[c][c] += 1.;
        }
      const Lanes        inverse_det = 1. / (1. + change);
      const Entries<dim> adjoint     = cofactors<dim>(C);
      Entries<dim>       S;
      for (int c = 0; c < dim; ++c)
        for (int d = c; d < dim; ++d)
          {
            Lanes sum = pressure * adjoint.a[c][d];
            for (int e = 0; e < dim; ++e)
              sum += 2 * mu * adjoint.a[c][e] * E[e][d];
            S.a[c][d] = S.a[d][c] = inverse_det * sum;
          }
      return S;
    }



    /// P, the first Piola-Kirchhoff stress.
    template <int dim, LargeLaw law>
    PERCUSS_INLINE Entries<dim>
    first_stress(const double lambda, const double mu, const Entries<dim> &H)
    {
      if constexpr (law == LargeLaw::linear)
        return quadratic_stress<dim>(lambda, mu, strain<dim, false>(H.a).a);
      const Entries<dim> E = strain<dim, true>(H.a);
      Entries<dim>       S, P, F = H;
      if constexpr (law == LargeLaw::neo_hooke)
        S = neo_hooke_stress<dim>(lambda, mu, E.a);
      else
        S = quadratic_stress<dim>(lambda, mu, E.a);
      for (int c = 0; c < dim; ++c)
        F.a[c][c] += 1.;
      // One where J > 0, else no number.
      const Lanes J       = determinant<dim>(F.a);
      const Lanes no_turn = J > 0. ? J * 0. + 1. : (J - J) / (J - J);
      for (int c = 0; c < dim; ++c)
        for (int d = 0; d < dim; ++d)
          {
            Lanes sum = S.a[c][d];
            for (int e = 0; e < dim; ++e)
              sum += H.a[c][e] * S.a[e][d];
            P.a[c][d] = no_turn * sum;
          }
      return P;
    }



    /// Forces of a group of points, which are added to @p f.
    template <int dim, LargeLaw law>
    PERCUSS_INLINE void
    add_group(const StrainCell   &cell,
              const double *const gradients,
              const double *const geometry,
              const double *const u,
              Lanes *const        f)
    {
      Entries<dim> inverse, g = {}, H = {}, t = {};
      for (int c = 0; c < dim; ++c)
        for (int d = 0; d < dim; ++d)
          inverse.a[c][d] = load(geometry + (c * dim + d) * n_lanes);
      for (unsigned int i = 0; i < cell.n_nodes; ++i)
        for (int d = 0; d < dim; ++d)
          for (int c = 0; c < dim; ++c)
            g.a[c][d] +=
              u[i * dim + c] * load(gradients + (i * dim + d) * n_lanes);
      for (int c = 0; c < dim; ++c)
        for (int d = 0; d < dim; ++d)
          for (int e = 0; e < dim; ++e)
            H.a[c][d] += g.a[c][e] * inverse.a[e][d];
      const Entries<dim> P = first_stress<dim, law>(cell.lambda, cell.mu, H);
      const Lanes        weight = load(geometry + dim * dim * n_lanes);
      for (int c = 0; c < dim; ++c)
        for (int e = 0; e < dim; ++e)
          {
            for (int d = 0; d < dim; ++d)
              t.a[c][e] += P.a[c][d] * inverse.a[e][d];
            t.a[c][e] *= weight;
          }
      for (unsigned int i = 0; i < cell.n_nodes; ++i)
        for (int e = 0; e < dim; ++e)
          for (int c = 0; c < dim; ++c)
            f[i * dim + c] +=
              t.a[c][e] * load(gradients + (i * dim + e) * n_lanes);
    }



    template <int dim, LargeLaw law>
    void
    find_forces(const StrainCell   &cell,
                const double *const u,
                double *const       forces)
    {
      constexpr unsigned int most_nodes = dim == 2 ? 16 : 64;
      const unsigned int     n          = dim * cell.n_nodes;
      Lanes                  f[most_nodes * dim];
      for (unsigned int i = 0; i < n; ++i)
        f[i] = Lanes{};
      for (unsigned int group = 0; group < cell.n_groups; ++group)
        add_group<dim, law>(cell,
                            cell.shape_gradients + group * n * n_lanes,
                            cell.geometry + group * (dim * dim + 1) * n_lanes,
                            u,
                            f);
      for (unsigned int i = 0; i < n; ++i)
        forces[i] = (f[i][0] + f[i][1]) + (f[i][2] + f[i][3]);
    }



    template <int dim>
    StrainKernel
    kernel_of_law(const unsigned int law)
    {
      return law == 0 ? &find_forces<dim, LargeLaw::linear> :
             law == 1 ? &find_forces<dim, LargeLaw::st_venant_kirchhoff> :
                        &find_forces<dim, LargeLaw::neo_hooke>;
    }

    StrainKernel
    find_strain_kernel(const unsigned int dim, const unsigned int law)
    {
      return dim == 2 ? kernel_of_law<2>(law) : kernel_of_law<3>(law);
    }

#undef PERCUSS_INLINE
  } // namespace
} // namespace Percuss
