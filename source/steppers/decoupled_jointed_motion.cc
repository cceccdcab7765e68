// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "jointed_motion.h"

namespace Percuss
{
  namespace
  {
    /// Three sub-problems, each a saddle point of its own.
    class DecoupledJointedMotion : public JointedMotion
    {
    public:
      DecoupledJointedMotion(const AlphaCoefficients    &coefficients,
                             const TimeStepper::Context &context)
        : JointedMotion(coefficients, context)
        , q_predicted(model.partition())
        , v_predicted(model.partition())
      {}

      void
      advance(const State &begin,
              State       &end,
              StepReport  &report) const override;

      LinearReport
      respond_to_position(const Vector &load,
                          AlphaMotion  &change) const override;

      LinearReport
      respond_to_velocity(const Vector &load,
                          AlphaMotion  &change) const override;

      bool
      is_coupled() const override
      {
        return false;
      }

    private:
      /// Index-3 generalized-alpha, contacts ignored: q_predicted,
      /// v_predicted, a_predicted and lambda; returns whether it converged.
      bool
      predict(const State &begin) const;

      void
      factorize() const;

      /// From U, W, Lambda_B and the force of the joints that has changed.
      void
      interpret(const Column &U,
                const Column &W,
                const Column &joint_change,
                AlphaMotion  &change) const;

      /// The change of the joints' forces against the predictor.
      Column
      joint_change() const;

      double
      ratio() const
      {
        return (1 - smooth.alpha_f) / (1 - smooth.alpha_m);
      }

      mutable Vector      q_predicted, v_predicted;
      mutable Column      a_predicted, lambda;
      mutable Matrix      G_predicted;
      mutable DenseSolver positions, velocities;
    };



    bool
    DecoupledJointedMotion::predict(const State &begin) const
    {
      const double h = smooth.step_size(), gamma = smooth.gamma;
      const double beta = smooth.beta, new_part = 1 - smooth.alpha_f;
      Matrix       S(n, n);
      add_block(S, 0, 0, 1 - smooth.alpha_m, M);
      add_block(S, 0, 0, new_part * h * h * beta, K);
      add_block(S, 0, 0, new_part * h * gamma, C);
      std::copy(q_star.begin(), q_star.end(), q_predicted.begin());
      std::copy(v_star.begin(), v_star.end(), v_predicted.begin());
      const Column f_star = force(begin.time + h, q_predicted, v_predicted);
      a_predicted.reinit(n);
      lambda.reinit(n_joints);
      for (unsigned int iteration = 0; iteration < 30; ++iteration)
        {
          G_predicted         = joints.dense_jacobian(q_predicted);
          const auto residual = joints.residuals(q_predicted);
          Matrix     matrix   = saddle(S, G_predicted);
          for (unsigned int i = 0; i < n; ++i)
            for (unsigned int j = 0; j < n_joints; ++j)
              matrix(i, n + j) *= new_part;
          DenseSolver solver;
          solver.factorize(matrix);
          Column x(n + n_joints);
          for (unsigned int i = 0; i < n; ++i)
            x(i) = new_part * f_star(i) + old_forces(i);
          for (unsigned int j = 0; j < n_joints; ++j)
            {
              x(n + j) = -residual[j];
              for (unsigned int i = 0; i < n; ++i)
                x(n + j) += G_predicted(j, i) *
                            (q_predicted.local_element(i) - q_star(i));
              x(n + j) /= h * h * beta;
            }
          solver.solve(x);
          double change = 0, scale = 0;
          for (unsigned int i = 0; i < n; ++i)
            {
              const double q = q_star(i) + h * h * beta * x(i);
              change =
                std::max(change, std::abs(q - q_predicted.local_element(i)));
              scale                        = std::max(scale, std::abs(q));
              a_predicted(i)               = x(i);
              q_predicted.local_element(i) = q;
              v_predicted.local_element(i) = v_star(i) + h * gamma * x(i);
            }
          for (unsigned int j = 0; j < n_joints; ++j)
            lambda(j) = x(n + j);
          if (change <= 64 * std::numeric_limits<double>::epsilon() * scale)
            return true;
        }
      return false;
    }



    void
    DecoupledJointedMotion::factorize() const
    {
      const double h = smooth.step_size();
      Matrix       P(M), V(M);
      add_block(P, 0, 0, h * h * smooth.beta * ratio(), K);
      add_block(V, 0, 0, h * smooth.gamma * ratio(), C);
      positions.factorize(saddle(P, G));
      velocities.factorize(saddle(V, G));
    }



