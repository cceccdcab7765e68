// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/expression.h>
#include <percuss/base/formula.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>

namespace Percuss::Test
{
  namespace
  {
    /// Three variables and two constants.
    FormulaNames
    names()
    {
      FormulaNames result;
      result.add_variable("x");
      result.add_variable("y'");
      result.add_variable("phi");
      result.add_constant("k", 0.1);
      result.add_constant("zero", 0);
      return result;
    }

    double
    value_of(const Formula &formula, const std::vector<double> &variables)
    {
      double result = 0;
      CompiledFormulas({formula}, names()).evaluate(variables.data(), &result);
      return result;
    }

    std::string
    message_of(const std::function<void()> &action)
    {
      try
        {
          action();
        }
      catch (const std::invalid_argument &error)
        {
          return error.what();
        }
      return "";
    }

    struct Sample
    {
      std::string                                   text;
      std::function<double(double, double, double)> f;
    };

    double
    sign(const double x)
    {
      return (x > 0) - (x < 0);
    }

    /// Formulas and what they mean.
    const std::vector<Sample> samples = {
      {"x + 2*y' - phi/3",
       [](double x, double y, double p) { return x + 2 * y - p / 3; }},
      {"-x^2 + k*x^3*y'",
       [](double x, double y, double) { return -x * x + 0.1 * x * x * x * y; }},
      {"1/(0.1*x + 3*y' + 7)^2",
       [](double x, double y, double) {
         return std::pow(0.1 * x + 3 * y + 7, -2);
       }},
      {"1/(1 + x^2)^3/(y'^2 + 0.3)",
       [](double x, double y, double) {
         return std::pow(1 + x * x, -3) / (y * y + 0.3);
       }},
      {"(x - y')/(y' - x - 9)",
       [](double x, double y, double) { return (x - y) / (y - x - 9); }},
      {"x^20 + x^-17",
       [](double x, double, double) {
         return std::pow(x, 20) + std::pow(x, -17);
       }},
      {"(2*x)^10*(3*y'-1)^4",
       [](double x, double y, double) {
         return std::pow(2 * x, 10) * std::pow(3 * y - 1, 4);
       }},
      {"sqrt(x^2)", [](double x, double, double) { return std::fabs(x); }},
      {"sqrt(4*x^2*y'^4)",
       [](double x, double y, double) { return 2 * std::fabs(x) * y * y; }},
      {"(x^2)^0.3",
       [](double x, double, double) { return std::pow(x * x, 0.3); }},
      {"(x^4)^(3/4)",
       [](double x, double, double) { return std::pow(std::fabs(x), 3); }},
      {"sqrt(x^2 + y'^2)",
       [](double x, double y, double) { return std::hypot(x, y); }},
      {"(3 - 0.7*x)^1.5",
       [](double x, double, double) { return std::pow(3 - 0.7 * x, 1.5); }},
      {"sqrt(0.1*abs(x))*sqrt(10 - 2*x)",
       [](double x, double, double) {
         return std::sqrt(0.1 * std::fabs(x)) * std::sqrt(10 - 2 * x);
       }},
      {"(2 + sin(x))^y'",
       [](double x, double y, double) { return std::pow(2 + std::sin(x), y); }},
      {"2^x + e^y' + k^phi",
       [](double x, double y, double p) {
         return std::pow(2, x) + std::exp(y) + std::pow(0.1, p);
       }},
      {"x*sin(phi)*cos(phi)/tan(phi/4 + 0.5)",
       [](double x, double, double p) {
         return x * std::sin(p) * std::cos(p) / std::tan(p / 4 + 0.5);
       }},
      {"asin(x/4) + acos(y'/4)*atan(phi)",
       [](double x, double y, double p) {
         return std::asin(x / 4) + std::acos(y / 4) * std::atan(p);
       }},
      {"atan2(x, y') + atan2(phi, 2)",
       [](double x, double y, double p) {
         return std::atan2(x, y) + std::atan2(p, 2);
       }},
      {"sinh(x) + cosh(y')*tanh(phi)",
       [](double x, double y, double p) {
         return std::sinh(x) + std::cosh(y) * std::tanh(p);
       }},
      {"asinh(x) + acosh(4 + y') + atanh(phi/4)",
       [](double x, double y, double p) {
         return std::asinh(x) + std::acosh(4 + y) + std::atanh(p / 4);
       }},
      {"exp(-x^2) + ln(4 + y') + log10(4 + phi) + log2(4 + x)",
       [](double x, double y, double p) {
         return std::exp(-x * x) + std::log(4 + y) + std::log10(4 + p) +
                std::log2(4 + x);
       }},
      {"ln(exp(x*y')) + exp(ln(phi^2))",
       [](double x, double y, double p) { return x * y + p * p; }},
      {"asin(sin(x)) + cos(asin(y'/4))",
       [](double x, double y, double) {
         return std::asin(std::sin(x)) + std::cos(std::asin(y / 4));
       }},
      {"abs(x - y')*abs(-3*phi)",
       [](double x, double y, double p) {
         return std::fabs(x - y) * std::fabs(3 * p);
       }},
      {"abs(x)^3*sign(-2*y')",
       [](double x, double y, double) {
         return -std::fabs(x * x * x) * sign(y);
       }},
      {"min(x, y')*max(phi, 2*x, 0.1)",
       [](double x, double y, double p) {
         return std::min(x, y) * std::max({p, 2 * x, 0.1});
       }},
      {"step(x - 0.2)*x^2",
       [](double x, double, double) { return x >= 0.2 ? x * x : 0; }},
      {"cos(pi*x) + zero*ln(y')",
       [](double x, double, double) { return std::cos(M_PI * x); }}};

