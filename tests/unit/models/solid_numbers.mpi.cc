// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/solid.h"

// The numbers of nodes and contacts of solids do not depend on the number of
// ranks: a serial model has the same.

namespace Percuss::Test
{
  namespace
  {
    template <int dim>
    SolidParameters::Body
    body(const std::string &mesh, const double shift)
    {
      SolidParameters::Body result;
      result.mesh = mesh;
      result.corner.assign(dim, shift);
      result.centre.assign(dim, shift);
      result.size.assign(dim, 1.);
      result.cells.assign(dim, 3.);
      result.cells[0]      = 5;
      result.n_refinements = mesh == "box" ? 0 : 1;
      // Fields that tell places apart.
      result.initial_displacement =
        dim == 2 ? "x = x; y = y" : "x = x; y = y; z = z";
      return result;
    }

    template <int dim>
    typename Solid<dim>::Parameters
    two_bodies(const unsigned int degree)
    {
      typename Solid<dim>::Parameters parameters;
      parameters.degree = degree;
      parameters.bodies.emplace_back("block", body<dim>("box", 0));
      parameters.bodies.emplace_back("ball", body<dim>("ball", 3));
      for (const std::string side :
           {"block left", "ball surface", "block bottom"})
        {
          SolidParameters::Contact contact;
          contact.set_defaults(dim);
          contact.on = side;
          contact.through.assign(dim, -1.);
          contact.normal.assign(dim, 0.);
          contact.normal[0]       = 1;
          contact.normal[dim - 1] = 0.5;
          contact.friction        = side == "block left" ? 0.1 : 0;
          parameters.contacts.emplace_back(side, contact);
        }
      return parameters;
    }

    void
    expect_same(const Vector &serial, const Vector &shared)
    {
      ASSERT_EQ(serial.size(), shared.size());
      const auto [begin, end] = shared.get_partitioner()->local_range();
      double largest          = 0;
      for (auto i = begin; i < end; ++i)
        largest = std::max(largest, std::abs(serial(i) - shared(i)));
      EXPECT_LE(largest, 1e-12);
    }

    template <int dim>
    void
    compare(const typename Solid<dim>::Parameters &parameters)
    {
      const Solid<dim> serial(parameters, {MPI_COMM_SELF});
      const Solid<dim> shared(parameters, {MPI_COMM_WORLD});
      expect_same(serial.initial_state().q, shared.initial_state().q);
      const ContactSet &a = serial.contacts(), &b = shared.contacts();
      ASSERT_EQ(a.size(), b.size());
      Vector of_a(a.partition()), of_b(b.partition());
      a.gaps(serial.initial_state().q, of_a);
      b.gaps(shared.initial_state().q, of_b);
      expect_same(of_a, of_b);
      for (Vector *const each : {&of_a, &of_b})
        for (const ContactPoint &point : (each == &of_a ? a : b).points())
          each->local_element(point.first) = 1000. * point.body + point.slot;
      expect_same(of_a, of_b);
      for (const ContactPoint &point : a.points())
        of_a.local_element(point.first) = point.friction;
      for (const ContactPoint &point : b.points())
        of_b.local_element(point.first) = point.friction;
      expect_same(of_a, of_b);
    }

    TEST(SolidNumbers, DoNotDependOnRanks)
    {
      for (const unsigned int degree : {1, 2, 3})
        compare<2>(two_bodies<2>(degree));
      for (const unsigned int degree : {1, 2})
        compare<3>(two_bodies<3>(degree));
    }
  } // namespace
} // namespace Percuss::Test
