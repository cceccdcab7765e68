// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "small_motions.h"

#include <deal.II/base/numbers.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace Percuss
{
  namespace
  {
    /// Chebyshev's differentiation matrix on the nodes cos(i pi/n), i = 0..n
    /// (L. N. Trefethen: Spectral methods in Matlab, chapter 6).
    dealii::FullMatrix<double>
    differentiation(const unsigned int n)
    {
      std::vector<double> x(n + 1), weight(n + 1, 1.);
      for (unsigned int i = 0; i <= n; ++i)
        {
          x[i] = std::cos(i * dealii::numbers::PI / n);
          if (i % 2 == 1)
            weight[i] = -1;
        }
      weight[0] *= 2;
      weight[n] *= 2;
      dealii::FullMatrix<double> D(n + 1, n + 1);
      for (unsigned int i = 0; i <= n; ++i)
        for (unsigned int j = 0; j <= n; ++j)
          if (i != j)
            {
              D(i, j) = weight[i] / weight[j] / (x[i] - x[j]);
              D(i, i) -= D(i, j);
            }
      return D;
    }
  } // namespace



  SmallMotions::SmallMotions(const MechanicalModel &model)
  {
    State start = model.initial_state();
    start.v     = 0.;
    model.delays()->rest_at(start.q);
    read_matrices(model, start);
    read_feedbacks(model, start);
    model.delays()->forget_rest();
    drop_fixed();
    drop_prompt();
    for (unsigned int i = 0; i < size(); ++i)
      has_inertia &= M(i, i) > 0;
  }



  void
  SmallMotions::read_matrices(const MechanicalModel &model, const State &start)
  {
    const unsigned int n = start.q.size();
    for (Matrix *const matrix : {&M, &C, &K})
      matrix->reinit(n, n);
    Vector unit(start.q), zero(start.q), column(start.q);
    unit = 0.;
    zero = 0.;
    for (unsigned int j = 0; j < n; ++j)
      {
        unit.local_element(j) = 1;
        const auto store      = [&](Matrix &matrix) {
          for (unsigned int i = 0; i < n; ++i)
            matrix(i, j) = column.local_element(i);
        };
        model.multiply_by_mass(unit, column);
        store(M);
        if (model.is_linear())
          {
            model.damping_forces(unit, column);
            store(C);
            model.internal_forces(unit, zero, column);
            store(K);
          }
        unit.local_element(j) = 0;
      }
    if (model.is_linear())
      return;
    const Configuration at{start.time, start.q, start.v};
    for (const Argument argument : {Argument::position, Argument::velocity})
      {
        const auto tangent = model.make_tangent();
        model.add_derivative(Term::force, argument, at, -1, *tangent);
        const SparseMatrix::Rows &rows = tangent->rows();
        Matrix &dense                  = argument == Argument::position ? K : C;
        for (unsigned int i = 0; i < n; ++i)
          for (PetscInt k = rows.start[i]; k < rows.start[i + 1]; ++k)
            dense(i, rows.columns[k]) += rows.values[k];
      }
  }



  void
  SmallMotions::read_feedbacks(const MechanicalModel &model, const State &start)
  {
    const Delays      &delays = *model.delays();
    const unsigned int n      = start.q.size();
    const auto         tau_of = [&](const unsigned int delay) {
      return std::max(0., -delays.all_delays()[delay].earlier(0));
    };
    for (unsigned int s = 0; s < delays.signals().size(); ++s)
      {
        const Delays::Signal &signal = delays.signals()[s];
        Vector                force(start.q);
        force = 0.;
        model.add_delayed_derivative(s, {0, start.q, start.v}, force);
        Feedback feedback{{force.begin(), force.end()},
                          std::vector<double>(n),
                          signal.argument,
                          tau_of(signal.delay)};
        for (const auto &[i, weight] : signal.row)
          feedback.c[i] += weight;
        feedbacks.push_back(feedback);
      }
    for (const Delays::Damping &damping : delays.dampings())
      for (unsigned int j = 0; j < n; ++j)
        {
          Feedback feedback{std::vector<double>(n),
                            std::vector<double>(n),
                            Argument::velocity,
                            tau_of(damping.delay)};
          feedback.c[j] = 1;
          for (unsigned int i = 0; i < n; ++i)
            feedback.b[i] =
              -damping.mass * M(i, j) - damping.stiffness * K(i, j);
          feedbacks.push_back(feedback);
        }
  }



  void
  SmallMotions::drop_fixed()
  {
    std::vector<unsigned int> kept;
    for (unsigned int i = 0; i < M.m(); ++i)
      if (M(i, i) != 0 || K(i, i) != 0)
        kept.push_back(i);
    for (Matrix *const matrix : {&M, &C, &K})
      {
        Matrix smaller(kept.size(), kept.size());
        smaller.extract_submatrix_from(*matrix, kept, kept);
        *matrix = smaller;
      }
    const auto is_nothing = [](const std::vector<double> &x) {
      return std::all_of(x.begin(), x.end(), [](const double value) {
        return value == 0;
      });
    };
    std::vector<Feedback> acting;
    for (Feedback &feedback : feedbacks)
      {
        for (std::vector<double> *const x : {&feedback.b, &feedback.c})
          {
            for (std::size_t i = 0; i < kept.size(); ++i)
              (*x)[i] = (*x)[kept[i]];
            x->resize(kept.size());
          }
        if (!is_nothing(feedback.b) && !is_nothing(feedback.c))
          acting.push_back(feedback);
      }
    feedbacks.swap(acting);
  }



  void
  SmallMotions::drop_prompt()
  {
    std::vector<Feedback> delayed;
    for (const Feedback &feedback : feedbacks)
      if (feedback.tau > 0)
        delayed.push_back(feedback);
      else
        for (unsigned int i = 0; i < size(); ++i)
          for (unsigned int j = 0; j < size(); ++j)
            (feedback.argument == Argument::position ? K : C)(i, j) -=
              feedback.b[i] * feedback.c[j];
    feedbacks.swap(delayed);
  }



  double
  SmallMotions::longest_delay() const
  {
    double tau = 0;
    for (const Feedback &feedback : feedbacks)
      tau = std::max(tau, feedback.tau);
    return tau;
  }



  unsigned int
  SmallMotions::n_nodes(const double highest_frequency) const
  {
    if (feedbacks.empty())
      return 0;
    const double tau          = longest_delay();
    const auto   n_affordable = static_cast<unsigned int>(
      (largest_size - std::min(largest_size, 2 * size())) / feedbacks.size());
    return std::max(16u,
                    std::min(n_affordable,
                             static_cast<unsigned int>(
                               std::min(20 + highest_frequency * tau, 1e6))));
  }



  /// Of (x, x', lines): on a line of the signal y, z(s) = y(t - s) obeys
  /// dz/dt = -dz/ds, z(0) = y.
  dealii::LAPACKFullMatrix<double>
  SmallMotions::system(const unsigned int n_nodes_of_line) const
  {
    const unsigned int n = size(), n_lines = feedbacks.size();
    Matrix             inverse(n, n), MK(n, n), MC(n, n);
    inverse.invert(M);
    inverse.mmult(MK, K);
    inverse.mmult(MC, C);
    dealii::LAPACKFullMatrix<double> A(2 * n + n_lines * n_nodes_of_line);
    for (unsigned int i = 0; i < n; ++i)
      {
        A(i, n + i) = 1;
        for (unsigned int j = 0; j < n; ++j)
          {
            A(n + i, j)     = -MK(i, j);
            A(n + i, n + j) = -MC(i, j);
          }
      }
    const Matrix D = differentiation(std::max(1u, n_nodes_of_line));
    for (unsigned int line = 0; line < n_lines; ++line)
      {
        const Feedback    &feedback = feedbacks[line];
        const unsigned int first    = 2 * n + line * n_nodes_of_line;
        const unsigned int source =
          feedback.argument == Argument::position ? 0 : n;
        const bool is_line = n_nodes_of_line > 0;
        for (unsigned int i = 0; i < n; ++i)
          {
            double push = 0;
            for (unsigned int j = 0; j < n; ++j)
              push += inverse(i, j) * feedback.b[j];
            if (is_line)
              A(n + i, first + n_nodes_of_line - 1) += push;
            else
              for (unsigned int j = 0; j < n; ++j)
                A(n + i, source + j) += push * feedback.c[j];
          }
        for (unsigned int i = 1; i <= n_nodes_of_line; ++i)
          {
            const double factor = 2 / feedback.tau;
            for (unsigned int j = 1; j <= n_nodes_of_line; ++j)
              A(first + i - 1, first + j - 1) = factor * D(i, j);
            for (unsigned int j = 0; j < n; ++j)
              A(first + i - 1, source + j) += factor * D(i, 0) * feedback.c[j];
          }
      }
    return A;
  }



  std::vector<SmallMotions::Complex>
  SmallMotions::eigenvalues(const unsigned int n) const
  {
    auto A = system(n);
    A.compute_eigenvalues();
    std::vector<Complex> result;
    for (unsigned int i = 0; i < A.m(); ++i)
      result.push_back(A.eigenvalue(i));
    std::sort(result.begin(),
              result.end(),
              [](const Complex &a, const Complex &b) {
                return std::make_pair(a.real(), a.imag()) >
                       std::make_pair(b.real(), b.imag());
              });
    return result;
  }



  /// T(0) = K - sum B has a null space, of which T'(0) = C + sum (tau B - D)
  /// leaves some motions without a force as well. Rows and columns are scaled
  /// such that stiff parts do not hide weak ones.
  void
  SmallMotions::count_zeros(CharacteristicRoots &result) const
  {
    const unsigned int n = size();
    Matrix             stiffness(K), damping(C);
    for (const Feedback &feedback : feedbacks)
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
          {
            const double bc      = feedback.b[i] * feedback.c[j];
            const bool   is_rate = feedback.argument == Argument::velocity;
            stiffness(i, j) -= is_rate ? 0 : bc;
            damping(i, j) += is_rate ? -bc : feedback.tau * bc;
          }
    std::vector<double> scale(n, 1.);
    for (unsigned int i = 0; i < n; ++i)
      if (stiffness(i, i) != 0)
        scale[i] = 1 / std::sqrt(std::abs(stiffness(i, i)));
    dealii::LAPACKFullMatrix<double> scaled(n);
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = 0; j < n; ++j)
        scaled(i, j) = scale[i] * stiffness(i, j) * scale[j];
    scaled.compute_svd();
    std::vector<unsigned int> null;
    for (unsigned int k = 0; k < n; ++k)
      if (scaled.singular_value(k) <= 1e-12 * n)
        null.push_back(k);
    result.n_zero = static_cast<unsigned int>(null.size());
    if (null.empty())
      return;
    dealii::LAPACKFullMatrix<double> rest(null.size());
    double                           largest = 0;
    for (unsigned int a = 0; a < null.size(); ++a)
      for (unsigned int b = 0; b < null.size(); ++b)
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = 0; j < n; ++j)
            {
              const double part = scaled.get_svd_u()(i, null[a]) * scale[i] *
                                  damping(i, j) * scale[j] *
                                  scaled.get_svd_vt()(null[b], j);
              rest(a, b) += part;
              largest = std::max(largest, std::abs(part));
            }
    rest.compute_svd();
    for (unsigned int k = 0; k < null.size(); ++k)
      if (rest.singular_value(k) <= 1e-10 * largest)
        {
          ++result.n_zero;
          result.drifts = true;
        }
  }



  std::vector<SmallMotions::Complex>
  SmallMotions::approximate_roots(CharacteristicRoots &result) const
  {
    count_zeros(result);
    // Of the motion whose signals come at once.
    double highest = 0;
    for (const Complex &root : eigenvalues(0))
      highest = std::max(highest, std::abs(root));
    const unsigned int n   = n_nodes(highest);
    const double       tau = longest_delay();
    if (tau > 0 && n < highest * tau)
      result.resolved = n / tau;
    std::vector<Complex> all = eigenvalues(n);
    std::sort(all.begin(), all.end(), [](const Complex &a, const Complex &b) {
      return std::abs(a) < std::abs(b);
    });
    all.erase(all.begin(),
              all.begin() + std::min<std::size_t>(all.size(), result.n_zero));
    all.erase(std::remove_if(all.begin(),
                             all.end(),
                             [](const Complex &root) {
                               return root.imag() < 0;
                             }),
              all.end());
    std::sort(all.begin(), all.end(), [](const Complex &a, const Complex &b) {
      return a.real() > b.real();
    });
    return all;
  }



  void
  SmallMotions::evaluate(const Complex               &root,
                         dealii::FullMatrix<Complex> &T,
                         dealii::FullMatrix<Complex> &derivative) const
  {
    const unsigned int n = size();
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = 0; j < n; ++j)
        {
          T(i, j)          = root * root * M(i, j) + root * C(i, j) + K(i, j);
          derivative(i, j) = 2. * root * M(i, j) + C(i, j);
        }
    for (const Feedback &feedback : feedbacks)
      {
        const Complex shift = std::exp(-root * feedback.tau);
        const bool    rate  = feedback.argument == Argument::velocity;
        const Complex value = rate ? root * shift : shift;
        const Complex slope =
          (rate ? shift : Complex(0)) - feedback.tau * value;
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = 0; j < n; ++j)
            {
              const double bc = feedback.b[i] * feedback.c[j];
              T(i, j) -= value * bc;
              derivative(i, j) -= slope * bc;
            }
      }
  }



  /// d/dlambda log det T = tr(T^-1 T'). Steps shrink down to round-off of T,
  /// which is that of the stiffest part, and slowly towards multiple roots;
  /// where they lead away, the guess was the better one.
  bool
  SmallMotions::improve(Complex &root) const
  {
    const unsigned int                n     = size();
    const Complex                     guess = root;
    dealii::FullMatrix<Complex>       T(n, n), derivative(n, n);
    dealii::LAPACKFullMatrix<Complex> inverse(n);
    double                            last_step = std::abs(root);
    for (unsigned int iteration = 0; iteration < 12; ++iteration)
      {
        evaluate(root, T, derivative);
        inverse.reinit(n);
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = 0; j < n; ++j)
            inverse.set(i, j, T(i, j));
        try
          {
            inverse.invert();
          }
        catch (const dealii::LACExceptions::ExcSingular &)
          {
            return true; // an exact root
          }
        Complex trace = 0;
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = 0; j < n; ++j)
            trace += inverse(i, j) * derivative(j, i);
        const Complex step = 1. / trace;
        // Next to a root T is nearly singular.
        if (!std::isfinite(std::abs(step)) || std::abs(step) >= last_step)
          return std::abs(step) <= 0.01 * std::abs(root) || iteration > 1;
        if (std::abs(root - step - guess) > 0.2 * std::abs(guess))
          {
            root = guess;
            return false;
          }
        root -= step;
        last_step = std::abs(step);
      }
    return last_step <= 0.01 * std::abs(root);
  }
} // namespace Percuss
