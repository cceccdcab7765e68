// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <deal.II/base/tensor.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "tools.h"

// Solids in space that hit a floor, against what rigid bodies and Hertz's
// theory say of their impacts.

namespace Percuss::Test
{
  namespace
  {
    using Tensor = dealii::Tensor<1, 3>;

    const std::string              model = "model/solid 3d/";
    const std::vector<std::string> axes  = {"x", "y", "z"};

    std::string
    text(const double number)
    {
      std::ostringstream stream;
      stream.precision(17);
      stream << number;
      return stream.str();
    }

    /// A rigid body whose axes are those of its inertia.
    struct RigidBody
    {
      double mass;
      Tensor inertia, centre, v, spin;

      Tensor
      velocity(const Tensor &arm) const
      {
        return v + dealii::cross_product_3d(spin, arm);
      }

      /// What an impulse at the end of @p arm changes there, W J.
      Tensor
      response(const Tensor &arm, const Tensor &J) const
      {
        const Tensor moment = dealii::cross_product_3d(arm, J);
        Tensor       turn;
        for (unsigned int d = 0; d < 3; ++d)
          turn[d] = moment[d] / inertia[d];
        return J / mass + dealii::cross_product_3d(turn, arm);
      }

      void
      push(const Tensor &arm, const Tensor &J)
      {
        const Tensor moment = dealii::cross_product_3d(arm, J);
        v += J / mass;
        for (unsigned int d = 0; d < 3; ++d)
          spin[d] += moment[d] / inertia[d];
      }

      /// Ends the velocity at the end of @p arm.
      void
      stick(const Tensor &arm)
      {
        dealii::Tensor<2, 3> W;
        for (unsigned int d = 0; d < 3; ++d)
          {
            Tensor unit;
            unit[d]             = 1;
            const Tensor column = response(arm, unit);
            for (unsigned int c = 0; c < 3; ++c)
              W[c][d] = column[c];
          }
        push(arm, -(dealii::invert(W) * velocity(arm)));
      }

      /// Ends the velocity along @p n, with friction against @p slip.
      void
      slide(const Tensor &arm,
            const Tensor &n,
            const Tensor &slip,
            const double  mu)
      {
        const Tensor along = n - mu * slip;
        push(arm, -(velocity(arm) * n) / (response(arm, along) * n) * along);
      }

      /// v + spin x (X - centre)
      std::string
      field() const
      {
        std::string result;
        for (unsigned int d = 0; d < 3; ++d)
          {
            const unsigned int a = (d + 1) % 3, b = (d + 2) % 3;
            result += axes[d] + " = " + text(v[d]) + " + (" + text(spin[a]) +
                      ")*(" + axes[b] + " - " + text(centre[b]) + ") - (" +
                      text(spin[b]) + ")*(" + axes[a] + " - " +
                      text(centre[a]) + "); ";
          }
        return result;
      }
    };

    const std::string probes_of_motion = [] {
      std::string result = "output/probes=";
      for (const std::string &axis : axes)
        result += "v_" + axis + " = mean velocity " + axis + "; L_" + axis +
                  " = angular momentum " + axis + "; ";
      return result;
    }();

    /// How far the motion at the end of a run is from that of a rigid body: the
    /// root of twice the kinetic energy of the difference over the mass.
    double
    difference(const FinishedRun &run, const RigidBody &rigid)
    {
      double square = 0;
      for (unsigned int d = 0; d < 3; ++d)
        {
          const double v    = run.column("probes", "v_" + axes[d]).back(),
                       spin = run.column("probes", "L_" + axes[d]).back() /
                              rigid.inertia[d];
          square +=
            std::pow(v - rigid.v[d], 2) +
            rigid.inertia[d] / rigid.mass * std::pow(spin - rigid.spin[d], 2);
        }
      return std::sqrt(square);
    }

    /// A damped body whose contact has a frequency omega with b omega >> 1 is
    /// compressed by v/(b omega^2) and expands with the rate 1/b: it differs
    /// from a rigid one by parts r = (b omega)^-2 of what the impact changes,
    /// v. The next term is a part of the order of sqrt(r) of that, and falls by
    /// half with twice the damping.
    void
    expect_second_order(const double one, const double two, const double v)
    {
      const double r = one / v;
      EXPECT_LE(r, 0.03);
      EXPECT_NEAR(one / two, 4, 4 * std::sqrt(r));
    }

