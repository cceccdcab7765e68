// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include "random_system.h"
#include "tools.h"

// The energy identities (65), (69), (73), (75, corrected) and (86, with z read
// as w) of V. Acary's slides, written out with full matrices and without the
// ledger, on random systems.

namespace Percuss::Test
{
  namespace
  {
    Vector
    blend(const Vector &a, const Vector &b, const double weight)
    {
      Vector result(a);
      result.sadd(1 - weight, weight, b);
      return result;
    }

    Vector
    difference(const Vector &later, const Vector &earlier)
    {
      Vector result(later);
      result -= earlier;
      return result;
    }

    /// The external force blended between two times.
    Vector
    load(const RandomSystem &system,
         const double        begin,
         const double        end,
         const double        weight)
    {
      Vector force(system.dead);
      system.add_driving_load(begin, 1 - weight, force);
      system.add_driving_load(end, weight, force);
      return force;
    }

    /// 1/2 v M v + 1/2 q K q.
    double
    energy(const RandomSystem &system, const State &state)
    {
      return 0.5 * system.M.matrix_norm_square(state.v) +
             0.5 * system.K.matrix_norm_square(state.q);
    }

    /// u_{k+weight} . lambda
    double
    contact_work(const RandomSystem &system,
                 const State        &begin,
                 const State        &end,
                 const double        weight)
    {
      Vector u(system.contacts().partition());
      system.contacts().velocities(blend(begin.v, end.v, weight), u);
      return u * impulses(end);
    }

    /// Calls @p residual(system, begin, end, h) for 30 steps of 100 systems and
    /// returns the largest of its values relative to the energy.
    template <typename Residual>
    double
    worst_residual(const Overrides &overrides, const Residual &residual)
    {
      const Parts  parts("", overrides);
      const double h         = 0.03;
      double       worst     = 0;
      unsigned int n_impacts = 0;
      for (unsigned int seed = 100; seed < 200; ++seed)
        {
          const RandomSystem system(seed, 6, 3);
          const auto         scheme = parts.make_scheme(system);
          scheme->set_step_size(h);
          State begin = system.initial_state();
          scheme->start(begin);
          State end = begin;
          for (unsigned int i = 0; i < 30; ++i)
            {
              StepReport report;
              scheme->advance(begin, end, report);
              EXPECT_TRUE(report.converged);
              n_impacts += impulses(end).linfty_norm() > 0;
              worst = std::max(worst,
                               std::abs(residual(system, begin, end, h)) /
                                 (1 + energy(system, begin)));
              begin.swap(end);
            }
        }
      EXPECT_GT(n_impacts, 300u);
      return worst;
    }

    TEST(EnergyIdentities, MoreauJean)
    {
      for (const double theta : {0.5, 0.6, 0.8, 1.})
        EXPECT_LT(worst_residual(
                    {"scheme/type=moreau jean",
                     "scheme/moreau jean/theta=" + std::to_string(theta)},
                    [theta](const RandomSystem &system,
                            const State        &begin,
                            const State        &end,
                            const double        h) {
                      const Vector v = blend(begin.v, end.v, theta);
                      Vector       Cv(v);
                      system.C.vmult(Cv, v);
                      const double W =
                        h * (v * load(system, begin.time, end.time, theta)) -
                        h * (v * Cv);
                      return energy(system, end) - energy(system, begin) - W -
                             (0.5 - theta) * (system.M.matrix_norm_square(
                                                difference(end.v, begin.v)) +
                                              system.K.matrix_norm_square(
                                                difference(end.q, begin.q))) -
                             contact_work(system, begin, end, theta);
                    }),
                  1e-10)
          << theta;
    }

    TEST(EnergyIdentities, DissipativeMoreauJean)
    {
      for (const double theta : {0.5, 0.6, 1.})
        EXPECT_LT(
          worst_residual(
            {"scheme/type=dissipative moreau jean",
             "scheme/dissipative moreau jean/theta=" + std::to_string(theta)},
            [theta](const RandomSystem &system,
                    const State        &begin,
                    const State        &end,
                    const double        h) {
              const Vector v = blend(begin.v, end.v, 0.5);
              Vector       Cv(v);
              system.C.vmult(Cv, v);
              return energy(system, end) - energy(system, begin) -
                     h * (v * load(system, begin.time, end.time, theta)) +
                     h * (v * Cv) -
                     (0.5 - theta) *
                       system.K.matrix_norm_square(difference(end.q, begin.q)) -
                     contact_work(system, begin, end, 0.5);
            }),
          1e-10)
          << theta;
    }

