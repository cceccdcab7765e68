// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/effective_matrix.h>

#include <deal.II/base/mpi.h>

#include <algorithm>

namespace Percuss
{
  EffectiveMatrix::EffectiveMatrix(const TimeStepper::Context &context)
    : model(context.model)
    , make_linear_solver(context.make_linear_solver)
    , changing(make_linear_solver)
  {
    if (!model.is_linear() || model.constraints() != nullptr)
      matrix = model.make_tangent();
  }



  void
  EffectiveMatrix::set_constant(const double m, const double c, const double k)
  {
    solver            = nullptr;
    matrix            = nullptr;
    const auto masses = model.masses();
    matrix            = model.assemble(m, c, k);
    solver            = make_linear_solver(*matrix);
    ratio             = matrix->largest_diagonal_ratio(masses);
  }



  void
  EffectiveMatrix::clear() const
  {
    std::fill_n(matrix->values(), matrix->n_values(), 0.);
  }



  bool
  EffectiveMatrix::agree(const bool is_regular) const
  {
    return model.partition()->n_mpi_processes() == 1 ?
             is_regular :
             dealii::Utilities::MPI::min(is_regular ? 1u : 0u,
                                         model.communicator) == 1;
  }



  LinearReport
  EffectiveMatrix::solve(const Vector &b, Vector &x) const
  {
    if (solver)
      return solver->solve(b, x);
    if (matrix->has_blocks())
      return changing.solve(b, x);
    dense.solve(b, x);
    return {true, 1};
  }



  double
  EffectiveMatrix::stiffness_ratio() const
  {
    return ratio;
  }



  std::string
  EffectiveMatrix::description() const
  {
    return solver                         ? solver->description() :
           matrix && matrix->has_blocks() ? changing.description() :
                                            "LAPACK LU, in each iteration";
  }
} // namespace Percuss
