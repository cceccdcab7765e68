// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

#include <deal.II/base/mpi.h>

#include <vector>

namespace Percuss
{
  /// Contacts claim degrees of freedom, the columns of their rows of D: each
  /// may be claimed once, by a contact of the rank that owns it.
  class ColumnClaims
  {
  public:
    explicit ColumnClaims(const Partition &partition)
      : partition(partition)
      , is_taken(partition->locally_owned_size())
    {}

    /// @p dof counts from the first one of this rank; those of other ranks
    /// follow.
    void
    claim(const unsigned int dof)
    {
      const bool is_own = dof < is_taken.size();
      n_refused += !is_own || is_taken[dof];
      if (is_own)
        is_taken[dof] = true;
    }

    /// A contact that cannot claim any.
    void
    refuse()
    {
      ++n_refused;
    }

    /// Whether all claims of all ranks were met. Collective.
    bool
    are_met() const
    {
      return dealii::Utilities::MPI::sum(n_refused,
                                         partition->get_mpi_communicator()) ==
             0;
    }

  private:
    const Partition   partition;
    std::vector<bool> is_taken;
    unsigned int      n_refused = 0;
  };
} // namespace Percuss
