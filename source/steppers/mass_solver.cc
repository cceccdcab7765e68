// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/steppers/mass_solver.h>

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
    for (Vector *vector : {&r, &p, &work})
      vector->reinit(model.partition());
    if (M.symmetric_blocks() != nullptr)
      {
        factorise(*M.symmetric_blocks());
        return;
      }
    for (const double entry : M.diagonal())
      inverse_diagonal.push_back(1 / entry);
  }



  void
  MassSolver::factorise(const SymmetricBlocks &M)
  {
    const unsigned int  size = M.pattern->size;
    std::vector<double> values(M.pattern->columns.size());
    for (std::size_t k = 0; k < values.size(); ++k)
      for (unsigned int c = 0; c < size; ++c) // zero where c is fixed
        if (const double entry = M.block(k)[(size + 1) * c];
            std::abs(entry) > std::abs(values[k]))
          values[k] = entry;
    factors = std::make_unique<IncompleteCholesky>(M.pattern);
    if (!factors->factorise(values))
      throw Error(ExitCode::solver, "The mass matrix is not positive.");
    // They have no mass in common with others, and no entry in products.
    Vector &unit = p, &product = work;
    unit = 1.;
    model.multiply_by_mass(unit, product);
    for (unsigned int i = 0; i < product.locally_owned_size(); ++i)
      if (product.local_element(i) == 0)
        fixed.push_back(i);
  }



  void
  MassSolver::precondition(const Vector &residual, Vector &change) const
  {
    if (factors)
      factors->apply(residual.begin(), change.begin());
    else
      for (std::size_t i = 0; i < inverse_diagonal.size(); ++i)
        change.local_element(i) =
          inverse_diagonal[i] * residual.local_element(i);
    for (const unsigned int i : fixed)
      change.local_element(i) = 0;
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
        precondition(r, work);
        rz = add_up(model, local_product(r, work));
        if (i == 0)
          p = work;
        else
          p.sadd(rz / old_rz, 1, work);
        Vector &Mp = work; // z has served
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
