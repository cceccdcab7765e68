// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <deal.II/base/mpi.h>

#include <cstdio>
#include <functional>
#include <limits>

#include "../tools.h"

// The cost of a step, ledger on and without fields, next to the cost of a
// program written by hand for this one problem, in one run on one core.

namespace Percuss::Test
{
  namespace
  {
    using Clock = std::chrono::steady_clock;

    constexpr double E = 2.1e11, density = 7800, area = 3.14e-4;

    /// The bar that hits a wall, nonsmooth Newmark (1/2, 1/4), consistent
    /// mass, constant tridiagonal factors: nothing but the arithmetic of the
    /// step. Returns the seconds per step.
    double
    hand_written_bar(const int    n,
                     const double h,
                     const double gap,
                     const int    n_steps)
    {
      const double        l = 1. / (n - 1), k = E * area / l;
      const double        m = density * area * l / 6;
      std::vector<double> q(n), v(n, -0.1), a(n), dv(n), lower(n), inverse(n),
        response(n);
      const auto factorize = [&](const double diagonal, const double off) {
        double pivot = diagonal / 2;
        for (int i = 0; i < n; ++i)
          {
            inverse[i] = 1 / pivot;
            lower[i]   = off * inverse[i];
            pivot      = (i + 2 < n ? diagonal : diagonal / 2) - lower[i] * off;
          }
      };
      const auto solve = [&](std::vector<double> &x) {
        for (int i = 1; i < n; ++i)
          x[i] -= lower[i - 1] * x[i - 1];
        x[n - 1] *= inverse[n - 1];
        for (int i = n - 2; i >= 0; --i)
          x[i] = x[i] * inverse[i] - lower[i] * x[i + 1];
      };
      factorize(4 * m + h * h / 2 * k, m - h * h / 4 * k);
      response[0] = 1;
      solve(response);
      const auto start = Clock::now();
      for (int step = 0; step < n_steps; ++step)
        {
          // (M + h^2/4 K) dv = -h K (q + h/2 v)
          double left = 0, x = q[0] + h / 2 * v[0];
          for (int i = 0; i + 1 < n; ++i)
            {
              const double next  = q[i + 1] + h / 2 * v[i + 1];
              const double force = k * (next - x);
              dv[i]              = h * (force - left);
              left               = force;
              x                  = next;
            }
          dv[n - 1] = -h * left;
          solve(dv);
          const double u = v[0];
          if (q[0] + gap + h / 2 * u <= 0 && u + dv[0] < 0)
            {
              const double impulse = -(u + dv[0]) / response[0];
              for (int i = 0; i < n; ++i)
                dv[i] += impulse * response[i];
            }
          for (int i = 0; i < n; ++i)
            {
              q[i] += h * (v[i] + dv[i] / 2);
              v[i] += dv[i];
            }
        }
      return std::chrono::duration<double>(Clock::now() - start).count() /
             n_steps;
    }

    struct Cost
    {
      double step, set_up;
    };

    Cost
    measure(const Overrides &overrides)
    {
      const FinishedRun run("", overrides);
      return {run.simulation->stepping_time() /
                run.simulation->final_state().step,
              run.simulation->set_up_time()};
    }

    Cost
    percuss_bar(const int    n,
                const double h,
                const double gap,
                const int    n_steps)
    {
      std::ostringstream step, end, distance;
      step << std::setprecision(17) << h;
      end << std::setprecision(17) << h * n_steps;
      distance << std::setprecision(17) << gap;
      return measure({"model/type=bar",
                      "model/bar/area=3.14e-4",
                      "model/bar/elements=" + std::to_string(n - 1),
                      "model/bar/initial velocity=-0.1",
                      "model/bar/left end/condition=wall",
                      "model/bar/left end/gap=" + distance.str(),
                      "scheme/generalized alpha/parameter set=newmark",
                      "time/step size=" + step.str(),
                      "time/end time=" + end.str(),
                      "output/table interval=1000"});
    }

    double
    least(const int n_tries, const std::function<double()> &value)
    {
      double smallest = std::numeric_limits<double>::max();
      for (int i = 0; i < n_tries; ++i)
        smallest = std::min(smallest, value());
      return smallest;
    }

    void
    print_bar(const int n)
    {
      // A step is a wave's time through an element, and the last quarter of
      // the steps is in contact.
      const int    n_steps = std::max(30, std::min(30000, 30000000 / n));
      const double h       = std::sqrt(density / E) / (n - 1);
      const double gap     = 0.1 * h * 0.75 * n_steps;
      const int    n_tries = 5;
      const double hand =
        least(n_tries, [&]() { return hand_written_bar(n, h, gap, n_steps); });
      double       set_up = std::numeric_limits<double>::max();
      const double own    = least(n_tries, [&]() {
        const Cost cost = percuss_bar(n, h, gap, n_steps);
        set_up          = std::min(set_up, cost.set_up);
        return cost.step;
      });
      std::printf("%9d %12.2f %14.2f %14.2f %12.2f %10.3f\n",
                  n,
                  1e6 * own,
                  1e9 * own / n,
                  1e9 * hand / n,
                  own / hand,
                  set_up);
    }

