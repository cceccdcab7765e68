// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_solver.h>

#include <filesystem>
#include <functional>
#include <memory>

namespace Percuss
{
  /// Solves with another solver and writes problems to files of FCLIB: to
  /// solve them again later, elsewhere, with other methods.
  class ContactProblemFiles : public ContactSolver
  {
  public:
    enum class Kept
    {
      failed,  ///< whose residual is above the tolerance
      hardest, ///< the one with most iterations so far
      all
    };

    /// The files are FOLDER/step_STEP_NUMBER.hdf5, where the number counts
    /// the problems of a step that are kept; @p step returns the step at work.
    ContactProblemFiles(std::unique_ptr<ContactSolver>       solver,
                        Kept                                 kept,
                        const std::filesystem::path         &folder,
                        const std::function<unsigned int()> &step);

    std::string
    description() const override
    {
      return solver->description();
    }

  protected:
    ContactReport
    attempt(const ContactProblem &problem, Vector &lambda) const override;

  private:
    bool
    is_kept(const ContactReport &report) const;

    void
    write(const ContactProblem &problem,
          const Vector         &guess,
          const Vector         &lambda,
          const ContactReport  &report) const;

    /// The next file.
    std::filesystem::path
    next_path() const;

    const std::unique_ptr<ContactSolver> solver;
    const Kept                           kept;
    const std::filesystem::path          folder;
    const std::function<unsigned int()>  step;

    mutable unsigned int          present_step = 0, number = 0;
    mutable long                  most_iterations = -1;
    mutable std::filesystem::path hardest; ///< file, or empty
  };
} // namespace Percuss
