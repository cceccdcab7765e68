// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "formula_functions.h"

#include <cmath>
#include <deque>
#include <limits>
#include <stdexcept>

namespace Percuss::Symbolic
{
  namespace
  {
    using GiNaC::ex;
    using GiNaC::ex_to;
    using GiNaC::function_options;
    using GiNaC::is_a;
    using GiNaC::numeric;
    using GiNaC::symbol;

    bool
    is_even_power(const ex &e)
    {
      return is_a<GiNaC::power>(e) && is_a<numeric>(e.op(1)) &&
             ex_to<numeric>(e.op(1)).is_even();
    }

    /// Whether it is a product of even powers and positive numbers.
    bool
    is_even_product(const ex &e)
    {
      if (!is_a<GiNaC::mul>(e))
        return false;
      for (const ex factor : e)
        if (!is_even_power(factor) && !factor.info(GiNaC::info_flags::positive))
          return false;
      return true;
    }

    /// The number c of c*x, which GiNaC stores last, or 1.
    numeric
    coefficient(const ex &e)
    {
      if (is_a<GiNaC::mul>(e) && is_a<numeric>(e.op(e.nops() - 1)))
        return ex_to<numeric>(e.op(e.nops() - 1));
      return 1;
    }

    double
    sign(const double x)
    {
      return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x;
    }

    unsigned int
    sign_serial();

    unsigned int
    abs_serial();

    ex
    sign_eval(const ex &x)
    {
      if (is_a<numeric>(x))
        return ex_to<numeric>(x).csgn();
      const numeric c = coefficient(x);
      if (c != 1)
        return c.csgn() * ex(GiNaC::function(sign_serial(), x / c));
      return GiNaC::function(sign_serial(), x).hold();
    }

    ex
    sign_derivative(const ex &, unsigned int)
    {
      return 0;
    }

    unsigned int
    sign_serial()
    {
      static const unsigned int serial =
        GiNaC::function::register_new(function_options("percuss_sign", 1)
                                        .eval_func(sign_eval)
                                        .derivative_func(sign_derivative));
      return serial;
    }

    ex
    abs_eval(const ex &x)
    {
      if (is_a<numeric>(x))
        return GiNaC::abs(ex_to<numeric>(x));
      if (is_even_power(x) || GiNaC::is_the_function<GiNaC::exp_SERIAL>(x) ||
          (is_a<GiNaC::function>(x) &&
           ex_to<GiNaC::function>(x).get_serial() == abs_serial()))
        return x;
      const numeric c = coefficient(x);
      if (c != 1)
        return GiNaC::abs(c) * ex(GiNaC::function(abs_serial(), x / c));
      return GiNaC::function(abs_serial(), x).hold();
    }

    ex
    abs_derivative(const ex &x, unsigned int)
    {
      return GiNaC::function(sign_serial(), x);
    }

    /// |x|^n = x^n for even n.
    ex
    abs_power(const ex &x, const ex &n)
    {
      if (is_a<numeric>(n) && ex_to<numeric>(n).is_even())
        return GiNaC::pow(x, n);
      return GiNaC::power(GiNaC::function(abs_serial(), x), n).hold();
    }

    unsigned int
    abs_serial()
    {
      static const unsigned int serial =
        GiNaC::function::register_new(function_options("percuss_abs", 1)
                                        .eval_func(abs_eval)
                                        .derivative_func(abs_derivative)
                                        .power_func(abs_power));
      return serial;
    }

    unsigned int
    ln_serial();

    /// GiNaC's own would be complex for negative numbers.
    ex
    ln_eval(const ex &x)
    {
      if (x.is_equal(1))
        return 0;
      if (GiNaC::is_the_function<GiNaC::exp_SERIAL>(x))
        return x.op(0);
      return GiNaC::function(ln_serial(), x).hold();
    }

    ex
    ln_derivative(const ex &x, unsigned int)
    {
      return 1 / x;
    }

    unsigned int
    ln_serial()
    {
      static const unsigned int serial =
        GiNaC::function::register_new(function_options("percuss_ln", 1)
                                        .eval_func(ln_eval)
                                        .derivative_func(ln_derivative));
      return serial;
    }

    /// GiNaC handles integers and halves. It would raise a factor of the base
    /// to any power exactly, though, with as many digits as that takes, or
    /// leave it as a root.
    bool
    is_left_to_ginac(const ex &exponent)
    {
      if (!is_a<numeric>(exponent))
        return false;
      const numeric &n = ex_to<numeric>(exponent);
      return (n * 2).is_integer() && GiNaC::abs(n) <= 16;
    }

    ex
    power_eval(const ex &u, const ex &v)
    {
      if (is_left_to_ginac(v))
        return GiNaC::pow(u, v);
      return GiNaC::function(power_serial(), u, v).hold();
    }

    /// (u^v)' = v u^(v-1) u' + u^v ln(u) v'. 0^v is zero where it is finite.
    ex
    power_derivative(const ex &u, const ex &v, const symbol &x)
    {
      if (u.is_zero())
        return 0;
      const ex du     = u.diff(x);
      const ex dv     = v.diff(x);
      ex       result = 0;
      if (!du.is_zero())
        result += v * power(u, v - 1) * du;
      if (!dv.is_zero())
        result += power(u, v) * GiNaC::function(ln_serial(), u) * dv;
      return result;
    }

    ex
    arc_tangent_derivative(const ex &y, const ex &x, const symbol &s)
    {
      return (y.diff(s) * x - y * x.diff(s)) / (x * x + y * y);
    }

