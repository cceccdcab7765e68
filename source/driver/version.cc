// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/driver/version.h>

#include <deal.II/base/config.h>

#include <boost/version.hpp>

#include <petscversion.h>

#include <mpi.h>

namespace Percuss
{
  std::string
  version()
  {
    return PERCUSS_VERSION;
  }



  std::map<std::string, std::string>
  library_versions()
  {
    const auto dotted = [](const int major, const int minor, const int patch) {
      return std::to_string(major) + "." + std::to_string(minor) + "." +
             std::to_string(patch);
    };
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
    int  length = 0;
    MPI_Get_library_version(mpi, &length);
    const std::string mpi_text(mpi, static_cast<std::size_t>(length));
    return {{"deal.II", DEAL_II_PACKAGE_VERSION},
            {"PETSc",
             dotted(PETSC_VERSION_MAJOR,
                    PETSC_VERSION_MINOR,
                    PETSC_VERSION_SUBMINOR)},
            {"Boost",
             dotted(BOOST_VERSION / 100000,
                    BOOST_VERSION / 100 % 1000,
                    BOOST_VERSION % 100)},
            {"MPI", mpi_text.substr(0, mpi_text.find(','))},
            {"compiler", __VERSION__}};
  }
} // namespace Percuss
