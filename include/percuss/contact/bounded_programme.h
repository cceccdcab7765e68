// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/relative_motion.h>

#include <cmath>
#include <memory>
#include <vector>

namespace Percuss
{
  /// Contact without friction as the quadratic programme with bounds
  /// @f[ \min\; \tfrac12\, x\cdot Hx - f\cdot x, \qquad l \le x \le u, @f]
  /// with symmetric positive (semi)definite H, distributed. There are two
  /// forms. The dual one always exists,
  /// @f[ x = \lambda,\quad H = W,\quad f = -b,\quad
  ///     l_i = 0,\ u_i = \infty \text{ for active normal directions,}\quad
  ///     l_i = u_i = 0 \text{ for all others.} @f]
  /// The primal one exists where nodes meet obstacles or other bodies: each
  /// active normal row of D has degrees of freedom of its own, and
  /// RelativeMotion exists. It needs no solve with A,
  /// @f[ w = TQx,\quad H = QT^TATQ,\quad d_i x_k + b_i \ge 0,\qquad
  ///     \lambda_i = (Hx - f)_k / d_i, @f]
  /// where the reflections Q = Q^T = Q^-1 turn the normals into coordinates k
  /// (Householder), and f = 0, or QT^T times a load that moves the system
  /// beside the impulses. Where there is a second system, the unknowns are
  /// those of MotionSystem, of which w is transformed. The diagonal of H is
  /// that of A at k, and an estimate elsewhere.
  class BoundedProgramme
  {
  public:
    /// Takes the primal form where it exists. @p problem outlives this object.
    /// Collective.
    explicit BoundedProgramme(const ContactProblem &problem)
      : BoundedProgramme(problem, nullptr)
    {}

    /// With a load in the primal form, A w = f + D^T lambda: b leaves the
    /// motion A^-1 f out.
    BoundedProgramme(const ContactProblem &problem, const Vector *load);

    /// Whether the primal form exists. Collective.
    static bool
    has_primal_form(const ContactProblem &problem);

    bool
    is_primal() const
    {
      return primal;
    }

    /// Which rank owns which unknown.
    const Partition &
    partition() const;

    /// This rank's number of unknowns.
    unsigned int
    size() const
    {
      return static_cast<unsigned int>(lower.size());
    }

    /// @p y = H x, zero where the bounds leave no choice.
    void
    multiply(const Vector &x, Vector &y) const;

    /// @p g = H x - f, zero where the bounds leave no choice.
    void
    gradient(const Vector &x, Vector &g) const;

    /// 1/2 x.Hx - f.x for @p x with the gradient @p g, added up over all ranks.
    double
    functional(const Vector &x, const Vector &g) const;

    /// A guess of the unknowns from one of the impulses. In the primal form
    /// the closed contacts are at their bounds and all other degrees of freedom
    /// as near to rest as the bounds permit.
    void
    guess(const Vector &lambda, Vector &x) const;

    /// A guess of the gradient: in the primal form the impulses @p lambda where
    /// they act, in the dual one the gradient of @p x.
    void
    guess_gradient(const Vector &lambda, const Vector &x, Vector &g) const;

    /// The same from a guess of the motion, which is turned and put to the
    /// bounds of contacts with impulses. Primal.
    void
    guess_from_motion(const Vector &w, const Vector &lambda, Vector &x) const;

    /// Takes the motion w out of @p x. Primal.
    void
    take_motion(Vector &x, Vector &w) const;

    /// The impulses that belong to @p x with the gradient @p g.
    void
    impulses(const Vector &x, const Vector &g, Vector &lambda) const;

    /// Moves @p x between its bounds.
    void
    project(Vector &x) const;

    /// How far @p x with the gradient @p g is from a solution, relative to the
    /// largest velocity of an active contact, |b_i| or |xi_i - b_i|:
    /// @f[ \max_i c_i\,|x_i - \mathrm{proj}(x_i - g_i / h_i)| @f]
    /// with the diagonal h of H and factors c that make velocities of it. In
    /// the dual form it is natural_residual() without round-off. Collective.
    double
    residual(const Vector &x, const Vector &g) const;

    /// The largest |b_i| of an active contact of all ranks, in m/s; with a
    /// load at least what it and impulses that are expected do to the contacts
    /// by themselves.
    double
    largest_velocity() const
    {
      return largest_b;
    }

    /// Tells of impulses for largest_velocity(). Collective.
    void
    expect(const Vector &lambda);

    /// What residual() makes of gradients @p r of free unknowns, not divided by
    /// a velocity. Collective.
    double
    largest_violation(const Vector &r) const;

    /// x -= s p and r -= s Hp. Returns the largest_violation() of r then.
    double
    step_back(double s, const Vector &p, const Vector &Hp, Vector &x, Vector &r)
      const;

    /// Replaces numbers by their sums over all ranks.
    void
    add_up(double *values, unsigned int n) const;

    /// Whether @p value is true on any rank.
    bool
    on_any_rank(bool value) const
    {
      double sum = value;
      add_up(&sum, 1);
      return sum > 0;
    }

    /// A in the primal form; none in the dual one.
    const SparseMatrix *
    matrix() const;

    /// z = P r with P near H^-1, made of one that is near A^-1. Primal.
    void
    precondition(const MotionSystem::Precondition &of_A,
                 Vector                           &r,
                 Vector                           &z) const;

  private:
    const std::unique_ptr<RelativeMotion> relative; ///< of the primal form

  public:
    std::vector<double> lower, upper;
    /// The diagonal of H or an estimate, positive; of W the largest entry in
    /// the block of a contact, as in natural_residual().
    const std::vector<double> &diagonal;
    const std::vector<double> &inverse_diagonal; ///< 1 / diagonal

  private:
    /// The factors c of residual().
    double
    weight(const unsigned int i) const
    {
      return primal ? largest_coefficient : diagonal[i];
    }

    /// x = Q x.
    void
    turn(Vector &x) const;

    /// The largest violation of all ranks from the largest |r_i| / h_i (dual:
    /// |r_i|) of this one.
    double
    violation_of_all_ranks(double largest) const;

    /// w = T Q x, in place, and x = Q T^-1 w.
    void
    to_motion(Vector &x) const;
    void
    from_motion(Vector &w) const;

    /// The same of forces: Q T^T f, and back.
    void
    from_forces(Vector &f) const;
    void
    to_forces(Vector &f) const;

    void
    set_up_primal();
    void
    set_up_dual();

    /// A contact whose normal is no coordinate: its entries and the vector of
    /// its reflection 1 - 2 u u^T.
    struct Reflection
    {
      unsigned int dofs[3];
      double       u[3];
      unsigned int size;
    };

    /// Returns the coefficient d of the turned normal.
    double
    reflect(const RelativeMotion::Own &own);

    std::vector<double> of_W, of_inverse; ///< diagonals of the dual form

    const ContactProblem     &problem;
    const bool                primal;
    const MotionSystem *const system; ///< of the primal form
    std::vector<Reflection>   reflections;
    Vector                    turned_load;
    mutable Vector            turned; ///< work space
    /// Of each active contact: its unknown and the coefficient d of it (dual:
    /// its row and 1).
    std::vector<unsigned int> unknowns;
    std::vector<double>       coefficients;
    double                    largest_coefficient = 0; ///< of all ranks
    double                    largest_b           = 0;
  };
} // namespace Percuss
