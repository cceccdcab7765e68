// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "models/solid.h"

// Pairs of faces that follow the motion, and sides with hanging nodes, without
// time steps.

namespace Percuss::Test
{
  namespace
  {
    constexpr double p = 0.1; // Pa

    SolidParameters::Body
    box(const std::vector<double> &corner,
        const std::vector<double> &size,
        const std::vector<double> &cells)
    {
      SolidParameters::Body body;
      body.corner  = corner;
      body.centre  = corner;
      body.size    = size;
      body.cells   = cells;
      body.E       = 3;
      body.nu      = 0.3;
      body.density = 2;
      return body;
    }

    /// A block of length 1 on one of length 3. The upper one is pushed up at
    /// its bottom, by the pressure that the contacts should have.
    template <int dim>
    typename Solid<dim>::Parameters
    on_a_long_block(const unsigned int degree)
    {
      typename Solid<dim>::Parameters parameters;
      parameters.degree = degree;
      std::vector<double> corner(dim, 0.), size(dim, 1.), cells(dim, 1.);
      size[0]  = 3;
      cells[0] = 7;
      parameters.bodies.emplace_back("lower", box(corner, size, cells));
      corner[dim - 1] = 1;
      size[0]         = 1;
      cells.assign(dim, 2.);
      cells[0] = 3;
      parameters.bodies.emplace_back("upper", box(corner, size, cells));
      SolidParameters::Load load;
      load.on       = "upper bottom";
      load.traction = (dim == 2 ? "y = " : "z = ") + std::to_string(p);
      parameters.loads.emplace_back("pressure", load);
      SolidParameters::Contact contact;
      contact.set_defaults(dim);
      contact.on              = "upper bottom";
      contact.with            = "lower top";
      contact.pairs           = "of the motion";
      contact.search_distance = 0.2;
      parameters.contacts.emplace_back("between", contact);
      return parameters;
    }

    /// @p v as the velocities of a body.
    template <int dim>
    Vector
    field(typename Solid<dim>::Parameters parameters,
          const std::string              &body,
          const std::string              &v)
    {
      for (auto &each : parameters.bodies)
        each.second.initial_velocity = each.first == body ? v : "";
      return Solid<dim>(parameters, {MPI_COMM_SELF}).initial_state().v;
    }

    /// The patch test after sliding by @p shift: the forces that balance a
    /// uniform pressure on the upper body are a uniform pressure on the lower
    /// one, of the same length.
    template <int dim>
    void
    check_after_sliding(const typename Solid<dim>::Parameters &parameters,
                        const double                           shift)
    {
      auto moved = parameters;
      moved.bodies[1].second.initial_displacement =
        "x = " + std::to_string(shift);
      const Solid<dim>  model(moved, {MPI_COMM_SELF});
      const ContactSet &contacts = model.contacts();
      const Vector      q        = model.initial_state().q;
      Vector            load(q), force(q);
      load = 0.;
      model.add_driving_load(0, 1, load);
      contacts.place(0, q);
      Vector gap(contacts.partition()), lambda(contacts.partition());
      contacts.gaps(q, gap);
      EXPECT_LE(gap.linfty_norm(), 1e-14);
      // D^T lambda = load on the nodes of the upper body, by least squares.
      Vector     residual(load), change(contacts.partition());
      const auto upper = field<dim>(moved, "upper", dim == 2 ? "y=1" : "z=1");
      for (unsigned int i = 0; i < 3000; ++i)
        {
          contacts.impulses(lambda, force);
          residual = load;
          residual -= force;
          residual.scale(upper);
          contacts.multiply(residual, change);
          lambda.add(0.3, change);
        }
      EXPECT_LE(residual.linfty_norm(), 1e-13);
      for (const double value : lambda)
        EXPECT_GT(value, 0);
      const std::string up  = dim == 2 ? "y" : "z";
      const auto        sum = [&](const std::string &weight) {
        return field<dim>(moved, "lower", up + " = " + weight) * force;
      };
      EXPECT_NEAR(sum("1"), -p, 1e-12);
      EXPECT_NEAR(sum("x"), -p * (0.5 + shift), 1e-12);
      if (dim == 3)
        {
          EXPECT_NEAR(sum("y"), -p / 2, 1e-12);
        }
    }

    TEST(SolidSliding, PatchTestAfterSliding)
    {
      for (const double shift : {0., 0.37, 1.8123})
        for (const unsigned int degree : {1, 2, 3})
          {
            check_after_sliding<2>(on_a_long_block<2>(degree), shift);
            if (degree < 3)
              check_after_sliding<3>(on_a_long_block<3>(degree), shift);
          }
    }

    /// Smaller cells in a part of both sides: nodes of the slave and of the
    /// master hang.
    TEST(SolidSliding, PatchTestWithHangingNodes)
    {
      for (const unsigned int degree : {1, 2})
        {
          auto                        parameters = on_a_long_block<3>(degree);
          SolidParameters::Refinement refinement;
          refinement.where = "max(x - 0.3, y - 0.4)";
          parameters.refinements.emplace_back("corner", refinement);
          refinement.where = "max(1.5 - x, y - 0.4)";
          parameters.refinements.emplace_back("other", refinement);
          check_after_sliding<3>(parameters, 0);
          check_after_sliding<3>(parameters, 0.87);
        }
    }

