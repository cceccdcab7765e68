// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/collective.h>
#include <percuss/base/files.h>
#include <percuss/contact/fclib_file.h>

#include <deal.II/base/mpi.h>

#include <boost/serialization/vector.hpp>

#include <algorithm>
#include <numeric>

#include "fclib_matrices.h"
#include "hdf5_file.h"

namespace Percuss
{
  namespace
  {
    // The field nz of a matrix says how it is stored; otherwise it is the
    // number of entries of a list.
    constexpr int compressed_columns = -1;
    constexpr int compressed_rows    = -2;

    /// The size of a matrix.
    struct Shape
    {
      std::size_t n_rows, n_columns;
    };

    /// Writes "0 0 1 2 2 2" for the starts "0 2 3 6".
    std::vector<int>
    expand(const Hdf5Reader       &file,
           const std::string      &name,
           const std::vector<int> &start,
           const std::size_t       n_entries)
    {
      if (start.front() != 0 || !std::is_sorted(start.begin(), start.end()))
        file.fail(name, "does not ascend from 0");
      if (static_cast<std::size_t>(start.back()) > n_entries)
        file.fail(name, "points behind the last entry of the matrix");
      std::vector<int> numbers;
      numbers.reserve(start.back());
      for (std::size_t i = 0; i + 1 < start.size(); ++i)
        numbers.insert(numbers.end(),
                       start[i + 1] - start[i],
                       static_cast<int>(i));
      return numbers;
    }

    void
    check_indices(const Hdf5Reader       &file,
                  const std::string      &name,
                  const std::vector<int> &indices,
                  const std::size_t       end)
    {
      for (const int index : indices)
        if (index < 0 || static_cast<std::size_t>(index) >= end)
          file.fail(name,
                    "the number " + std::to_string(index) +
                      " is not between 0 and " + std::to_string(end - 1));
    }

    void
    check_size(const Hdf5Reader  &file,
               const std::string &name,
               const std::size_t  found,
               const std::size_t  expected)
    {
      if (found != expected)
        file.fail(name,
                  "has " + std::to_string(found) + " numbers instead of " +
                    std::to_string(expected));
    }

    /// A matrix whose size other datasets of the file give.
    Triplets
    read_matrix(const Hdf5Reader  &file,
                const std::string &group,
                const Shape       &shape)
    {
      for (const auto &[name, expected] :
           {std::pair(group + "/m", shape.n_rows),
            std::pair(group + "/n", shape.n_columns)})
        if (const int found = file.integer(name);
            found < 0 || static_cast<std::size_t>(found) != expected)
          file.fail(name,
                    "is " + std::to_string(found) + " instead of " +
                      std::to_string(expected));
      const int kind = file.integer(group + "/nz");
      if (kind < compressed_rows)
        file.fail(group + "/nz",
                  "the number " + std::to_string(kind) +
                    " is of no known form of a matrix");
      std::vector<int> p = file.integers(group + "/p");
      std::vector<int> i = file.integers(group + "/i");
      Triplets         result;
      result.values = file.numbers(group + "/x");
      if (kind >= 0)
        {
          // Lists may be longer than the matrix.
          const auto n = static_cast<std::size_t>(kind);
          for (const auto &[name, found] :
               {std::pair("/p", p.size()),
                std::pair("/i", i.size()),
                std::pair("/x", result.values.size())})
            check_size(file, group + name, std::min(found, n), n);
          p.resize(n);
        }
      else
        {
          check_size(file,
                     group + "/p",
                     p.size(),
                     1 + (kind == compressed_rows ? shape.n_rows :
                                                    shape.n_columns));
          p = expand(file,
                     group + "/p",
                     p,
                     std::min(i.size(), result.values.size()));
        }
      i.resize(p.size());
      result.values.resize(p.size());
      result.rows              = kind == compressed_rows ? p : i;
      result.columns           = kind == compressed_rows ? i : p;
      const bool p_counts_rows = kind == compressed_rows;
      check_indices(file,
                    group + (p_counts_rows ? "/p" : "/i"),
                    result.rows,
                    shape.n_rows);
      check_indices(file,
                    group + (p_counts_rows ? "/i" : "/p"),
                    result.columns,
                    shape.n_columns);
      return result;
    }

    void
    read_local(const Hdf5Reader  &file,
               const std::string &top,
               FclibProblem      &problem)
    {
      const std::size_t n = problem.space_dimension * problem.mu.size();
      problem.q           = file.numbers(top + "/vectors/q", n);
      Triplets W          = read_matrix(file, top + "/W", {n, n});
      if (file.has(top + "/V"))
        {
          std::vector<double> s   = file.numbers(top + "/vectors/s");
          const std::size_t   n_s = s.size();
          const Triplets      V   = read_matrix(file, top + "/V", {n, n_s});
          const Triplets      R   = read_matrix(file, top + "/R", {n_s, n_s});
          for (double &entry : s)
            entry = -entry;
          if (!eliminate(R, V, -1, s, W, problem.q))
            file.fail("the matrix R is singular, so that the equality "
                      "constraints cannot be eliminated");
        }
      problem.W = compress(W, static_cast<unsigned int>(n));
    }

