// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

namespace Percuss
{
  /// Cells of a solid in groups of four, one for each lane of a vector register
  /// of 256 bit. All arrays have the lanes last. Lanes without a cell have
  /// nodes of another cell, and a geometry of zeros.
  struct CellGroups
  {
    static constexpr unsigned int n_lanes = 4;

    unsigned int n_affine = 0; ///< groups with constant Jacobians, the first
    unsigned int n_curved = 0; ///< the others
    /// [group][node][lane]: in the order of x, y, z; the place of the first
    /// component in a vector.
    const unsigned int *nodes = nullptr;
    /// [group][lambda, mu, density][lane]
    const double *materials = nullptr;
    /// [group][J^-1 by rows, det J][lane] where they are constant, else
    /// [group][point][J^-1 by rows, weight times det J][lane].
    const double *affine = nullptr, *curved = nullptr;
    /// Shape functions at Gauss points in one dimension, [point][node]; the
    /// derivatives of the polynomials that are one at a Gauss point and zero at
    /// others, [point][polynomial]; weights of all Gauss points.
    const double *shapes = nullptr, *derivatives = nullptr, *weights = nullptr;
  };

  /// Adds (m M + k K) x to y, both with the values of all nodes of the cells.
  /// Where a factor is zero, nothing of that matrix is computed.
  using SolidKernel = void (*)(const CellGroups &cells,
                               double            m,
                               double            k,
                               const double     *x,
                               double           *y);

  /// Of degree 1 to 3. The second one is for processors with AVX2 and fused
  /// multiplication and addition, and null where the compiler has no such
  /// target.
  SolidKernel
  portable_solid_kernel(unsigned int dim, unsigned int degree);
  SolidKernel
  avx2_solid_kernel(unsigned int dim, unsigned int degree);
} // namespace Percuss
