// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/base/point.h>

#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "solid_errors.h"

namespace Percuss::Test
{
  // Lame's constants are both 1.2; waves of pressure have the speed 2.
  constexpr double E = 3, nu = 0.25, mu = 1.2, lambda = 1.2, density = 0.9;

  inline const std::vector<std::string> axes = {"x", "y", "z"};

  using Numbers = std::vector<double>;

  inline double
  dot(const Numbers &a, const Numbers &b)
  {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      sum += a[i] * b[i];
    return sum;
  }

  /// A number with all its digits.
  inline std::string
  text(const double number)
  {
    std::ostringstream stream;
    stream.precision(17);
    stream << '(' << number << ')';
    return stream.str();
  }

  /// The fields of a wave, as formulas.
  struct Wave
  {
    Numbers     a, k;
    double      omega = 0;
    std::string law   = "linear";

    std::string
    theta() const
    {
      std::string result = "(0.3 - t*" + text(omega);
      for (std::size_t i = 0; i < k.size(); ++i)
        result += " + " + axes[i] + "*" + text(k[i]);
      return result + ")";
    }

    /// A vector field of a formula for each direction.
    std::string
    field(const std::function<std::string(unsigned int)> &component) const
    {
      std::string result;
      for (unsigned int i = 0; i < a.size(); ++i)
        result += (i > 0 ? "; " : "") + axes[i] + " = " + component(i);
      return result;
    }

    /// With t = 0.
    std::string
    at_start(std::string formula) const
    {
      for (auto at = formula.find("t*"); at != std::string::npos;
           at      = formula.find("t*"))
        formula.replace(at, 1, "0");
      return formula;
    }

    std::string
    displacement() const
    {
      return at_start(field([this](const unsigned int i) {
        return text(a[i]) + "*sin" + theta();
      }));
    }

    std::string
    velocity() const
    {
      return at_start(field([this](const unsigned int i) {
        return text(-omega * a[i]) + "*cos" + theta();
      }));
    }

    /// -div sigma and @p of_u times u. The gradient of u is H = a k^T
    /// cos(theta). With s = a.k and J = 1 + s cos(theta) neo-Hooke's stress
    /// is
    ///   P = mu (H + k a^T cos(theta)/J)
    ///       + lambda ln J (I - k a^T cos(theta)/J),
    ///   P k = mu (a |k|^2 cos(theta) + k s cos(theta)/J) + lambda ln J k/J.
    std::string
    body_force(const double of_u) const
    {
      const double      s = dot(a, k);
      const std::string J = "(1 + " + text(s) + "*cos" + theta() + ")";
      const std::string along_k =
        law == "linear" ? text((lambda + mu) * s) :
                          text(s) + "*(" + text(mu) + " + " + text(lambda) +
                            "*(1 - ln(" + J + ")))/" + J + "^2";
      return field([&](const unsigned int i) {
        return "sin" + theta() + "*(" +
               text(of_u * a[i] + mu * dot(k, k) * a[i]) + " + " + text(k[i]) +
               "*" + along_k + ")";
      });
    }

    /// On a side with the normal @p n.
    std::string
    traction(const std::vector<std::string> &n) const
    {
      const double s     = dot(a, k);
      std::string  along = "(0", across = "(0";
      for (std::size_t i = 0; i < n.size(); ++i)
        {
          along += " + " + text(k[i]) + "*" + n[i];
          across += " + " + text(a[i]) + "*" + n[i];
        }
      along += ")";
      across += ")";
      const std::string cosine = "cos" + theta(),
                        J      = "(1 + " + text(s) + "*" + cosine + ")";
      return field([&](const unsigned int i) {
        const std::string first =
          text(mu * a[i]) + "*" + along + "*" + cosine + " + ";
        const std::string other = text(k[i]) + "*" + across + "*" + cosine;
        if (law == "linear")
          return first + text(mu) + "*" + other + " + " + text(lambda * s) +
                 "*" + n[i] + "*" + cosine;
        return first + text(mu) + "*" + other + "/" + J + " + " + text(lambda) +
               "*ln(" + J + ")*(" + n[i] + " - " + other + "/" + J + ")";
      });
    }

    template <int dim>
    Displacement<dim>
    exact(const double time = 0) const
    {
      return [*this, time](const dealii::Point<dim> &x, const unsigned int d) {
        double phase = 0.3 - omega * time;
        for (unsigned int c = 0; c < dim; ++c)
          phase += k[c] * x[c];
        return a[d] * std::sin(phase);
      };
    }
  };
} // namespace Percuss::Test