    std::vector<std::vector<double>>
    random_points()
    {
      std::mt19937                           generator(7);
      std::uniform_real_distribution<double> distribution(-3, 3);
      std::vector<std::vector<double>>       points(50, std::vector<double>(3));
      for (auto &point : points)
        for (double &x : point)
          x = distribution(generator);
      return points;
    }

    TEST(Formula, MeansWhatItSays)
    {
      for (const Sample &sample : samples)
        {
          const Formula formula(sample.text, names());
          for (const auto &p : random_points())
            {
              const double expected = sample.f(p[0], p[1], p[2]);
              EXPECT_NEAR(value_of(formula, p),
                          expected,
                          1e-13 * (1 + std::fabs(expected)))
                << sample.text;
            }
        }
    }

    /// A central difference of order 8.
    double
    difference(const Sample       &sample,
               std::vector<double> p,
               const unsigned int  i)
    {
      const double weights[] = {4 / 5., -1 / 5., 4 / 105., -1 / 280.};
      const double h = 2e-3, middle = p[i];
      double       sum = 0;
      for (int k = 1; k <= 4; ++k)
        for (const int s : {-1, 1})
          {
            p[i] = middle + s * k * h;
            sum += s * weights[k - 1] * sample.f(p[0], p[1], p[2]);
          }
      return sum / h;
    }

    TEST(Formula, DerivativesAreThoseOfDifferences)
    {
      unsigned int n_compared = 0;
      for (const Sample &sample : samples)
        {
          const Formula formula(sample.text, names());
          for (unsigned int i = 0; i < 3; ++i)
            {
              const Formula derivative = formula.derivative(i);
              for (const auto &p : random_points())
                {
                  // Away from kinks and from poles, which differences do not
                  // resolve.
                  bool is_smooth = std::fabs(p[i]) > 0.5;
                  for (const double other : {p[0] - p[1],
                                             p[2] - 2 * p[0],
                                             2 * p[0] - 0.1,
                                             p[0] - 0.2,
                                             p[2] - 0.1,
                                             std::fabs(p[0]) - M_PI / 2,
                                             3 - std::fabs(p[0]),
                                             3 - std::fabs(p[1]),
                                             p[2] / 4 + 0.5,
                                             p[0],
                                             p[1],
                                             0.1 * p[0] + 3 * p[1] + 7,
                                             3 - std::fabs(p[2]),
                                             p[1] - p[0] - 9})
                    is_smooth = is_smooth && std::fabs(other) > 0.1;
                  if (!is_smooth)
                    continue;
                  const double expected = difference(sample, p, i);
                  const double f        = std::fabs(sample.f(p[0], p[1], p[2]));
                  EXPECT_NEAR(value_of(derivative, p),
                              expected,
                              1e-9 * (1 + f + std::fabs(expected)))
                    << sample.text << " by variable " << i << " at " << p[0]
                    << ' ' << p[1] << ' ' << p[2];
                  ++n_compared;
                }
            }
        }
      EXPECT_GT(n_compared, 1000u);
    }

