// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>

#include <gtest/gtest.h>

#include <functional>

#include "shared/rigid_bodies.h"
#include "tools.h"

// The solver `automatic` with stubs in the place of methods.

namespace Percuss::Test
{
  namespace
  {
    using Attempt =
      std::function<ContactReport(const ContactProblem &, Vector &)>;
    using Plugins = Registry<ContactSolver>;

    class Stub : public ContactSolver
    {
    public:
      Stub(const Context &context, const Attempt &answer)
        : ContactSolver("stub", SolverNeeds(), context)
        , answer(answer)
      {}

    protected:
      ContactReport
      attempt(const ContactProblem &problem, Vector &lambda) const override
      {
        return answer(problem, lambda);
      }

    private:
      const Attempt answer;
    };

    class StubBuilder : public Plugins::Builder
    {
    public:
      explicit StubBuilder(const Attempt &answer)
        : answer(answer)
      {}

      void
      declare(ParameterSection &) override
      {}

      std::unique_ptr<ContactSolver>
      build(const ContactSolver::Context &context) const override
      {
        return std::make_unique<Stub>(context, answer);
      }

    private:
      const Attempt answer;
    };

    /// All methods but `automatic`, of which this object replaces some as long
    /// as it lives.
    class Replacements
    {
    public:
      Replacements()
        : before(Plugins::plugins())
      {}
      ~Replacements()
      {
        Plugins::plugins() = before;
      }

      void
      replace(const std::string &name, const Attempt &answer)
      {
        Plugins::plugins().at(name).make_builder = [answer]() {
          return std::make_unique<StubBuilder>(answer);
        };
      }

      void
      replace_all(const Attempt &answer)
      {
        for (const std::string &name : Plugins::names())
          if (name != "automatic")
            replace(name, answer);
      }

    private:
      const std::map<std::string, Plugins::Plugin> before;
    };



    Attempt
    thrower(const ExitCode code = ExitCode::solver)
    {
      return [code](const ContactProblem &, Vector &lambda) -> ContactReport {
        lambda = std::nan("");
        throw Error(code, "the stub fails");
      };
    }

    std::unique_ptr<ContactSolver>
    automatic(const double tolerance = 1e-10)
    {
      return Plugins::plugins()
        .at("automatic")
        .make_builder()
        ->build({tolerance});
    }

    /// Two masses that hit a wall each with 1 m/s.
    struct TwoMasses
    {
      explicit TwoMasses(const unsigned int n = 2)
        : bodies(n)
      {
        for (unsigned int i = 0; i < n; ++i)
          {
            std::vector<double> row(n);
            row[i] = 1;
            bodies.add({row}, 0);
            bodies.v[i] = -1;
          }
        bodies.complete();
        law = Settings().law.build({});
        lambda.reinit(bodies.partition);
      }

      ContactReport
      solve(const ContactSolver &solver)
      {
        return solver.solve(bodies.problem(*law), lambda);
      }

      RigidBodies                 bodies;
      std::unique_ptr<ContactLaw> law;
      Vector                      lambda;
    };



    TEST(Automatic, GoesOnAfterAMethodThatThrows)
    {
      Replacements methods;
      methods.replace("lemke", thrower());
      const auto solver = automatic();
      TwoMasses  masses;
      EXPECT_TRUE(masses.solve(*solver).converged);
      EXPECT_NEAR(masses.lambda(0), 1, 1e-9);
      EXPECT_EQ(solver->description(), "automatic: lemke failed 1, newton 1");
    }

    TEST(Automatic, ReportsTheBestAnswerWhereOthersThrow)
    {
      Replacements methods;
      methods.replace_all(thrower());
      methods.replace("newton", [](const ContactProblem &, Vector &lambda) {
        lambda(0) = 5;
        return ContactReport{false, 7, 0.25};
      });
      TwoMasses  masses;
      const auto report = masses.solve(*automatic());
      EXPECT_FALSE(report.converged);
      EXPECT_EQ(report.n_iterations, 7u);
      EXPECT_EQ(report.residual, 0.25);
      EXPECT_EQ(masses.lambda(0), 5);
    }

    TEST(Automatic, ThrowsWhereNoMethodHasAnAnswer)
    {
      Replacements methods;
      methods.replace_all(thrower());
      TwoMasses masses;
      masses.lambda(0) = 3;
      try
        {
          const auto report = masses.solve(*automatic());
          FAIL() << "no error, residual " << report.residual;
        }
      catch (const Error &error)
        {
          EXPECT_EQ(error.code, ExitCode::solver);
          EXPECT_STREQ(error.what(), "the stub fails");
        }
      EXPECT_EQ(masses.lambda(0), 3);
    }

    // A wrong input is not the failure of a method.
    TEST(Automatic, LetsOtherErrorsPass)
    {
      Replacements methods;
      methods.replace("lemke", thrower(ExitCode::usage));
      TwoMasses masses;
      EXPECT_THROW((void)masses.solve(*automatic()), Error);
    }

    // No certificate is as good as zero: after the exact solution of one
    // contact the methods start from the guess of the caller.
    TEST(Automatic, StartsFromTheGuessAfterASingleContact)
    {
      Replacements methods;
      double       seen = 0;
      methods.replace("lemke", [&](const ContactProblem &, Vector &lambda) {
        seen = lambda(0);
        return ContactReport();
      });
      TwoMasses one(1);
      one.lambda(0) = 0.125;
      EXPECT_TRUE(one.solve(*automatic(0)).converged);
      EXPECT_EQ(seen, 0.125);
    }
  } // namespace
} // namespace Percuss::Test
