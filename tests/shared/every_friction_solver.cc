// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <random>

#include "shared/dense_problems.h"
#include "tools.h"

// Every registered contact solver with Coulomb friction: in the plane against
// the enumeration of all cases, in space by certificate and known answers.

namespace Percuss::Test
{
  namespace
  {
    const std::vector<std::string> planar_solvers  = solvers_with_friction(2);
    const std::vector<std::string> spatial_solvers = solvers_with_friction(3);

    /// Built once: reading settings takes longer than solving a problem.
    const ContactLaw &
    coulomb()
    {
      static const std::unique_ptr<ContactLaw> law = [] {
        Settings settings;
        settings.tree.assign({}, {{"contact/law", "coulomb", "test"}});
        return settings.law.build({});
      }();
      return *law;
    }

    std::unique_ptr<ContactSolver>
    make_solver(const std::string &name)
    {
      Settings settings;
      settings.tree.assign({}, {{"contact/solver", name, "test"}});
      return settings.contact_solver.build(settings.contact_tolerance);
    }

    std::vector<std::unique_ptr<ContactSolver>>
    make_solvers(const std::vector<std::string> &names)
    {
      std::vector<std::unique_ptr<ContactSolver>> solvers;
      for (const std::string &name : names)
        solvers.push_back(make_solver(name));
      return solvers;
    }

    /// Contacts with given numbers of directions, and xi = W lambda + b.
    struct FrictionProblem
    {
      FrictionProblem(const std::vector<unsigned int> &n_directions,
                      const std::vector<double>       &friction)
        : law(coulomb())
      {
        for (std::size_t i = 0; i < n_directions.size(); ++i)
          {
            ContactPoint point;
            point.n_directions = n_directions[i];
            point.friction     = friction[i];
            point.first        = n;
            points.push_back(point);
            n += n_directions[i];
          }
        partition = make_partition(n, MPI_COMM_SELF);
        b.reinit(partition);
      }

      void
      set_matrix(const std::vector<double> &values,
                 const bool                 is_symmetric = true)
      {
        W        = dense_matrix(partition, values);
        delassus = std::make_unique<DelassusMatrix>(*W, is_symmetric);
      }

      ContactProblem
      problem() const
      {
        ContactProblem result{*delassus, law, points, {}, b};
        for (unsigned int i = 0; i < points.size(); ++i)
          result.active.push_back(i);
        return result;
      }

      Vector
      velocities(const Vector &lambda) const
      {
        Vector xi(partition);
        W->multiply(lambda, xi);
        xi += b;
        return xi;
      }

      unsigned int                    n = 0;
      const ContactLaw               &law;
      Partition                       partition;
      std::vector<ContactPoint>       points;
      std::unique_ptr<SparseMatrix>   W;
      std::unique_ptr<DelassusMatrix> delassus;
      Vector                          b;
    };

    /// W = D M^-1 D^T with random rows D and masses M. In mixed problems some
    /// contacts have fewer directions.
    class RandomFriction
    {
    public:
      RandomFriction(const unsigned int seed,
                     const unsigned int n_contacts,
                     const unsigned int most_directions,
                     const double       largest_friction,
                     const bool         is_mixed = true)
        : generator(seed)
      {
        std::vector<unsigned int> n_directions;
        std::vector<double>       friction;
        for (unsigned int i = 0; i < n_contacts; ++i)
          {
            const unsigned int fewer =
              is_mixed ? generator() % (2 * most_directions) : 0;
            n_directions.push_back(most_directions -
                                   (fewer < most_directions ? fewer : 0));
            friction.push_back(0.5 * largest_friction * (1 + number()));
          }
        data = std::make_unique<FrictionProblem>(n_directions, friction);
        const unsigned int  n = data->n, n_dofs = n + 2;
        std::vector<double> D(n * n_dofs), inverse_mass(n_dofs), values;
        for (double &entry : D)
          entry = number();
        for (double &entry : inverse_mass)
          entry = 1.2 + number();
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = 0; j < n; ++j)
            {
              double sum = 0;
              for (unsigned int k = 0; k < n_dofs; ++k)
                sum += D[i * n_dofs + k] * inverse_mass[k] * D[j * n_dofs + k];
              values.push_back(sum);
            }
        data->set_matrix(values);
        for (unsigned int i = 0; i < n; ++i)
          data->b(i) = number();
      }

