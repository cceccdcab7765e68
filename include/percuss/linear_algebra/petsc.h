// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

#include <petscsys.h>
#include <petscvec.h>

#include <utility>

namespace Percuss
{
  /// Turns a PETSc error code into an Error with ExitCode::solver.
  void
  check_petsc(PetscErrorCode code);

  /// Owns a PETSc object.
  template <typename Object, PetscErrorCode (*destroy)(Object *)>
  class PetscHandle
  {
  public:
    PetscHandle() = default;
    PetscHandle(PetscHandle &&other) noexcept
      : object(std::exchange(other.object, nullptr))
    {}
    PetscHandle &
    operator=(PetscHandle &&other) noexcept
    {
      std::swap(object, other.object);
      return *this;
    }
    ~PetscHandle()
    {
      if (object != nullptr)
        destroy(&object);
    }

    operator Object() const
    {
      return object;
    }

    /// Where a PETSc function is to put a new object.
    Object *
    receive()
    {
      if (object != nullptr)
        check_petsc(destroy(&object));
      return &object;
    }

  private:
    Object object = nullptr;
  };

  using PetscVector = PetscHandle<Vec, &VecDestroy>;

  /// A PETSc vector without memory of its own, which looks at the entries of a
  /// Percuss vector for the duration of one call.
  class PetscView
  {
  public:
    explicit PetscView(const Partition &partition);

    /// Points at @p vector until release().
    Vec
    look_at(const Vector &vector);

    void
    release();

  private:
    PetscVector view;
  };
} // namespace Percuss
