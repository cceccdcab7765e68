// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/driver/settings.h>

#include <cmath>

namespace Percuss
{
  void
  TimeParameters::declare(ParameterSection section)
  {
    section.add("step size", step_size, "In s", Range::positive());
    section.add("end time",
                end_time,
                "In s; the number of steps is rounded to the nearest",
                Range::positive());
    section.add("largest refinement",
                largest_refinement,
                "How many times a step that fails may be halved");
    section.require("end time", [this]() {
      return end_time / step_size > 4e9 ? "takes more than 4e9 steps" :
             n_steps() == 0             ? "is shorter than half a step" :
                                          std::string();
    });
    section.require("largest refinement", [this]() {
      return largest_refinement > 40 ? "is above 40" : std::string();
    });
  }



  unsigned int
  TimeParameters::n_steps() const
  {
    return static_cast<unsigned int>(std::llround(end_time / step_size));
  }



  void
  CheckpointParameters::declare(ParameterSection section)
  {
    section.add("step interval",
                step_interval,
                "Steps from one checkpoint to the next; 0 for none");
    section.add("minute interval",
                minute_interval,
                "Minutes from one checkpoint to the next; 0 for none",
                Range::non_negative());
  }



  Settings::Settings()
  {
    ParameterSection root = tree.root();

    ParameterSection model_section = root.subsection("model");
    model.declare(model_section, "type", "bar", "What moves");

    ParameterSection scheme_section = root.subsection("scheme");
    scheme.declare(scheme_section,
                   "type",
                   "generalized alpha",
                   "The time integration");

    time.declare(root.subsection("time"));

    declare_contact(root.subsection("contact"));

    ParameterSection linear = root.subsection("linear solver");
    linear_solver.declare(linear,
                          "type",
                          "automatic",
                          "For the matrices of the scheme");

    ParameterSection history = root.subsection("history");
    history.add_choice("interpolation",
                       interpolation_of_history,
                       "Of the motion between steps, for delayed forces: "
                       "linear, or cubic (Hermite's); never across impacts",
                       {"linear", "cubic"});

    ledger.declare(root.subsection("ledger"));
    output.declare(root.subsection("output"));
    checkpoint.declare(root.subsection("checkpoint"));
  }



  void
  Settings::declare_contact(ParameterSection contact)
  {
    law.declare(contact, "law", "coulomb", "Of all contacts");
    contact_solver.declare(contact,
                           "solver",
                           "automatic",
                           "Finds the impulses of a step");
    contact.add("tolerance",
                contact_tolerance.tolerance,
                "Largest residual of the contact law, relative to the "
                "largest velocity of the free motion or change of it",
                Range::positive());
    contact.add_choice("delassus matrix",
                       delassus_matrix,
                       "How the response of the contacts to their impulses is "
                       "held: with all its entries, or applied by linear "
                       "solves, where scheme and solver allow it; automatic "
                       "takes what costs less",
                       {"automatic", "explicit", "matrix free"});
    contact.add("activation look-ahead",
                activation.look_ahead,
                "A contact takes part in a step where its gap plus this part "
                "of the step times its velocity is at most the activation "
                "tolerance",
                Range::between(0, 1));
    contact.add("activation tolerance", activation.tolerance, "In m");
    contact.add("activation of approaching contacts only",
                activation.approaching_only,
                "Leave out contacts that separate at the start of the step");
    contact.add_choice("problem files",
                       problem_files,
                       "Contact problems to write to the folder "
                       "contact_problems of the results, as files of FCLIB "
                       "for 'percuss contact-problem': none; failed, whose "
                       "residual is above the tolerance; hardest, the one "
                       "that took most iterations so far; all of every step",
                       {"none", "failed", "hardest", "all"});
  }



  History::Interpolation
  Settings::interpolation() const
  {
    return interpolation_of_history == "cubic" ? History::Interpolation::cubic :
                                                 History::Interpolation::linear;
  }



  DelassusForm
  Settings::delassus() const
  {
    return delassus_matrix == "explicit"    ? DelassusForm::entries :
           delassus_matrix == "matrix free" ? DelassusForm::applied :
                                              DelassusForm::automatic;
  }
} // namespace Percuss