    /// Adds the other half of a matrix with entries on one side of its
    /// diagonal only. Returns whether it was such a half.
    bool
    complete_half(Triplets &M)
    {
      std::size_t n_above = 0, n_below = 0;
      for (std::size_t k = 0; k < M.values.size(); ++k)
        if (M.values[k] != 0)
          {
            n_above += M.rows[k] < M.columns[k];
            n_below += M.rows[k] > M.columns[k];
          }
      if ((n_above == 0) == (n_below == 0))
        return false;
      const std::size_t n_entries = M.values.size();
      for (std::size_t k = 0; k < n_entries; ++k)
        if (M.rows[k] != M.columns[k])
          M.add(M.columns[k], M.rows[k], M.values[k]);
      return true;
    }

    /// With l, the velocities and multipliers (v, l) obey
    /// @f[ \begin{pmatrix} M & -G \\ G^T & 0 \end{pmatrix}
    ///     \begin{pmatrix} v \\ \ell \end{pmatrix} =
    ///     \begin{pmatrix} H r + f \\ -b \end{pmatrix}. @f]
    void
    read_global(const Hdf5Reader  &file,
                const std::string &top,
                FclibProblem      &problem)
    {
      const std::size_t   n   = problem.space_dimension * problem.mu.size();
      std::vector<double> f   = file.numbers(top + "/vectors/f");
      const std::size_t   n_v = f.size();
      problem.q               = file.numbers(top + "/vectors/w", n);
      Triplets M              = read_matrix(file, top + "/M", {n_v, n_v});
      Triplets H              = read_matrix(file, top + "/H", {n_v, n});
      H.rows.swap(H.columns); // the transposed matrix
      if (complete_half(M))
        problem.remark = "M is stored as one half of a symmetric matrix";
      const bool has_joints = file.has(top + "/G");
      if (has_joints)
        {
          const std::vector<double> b = file.numbers(top + "/vectors/b");
          const Triplets G     = read_matrix(file, top + "/G", {n_v, b.size()});
          const int      first = static_cast<int>(n_v);
          for (std::size_t k = 0; k < G.values.size(); ++k)
            {
              M.add(G.rows[k], first + G.columns[k], -G.values[k]);
              M.add(first + G.columns[k], G.rows[k], G.values[k]);
            }
          for (const double entry : b)
            f.push_back(-entry);
        }
      Triplets W;
      if (!eliminate(M, H, 1, f, W, problem.q))
        file.fail(has_joints ? "the matrix of M and G is singular" :
                               "the matrix M is singular");
      problem.W = compress(W, static_cast<unsigned int>(n));
    }

    /// The group of the problem.
    std::string
    kind_of_problem(const Hdf5Reader &file)
    {
      for (const std::string name : {"/fclib_local",
                                     "/fclib_global",
                                     "/fclib_local_rolling",
                                     "/fclib_global_rolling"})
        if (file.has(name))
          return name;
      for (const std::string &name : file.top_names())
        if (name.rfind("fclib", 0) == 0)
          file.fail("is a problem of an unknown kind (group '" + name +
                    "'); Percuss reads 'fclib_local' and 'fclib_global', also "
                    "with '_rolling'");
      file.fail("is no problem of FCLIB: it has neither a group 'fclib_local' "
                "nor 'fclib_global'");
    }

    bool
    ends_with(const std::string &text, const std::string &end)
    {
      return text.size() >= end.size() &&
             text.compare(text.size() - end.size(), end.size(), end) == 0;
    }

    void
    check_signs(const Hdf5Reader          &file,
                const std::string         &name,
                const std::vector<double> &coefficients)
    {
      for (const double coefficient : coefficients)
        if (coefficient < 0)
          file.fail(name, "has a negative number");
    }

    /// The number of rows of a contact, and its coefficients.
    void
    read_contacts(const Hdf5Reader  &file,
                  const std::string &top,
                  FclibProblem      &problem)
    {
      const bool rolls     = ends_with(top, "_rolling");
      const int  dimension = file.integer(top + "/spacedim");
      if (rolls && dimension != 5)
        file.fail(top + "/spacedim",
                  "is " + std::to_string(dimension) +
                    " instead of the 5 of rolling friction in space");
      if (!rolls && dimension != 2 && dimension != 3)
        file.fail(top + "/spacedim",
                  "is " + std::to_string(dimension) + ", neither 2 nor 3");
      problem.space_dimension = static_cast<unsigned int>(dimension);
      problem.mu              = file.numbers(top + "/vectors/mu");
      if (problem.mu.empty())
        file.fail(top + "/vectors/mu", "is empty: there are no contacts");
      if (rolls)
        problem.mu_r = file.numbers(top + "/vectors/mu_r", problem.mu.size());
      check_signs(file, top + "/vectors/mu", problem.mu);
      check_signs(file, top + "/vectors/mu_r", problem.mu_r);
    }

