// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/frictional_motion.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace Percuss
{
  namespace
  {
    void
    add_up(const Partition &partition, double *const values, const int n)
    {
      if (partition->n_mpi_processes() > 1)
        MPI_Allreduce(MPI_IN_PLACE,
                      values,
                      n,
                      MPI_DOUBLE,
                      MPI_SUM,
                      partition->get_mpi_communicator());
    }
  } // namespace



  FrictionalMotion::FrictionalMotion(
    const ContactProblem                &problem,
    std::unique_ptr<const ContactFrames> contact_frames,
    const Vector                        &load,
    const Loads                          loads)
    : problem(problem)
    , form(*problem.W.global_form())
    , system(*problem.W.motion_system())
    , frames(std::move(contact_frames))
    , is_fixed(system.partition()->locally_owned_size(), 0)
    , diagonal(system.diagonal())
    , inverse_diagonal(system.inverse_diagonal())
    , f(system.partition())
    , x(system.partition())
    , g(system.partition())
    , r(system.partition())
    , z(system.partition())
    , p(system.partition())
    , Hp(system.partition())
    , turned(system.partition())
    , is_linearised(loads == Loads::follow)
  {
    system.set_load(load, f);
    for (const ContactFrame &frame : frames->all())
      {
        nodes.emplace_back(frame);
        double response = 0;
        for (unsigned int k = 0; k < frame.size(); ++k)
          response += problem.W.diagonal(frame.point->first + k);
        nodes.back().resistance = frame.size() / response;
      }
    frames->forces_to_contacts(f);
  }



  void
  FrictionalMotion::multiply(const Vector &from, Vector &to)
  {
    ++product_count;
    turned = from;
    frames->from_contacts(turned);
    system.multiply(turned, to);
    frames->forces_to_contacts(to);
  }



  void
  FrictionalMotion::find_gradient()
  {
    multiply(x, g);
    g -= f;
    for (const Node &node : nodes)
      for (unsigned int k = 1; k < node.size(); ++k)
        g.local_element(node.own.dofs[k]) -= node.load[k];
  }



  void
  FrictionalMotion::start(const Vector &lambda)
  {
    for (Node &node : nodes)
      {
        const double *const impulse = lambda.begin() + node.point->first;
        const double friction = problem.law.friction(*node.point) * impulse[0];
        double       sliding  = 0;
        for (unsigned int k = 0; k < node.size(); ++k)
          {
            node.impulse[k] = impulse[k];
            if (k > 0)
              sliding += impulse[k] * impulse[k];
          }
        sliding    = std::sqrt(sliding);
        node.place = impulse[0] <= 0                 ? Place::open :
                     sliding < friction * (1 - 1e-9) ? Place::sticks :
                                                       Place::slides;
        if (node.place == Place::slides)
          for (unsigned int k = 1; k < node.size(); ++k)
            {
              node.load[k]      = impulse[k];
              node.direction[k] = sliding > 0 ? impulse[k] / sliding : 0;
            }
        hold(node);
      }
  }



  bool
  FrictionalMotion::hold(const Node &node)
  {
    bool has_moved = false;
    for (unsigned int k = 0; k < node.size(); ++k)
      {
        const unsigned int dof = node.own.dofs[k];
        is_fixed[dof]          = node.place == Place::sticks ||
                        (node.place == Place::slides && k == 0);
        const double bound = -problem.b.local_element(node.point->first + k);
        if (is_fixed[dof] != 0 && x.local_element(dof) != bound)
          {
            x.local_element(dof) = bound;
            has_moved            = true;
          }
      }
    return has_moved;
  }



  void
  FrictionalMotion::read_impulses()
  {
    for (Node &node : nodes)
      for (unsigned int k = 0; k < node.size(); ++k)
        node.impulse[k] = node.place == Place::open ?
                            0 :
                            g.local_element(node.own.dofs[k]) + node.load[k];
  }



  double
  FrictionalMotion::choose()
  {
    double largest = 0;
    double n_moved = 0;
    for (Node &node : nodes)
      {
        const unsigned int size = node.size();
        const double       step = relaxation * node.resistance;
        double             trial[3], projected[3];
        for (unsigned int k = 0; k < size; ++k)
          {
            const double xi = x.local_element(node.own.dofs[k]) +
                              problem.b.local_element(node.point->first + k);
            projected[k] = trial[k] = node.impulse[k] - step * xi;
          }
        problem.law.project(*node.point, projected);
        bool is_inside = true;
        for (unsigned int k = 0; k < size; ++k)
          {
            largest = std::max(largest,
                               std::abs(node.impulse[k] - projected[k]) / step);
            is_inside &= k == 0 || projected[k] == trial[k];
          }
        node.place     = projected[0] <= 0 ? Place::open :
                         is_inside         ? Place::sticks :
                                             Place::slides;
        double sliding = 0;
        for (unsigned int k = 1; k < size; ++k)
          {
            const double load = node.place == Place::slides ? projected[k] : 0.;
            g.local_element(node.own.dofs[k]) += node.load[k] - load;
            node.load[k] = load;
            sliding += trial[k] * trial[k];
          }
        sliding  = std::sqrt(sliding);
        node.eta = 0;
        for (unsigned int k = 1; k < size && node.place == Place::slides; ++k)
          {
            node.direction[k] = trial[k] / sliding;
            node.eta += node.load[k] * trial[k] / (sliding * sliding);
          }
        n_moved += hold(node);
      }
    add_up(system.partition(), &n_moved, 1);
    if (n_moved > 0)
      find_gradient();
    return largest_of_all(largest);
  }



  double
  FrictionalMotion::find_residual()
  {
    std::copy(g.begin(), g.end(), r.begin());
    for (const Node &node : nodes)
      for (unsigned int k = 0; k < node.size(); ++k)
        if (is_fixed[node.own.dofs[k]] != 0)
          r.local_element(node.own.dofs[k]) = 0;
    return largest_of_all(largest_ratio(r, inverse_diagonal));
  }



  void
  FrictionalMotion::precondition(Vector &residual, Vector &step)
  {
    frames->forces_from_contacts(residual);
    system.precondition(
      [this](const Vector &from, Vector &to) {
        form.inverse.precondition(from, to);
      },
      residual,
      step);
    frames->forces_to_contacts(residual);
    frames->to_contacts(step);
    for (const Node &node : nodes)
      for (unsigned int k = 0; k < node.size(); ++k)
        if (is_fixed[node.own.dofs[k]] != 0)
          step.local_element(node.own.dofs[k]) = 0;
  }



  double
  FrictionalMotion::curvature(const Vector &direction, const Vector &product)
  {
    double sums[2] = {local_product(direction, product),
                      local_square(direction, diagonal)};
    add_up(system.partition(), sums, 2);
    if (sums[0] > 0)
      quotients.add(sums[0] / sums[1]);
    return sums[0];
  }



  void
  FrictionalMotion::solve_with_loads_held(const double reduction,
                                          const double least)
  {
    constexpr unsigned int n_iterations = 1000;
    double                 largest      = find_residual();
    const double           goal         = std::max(least, reduction * largest);
    double                 rz           = 0;
    for (unsigned int i = 0; i < n_iterations && largest > goal; ++i)
      {
        precondition(r, z);
        const double old_rz = rz;
        rz                  = local_product(r, z);
        add_up(system.partition(), &rz, 1);
        p.sadd(i == 0 ? 0 : rz / old_rz, 1, z);
        multiply(p, Hp);
        const double square = curvature(p, Hp);
        if (!(square > 0))
          return;
        x.add(-rz / square, p);
        g.add(-rz / square, Hp);
        largest = find_residual();
      }
  }



  bool
  FrictionalMotion::has_sliding() const
  {
    double n = 0;
    for (const Node &node : nodes)
      n += node.place == Place::slides;
    add_up(system.partition(), &n, 1);
    return n > 0;
  }



  void
  FrictionalMotion::linearise(const Vector        &from,
                              const Vector        &product,
                              std::vector<double> &at_contacts) const
  {
    at_contacts.clear();
    for (const Node &node : nodes)
      {
        const double mu     = problem.law.friction(*node.point);
        const double step   = relaxation * node.resistance;
        const double normal = product.local_element(node.own.dofs[0]);
        double       along  = 0, trial[3];
        for (unsigned int k = 1; k < node.size(); ++k)
          {
            trial[k] = product.local_element(node.own.dofs[k]) -
                       step * from.local_element(node.own.dofs[k]);
            along += node.direction[k] * trial[k];
          }
        for (unsigned int k = 0; k < node.size(); ++k)
          {
            double value = is_fixed[node.own.dofs[k]] != 0 ?
                             0 :
                             product.local_element(node.own.dofs[k]);
            if (node.place == Place::slides && k > 0)
              value -= mu * node.direction[k] * normal +
                       node.eta * (trial[k] - along * node.direction[k]);
            at_contacts.push_back(value);
          }
      }
  }



  double
  FrictionalMotion::product_of_images(const Direction &a,
                                      const Direction &b) const
  {
    double      sum = local_product(a.Hp, b.Hp);
    std::size_t i   = 0;
    for (const Node &node : nodes)
      for (unsigned int k = 0; k < node.size(); ++k, ++i)
        sum += a.at_contacts[i] * b.at_contacts[i] -
               a.Hp.local_element(node.own.dofs[k]) *
                 b.Hp.local_element(node.own.dofs[k]);
    return sum;
  }



  void
  FrictionalMotion::orthogonalise(const unsigned int n)
  {
    Direction          &now = directions[n];
    std::vector<double> products(n + 1);
    for (unsigned int j = 0; j <= n; ++j)
      products[j] = product_of_images(directions[j], now);
    add_up(system.partition(), products.data(), static_cast<int>(n + 1));
    now.square = products[n];
    for (unsigned int j = 0; j < n; ++j)
      {
        const Direction &old    = directions[j];
        const double     factor = products[j] / old.square;
        now.p.add(-factor, old.p);
        now.Hp.add(-factor, old.Hp);
        for (std::size_t i = 0; i < now.at_contacts.size(); ++i)
          now.at_contacts[i] -= factor * old.at_contacts[i];
        now.square -= products[j] * factor;
      }
  }



  /// r = 0 for fixed coordinates, where images have zeros too.
  double
  FrictionalMotion::step_along(const Direction &direction)
  {
    double      product = local_product(direction.Hp, r);
    std::size_t i       = 0;
    for (const Node &node : nodes)
      for (unsigned int k = 0; k < node.size(); ++k, ++i)
        product += (direction.at_contacts[i] -
                    direction.Hp.local_element(node.own.dofs[k])) *
                   r.local_element(node.own.dofs[k]);
    add_up(system.partition(), &product, 1);
    const double step = product / direction.square;
    x.add(-step, direction.p);
    g.add(-step, direction.Hp);
    r.add(-step, direction.Hp);
    i = 0;
    for (const Node &node : nodes)
      for (unsigned int k = 0; k < node.size(); ++k, ++i)
        r.local_element(node.own.dofs[k]) -=
          step * (direction.at_contacts[i] -
                  direction.Hp.local_element(node.own.dofs[k]));
    return largest_of_all(largest_ratio(r, inverse_diagonal));
  }



  void
  FrictionalMotion::solve_linearised(const double reduction, const double least)
  {
    double       largest = find_residual();
    const double goal    = std::max(reduction * largest, least);
    for (unsigned int n = 0; n < most_directions && largest > goal; ++n)
      {
        if (n == directions.size())
          directions.emplace_back(system.partition());
        Direction &now = directions[n];
        precondition(r, now.p);
        multiply(now.p, now.Hp);
        curvature(now.p, now.Hp);
        linearise(now.p, now.Hp, now.at_contacts);
        orthogonalise(n);
        if (!(now.square > 0))
          return;
        largest = step_along(now);
      }
  }



  double
  FrictionalMotion::largest_of_all(const double value) const
  {
    return form.A.partition()->n_mpi_processes() == 1 ?
             value :
             dealii::Utilities::MPI::max(
               value, form.A.partition()->get_mpi_communicator());
  }



  double
  FrictionalMotion::velocity_scale() const
  {
    double largest = 0;
    for (const Node &node : nodes)
      for (unsigned int k = 0; k < node.size(); ++k)
        {
          const unsigned int row = node.point->first + k;
          largest =
            std::max({largest,
                      std::abs(problem.b.local_element(row)),
                      std::abs(x.local_element(node.own.dofs[k])),
                      problem.W.diagonal(row) * std::abs(node.impulse[k])});
        }
    return largest_of_all(largest);
  }



  bool
  FrictionalMotion::run(const double target, Vector &w, Vector &lambda)
  {
    constexpr unsigned int n_choices = 400;
    system.start(w, x);
    frames->to_contacts(x);
    start(lambda);
    find_gradient();
    double       last      = 0;
    double       reduction = 0.1; // of the residual, by Newton's step
    unsigned int n_slow    = 0;
    for (unsigned int i = 0; i < n_choices; ++i)
      {
        const double scale = velocity_scale(), goal = target * scale;
        const double least =
          goal * std::min(1., std::max(quotients.smallest, 1e-6));
        if (is_linearised && has_sliding())
          solve_linearised(reduction, 0.5 * least);
        else
          solve_with_loads_held(0.1, 0.5 * least);
        read_impulses();
        const double change = choose();
        if (change <= goal && find_residual() <= least)
          {
            write(w, lambda);
            return true;
          }
        // Too long steps go to and fro.
        n_slow += i > 2 && change > 0.7 * last;
        if (is_linearised && n_slow > 5)
          is_linearised = false;
        else if (!is_linearised && change > 0.7 * last)
          relaxation = std::max(0.7 * relaxation, 0.02);
        // As exactly as the equations proved to be linear.
        if (i > 0 && last > 0)
          reduction = std::clamp(0.1 * change / last, 1e-5, 0.1);
        last = change;
      }
    return false;
  }



  void
  FrictionalMotion::write(Vector &w, Vector &lambda)
  {
    for (const Node &node : nodes)
      std::copy_n(node.impulse,
                  node.size(),
                  lambda.begin() + node.point->first);
    frames->from_contacts(x);
    system.finish(x, w);
  }
} // namespace Percuss
