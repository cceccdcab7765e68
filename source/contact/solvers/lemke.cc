// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_blocks.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/contact/linear_complementarity.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace Percuss
{
  namespace
  {
    /// Lemke's complementary pivoting, see solve_by_lemke(): for 0 <= xi,
    /// lambda with xi = W lambda + b and W positive (semi)definite, symmetric
    /// or not.
    ///
    /// Planar friction is written with the two directions of sliding and a
    /// slack gamma = |xi_T| (Stewart, Trinkle, Int. J. Numer. Meth. Engng 39,
    /// 1996, with two directions):
    /// @f[ 0 \le \xi_N \perp \lambda_N \ge 0, \qquad
    ///     0 \le \gamma \pm \xi_T \perp \lambda_\pm \ge 0, \qquad
    ///     0 \le \mu\lambda_N - \lambda_+ - \lambda_- \perp \gamma \ge 0,
    ///     \qquad \lambda_T = \lambda_+ - \lambda_-. @f]
    /// The tableau is dense and each rank solves the same problem: for up to
    /// some hundred active contacts.
    class Lemke : public ContactSolver
    {
    public:
      struct Parameters
      {
        unsigned int maximum_pivots = 10000;

        void
        declare(ParameterSection &section)
        {
          section.add("maximum pivots",
                      maximum_pivots,
                      "More than this counts as failure",
                      1);
        }
      };

      Lemke(const Parameters &parameters, const Context &context)
        : ContactSolver("lemke",
                        {SolverNeeds::Form::matrix, false, 2, 1500},
                        context)
        , maximum_pivots(parameters.maximum_pivots)
      {}

    protected:
      unsigned int
      run(const ContactProblem &problem, Vector &lambda) const override;

    private:
      const unsigned int maximum_pivots;
    };



    /// The unknowns z of the linear complementarity problem. They and their
    /// conditions are scaled so that the diagonal of W becomes 1.
    struct Unknowns
    {
      Unknowns(const ContactLaw &law, const GatheredProblem &problem);

      /// A part of the impulse of a row: lambda_N, lambda_+ or lambda_-.
      struct Part
      {
        unsigned int row;
        double       sign, scale;
      };

      /// The slack of a contact with friction.
      struct Slack
      {
        unsigned int normal;   ///< part lambda_N; lambda_+, lambda_- follow
        double       friction; ///< for scaled impulses
      };

      unsigned int
      size() const
      {
        return static_cast<unsigned int>(parts.size() + slacks.size());
      }

      std::vector<Part>         parts;
      std::vector<Slack>        slacks;
      std::vector<unsigned int> part_start; ///< of each row
    };



    /// One over the root of the diagonal entry.
    double
    scale_of_row(const GatheredProblem &problem, const unsigned int row)
    {
      for (unsigned int k = problem.row_start[row];
           k < problem.row_start[row + 1];
           ++k)
        if (problem.columns[k] == row && problem.values[k] != 0)
          return 1 / std::sqrt(std::abs(problem.values[k]));
      return 1;
    }



    Unknowns::Unknowns(const ContactLaw &law, const GatheredProblem &problem)
    {
      for (const ContactPoint &point : problem.points)
        {
          const unsigned int row      = point.first;
          const unsigned int normal   = static_cast<unsigned int>(parts.size());
          const double       friction = law.friction(point);
          part_start.push_back(normal);
          const double scale = scale_of_row(problem, row);
          parts.push_back({row, 1., scale});
          for (unsigned int d = 1; d < point.n_directions; ++d)
            part_start.push_back(normal + 1);
          if (friction == 0)
            continue;
          const double tangential = scale_of_row(problem, row + 1);
          parts.push_back({row + 1, 1., tangential});
          parts.push_back({row + 1, -1., tangential});
          slacks.push_back({normal, friction * scale / tangential});
        }
      part_start.push_back(static_cast<unsigned int>(parts.size()));
    }



    LinearComplementarity
    complementarity(const Unknowns &unknowns, const GatheredProblem &problem)
    {
      LinearComplementarity result(unknowns.size());
      const auto n_parts = static_cast<unsigned int>(unknowns.parts.size());
      for (unsigned int i = 0; i < n_parts; ++i)
        {
          const auto [row, sign, scale] = unknowns.parts[i];
          for (unsigned int k = problem.row_start[row];
               k < problem.row_start[row + 1];
               ++k)
            for (unsigned int j = unknowns.part_start[problem.columns[k]];
                 j < unknowns.part_start[problem.columns[k] + 1];
                 ++j)
              result.at(i, j) = sign * unknowns.parts[j].sign * scale *
                                unknowns.parts[j].scale * problem.values[k];
          result.q[i] = sign * scale * problem.b[row];
        }
      for (unsigned int i = n_parts; i < unknowns.size(); ++i)
        {
          const auto &slack              = unknowns.slacks[i - n_parts];
          result.at(i, slack.normal)     = slack.friction;
          result.at(i, slack.normal + 1) = -1;
          result.at(i, slack.normal + 2) = -1;
          result.at(slack.normal + 1, i) = 1;
          result.at(slack.normal + 2, i) = 1;
        }
      return result;
    }



    /// Which entries of z are positive for lambda, as a guess.
    std::vector<double>
    guess(const Unknowns &unknowns, const std::vector<double> &lambda)
    {
      std::vector<double> z(unknowns.size());
      for (std::size_t i = 0; i < unknowns.parts.size(); ++i)
        {
          const auto [row, sign, scale] = unknowns.parts[i];
          z[i] = std::max(0., sign * lambda[row] / scale);
        }
      for (std::size_t i = 0; i < unknowns.slacks.size(); ++i)
        {
          // A contact slides where its friction is used up.
          const auto [normal, friction] = unknowns.slacks[i];
          if (z[normal] > 0 &&
              z[normal + 1] + z[normal + 2] > (1 - 1e-8) * friction * z[normal])
            z[unknowns.parts.size() + i] = 1;
        }
      return z;
    }



    void
    get_impulses(const Unknowns            &unknowns,
                 const std::vector<double> &z,
                 std::vector<double>       &lambda)
    {
      std::fill(lambda.begin(), lambda.end(), 0.);
      for (std::size_t i = 0; i < unknowns.parts.size(); ++i)
        {
          const auto [row, sign, scale] = unknowns.parts[i];
          lambda[row] += sign * scale * z[i];
        }
    }



    unsigned int
    Lemke::run(const ContactProblem &problem, Vector &lambda) const
    {
      GatheredProblem     gathered = gather(problem, lambda);
      const ContactBlocks blocks(problem.law, gathered);
      const Unknowns      unknowns(problem.law, gathered);
      std::vector<double> z        = guess(unknowns, gathered.lambda);
      unsigned int        n_pivots = 0;
      for (bool is_last = false; !is_last;)
        {
          // With friction a wrong guess may lead to a ray where zero does not.
          is_last = std::all_of(z.begin(), z.end(), [](const double value) {
            return value == 0;
          });
          LinearComplementarity system = complementarity(unknowns, gathered);
          n_pivots += solve_by_lemke(system, maximum_pivots, z);
          get_impulses(unknowns, z, gathered.lambda);
          // Where W is nearly singular, round-off of the pivots is left.
          if (blocks.polish(tolerance, gathered.lambda) <= tolerance)
            break;
          std::fill(z.begin(), z.end(), 0.);
        }
      scatter(gathered, problem, lambda);
      return n_pivots;
    }

    const Registration<ContactSolver, Lemke>
      registration("lemke",
                   "complementary pivoting: exact, dense, for small numbers of "
                   "contacts; friction in the plane");
  } // namespace
} // namespace Percuss
