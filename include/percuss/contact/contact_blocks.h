// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_problem.h>
#include <percuss/contact/local_contact.h>

#include <utility>
#include <vector>

namespace Percuss
{
  /// A gathered problem seen contact by contact, for methods that iterate.
  /// Nothing allocates after the constructor.
  class ContactBlocks
  {
  public:
    ContactBlocks(const ContactLaw &law, const GatheredProblem &problem);

    unsigned int
    n_contacts() const
    {
      return static_cast<unsigned int>(contacts.size());
    }

    const LocalContact &
    contact(const unsigned int i) const
    {
      return contacts[i];
    }

    /// w of natural_residual().
    double
    weight(const unsigned int contact) const
    {
      return weights[contact];
    }

    /// The step r of lambda - r xi for a row, from the diagonal of W, in kg:
    /// one for the normal, one for the tangential and one for the rolling
    /// directions of a contact.
    double
    step(const unsigned int row) const
    {
      return steps[row];
    }

    /// @p xi = W lambda + b.
    void
    velocities(const std::vector<double> &lambda,
               std::vector<double>       &xi) const;

    /// Puts the impulses of all contacts into their admissible sets.
    void
    project(std::vector<double> &lambda) const;

    /// The natural map, @p f = proj(lambda - r R xi) - lambda with the steps R.
    /// Returns its norm
    /// @f[ \Bigl(\sum_i f_i^2 / R_i\Bigr)^{1/2}, @f]
    /// in which heavy and light contacts weigh the same; infinity where it is
    /// not finite.
    double
    natural_map(double                     r,
                const std::vector<double> &lambda,
                const std::vector<double> &xi,
                std::vector<double>       &f) const;

    /// natural_residual(), without the round-off of sums.
    double
    residual(const std::vector<double> &lambda,
             const std::vector<double> &xi) const;

    /// Block Gauss-Seidel: solves contact after contact, each with the newest
    /// impulses of the others, and over-relaxes by a factor. Returns the
    /// largest change of a velocity, |w_i d lambda_i|, in m/s.
    double
    sweep(double relaxation, std::vector<double> &lambda) const;

    /// A few sweeps, until the residual is small: they remove what round-off
    /// has left. Returns the residual.
    double
    polish(double tolerance, std::vector<double> &lambda) const;

  private:
    const ContactLaw         &law;
    const GatheredProblem    &problem;
    std::vector<LocalContact> contacts;
    std::vector<double>       weights;
    std::vector<double>       steps;
    /// The entries of each row that belong to its own contact.
    std::vector<std::pair<unsigned int, unsigned int>> own;
  };
} // namespace Percuss
