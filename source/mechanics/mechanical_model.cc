// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/mechanics/mechanical_model.h>

#include <deal.II/base/exceptions.h>

namespace Percuss
{
  /// For a linear model: the force at the middle.
  void
  MechanicalModel::add_conserving_force(const Vector &q_begin,
                                        const Vector &q_end,
                                        const double  factor,
                                        Vector       &f) const
  {
    Assert(is_linear(), dealii::ExcPureFunctionCalled());
    Vector middle(q_begin), at_rest(partition()), internal(partition());
    middle.sadd(0.5, 0.5, q_end);
    internal_forces(middle, at_rest, internal);
    f.add(-factor, internal, factor, dead_load());
  }



  void
  MechanicalModel::add_conserving_derivative(const Vector &q_begin,
                                             const Vector &,
                                             const double  factor,
                                             SparseMatrix &matrix) const
  {
    Assert(is_linear(), dealii::ExcPureFunctionCalled());
    add_derivative(Term::force,
                   Argument::position,
                   {0, q_begin, q_begin},
                   factor / 2,
                   matrix);
  }



  void
  MechanicalModel::evaluate(const Term           term,
                            const Configuration &at,
                            Vector              &result) const
  {
    switch (term)
      {
        case Term::momentum:
          multiply_by_mass(at.v, result);
          break;
        case Term::gradient:
        case Term::force:
          internal_forces(at.q, at.v, result);
          result.sadd(-1, 1, dead_load());
          if (has_driving_load())
            add_driving_load(at.time, 1, result);
          break;
        case Term::load:
          result = 0.;
          add_driving_load(at.time, 1, result);
          break;
        case Term::damping:
          damping_forces(at.v, result);
          result *= -1;
      }
  }



  void
  MechanicalModel::add_derivative(const Term     term,
                                  const Argument argument,
                                  const Configuration &,
                                  const double  factor,
                                  SparseMatrix &matrix) const
  {
    Assert(is_linear(), dealii::ExcPureFunctionCalled());
    const bool is_by_position = argument == Argument::position;
    double     m = 0, c = 0, k = 0;
    if (term == Term::momentum)
      m = is_by_position ? 0 : factor;
    else if (term != Term::load)
      (is_by_position ? k : c) = -factor;
    if (term == Term::damping)
      k = 0;
    const auto    added  = assemble(m, c, k);
    double *const values = matrix.values();
    AssertDimension(added->n_values(), matrix.n_values());
    const double *const others = added->values();
    for (std::size_t i = 0; i < added->n_values(); ++i)
      values[i] += others[i];
  }
} // namespace Percuss
