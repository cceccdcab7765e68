// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_blocks.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/contact/friction_cone.h>
#include <percuss/linear_algebra/lu_factorization.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace Percuss
{
  namespace
  {
    /// Alternating directions (Boyd et al., Found. Trends Mach. Learn. 3, 2011)
    /// for impulses x that obey the equation and z in Coulomb's cones K,
    /// @f[ (W + \rho I)\,x = \rho\,(z - u) - b - s\,e_N, \qquad
    ///     z \leftarrow P_K(x + u), \qquad u \leftarrow u + x - z, @f]
    /// with one factorisation for all iterations and over-relaxation. In the
    /// limit -rho u is the velocity xi + s e_N; its tangential part gives the
    /// shifts s = mu |xi_T| of each iteration, which make it Coulomb's law
    /// (Acary, Bremond, Huber, in: Advanced Topics in Nonsmooth Dynamics,
    /// 2018). rho balances the errors of both; it changes seldom. Impulses are
    /// scaled by the diagonal of W, one factor for each contact. Each rank
    /// solves the same problem.
    class Admm : public ContactSolver
    {
    public:
      struct Parameters
      {
        unsigned int maximum_iterations = 5000;
        double       relaxation         = 1.6;

        void
        declare(ParameterSection &section)
        {
          section.add("maximum iterations",
                      maximum_iterations,
                      "More than this counts as failure",
                      1);
          section.add("relaxation",
                      relaxation,
                      "The factor by which an iteration goes beyond the "
                      "impulses that obey the equation",
                      {0, 2, true, true});
        }
      };

      Admm(const Parameters &parameters, const Context &context)
        : ContactSolver("admm",
                        {SolverNeeds::Form::matrix, false, 3, 3000},
                        context)
        , parameters(parameters)
      {}

    protected:
      unsigned int
      run(const ContactProblem &problem, Vector &lambda) const override;

    private:
      const Parameters parameters;
    };



    /// The iteration in scaled impulses d^-1 lambda and velocities d xi with
    /// d^2 = 1 / W_ii for the largest entry of each contact.
    class Splitting
    {
    public:
      Splitting(const GatheredProblem &problem,
                const ContactBlocks   &blocks,
                double                 relaxation);

      /// One iteration; false where the equation cannot be solved.
      bool
      advance();

      /// natural_residual() of z.
      double
      residual();

      /// Changes rho where the errors differ much.
      void
      balance();

      /// The shifts follow more slowly, where they go round in circles.
      void
      calm()
      {
        pace = std::max(0.5 * pace, 1e-3);
      }

      const std::vector<double> &
      impulses() const
      {
        return lambda;
      }

    private:
      bool
      factorize();

      const GatheredProblem    &problem;
      const ContactBlocks      &blocks;
      const double              relaxation;
      double                    rho           = 0.1;
      bool                      is_factorized = false;
      std::vector<FrictionCone> cones;
      std::vector<double>       scale, x, z, old_z, u, lambda, xi;
      std::vector<double>       shifts;   ///< of each contact
      double                    pace = 1; ///< at which they follow
      SparseMatrix::Rows        rows;     ///< scaled W + rho I
      std::vector<PetscInt>     diagonal;
      double                    added = 0; ///< to the diagonal
      LuFactorization           lu;
    };



    Splitting::Splitting(const GatheredProblem &problem,
                         const ContactBlocks   &blocks,
                         const double           relaxation)
      : problem(problem)
      , blocks(blocks)
      , relaxation(relaxation)
      , scale(problem.size())
      , x(problem.size())
      , z(problem.size())
      , old_z(problem.size())
      , u(problem.size())
      , lambda(problem.lambda)
      , xi(problem.size())
      , shifts(blocks.n_contacts())
    {
      for (unsigned int c = 0; c < blocks.n_contacts(); ++c)
        {
          const LocalContact &contact = blocks.contact(c);
          for (unsigned int d = 0; d < contact.n_directions; ++d)
            scale[problem.points[c].first + d] =
              1 / std::sqrt(blocks.weight(c));
          cones.push_back({contact.n_directions, contact.friction});
        }
      for (unsigned int i = 0; i < problem.size(); ++i)
        {
          bool       has_diagonal = false;
          const auto add = [&](const unsigned int j, const double value) {
            if (j == i)
              diagonal.push_back(static_cast<PetscInt>(rows.columns.size()));
            has_diagonal |= j == i;
            rows.columns.push_back(static_cast<PetscInt>(j));
            rows.values.push_back(value);
          };
          for (unsigned int k = problem.row_start[i];
               k < problem.row_start[i + 1];
               ++k)
            {
              const unsigned int j = problem.columns[k];
              if (j > i && !has_diagonal)
                add(i, 0);
              add(j, scale[i] * problem.values[k] * scale[j]);
            }
          if (!has_diagonal)
            add(i, 0);
          rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
        }
      blocks.velocities(lambda, xi);
      for (unsigned int c = 0; c < cones.size(); ++c)
        {
          const unsigned int first = problem.points[c].first;
          for (unsigned int i = first; i < first + cones[c].n_directions; ++i)
            {
              z[i] = lambda[i] / scale[i];
              u[i] = -scale[i] * xi[i] / rho;
            }
          cones[c].project(&z[first]);
        }
    }



    bool
    Splitting::factorize()
    {
      for (const PetscInt k : diagonal)
        rows.values[k] += rho - added;
      added                = rho;
      return is_factorized = lu.factorize(rows);
    }



    bool
    Splitting::advance()
    {
      if (!is_factorized && !factorize())
        return false;
      for (unsigned int i = 0; i < problem.size(); ++i)
        x[i] = rho * (z[i] - u[i]) - scale[i] * problem.b[i];
      for (unsigned int c = 0; c < cones.size(); ++c)
        {
          const unsigned int first = problem.points[c].first;
          shifts[c] += pace * (rho * cones[c].shift(&u[first]) - shifts[c]);
          x[first] -= shifts[c];
        }
      lu.solve(x);
      old_z.swap(z);
      for (unsigned int i = 0; i < problem.size(); ++i)
        {
          u[i] += relaxation * x[i] + (1 - relaxation) * old_z[i];
          z[i] = u[i];
        }
      for (unsigned int c = 0; c < cones.size(); ++c)
        cones[c].project(&z[problem.points[c].first]);
      for (unsigned int i = 0; i < problem.size(); ++i)
        u[i] -= z[i];
      return true;
    }



    double
    Splitting::residual()
    {
      for (unsigned int i = 0; i < problem.size(); ++i)
        lambda[i] = scale[i] * z[i];
      blocks.project(lambda);
      blocks.velocities(lambda, xi);
      return blocks.residual(lambda, xi);
    }



    void
    Splitting::balance()
    {
      double impulse = 0, velocity = 0, largest_z = 0, largest_u = 0;
      for (unsigned int i = 0; i < problem.size(); ++i)
        {
          impulse += (x[i] - z[i]) * (x[i] - z[i]);
          velocity += (z[i] - old_z[i]) * (z[i] - old_z[i]);
          largest_z += z[i] * z[i];
          largest_u += u[i] * u[i];
        }
      const double ratio =
        std::sqrt(std::sqrt(impulse * largest_u / (velocity * largest_z)));
      if (!std::isfinite(ratio) || (ratio < 3 && ratio > 1 / 3.))
        return;
      const double factor = std::clamp(ratio, 0.01, 100.);
      rho *= factor;
      for (double &entry : u)
        entry /= factor;
      is_factorized = false;
    }



    unsigned int
    Admm::run(const ContactProblem &problem, Vector &lambda) const
    {
      GatheredProblem     gathered = gather(problem, lambda);
      const ContactBlocks blocks(problem.law, gathered);
      Splitting           iteration(gathered, blocks, parameters.relaxation);
      unsigned int        n_iterations = 0, next_balance = 20, mark = 0;
      double              marked = std::numeric_limits<double>::infinity();
      while (n_iterations < parameters.maximum_iterations &&
             iteration.advance())
        {
          ++n_iterations;
          const double residual = iteration.residual();
          if (residual <= 0.1 * tolerance)
            break;
          if (residual < 0.5 * marked)
            {
              marked = residual;
              mark   = n_iterations;
            }
          else if (n_iterations > mark + 200)
            {
              iteration.calm();
              mark = n_iterations;
            }
          if (n_iterations == next_balance)
            {
              iteration.balance();
              next_balance += next_balance / 2;
            }
        }
      gathered.lambda = iteration.impulses();
      blocks.polish(tolerance, gathered.lambda);
      scatter(gathered, problem, lambda);
      return n_iterations;
    }

    const Registration<ContactSolver, Admm>
      registration("admm",
                   "alternating directions with one factorisation; friction "
                   "in the plane and in space");
  } // namespace
} // namespace Percuss
