// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/frictional_motion.h>
#include <percuss/linear_algebra/fused_operations.h>

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
  FrictionalMotion::hide_contacts()
  {
    at_contacts.clear();
    for_each_coordinate([this](std::size_t, const unsigned int dof) {
      at_contacts.push_back(g.local_element(dof));
      if (is_fixed[dof] != 0)
        g.local_element(dof) = 0;
    });
    return largest_of_all(largest_ratio(g, inverse_diagonal));
  }



  void
  FrictionalMotion::show_contacts()
  {
    for_each_coordinate([this](const std::size_t i, const unsigned int dof) {
      g.local_element(dof) = at_contacts[i];
    });
  }



  void
  FrictionalMotion::precondition(Vector &step)
  {
    frames->forces_from_contacts(g);
    system.precondition(
      [this](const Vector &from, Vector &to) {
        form.inverse.precondition(from, to);
      },
      g,
      step);
    frames->forces_to_contacts(g);
    frames->to_contacts(step);
    for_each_coordinate([&](std::size_t, const unsigned int dof) {
      if (is_fixed[dof] != 0)
        step.local_element(dof) = 0;
    });
  }



  double
  FrictionalMotion::curvature(const Vector &direction, const Vector &product)
  {
    const Products products = local_products(direction, product, diagonal);
    double         sums[2]  = {products.with_other, products.with_itself};
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
    double                 largest      = hide_contacts();
    const double           goal         = std::max(least, reduction * largest);
    double                 gz           = 0;
    for (unsigned int i = 0; i < n_iterations && largest > goal; ++i)
      {
        precondition(z);
        const double old_gz = gz;
        gz                  = local_product(g, z);
        add_up(system.partition(), &gz, 1);
        if (!(gz > 0)) // round-off
          break;
        p.sadd(i == 0 ? 0 : gz / old_gz, 1, z);
        multiply(p, Hp);
        const double square = curvature(p, Hp);
        if (!(square > 0))
          break;
        const double step = gz / square;
        for_each_coordinate([&](const std::size_t c, const unsigned int dof) {
          at_contacts[c] -= step * Hp.local_element(dof);
          if (is_fixed[dof] != 0)
            Hp.local_element(dof) = 0;
        });
        largest =
          largest_of_all(step_back(step, p, Hp, inverse_diagonal, x, g));
      }
    show_contacts();
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
  FrictionalMotion::linearise(Direction &direction) const
  {
    direction.at_contacts.clear();
    for (const Node &node : nodes)
      {
        const double mu    = problem.law.friction(*node.point);
        const double step  = relaxation * node.resistance;
        double       along = 0, trial[3], product[3];
        for (unsigned int k = 0; k < node.size(); ++k)
          {
            product[k] = direction.image.local_element(node.own.dofs[k]);
            direction.at_contacts.push_back(product[k]);
          }
        for (unsigned int k = 1; k < node.size(); ++k)
          {
            trial[k] =
              product[k] - step * direction.p.local_element(node.own.dofs[k]);
            along += node.direction[k] * trial[k];
          }
        for (unsigned int k = 0; k < node.size(); ++k)
          {
            double value = is_fixed[node.own.dofs[k]] != 0 ? 0 : product[k];
            if (node.place == Place::slides && k > 0)
              value -= mu * node.direction[k] * product[0] +
                       node.eta * (trial[k] - along * node.direction[k]);
            direction.image.local_element(node.own.dofs[k]) = value;
          }
      }
  }



  /// Gram and Schmidt.
  void
  FrictionalMotion::orthogonalise(const unsigned int n)
  {
    Direction &now = directions[n];
    images.resize(n + 1);
    for (unsigned int j = 0; j <= n; ++j)
      images[j] = &directions[j].image;
    now.c.resize(n + 1);
    local_products(images, now.image, now.c.data());
    add_up(system.partition(), now.c.data(), static_cast<int>(n + 1));
    now.square = now.c[n];
    now.c.pop_back();
    images.pop_back();
    for (unsigned int j = 0; j < n; ++j)
      {
        const Direction &old = directions[j];
        now.square -= now.c[j] * now.c[j] / old.square;
        now.c[j] /= old.square;
        for (std::size_t i = 0; i < now.at_contacts.size(); ++i)
          now.at_contacts[i] -= now.c[j] * old.at_contacts[i];
      }
    subtract(images, now.c.data(), now.image);
  }



  double
  FrictionalMotion::step_along(Direction &direction)
  {
    double product = local_product(direction.image, g);
    add_up(system.partition(), &product, 1);
    direction.step = product / direction.square;
    for (std::size_t i = 0; i < at_contacts.size(); ++i)
      at_contacts[i] -= direction.step * direction.at_contacts[i];
    return largest_of_all(
      step_back(direction.step, direction.image, inverse_diagonal, g));
  }



  /// With the lower triangular L of ones and c, images are those of L^-1 p.
  void
  FrictionalMotion::add_up_steps(const unsigned int n)
  {
    std::vector<double>         steps(n);
    std::vector<const Vector *> all;
    for (unsigned int i = n; i-- > 0;)
      {
        steps[i] = directions[i].step;
        for (unsigned int j = i + 1; j < n; ++j)
          steps[i] -= directions[j].c[i] * steps[j];
      }
    for (unsigned int i = 0; i < n; ++i)
      all.push_back(&directions[i].p);
    subtract(all, steps.data(), x);
  }



  void
  FrictionalMotion::solve_linearised(const double reduction, const double least)
  {
    double       largest = hide_contacts();
    const double goal    = std::max(reduction * largest, least);
    unsigned int n       = 0;
    for (; n < most_directions && largest > goal; ++n)
      {
        if (n == directions.size())
          directions.emplace_back(system.partition());
        Direction &now = directions[n];
        precondition(now.p);
        multiply(now.p, now.image);
        curvature(now.p, now.image);
        linearise(now);
        orthogonalise(n);
        if (!(now.square > 0))
          break;
        largest = step_along(now);
      }
    show_contacts();
    add_up_steps(n);
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
        if (change <= goal && largest_residual() <= least)
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
