// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "models/solid.h"

// Probes of solids whose values are closed forms, on any number of ranks.

namespace Percuss::Test
{
  namespace
  {
    constexpr double E = 3, nu = 0.3, density = 2;
    constexpr double mu     = E / (2 * (1 + nu)),
                     lambda = 2 * mu * nu / (1 - 2 * nu);
    /// Of numbers of the order of E and 1, through gradients of up to some
    /// hundred: 1e-16 times these, with sums of some hundred terms.
    constexpr double round_off = 1e-11;

    /// A unit block with smaller cells in a corner, named `block`.
    template <int dim>
    typename Solid<dim>::Parameters
    unit_block(const unsigned int degree, const std::string &law = "linear")
    {
      typename Solid<dim>::Parameters parameters;
      SolidParameters::Body           body;
      body.corner.assign(dim, 0.);
      body.centre.assign(dim, 0.);
      body.size.assign(dim, 1.);
      body.cells.assign(dim, dim == 2 ? 4. : 2.);
      body.E            = E;
      body.nu           = nu;
      body.density      = density;
      body.law          = law;
      parameters.degree = degree;
      parameters.bodies.emplace_back("block", body);
      SolidParameters::Refinement corner;
      corner.where = dim == 2 ? "x + y - 0.4" : "x + y + z - 0.4";
      parameters.refinements.emplace_back("corner", corner);
      return parameters;
    }

    /// The value of a probe at the start.
    template <int dim>
    double
    probe(const Solid<dim> &solid, const std::string &what)
    {
      return solid.make_probe("p", what).value(solid.initial_state());
    }

    /// In cells, and at places where cells of one or two sizes meet.
    const std::vector<std::string> places_in_plane = {"0.6, 0.7",
                                                      "0.5, 0.5",
                                                      "0.25, 0.1",
                                                      "0, 0"};

    TEST(SolidProbes, StressOfAUniformStrain)
    {
      for (const unsigned int degree : {1, 2, 3})
        for (const std::string plane : {"strain", "stress"})
          {
            auto parameters      = unit_block<2>(degree);
            parameters.plane     = plane;
            parameters.thickness = 0.1;
            parameters.bodies[0].second.initial_displacement =
              "x = 0.02*x + 0.03*y; y = -0.01*y";
            const Solid<2> solid(parameters, {MPI_COMM_WORLD});
            const double   third =
              plane == "strain" ? 0 : -nu / (1 - nu) * (0.02 - 0.01);
            const double trace = 0.02 - 0.01 + third;
            const double xx    = lambda * trace + 2 * mu * 0.02;
            const double yy    = lambda * trace - 2 * mu * 0.01;
            const double zz    = lambda * trace + 2 * mu * third;
            const double xy    = mu * 0.03;
            for (const std::string &place : places_in_plane)
              {
                const std::string at = " of block at " + place;
                EXPECT_NEAR(probe(solid, "stress xx" + at), xx, round_off);
                EXPECT_NEAR(probe(solid, "stress yy" + at), yy, round_off);
                EXPECT_NEAR(probe(solid, "stress zz" + at), zz, round_off);
                EXPECT_NEAR(probe(solid, "stress xy" + at), xy, round_off);
                EXPECT_NEAR(probe(solid, "von mises stress" + at),
                            std::sqrt((std::pow(xx - yy, 2) +
                                       std::pow(yy - zz, 2) +
                                       std::pow(zz - xx, 2)) /
                                        2 +
                                      3 * xy * xy),
                            round_off);
              }
          }
    }

    /// Cauchy's stress of F = diag(1.2, 0.9, 1.1), uniform: P F^T / J.
    TEST(SolidProbes, StressOfALargeStrain)
    {
      const double F[3] = {1.2, 0.9, 1.1}, J = 1.2 * 0.9 * 1.1;
      double       trace = 0;
      for (const double f : F)
        trace += (f * f - 1) / 2;
      for (const std::string law : {"st venant kirchhoff", "neo hooke"})
        {
          auto parameters = unit_block<3>(1, law);
          parameters.bodies[0].second.initial_displacement =
            "x = 0.2*x; y = -0.1*y; z = 0.1*z";
          const Solid<3> solid(parameters, {MPI_COMM_WORLD});
          double         expected[3];
          for (unsigned int d = 0; d < 3; ++d)
            {
              const double b         = F[d] * F[d];
              expected[d]            = law == "neo hooke" ?
                                         (mu * (b - 1) + lambda * std::log(J)) / J :
                                         b * (lambda * trace + mu * (b - 1)) / J;
              const std::string axis = std::string("xyz").substr(d, 1);
              EXPECT_NEAR(probe(solid,
                                "stress " + axis + axis +
                                  " of block at 0.5, 0.25, 0.5"),
                          expected[d],
                          round_off)
                << law;
            }
          EXPECT_NEAR(probe(solid, "stress yz of block at 0.1, 0.1, 0.1"),
                      0,
                      round_off);
        }
    }