    /// The most that the rates D v of the gaps and the difference quotients
    /// of the gaps differ while the upper block moves by v, and the largest
    /// rate.
    template <int dim>
    std::pair<double, double>
    error_of_rates(const typename Solid<dim>::Parameters &parameters,
                   const std::string                     &v_upper)
    {
      const double      step = 1e-3;
      const Solid<dim>  model(parameters, {MPI_COMM_SELF});
      const ContactSet &contacts = model.contacts();
      const Vector      v        = field<dim>(parameters, "upper", v_upper);
      Vector            q = model.initial_state().q, rate(contacts.partition()),
             before(contacts.partition()), after(contacts.partition());
      contacts.place(0, q);
      contacts.multiply(v, rate);
      q.add(-step, v);
      contacts.place(0, q);
      contacts.gaps(q, before);
      q.add(2 * step, v);
      contacts.place(0, q);
      contacts.gaps(q, after);
      std::pair<double, double> result(0, 0);
      for (const ContactPoint &point : contacts.points())
        {
          const double u        = rate.local_element(point.first);
          const double quotient = (after.local_element(point.first) -
                                   before.local_element(point.first)) /
                                  (2 * step);
          result.first  = std::max(result.first, std::abs(u - quotient));
          result.second = std::max(result.second, std::abs(u));
        }
      return result;
    }

    /// A level block over a slope: sliding by s closes its gaps by s times the
    /// slope. The normals are those of the slope; those of the block, with
    /// which nothing would seem to close, have let bodies sink into each other
    /// that slide on what they press in.
    template <int dim>
    void
    check_rates(const unsigned int degree)
    {
      auto              parameters = on_a_long_block<dim>(degree);
      const std::string up         = dim == 2 ? "y = " : "z = ";
      auto &lower = parameters.bodies[0].second.initial_displacement;
      parameters.bodies[1].second.initial_displacement =
        "x = 0.6; " + up + "0.08";
      lower = up + "0.05*x";
      for (const auto &v : {std::string("x = 1"), "x = 1; " + up + "0.3"})
        {
          const auto [error, rate] = error_of_rates<dim>(parameters, v);
          // Round-off of sums of some ten coordinates up to 3, over the step.
          EXPECT_LE(error, 1e-11);
          EXPECT_GT(rate, 0.049);
        }
      // At a kink of s the normal of node j turns by s psi_j / w_j at most
      // while the block slides by 1 m. psi_j / w_j reproduces the value at
      // node j of polynomials of degree p on a face of L = 1/3: it is at most
      // (p+1)^2 / L. The rate of the gap has that times the way to the
      // master, at most s (1.6 - 9/7), or twice that with functions that are
      // negative in parts. Normals of length 1 differ by s^3.
      const double s = 1e-3;
      lower          = up + std::to_string(s) + "*max(x - 9/7, 0)";
      parameters.bodies[1].second.initial_displacement = "x = 0.6";
      const auto [error, rate] = error_of_rates<dim>(parameters, "x = 1");
      EXPECT_LE(error,
                s * 3 * std::pow(degree + 1, 2) * 2 * s * (1.6 - 9. / 7));
      EXPECT_GT(rate, 0.9 * s);
    }

    TEST(SolidSliding, DirectionsAreRatesOfGaps)
    {
      for (const unsigned int degree : {1, 2})
        {
          check_rates<2>(degree);
          check_rates<3>(degree);
        }
    }

    /// Half of the block is beyond the edge: its nodes have a contact without a
    /// direction, and a gap that is not closed.
    TEST(SolidSliding, NodesBeyondTheEdgeAreFree)
    {
      auto parameters                                  = on_a_long_block<2>(1);
      parameters.bodies[1].second.initial_displacement = "x = 2.5";
      const Solid<2>    model(parameters, {MPI_COMM_SELF});
      const ContactSet &contacts = model.contacts();
      const Vector      q        = model.initial_state().q;
      contacts.place(0, q);
      Vector gap(contacts.partition());
      contacts.gaps(q, gap);
      unsigned int n_free = 0;
      for (const ContactPoint &point : contacts.points())
        {
          n_free += !contacts.has_direction(point);
          EXPECT_NEAR(gap.local_element(point.first),
                      contacts.has_direction(point) ? 0 : 0.2,
                      1e-14);
        }
      EXPECT_EQ(contacts.points().size(), 4);
      EXPECT_EQ(n_free, 1); // at x = 3.5; that at 3.17 has a covered face
      // Far away from the other body, and there again.
      Vector far = q;
      for (unsigned int i = 1; i < far.locally_owned_size(); i += 2)
        if (q.local_element(i - 1) > 2)
          far.local_element(i) = 5;
      contacts.place(0, far);
      for (const ContactPoint &point : contacts.points())
        EXPECT_FALSE(contacts.has_direction(point));
      contacts.place(0, q);
      Vector again(contacts.partition());
      contacts.gaps(q, again);
      again -= gap;
      EXPECT_EQ(again.linfty_norm(), 0);
    }
  } // namespace
} // namespace Percuss::Test
