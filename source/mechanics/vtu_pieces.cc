// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "vtu_pieces.h"

#include <percuss/base/collective.h>
#include <percuss/base/files.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/utilities.h>

namespace Percuss
{
  std::string
  write_vtu_pieces(const std::string &text,
                   const VtuRecord   &record,
                   const std::string &folder,
                   const std::string &name,
                   const MPI_Comm     communicator)
  {
    const unsigned int n_ranks =
      dealii::Utilities::MPI::n_mpi_processes(communicator);
    const unsigned int rank =
      dealii::Utilities::MPI::this_mpi_process(communicator);
    const unsigned int n_digits = dealii::Utilities::needed_digits(n_ranks);
    std::vector<std::string> pieces;
    for (unsigned int number = 0; number < n_ranks; ++number)
      pieces.push_back(
        name +
        (n_ranks == 1 ?
           "" :
           "." + dealii::Utilities::int_to_string(number, n_digits)) +
        ".vtu");
    collectively(communicator, [&]() {
      Files::replace(folder + "/" + pieces[rank], text);
      if (n_ranks > 1 && rank == 0)
        Files::replace(folder + "/" + name + ".pvtu", record(pieces));
    });
    return n_ranks == 1 ? pieces[0] : name + ".pvtu";
  }
} // namespace Percuss