    /// Where cells meet, the mean of theirs, whichever ranks they are on.
    TEST(SolidProbes, StressBetweenCellsIsTheirMean)
    {
      auto parameters = unit_block<2>(1);
      parameters.bodies[0].second.initial_displacement =
        "x = 0.01*abs(x - 0.5) + 0.002*x";
      const Solid<2> solid(parameters, {MPI_COMM_WORLD});
      const double   modulus = lambda + 2 * mu;
      const auto     xx      = [&](const std::string &x) {
        return probe(solid, "stress xx of block at " + x + ", 0.75");
      };
      EXPECT_NEAR(xx("0.3"), -0.008 * modulus, round_off);
      EXPECT_NEAR(xx("0.7"), 0.012 * modulus, round_off);
      EXPECT_NEAR(xx("0.5"), 0.002 * modulus, round_off);
    }

    /// A uniform stress in a block that is held at its lower side: the force on
    /// it is -P n for an undeformed area, and what P does at the sides on the
    /// shape functions of the nodes there, whose integrals are h/2 or, of
    /// degree 2, h/6: cells are half as large on the left.
    TEST(SolidProbes, ReactionOfAUniformStress)
    {
      for (const std::string law : {"linear", "neo hooke"})
        for (const unsigned int degree : {1, 2})
          {
            auto parameters = unit_block<2>(degree, law);
            parameters.bodies[0].second.initial_displacement =
              "x = 0.1*y; y = 0.2*y";
            parameters.bodies[0].second.initial_velocity = "x = y; y = 3*y";
            parameters.thickness                         = 0.1;
            parameters.stiffness_damping                 = 0.5;
            SolidParameters::Support foot;
            foot.on = "block bottom";
            parameters.supports.emplace_back("foot", foot);
            const Solid<2> solid(parameters, {MPI_COMM_WORLD});
            // Damping has the stiffness of small strains.
            const double modulus = lambda + 2 * mu;
            double       P[2][2] = {{0.5 * 3 * lambda, 0.5 * mu},
                                    {0.5 * mu, 0.5 * 3 * modulus}};
            // P = mu (F - G) + lambda ln J G, G = F^-T.
            const double F[2][2]     = {{1, 0.1}, {0, 1.2}};
            const double G[2][2]     = {{1, 0}, {-0.1 / 1.2, 1 / 1.2}};
            const double small[2][2] = {{lambda * 0.2, mu * 0.1},
                                        {mu * 0.1, modulus * 0.2}};
            for (unsigned int i = 0; i < 2; ++i)
              for (unsigned int j = 0; j < 2; ++j)
                P[i][j] += law == "linear" ? small[i][j] :
                                             mu * (F[i][j] - G[i][j]) +
                                               lambda * std::log(1.2) * G[i][j];
            const double sides = (0.25 - 0.125) / (degree == 1 ? 2 : 6);
            EXPECT_NEAR(probe(solid, "reaction x of foot"),
                        0.1 * (P[0][0] * sides - P[0][1]),
                        round_off)
              << law << degree;
            EXPECT_NEAR(probe(solid, "reaction y of foot"),
                        0.1 * (P[1][0] * sides - P[1][1]),
                        round_off)
              << law << degree;
          }
    }

    /// Loads at the nodes of a support without strain: in the body those of
    /// half a cell of height 1/4. A pressure acts against the outward normal.
    TEST(SolidProbes, ReactionOfLoads)
    {
      auto parameters = unit_block<2>(1);
      parameters.refinements.clear();
      parameters.gravity = "y = -10";
      SolidParameters::Support foot, side;
      foot.on         = "block bottom";
      foot.directions = "y";
      side.on         = "block left";
      side.directions = "x";
      parameters.supports.emplace_back("foot", foot);
      parameters.supports.emplace_back("side", side);
      SolidParameters::Load weight, push, pull;
      weight.on         = "block";
      weight.body_force = "y = 7 + t";
      push.on           = "block left";
      push.pressure     = "5*y";
      pull.on           = "block bottom";
      pull.traction     = "x = 11; y = 13";
      parameters.loads.emplace_back("weight", weight);
      parameters.loads.emplace_back("push", push);
      parameters.loads.emplace_back("pull", pull);
      const Solid<2> solid(parameters, {MPI_COMM_WORLD});
      EXPECT_NEAR(probe(solid, "reaction y of foot"),
                  (density * 10 - 7) / 8 - 13,
                  round_off);
      // On the left side a pressure pushes along x; of the traction along x the
      // corner has half an edge.
      EXPECT_NEAR(probe(solid, "reaction x of side"),
                  -2.5 - 11. / 8,
                  round_off);
    }

