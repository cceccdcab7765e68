// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "hdf5_file.h"

#include <percuss/base/error.h>
#include <percuss/base/files.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace Percuss
{
  namespace
  {
    /// HDF5's strongest compression makes a file this much smaller at most.
    constexpr std::size_t largest_compression = 1100;

    /// A file that lives in memory only.
    hid_t
    memory_access()
    {
      const hid_t    access    = H5Pcreate(H5P_FILE_ACCESS);
      constexpr auto increment = std::size_t(1) << 16;
      H5Pset_fapl_core(access, increment, false);
      return access;
    }

    hid_t
    create_in_memory()
    {
      const Hdf5Handle access(memory_access(), &H5Pclose);
      return H5Fcreate("percuss.hdf5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    }

    std::string
    contents(const std::filesystem::path &path)
    {
      try
        {
          return Files::read(path);
        }
      catch (const Error &error)
        {
          throw Error(ExitCode::mesh, error.what());
        }
    }

    void
    check(const bool is_good)
    {
      if (!is_good)
        throw Error(ExitCode::io,
                    "the HDF5 library cannot make a contact problem's file.");
    }
  } // namespace



  Hdf5Silence::Hdf5Silence()
  {
    H5Eget_auto2(H5E_DEFAULT, &function, &data);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }



  Hdf5Silence::~Hdf5Silence()
  {
    H5Eset_auto2(H5E_DEFAULT, function, data);
  }



  Hdf5Reader::Hdf5Reader(const std::filesystem::path &path)
    : path(path)
    , image(contents(path))
    , file(open(), &H5Fclose)
  {
    if (!file.is_valid())
      fail("is not an HDF5 file, or damaged");
  }



  hid_t
  Hdf5Reader::open() const
  {
    if (image.empty())
      return -1;
    const Hdf5Handle access(memory_access(), &H5Pclose);
    // HDF5 copies the image.
    if (H5Pset_file_image(access,
                          const_cast<char *>(image.data()),
                          image.size()) < 0)
      return -1;
    return H5Fopen("percuss.hdf5", H5F_ACC_RDONLY, access);
  }



  void
  Hdf5Reader::fail(const std::string &name, const std::string &reason) const
  {
    throw Error(ExitCode::mesh,
                "contact problem '" + path.string() + "', dataset '" + name +
                  "': " + reason + ".");
  }



  void
  Hdf5Reader::fail(const std::string &reason) const
  {
    throw Error(ExitCode::mesh,
                "contact problem '" + path.string() + "': " + reason + ".");
  }



  std::vector<std::string>
  Hdf5Reader::top_names() const
  {
    std::vector<std::string> names;
    const auto               add =
      [](hid_t, const char *const name, const H5L_info_t *, void *const list) {
        static_cast<std::vector<std::string> *>(list)->push_back(name);
        return 0;
      };
    if (H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names) < 0)
      fail("is damaged: its groups cannot be read");
    return names;
  }



  bool
  Hdf5Reader::has(const std::string &name) const
  {
    for (std::size_t end = name.find('/', 1);; end = name.find('/', end + 1))
      {
        if (H5Lexists(file, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0)
          return false;
        if (end == std::string::npos)
          return true;
      }
  }



  bool
  Hdf5Reader::has_contents(const std::string &name) const
  {
    if (!has(name))
      return false;
    const Hdf5Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT),
                             &H5Dclose);
    return !dataset.is_valid() || H5Dget_storage_size(dataset) > 0;
  }



  template <typename Number>
  std::vector<Number>
  Hdf5Reader::read(const std::string &name,
                   const H5T_class_t  kind,
                   const hid_t        memory_type) const
  {
    if (!has(name))
      fail(name, "is missing");
    const Hdf5Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT),
                             &H5Dclose);
    if (!dataset.is_valid())
      fail(name, "cannot be read");
    const Hdf5Handle type(H5Dget_type(dataset), &H5Tclose);
    const Hdf5Handle space(H5Dget_space(dataset), &H5Sclose);
    if (!type.is_valid() || H5Tget_class(type) != kind)
      fail(name,
           kind == H5T_INTEGER ? "has no whole numbers" : "has no numbers");
    const hssize_t n =
      space.is_valid() ? H5Sget_simple_extent_npoints(space) : -1;
    if (n < 0 || H5Sget_simple_extent_ndims(space) > 1)
      fail(name, "is not a list of numbers");
    const auto count  = static_cast<std::size_t>(n);
    const auto stored = static_cast<std::size_t>(H5Dget_storage_size(dataset));
    if (stored == 0 && count > 0)
      fail(name, "has never been written");
    if (stored > image.size() ||
        count > stored * largest_compression / H5Tget_size(type) ||
        count > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      fail(name, "has more numbers than the file");
    std::vector<Number> values(count);
    if (count > 0 &&
        H5Dread(
          dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) <
          0)
      fail(name, "cannot be read");
    return values;
  }



  std::vector<int>
  Hdf5Reader::integers(const std::string &name) const
  {
    return read<int>(name, H5T_INTEGER, H5T_NATIVE_INT);
  }



  int
  Hdf5Reader::integer(const std::string &name) const
  {
    const std::vector<int> values = integers(name);
    if (values.size() != 1)
      fail(name, "is not one number");
    return values[0];
  }



  std::vector<double>
  Hdf5Reader::numbers(const std::string &name) const
  {
    const auto values = read<double>(name, H5T_FLOAT, H5T_NATIVE_DOUBLE);
    const auto wrong =
      std::find_if(values.begin(), values.end(), [](const double value) {
        return !std::isfinite(value);
      });
    if (wrong != values.end())
      fail(name,
           "entry " + std::to_string(wrong - values.begin()) +
             " is not a finite number");
    return values;
  }



  std::vector<double>
  Hdf5Reader::numbers(const std::string &name, const std::size_t n) const
  {
    std::vector<double> values = numbers(name);
    if (values.size() != n)
      fail(name,
           "has " + std::to_string(values.size()) + " numbers instead of " +
             std::to_string(n));
    return values;
  }



  std::string
  Hdf5Reader::text(const std::string &name) const
  {
    if (!has(name))
      return "";
    const Hdf5Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT),
                             &H5Dclose);
    if (!dataset.is_valid())
      return "";
    const Hdf5Handle type(H5Dget_type(dataset), &H5Tclose);
    const Hdf5Handle space(H5Dget_space(dataset), &H5Sclose);
    if (!type.is_valid() || !space.is_valid() ||
        H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 ||
        H5Sget_simple_extent_npoints(space) != 1 ||
        H5Tget_size(type) > image.size())
      return "";
    std::string characters(H5Tget_size(type), '\0');
    if (H5Dread(
          dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, characters.data()) < 0)
      return "";
    return characters.substr(0, characters.find('\0'));
  }



  Hdf5Writer::Hdf5Writer()
    : file(create_in_memory(), &H5Fclose)
  {
    check(file.is_valid());
  }



  void
  Hdf5Writer::add_group(const std::string &name)
  {
    const Hdf5Handle group(
      H5Gcreate2(file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      &H5Gclose);
    check(group.is_valid());
  }



  void
  Hdf5Writer::write(const std::string &name,
                    const hid_t        type,
                    const hid_t        space,
                    const void        *values) const
  {
    const Hdf5Handle dataset(
      H5Dcreate2(
        file, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      &H5Dclose);
    check(dataset.is_valid() &&
          H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  }



  void
  Hdf5Writer::add(const std::string &name, const std::vector<int> &values)
  {
    const hsize_t    n = values.size();
    const Hdf5Handle space(H5Screate_simple(1, &n, nullptr), &H5Sclose);
    write(name, H5T_NATIVE_INT, space, values.data());
  }



  void
  Hdf5Writer::add(const std::string &name, const std::vector<double> &values)
  {
    const hsize_t    n = values.size();
    const Hdf5Handle space(H5Screate_simple(1, &n, nullptr), &H5Sclose);
    write(name, H5T_NATIVE_DOUBLE, space, values.data());
  }



  void
  Hdf5Writer::add(const std::string &name, const std::string &text)
  {
    const Hdf5Handle space(H5Screate(H5S_SCALAR), &H5Sclose);
    const Hdf5Handle type(H5Tcopy(H5T_C_S1), &H5Tclose);
    check(type.is_valid() && H5Tset_size(type, text.size() + 1) >= 0);
    write(name, type, space, text.c_str());
  }



  std::string
  Hdf5Writer::image() const
  {
    check(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    const ssize_t size = H5Fget_file_image(file, nullptr, 0);
    check(size > 0);
    std::string bytes(static_cast<std::size_t>(size), '\0');
    check(H5Fget_file_image(file, bytes.data(), bytes.size()) == size);
    return bytes;
  }
} // namespace Percuss
