// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/contact/newton_iteration.h>
#include <percuss/contact/solver_parameters.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace Percuss
{
  namespace
  {
    /// Semismooth Newton method (Alart, Curnier, CMAME 92, 1991) for
    /// @f[ 0 = F(\lambda) = \lambda - \mathrm{proj}(\lambda - R\,\xi(\lambda))
    /// @f]
    /// with R from the diagonal of W. Each rank solves the same problem: for up
    /// to a thousand active contacts.
    class Newton : public ContactSolver
    {
    public:
      using Parameters = IterationParameters<200>;

      Newton(const Parameters &parameters, const Context &context)
        : ContactSolver("newton",
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



    class NaturalMap : public NewtonIteration
    {
    public:
      using NewtonIteration::NewtonIteration;

    protected:
      double
      set_minus_F(const std::vector<double> &at) override
      {
        return blocks.natural_map(1, at, xi, minus_F);
      }

      void
      assemble() override;
    };



    /// An element of the generalised derivative of the projection at z:
    /// with t = z_T / |z_T| and the radius mu z_N,
    /// @f[ \mathrm d\lambda_N = \mathrm dz_N, \qquad \mathrm d\lambda_T =
    ///     \mathrm dz_T \;\text{(inside)}, \quad \mu t\,\mathrm dz_N +
    ///     \frac{\mu z_N}{|z_T|}(I - t t^{\mathsf T})\,\mathrm dz_T
    ///     \;\text{(outside)}, @f]
    /// and zero for negative z_N.
    void
    differentiate_projection(const LocalContact &contact,
                             const double       *z,
                             double (&P)[3][3])
    {
      for (auto &row : P)
        std::fill_n(row, 3, 0.);
      if (z[0] <= 0)
        return;
      P[0][0]             = 1;
      const double mu     = contact.friction;
      double       length = 0;
      for (unsigned int d = 1; d < contact.n_directions; ++d)
        length = std::hypot(length, z[d]);
      const bool is_inside = mu > 0 && length <= mu * z[0];
      for (unsigned int d = 1; d < contact.n_directions; ++d)
        if (is_inside)
          P[d][d] = 1;
        else if (mu > 0)
          {
            const double factor = mu * z[0] / length;
            P[d][0]             = mu * z[d] / length;
            for (unsigned int e = 1; e < contact.n_directions; ++e)
              P[d][e] =
                factor * ((d == e ? 1 : 0) - z[d] / length * (z[e] / length));
          }
    }



    /// I - P (I - R W).
    void
    NaturalMap::assemble()
    {
      double              P[3][3], z[3];
      NewtonMatrix::Block C, B;
      matrix.clear();
      for (unsigned int c = 0; c < blocks.n_contacts(); ++c)
        {
          const unsigned int first = problem.points[c].first;
          const unsigned int n     = problem.points[c].n_directions;
          for (unsigned int d = 0; d < n; ++d)
            z[d] = lambda[first + d] - blocks.step(first + d) * xi[first + d];
          differentiate_projection(blocks.contact(c), z, P);
          for (unsigned int d = 0; d < n; ++d)
            for (unsigned int e = 0; e < n; ++e)
              {
                C[d][e] = (d == e ? 1 : 0) - P[d][e];
                B[d][e] = P[d][e] * blocks.step(first + e);
              }
          matrix.append(C, B);
        }
    }



    unsigned int
    Newton::run(const ContactProblem &problem, Vector &lambda) const
    {
      GatheredProblem     gathered = gather(problem, lambda);
      const ContactBlocks blocks(problem.law, gathered);
      NaturalMap          map(gathered, blocks);
      const unsigned int  n_iterations =
        map.run(parameters.maximum_iterations, tolerance);
      gathered.lambda = map.impulses();
      scatter(gathered, problem, lambda);
      return n_iterations;
    }

    const Registration<ContactSolver, Newton>
      registration("newton",
                   "semismooth Newton method, for up to a thousand contacts; "
                   "friction in the plane and in space");
  } // namespace
} // namespace Percuss
