// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/collective.h>
#include <percuss/base/error.h>

#include <deal.II/base/mpi.h>

#include <boost/serialization/string.hpp>
#include <boost/serialization/utility.hpp>

#include <exception>
#include <string>
#include <utility>

namespace Percuss
{
  void
  collectively(const MPI_Comm communicator, const std::function<void()> &action)
  {
    using namespace dealii::Utilities::MPI;
    std::pair<int, std::string> failure = {0, ""};
    try
      {
        action();
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
    for (const auto &other : all_gather(communicator, failure))
      if (other.first != 0)
        throw Error(static_cast<ExitCode>(other.first), other.second);
  }
} // namespace Percuss
