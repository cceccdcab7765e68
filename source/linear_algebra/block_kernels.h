// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

namespace Percuss
{
  /// Places of a node in the vector that substitutions work on: registers hold
  /// four numbers.
  constexpr unsigned int n_lanes = 4;

  /// Rows of a matrix with an entry for each pair of nodes, a block or a number
  /// times the identity: the diagonal, then columns after it.
  struct BlockRows
  {
    const unsigned int *start; ///< place of the diagonal of each row
    const unsigned int *end;   ///< of the places of each row
    const unsigned int *columns;
    unsigned int        begin_row, end_row;
  };

  /// The loops over such rows. Nodes have two or three numbers.
  struct BlockKernels
  {
    /// y <- y + A x for symmetric A, given by its upper half.
    void (*multiply)(const BlockRows &rows,
                     const double    *A,
                     const double    *x,
                     double          *y);

    /// y <- V^-T y, V with ones on the diagonal. In y each node has four
    /// places, and the values are followed by four numbers that do not count.
    void (*substitute_forward)(const BlockRows &rows, const float *V, float *y);

    /// y <- V^-1 D^-1 y, with D^-1 on the diagonal of the values.
    void (*substitute_backward)(const BlockRows &rows,
                                const float     *V,
                                float           *y);
  };

  /// The fastest ones that this processor has for nodes with @p size numbers
  /// and entries that are blocks or numbers.
  const BlockKernels &
  block_kernels(unsigned int size, bool has_numbers);

  /// Of all processors, and of those with AVX2 and FMA; none where the compiler
  /// has no such target.
  const BlockKernels &
  portable_block_kernels(unsigned int size, bool has_numbers);
  const BlockKernels *
  avx2_block_kernels(unsigned int size, bool has_numbers);
} // namespace Percuss