    void
    print_ball(const std::string &scheme)
    {
      const double cost = least(5, [&]() {
        return measure({"model/type=ball",
                        "model/ball/restitution=0.75",
                        "scheme/type=" + scheme,
                        "time/step size=4e-5",
                        "time/end time=4",
                        "output/table interval=1000"})
          .step;
      });
      std::printf("%-20s %8.2f\n", scheme.c_str(), 1e6 * cost);
    }
    /// Moreau's scheme for the spring pendulum, nothing but its arithmetic.
    double
    hand_written_pendulum(const double h, const int n_steps)
    {
      double     l = 1.1, phi = 0.7853981633974483, dl = 0, dphi = 0;
      const auto start = Clock::now();
      for (int step = 0; step < n_steps; ++step)
        {
          l += h * dl;
          phi += h * dphi;
          const double before = dphi;
          const double force_l =
            l * dphi * dphi - 100 * (l - 1) + 9.81 * std::cos(phi);
          const double force_phi = -(9.81 * std::sin(phi) + 2 * dl * dphi) / l;
          dl += h * force_l;
          dphi += h * force_phi;
          if (phi <= 0 && dphi + before < 0)
            dphi = -before;
        }
      const double seconds =
        std::chrono::duration<double>(Clock::now() - start).count();
      // The result must be used, or the compiler leaves out the work.
      return std::isfinite(l + phi + dl + dphi) ? seconds / n_steps : 0;
    }

    const Overrides spring_pendulum = {
      "model/type=lagrangian",
      "model/lagrangian/coordinates=l, phi",
      "model/lagrangian/constants=m = 1; l0 = 1; k = 100; g = 9.81",
      "model/lagrangian/kinetic energy=1/2*m*(l'^2 + l^2*phi'^2)",
      "model/lagrangian/potential energy=1/2*k*(l - l0)^2 - m*g*l*cos(phi)",
      "model/lagrangian/initial position=l = 1.1; phi = pi/4",
      "model/lagrangian/contacts/gaps=wall = phi",
      "model/lagrangian/contacts/restitution=1"};

    const Overrides lagrangian_ball = {
      "model/type=lagrangian",
      "model/lagrangian/initial position=x = 1",
      "model/lagrangian/contacts/gaps=floor = x",
      "model/lagrangian/contacts/restitution=0.75"};

    void
    print_formulas(const std::string &name,
                   const Overrides   &system,
                   const std::string &scheme)
    {
      Overrides overrides = system;
      for (const std::string &text :
           {"scheme/type=" + scheme,
            std::string("time/step size=1e-3"),
            std::string("time/end time=100"),
            std::string("output/table interval=1000")})
        overrides.push_back(text);
      const double cost = least(5, [&]() { return measure(overrides).step; });
      std::printf("%-18s %-20s %8.2f\n",
                  name.c_str(),
                  scheme.c_str(),
                  1e6 * cost);
    }
  } // namespace
} // namespace Percuss::Test



int
main(int argc, char **argv)
{
  const dealii::Utilities::MPI::MPI_InitFinalize initialization(argc, argv, 1);
  std::printf("Impacting bar, generalized alpha (Newmark 1/2, 1/4), ledger on; "
              "least of 5 tries\n"
              "    nodes   us per step    ns per node    by hand: ns       "
              "ratio  set-up s\n");
  for (const int n : {100, 1000, 10000, 100000, 1000000})
    Percuss::Test::print_bar(n);
  std::printf("\nBouncing ball, ledger on: us per step\n");
  for (const std::string scheme : {"moreau jean", "generalized alpha"})
    Percuss::Test::print_ball(scheme);
  std::printf("\nModel 'lagrangian', ledger on: us per step (by hand, Moreau's "
              "scheme without a ledger: %.2f)\n",
              1e6 * Percuss::Test::least(5, []() {
                return Percuss::Test::hand_written_pendulum(1e-3, 100000);
              }));
  for (const std::string scheme : {"moreau",
                                   "symmetric moreau",
                                   "variational moreau",
                                   "moreau jean",
                                   "generalized alpha"})
    {
      Percuss::Test::print_formulas("spring pendulum",
                                    Percuss::Test::spring_pendulum,
                                    scheme);
      Percuss::Test::print_formulas("bouncing ball",
                                    Percuss::Test::lagrangian_ball,
                                    scheme);
    }
  return 0;
}
