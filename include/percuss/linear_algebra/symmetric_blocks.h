// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/ghost_exchange.h>
#include <percuss/linear_algebra/petsc.h>
#include <percuss/linear_algebra/vector.h>

#include <petscmat.h>

#include <memory>
#include <vector>

namespace Percuss
{
  /// Which nodes of a mesh feel each other. Each rank holds pairs (i, j), i <=
  /// j, for the nodes i that it owns; all degrees of freedom of a node follow
  /// each other.
  struct BlockPattern
  {
    /// @p columns are global numbers of nodes, ascending in each row, the
    /// first one that of the row itself. Collective.
    BlockPattern(unsigned int                     size,
                 const Partition                 &owned,
                 const std::vector<unsigned int> &start,
                 const std::vector<unsigned int> &columns);

    const unsigned int              size;  ///< degrees of freedom of a node
    const Partition                 owned; ///< of degrees of freedom
    const std::vector<unsigned int> start;
    /// Counted by this rank: its own nodes, then others.
    std::vector<unsigned int> columns;
    std::vector<unsigned int> end_of_own;  ///< end of own columns of a row
    std::vector<unsigned int> shared_rows; ///< rows with other columns
    std::vector<unsigned int> others;      ///< their global numbers, ascending
    Partition                 ghosted; ///< of degrees of freedom, with others

    /// The coordinates of this rank's nodes, one node after the other, where
    /// the degrees of freedom are displacements: rigid motions follow from
    /// them. Empty where they are not known.
    mutable std::vector<double> places;

    unsigned int
    n_rows() const
    {
      return static_cast<unsigned int>(start.size() - 1);
    }

    /// Of a column.
    unsigned int
    global(const unsigned int column) const
    {
      return column < n_rows() ?
               static_cast<unsigned int>(owned->local_range().first / size) +
                 column :
               others[column - n_rows()];
    }

    /// The place of the block of an own row and a column.
    std::size_t
    find(unsigned int row, unsigned int column) const;

  private:
    void
    find_shared_rows();
  };



  /// Applies matrices with such a pattern to vectors of all ranks.
  class BlockProduct
  {
  public:
    explicit BlockProduct(const std::shared_ptr<const BlockPattern> &pattern);

    const std::shared_ptr<const BlockPattern> pattern;

  protected:
    /// y = A x with @p values, blocks or @p has_numbers. What other ranks have
    /// is sent while own pairs are added. Collective.
    void
    apply(const std::vector<double> &values,
          bool                       has_numbers,
          const double              *x,
          double                    *y) const;

  private:
    /// Adds what pairs with others' nodes give, after their entries of x have
    /// been asked for.
    template <unsigned int size>
    void
    add_others(const std::vector<double> &values,
               bool                       has_numbers,
               const double              *x,
               double                    *y) const;

    std::unique_ptr<GhostExchange> exchange; ///< on several ranks
  };



  /// A symmetric matrix with a number times the identity for each pair of
  /// nodes, such as a mass matrix.
  class SymmetricScalars : public BlockProduct
  {
  public:
    explicit SymmetricScalars(
      const std::shared_ptr<const BlockPattern> &pattern);

    std::vector<double> values;

    /// y = A x. Collective.
    void
    multiply(const Vector &x, Vector &y) const;
  };



  /// A symmetric matrix of blocks, half of which are held.
  class SymmetricBlocks : public BlockProduct
  {
  public:
    explicit SymmetricBlocks(
      const std::shared_ptr<const BlockPattern> &pattern);

    /// Column by column within a block, as PETSc has it.
    std::vector<double> values;

    double *
    block(const std::size_t place)
    {
      return values.data() + place * pattern->size * pattern->size;
    }
    const double *
    block(const std::size_t place) const
    {
      return values.data() + place * pattern->size * pattern->size;
    }

    /// y = A x. Collective.
    void
    multiply(const Vector &x, Vector &y) const;

    /// The same; both are the entries of this rank.
    void
    multiply(const double *x, double *y) const;

    /// The entries of this rank's rows on the diagonal.
    std::vector<double>
    diagonal() const;

    /// A copy as PETSc's SBAIJ. Collective.
    void
    make_petsc(Mat *matrix) const;
  };
} // namespace Percuss