    JointedMotion::Column
    DecoupledJointedMotion::joint_change() const
    {
      Column change(n);
      for (unsigned int j = 0; j < n_joints; ++j)
        for (unsigned int i = 0; i < n; ++i)
          change(i) += (G(j, i) - G_predicted(j, i)) * lambda(j);
      return change;
    }



    void
    DecoupledJointedMotion::interpret(const Column &U,
                                      const Column &W,
                                      const Column &joints_changed,
                                      AlphaMotion  &change) const
    {
      const double h = smooth.step_size();
      Column       a(n);
      for (unsigned int i = 0; i < n; ++i)
        {
          a(i) = joints_changed(i);
          for (unsigned int j = 0; j < n; ++j)
            a(i) -= K(i, j) * U(j) + C(i, j) * W(j);
          a(i) *= ratio();
        }
      mass.solve(a);
      for (unsigned int i = 0; i < n; ++i)
        {
          change.q.local_element(i) = U(i);
          change.v.local_element(i) = W(i);
          change.a.local_element(i) = a(i);
          double p                  = 0;
          for (unsigned int j = 0; j < n; ++j)
            p += M(i, j) * (U(j) - h * h * smooth.beta * a(j));
          change.position_impulse.local_element(i) = p;
        }
      change.joint_force   = 0.;
      change.joint_impulse = 0.;
      add_joint_force(G, W, n, 1, change.joint_impulse);
    }



    LinearReport
    DecoupledJointedMotion::respond_to_position(const Vector &load,
                                                AlphaMotion  &change) const
    {
      const double c_v = smooth.step_size() * smooth.gamma * ratio();
      Column       U(n + n_joints), W(n + n_joints);
      std::copy(load.begin(), load.end(), U.begin());
      positions.solve(U);
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
          W(i) -= c_v * K(i, j) * U(j);
      velocities.solve(W);
      interpret(U, W, Column(n), change);
      return {};
    }



    LinearReport
    DecoupledJointedMotion::respond_to_velocity(const Vector &load,
                                                AlphaMotion  &change) const
    {
      Column U(n + n_joints), W(n + n_joints);
      std::copy(load.begin(), load.end(), W.begin());
      velocities.solve(W);
      interpret(U, W, Column(n), change);
      return {};
    }



    void
    DecoupledJointedMotion::advance(const State &begin,
                                    State       &end,
                                    StepReport  &report) const
    {
      const double h = smooth.step_size();
      begin_step(begin);
      const bool is_predicted = predict(begin);
      report.converged &= dealii::Utilities::MPI::min(is_predicted ? 1u : 0u,
                                                      model.communicator) == 1;
      factorize();
      const Column changed  = joint_change();
      const auto   residual = joints.residuals(q_lin);
      Column       U(n + n_joints), W(n + n_joints);
      for (unsigned int i = 0; i < n; ++i)
        U(i) = h * h * smooth.beta * ratio() * changed(i);
      for (unsigned int j = 0; j < n_joints; ++j)
        {
          U(n + j) = -residual[j];
          for (unsigned int i = 0; i < n; ++i)
            {
              U(n + j) += G(j, i) * (q_lin.local_element(i) -
                                     q_predicted.local_element(i));
              W(n + j) -= G(j, i) * v_predicted.local_element(i);
            }
        }
      positions.solve(U);
      for (unsigned int i = 0; i < n; ++i)
        {
          W(i) = changed(i);
          for (unsigned int j = 0; j < n; ++j)
            W(i) -= K(i, j) * U(j);
          W(i) *= h * smooth.gamma * ratio();
        }
      velocities.solve(W);
      AlphaMotion motion(model.partition(), true);
      interpret(U, W, changed, motion);
      add_joint_force(G, lambda, 0, 1, motion.joint_force);
      end.q = q_predicted;
      end.v = v_predicted;
      for (const std::string name :
           {"position impulse", "joint impulse", "joint force"})
        end.recall(name) = 0.;
      std::copy(a_predicted.begin(),
                a_predicted.end(),
                AlphaStep::acceleration(end).begin());
      motion.apply_to(end);
      end.time = begin.time + h;
      end.step = begin.step + 1;
    }
  } // namespace



  std::unique_ptr<CorrectedMotion>
  make_decoupled_jointed_motion(const AlphaCoefficients    &coefficients,
                                const TimeStepper::Context &context)
  {
    return std::make_unique<DecoupledJointedMotion>(coefficients, context);
  }
} // namespace Percuss
