// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/contact/delassus_operator.h>
#include <percuss/linear_algebra/work_space.h>

#include <deal.II/base/index_set.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  DelassusMatrix::DelassusMatrix(const SparseMatrix &matrix,
                                 const bool          is_symmetric)
    : W(matrix)
    , symmetric(is_symmetric)
    , positions(matrix.partition()->locally_owned_size(), -1)
  {
    const auto &rows = W.rows();
    const auto  first =
      static_cast<PetscInt>(W.partition()->local_range().first);
    for (std::size_t i = 0; i < positions.size(); ++i)
      {
        const auto begin  = rows.columns.begin() + rows.start[i];
        const auto end    = rows.columns.begin() + rows.start[i + 1];
        const auto column = first + static_cast<PetscInt>(i);
        const auto found  = std::lower_bound(begin, end, column);
        if (found != end && *found == column)
          positions[i] = static_cast<PetscInt>(found - rows.columns.begin());
      }
  }



  void
  DelassusMatrix::fetch(const Vector &x) const
  {
    const auto &owned = *W.partition();
    if (owned.n_mpi_processes() == 1)
      return;
    if (fetched.size() == 0)
      {
        using Index = dealii::types::global_dof_index;
        std::vector<Index> felt;
        for (const PetscInt column : W.rows().columns)
          if (!owned.in_local_range(static_cast<Index>(column)))
            felt.push_back(static_cast<Index>(column));
        std::sort(felt.begin(), felt.end());
        dealii::IndexSet others(owned.size());
        others.add_indices(felt.begin(), felt.end());
        fetched.reinit(owned.locally_owned_range(),
                       others,
                       owned.get_mpi_communicator());
        for (const PetscInt column : W.rows().columns)
          columns.push_back(fetched.get_partitioner()->global_to_local(
            static_cast<Index>(column)));
      }
    fetched.zero_out_ghost_values();
    std::copy_n(x.begin(), x.locally_owned_size(), fetched.begin());
    fetched.update_ghost_values();
  }



  double
  DelassusMatrix::magnitude(const unsigned int i, const Vector &x) const
  {
    const auto &rows = W.rows();
    double      sum  = 0;
    if (columns.empty())
      for (PetscInt k = rows.start[i]; k < rows.start[i + 1]; ++k)
        sum += std::abs(rows.values[k] * x.local_element(rows.columns[k]));
    else
      for (PetscInt k = rows.start[i]; k < rows.start[i + 1]; ++k)
        sum += std::abs(rows.values[k] * fetched.local_element(columns[k]));
    return sum;
  }



  MatrixFreeDelassus::MatrixFreeDelassus(const GlobalForm &global)
    : system(global)
    , form(system.form)
    , inverse_diagonal(form.A.partition())
    , estimates(form.contacts.partition()->locally_owned_size())
  {
    const std::vector<double> of_A = form.A.diagonal();
    for (std::size_t i = 0; i < of_A.size(); ++i)
      inverse_diagonal.local_element(i) = 1 / of_A[i];
    if (form.second)
      {
        const std::vector<double> of_B = form.second->diagonal();
        for (std::size_t i = 0; i < of_B.size(); ++i)
          inverse_diagonal.local_element(i) += 1 / of_B[i];
      }
    MatrixFreeDelassus::follow_directions();
    if (form.contacts.has_constant_directions()) // then it has served
      Vector().swap(inverse_diagonal);
  }



  void
  MatrixFreeDelassus::follow_directions()
  {
    if (inverse_diagonal.size() == 0)
      return;
    Vector of_rows(partition());
    form.contacts.squares(inverse_diagonal, of_rows);
    std::copy(of_rows.begin(), of_rows.end(), estimates.begin());
  }



  void
  MatrixFreeDelassus::multiply(const Vector &x, Vector &y) const
  {
    form.contacts.impulses(x, make_room(impulse, form.A.partition()));
    make_room(velocity, form.A.partition());
    bool converged = form.inverse.solve(impulse, velocity).converged;
    if (form.second)
      {
        make_room(of_second, form.A.partition()) = 0.;
        converged &= form.second->improve(impulse, of_second).converged;
        velocity += of_second;
      }
    if (!converged)
      throw ResponseFailed();
    form.contacts.multiply(velocity, y);
  }
} // namespace Percuss
