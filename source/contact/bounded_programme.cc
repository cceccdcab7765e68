// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/bounded_programme.h>
#include <percuss/linear_algebra/fused_operations.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace Percuss
{
  namespace
  {
    constexpr double infinity = std::numeric_limits<double>::infinity();
  } // namespace



  bool
  BoundedProgramme::has_primal_form(const ContactProblem &problem)
  {
    return RelativeMotion::find(problem, RelativeMotion::Directions::normal) !=
           nullptr;
  }



  BoundedProgramme::BoundedProgramme(const ContactProblem &problem,
                                     const Vector *const   load)
    : relative(
        RelativeMotion::find(problem, RelativeMotion::Directions::normal))
    , diagonal(relative ? problem.W.motion_system()->diagonal() : of_W)
    , inverse_diagonal(&diagonal == &of_W ?
                         of_inverse :
                         problem.W.motion_system()->inverse_diagonal())
    , problem(problem)
    , primal(&diagonal != &of_W)
    , system(primal ? problem.W.motion_system() : nullptr)
  {
    if (primal)
      set_up_primal();
    else
      set_up_dual();
    if (primal && (!reflections.empty() || !relative->is_identity()))
      turned.reinit(partition());
    if (primal && load != nullptr)
      {
        system->set_load(*load, turned_load);
        from_forces(turned_load);
      }
    for (const unsigned int contact : problem.active)
      largest_b = std::max(largest_b,
                           std::abs(problem.b.local_element(
                             problem.points[contact].first)));
    largest_b =
      dealii::Utilities::MPI::max(largest_b,
                                  partition()->get_mpi_communicator());
  }



  void
  BoundedProgramme::expect(const Vector &lambda)
  {
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      {
        const unsigned int first = problem.points[problem.active[i]].first;
        const unsigned int k     = unknowns[i];
        const double       load  = turned_load.size() > 0 ?
                                     coefficients[i] * turned_load.local_element(k) :
                                     0;
        largest_b                = std::max(
          {largest_b,
                          problem.W.diagonal(first) * std::abs(lambda.local_element(first)),
                          std::abs(load) * inverse_diagonal[k]});
      }
    largest_b =
      dealii::Utilities::MPI::max(largest_b,
                                  partition()->get_mpi_communicator());
  }



  double
  BoundedProgramme::reflect(const RelativeMotion::Own &own)
  {
    const auto &normal = own.directions[0];
    if (own.n_dofs == 1)
      return normal[0];
    double length = 0;
    for (const double coefficient : normal)
      length += coefficient * coefficient;
    length            = std::sqrt(length);
    const double sign = normal[0] < 0 ? -1 : 1;
    Reflection   result{{}, {}, own.n_dofs};
    double       square = 0;
    for (unsigned int i = 0; i < result.size; ++i)
      {
        result.dofs[i] = own.dofs[i];
        result.u[i]    = normal[i] / length + (i == 0 ? sign : 0);
        square += result.u[i] * result.u[i];
      }
    for (double &component : result.u)
      component /= std::sqrt(square);
    reflections.push_back(result);
    return -sign * length;
  }



  void
  BoundedProgramme::turn(Vector &x) const
  {
    for (const Reflection &reflection : reflections)
      {
        double along = 0;
        for (unsigned int i = 0; i < reflection.size; ++i)
          along += reflection.u[i] * x.local_element(reflection.dofs[i]);
        for (unsigned int i = 0; i < reflection.size; ++i)
          x.local_element(reflection.dofs[i]) -= 2 * along * reflection.u[i];
      }
  }



  void
  BoundedProgramme::to_motion(Vector &x) const
  {
    turn(x);
    relative->to_motion(x);
  }



  void
  BoundedProgramme::from_motion(Vector &w) const
  {
    relative->from_motion(w);
    turn(w);
  }



  void
  BoundedProgramme::from_forces(Vector &f) const
  {
    relative->from_forces(f);
    turn(f);
  }



  void
  BoundedProgramme::to_forces(Vector &f) const
  {
    turn(f);
    relative->to_forces(f);
  }



  void
  BoundedProgramme::precondition(const MotionSystem::Precondition &of_A,
                                 Vector                           &r,
                                 Vector                           &z) const
  {
    to_forces(r);
    system->precondition(of_A, r, z);
    from_forces(r);
    from_motion(z);
  }



  void
  BoundedProgramme::set_up_primal()
  {
    lower.assign(diagonal.size(), -infinity);
    upper.assign(diagonal.size(), infinity);
    double      largest = 0;
    std::size_t i       = 0;
    for (const unsigned int contact : problem.active)
      {
        const RelativeMotion::Own &own     = relative->own()[i++];
        const unsigned int         first   = problem.points[contact].first;
        const unsigned int         unknown = own.dofs[0];
        const double               d       = reflect(own);
        (d > 0 ? lower : upper)[unknown] = -problem.b.local_element(first) / d;
        unknowns.push_back(unknown);
        coefficients.push_back(d);
        largest = std::max(largest, std::abs(d));
      }
    largest_coefficient =
      dealii::Utilities::MPI::max(largest, partition()->get_mpi_communicator());
  }



  void
  BoundedProgramme::set_up_dual()
  {
    const unsigned int n = partition()->locally_owned_size();
    lower.assign(n, 0.);
    upper.assign(n, 0.);
    of_W.assign(n, 1.);
    for (const unsigned int contact : problem.active)
      {
        const ContactPoint &point = problem.points[contact];
        const unsigned int  i     = point.first;
        double              w     = 0;
        for (unsigned int d = 0; d < point.n_directions; ++d)
          w = std::max(w, std::abs(problem.W.diagonal(i + d)));
        upper[i] = infinity;
        of_W[i]  = w > 0 ? w : 1;
        unknowns.push_back(i);
        coefficients.push_back(1.);
      }
    for (const double entry : of_W)
      of_inverse.push_back(1 / entry);
  }



  const Partition &
  BoundedProgramme::partition() const
  {
    return primal ? system->partition() : problem.W.partition();
  }



  const SparseMatrix *
  BoundedProgramme::matrix() const
  {
    return primal ? &problem.W.global_form()->A : nullptr;
  }



  void
  BoundedProgramme::multiply(const Vector &x, Vector &y) const
  {
    if (primal && turned.size() == 0)
      system->multiply(x, y);
    else if (primal)
      {
        turned = x;
        to_motion(turned);
        system->multiply(turned, y);
        from_forces(y);
      }
    if (primal)
      return;
    problem.W.multiply(x, y);
    for (unsigned int i = 0; i < size(); ++i)
      if (upper[i] == 0)
        y.local_element(i) = 0;
  }



  void
  BoundedProgramme::gradient(const Vector &x, Vector &g) const
  {
    multiply(x, g);
    if (turned_load.size() > 0)
      g -= turned_load;
    if (!primal)
      for (const unsigned int i : unknowns)
        g.local_element(i) += problem.b.local_element(i);
  }



  double
  BoundedProgramme::functional(const Vector &x, const Vector &g) const
  {
    double sum = local_product(x, g);
    if (turned_load.size() > 0)
      sum -= local_product(x, turned_load);
    if (!primal)
      for (const unsigned int i : unknowns)
        sum += x.local_element(i) * problem.b.local_element(i);
    add_up(&sum, 1);
    return sum / 2;
  }



  void
  BoundedProgramme::guess(const Vector &lambda, Vector &x) const
  {
    x = 0.;
    // Without velocities there are no impulses.
    if (largest_b == 0 && turned_load.size() == 0)
      return;
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      {
        const unsigned int k = unknowns[i];
        const double       impulse =
          lambda.local_element(problem.points[problem.active[i]].first);
        if (!primal)
          x.local_element(k) = std::max(0., impulse);
        else if (impulse > 0)
          x.local_element(k) = (coefficients[i] > 0 ? lower : upper)[k];
        else
          x.local_element(k) = std::clamp(0., lower[k], upper[k]);
      }
  }



  void
  BoundedProgramme::guess_from_motion(const Vector &w,
                                      const Vector &lambda,
                                      Vector       &x) const
  {
    system->start(w, x);
    from_motion(x);
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      {
        const unsigned int k = unknowns[i];
        const double       impulse =
          lambda.local_element(problem.points[problem.active[i]].first);
        if (impulse > 0)
          x.local_element(k) = (coefficients[i] > 0 ? lower : upper)[k];
      }
  }



  void
  BoundedProgramme::take_motion(Vector &x, Vector &w) const
  {
    to_motion(x);
    system->finish(x, w);
  }



  void
  BoundedProgramme::guess_gradient(const Vector &lambda,
                                   const Vector &x,
                                   Vector       &g) const
  {
    if (!primal)
      {
        gradient(x, g);
        return;
      }
    g = 0.;
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      g.local_element(unknowns[i]) =
        coefficients[i] *
        std::max(0.,
                 lambda.local_element(problem.points[problem.active[i]].first));
  }



  void
  BoundedProgramme::impulses(const Vector &x,
                             const Vector &g,
                             Vector       &lambda) const
  {
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      lambda.local_element(problem.points[problem.active[i]].first) =
        primal ? g.local_element(unknowns[i]) / coefficients[i] :
                 x.local_element(unknowns[i]);
  }



  void
  BoundedProgramme::project(Vector &x) const
  {
    for (unsigned int i = 0; i < size(); ++i)
      x.local_element(i) = std::clamp(x.local_element(i), lower[i], upper[i]);
  }



  double
  BoundedProgramme::residual(const Vector &x, const Vector &g) const
  {
    double              largest[2] = {0, largest_b}; // error, velocity
    const double *const x_values = x.begin(), *const g_values = g.begin();
    for (unsigned int i = 0; i < size(); ++i)
      {
        const double step  = g_values[i] * inverse_diagonal[i];
        const double moved = x_values[i] - step;
        const double error =
          weight(i) * std::abs(moved < lower[i] ? x_values[i] - lower[i] :
                               moved > upper[i] ? x_values[i] - upper[i] :
                                                  step);
        // A NaN must not hide behind std::max.
        largest[0] = error <= largest[0] ? largest[0] :
                     error == error      ? error :
                                           infinity;
      }
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      {
        const double velocity =
          primal ?
            coefficients[i] * x.local_element(unknowns[i]) :
            g.local_element(unknowns[i]) - problem.b.local_element(unknowns[i]);
        largest[1] = std::max(largest[1], std::abs(velocity));
      }
    if (partition()->n_mpi_processes() > 1)
      MPI_Allreduce(MPI_IN_PLACE,
                    largest,
                    2,
                    MPI_DOUBLE,
                    MPI_MAX,
                    partition()->get_mpi_communicator());
    return largest[0] == 0 ? 0 : largest[0] / largest[1];
  }



  double
  BoundedProgramme::violation_of_all_ranks(const double largest) const
  {
    return dealii::Utilities::MPI::max(primal ? largest_coefficient * largest :
                                                largest,
                                       partition()->get_mpi_communicator());
  }



  double
  BoundedProgramme::largest_violation(const Vector &r) const
  {
    if (primal)
      return violation_of_all_ranks(largest_ratio(r, inverse_diagonal));
    double largest = 0; // with weights that are the diagonal
    for (const double entry : r)
      largest = std::max(largest, std::abs(entry));
    return violation_of_all_ranks(largest);
  }



  double
  BoundedProgramme::step_back(const double  s,
                              const Vector &p,
                              const Vector &Hp,
                              Vector       &x,
                              Vector       &r) const
  {
    const double largest = Percuss::step_back(s, p, Hp, inverse_diagonal, x, r);
    return primal ? violation_of_all_ranks(largest) : largest_violation(r);
  }



  void
  BoundedProgramme::add_up(double *values, const unsigned int n) const
  {
    if (partition()->n_mpi_processes() > 1)
      MPI_Allreduce(MPI_IN_PLACE,
                    values,
                    static_cast<int>(n),
                    MPI_DOUBLE,
                    MPI_SUM,
                    partition()->get_mpi_communicator());
  }
} // namespace Percuss
