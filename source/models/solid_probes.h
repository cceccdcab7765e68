// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>
#include <percuss/mechanics/mechanical_model.h>
#include <percuss/mechanics/state.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solid.h"

namespace Percuss
{
  /// A list of coordinates, or nothing where it is none.
  template <int dim>
  std::optional<dealii::Point<dim>>
  read_place(const std::string &text);

  /// Makes the probes of a solid: of bodies, of places in them and of supports.
  /// They refer to the solid alone.
  template <int dim>
  class SolidProbes
  {
  public:
    explicit SolidProbes(const Solid<dim> &solid)
      : solid(solid)
    {}

    /// Collective.
    /// @throws Error with ExitCode::usage
    Probe
    make(const std::string &name, const std::string &what) const;

  private:
    using Value = std::function<double(const State &)>;
    /// The number of a body, or none for all.
    using Body = std::optional<unsigned int>;

    /// The words of a probe, "QUANTITY of SUBJECT at PLACE".
    struct Request
    {
      std::string name, what, quantity;
      std::string subject, place; ///< or empty
    };

    /// A probe with this name of its quantity.
    template <typename Subject>
    struct Kind
    {
      std::string                           name, unit;
      std::function<Value(const Subject &)> make;
    };

    /// A place in cells, of several ranks where they meet.
    struct Place;

    static Request
    read(const std::string &name, const std::string &what);

    [[noreturn]] void
    refuse(const Request &request, const std::string &reason) const;

    /// The number of a name.
    unsigned int
    find(const Request                  &request,
         const std::string              &kind,
         const std::vector<std::string> &names) const;
    unsigned int
    find_body(const Request &request) const;

    std::vector<Kind<Body>>
    kinds_of_bodies() const;
    std::vector<Kind<Place>>
    kinds_of_places() const;
    std::vector<Kind<unsigned int>>
    kinds_of_supports() const;

    Place
    find_place(const Request &request) const;

    /// Sums of own nodes of a body.
    Value
    weighted(const Body  &body,
             unsigned int direction,
             bool         is_velocity,
             bool         is_mean) const;
    Value
    angular_momentum(const Body &body, unsigned int axis) const;
    Value
    kinetic_energy(const Body &body) const;
    /// By the quadrature of the stiffness.
    Value
    strain_energy(const Body &body) const;

    Value
    motion(const Place &place, unsigned int direction, bool is_velocity) const;
    /// A function of the stress at a place.
    Value
    stress(const Place                                               &place,
           const std::function<double(const dealii::Tensor<2, 3> &)> &of) const;

    /// The force of a support on the bodies, along a direction:
    /// @f[ R = \sum_i (K u + C\dot u + m\ddot u - f)_i @f]
    /// over its degrees of freedom i in that direction, with the whole motion u
    /// and masses m as sums of rows. None where it does not hold them.
    Value
    reaction(unsigned int support, unsigned int direction) const;

    struct SupportRows;

    std::shared_ptr<SupportRows>
    rows_of(unsigned int support, unsigned int direction) const;
    /// Adds the columns of degrees of freedom that have this number in
    /// @p numbers, and their weight.
    void
    add_columns(const Vector &numbers,
                unsigned int  number,
                SupportRows  &rows) const;

    const Solid<dim> &solid;
  };
} // namespace Percuss
