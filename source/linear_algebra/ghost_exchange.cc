// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/ghost_exchange.h>

#include <deal.II/base/array_view.h>

#include <algorithm>

namespace Percuss
{
  namespace
  {
    constexpr unsigned int channel = 0;
  }



  GhostExchange::GhostExchange(const Partition &ghosted)
    : ghosted(ghosted)
    , entries(ghosted->n_ghost_indices())
    , sums(ghosted->n_ghost_indices())
    , packed(ghosted->n_import_indices())
  {}



  void
  GhostExchange::start_reading(const double *const x)
  {
    ghosted->export_to_ghosted_array_start(
      channel,
      dealii::ArrayView<const double>(x, ghosted->locally_owned_size()),
      dealii::make_array_view(packed),
      dealii::make_array_view(entries),
      requests);
  }



  const double *
  GhostExchange::finish_reading()
  {
    ghosted->export_to_ghosted_array_finish(dealii::make_array_view(entries),
                                            requests);
    return entries.data();
  }



  double *
  GhostExchange::new_sums()
  {
    std::fill(sums.begin(), sums.end(), 0.);
    return sums.data();
  }



  void
  GhostExchange::add_sums(double *const y)
  {
    ghosted->import_from_ghosted_array_start(dealii::VectorOperation::add,
                                             channel,
                                             dealii::make_array_view(sums),
                                             dealii::make_array_view(packed),
                                             requests);
    ghosted->import_from_ghosted_array_finish(
      dealii::VectorOperation::add,
      dealii::ArrayView<const double>(packed.data(), packed.size()),
      dealii::ArrayView<double>(y, ghosted->locally_owned_size()),
      dealii::make_array_view(sums),
      requests);
  }
} // namespace Percuss
