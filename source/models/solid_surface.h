// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>
#include <percuss/mechanics/mechanical_model.h>
#include <percuss/mechanics/state.h>
#include <percuss/mechanics/vtu_mesh.h>

#include <deal.II/base/point.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "solid.h"
#include "solid_traction.h"

namespace Percuss
{
  /// The sides of a solid that may touch something, with what acts on them, for
  /// pictures and probes.
  template <int dim>
  class SolidSurfaces
  {
  public:
    /// After all contacts were added. Collective.
    explicit SolidSurfaces(const Solid<dim> &solid);

    /// The integral of the shape function of an own node over the side of a
    /// contact of the file, in m^2.
    double
    area(const unsigned int contact, const unsigned int node) const
    {
      const auto found = areas[contact].find(node);
      return found == areas[contact].end() ? 0 : found->second;
    }

    /// Writes the surfaces in their present position.
    void
    write(const State       &state,
          const Vector      &contact_forces,
          const FieldFolder &folder,
          const std::string &name) const;

    /// Of a contact of the file.
    Probe
    make_probe(const std::string &name, const std::string &what) const;

  private:
    /// The side of a contact on own cells, face after face, row by row.
    using Surface = std::vector<SolidSurfacePoint<dim>>;

    /// The faces of a side on own cells; adds the areas of nodes, at their
    /// first degrees of freedom.
    Surface
    make_surface(unsigned int       body,
                 const std::string &side,
                 Vector            &areas_of_nodes) const;

    /// Adds one of them, with friction, pressure and status, and gaps of own
    /// nodes.
    void
    add_surface(unsigned int                         contact,
                const State                         &state,
                const std::array<const Vector *, 3> &of_nodes,
                VtuMesh                             &result) const;

    /// What a contact of the file has on all ranks, after a step of @p h
    /// seconds.
    TractionSums<dim>
    add_up(unsigned int contact, const State &state, double h) const;

    std::vector<ContactQuantity<dim>>
    quantities() const;
    Probe
    sum_probe(const std::string          &name,
              unsigned int                contact,
              const ContactQuantity<dim> &quantity) const;
    Probe
    traction_probe(const std::string        &name,
                   unsigned int              contact,
                   const dealii::Point<dim> &place,
                   unsigned int              component) const;

    const Solid<dim> &solid;
    /// Of own nodes, for each contact of the file.
    std::vector<std::map<unsigned int, double>> areas;
    std::vector<Surface>                        surfaces;
  };
} // namespace Percuss
