// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_obstacles.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "formula_entry.h"

namespace Percuss
{
  namespace
  {
    template <int dim>
    dealii::Tensor<1, dim>
    vector(const std::vector<double> &components)
    {
      dealii::Tensor<1, dim> result;
      for (unsigned int d = 0; d < dim; ++d)
        result[d] = components[d];
      return result;
    }

    template <int dim>
    using View = typename SolidObstacle<dim>::View;

    /// The distance from a point or an axis whose place is @p way away.
    /// Where it has no direction, @p otherwise serves.
    template <int dim>
    View<dim>
    round_view(const dealii::Tensor<1, dim> &way,
               const double                  radius,
               const bool                    is_inside,
               const dealii::Tensor<1, dim> &otherwise)
    {
      const double sign = is_inside ? -1 : 1, length = way.norm();
      return {sign * (length - radius),
              sign * (length > 0 ? way / length : otherwise),
              {}};
    }

    /// A unit vector normal to @p axis.
    dealii::Tensor<1, 3>
    any_normal(const dealii::Tensor<1, 3> &axis)
    {
      unsigned int smallest = 0;
      for (unsigned int d = 1; d < 3; ++d)
        if (std::abs(axis[d]) < std::abs(axis[smallest]))
          smallest = d;
      dealii::Tensor<1, 3> result;
      result[smallest] = 1;
      result -= axis[smallest] * axis;
      return result / result.norm();
    }

    /// Outside, the way from the closest point of the box; inside, to the
    /// closest face.
    template <int dim>
    View<dim>
    box_view(const dealii::Point<dim>     &x,
             const dealii::Tensor<1, dim> &centre,
             const dealii::Tensor<1, dim> &half_size)
    {
      dealii::Tensor<1, dim> way, outwards;
      unsigned int           nearest = 0;
      double                 depth[dim];
      for (unsigned int d = 0; d < dim; ++d)
        {
          const double offset = x[d] - centre[d];
          outwards[d]         = offset < 0 ? -1 : 1;
          depth[d]            = half_size[d] - std::abs(offset);
          way[d]              = outwards[d] * std::max(-depth[d], 0.);
          if (depth[d] < depth[nearest])
            nearest = d;
        }
      const double length = way.norm();
      if (length > 0)
        return {length, way / length, {}};
      View<dim> view       = {-depth[nearest], {}, {}};
      view.normal[nearest] = outwards[nearest];
      return view;
    }

    template <int dim>
    std::function<View<dim>(const dealii::Point<dim> &)>
    distance_of_shape(const SolidParameters::Contact &contact)
    {
      using Position = dealii::Point<dim>;
      if (contact.obstacle == "plane")
        {
          const auto through = vector<dim>(contact.through);
          auto       normal  = vector<dim>(contact.normal);
          normal /= normal.norm();
          return [through, normal](const Position &x) {
            return View<dim>{(x - through) * normal, normal, {}};
          };
        }
      if (contact.obstacle == "box")
        {
          const auto half   = vector<dim>(contact.size) / 2;
          const auto centre = vector<dim>(contact.corner) + half;
          return [half, centre](const Position &x) {
            return box_view<dim>(x, centre, half);
          };
        }
      const auto   centre    = vector<dim>(contact.centre);
      const double radius    = contact.radius;
      const bool   is_inside = contact.side == "inside";
      if constexpr (dim == 3)
        if (contact.obstacle == "cylinder")
          {
            auto axis = vector<3>(contact.axis);
            axis /= axis.norm();
            return [=, normal = any_normal(axis)](const Position &x) {
              const dealii::Tensor<1, dim> way = x - centre;
              return round_view<dim>(way - (way * axis) * axis,
                                     radius,
                                     is_inside,
                                     normal);
            };
          }
      dealii::Tensor<1, dim> up;
      up[dim - 1] = 1;
      return [=](const Position &x) {
        return round_view<dim>(x - centre, radius, is_inside, up);
      };
    }
  } // namespace



  template <int dim>
  SolidObstacle<dim>::SolidObstacle(const SolidParameters          &parameters,
                                    const SolidParameters::Contact &contact,
                                    const std::string              &path)
    : is_plane(contact.obstacle == "plane")
    , is_moving(contact.is_moving())
    , pivot(vector<dim>(contact.pivot))
  {
    distance = contact.obstacle == "formula" ?
                 distance_of_formula(parameters, contact, path) :
                 distance_of_shape<dim>(contact);
    axis[2]  = 1;
    if constexpr (dim == 3)
      axis = vector<3>(contact.turning_axis) /
             vector<3>(contact.turning_axis).norm();
    if (is_moving)
      read_motion(parameters, contact, path);
  }



  template <int dim>
  void
  SolidObstacle<dim>::read_motion(const SolidParameters          &parameters,
                                  const SolidParameters::Contact &contact,
                                  const std::string              &path)
  {
    const std::string  section = "model/" + parameters.model();
    const FormulaEntry of_motion(path + "/motion", contact.motion, section);
    const FormulaEntry of_turning(path + "/turning", contact.turning, section);
    FormulaNames       names;
    names.add_variable("t");
    std::vector<Formula> formulas(dim + 1);
    for (const auto &item : of_motion.items())
      formulas[of_motion.find(item, parameters.directions(), "direction")] =
        of_motion.formula(item.text, names);
    if (of_turning.has_text())
      formulas[dim] = of_turning.formula(of_turning.whole(), names);
    for (unsigned int i = 0; i <= dim; ++i)
      formulas.push_back(formulas[i].derivative(0));
    motion = CompiledFormulas(formulas, names);
  }



