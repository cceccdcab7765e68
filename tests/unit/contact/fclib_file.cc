// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/fclib_file.h>

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <limits>

#include "shared/dense_problems.h"
#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    namespace fs = std::filesystem;

    /// Changes an HDF5 file dataset by dataset, or makes a new one.
    class Editor
    {
    public:
      explicit Editor(const fs::path &path)
        : path(path)
      {}

      void
      remove(const std::string &name) const
      {
        const hid_t file = open();
        H5Ldelete(file, name.c_str(), H5P_DEFAULT);
        H5Fclose(file);
      }

      void
      set(const std::string &name, const std::vector<int> &values) const
      {
        set(name, H5T_NATIVE_INT, values.size(), values.data());
      }

      void
      set(const std::string &name, const std::vector<double> &values) const
      {
        set(name, H5T_NATIVE_DOUBLE, values.size(), values.data());
      }

      /// Numbers that are not written.
      void
      declare(const std::string &name, const hsize_t n) const
      {
        set(name, H5T_NATIVE_DOUBLE, n, nullptr);
      }

      /// A matrix in one of the three forms.
      void
      set_matrix(const std::string         &name,
                 const int                  m,
                 const int                  n,
                 const int                  nz,
                 const std::vector<int>    &p,
                 const std::vector<int>    &i,
                 const std::vector<double> &x) const
      {
        set(name + "/m", std::vector<int>{m});
        set(name + "/n", std::vector<int>{n});
        set(name + "/nz", std::vector<int>{nz});
        set(name + "/nzmax", std::vector<int>{static_cast<int>(x.size())});
        set(name + "/p", p);
        set(name + "/i", i);
        set(name + "/x", x);
      }

    private:
      hid_t
      open() const
      {
        return fs::exists(path) ?
                 H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT) :
                 H5Fcreate(path.c_str(),
                           H5F_ACC_EXCL,
                           H5P_DEFAULT,
                           H5P_DEFAULT);
      }

      void
      set(const std::string &name,
          const hid_t        type,
          const hsize_t      n,
          const void        *values) const
      {
        const hid_t file = open();
        // The dataset may be new.
        H5E_BEGIN_TRY
        {
          H5Ldelete(file, name.c_str(), H5P_DEFAULT);
        }
        H5E_END_TRY
        const hid_t links = H5Pcreate(H5P_LINK_CREATE);
        H5Pset_create_intermediate_group(links, 1);
        const hid_t space = H5Screate_simple(1, &n, nullptr);
        const hid_t dataset =
          H5Dcreate2(file, name.c_str(), type, space, links, 0, 0);
        if (values != nullptr)
          H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        H5Dclose(dataset);
        H5Sclose(space);
        H5Pclose(links);
        H5Fclose(file);
      }

      const fs::path path;
    };

    /// Two contacts in space with friction, W not symmetric and sparse.
    FclibProblem
    example()
    {
      FclibProblem problem;
      problem.title           = "title";
      problem.description     = "two\nlines";
      problem.math_info       = "";
      problem.space_dimension = 3;
      problem.W.start         = {0, 2, 3, 4, 6, 7, 9};
      problem.W.columns       = {0, 3, 1, 2, 0, 3, 4, 1, 5};
      problem.W.values        = {2, 1. / 3, 3, 0, 0.1, 2, 1, -1e-310, 5};
      problem.q               = {-1, 0.1, 0.2, -2, 1e300, -0.3};
      problem.mu              = {0.3, 0};
      problem.guess           = {1, 0, 0, 1. / 7, 0, 0};
      problem.solution        = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
      return problem;
    }

    void
    expect_same(const FclibProblem &a, const FclibProblem &b)
    {
      EXPECT_EQ(a.title, b.title);
      EXPECT_EQ(a.description, b.description);
      EXPECT_EQ(a.math_info, b.math_info);
      EXPECT_EQ(a.space_dimension, b.space_dimension);
      EXPECT_EQ(a.W.start, b.W.start);
      EXPECT_EQ(a.W.columns, b.W.columns);
      EXPECT_EQ(a.W.values, b.W.values);
      EXPECT_EQ(a.q, b.q);
      EXPECT_EQ(a.mu, b.mu);
      EXPECT_EQ(a.mu_r, b.mu_r);
      EXPECT_EQ(a.guess, b.guess);
      EXPECT_EQ(a.solution, b.solution);
      EXPECT_EQ(a.remark, b.remark);
    }

    /// The message of the error that reading gives; empty where it gives none.
    std::string
    complaint(const fs::path &path)
    {
      try
        {
          (void)read_fclib_file(path, MPI_COMM_SELF);
        }
      catch (const Error &error)
        {
          EXPECT_EQ(error.code, ExitCode::mesh) << error.what();
          const std::string message = error.what();
          EXPECT_EQ(message.find('\n'), std::string::npos) << message;
          EXPECT_NE(message.find(path.string()), std::string::npos) << message;
          return message;
        }
      return "";
    }

    std::vector<double>
    dense(const FclibProblem &problem)
    {
      const std::size_t   n = problem.q.size();
      std::vector<double> result(n * n);
      for (std::size_t i = 0; i < n; ++i)
        for (PetscInt k = problem.W.start[i]; k < problem.W.start[i + 1]; ++k)
          result[n * i + problem.W.columns[k]] += problem.W.values[k];
      return result;
    }

    void
    expect_near(const std::vector<double> &found,
                const std::vector<double> &expected)
    {
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], 1e-14) << "entry " << i;
    }

    TEST(FclibFile, IsReadAsItWasWritten)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      const fs::path        path    = folder.path / "a.hdf5";
      FclibProblem          problem = example();
      write_fclib_file(path, problem);
      const FclibProblem found = read_fclib_file(path, MPI_COMM_SELF);
      expect_same(found, problem);
      ASSERT_EQ(found.velocity.size(), 6u);
      EXPECT_DOUBLE_EQ(found.velocity[0], -1 + 2 * 0.1 + 0.4 / 3);
      EXPECT_DOUBLE_EQ(found.velocity[5], -0.3 + 5 * 0.6);
      // It replaces a file, and what is not known is not written.
      problem.guess.clear();
      problem.solution.clear();
      write_fclib_file(path, problem);
      expect_same(read_fclib_file(path, MPI_COMM_SELF), problem);
    }

    TEST(FclibFile, KnowsThreeFormsOfAMatrix)
    {
      const TemporaryFolder     folder(MPI_COMM_SELF);
      const fs::path            path     = folder.path / "a.hdf5";
      const std::vector<double> expected = {1, 2, 0, 3};
      const Editor              file(path);
      file.set("/fclib_local/spacedim", std::vector<int>{2});
      file.set("/fclib_local/vectors/mu", std::vector<double>{0.5});
      file.set("/fclib_local/vectors/q", std::vector<double>{-1, 1});
      const std::string W = "/fclib_local/W";
      file.set_matrix(W, 2, 2, -1, {0, 1, 3}, {0, 1, 0}, {1, 3, 2});
      EXPECT_EQ(dense(read_fclib_file(path, MPI_COMM_SELF)), expected);
      file.set_matrix(W, 2, 2, -2, {0, 2, 3}, {1, 0, 1}, {2, 1, 3});
      EXPECT_EQ(dense(read_fclib_file(path, MPI_COMM_SELF)), expected);
      // An entry in two parts, and lists that are longer than the matrix.
      file.set_matrix(
        W, 2, 2, 4, {1, 0, 1, 1, 9}, {0, 0, 1, 0, 9}, {1.5, 1, 3, 0.5, 7});
      EXPECT_EQ(dense(read_fclib_file(path, MPI_COMM_SELF)), expected);
    }

    // W = H^T M^-1 H and q = w + H^T M^-1 f with M = diag(2, 4, 1).
    TEST(FclibFile, EliminatesVelocities)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      const fs::path        path = folder.path / "a.hdf5";
      const Editor          file(path);
      const std::string     top = "/fclib_global";
      file.set(top + "/spacedim", std::vector<int>{2});
      file.set(top + "/vectors/mu", std::vector<double>{0.5});
      file.set(top + "/vectors/f", std::vector<double>{2, 4, 3});
      file.set(top + "/vectors/w", std::vector<double>{-1, 0.25});
      file.set_matrix(top + "/M", 3, 3, 3, {0, 1, 2}, {0, 1, 2}, {2, 4, 1});
      // H = (1 0; 2 2; 0 3)
      file.set_matrix(
        top + "/H", 3, 2, 4, {0, 0, 1, 1}, {0, 1, 1, 2}, {1, 2, 2, 3});
      FclibProblem found = read_fclib_file(path, MPI_COMM_SELF);
      expect_near(dense(found), {1.5, 1, 1, 10});
      expect_near(found.q, {-1 + 1 + 2, 0.25 + 2 + 9});
      // The constraint 2 v_3 - 1 = 0 takes the third velocity away.
      file.set(top + "/vectors/b", std::vector<double>{-1});
      file.set_matrix(top + "/G", 3, 1, 1, {0}, {2}, {2});
      found = read_fclib_file(path, MPI_COMM_SELF);
      expect_near(dense(found), {1.5, 1, 1, 1});
      expect_near(found.q, {-1 + 1 + 2, 0.25 + 2 + 1.5});
      EXPECT_EQ(found.remark, "");
      file.set(top + "/M/x", std::vector<double>{2, 0, 1});
      EXPECT_NE(complaint(path).find("M and G is singular"), std::string::npos);
      file.remove(top + "/G");
      EXPECT_NE(complaint(path).find("M is singular"), std::string::npos);
      // One half of M = (2 1 0; 1 1 0; 0 0 1).
      file.set_matrix(
        top + "/M", 3, 3, 4, {0, 1, 1, 2}, {0, 0, 1, 2}, {2, 1, 1, 1});
      found = read_fclib_file(path, MPI_COMM_SELF);
      expect_near(dense(found), {5, 6, 6, 17});
      EXPECT_NE(found.remark, "");
    }

    // W - V R^-1 V^T and q - V R^-1 s with R = -2.
    TEST(FclibFile, EliminatesEqualityConstraints)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      const fs::path        path = folder.path / "a.hdf5";
      const Editor          file(path);
      const std::string     top = "/fclib_local";
      file.set(top + "/spacedim", std::vector<int>{2});
      file.set(top + "/vectors/mu", std::vector<double>{0.5});
      file.set(top + "/vectors/q", std::vector<double>{-1, 1});
      file.set(top + "/vectors/s", std::vector<double>{3});
      file.set_matrix(top + "/W", 2, 2, 2, {0, 1}, {0, 1}, {4, 5});
      file.set_matrix(top + "/V", 2, 1, 2, {0, 0}, {0, 1}, {1, 2});
      file.set_matrix(top + "/R", 1, 1, 1, {0}, {0}, {-2});
      const FclibProblem found = read_fclib_file(path, MPI_COMM_SELF);
      expect_near(dense(found), {4.5, 1, 1, 7});
      expect_near(found.q, {-1 + 1.5, 1 + 3});
      file.set(top + "/R/x", std::vector<double>{0});
      EXPECT_NE(complaint(path).find("R is singular"), std::string::npos);
    }

    /// One change of a good file, and what the message must contain.
    struct Damage
    {
      std::string         dataset; ///< of the group /fclib_local
      std::vector<double> numbers; ///< none: the dataset is removed
      std::string         message;
    };

    TEST(FclibFile, SaysWhatIsWrong)
    {
      const double              nan = std::numeric_limits<double>::quiet_NaN();
      const std::vector<Damage> cases = {
        {"vectors/q", {1, 2}, "has 2 numbers instead of 6"},
        {"vectors/q", {}, "is missing"},
        {"vectors/q", {1, 2, nan, 4, 5, 6}, "entry 2 is not a finite number"},
        {"vectors/mu", {0.3, -0.1}, "has a negative number"},
        {"vectors/mu", {0.3}, "instead of 3"},
        {"vectors", {}, "vectors/mu': is missing"},
        {"W", {}, "W/m': is missing"},
        {"W/m", {7}, "is 7 instead of 6"},
        {"W/n", {-6}, "is -6 instead of 6"},
        {"W/n", {6, 6}, "is not one number"},
        {"W/nz", {-3}, "of no known form"},
        {"W/nz", {1e6}, "instead of 1000000"},
        {"W/nz", {}, "is missing"},
        {"W/p", {0, 2, 3, 4, 6, 7}, "has 6 numbers instead of 7"},
        {"W/p", {0, 2, 3, 4, 6, 7, 10}, "behind the last entry"},
        {"W/p", {0, 2, 1, 4, 6, 7, 9}, "does not ascend"},
        {"W/p", {-1, 2, 3, 4, 6, 7, 9}, "does not ascend"},
        {"W/p", {0, 2, 3, 4, 6, 7, 2e9}, "behind the last entry"},
        {"W/i", {0, 3, 1, 2, 0, 3, 4, 1, 6}, "6 is not between 0 and 5"},
        {"W/i", {0, 3, 1, 2, 0, 3, 4, 1, -1}, "-1 is not between 0 and 5"},
        {"W/i", {0}, "behind the last entry"},
        {"W/x", {1, 2}, "behind the last entry"},
        {"W/x", {nan}, "entry 0 is not a finite number"},
        {"spacedim", {5}, "is 5, neither 2 nor 3"},
        {"spacedim", {2}, "instead of 4"}};
      const TemporaryFolder folder(MPI_COMM_SELF);
      const fs::path        path = folder.path / "a.hdf5";
      for (const Damage &damage : cases)
        {
          write_fclib_file(path, example());
          {
            const Editor      file(path);
            const std::string name    = "/fclib_local/" + damage.dataset;
            const auto       &numbers = damage.numbers;
            if (numbers.empty())
              file.remove(name);
            else if (name.find("/vectors/") != std::string::npos ||
                     name.find("W/x") != std::string::npos)
              file.set(name, numbers);
            else
              file.set(name, std::vector<int>(numbers.begin(), numbers.end()));
          }
          const std::string message = complaint(path);
          EXPECT_NE(message.find(damage.message), std::string::npos)
            << damage.dataset << ": " << message;
          EXPECT_NE(message.find("/fclib_local/"), std::string::npos);
        }
    }

    TEST(FclibFile, RefusesNumbersOfAnotherType)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      const fs::path        path = folder.path / "a.hdf5";
      write_fclib_file(path, example());
      Editor(path).set("/fclib_local/W/i", std::vector<double>(9, 0.5));
      EXPECT_NE(complaint(path).find("no whole numbers"), std::string::npos);
      write_fclib_file(path, example());
      Editor(path).remove("/fclib_local/vectors/q");
      Editor(path).set("/fclib_local/vectors/q/group", std::vector<int>{1});
      EXPECT_NE(complaint(path).find("cannot be read"), std::string::npos);
    }

    // HDF5 gives zeros for numbers that a dataset has only declared.
    TEST(FclibFile, KnowsWhatWasNeverWritten)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      const fs::path        path = folder.path / "a.hdf5";
      write_fclib_file(path, example());
      Editor(path).declare("/solution/r", 6);
      EXPECT_TRUE(read_fclib_file(path, MPI_COMM_SELF).solution.empty());
      EXPECT_FALSE(read_fclib_file(path, MPI_COMM_SELF).velocity.empty());
      Editor(path).declare("/fclib_local/vectors/q", 6);
      EXPECT_NE(complaint(path).find("never been written"), std::string::npos);
      Editor(path).declare("/fclib_local/vectors/mu", hsize_t(1) << 60);
      EXPECT_NE(complaint(path).find("never been written"), std::string::npos);
    }

    TEST(FclibFile, RefusesOtherProblems)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      const fs::path        rolling = folder.path / "rolling.hdf5";
      Editor(rolling).set("/fclib_global_rolling/spacedim",
                          std::vector<int>{3});
      // In the plane.
      EXPECT_NE(complaint(rolling).find("rolling friction"), std::string::npos);
      const fs::path unknown = folder.path / "unknown.hdf5";
      Editor(unknown).set("/fclib_cohesive/spacedim", std::vector<int>{3});
      EXPECT_NE(complaint(unknown).find("unknown kind"), std::string::npos);
      const fs::path other = folder.path / "other.hdf5";
      Editor(other).set("/residual", std::vector<double>{1});
      EXPECT_NE(complaint(other).find("no problem of FCLIB"),
                std::string::npos);
    }

    TEST(FclibFile, SurvivesTruncation)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      const fs::path        path = folder.path / "a.hdf5";
      write_fclib_file(path, example());
      const auto size = fs::file_size(path);
      for (std::uintmax_t length = 0; length < size; length += size / 97 + 1)
        {
          const fs::path copy = folder.path / "b.hdf5";
          fs::copy_file(path, copy, fs::copy_options::overwrite_existing);
          fs::resize_file(copy, length);
          EXPECT_NE(complaint(copy), "") << length << " of " << size;
        }
    }

    TEST(FclibFile, RefusesWhatIsNoHdf5)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      const fs::path        path = folder.path / "a.hdf5";
      EXPECT_NE(complaint(path).find("No such file"), std::string::npos);
      EXPECT_NE(complaint(folder.path).find("directory"), std::string::npos);
      std::ofstream(path) << "W = 1\n";
      EXPECT_NE(complaint(path).find("is not an HDF5 file"), std::string::npos);
      std::ofstream(path, std::ios::trunc).close();
      EXPECT_NE(complaint(path).find("is not an HDF5 file"), std::string::npos);
    }

    /// One contact with W = 1, q = (-1, 1, 3), mu = 0.1.
    FclibProblem
    sliding_contact()
    {
      FclibProblem problem;
      problem.W.start   = {0, 1, 2, 3};
      problem.W.columns = {0, 1, 2};
      problem.W.values  = {1, 1, 1};
      problem.q         = {-1, 1, 3};
      problem.mu        = {0.1};
      return problem;
    }

    TEST(FclibError, IsThatOfTheConeByHand)
    {
      const StoredProblem stored(sliding_contact(), MPI_COMM_SELF);
      Vector              r = stored.share({});
      // At r = 0 the projection is on the surface of the cone.
      EXPECT_NEAR(fclib_error(stored.problem(), r),
                  1 / std::sqrt(1.01 * 11),
                  1e-15);
      r = stored.share({1, -0.1 / std::sqrt(10), -0.3 / std::sqrt(10)});
      EXPECT_LT(fclib_error(stored.problem(), r), 1e-15);
      EXPECT_LT(natural_residual(stored.problem(), r), 1e-15);
      // Separation without friction: the impulse has to vanish.
      FclibProblem open = sliding_contact();
      open.mu           = {0};
      open.q            = {2, 0, 0};
      const StoredProblem other(open, MPI_COMM_SELF);
      EXPECT_EQ(fclib_error(other.problem(), other.share({})), 0);
      EXPECT_NEAR(fclib_error(other.problem(), other.share({1, 0, 0})),
                  0.5,
                  1e-15);
    }

    TEST(StoredProblem, KnowsWhetherItIsSymmetric)
    {
      FclibProblem problem      = sliding_contact();
      const auto   is_symmetric = [&problem]() {
        return StoredProblem(problem, MPI_COMM_SELF).problem().W.is_symmetric();
      };
      EXPECT_TRUE(is_symmetric());
      problem.W.start   = {0, 2, 4, 5};
      problem.W.columns = {0, 1, 0, 1, 2};
      problem.W.values  = {1, 0.5, 0.5 + 1e-13, 1, 1};
      EXPECT_TRUE(is_symmetric());
      problem.W.values[2] = 0.5 + 1e-11;
      EXPECT_FALSE(is_symmetric());
      problem.W.values[2] = 0.5;
      problem.W.values[4] = -1;
      EXPECT_FALSE(is_symmetric());
    }

    /// An operator that is only applied.
    class HiddenMatrix : public DelassusOperator
    {
    public:
      explicit HiddenMatrix(const DelassusOperator &W)
        : W(W)
      {}

      const Partition &
      partition() const override
      {
        return W.partition();
      }

      void
      multiply(const Vector &x, Vector &y) const override
      {
        W.multiply(x, y);
      }

      double
      diagonal(const unsigned int i) const override
      {
        return W.diagonal(i);
      }

      bool
      is_symmetric() const override
      {
        return W.is_symmetric();
      }

    private:
      const DelassusOperator &W;
    };

    // Contacts with one, two and three directions, the fourth one not active.
    TEST(ToFclib, AddsDirectionsThatDoNothing)
    {
      const Partition           partition = make_partition(7, MPI_COMM_SELF);
      std::vector<double>       values;
      std::vector<ContactPoint> points(4);
      for (unsigned int i = 0; i < 7; ++i)
        for (unsigned int j = 0; j < 7; ++j)
          values.push_back(1 / (1. + std::abs(int(i) - int(j))));
      unsigned int first = 0;
      for (unsigned int i = 0; i < 4; ++i)
        {
          points[i].n_directions = i < 3 ? i + 1 : 1;
          points[i].friction     = 0.4;
          points[i].first        = first;
          first += points[i].n_directions;
        }
      const auto           matrix = dense_matrix(partition, values);
      const DelassusMatrix W(*matrix, true);
      const auto           law =
        Registry<ContactLaw>::plugins().at("coulomb").make_builder()->build({});
      Vector b(partition), lambda(partition);
      for (unsigned int i = 0; i < 7; ++i)
        b(i) = std::sin(2. + 3 * i) - 0.5;
      const ContactProblem problem{W, *law, points, {0, 1, 2}, b};
      const auto           solver =
        Registry<ContactSolver>::plugins().at("newton").make_builder()->build(
          {1e-13});
      const Vector guess(lambda);
      ASSERT_TRUE(solver->solve(problem, lambda).converged);
      const FclibProblem  file = to_fclib(problem, guess, &lambda);
      const StoredProblem stored(file, MPI_COMM_SELF);
      EXPECT_EQ(file.space_dimension, 3u);
      EXPECT_EQ(file.mu, std::vector<double>({0, 0.4, 0.4}));
      EXPECT_TRUE(stored.problem().W.is_symmetric());
      Vector padded = stored.share(file.guess);
      ASSERT_TRUE(solver->solve(stored.problem(), padded).converged);
      const std::vector<unsigned int> rows = {0, 3, 4, 6, 7, 8};
      EXPECT_GT(lambda.linfty_norm(), 0.1);
      for (unsigned int i = 0; i < 6; ++i)
        {
          EXPECT_EQ(file.solution[rows[i]], lambda(i));
          EXPECT_NEAR(padded(rows[i]), lambda(i), 1e-11);
        }
      for (const unsigned int row : {1, 2, 5})
        EXPECT_NEAR(padded(row), 0, 1e-12);
      // An operator whose entries are not known gives the same file.
      const HiddenMatrix hidden(W);
      expect_same(
        to_fclib({hidden, *law, points, {0, 1, 2}, b}, guess, &lambda), file);
    }
  } // namespace
} // namespace Percuss::Test
