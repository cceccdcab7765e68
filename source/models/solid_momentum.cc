// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <deal.II/base/mpi.h>

#include <algorithm>

#include "solid.h"

// Linear and angular momentum of solids.

namespace Percuss
{
  template <int dim>
  dealii::Tensor<1, 3>
  Solid<dim>::angular_momentum(const State &state) const
  {
    const Vector &q = displacement(state.time, state.q);
    apply_mass(velocity(state), work);
    // x x p, p, and m x, with zeros in the place of a third direction.
    std::vector<double> sums(9);
    for (unsigned int i = 0; i < pattern->n_rows(); ++i)
      {
        double x[3] = {}, p[3] = {};
        for (unsigned int d = 0; d < dim; ++d)
          {
            x[d] = places[i][d] + q.local_element(dim * i + d);
            p[d] = work.local_element(dim * i + d);
          }
        for (unsigned int d = 0; d < 3; ++d)
          {
            const unsigned int e = (d + 1) % 3, f = (d + 2) % 3;
            sums[d] += x[e] * p[f] - x[f] * p[e];
            sums[3 + d] += p[d];
            sums[6 + d] += masses_of_nodes[i] * x[d];
          }
      }
    dealii::Utilities::MPI::sum(sums, communicator, sums);
    dealii::Tensor<1, 3> result;
    for (unsigned int d = 0; d < 3; ++d)
      {
        const unsigned int e = (d + 1) % 3, f = (d + 2) % 3;
        result[d] =
          sums[d] -
          (sums[6 + e] * sums[3 + f] - sums[6 + f] * sums[3 + e]) / total_mass;
      }
    return result;
  }



  template <int dim>
  std::optional<Probe>
  Solid<dim>::momentum_probe(const std::string &name,
                             const std::string &what) const
  {
    const std::vector<std::string> axes = {"x", "y", "z"};
    for (unsigned int d = 0; d < 3; ++d)
      {
        if (d < dim && what == "mean velocity " + axes[d])
          return Probe{
            name, "m/s", [this, d](const State &state) {
              const Vector &v        = velocity(state);
              double        momentum = 0;
              for (unsigned int i = 0; i < masses_of_nodes.size(); ++i)
                momentum += masses_of_nodes[i] * v.local_element(dim * i + d);
              return dealii::Utilities::MPI::sum(momentum, communicator) /
                     total_mass;
            }};
        if ((dim == 3 || d == 2) && what == "angular momentum " + axes[d])
          return Probe{name, "kg m^2/s", [this, d](const State &state) {
                         return angular_momentum(state)[d];
                       }};
      }
    return {};
  }

  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
