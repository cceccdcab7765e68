// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/steppers/jointed_alpha.h>

#include <deal.II/base/mpi.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/lapack_full_matrix.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace Percuss
{
  namespace
  {
    using Matrix = dealii::FullMatrix<double>;
    using Column = dealii::Vector<double>;

    /// Adds factor times a block, or its transpose.
    void
    add_block(Matrix            &matrix,
              const unsigned int row,
              const unsigned int column,
              const double       factor,
              const Matrix      &block,
              const bool         transpose = false)
    {
      for (unsigned int i = 0; i < block.m(); ++i)
        for (unsigned int j = 0; j < block.n(); ++j)
          matrix(row + (transpose ? j : i), column + (transpose ? i : j)) +=
            factor * block(i, j);
    }

    /// A factorised matrix; a rank without unknowns has nothing to do.
    class DenseSolver
    {
    public:
      void
      factorize(const Matrix &matrix)
      {
        n = matrix.m();
        if (n == 0)
          return;
        lu.reinit(n);
        lu = matrix;
        lu.compute_lu_factorization();
      }

      void
      solve(Column &x) const
      {
        if (n > 0)
          lu.solve(x);
      }

    private:
      unsigned int                     n = 0;
      dealii::LAPACKFullMatrix<double> lu;
    };

    Matrix
    dense(const SparseMatrix &sparse)
    {
      const auto        &rows = sparse.rows();
      const unsigned int n = static_cast<unsigned int>(rows.start.size()) - 1;
      Matrix             matrix(n, n);
      for (unsigned int i = 0; i < n; ++i)
        for (PetscInt k = rows.start[i]; k < rows.start[i + 1]; ++k)
          matrix(i, rows.columns[k]) += rows.values[k];
      return matrix;
    }



    /// What both schemes share: dense matrices, the joints linearised, and the
    /// start.
    class JointedMotion : public CorrectedMotion
    {
    public:
      JointedMotion(const AlphaCoefficients    &coefficients,
                    const TimeStepper::Context &context);

      void
      set_step_size(const double h) override
      {
        smooth.set_step_size(h);
      }

      void
      start(State &state) const override;

      bool
      linearize(const State &end) const override;

      EnergyPromise
      promise() const override
      {
        return smooth.promise();
      }

      std::string
      solver_description() const override
      {
        return "LAPACK, dense";
      }

    protected:
      /// matrix = [H, -G^T; G, 0].
      Matrix
      saddle(const Matrix &H, const Matrix &joints) const;

      /// Dead loads and drive at @p time - K q - C v.
      Column
      force(double time, const Vector &q, const Vector &v) const;

      /// Sets the explicit parts of a step: q_star, v_star and
      /// alpha_f (f + r)_k - alpha_m M a_k.
      void
      begin_step(const State &begin) const;

      /// y = G^T x for multipliers that begin at @p offset of @p x.
      void
      add_joint_force(const Matrix &joints,
                      const Column &x,
                      unsigned int  offset,
                      double        factor,
                      Vector       &y) const;

      const MechanicalModel      &model;
      const BilateralConstraints &joints;
      AlphaStep                   smooth;
      const unsigned int          n, n_joints; ///< on this rank
      const Matrix                M, C, K;
      DenseSolver                 mass;
      mutable Vector              f, q_lin, v_lin;
      mutable Matrix              G;
      mutable Column              q_star, v_star, old_forces, A_begin;
      Vector                      zero;
    };



    JointedMotion::JointedMotion(const AlphaCoefficients    &coefficients,
                                 const TimeStepper::Context &context)
      : model(context.model)
      , joints(*context.model.constraints())
      , smooth(coefficients, context)
      , n(model.partition()->locally_owned_size())
      , n_joints(joints.size())
      , M(dense(*model.assemble(1, 0, 0)))
      , C(dense(*model.assemble(0, 1, 0)))
      , K(dense(*model.assemble(0, 0, 1)))
    {
      mass.factorize(M);
      for (Vector *vector : {&f, &q_lin, &v_lin, &zero})
        vector->reinit(model.partition());
    }



    Matrix
    JointedMotion::saddle(const Matrix &H, const Matrix &rows) const
    {
      Matrix matrix(n + n_joints, n + n_joints);
      add_block(matrix, 0, 0, 1, H);
      add_block(matrix, 0, n, -1, rows, true);
      add_block(matrix, n, 0, 1, rows);
      return matrix;
    }



    Column
    JointedMotion::force(const double  time,
                         const Vector &q,
                         const Vector &v) const
    {
      model.internal_forces(q, v, f);
      f.sadd(-1, 1, model.dead_load());
      model.add_driving_load(time, 1, f);
      Column result(n);
      std::copy(f.begin(), f.end(), result.begin());
      return result;
    }



    void
    JointedMotion::add_joint_force(const Matrix      &rows,
                                   const Column      &x,
                                   const unsigned int offset,
                                   const double       factor,
                                   Vector            &y) const
    {
      for (unsigned int j = 0; j < n_joints; ++j)
        for (unsigned int i = 0; i < n; ++i)
          y.local_element(i) += factor * rows(j, i) * x(offset + j);
    }



    /// M a = f + G^T lambda, G a + (d/dt G) v = 0.
    void
    JointedMotion::start(State &state) const
    {
      const Matrix rows = joints.jacobian(state.q);
      DenseSolver  solver;
      solver.factorize(saddle(M, rows));
      Column       x(n + n_joints);
      const Column f_start   = force(state.time, state.q, state.v);
      const auto   curvature = joints.curvature(state.q, state.v);
      for (unsigned int i = 0; i < n; ++i)
        x(i) = f_start(i);
      for (unsigned int j = 0; j < n_joints; ++j)
        x(n + j) = -curvature[j];
      solver.solve(x);
      Vector a(model.partition()), r(model.partition());
      std::copy_n(x.begin(), n, a.begin());
      add_joint_force(rows, x, n, 1, r);
      state.memory.push_back({"acceleration", a});
      state.memory.push_back({"position impulse", Vector(model.partition())});
      state.memory.push_back({"joint impulse", Vector(model.partition())});
      state.memory.push_back({"joint force", r});
    }



    bool
    JointedMotion::linearize(const State &end) const
    {
      double change = 0, scale = 0;
      for (unsigned int i = 0; i < n; ++i)
        {
          const double q = end.q.local_element(i), v = end.v.local_element(i);
          const double h = smooth.step_size();
          change         = std::max({change,
                                     std::abs(q - q_lin.local_element(i)),
                                     h * std::abs(v - v_lin.local_element(i))});
          scale          = std::max({scale, std::abs(q), h * std::abs(v)});
        }
      q_lin = end.q;
      v_lin = end.v;
      G     = joints.jacobian(q_lin);
      const bool is_good =
        change <= 4 * std::numeric_limits<double>::epsilon() * scale;
      return dealii::Utilities::MPI::min(is_good ? 1u : 0u,
                                         model.communicator) == 1;
    }



    void
    JointedMotion::begin_step(const State &begin) const
    {
      const double h = smooth.step_size(), gamma = smooth.gamma;
      q_star.reinit(n);
      v_star.reinit(n);
      A_begin         = force(begin.time, begin.q, begin.v);
      const Vector &r = begin.recall("joint force");
      for (unsigned int i = 0; i < n; ++i)
        {
          const double a = AlphaStep::acceleration(begin).local_element(i);
          const double v = begin.v.local_element(i);
          q_star(i) =
            begin.q.local_element(i) + h * v + h * h * (0.5 - smooth.beta) * a;
          v_star(i) = v + h * (1 - gamma) * a;
          A_begin(i) += r.local_element(i);
        }
      old_forces = A_begin;
      old_forces *= smooth.alpha_f;
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
          old_forces(i) -= smooth.alpha_m * M(i, j) *
                           AlphaStep::acceleration(begin).local_element(j);
      mass.solve(A_begin);
    }



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
          G_predicted         = joints.jacobian(q_predicted);
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
          if (change <= 4 * std::numeric_limits<double>::epsilon() * scale)
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



    Column
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
  make_coupled_jointed_motion(const AlphaCoefficients    &coefficients,
                              const TimeStepper::Context &context)
  {
    return std::make_unique<CoupledJointedMotion>(coefficients, context);
  }



  std::unique_ptr<CorrectedMotion>
  make_decoupled_jointed_motion(const AlphaCoefficients    &coefficients,
                                const TimeStepper::Context &context)
  {
    return std::make_unique<DecoupledJointedMotion>(coefficients, context);
  }
} // namespace Percuss
