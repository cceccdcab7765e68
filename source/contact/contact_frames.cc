// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/column_claims.h>
#include <percuss/contact/contact_frames.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  namespace
  {
    /// Whether the directions of @p point are a frame.
    bool
    find_frame(const ContactProblem &problem,
               const ContactPoint   &point,
               ContactFrame         &frame)
    {
      const unsigned int size = point.n_directions;
      if (size < 2 || size > 3)
        return false;
      frame             = ContactFrame();
      frame.point       = &point;
      unsigned int n    = 0; // of its degrees of freedom
      const auto  &rows = problem.W.global_form()->contacts;
      for (unsigned int i = 0; i < size; ++i)
        for (const auto &[dof, coefficient] : rows.row(point.first + i))
          {
            unsigned int k = 0;
            while (k < n && frame.dofs[k] != dof)
              ++k;
            if (k == size)
              return false;
            frame.dofs[k]          = dof;
            n                      = std::max(n, k + 1);
            frame.directions[i][k] = coefficient;
          }
      for (unsigned int i = 0; i < size; ++i)
        for (unsigned int j = 0; j < size; ++j)
          {
            double product = i == j ? -1 : 0;
            for (unsigned int k = 0; k < size; ++k)
              product += frame.directions[i][k] * frame.directions[j][k];
            if (std::abs(product) > 1e-12)
              return false;
          }
      return n == size;
    }
  } // namespace



  bool
  ContactFrames::is_possible(const ContactProblem &problem)
  {
    const GlobalForm *const form = problem.W.global_form();
    if (form == nullptr)
      return false;
    ColumnClaims claims(form->A.partition());
    for (const unsigned int contact : problem.active)
      {
        ContactFrame frame;
        if (find_frame(problem, problem.points[contact], frame))
          for (unsigned int k = 0; k < frame.size(); ++k)
            claims.claim(frame.dofs[k]);
        else
          claims.refuse();
      }
    return claims.are_met();
  }



  ContactFrames::ContactFrames(const ContactProblem &problem)
    : frames(problem.active.size())
  {
    for (std::size_t i = 0; i < frames.size(); ++i)
      find_frame(problem, problem.points[problem.active[i]], frames[i]);
  }



  void
  ContactFrames::to_contacts(Vector &vector) const
  {
    for (const ContactFrame &frame : frames)
      {
        const unsigned int size = frame.size();
        double             old[3];
        for (unsigned int k = 0; k < size; ++k)
          old[k] = vector.local_element(frame.dofs[k]);
        for (unsigned int i = 0; i < size; ++i)
          {
            double sum = 0;
            for (unsigned int k = 0; k < size; ++k)
              sum += frame.directions[i][k] * old[k];
            vector.local_element(frame.dofs[i]) = sum;
          }
      }
  }



  void
  ContactFrames::from_contacts(Vector &vector) const
  {
    for (const ContactFrame &frame : frames)
      {
        const unsigned int size = frame.size();
        double             old[3];
        for (unsigned int k = 0; k < size; ++k)
          old[k] = vector.local_element(frame.dofs[k]);
        for (unsigned int k = 0; k < size; ++k)
          {
            double sum = 0;
            for (unsigned int i = 0; i < size; ++i)
              sum += frame.directions[i][k] * old[i];
            vector.local_element(frame.dofs[k]) = sum;
          }
      }
  }
} // namespace Percuss
