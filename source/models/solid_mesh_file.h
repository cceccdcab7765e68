// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/grid/tria.h>

#include "mesh_file.h"
#include "solid_entries.h"

namespace Percuss
{
  /// Makes the coarse cells of a body from its mesh file. The material number
  /// of a cell is that of its group of volumes; the boundary number of a face
  /// is 0, or 1 and that of its group of sides.
  /// @throws Error with ExitCode::mesh
  template <int dim>
  void
  make_coarse_mesh(const SolidParameters::Body &body,
                   dealii::Triangulation<dim>  &coarse);

  /// Copies of parameters, with the mesh files that the bodies name: the first
  /// rank reads them, all receive them. Collective.
  template <typename Parameters>
  Parameters
  with_mesh_files(Parameters parameters, const MPI_Comm communicator)
  {
    parameters.read_mesh_files(communicator);
    return parameters;
  }
} // namespace Percuss
