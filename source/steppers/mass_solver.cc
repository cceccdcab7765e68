// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/mass_solver.h>

#include <tuple>
#include <utility>

namespace Percuss
{
  namespace
  {
    void
    add_up(const MechanicalModel &model, double *const values, const int n)
    {
      if (model.partition()->n_mpi_processes() > 1)
        MPI_Allreduce(
          MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_SUM, model.communicator);
    }
  } // namespace



  MassSolver::MassSolver(const MechanicalModel     &model,
                         const std::vector<double> &diagonal)
    : model(model)
  {
    inverse_diagonal.reserve(diagonal.size());
    for (const double entry : diagonal)
      inverse_diagonal.push_back(1 / entry);
    for (Vector *vector : {&r, &z, &p, &Mp})
      vector->reinit(model.partition());
  }



  std::pair<double, double>
  MassSolver::precondition_residual() const
  {
    double              sums[2] = {0, 0};
    const double *const ri      = r.begin();
    double *const       zi      = z.begin();
    for (std::size_t i = 0; i < inverse_diagonal.size(); ++i)
      {
        zi[i] = inverse_diagonal[i] * ri[i];
        sums[0] += ri[i] * zi[i];
        sums[1] += ri[i] * ri[i];
      }
    add_up(model, sums, 2);
    return {sums[0], sums[1]};
  }



  LinearReport
  MassSolver::improve(const Vector &b, Vector &x, const double tolerance) const
  {
    constexpr unsigned int n_iterations = 500;
    double                 b_square     = local_product(b, b);
    add_up(model, &b_square, 1);
    model.multiply_by_mass(x, r);
    r.sadd(-1, 1, b);
    auto [rz, square] = precondition_residual();
    if (square > b_square) // no good guess
      {
        x                    = 0.;
        r                    = b;
        std::tie(rz, square) = precondition_residual();
      }
    p = z;
    for (unsigned int i = 0; i < n_iterations; ++i)
      {
        if (square <= tolerance * tolerance * b_square)
          return {true, i};
        model.multiply_by_mass(p, Mp);
        double pMp = local_product(p, Mp);
        add_up(model, &pMp, 1);
        const double step = rz / pMp;
        x.add(step, p);
        r.add(-step, Mp);
        const double old_rz  = rz;
        std::tie(rz, square) = precondition_residual();
        p.sadd(rz / old_rz, 1, z);
      }
    return {false, n_iterations};
  }
} // namespace Percuss
