// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "models/multibody_joints.h"

#include <deal.II/lac/lapack_full_matrix.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace Percuss::Test
{
  namespace
  {
    using Type = JointOfFrames::Type;

    Frame
    some_frame(std::mt19937 &generator)
    {
      std::uniform_real_distribution<> random(-1, 1);
      const auto                       vector = [&]() {
        return Vector3(
          {random(generator), random(generator), random(generator)});
      };
      Frame         frame;
      const Matrix3 R = rotation(2. * vector());
      frame.origin    = vector();
      for (unsigned int i = 0; i < 3; ++i)
        for (unsigned int c = 0; c < 3; ++c)
          frame.d[i][c] = R[c][i];
      return frame;
    }

    /// A chain of three frames: one on the ground (or free), and two that hang
    /// on it by joints of the type in question.
    class ChainOf : public testing::TestWithParam<std::pair<Type, bool>>
    {
    protected:
      ChainOf()
      {
        std::mt19937                     generator(7);
        std::uniform_real_distribution<> random(-1, 1);
        const auto                       vector = [&]() {
          return Vector3(
            {random(generator), random(generator), random(generator)});
        };
        const auto [type, is_free] = GetParam();
        std::vector<JointOfFrames> joints;
        for (unsigned int f = 0; f < 3; ++f)
          {
            frames.push_back(some_frame(generator));
            const unsigned int parent = f == 0 ? JointOfFrames::ground : f - 1;
            JointOfFrames      joint;
            if (f > 0 || !is_free)
              joint =
                JointOfFrames::make(type,
                                    f == 0 ? Frame::of_space() : frames[f - 1],
                                    frames[f],
                                    vector(),
                                    vector(),
                                    vector());
            joint.parent = f == 0 && is_free ? JointOfFrames::ground : parent;
            joint.child  = f;
            joints.push_back(joint);
          }
        tree = std::make_unique<FrameTree>(joints,
                                           std::vector<unsigned int>{0, 1, 2},
                                           MPI_COMM_SELF);
        std::vector<QuadraticConstraint> all;
        for (unsigned int f = 0; f < 3; ++f)
          {
            for (const auto &constraint : director_constraints(f))
              all.push_back(constraint);
            for (const auto &constraint : joints[f].constraints())
              all.push_back(constraint);
          }
        constraints = std::make_unique<FrameConstraints>(all, tree.get());
        q.reinit(make_partition(36, MPI_COMM_SELF));
        for (unsigned int f = 0; f < 3; ++f)
          frames[f].write(q.begin() + Frame::n_coordinates * f);
      }

      Vector
      random_rates(const double size) const
      {
        std::mt19937                     generator(11);
        std::uniform_real_distribution<> random(-size, size);
        Vector                           nu(tree->partition());
        for (double &entry : nu)
          entry = random(generator);
        return nu;
      }

      double
      worst_residual(const Vector &at) const
      {
        double worst = 0;
        for (const double g : constraints->residuals(at))
          worst = std::max(worst, std::abs(g));
        return worst;
      }

      dealii::FullMatrix<double>
      null_space(const Vector &at) const
      {
        SparseMatrix::Rows rows;
        tree->matrix(at, rows);
        dealii::FullMatrix<double> P(36, tree->partition()->size());
        for (unsigned int i = 0; i < 36; ++i)
          for (PetscInt k = rows.start[i]; k < rows.start[i + 1]; ++k)
            P(i, rows.columns[k]) += rows.values[k];
        return P;
      }

      std::vector<Frame>                frames;
      std::unique_ptr<FrameTree>        tree;
      std::unique_ptr<FrameConstraints> constraints;
      Vector                            q;
    };

    TEST_P(ChainOf, HoldsAtTheStart)
    {
      EXPECT_LT(worst_residual(q), 1e-14);
      EXPECT_EQ(constraints->size() + tree->partition()->size(), 36u);
    }

    // G P = 0 where the joints hold and anywhere else, as at the middle of a
    // step; and P has full rank.
    TEST_P(ChainOf, HasANullSpace)
    {
      std::mt19937                     generator(3);
      std::uniform_real_distribution<> random(-0.4, 0.4);
      for (unsigned int trial = 0; trial < 5; ++trial)
        {
          Vector at(q);
          if (trial > 0)
            for (double &entry : at)
              entry += random(generator);
          const auto G = constraints->dense_jacobian(at);
          const auto P = null_space(at);
          if (P.n() == 0)
            return;
          dealii::FullMatrix<double> product(G.m(), P.n());
          G.mmult(product, P);
          EXPECT_LT(product.linfty_norm(), 1e-14 * 36);
          dealii::LAPACKFullMatrix<double> lapack(P.m(), P.n());
          lapack = P;
          lapack.compute_svd();
          EXPECT_GT(lapack.singular_value(P.n() - 1), 0.05);
        }
    }

    TEST_P(ChainOf, HoldsAfterFiniteMotions)
    {
      Vector moved(q);
      for (unsigned int i = 0; i < 100; ++i)
        tree->displace(random_rates(1.5), moved);
      EXPECT_LT(worst_residual(moved), 2e-14 * (1 + moved.linfty_norm()));
    }

    // dF/dnu = P at nu = 0.
    TEST_P(ChainOf, MovesAlongItsNullSpace)
    {
      const auto   P = null_space(q);
      const double d = 1e-6;
      for (unsigned int k = 0; k < P.n(); ++k)
        {
          Vector nu(tree->partition()), plus(q), minus(q);
          nu(k) = d;
          tree->displace(nu, plus);
          nu(k) = -d;
          tree->displace(nu, minus);
          for (unsigned int i = 0; i < 36; ++i)
            EXPECT_NEAR((plus(i) - minus(i)) / (2 * d), P(i, k), 1e-9);
        }
    }

    // Constraints are quadratic: their differences are exact.
    TEST_P(ChainOf, KnowsItsDerivatives)
    {
      const Vector v = [&]() {
        Vector                           x(q);
        std::mt19937                     generator(5);
        std::uniform_real_distribution<> random(-1, 1);
        for (double &entry : x)
          entry = random(generator);
        return x;
      }();
      const auto G         = constraints->dense_jacobian(q);
      const auto curvature = constraints->curvature(q, v);
      Vector     plus(q), minus(q);
      plus.add(0.5, v);
      minus.add(-0.5, v);
      const auto g       = constraints->residuals(q);
      const auto g_plus  = constraints->residuals(plus);
      const auto g_minus = constraints->residuals(minus);
      for (unsigned int j = 0; j < constraints->size(); ++j)
        {
          double rate = 0;
          for (unsigned int i = 0; i < 36; ++i)
            rate += G(j, i) * v(i);
          EXPECT_NEAR(g_plus[j] - g_minus[j], rate, 1e-13);
          EXPECT_NEAR(4 * (g_plus[j] - 2 * g[j] + g_minus[j]),
                      curvature[j],
                      1e-12);
        }
    }

    INSTANTIATE_TEST_SUITE_P(Joints,
                             ChainOf,
                             testing::Values(std::pair(Type::free, true),
                                             std::pair(Type::spherical, false),
                                             std::pair(Type::spherical, true),
                                             std::pair(Type::revolute, false),
                                             std::pair(Type::revolute, true),
                                             std::pair(Type::prismatic, false),
                                             std::pair(Type::prismatic, true),
                                             std::pair(Type::cylindrical,
                                                       false),
                                             std::pair(Type::cylindrical, true),
                                             std::pair(Type::universal, false),
                                             std::pair(Type::universal, true),
                                             std::pair(Type::rigid, false),
                                             std::pair(Type::rigid, true)));
  } // namespace
} // namespace Percuss::Test
