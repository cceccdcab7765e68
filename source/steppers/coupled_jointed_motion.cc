// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <algorithm>

#include "jointed_motion.h"

namespace Percuss
{
  namespace
  {
    /// All unknowns of a step in one matrix: a, U, W, lambda_B, nu_B, Lambda_B.
    class CoupledJointedMotion : public JointedMotion
    {
    public:
      using JointedMotion::JointedMotion;

      void
      advance(const State &begin,
              State       &end,
              StepReport  &report) const override;

      LinearReport
      respond_to_position(const Vector &load,
                          AlphaMotion  &change) const override
      {
        return respond(load, n, change);
      }

      LinearReport
      respond_to_velocity(const Vector &load,
                          AlphaMotion  &change) const override
      {
        return respond(load, 2 * n, change);
      }

      bool
      is_coupled() const override
      {
        return true;
      }

    private:
      void
      factorize() const;

      /// The response to a load in the rows from @p first on.
      LinearReport
      respond(const Vector &load,
              unsigned int  first,
              AlphaMotion  &change) const;

      /// The change of the motion that the unknowns @p x stand for.
      void
      interpret(const Column &x, AlphaMotion &change) const;

      mutable DenseSolver solver;
    };



    void
    CoupledJointedMotion::factorize() const
    {
      const double       h = smooth.step_size(), gamma = smooth.gamma;
      const double       beta = smooth.beta, new_part = 1 - smooth.alpha_f;
      const unsigned int b = n_joints, U = n, W = 2 * n, lambda = 3 * n;
      Matrix             matrix(3 * (n + b), 3 * (n + b));
      add_block(matrix, 0, 0, 1 - smooth.alpha_m, M);
      add_block(matrix, 0, 0, new_part * h * h * beta, K);
      add_block(matrix, 0, 0, new_part * h * gamma, C);
      add_block(matrix, 0, U, new_part, K);
      add_block(matrix, 0, W, new_part, C);
      add_block(matrix, 0, lambda, -new_part, G, true);
      add_block(matrix, U, U, 1, M);
      add_block(matrix, U, lambda + b, -1, G, true);
      add_block(matrix, W, W, 1, M);
      add_block(matrix, W, lambda + 2 * b, -1, G, true);
      add_block(matrix, lambda, 0, 1 - smooth.alpha_m, G);
      add_block(matrix, lambda + b, 0, h * h * beta, G);
      add_block(matrix, lambda + b, U, 1, G);
      add_block(matrix, lambda + 2 * b, 0, h * gamma, G);
      add_block(matrix, lambda + 2 * b, W, 1, G);
      solver.factorize(matrix);
    }



    void
    CoupledJointedMotion::interpret(const Column &x, AlphaMotion &change) const
    {
      const double h = smooth.step_size();
      for (unsigned int i = 0; i < n; ++i)
        {
          change.a.local_element(i) = x(i);
          change.q.local_element(i) = h * h * smooth.beta * x(i) + x(n + i);
          change.v.local_element(i) = h * smooth.gamma * x(i) + x(2 * n + i);
          double p                  = 0;
          for (unsigned int j = 0; j < n; ++j)
            p += M(i, j) * x(n + j);
          change.position_impulse.local_element(i) = p;
        }
      change.joint_force   = 0.;
      change.joint_impulse = 0.;
      add_joint_force(G, x, 3 * n, 1, change.joint_force);
      add_joint_force(G, x, 3 * n + 2 * n_joints, 1, change.joint_impulse);
    }



    LinearReport
    CoupledJointedMotion::respond(const Vector      &load,
                                  const unsigned int first,
                                  AlphaMotion       &change) const
    {
      Column x(3 * (n + n_joints));
      std::copy(load.begin(), load.end(), x.begin() + first);
      solver.solve(x);
      interpret(x, change);
      return {};
    }



    void
    CoupledJointedMotion::advance(const State &begin,
                                  State       &end,
                                  StepReport &) const
    {
      begin_step(begin);
      factorize();
      const double       h = smooth.step_size(), am = smooth.alpha_m;
      const double       af = smooth.alpha_f;
      const unsigned int b = n_joints, lambda = 3 * n;
      Column             x(3 * (n + b));
      Vector             q(model.partition()), v(model.partition());
      std::copy(q_star.begin(), q_star.end(), q.begin());
      std::copy(v_star.begin(), v_star.end(), v.begin());
      const Column f_star = force(begin.time + h, q, v);
      for (unsigned int i = 0; i < n; ++i)
        x(i) = (1 - af) * f_star(i) + old_forces(i);
      const auto curvature = joints.curvature(q_lin, v_lin);
      const auto residual  = joints.residuals(q_lin);
      for (unsigned int j = 0; j < b; ++j)
        {
          x(lambda + j)     = -(1 - af) * curvature[j];
          x(lambda + b + j) = -residual[j];
          for (unsigned int i = 0; i < n; ++i)
            {
              const double a = AlphaStep::acceleration(begin).local_element(i);
              x(lambda + j) -= G(j, i) * (am * a - af * A_begin(i));
              x(lambda + b + j) +=
                G(j, i) * (q_lin.local_element(i) - q_star(i));
              x(lambda + 2 * b + j) -= G(j, i) * v_star(i);
            }
        }
      solver.solve(x);
      AlphaMotion motion(model.partition(), true);
      interpret(x, motion);
      end.q = q;
      end.v = v;
      for (const std::string name :
           {"acceleration", "position impulse", "joint impulse", "joint force"})
        end.recall(name) = 0.;
      motion.apply_to(end);
      end.time = begin.time + h;
      end.step = begin.step + 1;
    }
  } // namespace



  std::unique_ptr<CorrectedMotion>
  make_coupled_jointed_motion(const AlphaCoefficients    &coefficients,
                              const TimeStepper::Context &context)
  {
    return std::make_unique<CoupledJointedMotion>(coefficients, context);
  }
} // namespace Percuss
