// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/mechanics/time_stepper.h>

namespace Percuss
{
  std::unique_ptr<SparseMatrix>
  TimeStepper::invertible_mass(const MechanicalModel &model)
  {
    auto M = model.assemble(1, 0, 0);
    if (!M->has_positive_diagonal())
      throw EntryError("scheme/type",
                       "the scheme needs a mass at each coordinate, and the "
                       "model has some without" +
                         std::string(model.is_linear() ?
                                       "; 'redistributed mass newmark' is made "
                                       "for such models" :
                                       "; 'null space variational' needs none "
                                       "where joints forbid the motion"));
    return M;
  }



  void
  TimeStepper::leave(State &state) const
  {
    State fresh = state;
    fresh.memory.clear();
    start(fresh);
    for (State::Memory &item : state.memory)
      item.values -= fresh.recall(item.name);
  }



  void
  TimeStepper::arrive(State &state) const
  {
    std::vector<State::Memory> carried;
    carried.swap(state.memory);
    start(state);
    for (const State::Memory &item : carried)
      state.recall(item.name) += item.values;
  }
} // namespace Percuss