  /// (G, dG/dx, dG/dt) / |dG/dx|
  template <int dim>
  typename SolidObstacle<dim>::Distance
  SolidObstacle<dim>::distance_of_formula(
    const SolidParameters          &parameters,
    const SolidParameters::Contact &contact,
    const std::string              &path)
  {
    const FormulaEntry entry(path + "/distance",
                             contact.distance,
                             "model/" + parameters.model());
    FormulaNames       names;
    for (const std::string &direction : parameters.directions())
      names.add_variable(direction);
    names.add_variable("t");
    std::vector<Formula> formulas = {entry.formula(entry.whole(), names)};
    bool                 is_flat  = true;
    for (unsigned int i = 0; i <= dim; ++i)
      {
        formulas.push_back(formulas[0].derivative(i));
        is_flat &= i == dim || formulas.back().is_zero();
      }
    if (is_flat)
      entry.refuse("does not depend on the place.");
    formula = CompiledFormulas(formulas, names);
    return [this](const Position &x) {
      double at[dim + 1], values[dim + 2];
      for (unsigned int d = 0; d < dim; ++d)
        at[d] = x[d];
      at[dim] = time;
      formula.evaluate(at, values);
      View view;
      for (unsigned int d = 0; d < dim; ++d)
        view.normal[d] = values[1 + d];
      const double length = view.normal.norm();
      // A place where the formula has an extremum is no place of contact.
      if (length == 0)
        view.normal[dim - 1] = 1;
      else
        view.normal /= length;
      view.gap = values[0] / (length == 0 ? 1 : length);
      view.velocity =
        length == 0 ? Direction() : -values[dim + 1] / length * view.normal;
      return view;
    };
  }



  template <int dim>
  void
  SolidObstacle<dim>::set_time(const double t) const
  {
    time = t;
    if (!is_moving)
      return;
    double values[2 * (dim + 1)];
    motion.evaluate(&t, values);
    for (unsigned int d = 0; d < dim; ++d)
      {
        shift[d]    = values[d];
        velocity[d] = values[dim + 1 + d];
      }
    sine            = std::sin(values[dim]);
    cosine          = std::cos(values[dim]);
    rate_of_turning = values[2 * dim + 1];
  }



  template <int dim>
  typename SolidObstacle<dim>::Direction
  SolidObstacle<dim>::spun(const Direction &r) const
  {
    if constexpr (dim == 2)
      {
        Direction result;
        result[0] = -r[1];
        result[1] = r[0];
        return result;
      }
    else
      return dealii::cross_product_3d(axis, r);
  }



  /// Rodrigues' formula.
  template <int dim>
  typename SolidObstacle<dim>::Direction
  SolidObstacle<dim>::turned(const Direction &x) const
  {
    const Direction once = spun(x);
    return x + sine * once + (1 - cosine) * spun(once);
  }



  template <int dim>
  typename SolidObstacle<dim>::Direction
  SolidObstacle<dim>::turned_back(const Direction &x) const
  {
    const Direction once = spun(x);
    return x - sine * once + (1 - cosine) * spun(once);
  }



  template <int dim>
  typename SolidObstacle<dim>::View
  SolidObstacle<dim>::view(const Position &x) const
  {
    if (!is_moving)
      return distance(x);
    const Direction way  = x - pivot - shift;
    View            seen = distance(pivot + turned_back(way));
    seen.normal          = turned(seen.normal);
    seen.velocity =
      turned(seen.velocity) + velocity + rate_of_turning * spun(way);
    return seen;
  }

  template <int dim>
  typename SolidObstacle<dim>::Bound
  SolidObstacle<dim>::bound(const Position &centre, const double radius) const
  {
    const Direction way   = centre - pivot - shift;
    const Position  there = is_moving ? pivot + turned_back(way) : centre;
    Bound least = formula.size() > 0 ? bound_of_formula(there, radius) :
                                       Bound{distance(there).gap - radius, 0};
    if (is_moving)
      least.speed +=
        velocity.norm() + std::abs(rate_of_turning) * (way.norm() + radius);
    return least;
  }



  /// The gap is G/|dG/dx|, or G where that is 0; the speed |dG/dt|/|dG/dx|.
  template <int dim>
  typename SolidObstacle<dim>::Bound
  SolidObstacle<dim>::bound_of_formula(const Position &centre,
                                       const double    radius) const
  {
    ValueRange at[dim + 1], values[dim + 2];
    for (unsigned int d = 0; d < dim; ++d)
      at[d] = {centre[d] - radius, centre[d] + radius};
    at[dim] = {time, time};
    formula.bound(at, values);
    const auto least = [](const ValueRange &i) {
      return std::max({0., i.lower, -i.upper});
    };
    const auto most = [](const ValueRange &i) {
      return std::max(std::abs(i.lower), std::abs(i.upper));
    };
    double shortest = 0, longest = 0; // squares of |dG/dx|
    for (unsigned int d = 0; d < dim; ++d)
      {
        shortest += std::pow(least(values[1 + d]), 2);
        longest += std::pow(most(values[1 + d]), 2);
      }
    Bound        result{values[0].lower, most(values[dim + 1])};
    const double G = values[0].lower;
    if (G > 0)
      result.gap = shortest > 0 ? G / std::sqrt(longest) :
                                  std::min(G, G / std::sqrt(longest));
    if (result.speed > 0)
      result.speed /= std::sqrt(shortest);
    return result;
  }

  template class SolidObstacle<2>;
  template class SolidObstacle<3>;
} // namespace Percuss