    /// Inelastic for a moment: with the stiffness damping b the body needs 1/(b
    /// omega^2) to follow its contact, and then expands with the rate 1/b.
    Overrides
    damped(const double b)
    {
      return {model + "stiffness damping=" + text(b),
              "scheme/moreau jean/theta=1",
              "time/step size=" + text(b / 50),
              "time/end time=" + text(b / 2),
              "output/table interval=1",
              "output/field interval=0",
              probes_of_motion};
    }

    /// The ball of the file, linear, with 56 cells.
    struct Ball : public RigidBody
    {
      Ball()
      {
        centre[2] = 0.1;
        v         = Tensor({2e-3, 1.5e-3, -5e-3});
        spin      = Tensor({0.03, 0.075, -0.04});
        mass      = norm("x = 1");
        for (unsigned int d = 0; d < 3; ++d)
          inertia[d] = norm("x = (z - 0.1); z = -x");
      }

      Overrides
      overrides() const
      {
        return {model + "materials/polymer/law=linear",
                model + "bodies/ball/refinements=1",
                model + "bodies/ball/centre=0, 0, 0.1",
                model + "bodies/ball/initial velocity=" + field(),
                model + "contacts/floor/friction=10"};
      }

    private:
      /// v.M v of a velocity field.
      double
      norm(const std::string &of_field) const
      {
        Overrides all = overrides();
        all.push_back(model + "bodies/ball/initial velocity=" + of_field);
        const Parts parts("benchmark/spinning_elastic_ball.prm", all);
        return parts.model->mass_norm(parts.model->initial_state().v);
      }
    };

    /// It turns about the place of contact, and about the vertical as before.
    TEST(SolidRigidLimits, BallThatGripsTurnsAsARigidOne)
    {
      const Ball   before;
      RigidBody    after = before;
      const Tensor arm({0, 0, -0.1});
      after.stick(arm);
      const auto differs = [&](const double damping) {
        Overrides       all  = before.overrides();
        const Overrides more = damped(damping * 0.1 / std::sqrt(2e8 / 1000));
        all.insert(all.end(), more.begin(), more.end());
        const FinishedRun run("benchmark/spinning_elastic_ball.prm", all);
        const double      spin = after.inertia[2] * after.spin[2];
        EXPECT_NEAR(run.column("probes", "L_z").back(), spin, 1e-6 * -spin);
        return difference(run, after);
      };
      expect_second_order(differs(20),
                          differs(40),
                          before.velocity(arm).norm());
    }

    /// The block of the file, which falls with a corner on a floor askew.
    struct Block : public RigidBody
    {
      Tensor n, arm;

      Block()
      {
        const Tensor size({0.2, 0.1, 0.1});
        mass   = 1100 * size[0] * size[1] * size[2];
        centre = 0.5 * size;
        for (unsigned int d = 0; d < 3; ++d)
          inertia[d] = mass / 12 * (size.norm_square() - size[d] * size[d]);
        n    = Tensor({0.36, 0.48, 0.8});
        arm  = -centre;
        v    = -1e-3 * n;
        spin = Tensor({1e-3, -2e-3, 3e-3});
      }

      FinishedRun
      run(const double friction, const double damping) const
      {
        Overrides       all  = {model + "gravity=z = 0",
                                model + "bodies/block/corner=0, 0, 0",
                                model + "bodies/block/cells=4, 2, 2",
                                model + "bodies/block/initial velocity=" + field(),
                                model + "contacts/floor/normal=0.36, 0.48, 0.8",
                                model + "contacts/floor/friction=" + text(friction)};
        const Overrides more = damped(damping * 0.2 / std::sqrt(1e6 / 1100));
        all.insert(all.end(), more.begin(), more.end());
        return FinishedRun("benchmark/block_drop_3d.prm", all);
      }
    };

    TEST(SolidRigidLimits, BlockAskewThatSticks)
    {
      const Block before;
      RigidBody   after = before;
      after.stick(before.arm);
      expect_second_order(difference(before.run(10, 20), after),
                          difference(before.run(10, 40), after),
                          before.velocity(before.arm).norm());
    }

