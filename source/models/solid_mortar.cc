// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_mortar.h"

#include <deal.II/base/bounding_box.h>
#include <deal.II/base/mpi.h>
#include <deal.II/boost_adaptors/bounding_box.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/numerics/rtree.h>

#include <boost/serialization/map.hpp>
#include <boost/serialization/utility.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

namespace Percuss
{
  namespace
  {
    /// The cosine of the normals of faces that face each other is below this.
    constexpr double facing = -0.3;

    /// Of a face that counts as covered completely.
    constexpr double complete = 1 - 1e-7;

    /// Of the weight of a node that is kept.
    constexpr double least_weight = 1e-6;

    using Node = dealii::types::global_dof_index;

    template <int dim>
    dealii::BoundingBox<dim>
    box_around(const std::vector<dealii::Point<dim>> &points,
               const double                           distance)
    {
      dealii::BoundingBox<dim> box(points);
      box.extend(distance);
      return box;
    }

    /// Integrals over the covered part of a slave face, of functions T_j with
    /// its shape functions N_k, with those of master nodes, and with the normal
    /// of the master.
    template <int dim>
    struct Integrals
    {
      std::vector<double>                 of_T;
      std::vector<double>                 T_N;
      std::map<Node, std::vector<double>> T_master;
      std::vector<dealii::Tensor<1, dim>> T_normal;

      explicit Integrals(const unsigned int n)
        : of_T(n)
        , T_N(n * n)
        , T_normal(n)
      {}

      void
      add(const double                  weight,
          const std::vector<double>    &T,
          const std::vector<double>    &N,
          const std::vector<Node>      &master_nodes,
          const std::vector<double>    &N_master,
          const dealii::Tensor<1, dim> &normal)
      {
        const std::size_t n = of_T.size();
        for (std::size_t j = 0; j < n; ++j)
          {
            of_T[j] += weight * T[j];
            T_normal[j] += weight * T[j] * normal;
            for (std::size_t k = 0; k < n; ++k)
              T_N[j * n + k] += weight * T[j] * N[k];
          }
        for (std::size_t m = 0; m < master_nodes.size(); ++m)
          {
            auto &sums = T_master[master_nodes[m]];
            sums.resize(n);
            for (std::size_t j = 0; j < n; ++j)
              sums[j] += weight * T[j] * N_master[m];
          }
      }
    };

    /// Integrals of psi_j instead, with the dual functions of the face.
    template <int dim>
    void
    make_dual(Integrals<dim> &integrals)
    {
      const std::size_t         n = integrals.of_T.size();
      const std::vector<double> e =
        dual_coefficients(integrals.of_T, integrals.T_N);
      std::fill(integrals.T_N.begin(), integrals.T_N.end(), 0.);
      for (std::size_t j = 0; j < n; ++j)
        integrals.T_N[j * n + j] = integrals.of_T[j];
      const auto combine = [&](auto &values) {
        auto sums = values;
        for (std::size_t j = 0; j < n; ++j)
          {
            sums[j] = 0;
            for (std::size_t l = 0; l < n; ++l)
              sums[j] += e[j * n + l] * values[l];
          }
        values = sums;
      };
      combine(integrals.T_normal);
      for (auto &entry : integrals.T_master)
        combine(entry.second);
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
        const unsigned int n = shapes.n_nodes();
        Integrals<dim>     of_shapes(n), of_hats(n);
        double             whole = 0, covered = 0;
        seen.clear();
        for (const auto &facet : shapes.facets(slave))
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
            for (const std::size_t master : candidates)
              covered += integrate(slave, facet, master, of_shapes, of_hats);
          }
        result.most_covered = std::max(result.most_covered, covered / whole);
        if (covered == 0)
          return;
        const bool is_complete = covered > complete * whole;
        if (is_complete)
          make_dual(of_shapes);
        distribute(slave, is_complete ? of_shapes : of_hats);
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
      /// Faces of one body that share a node do not touch each other.
      bool
      may_touch(const MortarFace<dim> &slave,
                const MortarFace<dim> &master) const
      {
        if (search.is_one_side && master.nodes[0] < slave.nodes[0])
          return false;
        return std::none_of(
          slave.nodes.begin(), slave.nodes.end(), [&](const Node node) {
            return std::count(master.nodes.begin(), master.nodes.end(), node) >
                   0;
          });
      }

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
               mean >= -0.25 * search.distance * area;
      }

