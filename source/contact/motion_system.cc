// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/motion_system.h>
#include <percuss/linear_algebra/work_space.h>

#include <algorithm>

namespace Percuss
{
  MotionSystem::MotionSystem(const GlobalForm &form)
    : form(form)
    , unknowns(form.second == nullptr ?
                 form.A.partition() :
                 make_partition(2 * form.A.partition()->locally_owned_size(),
                                form.A.partition()->get_mpi_communicator()))
  {}



  void
  MotionSystem::find_diagonal() const
  {
    if (has_diagonal)
      return;
    has_diagonal = true;
    entries      = form.A.diagonal();
    if (form.second != nullptr)
      {
        const std::size_t n = entries.size();
        entries.reserve(2 * n);
        for (const double mass : form.second->diagonal())
          entries.push_back(entries[entries.size() - n] + mass);
      }
    inverse_entries.reserve(entries.size());
    for (const double entry : entries)
      inverse_entries.push_back(1 / entry);
  }



  void
  MotionSystem::make_work_space() const
  {
    for (Vector *vector : {&first, &second, &of_first, &of_second})
      make_room(*vector, form.A.partition());
  }



  /// With y = w - u the derivatives are A y by w, and B u - A y by u.
  void
  MotionSystem::multiply(const Vector &x, Vector &y) const
  {
    if (form.second == nullptr)
      {
        form.A.multiply(x, y);
        return;
      }
    make_work_space();
    const std::size_t   n = first.locally_owned_size();
    const double *const w = x.begin(), *const u = x.begin() + n;
    double *const own = first.begin(), *const other = second.begin();
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i)
      {
        own[i]   = w[i] - u[i];
        other[i] = u[i];
      }
    form.A.multiply(first, of_first);
    form.second->multiply(second, of_second);
    const double *const Ay = of_first.begin(), *const Nu = of_second.begin();
    double *const by_w = y.begin(), *const by_u = y.begin() + n;
    const double b = form.second->b();
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i)
      {
        by_w[i] = Ay[i];
        by_u[i] = b * Nu[i] - Ay[i];
      }
  }



  /// H = T^T diag(A, B) T with (y, u) = T (w, u).
  void
  MotionSystem::precondition(const Precondition &of_A,
                             const Vector       &r,
                             Vector             &z) const
  {
    if (form.second == nullptr)
      {
        of_A(r, z);
        return;
      }
    make_work_space();
    const std::size_t   n    = first.locally_owned_size();
    const double *const by_w = r.begin(), *const by_u = r.begin() + n;
    double *const own = first.begin(), *const other = second.begin();
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i)
      {
        own[i]   = by_w[i];
        other[i] = by_w[i] + by_u[i];
      }
    of_A(first, of_first);
    form.second->precondition(second, of_second);
    const double *const y = of_first.begin(), *const bu = of_second.begin();
    double *const w = z.begin(), *const u = z.begin() + n;
    const double inverse_b = 1 / form.second->b();
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i)
      {
        u[i] = inverse_b * bu[i];
        w[i] = y[i] + u[i];
      }
  }



  void
  MotionSystem::set_load(const Vector &f, Vector &load) const
  {
    load.reinit(unknowns);
    const std::size_t n = f.locally_owned_size();
    std::copy_n(f.begin(), n, load.begin());
    if (form.second != nullptr)
      for (std::size_t i = 0; i < n; ++i)
        load.local_element(n + i) = -f.local_element(i);
  }



  void
  MotionSystem::start(const Vector &w, Vector &x) const
  {
    const std::size_t n = w.locally_owned_size();
    std::copy_n(w.begin(), n, x.begin());
    if (form.second != nullptr)
      std::copy_n(form.second->motion().begin(), n, x.begin() + n);
  }



  void
  MotionSystem::finish(Vector &x, Vector &w) const
  {
    if (form.second == nullptr)
      {
        w.swap(x);
        return;
      }
    const std::size_t n = w.locally_owned_size();
    std::copy_n(x.begin(), n, w.begin());
    std::copy_n(x.begin() + n, n, form.second->motion().begin());
  }
} // namespace Percuss
