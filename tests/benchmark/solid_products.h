// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "solid_block.h"

namespace Percuss::Test
{
  /// GB/s of an operation on long arrays, as in STREAM: @p n_arrays are read
  /// or written.
  template <typename Operation>
  double
  stream_speed(const unsigned int n_arrays, const Operation &operation)
  {
    const std::size_t         n = 16000000;
    const std::vector<double> x(n, 1.), y(n, 2.);
    std::vector<double>       to(n);
    const double              seconds = least(5, [&]() {
      const auto start = Clock::now();
      for (std::size_t i = 0; i < n; ++i)
        to[i] = operation(x[i], y[i]);
      return seconds_since(start) + 0 * to[n / 2];
    });
    return 8e-9 * static_cast<double>(n_arrays * n) / seconds;
  }

  inline double
  product_seconds(const SparseMatrix &A, const unsigned int n_tries)
  {
    Vector x(A.partition()), y(A.partition());
    for (unsigned int i = 0; i < x.size(); ++i)
      x(i) = std::sin(i + 1.);
    return least(5 * n_tries, [&]() {
      const auto start = Clock::now();
      A.multiply(x, y);
      return seconds_since(start);
    });
  }

  /// A cube of straight cells, or a ball, with curved ones but for those in
  /// its middle.
  struct Product
  {
    std::string  shape, form; ///< "matrix-free" or "assembled"
    unsigned int degree, n;   ///< cells along an edge, or refinements

    double
    n_cells() const
    {
      return shape == "cube" ? std::pow(n, 3) : 7 * std::pow(8, n);
    }

    Overrides
    overrides() const
    {
      Overrides all = SteelBlock{shape == "cube" ? n : 1, degree}.overrides();
      all.push_back("model/solid 3d/operator=" + form);
      if (shape == "ball")
        {
          const std::string block = "model/solid 3d/bodies/block/";
          all.push_back(block + "mesh=ball");
          all.push_back(block + "radius=1");
          all.push_back(block + "refinements=" + std::to_string(n));
          all.push_back("model/solid 3d/contacts/floor/on=block surface");
        }
      return all;
    }

    /// What must be read and written at least: the blocks once, with a column
    /// each, x once, y twice; without blocks the numbers of each cell's
    /// nodes, and ten numbers for each point of curved cells.
    double
    bytes(const SparseMatrix &A) const
    {
      const double vectors = 24. * A.partition()->size();
      if (A.has_entries())
        return vectors + (8 + 4. / 9) * static_cast<double>(A.n_values());
      return vectors + n_cells() * std::pow(degree + 1, 3) *
                         (shape == "cube" ? 4 : 4 + 80);
    }
  };

  /// @p triad are the unknowns in a second of y = a x + b.
  inline void
  print_product(const Product     &product,
                const unsigned int n_tries,
                const double       copy,
                const double       triad)
  {
    Settings settings;
    assign(settings, SteelBlock::file, product.overrides());
    const auto   model   = settings.model.build({MPI_COMM_SELF});
    const double h       = SteelBlock{32}.step_size();
    const auto   A       = model->assemble(1, 0, h * h / 4);
    const double n       = A->partition()->size();
    const double seconds = product_seconds(*A, n_tries);
    const double bytes   = product.bytes(*A);
    std::printf("%-5s Q%u %-11s %9.0f %8.2f %7.1f %8.3f %10.0f %6.1f "
                "%9.0f %%\n",
                product.shape.c_str(),
                product.degree,
                product.form.c_str(),
                n,
                1e3 * seconds,
                1e-6 * n / seconds,
                n / seconds / triad,
                bytes / n,
                1e-9 * bytes / seconds,
                1e-7 * bytes / seconds / copy);
  }

  inline void
  print_products(const unsigned int n_tries)
  {
    const double copy = stream_speed(2, [](double x, double) { return x; });
    const double triad =
      stream_speed(3, [](double x, double y) { return 3 * x + y; });
    const double triad_rate = triad / 24e-9;
    std::printf("\nProducts with M + h^2/4 K; a copy of long arrays moves "
                "%.1f GB/s, a triad %.1f GB/s: %.0f Mdof/s\n"
                "body  elements         unknowns       ms  Mdof/s of triad "
                "bytes each   GB/s  of a copy\n",
                copy,
                triad,
                1e-6 * triad_rate);
    std::vector<Product> products = {{"cube", "assembled", 1, 32},
                                     {"cube", "assembled", 2, 16},
                                     {"cube", "assembled", 3, 11}};
    for (const unsigned int n : {32, 72})
      for (const unsigned int degree : {1, 2, 3})
        products.push_back(
          {"cube", "matrix-free", degree, n / degree + n % degree / 2});
    for (const unsigned int n : {5, 6})
      for (const unsigned int degree : {1, 2, 3})
        products.push_back({"ball", "matrix-free", degree, n - degree});
    for (const Product &product : products)
      print_product(product, n_tries, copy, triad_rate);
  }
} // namespace Percuss::Test