    /// The node between two supports counts for the first one: of the uniform
    /// traction on the edge, 3 half edges and one.
    TEST(SolidProbes, SharedNodesCountOnce)
    {
      auto parameters = unit_block<2>(1);
      parameters.refinements.clear();
      for (const std::string side : {"left", "bottom"})
        {
          SolidParameters::Support support;
          support.on = "block " + side;
          parameters.supports.emplace_back(side, support);
        }
      SolidParameters::Load pull;
      pull.on       = "block bottom";
      pull.traction = "y = 8";
      parameters.loads.emplace_back("pull", pull);
      const Solid<2> solid(parameters, {MPI_COMM_WORLD});
      EXPECT_NEAR(probe(solid, "reaction y of left"), -1, round_off);
      EXPECT_NEAR(probe(solid, "reaction y of bottom"), -7, round_off);
    }

    /// Of all bodies, and of each.
    TEST(SolidProbes, MomentaAndEnergiesOfBodies)
    {
      for (const unsigned int degree : {1, 2})
        {
          auto parameters = unit_block<3>(degree);
          auto other      = parameters.bodies[0].second;
          parameters.bodies[0].second.initial_velocity     = "x = 2; y = 3*x";
          parameters.bodies[0].second.initial_displacement = "z = 0.01*z";
          other.corner                                     = {0, 0, 3};
          other.size                                       = {1, 2, 1};
          other.initial_velocity                           = "y = -3";
          other.initial_displacement                       = "x = 0.1";
          other.density                                    = 5;
          parameters.bodies.emplace_back("other one", other);
          const Solid<3> solid(parameters, {MPI_COMM_WORLD});
          const auto     value = [&](const std::string &what) {
            return probe(solid, what);
          };
          EXPECT_NEAR(value("momentum x of block"), 4, round_off);
          EXPECT_NEAR(value("momentum y of block"), 3, round_off);
          EXPECT_NEAR(value("momentum y of other one"), -30, round_off);
          EXPECT_NEAR(value("momentum y"), -27, round_off);
          EXPECT_NEAR(value("mean velocity y of other one"), -3, round_off);
          EXPECT_NEAR(value("mean velocity of other one"), 0, round_off);
          EXPECT_NEAR(value("mean velocity x"), 4. / 12, round_off);
          EXPECT_NEAR(value("mean displacement x of other one"),
                      0.1,
                      round_off);
          EXPECT_NEAR(value("mean displacement z of block"), 0.005, round_off);
          // rho times the integral of 3 (x - 1/2)^2
          EXPECT_NEAR(value("angular momentum z of block"), 0.5, round_off);
          EXPECT_NEAR(value("angular momentum z of other one"), 0, round_off);
          EXPECT_NEAR(value("kinetic energy of block"), 4 + 3, round_off);
          EXPECT_NEAR(value("kinetic energy of other one"), 45, round_off);
          EXPECT_NEAR(value("strain energy of block"),
                      0.5 * (lambda + 2 * mu) * 1e-4,
                      round_off);
          const auto energy = solid.energy(solid.initial_state());
          EXPECT_NEAR(value("kinetic energy"), energy.kinetic, round_off);
          EXPECT_NEAR(value("strain energy"), energy.strain, round_off);
        }
    }

    /// A wrong one is told what is there.
    TEST(SolidProbes, UnknownNames)
    {
      auto                     parameters = unit_block<2>(1);
      SolidParameters::Support foot;
      foot.on         = "block bottom";
      foot.directions = "y";
      parameters.supports.emplace_back("foot", foot);
      const Solid<2> solid(parameters, {MPI_COMM_WORLD});
      for (const auto &[what, message] :
           std::vector<std::pair<std::string, std::string>>{
             {"stres xx of block at 0, 0",
              "is not known; did you mean 'stress xx'?"},
             {"stress xz of block at 0, 0", "is not known"},
             {"stress xx of blok at 0, 0",
              "names no body; did you mean 'block'?"},
             {"stress xx of block", "has no place."},
             {"stress xx of block at 0", "has no place of 2 coordinates"},
             {"momentum x of block at 0, 0", "has no use for a place"},
             {"momentum z", "is not known; did you mean 'momentum x'?"},
             {"reaction y of fot", "names no support; did you mean 'foot'?"},
             {"reaction y", "names no support"},
             {"reaction x of foot", "that 'foot' does not hold"}})
        try
          {
            solid.make_probe("p", what);
            ADD_FAILURE() << what;
          }
        catch (const Error &error)
          {
            EXPECT_NE(std::string(error.what()).find(message),
                      std::string::npos)
              << error.what();
            EXPECT_EQ(error.code, ExitCode::usage);
          }
    }
  } // namespace
} // namespace Percuss::Test
