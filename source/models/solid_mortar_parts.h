// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>
#include <deal.II/base/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "solid_mortar.h"

// Covered parts of slave faces: their integrals and functions.

namespace Percuss
{
  /// Of a face that counts as covered completely.
  constexpr double completely_covered = 1 - 1e-7;

  /// Integrals over a covered part of a slave face, of functions T_j with
  /// its shape functions N_k, with those of master nodes, and with the normal
  /// of the master.
  template <int dim>
  struct MortarIntegrals
  {
    std::vector<double> of_T;
    std::vector<double> T_N; ///< row by row
    std::map<dealii::types::global_dof_index, std::vector<double>> T_master;
    std::vector<dealii::Tensor<1, dim>>                            T_normal;

    MortarIntegrals(const std::size_t n_functions, const std::size_t n_nodes)
      : of_T(n_functions)
      , T_N(n_functions * n_nodes)
      , T_normal(n_functions)
    {}

    void
    add(const double                                        weight,
        const std::vector<double>                          &T,
        const std::vector<double>                          &N,
        const std::vector<dealii::types::global_dof_index> &master_nodes,
        const std::vector<double>                          &N_master,
        const dealii::Tensor<1, dim>                       &normal)
    {
      const std::size_t n = N.size();
      for (std::size_t j = 0; j < T.size(); ++j)
        {
          of_T[j] += weight * T[j];
          T_normal[j] += weight * T[j] * normal;
          for (std::size_t k = 0; k < n; ++k)
            T_N[j * n + k] += weight * T[j] * N[k];
        }
      for (std::size_t m = 0; m < master_nodes.size(); ++m)
        {
          auto &sums = T_master[master_nodes[m]];
          sums.resize(T.size());
          for (std::size_t j = 0; j < T.size(); ++j)
            sums[j] += weight * T[j] * N_master[m];
        }
    }

