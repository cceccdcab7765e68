// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/frictional_motion.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>

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

    std::vector<double>
    invert(const std::vector<double> &entries)
    {
      std::vector<double> result;
      result.reserve(entries.size());
      for (const double entry : entries)
        result.push_back(1 / entry);
      return result;
    }
  } // namespace



  bool
  FrictionalMotion::find_frame(const ContactProblem &problem,
                               const ContactPoint   &point,
                               Node                 &node)
  {
    const unsigned int size = point.n_directions;
    if (size < 2 || size > 3)
      return false;
    node              = Node();
    node.point        = &point;
    unsigned int n    = 0; // of its degrees of freedom
    const auto  &rows = problem.W.global_form()->contacts;
    for (unsigned int i = 0; i < size; ++i)
      for (const auto &[dof, coefficient] : rows.row(point.first + i))
        {
          unsigned int k = 0;
          while (k < n && node.dofs[k] != dof)
            ++k;
          if (k == size)
            return false;
          node.dofs[k]     = dof;
          n                = std::max(n, k + 1);
          node.frame[i][k] = coefficient;
        }
    for (unsigned int i = 0; i < size; ++i)
      for (unsigned int j = 0; j < size; ++j)
        {
          double product = i == j ? -1 : 0;
          for (unsigned int k = 0; k < size; ++k)
            product += node.frame[i][k] * node.frame[j][k];
          if (std::abs(product) > 1e-12)
            return false;
        }
    return n == size;
  }



  bool
  FrictionalMotion::is_possible(const ContactProblem &problem)
  {
    const GlobalForm *const form = problem.W.global_form();
    if (form == nullptr)
      return false;
    std::vector<bool> is_taken(form->A.partition()->locally_owned_size());
    unsigned int      n_others = 0;
    for (const unsigned int contact : problem.active)
      {
        Node node;
        if (!find_frame(problem, problem.points[contact], node))
          {
            ++n_others;
            continue;
          }
        for (unsigned int k = 0; k < node.point->n_directions; ++k)
          {
            const bool is_own = node.dofs[k] < is_taken.size();
            n_others += !is_own || is_taken[node.dofs[k]];
            if (is_own)
              is_taken[node.dofs[k]] = true;
          }
      }
    return dealii::Utilities::MPI::sum(
             n_others, form->A.partition()->get_mpi_communicator()) == 0;
  }



  FrictionalMotion::FrictionalMotion(const ContactProblem &problem,
                                     const Vector         &load)
    : problem(problem)
    , form(*problem.W.global_form())
    , is_fixed(form.A.partition()->locally_owned_size(), 0)
    , diagonal(form.A.diagonal())
    , inverse_diagonal(invert(diagonal))
    , f(load)
    , following(form.load, form.A.partition(), inverse_diagonal)
  {
    for (Vector *vector : {&x, &g, &r, &z, &p, &Ap, &turned})
      vector->reinit(form.A.partition());
    if (following.exists())
      f += following.present();
    nodes.resize(problem.active.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
      {
        Node &node = nodes[i];
        find_frame(problem, problem.points[problem.active[i]], node);
        for (unsigned int k = 0; k < node.point->n_directions; ++k)
          node.diagonal += diagonal[node.dofs[k]] / node.point->n_directions;
      }
    to_contacts(f);
  }



  void
  FrictionalMotion::to_contacts(Vector &vector) const
  {
    for (const Node &node : nodes)
      {
        const unsigned int size = node.point->n_directions;
        double             old[3];
        for (unsigned int k = 0; k < size; ++k)
          old[k] = vector.local_element(node.dofs[k]);
        for (unsigned int i = 0; i < size; ++i)
          {
            double sum = 0;
            for (unsigned int k = 0; k < size; ++k)
              sum += node.frame[i][k] * old[k];
            vector.local_element(node.dofs[i]) = sum;
          }
      }
  }



  void
  FrictionalMotion::from_contacts(Vector &vector) const
  {
    for (const Node &node : nodes)
      {
        const unsigned int size = node.point->n_directions;
        double             old[3];
        for (unsigned int k = 0; k < size; ++k)
          old[k] = vector.local_element(node.dofs[k]);
        for (unsigned int k = 0; k < size; ++k)
          {
            double sum = 0;
            for (unsigned int i = 0; i < size; ++i)
              sum += node.frame[i][k] * old[i];
            vector.local_element(node.dofs[k]) = sum;
          }
      }
  }



  void
  FrictionalMotion::multiply(const Vector &from, Vector &to)
  {
    ++product_count;
    turned = from;
    from_contacts(turned);
    form.A.multiply(turned, to);
    to_contacts(to);
  }



  void
  FrictionalMotion::find_gradient()
  {
    multiply(x, g);
    g -= f;
    for (const Node &node : nodes)
      for (unsigned int k = 1; k < node.point->n_directions; ++k)
        g.local_element(node.dofs[k]) -= node.load[k];
  }



  void
  FrictionalMotion::start(const Vector &lambda)
  {
    for (Node &node : nodes)
      {
        const double *const impulse = lambda.begin() + node.point->first;
        const double friction = problem.law.friction(*node.point) * impulse[0];
        double       sliding  = 0;
        for (unsigned int k = 0; k < node.point->n_directions; ++k)
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
          std::copy_n(impulse, 3, node.load);
        hold(node);
      }
  }



  bool
  FrictionalMotion::hold(const Node &node)
  {
    bool has_moved = false;
    for (unsigned int k = 0; k < node.point->n_directions; ++k)
      {
        const unsigned int dof = node.dofs[k];
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
      for (unsigned int k = 0; k < node.point->n_directions; ++k)
        node.impulse[k] = is_fixed[node.dofs[k]] != 0 ?
                            g.local_element(node.dofs[k]) :
                            node.load[k];
  }



  double
  FrictionalMotion::choose()
  {
    double largest = 0;
    double n_moved = 0;
    for (Node &node : nodes)
      {
        const unsigned int size = node.point->n_directions;
        const double       step = relaxation * node.diagonal;
        double             trial[3], projected[3];
        for (unsigned int k = 0; k < size; ++k)
          {
            const double xi = x.local_element(node.dofs[k]) +
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
        node.place = projected[0] <= 0 ? Place::open :
                     is_inside         ? Place::sticks :
                                         Place::slides;
        for (unsigned int k = 1; k < size; ++k)
          {
            const double load = node.place == Place::slides ? projected[k] : 0.;
            g.local_element(node.dofs[k]) += node.load[k] - load;
            node.load[k] = load;
          }
        n_moved += hold(node);
      }
    add_up(form.A.partition(), &n_moved, 1);
    if (n_moved > 0)
      find_gradient();
    return largest_of_all(largest);
  }



  double
  FrictionalMotion::find_residual()
  {
    double largest = 0;
    for (unsigned int i = 0; i < is_fixed.size(); ++i)
      {
        const double entry = is_fixed[i] != 0 ? 0 : g.local_element(i);
        r.local_element(i) = entry;
        largest = std::max(largest, std::abs(entry) * inverse_diagonal[i]);
      }
    return largest_of_all(largest);
  }



  double
  FrictionalMotion::precondition()
  {
    from_contacts(r);
    form.inverse.precondition(r, z);
    to_contacts(r);
    to_contacts(z);
    for (const Node &node : nodes)
      for (unsigned int k = 0; k < node.point->n_directions; ++k)
        if (is_fixed[node.dofs[k]] != 0)
          z.local_element(node.dofs[k]) = 0;
    double rz = local_product(r, z);
    add_up(form.A.partition(), &rz, 1);
    return rz;
  }



  void
  FrictionalMotion::solve_in_face(const double reduction, const double least)
  {
    constexpr unsigned int n_iterations = 1000;
    double                 largest      = find_residual();
    const double           goal         = std::max(least, reduction * largest);
    if (largest <= goal)
      return;
    double rz = precondition();
    p         = z;
    for (unsigned int i = 0; i < n_iterations; ++i)
      {
        multiply(p, Ap);
        double sums[2] = {local_product(p, Ap), 0};
        for (unsigned int k = 0; k < diagonal.size(); ++k)
          sums[1] += p.local_element(k) * p.local_element(k) * diagonal[k];
        add_up(form.A.partition(), sums, 2);
        if (!(sums[0] > 0))
          return;
        quotients.add(sums[0] / sums[1]);
        x.add(-rz / sums[0], p);
        g.add(-rz / sums[0], Ap);
        if (find_residual() <= goal)
          return;
        const double old_rz = rz;
        rz                  = precondition();
        p.sadd(rz / old_rz, z);
      }
  }



  double
  FrictionalMotion::follow(const double tolerance, Vector &lambda)
  {
    if (!following.exists())
      return 0;
    for (const Node &node : nodes)
      std::copy_n(node.impulse,
                  node.point->n_directions,
                  lambda.begin() + node.point->first);
    const double rest = following.update(lambda, tolerance);
    to_contacts(following.change());
    f += following.change();
    g -= following.change();
    return rest;
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
      for (unsigned int k = 0; k < node.point->n_directions; ++k)
        {
          const unsigned int row = node.point->first + k;
          largest =
            std::max({largest,
                      std::abs(problem.b.local_element(row)),
                      std::abs(x.local_element(node.dofs[k])),
                      problem.W.diagonal(row) * std::abs(node.impulse[k])});
        }
    return largest_of_all(largest);
  }



  bool
  FrictionalMotion::run(const double target, Vector &w, Vector &lambda)
  {
    constexpr unsigned int n_choices = 400;
    x                                = w;
    to_contacts(x);
    start(lambda);
    find_gradient();
    double last = 0;
    Vector now(lambda); // impulses
    for (unsigned int i = 0; i < n_choices; ++i)
      {
        const double scale = velocity_scale(), goal = target * scale;
        const double least =
          goal * std::min(1., std::max(quotients.smallest, 1e-6));
        solve_in_face(0.1, 0.5 * least);
        read_impulses();
        const double change = choose();
        const double rest =
          follow(std::max(target, scale > 0 ? 0.1 * change / scale : 0), now);
        if (change <= goal && rest <= least && find_residual() <= least)
          {
            write(w, lambda);
            return true;
          }
        // Too long steps go to and fro.
        if (i > 2 && change > 0.7 * last)
          relaxation = std::max(0.7 * relaxation, 0.02);
        last = change;
      }
    return false;
  }



  void
  FrictionalMotion::write(Vector &w, Vector &lambda)
  {
    for (const Node &node : nodes)
      std::copy_n(node.impulse,
                  node.point->n_directions,
                  lambda.begin() + node.point->first);
    from_contacts(x);
    w.swap(x);
  }
} // namespace Percuss
