// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/field_folder.h>

#include <deal.II/base/data_out_base.h>
#include <deal.II/grid/reference_cell.h>

#include <mpi.h>

#include <string>
#include <vector>

namespace Percuss
{
  /// Fields on a part of a mesh, each patch with its own points.
  template <int dim, int space_dim = 2>
  struct FieldPatches
  {
    using Patch = dealii::DataOutBase::Patch<dim, space_dim>;

    /// A patch of the right shape: without it, files have no cells.
    static Patch
    make_patch()
    {
      Patch patch;
      if constexpr (dim > 0)
        patch.reference_cell = dealii::ReferenceCells::get_hypercube<dim>();
      return patch;
    }

    std::vector<Patch>       patches;
    std::vector<std::string> names; ///< of the rows of Patch::data
    /// Names of vector fields; each takes three consecutive rows.
    std::vector<std::string> vectors;
    /// The same of tensors; each takes nine, row by row.
    std::vector<std::string> tensors;
  };

  /// Writes FOLDER/NAME.vtu where there is one file, NAME.F.vtu and NAME.pvtu
  /// where there are several, each as a whole, and returns the name of the file
  /// to open. Vector fields come first in the rows of the patches, then
  /// tensors. Collective.
  /// @throws Error with ExitCode::io, for example when the disk is full
  template <int dim, int space_dim>
  std::string
  write_vtu(const FieldPatches<dim, space_dim> &fields,
            const FieldFolder                  &folder,
            const std::string                  &name,
            double                              time,
            MPI_Comm                            communicator);
} // namespace Percuss
