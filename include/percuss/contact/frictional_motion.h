// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_problem.h>
#include <percuss/contact/gradient_projection.h>

#include <vector>

namespace Percuss
{
  /// Motion and impulses with Coulomb's friction at once, where nodes meet
  /// obstacles: the directions of a contact are a frame of degrees of freedom
  /// that no other active contact has,
  /// @f[ A w = f + D^T\lambda + G\lambda, \qquad \xi = D w + b. @f]
  /// Each contact is open, sticks (xi = 0) or slides (xi_N = 0, and a load
  /// lambda_T acts). With these places, conjugate gradients reduce the residual
  /// of the free degrees of freedom, from which impulses follow; then
  /// @f[ \lambda \leftarrow \mathrm{proj}(\lambda - r\,\xi), \qquad r \sim
  ///     1/W_{ii}, @f]
  /// chooses the places and the loads of sliding anew. So sticking and open
  /// contacts are found as by active sets, and loads of sliding as by a
  /// projected gradient. The preconditioner is that of the solver of A.
  class FrictionalMotion
  {
  public:
    /// Both outlive this object.
    FrictionalMotion(const ContactProblem &problem, const Vector &f);

    /// Whether the contacts of all ranks are of the kind. Collective.
    static bool
    is_possible(const ContactProblem &problem);

    /// From guesses in @p w and @p lambda, until the natural residual is at
    /// most @p target. Returns whether it is; without, both are as they were.
    /// Collective.
    bool
    run(double target, Vector &w, Vector &lambda);

    /// Products with A so far.
    unsigned int
    n_products() const
    {
      return product_count;
    }

    /// Of linear solvers besides.
    unsigned int
    n_linear_iterations() const
    {
      return following.n_iterations();
    }

  private:
    enum class Place
    {
      open,
      sticks,
      slides
    };

    /// An active contact.
    struct Node
    {
      const ContactPoint *point;
      unsigned int        dofs[3];
      double              frame[3][3]; ///< directions, of the dofs
      double              diagonal;    ///< of A, the mean of its own
      Place               place;
      double              impulse[3], load[3]; ///< load: while it slides
    };

    static bool
    find_frame(const ContactProblem &problem,
               const ContactPoint   &point,
               Node                 &node);

    /// Coordinates along the directions of the contacts, and back.
    void
    to_contacts(Vector &x) const;
    void
    from_contacts(Vector &x) const;

    /// y = A x, in these coordinates.
    void
    multiply(const Vector &x, Vector &y);

    void
    find_gradient();

    /// Puts closed contacts to their bounds, as the guess says.
    void
    start(const Vector &lambda);

    /// The impulses of closed contacts, from the gradient.
    void
    read_impulses();

    /// Chooses places and loads. Returns the largest change of an impulse, as
    /// a velocity, of all ranks.
    double
    choose();

    /// Fixes and moves the coordinates of a node as its place says; returns
    /// whether one has moved.
    bool
    hold(const Node &node);

    /// Conjugate gradients until the largest |g_i| / A_ii of free coordinates
    /// is at most @p goal or fell to @p least.
    void
    solve_in_face(double reduction, double least);

    /// r = g for free coordinates; returns the largest |g_i|/A_ii.
    double
    find_residual();

    /// z = P r for free coordinates; returns r.z.
    double
    precondition();

    /// Moves the load that follows the impulses, which @p lambda is filled
    /// with; returns how far it has to go, as a velocity.
    double
    follow(double tolerance, Vector &lambda);

    /// Of velocities at the contacts.
    double
    velocity_scale() const;

    void
    write(Vector &w, Vector &lambda);

    double
    largest_of_all(double value) const;

    const ContactProblem &problem;
    const GlobalForm     &form;
    std::vector<Node>     nodes;
    std::vector<char>     is_fixed;
    std::vector<double>   diagonal, inverse_diagonal;
    Vector                f, x, g, r, z, p, Ap, turned;
    FollowingLoad         following;
    RayleighQuotients     quotients;
    double                relaxation    = 0.7; ///< r times the diagonal of A
    unsigned int          product_count = 0;
  };
} // namespace Percuss
