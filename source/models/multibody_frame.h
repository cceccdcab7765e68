// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/base/tensor.h>

#include <array>
#include <cmath>

namespace Percuss
{
  using Vector3 = dealii::Tensor<1, 3>;
  using Matrix3 = dealii::Tensor<2, 3>;

  /// A frame in space: an origin and three directors, which are orthonormal
  /// where the internal constraints d_i . d_j = delta_ij hold. A rigid body or
  /// a node of a beam has the coordinates q = (phi, d_1, d_2, d_3).
  struct Frame
  {
    static constexpr unsigned int n_vectors     = 4;
    static constexpr unsigned int n_coordinates = 12;
    static constexpr unsigned int n_constraints = 6;

    Vector3                origin;
    std::array<Vector3, 3> d;

    /// The frame whose coordinates begin at @p q.
    static Frame
    read(const double *q)
    {
      Frame frame;
      for (unsigned int c = 0; c < 3; ++c)
        {
          frame.origin[c] = q[c];
          for (unsigned int i = 0; i < 3; ++i)
            frame.d[i][c] = q[3 + 3 * i + c];
        }
      return frame;
    }

    void
    write(double *q) const
    {
      for (unsigned int c = 0; c < 3; ++c)
        {
          q[c] = origin[c];
          for (unsigned int i = 0; i < 3; ++i)
            q[3 + 3 * i + c] = d[i][c];
        }
    }

    /// That of space itself.
    static Frame
    of_space()
    {
      Frame frame;
      for (unsigned int i = 0; i < 3; ++i)
        frame.d[i][i] = 1;
      return frame;
    }

    /// sum x_i d_i.
    Vector3
    direction(const Vector3 &x) const
    {
      return x[0] * d[0] + x[1] * d[1] + x[2] * d[2];
    }

    Vector3
    point(const Vector3 &x) const
    {
      return origin + direction(x);
    }

    /// The components d_i . x.
    Vector3
    components(const Vector3 &x) const
    {
      return Vector3({d[0] * x, d[1] * x, d[2] * x});
    }
  };



  inline Vector3
  cross(const Vector3 &a, const Vector3 &b)
  {
    return dealii::cross_product_3d(a, b);
  }

  /// omega of a frame: half the sum of d_i x d_i'.
  inline Vector3
  angular_velocity(const Frame &at, const Frame &rate)
  {
    Vector3 omega;
    for (unsigned int i = 0; i < 3; ++i)
      omega += 0.5 * cross(at.d[i], rate.d[i]);
    return omega;
  }

  /// The matrix of x -> w x x.
  inline Matrix3
  hat(const Vector3 &w)
  {
    Matrix3 m;
    m[0][1] = -w[2];
    m[0][2] = w[1];
    m[1][0] = w[2];
    m[1][2] = -w[0];
    m[2][0] = -w[1];
    m[2][1] = w[0];
    return m;
  }

  /// Rotation by the vector @p w (Rodrigues): exp(hat w).
  inline Matrix3
  rotation(const Vector3 &w)
  {
    const double square = w.norm_square(), angle = std::sqrt(square);
    // Taylor's series where the quotients lose digits.
    const double a    = angle > 1e-4 ? std::sin(angle) / angle : 1 - square / 6;
    const double half = std::sin(angle / 2);
    const double b =
      angle > 1e-4 ? 2 * half * half / square : 0.5 - square / 24;
    const Matrix3 W      = hat(w);
    Matrix3       result = a * W + b * (W * W);
    for (unsigned int i = 0; i < 3; ++i)
      result[i][i] += 1;
    return result;
  }

  /// One step of Newton's method towards the nearest orthonormal directors:
  /// removes round-off of order epsilon, R <- R (3 - R^T R) / 2.
  inline void
  orthonormalize(std::array<Vector3, 3> &d)
  {
    const std::array<Vector3, 3> old = d;
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int j = 0; j < 3; ++j)
        d[i] -= 0.5 * (old[i] * old[j] - (i == j ? 1 : 0)) * old[j];
  }

  /// A unit vector normal to @p n, which has length 1.
  inline Vector3
  normal_to(const Vector3 &n)
  {
    unsigned int smallest = 0;
    for (unsigned int c = 1; c < 3; ++c)
      if (std::abs(n[c]) < std::abs(n[smallest]))
        smallest = c;
    Vector3 axis;
    axis[smallest]    = 1;
    const Vector3 raw = cross(n, axis);
    return raw / raw.norm();
  }
} // namespace Percuss
