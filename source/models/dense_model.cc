// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/models/dense_model.h>

#include <deal.II/base/mpi.h>

#include <algorithm>

namespace Percuss
{
  DenseModel::DenseModel(const System &system, const Context &context)
    : MechanicalModel(context)
    , is_damped(!system.C.empty() && !system.C.all_zero())
    , contact_set(communicator)
  {
    const bool is_first =
      dealii::Utilities::MPI::this_mpi_process(communicator) == 0;
    const auto n = is_first ? static_cast<unsigned int>(system.M.m()) : 0;
    owned        = make_partition(n, communicator);
    load.reinit(owned);
    for (unsigned int i = 0; i < n; ++i)
      {
        for (unsigned int j = 0; j < n; ++j)
          {
            const double m = system.M(i, j);
            const double c = system.C.empty() ? 0. : system.C(i, j);
            const double k = system.K.empty() ? 0. : system.K(i, j);
            if (m == 0 && c == 0 && k == 0)
              continue;
            columns.push_back(j);
            M.push_back(m);
            C.push_back(c);
            K.push_back(k);
          }
        row_start.push_back(static_cast<unsigned int>(columns.size()));
        load.local_element(i) = system.dead_load[i];
      }
    if (is_first)
      {
        unsigned int slot = 0;
        for (const Contact &contact : system.contacts)
          {
            ContactPoint point = contact.point;
            point.slot         = slot;
            contact_set.add(point, contact.rows, contact.initial_gap);
            slot += static_cast<unsigned int>(contact.rows.size());
          }
      }
    if (system.geometry)
      contact_set.set_geometry(system.geometry);
    contact_set.complete();
    fill(system.q, system.v, start);
  }



  State
  DenseModel::initial_state() const
  {
    return start;
  }



  std::unique_ptr<SparseMatrix>
  DenseModel::assemble(const double m, const double c, const double k) const
  {
    SparseMatrix::Rows rows;
    rows.start.assign(row_start.begin(), row_start.end());
    rows.columns.assign(columns.begin(), columns.end());
    for (std::size_t entry = 0; entry < columns.size(); ++entry)
      rows.values.push_back(m * M[entry] + c * C[entry] + k * K[entry]);
    return std::make_unique<SparseMatrix>(owned, std::move(rows));
  }



  void
  DenseModel::internal_forces(const Vector &q, const Vector &v, Vector &f) const
  {
    for (unsigned int i = 0; i + 1 < row_start.size(); ++i)
      {
        double sum = 0;
        for (unsigned int k = row_start[i]; k < row_start[i + 1]; ++k)
          sum += K[k] * q.local_element(columns[k]) +
                 C[k] * v.local_element(columns[k]);
        f.local_element(i) = sum;
      }
  }



  void
  DenseModel::damping_forces(const Vector &v, Vector &f) const
  {
    for (unsigned int i = 0; i + 1 < row_start.size(); ++i)
      {
        double sum = 0;
        for (unsigned int k = row_start[i]; k < row_start[i + 1]; ++k)
          sum += C[k] * v.local_element(columns[k]);
        f.local_element(i) = sum;
      }
  }



  void
  DenseModel::multiply_by_mass(const Vector &x, Vector &y) const
  {
    for (unsigned int i = 0; i + 1 < row_start.size(); ++i)
      {
        double sum = 0;
        for (unsigned int k = row_start[i]; k < row_start[i + 1]; ++k)
          sum += M[k] * x.local_element(columns[k]);
        y.local_element(i) = sum;
      }
  }



  double
  DenseModel::local_norm(const Values &matrix, const Vector &x) const
  {
    double norm = 0;
    for (unsigned int i = 0; i + 1 < row_start.size(); ++i)
      for (unsigned int k = row_start[i]; k < row_start[i + 1]; ++k)
        norm += x.local_element(i) * matrix[k] * x.local_element(columns[k]);
    return norm;
  }



  Energy
  DenseModel::energy(const State &state) const
  {
    double parts[3] = {0.5 * local_norm(M, state.v),
                       0.5 * local_norm(K, state.q),
                       0};
    for (unsigned int i = 0; i < owned->locally_owned_size(); ++i)
      parts[2] -= load.local_element(i) * state.q.local_element(i);
    if (owned->n_mpi_processes() > 1)
      MPI_Allreduce(MPI_IN_PLACE, parts, 3, MPI_DOUBLE, MPI_SUM, communicator);
    return {parts[0], parts[1], parts[2]};
  }



  double
  DenseModel::sum_over_ranks(const double value) const
  {
    return owned->n_mpi_processes() > 1 ?
             dealii::Utilities::MPI::sum(value, communicator) :
             value;
  }



  Probe
  DenseModel::probe(const std::string                          &name,
                    const std::string                          &unit,
                    const std::function<double(const State &)> &value) const
  {
    return {name, unit, [this, value](const State &state) {
              return sum_over_ranks(owns_all() ? value(state) : 0.);
            }};
  }



  void
  DenseModel::fill(const std::vector<double> &q,
                   const std::vector<double> &v,
                   State                     &state) const
  {
    for (Vector *const vector : {&state.q, &state.v})
      if (vector->size() != owned->size())
        vector->reinit(owned);
    if (!owns_all())
      return;
    std::copy(q.begin(), q.end(), state.q.begin());
    std::copy(v.begin(), v.end(), state.v.begin());
  }
} // namespace Percuss
