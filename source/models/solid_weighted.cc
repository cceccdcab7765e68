// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_weighted.h"

#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <set>

namespace Percuss
{
  template <int dim>
  WeightedSide<dim>::WeightedSide(const SolidObstacle<dim> &obstacle,
                                  const std::vector<WeightedFace<dim>> &faces,
                                  const Partition                      &owned,
                                  const double smoothing)
    : obstacle(obstacle)
    , smoothing(smoothing)
    , faces(faces)
    , views(faces.size())
    , is_known(faces.size(), 0)
  {
    std::map<Node, Constraint> found;
    for (unsigned int f = 0; f < faces.size(); ++f)
      {
        views[f].resize(faces[f].places.size());
        for (unsigned int k = 0; k < faces[f].nodes.size(); ++k)
          if (const Node node = faces[f].nodes[k];
              owned->in_local_range(dim * node))
            add_part(found[node], f, k);
      }
    for (auto &[node, constraint] : found)
      if (constraint.weight > 0 && can_move(constraint))
        {
          constraint.node = node;
          all.push_back(std::move(constraint));
        }
  }



  template <int dim>
  bool
  WeightedSide<dim>::can_move(const Constraint &constraint) const
  {
    return std::any_of(constraint.parts.begin(),
                       constraint.parts.end(),
                       [this](const auto &part) {
                         const auto &is_fixed = faces[part.face].is_fixed;
                         return std::count(is_fixed.begin(),
                                           is_fixed.end(),
                                           0) > 0;
                       });
  }



  template <int dim>
  void
  WeightedSide<dim>::add_part(Constraint        &constraint,
                              const unsigned int f,
                              const unsigned int function)
  {
    const WeightedFace<dim> &face   = faces[f];
    double                   weight = 0;
    for (std::size_t p = 0; p < face.areas.size(); ++p)
      weight += face.areas[p] * face.weights[p * face.nodes.size() + function];
    if (weight == 0)
      return;
    constraint.weight += weight;
    constraint.parts.push_back({f, function, {}});
  }



  template <int dim>
  void
  WeightedSide<dim>::keep_near(const double distance)
  {
    const auto is_far = [&](const Constraint &constraint) {
      for (const auto &part : constraint.parts)
        for (const auto &place : faces[part.face].places)
          if (obstacle.view(place).gap <= distance)
            return false;
      return true;
    };
    all.erase(std::remove_if(all.begin(), all.end(), is_far), all.end());
  }



  template <int dim>
  void
  WeightedSide<dim>::complete(const Partition &owned)
  {
    dealii::IndexSet others(owned->size());
    for (Constraint &constraint : all)
      {
        std::map<Node, const char *> nodes;
        for (const auto &part : constraint.parts)
          for (std::size_t k = 0; k < faces[part.face].nodes.size(); ++k)
            nodes[faces[part.face].nodes[k]] =
              faces[part.face].is_fixed.data() + dim * k;
        for (const auto &[node, is_fixed] : nodes)
          {
            constraint.nodes.push_back(node);
            constraint.is_fixed.insert(constraint.is_fixed.end(),
                                       is_fixed,
                                       is_fixed + dim);
            if (!owned->in_local_range(dim * node))
              others.add_range(dim * node, dim * node + dim);
          }
        for (auto &part : constraint.parts)
          for (const Node node : faces[part.face].nodes)
            part.columns.push_back(static_cast<unsigned int>(
              std::lower_bound(constraint.nodes.begin(),
                               constraint.nodes.end(),
                               node) -
              constraint.nodes.begin()));
      }
    others.compress();
    measure();
    near.reinit(std::make_shared<dealii::Utilities::MPI::Partitioner>(
      owned->locally_owned_range(), others, owned->get_mpi_communicator()));
    columns.resize(faces.size());
    for (const Constraint &constraint : all)
      for (const auto &part : constraint.parts)
        if (columns[part.face].empty())
          for (const Node node : faces[part.face].nodes)
            columns[part.face].push_back(
              near.get_partitioner()->global_to_local(dim * node));
  }



  template <int dim>
  void
  WeightedSide<dim>::measure()
  {
    for (Constraint &constraint : all)
      {
        const auto &first = faces[constraint.parts[0].face].places[0];
        constraint.box    = {first, first};
        for (const auto &part : constraint.parts)
          for (const auto &place : faces[part.face].places)
            constraint.box.add({place, place});
      }
    for (const auto &face : faces)
      for (std::size_t p = 0; p < face.places.size(); ++p)
        {
          double sum = 0;
          for (std::size_t k = 0; k < face.nodes.size(); ++k)
            sum += std::abs(face.shapes[p * face.nodes.size() + k]);
          sum_of_shapes = std::max(sum_of_shapes, sum);
        }
  }



  template <int dim>
  ContactBox<dim>
  WeightedSide<dim>::box(const unsigned int i) const
  {
    const Constraint &constraint = all[i];
    ContactBox<dim>   result     = constraint.box;
    for (unsigned int d = 0; d < dim; ++d)
      {
        double least = std::numeric_limits<double>::max(), most = -least;
        for (const auto &part : constraint.parts)
          for (const unsigned int first : columns[part.face])
            {
              const double value = near.local_element(first + d);
              least              = std::min(least, value);
              most               = std::max(most, value);
            }
        const double middle = (least + most) / 2,
                     half   = sum_of_shapes * (most - least) / 2;
        result.lower[d] += middle - half;
        result.upper[d] += middle + half;
      }
    return result;
  }



  template <int dim>
  void
  WeightedSide<dim>::import(const Vector &q) const
  {
    near.zero_out_ghost_values();
    std::copy(q.begin(), q.end(), near.begin());
    near.update_ghost_values();
    std::fill(is_known.begin(), is_known.end(), 0);
  }



