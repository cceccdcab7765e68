// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/anderson_acceleration.h>
#include <percuss/steppers/delayed_step.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace Percuss
{
  DelayedStep::DelayedStep(std::unique_ptr<TimeStepper> scheme,
                           const MechanicalModel       &model,
                           const History::Interpolation interpolation,
                           const std::size_t            n_records)
    : scheme(std::move(scheme))
    , model(model)
    , delays(*model.delays())
    , interpolation(interpolation)
    , n_records(n_records)
  {}



  void
  DelayedStep::set_step_size(const double step_size)
  {
    h = step_size;
    scheme->set_step_size(h);
  }



  void
  DelayedStep::start(State &state) const
  {
    delays.check(state.time - h, state.time);
    state.history = delays.begin(state, n_records, interpolation);
    delays.place(state, h, scheme->iterates_delays());
    scheme->start(state);
  }



  void
  DelayedStep::advance(const State &begin, State &end, StepReport &report) const
  {
    delays.check(begin.time, begin.time + h);
    delays.place(begin, h, scheme->iterates_delays());
    scheme->advance(begin, end, report);
    if (report.converged && scheme->iterates_delays() &&
        delays.reach_beyond(begin.time, begin.time + h))
      iterate(begin, end, report);
  }



  void
  DelayedStep::iterate(const State &begin, State &end, StepReport &report) const
  {
    constexpr unsigned int n_iterations = 40, depth = 5;
    AndersonAcceleration   acceleration(depth, model.communicator);
    std::vector<double>   &motion = delays.extension();
    const std::size_t      n      = motion.size() / 3;
    std::vector<double>    assumed, weights(motion.size(), 1.);
    // Positions differ by h v.
    std::fill_n(weights.begin(), n, 1 / (h * h));
    double last_distance = std::numeric_limits<double>::max();
    for (unsigned int i = 0; i < n_iterations; ++i)
      {
        assumed = motion;
        delays.extend(begin, end);
        const double distance = relative_distance(assumed, motion, end);
        // Less than round-off of the step may not be possible.
        if (distance <= 1e-13 ||
            (distance <= 1e-10 && i > 4 && distance >= last_distance / 2))
          {
            motion = assumed;
            return;
          }
        last_distance = distance;
        assumed.swap(motion);
        acceleration.improve(motion, assumed, weights);
        scheme->advance(begin, end, report);
        if (!report.converged)
          return;
      }
    report.converged        = false;
    report.delays_converged = false;
  }



  double
  DelayedStep::relative_distance(const std::vector<double> &a,
                                 const std::vector<double> &b,
                                 const State               &end) const
  {
    const std::size_t n          = a.size() / 3;
    double            largest[2] = {0, 0};
    bool              is_finite  = true;
    for (std::size_t i = 0; i < a.size(); ++i)
      {
        double &distance = largest[i < n ? 0 : 1];
        distance         = std::max(distance, std::abs(a[i] - b[i]));
        is_finite        = is_finite && std::isfinite(b[i]);
      }
    const double v      = end.v.linfty_norm();
    const double q      = end.q.linfty_norm() + h * v;
    const double result = !is_finite ?
                            std::numeric_limits<double>::max() :
                            std::max(largest[0] > 0 ? largest[0] / q : 0,
                                     largest[1] > 0 ? largest[1] / v : 0);
    return dealii::Utilities::MPI::max(result, model.communicator);
  }



  std::unique_ptr<TimeStepper>
  with_delays(std::unique_ptr<TimeStepper> scheme,
              const MechanicalModel       &model,
              const History::Interpolation interpolation,
              const std::size_t            n_records)
  {
    if (model.delays() == nullptr)
      return scheme;
    return std::make_unique<DelayedStep>(std::move(scheme),
                                         model,
                                         interpolation,
                                         n_records);
  }
} // namespace Percuss