    TEST(Formula, HasThePrecedenceOfExpressions)
    {
      for (const std::string text : {"-2^2",
                                     "2^3^2",
                                     "2^-2",
                                     "2^-3^2",
                                     "-2^-2",
                                     "2*-3",
                                     "1--1",
                                     "2/3/4",
                                     "2/3*4",
                                     "2-3-4",
                                     "-2*-3",
                                     "1-2*3^2/4",
                                     "(1-2)*(3^2)/4",
                                     "+3",
                                     ".5",
                                     "5.",
                                     "1e3",
                                     "1E-3",
                                     "8^(1/3)",
                                     "0^0",
                                     "-x^2",
                                     "(-x)^2",
                                     "x^2^x",
                                     "-x*x",
                                     "2^-x",
                                     "min(1, 2)",
                                     "max(1, 2, 3)",
                                     "sign(-3)*abs(-2)",
                                     "atan2(1, -2)",
                                     "ln(e^2)*pi",
                                     "log2(8) + log10(1000)",
                                     "1/x/x",
                                     "x-x/x"})
        {
          const Formula    formula(text, names());
          const Expression expression(text, {"x"});
          EXPECT_DOUBLE_EQ(value_of(formula, {1.7, 0, 0}), expression(1.7))
            << text;
        }
    }

    TEST(Formula, KeepsNumbersBitForBit)
    {
      std::mt19937_64                        generator(3);
      std::uniform_real_distribution<double> mantissa(-1, 1);
      std::uniform_int_distribution<int>     exponent(-1070, 1020);
      for (int i = 0; i < 1000; ++i)
        {
          const double number =
            std::ldexp(mantissa(generator), exponent(generator));
          EXPECT_EQ(Formula(number).value(), number);
          FormulaNames n;
          n.add_variable("x");
          n.add_constant("c", number);
          double one = 1, result = 0;
          CompiledFormulas({Formula("c*x", n)}, n).evaluate(&one, &result);
          EXPECT_EQ(result, number);
        }
      EXPECT_EQ(Formula("0.1", names()).value(), 0.1);
      EXPECT_EQ(Formula("1/3", names()).value(), 1 / 3.);
      EXPECT_EQ(Formula("1e-300", names()).value(), 1e-300);
      EXPECT_EQ(value_of(Formula("1/(x^2 + 1e-300)", names()), {2, 0, 0}),
                0.25);
      EXPECT_EQ(value_of(Formula("1/(x + 0.1)", names()), {0, 0, 0}), 1 / 0.1);
    }

    TEST(Formula, SeesWhatVanishes)
    {
      const auto formula = [](const std::string &text) {
        return Formula(text, names());
      };
      EXPECT_TRUE(Formula().is_zero());
      EXPECT_TRUE(formula("zero*sin(x)").is_zero());
      EXPECT_TRUE(formula("x*y' - y'*x").is_zero());
      EXPECT_TRUE(formula("0.5*x - x/2").is_zero());
      EXPECT_TRUE(formula("k*x").derivative(0).derivative(0).is_zero());
      EXPECT_TRUE(formula("sign(x) + step(x)").derivative(0).is_zero());
      EXPECT_TRUE(formula("sqrt(2)*sin(3) + k").is_constant());
      EXPECT_DOUBLE_EQ(formula("sqrt(2)*sin(3)").value(),
                       std::sqrt(2.) * std::sin(3.));
      EXPECT_DOUBLE_EQ(formula("sqrt(2*x)/sqrt(x)").value(), std::sqrt(2.));
      EXPECT_FALSE(formula("x").is_constant());
      EXPECT_TRUE(formula("sin(x*phi)").depends_on(2));
      EXPECT_FALSE(formula("sin(x*phi)").depends_on(1));
      EXPECT_FALSE(formula("phi + x - phi").depends_on(2));
    }

    TEST(Formula, KinksHaveFiniteDerivatives)
    {
      const auto slope_at_zero = [](const std::string &text) {
        return value_of(Formula(text, names()).derivative(0), {0, 0, 0});
      };
      EXPECT_EQ(slope_at_zero("abs(x)"), 0);
      EXPECT_EQ(slope_at_zero("sqrt(9*x^2)"), 0);
      EXPECT_EQ(slope_at_zero("sign(x)"), 0);
      EXPECT_EQ(slope_at_zero("x*abs(x)"), 0);
      EXPECT_EQ(slope_at_zero("min(x, 2*x)"), 1);
      EXPECT_EQ(slope_at_zero("max(x, 2*x)"), 2);
      EXPECT_EQ(slope_at_zero("max(3*x, sqrt(x) + 1)"),
                std::numeric_limits<double>::infinity());
      EXPECT_EQ(slope_at_zero("max(3*x + 1, sqrt(x))"), 3)
        << "the other argument's derivative is infinite";
      const double nan = std::nan("");
      EXPECT_TRUE(std::isnan(
        value_of(Formula("min(x, 1) + sign(x)", names()), {nan, 0, 0})));
      EXPECT_TRUE(
        std::isnan(value_of(Formula("max(1, x)", names()), {nan, 0, 0})));
      EXPECT_TRUE(std::isnan(value_of(Formula("ln(x)", names()), {-1, 0, 0})));
      EXPECT_TRUE(
        std::isnan(value_of(Formula("sqrt(x)", names()), {-1, 0, 0})));
    }

