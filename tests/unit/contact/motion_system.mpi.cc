// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/motion_system.h>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>

// A chain of masses as the first system and a heavier one, without springs, as
// the second.

namespace Percuss::Test
{
  namespace
  {
    constexpr unsigned int n_own = 4;

    std::unique_ptr<SparseMatrix>
    make_chain()
    {
      const Partition partition = make_partition(n_own, MPI_COMM_WORLD);
      const auto      n         = static_cast<PetscInt>(partition->size());
      const auto first = static_cast<PetscInt>(partition->local_range().first);
      SparseMatrix::Rows rows;
      for (PetscInt i = first; i < first + static_cast<PetscInt>(n_own); ++i)
        {
          for (PetscInt j = std::max<PetscInt>(i - 1, 0);
               j <= std::min<PetscInt>(i + 1, n - 1);
               ++j)
            {
              rows.columns.push_back(j);
              rows.values.push_back(i == j ? 3. + 0.1 * i : -1.);
            }
          rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
        }
      return std::make_unique<SparseMatrix>(partition, std::move(rows));
    }

    /// B = 5, 6, 7, 8 on each rank, which is half of N.
    class Masses : public SecondSystem
    {
    public:
      explicit Masses(const Partition &partition)
        : u(partition)
      {
        for (unsigned int i = 0; i < n_own; ++i)
          entries.push_back(5. + i);
      }

      double
      b() const override
      {
        return 0.5;
      }

      void
      multiply(const Vector &x, Vector &y) const override
      {
        for (unsigned int i = 0; i < n_own; ++i)
          y.local_element(i) = entries[i] / b() * x.local_element(i);
      }

      void
      precondition(const Vector &r, Vector &z) const override
      {
        for (unsigned int i = 0; i < n_own; ++i)
          z.local_element(i) = b() * r.local_element(i) / entries[i];
      }

      LinearReport
      improve(const Vector &load, Vector &x) const override
      {
        for (unsigned int i = 0; i < n_own; ++i)
          x.local_element(i) = load.local_element(i) / entries[i];
        return {};
      }

      std::vector<double>
      diagonal() const override
      {
        return entries;
      }

      Vector &
      motion() const override
      {
        return u;
      }

    private:
      std::vector<double> entries;
      mutable Vector      u;
    };

    /// Both systems and no contacts.
    struct Chain
    {
      std::unique_ptr<SparseMatrix> A = make_chain();
      std::unique_ptr<LinearSolver> inverse =
        Registry<LinearSolver>::plugins().at("direct").make_builder()->build(
          {*A});
      ContactSet   contacts{MPI_COMM_WORLD};
      Masses       masses{A->partition()};
      MotionSystem system{GlobalForm{*A, *inverse, contacts, &masses}};

      Vector
      numbers(const double shift) const
      {
        Vector x(system.partition());
        for (unsigned int i = 0; i < 2 * n_own; ++i)
          x.local_element(i) = std::sin(
            shift + 1.7 * (x.get_partitioner()->local_range().first + i));
        return x;
      }

      /// P with the inverse of A for its preconditioner.
      void
      precondition(const Vector &r, Vector &z) const
      {
        system.precondition(
          [this](const Vector &from, Vector &to) {
            (void)inverse->solve(from, to);
          },
          r,
          z);
      }
    };

    // x.Hx = y.Ay + u.Bu with y = w - u.
    TEST(MotionSystem, HasTheEnergyOfBothSystems)
    {
      const Chain  chain;
      const Vector x = chain.numbers(0.2), other = chain.numbers(1.1);
      Vector       Hx(x), H_other(x), y(chain.A->partition()), Ay(y);
      chain.system.multiply(x, Hx);
      chain.system.multiply(other, H_other);
      double energy = 0;
      for (unsigned int i = 0; i < n_own; ++i)
        {
          const double u     = x.local_element(n_own + i);
          y.local_element(i) = x.local_element(i) - u;
          energy += chain.masses.diagonal()[i] * u * u;
        }
      chain.A->multiply(y, Ay);
      energy = dealii::Utilities::MPI::sum(energy, MPI_COMM_WORLD) + y * Ay;
      EXPECT_NEAR(x * Hx, energy, 1e-13 * energy);
      EXPECT_NEAR(x * H_other, other * Hx, 1e-13 * energy);
    }

    TEST(MotionSystem, KnowsItsDiagonal)
    {
      const Chain chain;
      Vector      unit(chain.system.partition()), column(unit);
      const auto  first = unit.get_partitioner()->local_range().first;
      for (unsigned int i = 0; i < unit.size(); ++i)
        {
          unit               = 0.;
          const bool is_mine = unit.get_partitioner()->in_local_range(i);
          if (is_mine)
            unit(i) = 1;
          chain.system.multiply(unit, column);
          if (!is_mine)
            continue;
          EXPECT_NEAR(chain.system.diagonal()[i - first], column(i), 1e-14);
          EXPECT_NEAR(chain.system.inverse_diagonal()[i - first],
                      1 / column(i),
                      1e-14);
        }
    }

    // With exact inverses of A and B, P is the inverse of H.
    TEST(MotionSystem, IsInvertedByBothInverses)
    {
      const Chain  chain;
      const Vector x = chain.numbers(0.4);
      Vector       Hx(x), again(x);
      chain.system.multiply(x, Hx);
      chain.precondition(Hx, again);
      for (unsigned int i = 0; i < 2 * n_own; ++i)
        EXPECT_NEAR(again.local_element(i), x.local_element(i), 1e-13);
    }

    // The least of the programme without contacts is the free motion, u = 0.
    TEST(MotionSystem, MovesTheFirstSystemWithoutImpulses)
    {
      const Chain chain;
      Vector      f(chain.A->partition()), load, x(chain.system.partition());
      for (unsigned int i = 0; i < n_own; ++i)
        f.local_element(i) = 1. + i;
      chain.system.set_load(f, load);
      chain.precondition(load, x);
      Vector w(f), free(f);
      chain.system.finish(x, w);
      (void)chain.inverse->solve(f, free);
      for (unsigned int i = 0; i < n_own; ++i)
        {
          EXPECT_NEAR(w.local_element(i), free.local_element(i), 1e-13);
          EXPECT_NEAR(chain.masses.motion().local_element(i), 0, 1e-13);
        }
    }
  } // namespace
} // namespace Percuss::Test
