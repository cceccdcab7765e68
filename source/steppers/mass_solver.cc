// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/mass_solver.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  namespace
  {
    double
    add_up(const MechanicalModel &model, double value)
    {
      if (model.partition()->n_mpi_processes() > 1)
        MPI_Allreduce(
          MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, model.communicator);
      return value;
    }
  } // namespace



  MassSolver::MassSolver(const MechanicalModel &model, const SparseMatrix &M)
    : model(model)
  {
    for (Vector *vector : {&r, &z, &p, &Mp})
      vector->reinit(model.partition());
    if (M.symmetric_blocks() != nullptr)
      {
        split(*M.symmetric_blocks());
        return;
      }
    for (const double entry : M.diagonal())
      inverse_diagonal.push_back(1 / entry);
  }



  void
  MassSolver::split(const SymmetricBlocks &M)
  {
    pattern                 = M.pattern;
    const unsigned int size = pattern->size, n = pattern->n_rows();
    const auto        &start = pattern->start;
    values.resize(pattern->columns.size());
    for (std::size_t k = 0; k < values.size(); ++k)
      for (unsigned int c = 0; c < size; ++c) // zero where c is fixed
        if (const double entry = M.block(k)[(size + 1) * c];
            std::abs(entry) > std::abs(values[k]))
          values[k] = entry;
    for (unsigned int i = 0; i < n; ++i)
      inverse_diagonal.push_back(1 / values[start[i]]);
    // They have no mass in common with others, and no entry in products.
    Vector &unit = p, &product = Mp;
    unit = 1.;
    model.multiply_by_mass(unit, product);
    for (unsigned int i = 0; i < product.locally_owned_size(); ++i)
      if (product.local_element(i) == 0)
        fixed.push_back(i);
  }



  template <unsigned int size>
  void
  MassSolver::substitute(const double *const from, double *const to) const
  {
    const unsigned int *const start   = pattern->start.data();
    const unsigned int *const columns = pattern->columns.data();
    const unsigned int        n       = pattern->n_rows();
    std::copy_n(from, size * n, to);
    for (unsigned int i = 0; i < n; ++i)
      {
        double y[size];
        for (unsigned int c = 0; c < size; ++c)
          y[c] = inverse_diagonal[i] * to[size * i + c];
        for (unsigned int k = start[i] + 1; k < start[i + 1]; ++k)
          if (columns[k] < n)
            for (unsigned int c = 0; c < size; ++c)
              to[size * columns[k] + c] -= values[k] * y[c];
      }
    for (unsigned int i = n; i-- > 0;)
      {
        double y[size];
        for (unsigned int c = 0; c < size; ++c)
          y[c] = to[size * i + c];
        for (unsigned int k = start[i] + 1; k < start[i + 1]; ++k)
          if (columns[k] < n)
            for (unsigned int c = 0; c < size; ++c)
              y[c] -= values[k] * to[size * columns[k] + c];
        for (unsigned int c = 0; c < size; ++c)
          to[size * i + c] = inverse_diagonal[i] * y[c];
      }
  }



  double
  MassSolver::precondition_residual() const
  {
    if (pattern == nullptr)
      for (std::size_t i = 0; i < inverse_diagonal.size(); ++i)
        z.local_element(i) = inverse_diagonal[i] * r.local_element(i);
    else if (pattern->size == 2)
      substitute<2>(r.begin(), z.begin());
    else
      substitute<3>(r.begin(), z.begin());
    for (const unsigned int i : fixed)
      z.local_element(i) = 0;
    return add_up(model, local_product(r, z));
  }



  LinearReport
  MassSolver::improve(const Vector &b, Vector &x, const double tolerance) const
  {
    constexpr unsigned int n_iterations = 500;
    const double           b_square     = add_up(model, local_product(b, b));
    model.multiply_by_mass(x, r);
    r.sadd(-1, 1, b);
    double square = add_up(model, local_product(r, r));
    if (square > b_square) // no good guess
      {
        x      = 0.;
        r      = b;
        square = b_square;
      }
    double rz = 0;
    for (unsigned int i = 0; i < n_iterations; ++i)
      {
        if (square <= tolerance * tolerance * b_square)
          return {true, i};
        const double old_rz = rz;
        rz                  = precondition_residual();
        if (i == 0)
          p = z;
        else
          p.sadd(rz / old_rz, 1, z);
        model.multiply_by_mass(p, Mp);
        const double  step = rz / add_up(model, local_product(p, Mp));
        double        sum  = 0;
        double *const xi = x.begin(), *const ri = r.begin();
        const double *const pi = p.begin(), *const Mpi = Mp.begin();
        const std::size_t n = r.locally_owned_size();
#pragma omp simd reduction(+ : sum)
        for (std::size_t k = 0; k < n; ++k)
          {
            xi[k] += step * pi[k];
            ri[k] -= step * Mpi[k];
            sum += ri[k] * ri[k];
          }
        square = add_up(model, sum);
      }
    return {false, n_iterations};
  }
} // namespace Percuss
