// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/ledger/momentum_audit.h>
#include <percuss/linear_algebra/work_space.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  MomentumAudit::MomentumAudit(const MechanicalModel &model)
    : model(model)
    , u(model.contacts().partition())
  {}



  MomentumAudit::Works
  MomentumAudit::measure(const State         &begin,
                         const State         &end,
                         const StepReport    &report,
                         const EnergyPromise &promise) const
  {
    const MomentumBalance &balance = *promise.momentum;
    Works                  works;
    for (Vector *vector : {&mean, &work, &rest})
      make_room(*vector, model.partition());
    mean = begin.v;
    mean.sadd(0.5, 0.5, end.v);
    const State &place = balance.has_mass_of_end() ? end : begin;
    model.evaluate(Term::momentum, {place.time, place.q, end.v}, rest);
    model.evaluate(Term::momentum, {place.time, place.q, begin.v}, work);
    rest -= work;
    works.inertia = local_product(mean, rest);
    balance.impulse(Term::force, begin, end, work);
    rest -= work;
    works.smooth = local_product(mean, work);
    if (model.has_driving_load())
      {
        balance.impulse(Term::load, begin, end, work);
        works.load = local_product(mean, work);
      }
    if (model.has_damping())
      {
        balance.impulse(Term::damping, begin, end, work);
        works.damping = local_product(mean, work);
      }
    if (promise.has_joints)
      {
        rest -= end.recall("joint impulse");
        works.joints = local_product(mean, end.recall("joint impulse"));
      }
    if (report.n_active > 0)
      add_contacts(begin, end, balance, works);
    for (unsigned int i = 0; i < rest.locally_owned_size(); ++i)
      works.residual += std::abs(rest.local_element(i)) *
                        std::max(std::abs(begin.v.local_element(i)),
                                 std::abs(end.v.local_element(i)));
    if (model.partition()->n_mpi_processes() > 1)
      MPI_Allreduce(MPI_IN_PLACE,
                    &works,
                    sizeof(works) / sizeof(double),
                    MPI_DOUBLE,
                    MPI_SUM,
                    model.communicator);
    if (model.is_rheonomic())
      works.load += promise.step_size / 2 *
                    (model.explicit_power(begin) + model.explicit_power(end));
    return works;
  }



  void
  MomentumAudit::add_contacts(const State           &begin,
                              const State           &end,
                              const MomentumBalance &balance,
                              Works                 &works) const
  {
    const State  &place  = balance.has_contacts_of_end() ? end : begin;
    const Vector &lambda = impulses(end);
    model.contacts().place_again(place.time, place.q);
    model.contacts().impulses(lambda, work);
    rest -= work;
    model.contacts().multiply(mean, u);
    for (const ContactPoint &point : model.contacts().points())
      for (unsigned int i = 0; i < point.n_directions; ++i)
        {
          const double value = lambda.local_element(point.first + i);
          const double work_of_direction =
            u.local_element(point.first + i) * value;
          (i == 0 ? works.contact : works.friction) += work_of_direction;
          works.impulse += std::abs(value);
        }
  }
} // namespace Percuss
