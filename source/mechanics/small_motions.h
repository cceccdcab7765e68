// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/characteristic_roots.h>

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/lapack_full_matrix.h>

#include <complex>
#include <vector>

namespace Percuss
{
  /// A force b c . x(t - tau) or b c . x'(t - tau).
  struct Feedback
  {
    std::vector<double> b, c;
    Argument            argument;
    double              tau;
  };

  /// The equation of small motions, dense.
  class SmallMotions
  {
  public:
    using Complex = std::complex<double>;
    using Matrix  = dealii::FullMatrix<double>;

    /// The largest eigenvalue problem that is solved.
    static constexpr unsigned int largest_size = 700;

    explicit SmallMotions(const MechanicalModel &model);

    unsigned int
    size() const
    {
      return M.m();
    }

    /// The collocated equation's roots, rightmost first, without those that
    /// vanish.
    std::vector<Complex>
    approximate_roots(CharacteristicRoots &result) const;

    /// Improves a guess by Newton's iteration, as far as it goes; returns
    /// whether it led anywhere.
    bool
    improve(Complex &root) const;

    /// Too large for the eigenvalues.
    bool
    is_too_large() const
    {
      return 2 * size() + feedbacks.size() * n_nodes(0) > largest_size;
    }

    bool has_inertia = true;

  private:
    void
    read_matrices(const MechanicalModel &model, const State &start);
    void
    read_feedbacks(const MechanicalModel &model, const State &start);
    /// Drops degrees of freedom that take part in nothing.
    void
    drop_fixed();
    /// Feedback without delay is stiffness and damping.
    void
    drop_prompt();

    /// Nodes of a line that the highest frequency must not run away from.
    unsigned int
    n_nodes(double highest_frequency) const;

    /// The matrix of the first-order system with @p n nodes per signal.
    dealii::LAPACKFullMatrix<double>
    system(unsigned int n) const;

    std::vector<Complex>
    eigenvalues(unsigned int n) const;

    double
    longest_delay() const;

    /// Counts the roots that vanish.
    void
    count_zeros(CharacteristicRoots &result) const;

    /// T(lambda), and its derivative.
    void
    evaluate(const Complex               &root,
             dealii::FullMatrix<Complex> &T,
             dealii::FullMatrix<Complex> &derivative) const;

    Matrix                M, C, K;
    std::vector<Feedback> feedbacks;
  };
} // namespace Percuss