      double
      number()
      {
        return std::uniform_real_distribution<double>(-1, 1)(generator);
      }

      std::mt19937                     generator;
      std::unique_ptr<FrictionProblem> data;
    };

    /// The law, written out: impulses in the cone, and friction that takes
    /// power, all of it where the contact slides.
    void
    expect_law(const FrictionProblem &data, const Vector &lambda)
    {
      const Vector xi    = data.velocities(lambda);
      const double small = 1e-9 * (lambda.linfty_norm() + 1) *
                           (xi.linfty_norm() + data.b.linfty_norm());
      for (const ContactPoint &point : data.points)
        {
          const unsigned int i = point.first;
          EXPECT_GE(lambda(i), 0);
          EXPECT_GE(xi(i), -small);
          EXPECT_NEAR(lambda(i) * xi(i), 0, small);
          double impulse = 0, slip = 0, power = 0;
          for (unsigned int d = 1; d < point.n_directions; ++d)
            {
              impulse = std::hypot(impulse, lambda(i + d));
              slip    = std::hypot(slip, xi(i + d));
              power += lambda(i + d) * xi(i + d);
            }
          if (point.n_directions == 1)
            continue;
          const double allowed = point.friction * lambda(i);
          EXPECT_LE(impulse, allowed * (1 + 1e-14));
          EXPECT_LE(power, small);
          EXPECT_NEAR(power, -allowed * slip, small);
        }
    }



    class EveryFrictionSolver : public testing::TestWithParam<std::string>
    {};

    TEST_P(EveryFrictionSolver, SolvesRandomPlanarProblems)
    {
      const auto   solver       = make_solver(GetParam());
      unsigned int n_iterations = 0;
      for (unsigned int seed = 0; seed < 300; ++seed)
        {
          SCOPED_TRACE("seed " + std::to_string(seed));
          const RandomFriction random(seed, 1 + seed % 5, 2, 1);
          Vector               lambda(random.data->partition);
          const auto report = solver->solve(random.data->problem(), lambda);
          EXPECT_TRUE(report.converged);
          EXPECT_LE(report.residual, 1e-10);
          expect_law(*random.data, lambda);
          n_iterations += report.n_iterations;
        }
      RecordProperty("iterations", static_cast<int>(n_iterations));
    }

    INSTANTIATE_TEST_SUITE_P(Planar,
                             EveryFrictionSolver,
                             testing::ValuesIn(planar_solvers));



    class EverySpatialSolver : public testing::TestWithParam<std::string>
    {};

    TEST_P(EverySpatialSolver, SolvesRandomSpatialProblems)
    {
      const auto   solver       = make_solver(GetParam());
      unsigned int n_iterations = 0;
      for (unsigned int seed = 0; seed < 200; ++seed)
        {
          SCOPED_TRACE("seed " + std::to_string(seed));
          const RandomFriction random(
            seed, 1 + seed % 5, 3, 0.5, seed % 2 == 0);
          Vector     lambda(random.data->partition);
          const auto report = solver->solve(random.data->problem(), lambda);
          EXPECT_TRUE(report.converged) << report.residual;
          EXPECT_LE(report.residual, 1e-10);
          expect_law(*random.data, lambda);
          n_iterations += report.n_iterations;
        }
      RecordProperty("iterations", static_cast<int>(n_iterations));
    }