      /// Returns the area that a master face covers.
      double
      integrate(const MortarFace<dim>  &slave,
                const MortarFacet<dim> &facet,
                const std::size_t       number,
                Integrals<dim>         &of_shapes,
                Integrals<dim>         &of_hats)
      {
        const MortarFace<dim> &master = masters[number];
        if (!may_touch(slave, master))
          return 0;
        if (facets[number].empty())
          facets[number] = shapes.facets(master);
        double covered = 0;
        for (const MortarFacet<dim> &of_master : facets[number])
          {
            if (facet.normal * of_master.normal > facing)
              continue;
            const auto points = overlap<dim>(facet, of_master, shapes.degree());
            if (points.empty() || !is_near(points))
              continue;
            for (std::size_t m = 0; m < master.nodes.size(); ++m)
              seen[master.nodes[m]] = {&master, m};
            for (const auto &point : points)
              {
                shapes.values(point.slave, N);
                shapes.hats(point.slave, H);
                shapes.values(point.master, N_master);
                of_shapes.add(
                  point.weight, N, N, master.nodes, N_master, of_master.normal);
                of_hats.add(
                  point.weight, H, N, master.nodes, N_master, of_master.normal);
                covered += point.weight;
              }
          }
        return covered;
      }

      void
      distribute(const MortarFace<dim> &slave, const Integrals<dim> &integrals)
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
        for (std::size_t j = 0; j < n; ++j)
          slave.for_supports(j, [&](const Node number, const double share) {
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
      std::vector<double>                    N, H, N_master; ///< work space
    };

    /// The rank that owns the degree of freedom, from the first ones of all.
    unsigned int
    owner(const std::vector<Node> &firsts, const Node dof)
    {
      return static_cast<unsigned int>(
               std::upper_bound(firsts.begin(), firsts.end(), dof) -
               firsts.begin()) -
             1;
    }

    template <int dim>
    std::vector<MortarFace<dim>>
    exchange(
      const std::map<unsigned int, std::vector<MortarFace<dim>>> &messages,
      const MPI_Comm                                              communicator)
    {
      std::vector<MortarFace<dim>> result;
      for (const auto &message :
           dealii::Utilities::MPI::some_to_some(communicator, messages))
        result.insert(result.end(),
                      message.second.begin(),
                      message.second.end());
      return result;
    }
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
  MortarCandidates
  find_candidates(const std::vector<MortarFace<dim>> &slaves,
                  const std::vector<MortarFace<dim>> &masters,
                  const double                        distance)
  {
    using Leaf = std::pair<dealii::BoundingBox<dim>, std::size_t>;
    std::vector<Leaf> leaves;
    for (const auto &face : masters)
      leaves.emplace_back(box_around<dim>(face.places, 0), leaves.size());
    const auto       tree = dealii::pack_rtree(leaves);
    MortarCandidates result;
    for (const auto &face : slaves)
      {
        std::vector<Leaf> found;
        namespace bgi = boost::geometry::index;
        tree.query(bgi::intersects(box_around<dim>(face.places, distance)),
                   std::back_inserter(found));
        result.emplace_back();
        for (const Leaf &leaf : found)
          result.back().push_back(leaf.second);
        // The order of sums is not that of the tree.
        std::sort(result.back().begin(), result.back().end());
      }
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



  template <int dim>
  std::vector<MortarFace<dim>>
  fetch_around(const std::vector<MortarFace<dim>> &own, const Partition &dofs)
  {
    const MPI_Comm          communicator = dofs->get_mpi_communicator();
    const std::vector<Node> firsts =
      dealii::Utilities::MPI::all_gather(communicator,
                                         Node(dofs->local_range().first));
    std::map<unsigned int, std::vector<MortarFace<dim>>> messages;
    for (const auto &face : own)
      {
        std::set<unsigned int> owners;
        for (std::size_t k = 0; k < face.nodes.size(); ++k)
          face.for_supports(k, [&](const Node node, const double) {
            owners.insert(owner(firsts, dim * node));
          });
        for (const unsigned int rank : owners)
          messages[rank].push_back(face);
      }
    return exchange<dim>(messages, communicator);
  }



  template <int dim>
  std::vector<MortarFace<dim>>
  fetch_near(const std::vector<MortarFace<dim>> &own,
             const std::vector<MortarFace<dim>> &slaves,
             const double                        distance,
             const MPI_Comm                      communicator)
  {
    namespace MPI = dealii::Utilities::MPI;
    using Points  = std::vector<dealii::Point<dim>>;
    Points corners; // of the box, if there is one
    for (const auto &face : slaves)
      corners.insert(corners.end(), face.places.begin(), face.places.end());
    if (!corners.empty())
      {
        const auto box = box_around<dim>(corners, distance);
        corners        = {box.get_boundary_points().first,
                          box.get_boundary_points().second};
      }
    const std::vector<Points> boxes = MPI::all_gather(communicator, corners);
    std::map<unsigned int, std::vector<MortarFace<dim>>> messages;
    for (unsigned int rank = 0; rank < boxes.size(); ++rank)
      {
        if (boxes[rank].empty())
          continue;
        const dealii::BoundingBox<dim> wanted({boxes[rank][0], boxes[rank][1]});
        for (const auto &face : own)
          if (boost::geometry::intersects(wanted,
                                          box_around<dim>(face.places, 0)))
            messages[rank].push_back(face);
      }
    return exchange<dim>(messages, communicator);
  }



  template <int dim>
  double
  largest_diameter(const std::vector<MortarFace<dim>> &faces,
                   const MPI_Comm                      communicator)
  {
    double largest = 0;
    for (const auto &face : faces)
      for (const auto &place : face.places)
        largest = std::max(largest, place.distance(face.places[0]));
    return dealii::Utilities::MPI::max(largest, communicator);
  }

  template MortarCandidates
  find_candidates(const std::vector<MortarFace<2>> &,
                  const std::vector<MortarFace<2>> &,
                  double);
  template MortarCoupling<2>
  couple(const MortarShapes<2> &,
         const std::vector<MortarFace<2>> &,
         const std::vector<MortarFace<2>> &,
         const MortarCandidates &,
         const MortarSearch &);
  template std::vector<MortarFace<2>>
  fetch_around(const std::vector<MortarFace<2>> &, const Partition &);
  template std::vector<MortarFace<2>>
  fetch_near(const std::vector<MortarFace<2>> &,
             const std::vector<MortarFace<2>> &,
             double,
             MPI_Comm);
  template double
  largest_diameter(const std::vector<MortarFace<2>> &, MPI_Comm);
  template MortarCandidates
  find_candidates(const std::vector<MortarFace<3>> &,
                  const std::vector<MortarFace<3>> &,
                  double);
  template MortarCoupling<3>
  couple(const MortarShapes<3> &,
         const std::vector<MortarFace<3>> &,
         const std::vector<MortarFace<3>> &,
         const MortarCandidates &,
         const MortarSearch &);
  template std::vector<MortarFace<3>>
  fetch_around(const std::vector<MortarFace<3>> &, const Partition &);
  template std::vector<MortarFace<3>>
  fetch_near(const std::vector<MortarFace<3>> &,
             const std::vector<MortarFace<3>> &,
             double,
             MPI_Comm);
  template double
  largest_diameter(const std::vector<MortarFace<3>> &, MPI_Comm);
} // namespace Percuss
