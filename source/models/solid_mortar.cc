// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_mortar.h"

#include <deal.II/lac/full_matrix.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "solid_mortar_parts.h"

namespace Percuss
{
  namespace
  {
    /// Of the weight of a node that is kept.
    constexpr double least_weight = 1e-6;

    using Node = dealii::types::global_dof_index;

    template <int dim>
    using Integrals = MortarIntegrals<dim>;

    template <int dim>
    using Piece = MortarPiece<dim>;

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
        if (covered > completely_covered * whole)
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
        constexpr unsigned int        n = MortarFacet<dim>::n_corners;
        const PartlyCoveredFacet<dim> functions(facet, pieces);
        Integrals<dim>                integrals(n, slave.nodes.size());
        std::vector<double>           T_T(n * n), T_distance(n);
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