    // Three problems with one contact from the test data of siconos
    // (FrictionContact3D_1c, FrictionContact3D_RR_1c, Example1); their
    // solutions were computed by an independent code to 15 digits.
    TEST_P(EverySpatialSolver, SolvesTheMicroProblemsOfSiconos)
    {
      struct Micro
      {
        std::vector<double> W, b;
        double              friction;
        std::vector<double> lambda, slip;
      };
      const std::vector<Micro> all = {
        {{15, -1, -2, -1, 14, 1, -2, 1, 16},
         {-1, 2, 3},
         0.1,
         {0.0656956828977383, -0.00367861490680676, -0.00544307081355929},
         {1.87736063759341, 2.77784088628077}},
        {{0.01344,
          -9.421e-7,
          0.001486,
          -9.421e-7,
          0.1061,
          0.0001733,
          0.001486,
          0.0001733,
          0.001442},
         {-0.1458, -0.2484, -0.1515},
         0.6,
         {10.2058760556954, 1.93188836768842, 5.81079801042062},
         {-0.0424292478488851, -0.12762010119609}},
        {{1, 0, 0, 0, 1, 0, 0, 0, 1},
         {-1, 1, 3},
         0.1,
         {1, -0.0316227766016838, -0.0948683298050514},
         {0.968377223398316, 2.90513167019495}}};
      Settings settings;
      settings.tree.assign({}, {{"contact/solver", GetParam(), "test"}});
      const auto solver = settings.contact_solver.build({1e-14});
      for (const Micro &micro : all)
        {
          FrictionProblem data({3}, {micro.friction});
          data.set_matrix(micro.W);
          for (unsigned int i = 0; i < 3; ++i)
            data.b(i) = micro.b[i];
          Vector     lambda(data.partition);
          const auto report = solver->solve(data.problem(), lambda);
          EXPECT_LE(report.residual, 1e-13);
          for (unsigned int i = 0; i < 3; ++i)
            EXPECT_NEAR(lambda(i),
                        micro.lambda[i],
                        1e-12 * std::abs(micro.lambda[i]));
          const Vector xi = data.velocities(lambda);
          for (unsigned int i = 0; i < 2; ++i)
            EXPECT_NEAR(xi(i + 1),
                        micro.slip[i],
                        1e-12 * std::abs(micro.slip[i]) + 1e-13);
        }
    }

    INSTANTIATE_TEST_SUITE_P(Spatial,
                             EverySpatialSolver,
                             testing::ValuesIn(spatial_solvers));



    /// What a planar contact may do; one without tangential direction takes
    /// off or sticks.
    enum Mode
    {
      take_off,
      stick,
      slip_forward,
      slip_backward
    };

    /// All solutions of a planar problem, from all combinations of modes.
    std::vector<Vector>
    enumerate(const FrictionProblem &data)
    {
      std::vector<Vector> solutions;
      const auto w = [&data](const unsigned int i, const unsigned int j) {
        return data.W->rows().values[i * data.n + j];
      };
      for (unsigned int code = 0; code < (1u << (2 * data.points.size()));
           ++code)
        {
          std::vector<std::vector<double>> A(data.n,
                                             std::vector<double>(data.n + 1));
          bool                             is_meant = true;
          for (std::size_t c = 0; c < data.points.size(); ++c)
            {
              const ContactPoint &point = data.points[c];
              const auto          mode = static_cast<Mode>((code >> 2 * c) % 4);
              is_meant &= point.n_directions == 2 || mode < slip_forward;
              for (unsigned int d = 0; d < point.n_directions; ++d)
                {
                  const unsigned int i = point.first + d;
                  if (mode == take_off)
                    A[i][i] = 1;
                  else if (mode == stick || d == 0)
                    {
                      for (unsigned int j = 0; j < data.n; ++j)
                        A[i][j] = w(i, j);
                      A[i][data.n] = -data.b(i);
                    }
                  else
                    {
                      A[i][i] = 1;
                      A[i][i - 1] =
                        mode == slip_forward ? point.friction : -point.friction;
                    }
                }
            }
          if (!is_meant)
            continue;
          const auto x = solve_dense(A);
          Vector     lambda(data.partition);
          for (unsigned int i = 0; i < data.n; ++i)
            lambda(i) = x[i];
          if (natural_residual(data.problem(), lambda) < 1e-11)
            solutions.push_back(lambda);
        }
      return solutions;
    }