  template <int dim>
  const typename WeightedSide<dim>::View *
  WeightedSide<dim>::look(const unsigned int f) const
  {
    if (is_known[f] != 0)
      return views[f].data();
    is_known[f]                   = 1;
    const WeightedFace<dim> &face = faces[f];
    const double            *N    = face.shapes.data();
    for (std::size_t p = 0; p < face.places.size(); ++p)
      {
        dealii::Point<dim> x = face.places[p];
        for (const unsigned int first : columns[f])
          {
            for (unsigned int d = 0; d < dim; ++d)
              x[d] += *N * near.local_element(first + d);
            ++N;
          }
        views[f][p] = obstacle.view(x);
      }
    return views[f].data();
  }



  template <int dim>
  double
  WeightedSide<dim>::weigh(const Constraint &constraint) const
  {
    portions.clear();
    double least = std::numeric_limits<double>::max(), sum = 0;
    for (const auto &part : constraint.parts)
      {
        const WeightedFace<dim> &face = faces[part.face];
        const View *const        seen = look(part.face);
        for (std::size_t p = 0; p < face.areas.size(); ++p)
          {
            portions.push_back(
              face.areas[p] *
              face.weights[p * face.nodes.size() + part.function]);
            if (portions.back() > 0)
              least = std::min(least, seen[p].gap);
          }
      }
    const bool   is_mean = obstacle.is_flat();
    const double delta   = smoothing > 0 ?
                             smoothing :
                             std::pow(constraint.weight, 1. / (dim - 1)) / 100;
    double       mean    = 0;
    auto         each    = portions.begin();
    for (const auto &part : constraint.parts)
      for (const View &seen : views[part.face])
        {
          *each *= is_mean ? 1 : std::exp((least - seen.gap) / delta);
          mean += *each * seen.gap;
          sum += *each++;
        }
    for (double &portion : portions)
      portion /= sum;
    return is_mean ? mean / sum :
                     least - delta * std::log(sum / constraint.weight);
  }



  template <int dim>
  typename WeightedSide<dim>::Value
  WeightedSide<dim>::place(
    const unsigned int                             i,
    const unsigned int                             n_directions,
    const std::function<Frame(const Direction &)> &frame_of,
    double *const                                  coefficients) const
  {
    const Constraint &constraint = all[i];
    const std::size_t length     = dim * constraint.nodes.size();
    Value             result;
    result.gap   = weigh(constraint);
    auto portion = portions.begin();
    if (coefficients != nullptr)
      std::fill_n(coefficients, n_directions * length, 0.);
    for (const auto &part : constraint.parts)
      {
        const double *N = faces[part.face].shapes.data();
        for (const View &seen : views[part.face])
          {
            const Frame frame =
              n_directions == 1 ? Frame{{seen.normal}} : frame_of(seen.normal);
            for (unsigned int k = 0; k < n_directions; ++k)
              {
                const Direction direction = *portion * frame[k];
                result.frame[k] += direction;
                result.rates[k] -= direction * seen.velocity;
                if (coefficients != nullptr)
                  for (std::size_t a = 0; a < part.columns.size(); ++a)
                    for (unsigned int d = 0; d < dim; ++d)
                      coefficients[k * length + dim * part.columns[a] + d] +=
                        N[a] * direction[d];
              }
            ++portion;
            N += part.columns.size();
          }
      }
    if (coefficients != nullptr)
      for (std::size_t c = 0; c < n_directions * length; ++c)
        if (constraint.is_fixed[c % length] != 0)
          coefficients[c] = 0;
    return result;
  }



  template <int dim>
  double
  WeightedSide<dim>::product(const unsigned int  i,
                             const double *const row) const
  {
    double        sum   = 0;
    const double *entry = row;
    const auto   &of    = *near.get_partitioner();
    for (const Node node : all[i].nodes)
      for (unsigned int d = 0; d < dim; ++d)
        sum +=
          *entry++ * near.local_element(of.global_to_local(dim * node + d));
    return sum;
  }



  template <int dim>
  std::vector<WeightedFace<dim>>
  fetch_own(const std::vector<WeightedFace<dim>> &faces,
            const Partition                      &owned,
            const MPI_Comm                        communicator)
  {
    namespace MPI = dealii::Utilities::MPI;
    // The ends of the ranks' ranges; some may be empty.
    auto ends = MPI::all_gather(communicator,
                                dealii::types::global_dof_index(
                                  owned->locally_owned_size()));
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    const auto rank_of = [&](const dealii::types::global_dof_index node) {
      return static_cast<unsigned int>(
        std::upper_bound(ends.begin(), ends.end(), dim * node) - ends.begin());
    };
    std::map<unsigned int, std::vector<WeightedFace<dim>>> messages;
    for (const auto &face : faces)
      {
        std::set<unsigned int> ranks;
        for (const auto node : face.nodes)
          ranks.insert(rank_of(node));
        for (const unsigned int rank : ranks)
          messages[rank].push_back(face);
      }
    std::vector<WeightedFace<dim>> result;
    for (const auto &message : MPI::some_to_some(communicator, messages))
      result.insert(result.end(), message.second.begin(), message.second.end());
    return result;
  }

  template class WeightedSide<2>;
  template class WeightedSide<3>;
  template std::vector<WeightedFace<2>>
  fetch_own(const std::vector<WeightedFace<2>> &, const Partition &, MPI_Comm);
  template std::vector<WeightedFace<3>>
  fetch_own(const std::vector<WeightedFace<3>> &, const Partition &, MPI_Comm);
} // namespace Percuss
