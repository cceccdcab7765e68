// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/mechanics/mechanical_model.h>

#include <deal.II/base/exceptions.h>

namespace Percuss
{
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
  MechanicalModel::add_derivative(Term,
                                  Argument,
                                  const Configuration &,
                                  double,
                                  SparseMatrix &) const
  {
    Assert(false, dealii::ExcPureFunctionCalled());
  }
} // namespace Percuss
