// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

// Sum factorisation for elastic cells, compiled once for each processor that
// has a file of its own, which includes this one. All of it has internal
// linkage, and nothing but the compiler is used: a function that is shared by
// files with different targets would be taken from any of them.

#include "solid_kernel.h"

namespace Percuss
{
  namespace
  {
#define PERCUSS_INLINE inline __attribute__((always_inline))

    using Lanes = double __attribute__((vector_size(8 * CellGroups::n_lanes)));

    constexpr int
    power(const int base, const int exponent)
    {
      return exponent == 0 ? 1 : base * power(base, exponent - 1);
    }



    /// out = M in, or M^T in, along a direction of the n^dim values of a cell;
    /// may work in place, or add.
    template <int dim, int n, int direction, bool transpose, bool add>
    PERCUSS_INLINE void
    transform(const double *const M, const Lanes *const in, Lanes *const out)
    {
      constexpr int stride  = power(n, direction);
      constexpr int n_outer = power(n, dim - 1 - direction);
      for (int outer = 0; outer < n_outer; ++outer)
        for (int inner = 0; inner < stride; ++inner)
          {
            const int first = outer * stride * n + inner;
            Lanes     x[n];
            for (int i = 0; i < n; ++i)
              x[i] = in[first + i * stride];
            for (int q = 0; q < n; ++q)
              {
                Lanes sum = M[transpose ? q : q * n] * x[0];
                for (int i = 1; i < n; ++i)
                  sum += M[transpose ? i * n + q : q * n + i] * x[i];
                if (add)
                  sum += out[first + q * stride];
                out[first + q * stride] = sum;
              }
          }
    }



    /// Between nodes and Gauss points.
    template <int dim, int n, bool transpose>
    PERCUSS_INLINE void
    interpolate(const double *const shapes, Lanes *const u)
    {
      transform<dim, n, 0, transpose, false>(shapes, u, u);
      transform<dim, n, 1, transpose, false>(shapes, u, u);
      if constexpr (dim == 3)
        transform<dim, n, 2, transpose, false>(shapes, u, u);
    }



    /// Derivatives in the unit cell at Gauss points: [direction][point].
    template <int dim, int n>
    PERCUSS_INLINE void
    differentiate(const double *const D, const Lanes *const u, Lanes *const g)
    {
      constexpr int N = power(n, dim);
      transform<dim, n, 0, false, false>(D, u, g);
      transform<dim, n, 1, false, false>(D, u, g + N);
      if constexpr (dim == 3)
        transform<dim, n, 2, false, false>(D, u, g + 2 * N);
    }



    /// The transpose; with @p add it adds to u.
    template <int dim, int n, bool add>
    PERCUSS_INLINE void
    integrate_derivatives(const double *const D,
                          const Lanes *const  g,
                          Lanes *const        u)
    {
      constexpr int N = power(n, dim);
      transform<dim, n, 0, true, add>(D, g, u);
      transform<dim, n, 1, true, true>(D, g + N, u);
      if constexpr (dim == 3)
        transform<dim, n, 2, true, true>(D, g + 2 * N, u);
    }



    /// Turns the derivatives in the unit cell into stresses there, at a point:
    /// sigma(grad u J^-1) J^-T, times the weights in lambda and mu.
    template <int dim, int N>
    PERCUSS_INLINE void
    stress(const Lanes *const inverse, // J^-1
           const Lanes        lambda,
           const Lanes        mu,
           Lanes *const       g) // [component][direction][point]
    {
      Lanes H[dim][dim], s[dim][dim];
      for (int c = 0; c < dim; ++c)
        for (int d = 0; d < dim; ++d)
          {
            H[c][d] = g[c * dim * N] * inverse[d];
            for (int e = 1; e < dim; ++e)
              H[c][d] += g[(c * dim + e) * N] * inverse[e * dim + d];
          }
      Lanes trace = H[0][0];
      for (int c = 1; c < dim; ++c)
        trace += H[c][c];
      for (int c = 0; c < dim; ++c)
        {
          s[c][c] = lambda * trace + 2 * mu * H[c][c];
          for (int d = 0; d < c; ++d)
            s[d][c] = s[c][d] = mu * (H[c][d] + H[d][c]);
        }
      for (int c = 0; c < dim; ++c)
        for (int e = 0; e < dim; ++e)
          {
            Lanes sum = s[c][0] * inverse[e * dim];
            for (int d = 1; d < dim; ++d)
              sum += s[c][d] * inverse[e * dim + d];
            g[(c * dim + e) * N] = sum;
          }
    }



    template <int dim, int n>
    PERCUSS_INLINE void
    gather(const unsigned int *nodes, const double *const x, Lanes *const u)
    {
      constexpr int N = power(n, dim);
      for (int i = 0; i < N; ++i, nodes += CellGroups::n_lanes)
        for (int c = 0; c < dim; ++c)
          u[c * N + i] = Lanes{x[nodes[0] + c],
                               x[nodes[1] + c],
                               x[nodes[2] + c],
                               x[nodes[3] + c]};
    }



