// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/local_contact.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rolling_contact.h"

namespace Percuss
{
  namespace
  {
    /// Keeps the solution that is nearest to the impulse before.
    class Nearest
    {
    public:
      Nearest(const unsigned int n, const double *before)
        : n(n)
      {
        std::copy_n(before, n, old);
      }

      void
      offer(const double *lambda)
      {
        double sum = 0;
        for (unsigned int i = 0; i < n; ++i)
          sum += (lambda[i] - old[i]) * (lambda[i] - old[i]);
        if (sum < distance)
          {
            distance = sum;
            std::copy_n(lambda, n, best);
          }
      }

      bool
      take(double *lambda) const
      {
        if (!(distance < std::numeric_limits<double>::infinity()))
          return false;
        std::copy_n(best, n, lambda);
        return true;
      }

    private:
      const unsigned int n;
      double             old[3]   = {};
      double             best[3]  = {};
      double             distance = std::numeric_limits<double>::infinity();
    };



    double
    norm(const unsigned int n, const double *tangential)
    {
      return n == 1 ? std::abs(tangential[0]) :
                      std::sqrt(tangential[0] * tangential[0] +
                                tangential[1] * tangential[1]);
    }



    /// Sliding in space: with the direction t = (cos a, sin a) of xi_T,
    /// @f[ \lambda_T = -\mu\lambda_N t, \qquad
    ///     \lambda_N = -c_N / d, \quad d = W_{NN} - \mu W_{NT} t, @f]
    /// and t must be parallel to
    /// @f[ p = d\,\xi_T = d\,c_T - c_N (W_{TN} - \mu W_{TT} t). @f]
    /// Their cross product is a trigonometric polynomial of degree 2 in a: it
    /// has at most four zeros (the quartic of Bonnefon and Daviet, Quartic
    /// formulation of Coulomb 3D frictional contact, INRIA RT-0400, 2011).
    class Sliding
    {
    public:
      Sliding(const LocalContact &contact, const double *c)
        : W(contact.W)
        , mu(contact.friction)
        , c(c)
      {}

      /// t x p and its derivative.
      std::pair<double, double>
      operator()(const double angle) const
      {
        const double t[2] = {std::cos(angle), std::sin(angle)};
        const double n[2] = {-t[1], t[0]}; // dt/da
        const double d    = W[0][0] - mu * (W[0][1] * t[0] + W[0][2] * t[1]);
        const double dn   = -mu * (W[0][1] * n[0] + W[0][2] * n[1]);
        double       p[2], pn[2];
        for (unsigned int i = 0; i < 2; ++i)
          {
            const double *row = W[i + 1];
            p[i]              = d * c[i + 1] -
                   c[0] * (row[0] - mu * (row[1] * t[0] + row[2] * t[1]));
            pn[i] = dn * c[i + 1] + c[0] * mu * (row[1] * n[0] + row[2] * n[1]);
          }
        return {t[0] * p[1] - t[1] * p[0],
                n[0] * p[1] - n[1] * p[0] + t[0] * pn[1] - t[1] * pn[0]};
      }

      /// The impulse at a zero; false if it or the power of friction has the
      /// wrong sign.
      bool
      impulse(const double angle, double *lambda) const
      {
        const double t[2]   = {std::cos(angle), std::sin(angle)};
        const double d      = W[0][0] - mu * (W[0][1] * t[0] + W[0][2] * t[1]);
        const double normal = -c[0] / d;
        if (!(normal >= 0) || !std::isfinite(normal))
          return false;
        lambda[0]    = normal;
        double along = 0;
        for (unsigned int i = 0; i < 2; ++i)
          {
            lambda[i + 1]     = -mu * normal * t[i];
            const double *row = W[i + 1];
            along +=
              t[i] * (c[i + 1] +
                      normal * (row[0] - mu * (row[1] * t[0] + row[2] * t[1])));
          }
        return along >= 0;
      }

      /// Newton's method from a guess; false if it does not settle.
      bool
      follow(double &angle) const
      {
        for (unsigned int i = 0; i < 12; ++i)
          {
            const auto [value, slope] = (*this)(angle);
            const double step         = -value / slope;
            if (!(std::abs(step) < 0.5))
              return false;
            angle += step;
            if (std::abs(step) < 1e-9) // quadratic: the error is its square
              return true;
          }
        return false;
      }

      /// The zero between two angles at which the values differ in sign:
      /// Newton's method, and halving where that leaves the interval.
      double
      zero_between(double left, double right, const double left_value) const
      {
        double angle = 0.5 * (left + right);
        for (unsigned int i = 0; i < 60; ++i)
          {
            const auto [value, slope] = (*this)(angle);
            if (value == 0)
              break;
            ((value > 0) == (left_value > 0) ? left : right) = angle;
            double next = angle - value / slope;
            if (!(next > left && next < right))
              next = 0.5 * (left + right);
            if (next == angle)
              break;
            angle = next;
          }
        return angle;
      }

      void
      offer_all(Nearest &nearest) const
      {
        constexpr unsigned int n_intervals = 32;
        const double           width       = 2 * std::acos(-1.) / n_intervals;
        double                 left_value  = (*this)(0).first, lambda[3];
        for (unsigned int i = 0; i < n_intervals; ++i)
          {
            const double right_value = (*this)((i + 1) * width).first;
            if ((left_value > 0) != (right_value > 0) &&
                impulse(zero_between(i * width, (i + 1) * width, left_value),
                        lambda))
              nearest.offer(lambda);
            left_value = right_value;
          }
      }

