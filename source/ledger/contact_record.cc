// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/ledger/contact_record.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <utility>

namespace Percuss
{
  ContactRecord::ContactRecord(const MechanicalModel &model)
    : model(&model)
    , gap(model.contacts().partition())
  {}



  void
  ContactRecord::follow(const MechanicalModel &other)
  {
    model = &other;
    gap.reinit(other.contacts().partition());
  }



  void
  ContactRecord::record(const State      &begin,
                        const State      &end,
                        const StepReport &report)
  {
    interval.duration += end.time - begin.time;
    interval.n_active = report.n_active;
    if (model->contacts().partition()->size() == 0)
      return;
    const Vector &lambda = impulses(end);
    model->contacts().place_near(end.time, end.q);
    model->contacts().gaps(end.q, gap);
    double impulse = 0, penetration = 0;
    for (const ContactPoint &point : model->contacts().points())
      {
        impulse += lambda.local_element(point.first);
        penetration = std::max(penetration, -gap.local_element(point.first));
      }
    if (model->partition()->n_mpi_processes() > 1)
      {
        if (report.n_active > 0)
          impulse = dealii::Utilities::MPI::sum(impulse, model->communicator);
        penetration =
          dealii::Utilities::MPI::max(penetration, model->communicator);
      }
    if (impulse > 0)
      {
        if (since_start.first_contact < 0)
          since_start.first_contact = end.time;
        since_start.last_contact = end.time;
        ++since_start.n_contact_steps;
      }
    since_start.impulse += impulse;
    interval.impulse += impulse;
    since_start.max_penetration =
      std::max(since_start.max_penetration, penetration);
    interval.max_penetration = std::max(interval.max_penetration, penetration);
    since_start.worst_residual =
      std::max(since_start.worst_residual, report.contact.residual);
    interval.residual = std::max(interval.residual, report.contact.residual);
    since_start.n_iterations += report.contact.n_iterations;
    interval.n_iterations += report.contact.n_iterations;
  }



  ContactRecord::Interval
  ContactRecord::take_interval()
  {
    return std::exchange(interval, Interval());
  }



  void
  ContactRecord::restore(const Memory &memory)
  {
    since_start = memory.totals;
    interval    = memory.interval;
  }
} // namespace Percuss