    TEST(PlanarFriction, IsOneOfTheEnumeratedSolutions)
    {
      const auto   solvers     = make_solvers(planar_solvers);
      unsigned int n_ambiguous = 0;
      for (unsigned int seed = 1000; seed < 1200; ++seed)
        {
          const RandomFriction random(seed, 1 + seed % 3, 2, 2);
          const auto           solutions = enumerate(*random.data);
          ASSERT_FALSE(solutions.empty()) << "seed " << seed;
          for (const auto &solver : solvers)
            {
              Vector lambda(random.data->partition);
              EXPECT_TRUE(
                solver->solve(random.data->problem(), lambda).converged)
                << solver->name;
              double nearest = 1;
              for (Vector solution : solutions)
                {
                  solution -= lambda;
                  nearest = std::min(nearest, solution.linfty_norm());
                }
              EXPECT_LT(nearest, 1e-7) << solver->name << ", seed " << seed;
            }
          n_ambiguous += solutions.size() > 1;
        }
      RecordProperty("with several solutions", static_cast<int>(n_ambiguous));
    }

    TEST(PlanarFriction, HasOneSolutionForSmallCoefficients)
    {
      const auto solvers = make_solvers(planar_solvers);
      for (unsigned int seed = 0; seed < 100; ++seed)
        {
          const RandomFriction random(seed, 1 + seed % 5, 2, 0.05);
          std::vector<Vector>  all;
          for (const auto &solver : solvers)
            {
              Vector lambda(random.data->partition);
              EXPECT_TRUE(
                solver->solve(random.data->problem(), lambda).converged);
              all.push_back(random.data->velocities(lambda));
              all.back() -= all.front();
              if (all.size() > 1)
                EXPECT_LT(all.back().linfty_norm(), 1e-7)
                  << solver->name << seed;
              else
                all.front() = random.data->velocities(lambda);
            }
        }
    }

    TEST(FrictionSolvers, RefuseWhatTheyCannotSolve)
    {
      for (const auto &[name, n_directions] :
           std::vector<std::pair<std::string, unsigned int>>{{"lemke", 3},
                                                             {"petsc vi", 2},
                                                             {"petsc vi", 3}})
        {
          const RandomFriction random(1, 1, n_directions, 1, false);
          Vector               lambda(random.data->partition);
          try
            {
              const auto report =
                make_solver(name)->solve(random.data->problem(), lambda);
              ADD_FAILURE() << name << report.residual;
            }
          catch (const Error &error)
            {
              EXPECT_EQ(error.code, ExitCode::solver);
              EXPECT_NE(std::string(error.what()).find("automatic"),
                        std::string::npos);
            }
        }
    }

    TEST(FrictionSolvers, LeaveTangentsOutWhereThereIsNoFriction)
    {
      for (const std::string &name : Registry<ContactSolver>::names())
        for (const unsigned int n_directions : {2, 3})
          {
            const RandomFriction random(7, 4, n_directions, 0);
            Vector               lambda(random.data->partition);
            lambda = 1.; // a guess
            EXPECT_TRUE(make_solver(name)
                          ->solve(random.data->problem(), lambda)
                          .converged)
              << name;
            expect_law(*random.data, lambda);
            for (const ContactPoint &point : random.data->points)
              for (unsigned int d = 1; d < point.n_directions; ++d)
                EXPECT_EQ(lambda(point.first + d), 0);
          }
    }
  } // namespace
} // namespace Percuss::Test
