// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/contact_frames.h>

#include <utility>

namespace Percuss
{
  std::unique_ptr<ContactFrames>
  ContactFrames::find(const ContactProblem &problem)
  {
    auto relative =
      RelativeMotion::find(problem, RelativeMotion::Directions::all);
    if (!relative)
      return nullptr;
    return std::unique_ptr<ContactFrames>(
      new ContactFrames(problem, std::move(relative)));
  }



  ContactFrames::ContactFrames(const ContactProblem           &problem,
                               std::unique_ptr<RelativeMotion> motion)
    : relative(std::move(motion))
  {
    for (std::size_t i = 0; i < problem.active.size(); ++i)
      frames.push_back(
        {&problem.points[problem.active[i]], relative->own()[i]});
  }



  void
  ContactFrames::turn(Vector &vector) const
  {
    for (const ContactFrame &frame : frames)
      {
        const unsigned int size = frame.size();
        double             old[3];
        for (unsigned int k = 0; k < size; ++k)
          old[k] = vector.local_element(frame.own.dofs[k]);
        for (unsigned int i = 0; i < size; ++i)
          {
            double sum = 0;
            for (unsigned int k = 0; k < size; ++k)
              sum += frame.own.directions[i][k] * old[k];
            vector.local_element(frame.own.dofs[i]) = sum;
          }
      }
  }



  void
  ContactFrames::turn_back(Vector &vector) const
  {
    for (const ContactFrame &frame : frames)
      {
        const unsigned int size = frame.size();
        double             old[3];
        for (unsigned int k = 0; k < size; ++k)
          old[k] = vector.local_element(frame.own.dofs[k]);
        for (unsigned int k = 0; k < size; ++k)
          {
            double sum = 0;
            for (unsigned int i = 0; i < size; ++i)
              sum += frame.own.directions[i][k] * old[i];
            vector.local_element(frame.own.dofs[k]) = sum;
          }
      }
  }



  void
  ContactFrames::to_contacts(Vector &w) const
  {
    relative->from_motion(w);
    turn(w);
  }



  void
  ContactFrames::from_contacts(Vector &w) const
  {
    turn_back(w);
    relative->to_motion(w);
  }



  void
  ContactFrames::forces_to_contacts(Vector &f) const
  {
    relative->from_forces(f);
    turn(f);
  }



  void
  ContactFrames::forces_from_contacts(Vector &f) const
  {
    turn_back(f);
    relative->to_forces(f);
  }
} // namespace Percuss
