// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <deal.II/base/bounding_box.h>
#include <deal.II/base/mpi.h>
#include <deal.II/boost_adaptors/bounding_box.h>
#include <deal.II/numerics/rtree.h>

#include <boost/serialization/map.hpp>
#include <boost/serialization/utility.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "solid_mortar.h"

// Which faces may touch each other, on any ranks.

namespace Percuss
{
  namespace
  {
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
  std::vector<MortarFace<dim>>
  fetch_around(const std::vector<MortarFace<dim>> &own, const Partition &dofs)
  {
    const MPI_Comm communicator = dofs->get_mpi_communicator();
    const Owners   owner(*dofs);
    std::map<unsigned int, std::vector<MortarFace<dim>>> messages;
    for (const auto &face : own)
      {
        std::set<unsigned int> owners;
        for (std::size_t k = 0; k < face.nodes.size(); ++k)
          face.for_supports(k, [&](const Node node, const double) {
            owners.insert(owner(dim * node));
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
