// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

namespace Percuss
{
  /// A cell for large strains, with its Gauss points in groups of four, one for
  /// each lane of a vector register of 256 bit. All arrays have the lanes last.
  /// Lanes without a point have the geometry of another one, and no weight.
  struct StrainCell
  {
    static constexpr unsigned int n_lanes = 4;

    unsigned int n_nodes, n_groups;
    /// [group][node][direction][lane], of the unit cell.
    const double *shape_gradients;
    /// [group][J^-1 by rows, weight times det J][lane]
    const double *geometry;
    double        lambda, mu;
  };

  /// The forces of the nodes of a cell for its displacements, both
  /// [node][component]. Where the cell is inside out they are no numbers.
  using StrainKernel = void (*)(const StrainCell &cell,
                                const double     *displacements,
                                double           *forces);

  /// For the law with this number in SolidMaterial::Law. The second one is for
  /// processors with AVX2 and fused multiplication and addition, and null where
  /// the compiler has no such target.
  StrainKernel
  portable_strain_kernel(unsigned int dim, unsigned int law);
  StrainKernel
  avx2_strain_kernel(unsigned int dim, unsigned int law);
} // namespace Percuss
