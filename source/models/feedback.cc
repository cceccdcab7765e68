// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/models/feedback.h>

#include <algorithm>

namespace Percuss
{
  void
  ControllerParameters::declare(ParameterSection &section)
  {
    section.add("gain",
                gain,
                "The force is -gain times the signal, in N (or N m) over the "
                "unit of the sensor");
    section.add("delay",
                delay,
                "tau(t) of the signal y(t - tau), in s, t in s");
    section.add("saturation",
                saturation,
                "The largest force, in N (or N m); 0 for any",
                Range::non_negative());
  }



  double
  ControllerParameters::force(const double signal) const
  {
    const double wanted = -gain * signal;
    return saturation > 0 ? std::clamp(wanted, -saturation, saturation) :
                            wanted;
  }



  Delays::Delay
  ControllerParameters::make_delay(const Expression  &tau,
                                   const std::string &entry)
  {
    return {[tau](const double t) { return t - tau(t); },
            tau.is_constant(),
            tau.formula(),
            entry};
  }



  void
  FeedbackLoops::add(const Loop &loop, const std::string &entry, Delays &delays)
  {
    delays.add(Delays::Signal{loop.name,
                              loop.argument,
                              delays.add(ControllerParameters::make_delay(
                                loop.controller.delay, entry)),
                              loop.sensor});
    loops.push_back(loop);
    signals.resize(loops.size());
  }



  void
  FeedbackLoops::add_forces(const Delays &delays,
                            const double  time,
                            const double  factor,
                            Vector       &f) const
  {
    if (loops.empty())
      return;
    delays.evaluate(time, signals.data());
    if (f.get_partitioner()->n_mpi_processes() > 1)
      MPI_Allreduce(MPI_IN_PLACE,
                    signals.data(),
                    static_cast<int>(signals.size()),
                    MPI_DOUBLE,
                    MPI_SUM,
                    f.get_mpi_communicator());
    for (std::size_t k = 0; k < loops.size(); ++k)
      {
        const double force =
          loops[k].controller.force(signals[k] - loops[k].reference);
        for (const auto &[i, weight] : loops[k].actuator)
          f.local_element(i) += factor * weight * force;
      }
  }



  void
  FeedbackLoops::add_derivative(const unsigned int signal, Vector &f) const
  {
    for (const auto &[i, weight] : loops[signal].actuator)
      f.local_element(i) -= loops[signal].controller.gain * weight;
  }
} // namespace Percuss
