// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/gradient_projection.h>

#include <deal.II/base/mpi.h>

#include <cmath>

namespace Percuss
{
  namespace
  {
    constexpr double infinity = std::numeric_limits<double>::infinity();
  }



  GradientProjection::GradientProjection(const BoundedProgramme &programme)
    : programme(programme)
    , g(programme.partition())
    , p(programme.partition())
    , Hp(programme.partition())
    , old_x(programme.partition())
    , old_g(programme.partition())
  {}



  unsigned int
  GradientProjection::minimise(const double       target,
                               const unsigned int maximum_products,
                               Vector            &x)
  {
    programme.gradient(x, g);
    n_products    = 1;
    bool is_fresh = true; // whether g is H x - f and not updated from before
    restart_direction(x);
    while (n_products < maximum_products)
      {
        const Measures measures = measure(x);
        if (measures.residual * amplification(programme, quotients) <= target)
          {
            if (is_fresh)
              break;
            programme.gradient(x, g);
            ++n_products;
            restart_direction(x);
            is_fresh = true;
            continue;
          }
        is_fresh = false;
        if (!(measures.chopped <= measures.free ? step_in_face(x) :
                                                  step_off_bounds(x)))
          break;
      }
    return n_products;
  }



  GradientProjection::Measures
  GradientProjection::measure(const Vector &x) const
  {
    const double inverse_length = quotients.largest / 2;
    double       sums[2]        = {0, 0};
    for (unsigned int i = 0; i < programme.size(); ++i)
      {
        const double phi = free_gradient(x, i), beta = chopped_gradient(x, i);
        const double scale = programme.inverse_diagonal[i];
        const double bound = phi > 0 ? programme.lower[i] : programme.upper[i];
        const double reduced = std::min(std::abs(phi),
                                        inverse_length * programme.diagonal[i] *
                                          std::abs(x.local_element(i) - bound));
        sums[0] += beta * beta * scale;
        sums[1] += reduced * std::abs(phi) * scale;
      }
    programme.add_up(sums, 2);
    return {sums[0], sums[1], programme.residual(x, g)};
  }



  double
  GradientProjection::chopped_gradient(const Vector      &x,
                                       const unsigned int i) const
  {
    const double lower = programme.lower[i], upper = programme.upper[i];
    const double xi = x.local_element(i), gi = g.local_element(i);
    if (lower == upper)
      return 0;
    return xi <= lower ? std::min(0., gi) : xi >= upper ? std::max(0., gi) : 0;
  }



  void
  GradientProjection::restart_direction(const Vector &x)
  {
    for (unsigned int i = 0; i < programme.size(); ++i)
      p.local_element(i) = free_gradient(x, i) * programme.inverse_diagonal[i];
  }



  double
  GradientProjection::multiply_direction()
  {
    programme.multiply(p, Hp);
    ++n_products;
    double sums[3] = {local_product(p, Hp), local_product(p, g), 0};
    for (unsigned int i = 0; i < programme.size(); ++i)
      sums[2] +=
        p.local_element(i) * p.local_element(i) * programme.diagonal[i];
    programme.add_up(sums, 3);
    curvature = sums[0];
    // A direction that H maps to zero up to round-off.
    if (!(curvature > 1e-15 * quotients.largest * sums[2]))
      return infinity;
    quotients.add(curvature / sums[2]);
    return sums[1] / curvature;
  }



  double
  GradientProjection::largest_step(const Vector &x) const
  {
    double step = infinity;
    for (unsigned int i = 0; i < programme.size(); ++i)
      if (const double pi = p.local_element(i); pi != 0)
        step = std::min(step,
                        (x.local_element(i) -
                         (pi > 0 ? programme.lower[i] : programme.upper[i])) /
                          pi);
    return programme.partition()->n_mpi_processes() == 1 ?
             step :
             dealii::Utilities::MPI::min(
               step, programme.partition()->get_mpi_communicator());
  }



  void
  GradientProjection::move(const double s, Vector &x)
  {
    for (unsigned int i = 0; i < programme.size(); ++i)
      {
        x.local_element(i) =
          std::clamp(x.local_element(i) - s * p.local_element(i),
                     programme.lower[i],
                     programme.upper[i]);
        g.local_element(i) -= s * Hp.local_element(i);
      }
  }



  bool
  GradientProjection::step_in_face(Vector &x)
  {
    const double step = multiply_direction(), feasible = largest_step(x);
    if (step == infinity && feasible == infinity)
      return false;
    move(std::min(step, feasible), x);
    if (step > feasible)
      {
        step_projected(x);
        return true;
      }
    // The next direction is conjugate to p.
    double product = 0;
    for (unsigned int i = 0; i < programme.size(); ++i)
      product += free_gradient(x, i) * programme.inverse_diagonal[i] *
                 Hp.local_element(i);
    programme.add_up(&product, 1);
    const double factor = product / curvature;
    for (unsigned int i = 0; i < programme.size(); ++i)
      p.local_element(i) = free_gradient(x, i) * programme.inverse_diagonal[i] -
                           factor * p.local_element(i);
    return true;
  }



  void
  GradientProjection::step_projected(Vector &x)
  {
    old_x               = x;
    old_g               = g;
    const double length = 2 / quotients.largest;
    for (unsigned int i = 0; i < programme.size(); ++i)
      x.local_element(i) =
        std::clamp(x.local_element(i) - length * free_gradient(x, i) *
                                          programme.inverse_diagonal[i],
                   programme.lower[i],
                   programme.upper[i]);
    programme.gradient(x, g);
    ++n_products;
    // The change of the functional is half of (x - x_old).(g + g_old).
    double change = 0;
    for (unsigned int i = 0; i < programme.size(); ++i)
      change += (x.local_element(i) - old_x.local_element(i)) *
                (g.local_element(i) + old_g.local_element(i));
    programme.add_up(&change, 1);
    if (change > 0)
      {
        x = old_x;
        g = old_g;
        quotients.largest *= 2;
      }
    restart_direction(x);
  }



  bool
  GradientProjection::step_off_bounds(Vector &x)
  {
    for (unsigned int i = 0; i < programme.size(); ++i)
      p.local_element(i) =
        chopped_gradient(x, i) * programme.inverse_diagonal[i];
    const double step = std::min(multiply_direction(), largest_step(x));
    if (step == infinity)
      return false;
    move(step, x);
    restart_direction(x);
    return true;
  }
} // namespace Percuss