    private:
      const double (&W)[largest_block][largest_block];
      const double  mu;
      const double *c;
    };



    /// lambda = -W^-1 c by Cramer's rule; false where W is singular.
    bool
    sticking_impulse(const LocalContact &contact,
                     const double       *c,
                     double             *lambda)
    {
      const auto &W = contact.W;
      if (contact.n_directions == 2)
        {
          const double det = W[0][0] * W[1][1] - W[0][1] * W[1][0];
          lambda[0]        = -(c[0] * W[1][1] - W[0][1] * c[1]) / det;
          lambda[1]        = -(W[0][0] * c[1] - c[0] * W[1][0]) / det;
          return det != 0;
        }
      const auto minor = [&W](const unsigned int i, const unsigned int j) {
        const unsigned int a = (i + 1) % 3, b = (i + 2) % 3, k = (j + 1) % 3,
                           l = (j + 2) % 3;
        return W[a][k] * W[b][l] - W[a][l] * W[b][k];
      };
      double det = 0;
      for (unsigned int j = 0; j < 3; ++j)
        det += W[0][j] * minor(0, j);
      for (unsigned int j = 0; j < 3; ++j)
        {
          lambda[j] = 0;
          for (unsigned int i = 0; i < 3; ++i)
            lambda[j] -= minor(i, j) * c[i] / det;
        }
      return det != 0;
    }



    /// Sliding in the plane, in direction @p sign.
    void
    offer_planar_sliding(const LocalContact &contact,
                         const double       *c,
                         const double        sign,
                         Nearest            &nearest)
    {
      const double mu = contact.friction;
      const double normal =
        -c[0] / (contact.W[0][0] - sign * mu * contact.W[0][1]);
      if (!(normal >= 0) || !std::isfinite(normal))
        return;
      const double lambda[2] = {normal, -sign * mu * normal};
      const double slip =
        c[1] + contact.W[1][0] * lambda[0] + contact.W[1][1] * lambda[1];
      if (sign * slip >= 0)
        nearest.offer(lambda);
    }



    /// The fixed point of lambda = proj(lambda - r xi) near a guess: for what
    /// the search over cases lost to round-off.
    bool
    iterate(const LocalContact &contact, const double *c, double *lambda)
    {
      const unsigned int n = contact.n_directions;
      double             xi[3], size = 0;
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
          size += contact.W[i][j] * contact.W[i][j];
      const double r = 1 / std::sqrt(size);
      for (unsigned int count = 0; count < 1000; ++count)
        {
          double change = 0, before[3];
          std::copy_n(lambda, n, before);
          contact.velocity(c, lambda, xi);
          for (unsigned int i = 0; i < n; ++i)
            lambda[i] -= r * xi[i];
          lambda[0]            = std::max(0., lambda[0]);
          const double allowed = contact.friction * lambda[0];
          const double length  = norm(n - 1, lambda + 1);
          for (unsigned int i = 1; i < n && length > allowed; ++i)
            lambda[i] *= allowed / length;
          for (unsigned int i = 0; i < n; ++i)
            change = std::max(change, std::abs(lambda[i] - before[i]));
          if (change <= 1e-15 * std::abs(lambda[0]))
            return true;
        }
      return false;
    }
  } // namespace



  void
  LocalContact::velocity(const double *c,
                         const double *lambda,
                         double       *xi) const
  {
    for (unsigned int i = 0; i < n_directions; ++i)
      {
        xi[i] = c[i];
        for (unsigned int j = 0; j < n_directions; ++j)
          xi[i] += W[i][j] * lambda[j];
      }
  }



  bool
  LocalContact::solve(const double *c, double *lambda) const
  {
    if (!(W[0][0] > 0))
      return false;
    if (n_directions == 1 || (friction == 0 && rolling_friction == 0))
      {
        std::fill_n(lambda, n_directions, 0.);
        lambda[0] = std::max(0., -c[0] / W[0][0]);
        return true;
      }
    if (n_directions > 3)
      return solve_rolling(*this, c, lambda);
    // Where any admissible impulse lifts the contact, the cases exclude each
    // other; elsewhere all are tried.
    const unsigned int n       = n_directions;
    const bool         is_mild = W[0][0] > friction * norm(n - 1, &W[0][1]);
    Nearest            nearest(n, lambda);
    double             trial[3] = {0, 0, 0};
    if (c[0] >= 0)
      {
        nearest.offer(trial);
        if (is_mild)
          return nearest.take(lambda);
      }
    if (sticking_impulse(*this, c, trial) && trial[0] >= 0 &&
        norm(n - 1, trial + 1) <= friction * trial[0])
      {
        nearest.offer(trial);
        if (is_mild)
          return nearest.take(lambda);
      }
    if (n == 2)
      for (const double sign : {-1., 1.})
        offer_planar_sliding(*this, c, sign, nearest);
    else
      {
        const Sliding sliding(*this, c);
        double        angle = std::atan2(-lambda[2], -lambda[1]); // before
        if (is_mild && sliding.follow(angle) && sliding.impulse(angle, trial))
          nearest.offer(trial);
        else
          sliding.offer_all(nearest);
      }
    if (nearest.take(lambda))
      return true;
    std::copy_n(lambda, n, trial);
    if (!iterate(*this, c, trial))
      return false;
    std::copy_n(trial, n, lambda);
    return true;
  }
} // namespace Percuss
