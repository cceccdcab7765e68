// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/fe/mapping.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "solid_material.h"
#include "solid_mesh.h"

namespace Percuss
{
  /// What a body looks like in numbers, on all ranks alike.
  struct BodySurvey
  {
    struct Side
    {
      double n_faces, area; ///< in the plane a length times the thickness
    };

    /// Of the cells with a name in the file.
    struct Volume
    {
      double       n_cells = 0, volume = 0, mass = 0;
      unsigned int material = 0;
    };

    double n_cells = 0, volume = 0, mass = 0;
    double shortest_edge = 0, longest_edge = 0;
    /// det J / (|J_1| |J_2| |J_3|): 1 of a brick, 0 of a flat corner.
    double worst_jacobian = 1;
    /// The time that the fastest wave takes through the shortest edge of a
    /// cell and one degree.
    double                        shortest_time = 0;
    std::map<std::string, Side>   sides; ///< without 'all'
    std::map<std::string, Volume> volumes;
  };

  /// Looks at all cells and faces. Collective.
  template <int dim>
  std::vector<BodySurvey>
  survey(const SolidMesh<dim>             &mesh,
         const dealii::Mapping<dim>       &mapping,
         const SolidParameters            &parameters,
         const std::vector<SolidMaterial> &materials);

  /// Refuses cells that are inverted or flat where they are integrated, or at
  /// corners, and says where the worst one is. Collective.
  /// @throws Error with ExitCode::mesh
  template <int dim>
  void
  check_cells(const SolidMesh<dim>       &mesh,
              const dealii::Mapping<dim> &mapping,
              const SolidParameters      &parameters);

  /// What to do against a large coarse mesh, from the numbers of coarse cells
  /// of bodies; empty where it is small.
  std::string
  coarse_mesh_warning(const std::vector<unsigned int> &n_coarse_cells,
                      const SolidParameters           &parameters);

  /// The lines on bodies and materials for people.
  std::vector<std::pair<std::string, std::string>>
  describe(const std::vector<BodySurvey>    &bodies,
           const SolidParameters            &parameters,
           const std::vector<SolidMaterial> &materials);
} // namespace Percuss
