// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/formula.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

// Interval arithmetic of compiled formulas.

namespace Percuss::Test
{
  namespace
  {
    FormulaNames
    names()
    {
      FormulaNames result;
      result.add_variable("x");
      result.add_variable("y");
      return result;
    }

    ValueRange
    bound(const std::string &text, const ValueRange &x, const ValueRange &y)
    {
      const ValueRange       variables[] = {x, y};
      ValueRange             result{};
      const CompiledFormulas compiled({Formula(text, names())}, names());
      compiled.bound(variables, &result);
      return result;
    }

    /// Values at random places of random boxes are within.
    TEST(FormulaBounds, HoldAllValues)
    {
      std::mt19937                           engine(7);
      std::uniform_real_distribution<double> random(-2, 2), part(0, 1);
      for (const std::string text : {"x*y + x - 2*y",
                                     "x/y",
                                     "x^2 + 2*y^2 - 0.3",
                                     "sqrt(x^2 + y^2)",
                                     "x^3 - y^4",
                                     "abs(x) - y",
                                     "sin(3*x)*cos(y)",
                                     "exp(x - y^2)",
                                     "min(x, y) + max(x*y, 0.3)",
                                     "sqrt(x)",
                                     "ln(x^2 + 1)",
                                     "atan(x) - tanh(y)",
                                     "atan2(y, x)",
                                     "x^(-2)",
                                     "abs(x)^1.5 + y^(-3)",
                                     "step(x - y)*x - y",
                                     "sinh(x)",
                                     "cosh(x)*asinh(y)",
                                     "log10(1 + x^2)*tan(y)",
                                     "sign(x)*x",
                                     "(x + y)^5/(1 + x^2)"})
        {
          const CompiledFormulas compiled({Formula(text, names())}, names());
          for (unsigned int i = 0; i < 100; ++i)
            {
              ValueRange box[2], result{};
              for (ValueRange &side : box)
                {
                  side.lower = random(engine);
                  side.upper = side.lower + part(engine) * part(engine);
                }
              compiled.bound(box, &result);
              for (unsigned int k = 0; k < 50; ++k)
                {
                  double at[2], value = 0;
                  for (unsigned int d = 0; d < 2; ++d)
                    at[d] =
                      box[d].lower + (k < 4 ? (k >> d & 1u) : part(engine)) *
                                       (box[d].upper - box[d].lower);
                  compiled.evaluate(at, &value);
                  if (!std::isfinite(value))
                    continue;
                  const double round_off = 1e-13 * (1 + std::abs(value));
                  EXPECT_GE(value, result.lower - round_off) << text;
                  EXPECT_LE(value, result.upper + round_off) << text;
                }
            }
        }
    }

    /// Not wider than they have to be where each variable comes once.
    TEST(FormulaBounds, AreNarrow)
    {
      const ValueRange squares = bound("x^2 + 2*y^2", {-1, 2}, {-3, -1});
      EXPECT_NEAR(squares.lower, 2, 1e-14);
      EXPECT_NEAR(squares.upper, 22, 1e-14);
      const ValueRange root = bound("sqrt(x^2 + y^2) - 0.3", {3, 6}, {4, 8});
      EXPECT_NEAR(root.lower, 4.7, 1e-14);
      EXPECT_NEAR(root.upper, 9.7, 1e-14);
      const ValueRange quotient = bound("x/y", {-1, 2}, {2, 4});
      EXPECT_NEAR(quotient.lower, -0.5, 1e-14);
      EXPECT_NEAR(quotient.upper, 1, 1e-14);
      EXPECT_EQ(bound("exp(x)", {0, 1}, {0, 0}).lower, 1);
      EXPECT_EQ(bound("max(x, y)", {0, 1}, {2, 3}).lower, 2);
    }
  } // namespace
} // namespace Percuss::Test