    FclibProblem
    read_on_this_rank(const std::filesystem::path &path)
    {
      const Hdf5Reader  file(path);
      const std::string top = kind_of_problem(file);
      FclibProblem      problem;
      read_contacts(file, top, problem);
      problem.title       = file.text(top + "/info/title");
      problem.description = file.text(top + "/info/description");
      problem.math_info   = file.text(top + "/info/math_info");
      if (top.rfind("/fclib_local", 0) == 0)
        read_local(file, top, problem);
      else
        read_global(file, top, problem);
      if (file.has_contents("/guesses/1/r"))
        problem.guess = file.numbers("/guesses/1/r", problem.q.size());
      if (file.has_contents("/solution/r"))
        problem.solution = file.numbers("/solution/r", problem.q.size());
      if (file.has_contents("/solution/u"))
        problem.velocity = file.numbers("/solution/u", problem.q.size());
      return problem;
    }

    /// u = W r + q.
    std::vector<double>
    velocities(const FclibProblem &problem, const std::vector<double> &r)
    {
      std::vector<double> u = problem.q;
      for (std::size_t i = 0; i < u.size(); ++i)
        for (PetscInt k = problem.W.start[i]; k < problem.W.start[i + 1]; ++k)
          u[i] += problem.W.values[k] * r[problem.W.columns[k]];
      return u;
    }

    void
    write_impulses(Hdf5Writer                &file,
                   const std::string         &group,
                   const FclibProblem        &problem,
                   const std::vector<double> &r)
    {
      file.add_group(group);
      file.add(group + "/u", velocities(problem, r));
      file.add(group + "/r", r);
    }
  } // namespace



  FclibProblem
  read_fclib_file(const std::filesystem::path &path,
                  const MPI_Comm               communicator)
  {
    using namespace dealii::Utilities::MPI;
    FclibProblem problem;
    collectively(communicator, [&]() {
      if (this_mpi_process(communicator) == 0)
        problem = read_on_this_rank(path);
    });
    if (n_mpi_processes(communicator) > 1)
      {
        const auto share = [communicator](auto &part) {
          part = broadcast(communicator, part);
        };
        share(problem.title);
        share(problem.description);
        share(problem.math_info);
        share(problem.space_dimension);
        share(problem.W.start);
        share(problem.W.columns);
        share(problem.W.values);
        share(problem.q);
        share(problem.mu);
        share(problem.mu_r);
        share(problem.guess);
        share(problem.solution);
        share(problem.velocity);
        share(problem.remark);
      }
    return problem;
  }



  void
  write_fclib_file(const std::filesystem::path &path,
                   const FclibProblem          &problem)
  {
    Hdf5Writer        file;
    const bool        rolls = !problem.mu_r.empty();
    const std::string top   = rolls ? "/fclib_local_rolling" : "/fclib_local";
    const std::string W     = top + "/W";
    const int         n     = static_cast<int>(problem.q.size());
    const int         n_entries = static_cast<int>(problem.W.values.size());
    for (const std::string group : {"", "/info", "/vectors", "/W"})
      file.add_group(top + group);
    file.add(top + "/info/title", problem.title);
    file.add(top + "/info/description", problem.description);
    file.add(top + "/info/math_info", problem.math_info);
    file.add(top + "/spacedim",
             std::vector<int>{static_cast<int>(problem.space_dimension)});
    file.add(top + "/vectors/q", problem.q);
    file.add(top + "/vectors/mu", problem.mu);
    if (rolls)
      file.add(top + "/vectors/mu_r", problem.mu_r);
    file.add(W + "/m", std::vector<int>{n});
    file.add(W + "/n", std::vector<int>{n});
    file.add(W + "/nz", std::vector<int>{compressed_rows});
    file.add(W + "/nzmax", std::vector<int>{n_entries});
    file.add(W + "/p",
             std::vector<int>(problem.W.start.begin(), problem.W.start.end()));
    file.add(W + "/i",
             std::vector<int>(problem.W.columns.begin(),
                              problem.W.columns.end()));
    file.add(W + "/x", problem.W.values);
    if (!problem.guess.empty())
      {
        file.add_group("/guesses");
        file.add("/guesses/number_of_guesses", std::vector<int>{1});
        write_impulses(file, "/guesses/1", problem, problem.guess);
      }
    if (!problem.solution.empty())
      write_impulses(file, "/solution", problem, problem.solution);
    Files::replace(path, file.image());
  }
} // namespace Percuss
