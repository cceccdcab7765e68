// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/bounded_programme.h>

#include <algorithm>
#include <limits>

namespace Percuss
{
  /// The least and the largest Rayleigh quotient p.Hp / p.diag(H)p of the
  /// directions that a method met: estimates of extreme eigenvalues, from the
  /// inside.
  struct RayleighQuotients
  {
    void
    add(const double quotient)
    {
      smallest = std::min(smallest, quotient);
      largest  = std::max(largest, quotient);
    }

    double smallest = 1, largest = 1;
  };

  /// How much larger than BoundedProgramme::residual() natural_residual() may
  /// be: in the primal form the gradient g of free degrees of freedom changes
  /// the velocities that belong to the impulses by A^-1 g.
  inline double
  amplification(const BoundedProgramme  &programme,
                const RayleighQuotients &quotients)
  {
    return programme.is_primal() ?
             1 / std::max(quotients.smallest,
                          std::numeric_limits<double>::epsilon()) :
             1;
  }



  /// Modified proportioning with reduced gradient projections, MPRGP (Dostal,
  /// Schoeberl, Comput. Optim. Appl. 30, 2005), scaled by the diagonal of H.
  /// With the free part phi of the gradient and its part beta that wants to
  /// leave bounds, an iteration
  /// - goes along a conjugate gradient in the face while
  ///   |beta|^2 <= phi_reduced . phi,
  /// - up to the bound and then by a projected step of fixed length along phi,
  ///   where such a step would leave the bounds,
  /// - along beta otherwise.
  ///
  /// The fixed length 2/|H| uses the largest Rayleigh quotient met so far; a
  /// projected step that raises the functional is taken back and the estimate
  /// doubled. Nothing allocates after the constructor.
  class GradientProjection
  {
  public:
    /// @p programme outlives this object.
    explicit GradientProjection(const BoundedProgramme &programme);

    /// Iterates from the feasible @p x until residual() times the
    /// amplification() is at most @p target, or there is no minimum. Returns
    /// the number of products with H.
    unsigned int
    minimise(double target, unsigned int maximum_products, Vector &x);

    /// H x - f for the last x.
    const Vector &
    gradient() const
    {
      return g;
    }

  private:
    /// What a look at all entries tells, added up over the ranks.
    struct Measures
    {
      double chopped;  ///< beta . beta
      double free;     ///< phi_reduced . phi
      double residual; ///< of the programme
    };

    Measures
    measure(const Vector &x) const;

    /// The part of the gradient in which x_i is free to move.
    double
    free_gradient(const Vector &x, const unsigned int i) const
    {
      const double xi = x.local_element(i);
      return xi > programme.lower[i] && xi < programme.upper[i] ?
               g.local_element(i) :
               0;
    }

    /// The part of the gradient that moves x_i away from its bound.
    double
    chopped_gradient(const Vector &x, unsigned int i) const;

    /// Whether the step could be made: no in the case of no minimum.
    bool
    step_in_face(Vector &x);
    bool
    step_off_bounds(Vector &x);
    void
    step_projected(Vector &x);

    /// How far x - s p is feasible.
    double
    largest_step(const Vector &x) const;

    /// Length of the step along p to the minimum: infinity without one.
    double
    multiply_direction();

    /// x -= s p, and the gradient with it.
    void
    move(double s, Vector &x);

    void
    restart_direction(const Vector &x);

    const BoundedProgramme &programme;
    Vector                  g, p, Hp, old_x, old_g;
    double                  curvature = 0; ///< p.Hp
    RayleighQuotients       quotients;
    unsigned int            n_products = 0;
  };
} // namespace Percuss