    /// H of (83), with w = (q_{k+1} - q_k)/2.
    TEST(EnergyIdentities, HilberHughesTaylor)
    {
      for (const double alpha : {0.05, 0.2, 0.333})
        {
          const double gamma = 0.5 + alpha;
          const double beta  = (1 + alpha) * (1 + alpha) / 4;
          // F - C v, blended by gamma, of the step before; and w.
          Vector     y_before, w_before;
          const auto residual = [&](const RandomSystem &system,
                                    const State        &begin,
                                    const State        &end,
                                    const double        h) {
            const auto y = [&](const State &a, const State &b) {
              Vector force = load(system, a.time, b.time, gamma), Cv(force);
              system.C.vmult(Cv, blend(a.v, b.v, gamma));
              force -= Cv;
              return force;
            };
            if (begin.step == 0)
              {
                y_before = y(begin, begin);
                w_before = difference(begin.q, begin.q);
              }
            const Vector dq = difference(end.q, begin.q);
            const Vector da =
              difference(end.memory[1].values, begin.memory[1].values);
            Vector w(dq);
            w *= 0.5;
            const Vector y_now  = y(begin, end);
            const double excess = h * h * (2 * beta - gamma);
            const double factor = 2 * alpha * (1 - gamma);
            const auto  &M = system.M, &K = system.K;
            const double dH = energy(system, end) - energy(system, begin) +
                              excess / 4 *
                                (M.matrix_norm_square(end.memory[1].values) -
                                 M.matrix_norm_square(begin.memory[1].values)) +
                              factor * (K.matrix_norm_square(w) -
                                        K.matrix_norm_square(w_before));
            const double W =
              (1 - alpha) * (dq * y_now) + alpha * (dq * y_before);
            const double D =
              excess / 2 * (gamma - 0.5) * M.matrix_norm_square(da) +
              (gamma - 0.5 - alpha) * K.matrix_norm_square(dq) +
              factor * K.matrix_norm_square(difference(w, w_before));
            y_before = y_now;
            w_before = w;
            return dH - W - contact_work(system, begin, end, 0.5) + D;
          };
          EXPECT_LT(
            worst_residual({"scheme/type=generalized alpha",
                            "scheme/generalized alpha/parameter set=hht",
                            "scheme/generalized alpha/alpha=" +
                              std::to_string(alpha)},
                           residual),
            1e-10)
            << alpha;
        }
    }

    TEST(EnergyIdentities, Newmark)
    {
      for (const auto &[gamma, beta] : std::vector<std::pair<double, double>>{
             {0.5, 0.25}, {0.6, 0.3}, {0.6, 0.4}, {0.5, 0.3}, {0.9, 0.5}})
        EXPECT_LT(worst_residual(
                    {"scheme/type=generalized alpha",
                     "scheme/generalized alpha/parameter set=newmark",
                     "scheme/generalized alpha/gamma=" + std::to_string(gamma),
                     "scheme/generalized alpha/beta=" + std::to_string(beta)},
                    [gamma = gamma, beta = beta](const RandomSystem &system,
                                                 const State        &begin,
                                                 const State        &end,
                                                 const double        h) {
                      const Vector  dq = difference(end.q, begin.q);
                      const Vector &a0 = begin.memory[1].values,
                                   &a1 = end.memory[1].values;
                      Vector Cv(dq);
                      system.C.vmult(Cv, blend(begin.v, end.v, gamma));
                      const double W =
                        dq * load(system, begin.time, end.time, gamma) -
                        dq * Cv;
                      const double excess = h * h * (2 * beta - gamma);
                      const double dK     = energy(system, end) -
                                        energy(system, begin) +
                                        excess / 4 *
                                          (system.M.matrix_norm_square(a1) -
                                           system.M.matrix_norm_square(a0));
                      return dK - W -
                             (0.5 - gamma) * (system.K.matrix_norm_square(dq) +
                                              excess / 2 *
                                                system.M.matrix_norm_square(
                                                  difference(a1, a0))) -
                             contact_work(system, begin, end, 0.5);
                    }),
                  1e-10)
          << gamma << ' ' << beta;
    }

    /// The observed order of the displacement in smooth motion: a clamped bar
    /// in its first mode, exact frequency of the discrete system.
    double
    smooth_order(const Overrides &scheme)
    {
      std::vector<double> h, error;
      const double        T = 0.7;
      for (const int n : {100, 200, 400})
        {
          Overrides overrides = {"model/type=bar",
                                 "model/bar/young modulus=1",
                                 "model/bar/density=1",
                                 "model/bar/area=1",
                                 "model/bar/elements=8",
                                 "model/bar/degree=4",
                                 "model/bar/left end/condition=clamped",
                                 "model/bar/initial displacement=sin(pi/2*x)",
                                 "time/end time=0.7",
                                 "time/step size=" + std::to_string(T / n)};
          overrides.insert(overrides.end(), scheme.begin(), scheme.end());
          const FinishedRun run("", overrides);
          const Vector     &q = run.simulation->final_state().q;
          h.push_back(T / n);
          // x = 1 is the last node; the spatial error is below 1e-10.
          error.push_back(
            std::abs(q(q.size() - 1) - std::cos(dealii::numbers::PI / 2 * T)));
        }
      return observed_order(h, error);
    }

    TEST(SmoothOrder, IsTwoForGeneralizedAlphaAndThetaOneHalf)
    {
      for (const std::string radius : {"1", "0.8", "0"})
        EXPECT_NEAR(smooth_order(
                      {"scheme/type=generalized alpha",
                       "scheme/generalized alpha/spectral radius=" + radius}),
                    2,
                    0.05)
          << radius;
      EXPECT_NEAR(smooth_order({"scheme/type=generalized alpha",
                                "scheme/generalized alpha/parameter set=hht",
                                "scheme/generalized alpha/alpha=0.1"}),
                  2,
                  0.05);
      EXPECT_NEAR(smooth_order({"scheme/type=moreau jean"}), 2, 0.05);
    }

    TEST(SmoothOrder, IsOneForThetaOne)
    {
      EXPECT_NEAR(smooth_order(
                    {"scheme/type=moreau jean", "scheme/moreau jean/theta=1"}),
                  1,
                  0.05);
    }
  } // namespace
} // namespace Percuss::Test