    /// Integrals of sum_l e_jl T_l instead. Those of the functions alone
    /// stay: functions that are dual to T have the same.
    void
    combine(const std::vector<double> &e)
    {
      const std::size_t n        = of_T.size();
      const auto        multiply = [&](auto &values, const std::size_t m) {
        auto sums = values;
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t k = 0; k < m; ++k)
            {
              sums[j * m + k] = 0;
              for (std::size_t l = 0; l < n; ++l)
                sums[j * m + k] += e[j * n + l] * values[l * m + k];
            }
        values = sums;
      };
      multiply(T_N, T_N.size() / n);
      multiply(T_normal, 1);
      for (auto &entry : T_master)
        multiply(entry.second, 1);
    }
  };


  /// What a facet of the master covers of one of the slave.
  template <int dim>
  struct MortarPiece
  {
    const MortarFace<dim>  *master;
    const MortarFacet<dim> *facet; ///< of the master
    Overlap<dim>            overlap;
  };

  /// The point of a segment that is closest to @p x.
  template <int n>
  dealii::Point<n>
  closest(const dealii::Point<n> &from,
          const dealii::Point<n> &to,
          const dealii::Point<n> &x)
  {
    const auto   way    = to - from;
    const double square = way.norm_square();
    return square > 0 ?
             from + std::clamp((x - from) * way / square, 0., 1.) * way :
             from;
  }

  /// The functions of a slave facet that is covered in part. Each of its
  /// corners has an anchor: the closest point of the covered part, which is
  /// the corner itself or at the edge of the master. T_c are the functions of
  /// degree 1 of the corners of the box around the covered part; psi_c are
  /// sums of these with which the constraint of a corner is the gap at its
  /// anchor.
  template <int dim>
  class PartlyCoveredFacet
  {
  public:
    static constexpr unsigned int n = MortarFacet<dim>::n_corners;

    PartlyCoveredFacet(const MortarFacet<dim>              &facet,
                       const std::vector<MortarPiece<dim>> &pieces)
      : facet(facet)
    {
      for (unsigned int d = 0; d < dim - 1; ++d)
        lower[d] = 1;
      double covered = 0, box = facet.area;
      for (const auto &piece : pieces)
        {
          for (const auto &corner : piece.overlap.corners)
            for (unsigned int d = 0; d < dim - 1; ++d)
              {
                lower[d] = std::min(lower[d], corner[d]);
                upper[d] = std::max(upper[d], corner[d]);
              }
          for (const auto &point : piece.overlap.points)
            covered += point.weight;
        }
      for (unsigned int d = 0; d < dim - 1; ++d)
        box *= upper[d] - lower[d];
      fills_box = covered > 0.9 * box;
      for (unsigned int c = 0; c < n; ++c)
        if (fills_box)
          anchor_in_box(c);
        else
          find_anchor(c, pieces);
    }

    /// T at a point in coordinates of the face.
    void
    values(const dealii::Point<dim - 1> &x, std::vector<double> &T) const
    {
      const auto xi = in_box(facet.from_face(x));
      T.resize(n);
      for (unsigned int c = 0; c < n; ++c)
        T[c] = corner_shape<dim - 1>(c, xi);
    }

    /// From T to psi. An anchor is a node of the slave, or at the edge of the
    /// master: whichever is closer to the other body slides over its face,
    /// whose normal the constraints have. Functions stay as they are where no
    /// positive weights of the anchors have the area and the centre of the
    /// covered part.
    void
    finish(const std::vector<double> &T_T,
           const std::vector<double> &T_distance,
           MortarIntegrals<dim>      &integrals) const
    {
      std::vector<double> e;
      if (fills_box)
        e = dual_coefficients(integrals.of_T, T_T);
      else if (!anchored_coefficients(T_T, integrals.of_T, e))
        return;
      integrals.combine(e);
      double of_nodes = std::numeric_limits<double>::max(), of_edge = of_nodes;
      for (unsigned int c = 0; c < n; ++c)
        {
          if (integrals.of_T[c] == 0)
            continue;
          double distance = 0;
          for (unsigned int l = 0; l < n; ++l)
            distance += e[c * n + l] * T_distance[l] / integrals.of_T[c];
          double &least = at_corner[c] ? of_nodes : of_edge;
          least         = std::min(least, distance);
        }
      if (of_edge < of_nodes)
        for (unsigned int c = 0; c < n; ++c)
          integrals.T_normal[c] = -integrals.of_T[c] * facet.normal;
    }

  private:
    /// Linear functions of the place: 1 and its coordinates in the box.
    using Linear = dealii::Tensor<1, dim>;

    dealii::Point<dim - 1>
    in_box(dealii::Point<dim - 1> xi) const
    {
      for (unsigned int d = 0; d < dim - 1; ++d)
        xi[d] = (xi[d] - lower[d]) / (upper[d] - lower[d]);
      return xi;
    }

    static dealii::Point<dim - 1>
    unit_corner(const unsigned int c)
    {
      dealii::Point<dim - 1> result;
      for (unsigned int d = 0; d < dim - 1; ++d)
        result[d] = c >> d & 1u;
      return result;
    }

    static Linear
    linear(const dealii::Point<dim - 1> &xi)
    {
      Linear result;
      result[0] = 1;
      for (unsigned int d = 0; d < dim - 1; ++d)
        result[d + 1] = xi[d];
      return result;
    }

    void
    anchor_in_box(const unsigned int c)
    {
      const auto corner = unit_corner(c);
      anchors[c]        = linear(corner);
      at_corner[c]      = true;
      for (unsigned int d = 0; d < dim - 1; ++d)
        if (std::abs((corner[d] > 0 ? upper[d] : lower[d]) - corner[d]) >
            1 - completely_covered)
          at_corner[c] = false;
    }

    void
    find_anchor(const unsigned int                   c,
                const std::vector<MortarPiece<dim>> &pieces)
    {
      const auto corner = unit_corner(c);
      double     least  = std::numeric_limits<double>::max();
      for (const auto &piece : pieces)
        {
          const auto &of_piece = piece.overlap.corners;
          for (std::size_t i = 0; i < of_piece.size(); ++i)
            {
              const auto x = closest(of_piece[i],
                                     of_piece[(i + 1) % of_piece.size()],
                                     corner);
              if (const double d = x.distance(corner); d < least)
                {
                  least      = d;
                  anchors[c] = linear(in_box(x));
                }
            }
        }
      at_corner[c] = least <= 1 - completely_covered;
    }

    /// Weights of the anchors, not negative, with the area and the first
    /// moments @p sums of the covered part, close to @p weights, which they
    /// replace. With n = dim + 1 anchors one of the weights is free.
    bool
    weigh_anchors(const Linear &sums, std::vector<double> &weights) const
    {
      dealii::Tensor<2, dim> products;
      Linear                 missing = sums;
      for (unsigned int c = 0; c < n; ++c)
        {
          products += outer_product(anchors[c], anchors[c]);
          missing -= weights[c] * anchors[c];
        }
      if (determinant(products) < 1e-12)
        return false; // all in a line
      const Linear          factors = invert(products) * missing;
      std::array<double, n> found, free;
      double from = -std::numeric_limits<double>::max(), to = -from;
      for (unsigned int c = 0; c < n; ++c)
        {
          found[c] = weights[c] + factors * anchors[c];
          free[c]  = free_direction(c);
          // found + s free >= 0
          if (free[c] > 0)
            from = std::max(from, -found[c] / free[c]);
          else if (free[c] < 0)
            to = std::min(to, -found[c] / free[c]);
          else if (found[c] < 0)
            return false;
        }
      if (from > to)
        return false;
      const double s = std::clamp(0., from, to);
      for (unsigned int c = 0; c < n; ++c)
        weights[c] = std::max(0., found[c] + s * free[c]);
      return true;
    }

    /// Component @p c of the weights of all anchors that have neither area nor
    /// moments: determinants of the others.
    double
    free_direction(const unsigned int c) const
    {
      dealii::Tensor<2, dim> others;
      unsigned int           row = 0;
      for (unsigned int k = 0; k < n; ++k)
        if (k != c)
          others[row++] = anchors[k];
      return (c % 2 == 0 ? 1 : -1) * determinant(others);
    }

    /// Coefficients of linear functions with
    /// @f$ \int\psi_c l = w_c l(p_c) @f$ for all linear @f$ l @f$ and the
    /// anchors @f$ p_c @f$. With the weights @f$ w @f$ they add up to 1.
    bool
    anchored_coefficients(const std::vector<double> &T_T,
                          std::vector<double>       &weights,
                          std::vector<double>       &e) const
    {
      Linear                 sums;
      dealii::Tensor<2, dim> products;
      for (unsigned int k = 0; k < n; ++k)
        {
          const Linear of_k = linear(unit_corner(k));
          sums += weights[k] * of_k;
          for (unsigned int l = 0; l < n; ++l)
            products +=
              T_T[k * n + l] * outer_product(of_k, linear(unit_corner(l)));
        }
      if (!weigh_anchors(sums, weights))
        return false;
      const auto inverse = invert(products);
      e.resize(n * n);
      for (unsigned int c = 0; c < n; ++c)
        for (unsigned int l = 0; l < n; ++l)
          e[c * n + l] =
            weights[c] * (anchors[c] * (inverse * linear(unit_corner(l))));
      return true;
    }

    const MortarFacet<dim> &facet;
    dealii::Point<dim - 1>  lower, upper; ///< in coordinates of the facet
    bool                    fills_box = false;
    std::array<Linear, n>   anchors;   ///< in those of the box
    std::array<bool, n>     at_corner; ///< whether they are nodes
  };
} // namespace Percuss