    template <int dim, int n>
    PERCUSS_INLINE void
    scatter(const unsigned int *nodes, const Lanes *const u, double *const y)
    {
      constexpr int N = power(n, dim);
      for (int i = 0; i < N; ++i, nodes += CellGroups::n_lanes)
        for (unsigned int lane = 0; lane < CellGroups::n_lanes; ++lane)
          for (int c = 0; c < dim; ++c)
            y[nodes[lane] + c] += u[c * N + i][lane];
    }



    PERCUSS_INLINE Lanes
    lanes_at(const double *const values)
    {
      Lanes result;
      __builtin_memcpy(&result, values, sizeof(result));
      return result;
    }



    /// What happens at Gauss points; @p geometry is that of the group.
    template <int dim, int n, bool affine, bool with_mass, bool with_stiffness>
    PERCUSS_INLINE void
    act_at_points(const double *const weights,
                  const double       *geometry,
                  const Lanes (&material)[3],
                  Lanes *const u,
                  Lanes *const g)
    {
      constexpr int N = power(n, dim), n_entries = dim * dim + 1;
      Lanes         inverse[n_entries];
      for (int q = 0; q < N; ++q)
        {
          if (q == 0 || !affine)
            for (int e = 0; e < n_entries; ++e, geometry += CellGroups::n_lanes)
              inverse[e] = lanes_at(geometry);
          const Lanes w =
            affine ? inverse[dim * dim] * weights[q] : inverse[dim * dim];
          if (with_stiffness)
            stress<dim, N>(inverse, material[0] * w, material[1] * w, g + q);
          if (with_mass)
            for (int c = 0; c < dim; ++c)
              u[c * N + q] *= material[2] * w;
        }
    }



    template <int dim, int n, bool affine, bool with_mass, bool with_stiffness>
    PERCUSS_INLINE void
    multiply_group(const CellGroups   &cells,
                   const unsigned int *nodes,
                   const double       *materials,
                   const double       *geometry,
                   const double        m,
                   const double        k,
                   const double       *x,
                   double             *y)
    {
      constexpr int N = power(n, dim);
      Lanes         u[dim * N], g[with_stiffness ? dim * dim * N : 1];
      gather<dim, n>(nodes, x, u);
      for (int c = 0; c < dim; ++c)
        {
          interpolate<dim, n, false>(cells.shapes, u + c * N);
          if (with_stiffness)
            differentiate<dim, n>(cells.derivatives,
                                  u + c * N,
                                  g + c * dim * N);
        }
      const Lanes material[3] = {k * lanes_at(materials),
                                 k * lanes_at(materials + CellGroups::n_lanes),
                                 m * lanes_at(materials +
                                              2 * CellGroups::n_lanes)};
      act_at_points<dim, n, affine, with_mass, with_stiffness>(
        cells.weights, geometry, material, u, g);
      for (int c = 0; c < dim; ++c)
        {
          if (with_stiffness)
            integrate_derivatives<dim, n, with_mass>(cells.derivatives,
                                                     g + c * dim * N,
                                                     u + c * N);
          interpolate<dim, n, true>(cells.shapes, u + c * N);
        }
      scatter<dim, n>(nodes, u, y);
    }



    template <int dim, int n, bool with_mass, bool with_stiffness>
    void
    multiply_groups(const CellGroups &cells,
                    const double      m,
                    const double      k,
                    const double     *x,
                    double           *y)
    {
      constexpr unsigned int N = power(n, dim), w = CellGroups::n_lanes;
      constexpr unsigned int n_entries = (dim * dim + 1) * w;
      const unsigned int    *nodes     = cells.nodes;
      const double          *materials = cells.materials;
      for (unsigned int i = 0; i < cells.n_affine; ++i)
        {
          multiply_group<dim, n, true, with_mass, with_stiffness>(
            cells, nodes, materials, cells.affine + i * n_entries, m, k, x, y);
          nodes += N * w;
          materials += 3 * w;
        }
      const double *geometry = cells.curved;
      for (unsigned int i = 0; i < cells.n_curved; ++i)
        {
          multiply_group<dim, n, false, with_mass, with_stiffness>(
            cells, nodes, materials, geometry, m, k, x, y);
          nodes += N * w;
          materials += 3 * w;
          geometry += N * n_entries;
        }
    }



    template <int dim, int n>
    void
    multiply(const CellGroups &cells,
             const double      m,
             const double      k,
             const double     *x,
             double           *y)
    {
      if (m == 0 && k == 0)
        return;
      if (m == 0)
        multiply_groups<dim, n, false, true>(cells, m, k, x, y);
      else if (k == 0)
        multiply_groups<dim, n, true, false>(cells, m, k, x, y);
      else
        multiply_groups<dim, n, true, true>(cells, m, k, x, y);
    }



    SolidKernel
    find_kernel(const unsigned int dim, const unsigned int degree)
    {
      const SolidKernel kernels[2][3] = {
        {&multiply<2, 2>, &multiply<2, 3>, &multiply<2, 4>},
        {&multiply<3, 2>, &multiply<3, 3>, &multiply<3, 4>}};
      return kernels[dim - 2][degree - 1];
    }

#undef PERCUSS_INLINE
  } // namespace
} // namespace Percuss