    TEST(Formula, CalculatesWithFormulas)
    {
      const Formula x = Formula::variable(0);
      Formula       f = 2 * x * x - x / 4 + 1;
      f -= -x;
      f *= Formula("y'", names());
      f /= 3;
      EXPECT_DOUBLE_EQ(value_of(f, {2, 5, 0}), (8 - 0.5 + 1 + 2) * 5 / 3);
      EXPECT_NE(message_of([&]() { f /= x - x; }), "");
      EXPECT_NE(message_of([]() { Formula(std::nan("")); }), "");
    }

    TEST(Formula, DoesNotDependOnTheOrderOfTerms)
    {
      const auto same = [](const std::string &a, const std::string &b) {
        const Formula f(a, names()), g(b, names());
        for (const auto &p : random_points())
          EXPECT_EQ(value_of(f, p), value_of(g, p)) << a << " and " << b;
        EXPECT_EQ(CompiledFormulas({f}, names()).n_operations(),
                  CompiledFormulas({f, g}, names()).n_operations())
          << a << " and " << b;
      };
      same("x*(2*y' - phi - sin(x)) + 0.3*phi + 0.7*y'",
           "0.7*y' + 0.3*phi - x*(phi - 2*y' + sin(x))");
      same("0.1*x + 0.7*y' + 0.3*phi + 1/3", "1/3 + 0.3*phi + 0.1*x + 0.7*y'");
      same("x*sin(y')*0.3*exp(phi)", "exp(phi)*0.3*sin(y')*x");
      same("1/(x - 0.3*y')", "-1/(0.3*y' - x)");
      same("phi/(0.3*x - 9*y')^3", "-phi/(9*y' - 0.3*x)^3");
      same("sin(x/(3*x + 0.9*phi)) + 1/(y' - x)",
           "-1/(x - y') + sin(x/(0.9*phi + 3*x))");
    }

    /// GiNaC takes signs and factors out of sums in an order that changes from
    /// run to run. Where that shows, so does the number of operations.
    TEST(CompiledFormulas, AreTheSameInEveryRun)
    {
      FormulaNames n;
      for (const std::string name : {"a", "b", "c", "a'", "b'", "c'"})
        n.add_variable(name);
      n.add_constant("l", 0.7);
      const Formula        T("(l*cos(a)*a')^2 + (l*sin(a)*a')^2"
                             "+ (l*cos(a)*a' + l*cos(b)*b')^2"
                             "+ (l*sin(a)*a' + l*sin(b)*b')^2"
                             "+ (l*cos(a)*a' + l*cos(b)*b' + l*cos(c)*c')^2"
                             "+ (l*sin(a)*a' + l*sin(b)*b' + l*sin(c)*c')^2",
                      n);
      std::vector<Formula> formulas;
      for (unsigned int i = 0; i < 3; ++i)
        {
          Formula h = -T.derivative(i);
          for (unsigned int j = 0; j < 3; ++j)
            h += T.derivative(3 + i).derivative(j) * Formula::variable(3 + j);
          for (unsigned int j = 0; j < 6; ++j)
            formulas.push_back(h.derivative(j));
        }
      EXPECT_EQ(CompiledFormulas(formulas, n).n_operations(), 229u)
        << "not what it was; see whether it changes from run to run";
    }

    TEST(CompiledFormulas, ShareWhatTheyHaveInCommon)
    {
      const Formula    f("exp(sin(x*y')) + phi", names());
      CompiledFormulas one({f}, names());
      CompiledFormulas both({f, f, 2 * f.derivative(2), f - 1}, names());
      EXPECT_EQ(one.n_operations(), 4u);
      EXPECT_EQ(both.n_operations(), 6u) << "f - 1 is another sum";
      const CompiledFormulas copy = both;
      both                        = CompiledFormulas();
      EXPECT_EQ(both.size(), 0u);
      ASSERT_EQ(copy.size(), 4u);
      const double x[] = {0.3, 0.2, 0.1};
      double       r[4];
      copy.evaluate(x, r);
      EXPECT_DOUBLE_EQ(r[0], std::exp(std::sin(0.06)) + 0.1);
      EXPECT_EQ(r[1], r[0]);
      EXPECT_EQ(r[2], 2);
      EXPECT_DOUBLE_EQ(r[3], r[0] - 1);
      // No 1/y and product, but one division.
      EXPECT_EQ(
        CompiledFormulas({Formula("x/y'", names())}, names()).n_operations(),
        1u);
      EXPECT_EQ(
        CompiledFormulas({Formula("3/y'", names())}, names()).n_operations(),
        1u);
      FormulaNames fewer;
      fewer.add_variable("x");
      EXPECT_NE(message_of([&]() { CompiledFormulas({f}, fewer); }), "");
    }

