// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/collective.h>
#include <percuss/base/error.h>

#include <deal.II/base/mpi.h>

#include <boost/serialization/string.hpp>
#include <boost/serialization/utility.hpp>

#include <chrono>
#include <exception>
#include <string>
#include <thread>
#include <utility>

namespace Percuss
{
  void
  collectively(const MPI_Comm communicator, const std::function<void()> &action)
  {
    using namespace dealii::Utilities::MPI;
    std::pair<int, std::string> failure = {0, ""};
    std::string                 entry; // the path of an EntryError
    try
      {
        action();
      }
    catch (const EntryError &error)
      {
        failure = {static_cast<int>(error.code), error.reason};
        entry   = error.path;
      }
    catch (const Error &error)
      {
        failure = {static_cast<int>(error.code), error.what()};
      }
    catch (const std::exception &error) // of std::filesystem
      {
        failure = {static_cast<int>(ExitCode::io), error.what()};
      }
    const bool is_serial = n_mpi_processes(communicator) == 1;
    if ((is_serial ? failure.first : max(failure.first, communicator)) == 0)
      return;
    const auto failures = all_gather(communicator, failure);
    const auto entries  = all_gather(communicator, entry);
    for (std::size_t rank = 0; rank < failures.size(); ++rank)
      if (const auto &[code, text] = failures[rank]; code != 0)
        {
          if (!entries[rank].empty())
            throw EntryError(entries[rank], text);
          throw Error(static_cast<ExitCode>(code), text);
        }
  }



  bool
  all_ranks_arrive(const MPI_Comm communicator, const double seconds)
  {
    using Clock = std::chrono::steady_clock;
    MPI_Request request;
    MPI_Ibarrier(communicator, &request);
    int        are_here = 0;
    const auto start    = Clock::now();
    while (true)
      {
        MPI_Test(&request, &are_here, MPI_STATUS_IGNORE);
        if (are_here != 0)
          return true;
        if (std::chrono::duration<double>(Clock::now() - start).count() >
            seconds)
          return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
  }
} // namespace Percuss
