// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/driver/stop_request.h>

#include <deal.II/base/mpi.h>

#include <csignal>
#include <ctime>

namespace Percuss
{
  namespace
  {
    volatile std::sig_atomic_t signal_received = 0;

    volatile std::sig_atomic_t time_of_interrupt = 0; ///< in s

    /// Launchers may pass a signal on that has come to all processes anyway.
    extern "C" void
    remember_signal(const int signal)
    {
      timespec now;
      clock_gettime(CLOCK_MONOTONIC, &now);
      const auto seconds = static_cast<std::sig_atomic_t>(now.tv_sec);
      if (signal == SIGINT && signal_received == SIGINT &&
          seconds > time_of_interrupt + 1)
        {
          std::signal(SIGINT, SIG_DFL);
          std::raise(SIGINT);
        }
      if (signal_received != SIGINT)
        time_of_interrupt = seconds;
      signal_received = signal;
    }
  } // namespace



  void
  StopRequest::listen()
  {
    signal_received = 0;
    for (const int signal : {SIGTERM, SIGUSR1, SIGINT})
      std::signal(signal, remember_signal);
  }



  StopRequest::Clock::time_point
  StopRequest::limit_in(const double wall_minutes)
  {
    if (wall_minutes <= 0 || !(wall_minutes < 1e7)) // 19 years
      return Clock::time_point::max();
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(60 * wall_minutes));
  }



  StopRequest::StopRequest(const Clock::time_point limit,
                           const MPI_Comm          communicator)
    : limit(limit)
    , communicator(communicator)
    , is_serial(dealii::Utilities::MPI::n_mpi_processes(communicator) == 1)
  {}



  StopRequest::Action
  StopRequest::poll(const bool checkpoint_is_due_here) const
  {
    const bool stop_here =
      signal_received != 0 ||
      (limit != Clock::time_point::max() && Clock::now() > limit);
    const Action here = stop_here              ? Action::stop :
                        checkpoint_is_due_here ? Action::write_checkpoint :
                                                 Action::go_on;
    if (is_serial)
      return here;
    return static_cast<Action>(
      dealii::Utilities::MPI::max(static_cast<int>(here), communicator));
  }

} // namespace Percuss