    TEST(FormulaNames, RefusesWhatIsNoName)
    {
      FormulaNames n   = names();
      const auto   add = [&n](const std::string &name) {
        return message_of([&]() { n.add_variable(name); });
      };
      EXPECT_EQ(add("x_1''"), "");
      EXPECT_EQ(n.n_variables(), 4u);
      EXPECT_EQ(n.variable_name(3), "x_1''");
      EXPECT_EQ(add("x"), "the name 'x' is used twice");
      EXPECT_EQ(add("k"), "the name 'k' is used twice");
      EXPECT_EQ(add("sin"), "'sin' is a function of all formulas");
      EXPECT_EQ(add("e"), "'e' is a constant of all formulas");
      for (const std::string name :
           {"", "1x", "a b", "a'b", "'", "a-b", "\u03c6"})
        EXPECT_NE(add(name).find("is no name"), std::string::npos) << name;
      EXPECT_EQ(message_of([&]() { n.add_constant("c", std::nan("")); }),
                "the constant 'c' is not finite");
    }

    TEST(Formula, ErrorsNameColumnAndReason)
    {
      const std::string comparison =
        "comparisons and conditions have no derivative; write it with min, max, "
        "abs, sign or step";
      const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "column 1: the formula is empty"},
        {" ", "column 1: the formula is empty"},
        {"x + 2*phj", "column 7: 'phj' is not known; did you mean 'phi'?"},
        {"y''", "column 1: 'y''' is not known; did you mean 'y''?"},
        {"x + ",
         "column 5: the formula ends where a number or a name is expected"},
        {"2*(x + sin(x)", "column 3: this '(' is not closed"},
        {"x) + 1", "column 2: this ')' closes no parenthesis"},
        {"()", "column 2: a number or a name is expected before ')'"},
        {"x + * 2", "column 5: a number or a name is expected before '*'"},
        {"2x", "column 2: an operator is missing before 'x'"},
        {"x 3", "column 3: an operator is missing before '3'"},
        {"2(x)", "column 2: an operator is missing before '('"},
        {"x(2)", "column 1: 'x' is no function; products need a '*'"},
        {"1 + sin",
         "column 5: the function 'sin' needs arguments in parentheses"},
        {"0,5*x",
         "column 2: unexpected ','; decimals are written with a point"},
        {"sin(0,5)",
         "column 1: 'sin' takes one argument, not 2; decimals are written with a point"},
        {"min(x)", "column 1: 'min' takes two arguments or more, not 1"},
        {"atan2(x)", "column 1: 'atan2' takes two arguments, not 1"},
        {"exp()", "column 1: 'exp' takes one argument, not 0"},
        {"log(x)", "column 1: 'log' is ambiguous; write ln or log10"},
        {"x = 3", "column 3: it assigns by '='"},
        {"x == 3", "column 3: " + comparison},
        {"x < 3", "column 3: " + comparison},
        {"x ? 1 : 2", "column 3: " + comparison},
        {"!x", "column 1: " + comparison},
        {"x**2", "column 2: powers are written with '^'"},
        {"x $ 2", "column 3: unexpected character '$'"},
        {"\u03c6 + x", "column 1: unexpected character '\u03c6'"},
        {"x\u00b7\u03c6", "column 2: unexpected character '\u00b7'"},
        {"x/(k - 0.1)", "column 2: division by zero"},
        {"x + sqrt(-1)", "column 5: this is no finite number"},
        {"ln(0)", "column 1: this is no finite number"},
        {"x*10^400", "column 5: this is no finite number"},
        {"2^1e9", "column 2: this is no finite number"},
        {"1e400", "column 1: the number is beyond the range 1e-308 to 1e308"},
        {"1e300*1e300*x",
         "column 1: a coefficient is beyond the range of numbers, 1e-308 to 1e308"}};
      for (const auto &[text, message] : cases)
        EXPECT_EQ(message_of([&text = text]() { Formula(text, names()); }),
                  message)
          << text;
      const std::string deep(100000, '(');
      EXPECT_NE(message_of([&]() { Formula(deep, names()); }), "");
      EXPECT_EQ(message_of([]() { Formula("(2*x)^1000000000", names()); }), "");
    }
  } // namespace
} // namespace Percuss::Test
