// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/linear_algebra/petsc.h>

namespace Percuss
{
  void
  check_petsc(const PetscErrorCode code)
  {
    if (code == 0)
      return;
    const char *text = nullptr;
    PetscErrorMessage(code, &text, nullptr);
    throw Error(ExitCode::solver,
                "PETSc reports error " + std::to_string(code) + ": " +
                  (text != nullptr ? text : "unknown") + ".");
  }



  PetscView::PetscView(const Partition &partition)
  {
    check_petsc(VecCreateMPIWithArray(partition->get_mpi_communicator(),
                                      1,
                                      static_cast<PetscInt>(
                                        partition->locally_owned_size()),
                                      static_cast<PetscInt>(partition->size()),
                                      nullptr,
                                      view.receive()));
  }



  Vec
  PetscView::look_at(const Vector &vector)
  {
    check_petsc(VecPlaceArray(view, vector.begin()));
    return view;
  }



  void
  PetscView::release()
  {
    check_petsc(VecResetArray(view));
  }
} // namespace Percuss
