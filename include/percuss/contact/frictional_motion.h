// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_frames.h>
#include <percuss/contact/gradient_projection.h>
#include <percuss/linear_algebra/work_space.h>

#include <deque>
#include <memory>
#include <vector>

namespace Percuss
{
  /// Motion and impulses with Coulomb's friction at once, where nodes meet
  /// obstacles or other bodies: in the unknowns of RelativeMotion the
  /// directions of a contact are a frame of degrees of freedom that no other
  /// active contact has,
  /// @f[ A w = f + D^T\lambda, \qquad \xi = D w + b, @f]
  /// or with a second system, see MotionSystem. Each contact is open, sticks
  /// (xi = 0) or slides (xi_N = 0, and a load lambda_T acts). With these places
  /// the equations of the free degrees of freedom are solved, from which
  /// impulses follow; then
  /// @f[ \lambda \leftarrow \mathrm{proj}(\tau), \qquad
  ///     \tau = \lambda - r\,\xi, \qquad r \sim 1/W_{ii}, @f]
  /// chooses the places and the loads of sliding anew. Where contacts slide,
  /// their loads follow the motion in the equations, a semismooth Newton method
  /// (Alart, Curnier, CMAME 92, 1991),
  /// @f[ \mathrm d\lambda_T = \mu\,t\,\mathrm d\lambda_N + \eta\,(1 - t
  ///     t^T) (\mathrm d\lambda_T - r\,\mathrm d\xi_T), \qquad
  ///     t = \tau_T/|\tau_T|, \quad \eta = \mu\lambda_N/|\tau_T|, @f]
  /// solved by generalized conjugate residuals (Eisenstat, Elman,
  /// Schultz, SIAM J. Numer. Anal. 20, 1983), which find the motion and the
  /// gradient at once. Where that does not converge, loads are held, as in a
  /// projected gradient method, and conjugate gradients serve. The
  /// preconditioner is that of the solver of A.
  class FrictionalMotion
  {
  public:
    /// How loads of sliding contacts begin: Newton's method, which gives way
    /// where it is slow, or held.
    enum class Loads
    {
      follow,
      held
    };

    /// With the frames of @p problem, which outlives this object, as f does.
    FrictionalMotion(const ContactProblem                &problem,
                     std::unique_ptr<const ContactFrames> frames,
                     const Vector                        &f,
                     Loads loads = Loads::follow);

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

  private:
    enum class Place
    {
      open,
      sticks,
      slides
    };

    /// What an active contact does.
    struct Node : ContactFrame
    {
      explicit Node(const ContactFrame &frame)
        : ContactFrame(frame)
      {}

      Place  place      = Place::open;
      double resistance = 0;                ///< one over the mean of W_ii
      double impulse[3] = {}, load[3] = {}; ///< load: while it slides
      double direction[3] = {}, eta = 0;    ///< t and eta, while it slides
    };

    /// y = H x, in coordinates along the directions of the contacts.
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

    /// Whether a contact of any rank slides.
    bool
    has_sliding() const;

    /// Conjugate gradients, loads held, until the largest |g_i| / A_ii of free
    /// coordinates fell by @p reduction or to @p least.
    void
    solve_with_loads_held(double reduction, double least);

    /// A step of Newton's method, by generalized conjugate residuals, until
    /// the largest |r_i| / A_ii fell by @p reduction or to @p least.
    void
    solve_linearised(double reduction, double least);

    /// A direction p of the motion with its image Jp under the derivative of
    /// the equations, loads following: that is Hp but for contacts. Images are
    /// orthogonal to those before them, directions are as they were found,
    /// @f[ Jp_n = \text{image}_n + \sum_{j<n} c_j\,\text{image}_j. @f]
    struct Direction
    {
      explicit Direction(const Partition &partition)
        : p(partition)
        , image(partition)
      {}

      PooledVector        p, image;
      std::vector<double> at_contacts; ///< entries of Hp, as the image
      std::vector<double> c;
      double              square = 0; ///< of the image
      double              step   = 0; ///< along it
    };

    /// Makes the image of Hp in its place.
    void
    linearise(Direction &direction) const;

    /// Makes the image of direction @p n orthogonal to those before it.
    void
    orthogonalise(unsigned int n);

    /// Moves r to the least one, and the gradient at contacts with it; returns
    /// the largest |r_i| / A_ii.
    double
    step_along(Direction &direction);

    /// x follows the steps along the first @p n images.
    void
    add_up_steps(unsigned int n);

    /// p.Hp of all ranks; remembers its quotient to p.diag(H)p.
    double
    curvature(const Vector &p, const Vector &Hp);

    /// Puts the gradient at contacts aside: then g is the residual of the
    /// equations, zero for fixed coordinates. Returns the largest |g_i|/A_ii.
    double
    hide_contacts();
    void
    show_contacts();

    double
    largest_residual()
    {
      const double largest = hide_contacts();
      show_contacts();
      return largest;
    }

    /// z = P g for free coordinates.
    void
    precondition(Vector &z);

    /// Calls @p what with the coordinates of contacts, numbered in the order of
    /// nodes and directions.
    template <typename What>
    void
    for_each_coordinate(const What &what) const
    {
      std::size_t i = 0;
      for (const Node &node : nodes)
        for (unsigned int k = 0; k < node.size(); ++k, ++i)
          what(i, node.own.dofs[k]);
    }

    /// Of velocities at the contacts.
    double
    velocity_scale() const;

    void
    write(Vector &w, Vector &lambda);

    double
    largest_of_all(double value) const;

    const ContactProblem                      &problem;
    const GlobalForm                          &form;
    const MotionSystem                        &system;
    const std::unique_ptr<const ContactFrames> frames;
    std::vector<Node>                          nodes;
    std::vector<char>                          is_fixed;
    const std::vector<double>                 &diagonal, &inverse_diagonal;
    PooledVector                               f, x, g, z, p, Hp, turned;
    std::vector<double>                        at_contacts; ///< of g, put aside
    RayleighQuotients                          quotients;
    bool                                       is_linearised; ///< loads follow
    double       relaxation    = 0.7; ///< r times the mean of W_ii
    unsigned int product_count = 0;

    static constexpr unsigned int most_directions = 10; ///< in a step
    std::deque<Direction>         directions;           ///< stay where they are
    std::vector<const Vector *>   images;               ///< work space
  };
} // namespace Percuss
