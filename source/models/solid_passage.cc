// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_passage.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace Percuss
{
  namespace
  {
    using Node = dealii::types::global_dof_index;

    /// What faces have around a node.
    template <int dim>
    struct Surroundings
    {
      std::vector<dealii::Tensor<1, dim>> normals;
      dealii::Tensor<1, dim>              inwards; ///< to the facets' middles
    };

    template <int dim>
    std::map<Node, Surroundings<dim>>
    surroundings_of_nodes(const MortarShapes<dim>            &shapes,
                          const std::vector<MortarFace<dim>> &faces)
    {
      std::map<Node, Surroundings<dim>> result;
      for (const auto &face : faces)
        for (const auto &facet : shapes.facets(face))
          for (unsigned int c = 0; c < facet.n_corners; ++c)
            {
              if (face.hangs(facet.nodes[c]))
                continue;
              dealii::Point<dim - 1> middle;
              for (unsigned int d = 0; d < dim - 1; ++d)
                middle[d] = 0.5;
              auto &around = result[face.nodes[facet.nodes[c]]];
              around.normals.push_back(facet.normal);
              around.inwards += facet.place(middle) - facet.corners[c];
            }
      return result;
    }

    /// A face that may pass others, with the ways of its nodes.
    template <int dim>
    struct MovedFace
    {
      const MortarFace<dim>                     &face;
      const std::vector<dealii::Tensor<1, dim>> &ways;
      const std::vector<MortarFacet<dim>>        facets;
    };

    /// The way of a point of a facet.
    template <int dim>
    dealii::Tensor<1, dim>
    way_of(const MovedFace<dim>         &moved,
           const MortarFacet<dim>       &facet,
           const dealii::Point<dim - 1> &xi)
    {
      dealii::Tensor<1, dim> result;
      for (unsigned int c = 0; c < facet.n_corners; ++c)
        result += corner_shape<dim - 1>(c, xi) * moved.ways[facet.nodes[c]];
      return result;
    }

    /// How far a facet of the master came towards one of the slave if it was in
    /// front of it and has left what the search sees, in the mean over their
    /// overlap; otherwise 0.
    template <int dim>
    double
    way_through(const MovedFace<dim>   &slave,
                const MortarFacet<dim> &of_slave,
                const MovedFace<dim>   &master,
                const MortarFacet<dim> &of_master,
                const double            deepest)
    {
      double area = 0, distance = 0, way = 0;
      for (const auto &point : overlap<dim>(of_slave, of_master, 1).points)
        {
          const auto xs = of_slave.from_face(point.slave);
          const auto xm = of_master.from_face(point.master);
          area += point.weight;
          distance += point.weight * point.distance;
          way +=
            point.weight *
            ((way_of(slave, of_slave, xs) - way_of(master, of_master, xm)) *
             of_slave.normal);
        }
      const bool is_lost = distance < -deepest * area;
      return area > 0 && is_lost && distance + way >= 0 ? way / area : 0;
    }

    template <int dim>
    double
    longest_way_through(const MovedFace<dim> &slave,
                        const MovedFace<dim> &master,
                        const MortarSearch   &search)
    {
      double longest = 0;
      for (const auto &of_slave : slave.facets)
        for (const auto &of_master : master.facets)
          if (of_slave.normal * of_master.normal <= search.facing)
            longest =
              std::max(longest,
                       way_through(
                         slave, of_slave, master, of_master, search.deepest()));
      return longest;
    }

    /// Whether node @p k of a face came from outside through a facet that does
    /// not face any of @p normals.
    template <int dim>
    bool
    enters(const MovedFace<dim>                      &with_tip,
           const std::size_t                          k,
           const std::vector<dealii::Tensor<1, dim>> &normals,
           const MovedFace<dim>                      &other,
           const MortarFacet<dim>                    &facet)
    {
      const auto &place = with_tip.face.places[k];
      const auto  xi    = facet.foot(place);
      if (!xi)
        return false;
      const double height = (place - facet.place(*xi)) * facet.normal;
      const double way =
        (with_tip.ways[k] - way_of(other, facet, *xi)) * facet.normal;
      return height < 0 && height - way >= 0 &&
             std::none_of(normals.begin(), normals.end(), [&](const auto &n) {
               return n * facet.normal <= MortarSearch::facing;
             });
    }

    /// Looks for tips of a face that enter another one.
    template <int dim>
    void
    add_tips(const MovedFace<dim>  &face,
             const MortarTips<dim> &tips,
             const MovedFace<dim>  &other,
             MortarPassage         &result)
    {
      for (std::size_t k = 0; k < face.face.nodes.size() && !tips.empty(); ++k)
        if (const auto tip = tips.find(face.face.nodes[k]); tip != tips.end())
          for (const auto &facet : other.facets)
            if (enters(face, k, tip->second.normals, other, facet))
              {
                result.has_tip = true;
                result.angle   = std::min(result.angle, tip->second.angle);
              }
    }
  } // namespace



  MortarPassage
  MortarPassage::of_all_ranks(const MPI_Comm communicator) const
  {
    namespace MPI = dealii::Utilities::MPI;
    return {MPI::max(way, communicator),
            MPI::max(has_tip ? 1u : 0u, communicator) == 1,
            MPI::min(angle, communicator)};
  }



  /// A notch, whose axis points into it, is none.
  template <int dim>
  MortarTips<dim>
  find_tips(const MortarShapes<dim>            &shapes,
            const std::vector<MortarFace<dim>> &faces)
  {
    MortarTips<dim> result;
    for (auto &[node, around] : surroundings_of_nodes(shapes, faces))
      {
        dealii::Tensor<1, dim> axis;
        for (const auto &normal : around.normals)
          axis += normal;
        if (axis.norm() == 0 || axis * around.inwards >= 0)
          continue;
        axis /= axis.norm();
        double most = 0;
        for (const auto &normal : around.normals)
          most = std::max(most, normal * axis);
        if (most <= -MortarSearch::facing)
          result[node] = {around.normals, 2 * std::asin(most)};
      }
    return result;
  }



  template <int dim>
  MortarPassage
  find_passage(const MortarShapes<dim>            &shapes,
               const std::vector<MortarFace<dim>> &slaves,
               const std::vector<MortarFace<dim>> &masters,
               const MortarWays<dim>              &ways_of_slaves,
               const MortarWays<dim>              &ways_of_masters,
               const MortarCandidates             &candidates,
               const MortarSearch                 &search)
  {
    const auto    tips_of_slaves  = find_tips(shapes, slaves);
    const auto    tips_of_masters = find_tips(shapes, masters);
    MortarPassage result;
    for (std::size_t s = 0; s < slaves.size(); ++s)
      {
        const MovedFace<dim> slave{slaves[s],
                                   ways_of_slaves[s],
                                   shapes.facets(slaves[s])};
        for (const std::size_t m : candidates[s])
          {
            if (!search.may_touch(slaves[s], masters[m]))
              continue;
            const MovedFace<dim> master{masters[m],
                                        ways_of_masters[m],
                                        shapes.facets(masters[m])};
            result.way =
              std::max(result.way, longest_way_through(slave, master, search));
            add_tips(slave, tips_of_slaves, master, result);
            add_tips(master, tips_of_masters, slave, result);
          }
      }
    return result;
  }

  template MortarTips<2>
  find_tips(const MortarShapes<2> &, const std::vector<MortarFace<2>> &);
  template MortarTips<3>
  find_tips(const MortarShapes<3> &, const std::vector<MortarFace<3>> &);
  template MortarPassage
  find_passage(const MortarShapes<2> &,
               const std::vector<MortarFace<2>> &,
               const std::vector<MortarFace<2>> &,
               const MortarWays<2> &,
               const MortarWays<2> &,
               const MortarCandidates &,
               const MortarSearch &);
  template MortarPassage
  find_passage(const MortarShapes<3> &,
               const std::vector<MortarFace<3>> &,
               const std::vector<MortarFace<3>> &,
               const MortarWays<3> &,
               const MortarWays<3> &,
               const MortarCandidates &,
               const MortarSearch &);
} // namespace Percuss