    ex
    choice_eval(const ex &a, const ex &b, const ex &c, const ex &d)
    {
      const ex difference = a - b;
      if (is_a<numeric>(difference))
        return ex_to<numeric>(difference).is_positive() ? d : c;
      if (c.is_equal(d))
        return c;
      return GiNaC::function(choice_serial(), a, b, c, d).hold();
    }

    ex
    choice_derivative(const ex     &a,
                      const ex     &b,
                      const ex     &c,
                      const ex     &d,
                      const symbol &x)
    {
      return choice(a, b, c.diff(x), d.diff(x));
    }
  } // namespace



  const ex &
  variable(const unsigned int number)
  {
    static std::deque<ex> variables;
    while (variables.size() <= number)
      variables.emplace_back(
        GiNaC::realsymbol("x" + std::to_string(variables.size())));
    return variables[number];
  }



  numeric
  exact(const double number)
  {
    if (!std::isfinite(number))
      throw std::invalid_argument("it is no finite number");
    int          exponent;
    const double mantissa = std::ldexp(std::frexp(number, &exponent),
                                       std::numeric_limits<double>::digits);
    return numeric(static_cast<long>(mantissa)) *
           numeric(2).power(
             numeric(exponent - std::numeric_limits<double>::digits));
  }



  double
  rounded(const numeric &number)
  {
    double result = number.to_double();
    if (result == 0 && !number.is_zero())
      {
        // The conversion has no subnormal numbers.
        const int shift = 200;
        result = (number * numeric(2).power(numeric(shift))).to_double();
        result = std::ldexp(result, -shift);
      }
    if (!std::isfinite(result) || (result == 0 && !number.is_zero()))
      throw std::invalid_argument("a coefficient is beyond the range of "
                                  "numbers, 1e-308 to 1e308");
    return result;
  }



  const std::vector<Function> &
  functions()
  {
    static const std::vector<Function> all = {
      {"sin", std::sin, GiNaC::sin_SERIAL::serial},
      {"cos", std::cos, GiNaC::cos_SERIAL::serial},
      {"tan", std::tan, GiNaC::tan_SERIAL::serial},
      {"asin", std::asin, GiNaC::asin_SERIAL::serial},
      {"acos", std::acos, GiNaC::acos_SERIAL::serial},
      {"atan", std::atan, GiNaC::atan_SERIAL::serial},
      {"sinh", std::sinh, GiNaC::sinh_SERIAL::serial},
      {"cosh", std::cosh, GiNaC::cosh_SERIAL::serial},
      {"tanh", std::tanh, GiNaC::tanh_SERIAL::serial},
      {"asinh", std::asinh, GiNaC::asinh_SERIAL::serial},
      {"acosh", std::acosh, GiNaC::acosh_SERIAL::serial},
      {"atanh", std::atanh, GiNaC::atanh_SERIAL::serial},
      {"exp", std::exp, GiNaC::exp_SERIAL::serial},
      {"ln", std::log, ln_serial()},
      {"log2", std::log2, ln_serial(), 1 / std::log(2.)},
      {"log10", std::log10, ln_serial(), 1 / std::log(10.)},
      {"abs", std::fabs, abs_serial()},
      {"sign", sign, sign_serial()}};
    return all;
  }



  ex
  function_of(const Function &function, const ex &argument)
  {
    if (is_a<numeric>(argument))
      return exact(function.evaluate(rounded(ex_to<numeric>(argument))));
    return exact(function.factor) *
           ex(GiNaC::function(function.serial, argument));
  }



  ex
  power(const ex &base, const ex &exponent)
  {
    if (is_a<numeric>(base) && is_a<numeric>(exponent))
      {
        const double x = rounded(ex_to<numeric>(base));
        const double y = rounded(ex_to<numeric>(exponent));
        // 3^-1 shall be 1/3, which no double is.
        if (y < 0 && ex_to<numeric>(exponent).is_integer() && x != 0)
          return 1 / exact(std::pow(x, -y));
        return exact(std::pow(x, y));
      }
    // (u^2)^(1/2) = |u|, (4 u^2)^(1/2) = 2 |u|
    const bool is_root =
      is_a<numeric>(exponent) && !exponent.info(GiNaC::info_flags::integer);
    if (is_root && is_even_power(base))
      return power(GiNaC::function(abs_serial(), base.op(0)),
                   base.op(1) * exponent);
    if (is_root && is_even_product(base))
      {
        ex product = 1;
        for (const ex factor : base)
          product *= power(factor, exponent);
        return product;
      }
    return GiNaC::function(power_serial(), base, exponent);
  }



  ex
  arc_tangent(const ex &y, const ex &x)
  {
    if (is_a<numeric>(x) && is_a<numeric>(y))
      return exact(
        std::atan2(rounded(ex_to<numeric>(y)), rounded(ex_to<numeric>(x))));
    return GiNaC::function(arc_tangent_serial(), y, x);
  }



  ex
  choice(const ex &a, const ex &b, const ex &c, const ex &d)
  {
    return GiNaC::function(choice_serial(), a, b, c, d);
  }



  unsigned int
  power_serial()
  {
    static const unsigned int serial =
      GiNaC::function::register_new(function_options("percuss_power", 2)
                                      .eval_func(power_eval)
                                      .expl_derivative_func(power_derivative));
    return serial;
  }



  unsigned int
  arc_tangent_serial()
  {
    static const unsigned int serial = GiNaC::function::register_new(
      function_options("percuss_atan2", 2)
        .expl_derivative_func(arc_tangent_derivative));
    return serial;
  }



  unsigned int
  choice_serial()
  {
    static const unsigned int serial =
      GiNaC::function::register_new(function_options("percuss_choice", 4)
                                      .eval_func(choice_eval)
                                      .expl_derivative_func(choice_derivative));
    return serial;
  }
} // namespace Percuss::Symbolic
