// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_mortar.h"

#include <deal.II/lac/full_matrix.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace Percuss
{
  namespace
  {
    /// Of a face that counts as covered completely.
    constexpr double complete = 1 - 1e-7;

    /// Of the box around the covered part of a facet that is covered.
    constexpr double filled = 0.9;

    /// Of the weight of a node that is kept.
    constexpr double least_weight = 1e-6;

    using Node = dealii::types::global_dof_index;

    /// Integrals over a covered part of a slave face, of functions T_j with
    /// its shape functions N_k, with those of master nodes, and with the normal
    /// of the master.
    template <int dim>
    struct Integrals
    {
      std::vector<double>                 of_T;
      std::vector<double>                 T_N; ///< row by row
      std::map<Node, std::vector<double>> T_master;
      std::vector<dealii::Tensor<1, dim>> T_normal;

      Integrals(const std::size_t n_functions, const std::size_t n_nodes)
        : of_T(n_functions)
        , T_N(n_functions * n_nodes)
        , T_normal(n_functions)
      {}

      void
      add(const double                  weight,
          const std::vector<double>    &T,
          const std::vector<double>    &N,
          const std::vector<Node>      &master_nodes,
          const std::vector<double>    &N_master,
          const dealii::Tensor<1, dim> &normal)
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

    /// From functions T_j = N_j to those that are dual to them.
    template <int dim>
    void
    make_dual(Integrals<dim> &integrals)
    {
      const std::size_t n = integrals.of_T.size();
      integrals.combine(dual_coefficients(integrals.of_T, integrals.T_N));
      std::fill(integrals.T_N.begin(), integrals.T_N.end(), 0.); // round-off
      for (std::size_t j = 0; j < n; ++j)
        integrals.T_N[j * n + j] = integrals.of_T[j];
    }

    /// What a facet of the master covers of one of the slave.
    template <int dim>
    struct Piece
    {
      const MortarFace<dim>  *master;
      const MortarFacet<dim> *facet; ///< of the master
      Overlap<dim>            overlap;
    };

    /// The functions of a slave facet that is covered in part: of degree 1, of
    /// the corners of the box around its covered part.
    template <int dim>
    class PartlyCovered
    {
    public:
      PartlyCovered(const MortarFacet<dim>        &facet,
                    const std::vector<Piece<dim>> &pieces)
        : facet(facet)
      {
        for (unsigned int d = 0; d < dim - 1; ++d)
          upper[d] = 1;
        auto   low = upper, high = lower;
        double covered = 0, box = facet.area;
        for (const auto &piece : pieces)
          {
            for (unsigned int d = 0; d < dim - 1; ++d)
              {
                low[d]  = std::min(low[d], piece.overlap.lower[d]);
                high[d] = std::max(high[d], piece.overlap.upper[d]);
              }
            for (const auto &point : piece.overlap.points)
              covered += point.weight;
          }
        for (unsigned int d = 0; d < dim - 1; ++d)
          box *= high[d] - low[d];
        fills_box = covered > filled * box;
        if (fills_box)
          {
            lower = low;
            upper = high;
          }
      }

      /// At a point in coordinates of the face.
      void
      values(const dealii::Point<dim - 1> &x, std::vector<double> &T) const
      {
        auto xi = facet.from_face(x);
        for (unsigned int d = 0; d < dim - 1; ++d)
          xi[d] = (xi[d] - lower[d]) / (upper[d] - lower[d]);
        T.resize(facet.n_corners);
        for (unsigned int c = 0; c < facet.n_corners; ++c)
          T[c] = corner_shape<dim - 1>(c, xi);
      }

      /// Makes them dual to each other. Then the constraint of a corner of the
      /// box is the gap there. A corner is a node of the slave, or at the edge
      /// of the master: whichever is closer to the other body slides over its
      /// face, whose normal the constraints have. Functions of an oddly shaped
      /// part stay as they are.
      void
      finish(const std::vector<double> &T_T,
             const std::vector<double> &T_distance,
             Integrals<dim>            &integrals) const
      {
        if (!fills_box)
          return;
        const auto         e = dual_coefficients(integrals.of_T, T_T);
        const unsigned int n = facet.n_corners;
        integrals.combine(e);
        double of_nodes = std::numeric_limits<double>::max(),
               of_edge  = of_nodes;
        for (unsigned int c = 0; c < n; ++c)
          {
            double distance = 0;
            for (unsigned int l = 0; l < n; ++l)
              distance += e[c * n + l] * T_distance[l] / integrals.of_T[c];
            double &least = is_inside(c) ? of_edge : of_nodes;
            least         = std::min(least, distance);
          }
        if (of_edge < of_nodes)
          for (unsigned int c = 0; c < n; ++c)
            integrals.T_normal[c] = -integrals.of_T[c] * facet.normal;
      }

    private:
      /// Whether a corner of the box is inside the facet.
      bool
      is_inside(const unsigned int c) const
      {
        for (unsigned int d = 0; d < dim - 1; ++d)
          if ((c >> d & 1u) != 0 ? upper[d] < complete :
                                   lower[d] > 1 - complete)
            return true;
        return false;
      }

      const MortarFacet<dim> &facet;
      dealii::Point<dim - 1>  lower, upper; ///< in coordinates of the facet
      bool                    fills_box = false;
    };

    /// The work of couple().
    template <int dim>
    class Coupler
    {
    public:
      Coupler(const MortarShapes<dim>            &shapes,
              const std::vector<MortarFace<dim>> &masters,
              const MortarSearch                 &search)
        : shapes(shapes)
        , masters(masters)
        , search(search)
        , facets(masters.size())
      {}

      void
      add(const MortarFace<dim>          &slave,
          const std::vector<std::size_t> &candidates)
      {
        const auto                           of_slave = shapes.facets(slave);
        std::vector<std::vector<Piece<dim>>> pieces;
        double                               whole = 0, covered = 0;
        seen.clear();
        for (const auto &facet : of_slave)
          {
            whole += facet.area;
            for (const unsigned int k : facet.nodes)
              slave.for_supports(k, [&](const Node node, const double weight) {
                if (weight <= 0)
                  return;
                MortarNode<dim> &target = result.nodes[node];
                target.normal -= weight * facet.area * facet.normal;
                target.whole += weight * facet.area / facet.n_corners;
              });
            pieces.push_back({});
            for (const std::size_t master : candidates)
              covered += find_pieces(slave, facet, master, pieces.back());
          }
        result.most_covered = std::max(result.most_covered, covered / whole);
        if (covered > complete * whole)
          add_completely(slave, pieces);
        else
          for (std::size_t f = 0; f < pieces.size(); ++f)
            if (!pieces[f].empty())
              add_partly(slave, of_slave[f], pieces[f]);
      }

      MortarCoupling<dim>
      finish()
      {
        for (auto node = result.nodes.begin(); node != result.nodes.end();)
          {
            MortarNode<dim> &of = node->second;
            of.normal /= of.normal.norm();
            if (of.weight > least_weight * of.whole)
              {
                // Where functions with negative parts make no sense of kinks,
                // the normal of the slave stays.
                if (const auto found = master_normals.find(node->first);
                    found != master_normals.end() &&
                    found->second * of.normal > 0)
                  of.normal = found->second / found->second.norm();
                of.way /= of.weight;
                for (auto &entry : of.coefficients)
                  entry.second /= of.weight;
                ++node;
                continue;
              }
            of.weight = 0;
            of.way    = 0;
            of.coefficients.clear();
            result.open.insert(result.nodes.extract(node++));
          }
        return std::move(result);
      }

    private:
      bool
      is_near(const std::vector<OverlapPoint<dim>> &points) const
      {
        double area = 0, mean = 0;
        for (const auto &point : points)
          {
            area += point.weight;
            mean += point.weight * point.distance;
          }
        return mean <= search.distance * area &&
               mean >= -search.deepest() * area;
      }

      /// Returns the area that a master face covers.
      double
      find_pieces(const MortarFace<dim>   &slave,
                  const MortarFacet<dim>  &facet,
                  const std::size_t        number,
                  std::vector<Piece<dim>> &pieces)
      {
        const MortarFace<dim> &master = masters[number];
        if (!search.may_touch(slave, master))
          return 0;
        if (facets[number].empty())
          facets[number] = shapes.facets(master);
        double covered = 0;
        for (const MortarFacet<dim> &of_master : facets[number])
          {
            if (facet.normal * of_master.normal > search.facing)
              continue;
            auto part = overlap<dim>(facet, of_master, shapes.degree());
            if (part.points.empty() || !is_near(part.points))
              continue;
            for (std::size_t m = 0; m < master.nodes.size(); ++m)
              seen[master.nodes[m]] = {&master, m};
            for (const auto &point : part.points)
              covered += point.weight;
            pieces.push_back({&master, &of_master, std::move(part)});
          }
        return covered;
      }

      void
      add_completely(const MortarFace<dim>                      &slave,
                     const std::vector<std::vector<Piece<dim>>> &pieces)
      {
        Integrals<dim> integrals(slave.nodes.size(), slave.nodes.size());
        std::vector<unsigned int> all(slave.nodes.size());
        std::iota(all.begin(), all.end(), 0);
        for (const auto &of_facet : pieces)
          for (const auto &piece : of_facet)
            for (const auto &point : piece.overlap.points)
              {
                shapes.values(point.slave, N);
                shapes.values(point.master, N_master);
                integrals.add(point.weight,
                              N,
                              N,
                              piece.master->nodes,
                              N_master,
                              piece.facet->normal);
              }
        make_dual(integrals);
        distribute(slave, all, integrals);
      }

      void
      add_partly(const MortarFace<dim>         &slave,
                 const MortarFacet<dim>        &facet,
                 const std::vector<Piece<dim>> &pieces)
      {
        constexpr unsigned int   n = MortarFacet<dim>::n_corners;
        const PartlyCovered<dim> functions(facet, pieces);
        Integrals<dim>           integrals(n, slave.nodes.size());
        std::vector<double>      T_T(n * n), T_distance(n);
        for (const auto &piece : pieces)
          for (const auto &point : piece.overlap.points)
            {
              functions.values(point.slave, T);
              shapes.values(point.slave, N);
              shapes.values(point.master, N_master);
              integrals.add(point.weight,
                            T,
                            N,
                            piece.master->nodes,
                            N_master,
                            piece.facet->normal);
              for (unsigned int j = 0; j < n; ++j)
                {
                  T_distance[j] += point.weight * T[j] * point.distance;
                  for (unsigned int k = 0; k < n; ++k)
                    T_T[j * n + k] += point.weight * T[j] * T[k];
                }
            }
        functions.finish(T_T, T_distance, integrals);
        distribute(slave, {facet.nodes.begin(), facet.nodes.end()}, integrals);
      }

      /// Function i belongs to node @p nodes[i] of the slave.
      void
      distribute(const MortarFace<dim>           &slave,
                 const std::vector<unsigned int> &nodes,
                 const Integrals<dim>            &integrals)
      {
        const std::size_t n   = slave.nodes.size();
        const auto        add = [](MortarNode<dim>       &node,
                            const MortarFace<dim> &face,
                            const std::size_t      k,
                            const double           value) {
          node.way += value * face.places[k];
          face.for_supports(k, [&](const Node other, const double weight) {
            node.coefficients[other] += weight * value;
          });
        };
        for (std::size_t j = 0; j < nodes.size(); ++j)
          slave.for_supports(
            nodes[j], [&](const Node number, const double share) {
              MortarNode<dim> &node = result.nodes[number];
              node.weight += share * integrals.of_T[j];
              if (search.follows_motion)
                master_normals[number] += share * integrals.T_normal[j];
              for (std::size_t k = 0; k < n; ++k)
                if (integrals.T_N[j * n + k] != 0)
                  add(node, slave, k, share * integrals.T_N[j * n + k]);
              for (const auto &[master, values] : integrals.T_master)
                {
                  const auto &[face, m] = seen.at(master);
                  add(node, *face, m, -share * values[j]);
                }
            });
      }

      const MortarShapes<dim>                   &shapes;
      const std::vector<MortarFace<dim>>        &masters;
      const MortarSearch                         search;
      std::vector<std::vector<MortarFacet<dim>>> facets; ///< of masters in use
      MortarCoupling<dim>                        result;
      /// A face of each master node of a slave face, and its number there.
      std::map<Node, std::pair<const MortarFace<dim> *, std::size_t>> seen;
      /// The integral of psi_j and the normal of the master.
      std::map<Node, dealii::Tensor<1, dim>> master_normals;
      std::vector<double>                    N, T, N_master; ///< work space
    };
  } // namespace



  std::vector<double>
  dual_coefficients(const std::vector<double> &integrals,
                    const std::vector<double> &products)
  {
    const auto                 n = static_cast<unsigned int>(integrals.size());
    dealii::FullMatrix<double> inverse(n, n, products.data());
    inverse.gauss_jordan();
    std::vector<double> result(n * n);
    for (unsigned int j = 0; j < n; ++j)
      for (unsigned int l = 0; l < n; ++l)
        result[j * n + l] = integrals[j] * inverse(j, l);
    return result;
  }



  template <int dim>
  MortarCoupling<dim>
  couple(const MortarShapes<dim>            &shapes,
         const std::vector<MortarFace<dim>> &slaves,
         const std::vector<MortarFace<dim>> &masters,
         const MortarCandidates             &candidates,
         const MortarSearch                 &search)
  {
    Coupler<dim> coupler(shapes, masters, search);
    for (std::size_t s = 0; s < slaves.size(); ++s)
      coupler.add(slaves[s], candidates[s]);
    return coupler.finish();
  }

  template MortarCoupling<2>
  couple(const MortarShapes<2> &,
         const std::vector<MortarFace<2>> &,
         const std::vector<MortarFace<2>> &,
         const MortarCandidates &,
         const MortarSearch &);
  template MortarCoupling<3>
  couple(const MortarShapes<3> &,
         const std::vector<MortarFace<3>> &,
         const std::vector<MortarFace<3>> &,
         const MortarCandidates &,
         const MortarSearch &);
} // namespace Percuss