    /// It slides so fast that the direction of the slip hardly turns: by the
    /// change of the velocity over it, 1e-5.
    TEST(SolidRigidLimits, BlockAskewThatSlides)
    {
      Block        before;
      const double mu = 0.2;
      before.v += 100 * Tensor({0.8, -0.6, 0});
      RigidBody    after = before;
      const Tensor u     = before.velocity(before.arm);
      Tensor       slip  = u - (u * before.n) * before.n;
      slip /= slip.norm();
      after.slide(before.arm, before.n, slip, mu);
      EXPECT_GT(after.velocity(before.arm) * slip, 99);
      expect_second_order(difference(before.run(mu, 20), after),
                          difference(before.run(mu, 40), after),
                          -(u * before.n));
    }

    /// Hertz: a ball that hits a plane with v << c is pressed in by
    /// delta^(5/2) = 15 m v^2/(16 E* sqrt(R)), touches it for
    /// 2.9432 delta/v with the force 4/3 E* sqrt(R) delta^(3/2) at most, and
    /// rebounds with v. The centre of a ball is no far point of a half space:
    /// the approach differs by up to F/(E R), and of the compliance the
    /// duration has the power 0.4, the force -0.6.
    ///
    /// What does not fly back swings. The force, as sin(pi t/T)^(3/2), begins
    /// and ends with that power of time: of the impulse J it gives a mode of
    /// the frequency omega
    ///   2 pi^(3/2) Gamma(5/2)/(0.5564 (omega T)^(5/2)),
    /// and of the energy 4 m/M times the square of that; the lowest mode has
    /// omega R = 2.64 c_s and a modal mass M of about m/5. Nodes that arrive
    /// are stopped besides, with the mass rho pi a^2 sqrt(l^2/12 + c^2 h^2/4),
    /// see tests/regression/solid.cc. Both are estimates, and may be twice as
    /// large.
    TEST(SolidRigidLimits, BallReboundsAsHertzSays)
    {
      const double      R = 0.01, E = 2.1e11, rho = 7800, v = 8, h = 8e-7;
      const FinishedRun run(
        "benchmark/hertz_sphere.prm",
        {model + "degree=1",
         model + "refinement/near the contact/levels=4",
         model + "refinement/near the contact/where=sqrt(x^2 + y^2 + z^2) - "
                 "1.2e-3",
         model + "loads/weight/body force=z = 0",
         model + "bodies/ball/initial velocity=z = -8",
         model + "contacts/plane/search distance=2e-4",
         "scheme/type=moreau jean",
         "time/step size=8e-7",
         "time/end time=4.4e-5",
         "output/table interval=1",
         "output/field interval=0",
         "output/probes=v_z = mean velocity z"});
      const double m      = 2 * run.values.at("initial energy") / (v * v);
      const double E_star = E / 0.91;
      const double delta =
        std::pow(15 * m * v * v / (16 * E_star * std::sqrt(R)), 0.4);
      const double F = 4. / 3 * E_star * std::sqrt(R) * std::pow(delta, 1.5);
      const double T = 2.9432 * delta / v;
      const double compliance = F / (E * R) / delta;
      const auto   forces     = run.column("contacts", "total_force");
      EXPECT_NEAR(run.values.at("last contact") -
                    run.values.at("first contact"),
                  T,
                  0.4 * compliance * T + h);
      EXPECT_NEAR(*std::max_element(forces.begin(), forces.end()),
                  F,
                  0.6 * compliance * F);
      const double swings =
        2 * std::pow(M_PI, 1.5) * std::tgamma(2.5) /
        (0.5564 * std::pow(2.64 * std::sqrt(E / 2.6 / rho) / R * T, 2.5));
      const double edge = R * M_PI / 2 / std::pow(2, 6);
      const double c    = std::sqrt(1.35 * E / rho); // of pressure, nu = 0.3
      const double lost = 4 * 5 * swings * swings +
                          rho * M_PI * R * delta / m *
                            std::sqrt(edge * edge / 12 + c * c * h * h / 4);
      const double e = run.column("probes", "v_z").back() / v;
      EXPECT_LT(e, 1);
      EXPECT_GT(e * e, 1 - 2 * lost);
    }
  } // namespace
} // namespace Percuss::Test
