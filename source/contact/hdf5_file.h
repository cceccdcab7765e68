// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <hdf5.h>

#include <filesystem>
#include <string>
#include <vector>

namespace Percuss
{
  /// Closes one of HDF5's objects on every path.
  class Hdf5Handle
  {
  public:
    using Close = herr_t (*)(hid_t);

    Hdf5Handle(const hid_t id, const Close close)
      : id(id)
      , close(close)
    {}
    Hdf5Handle(const Hdf5Handle &) = delete;
    Hdf5Handle &
    operator=(const Hdf5Handle &) = delete;
    ~Hdf5Handle()
    {
      if (id >= 0)
        close(id);
    }

    bool
    is_valid() const
    {
      return id >= 0;
    }

    operator hid_t() const
    {
      return id;
    }

  private:
    const hid_t id;
    const Close close;
  };



  /// HDF5 prints nothing as long as this object lives.
  class Hdf5Silence
  {
  public:
    Hdf5Silence();
    Hdf5Silence(const Hdf5Silence &) = delete;
    Hdf5Silence &
    operator=(const Hdf5Silence &) = delete;
    ~Hdf5Silence();

  private:
    H5E_auto2_t function = nullptr;
    void       *data     = nullptr;
  };



  /// An HDF5 file, read into memory as a whole: no lock, no second look at the
  /// disk. Whatever is wrong with it is an Error with ExitCode::mesh, the
  /// file's name, the dataset and the reason. Counts are compared with the
  /// size of the file before anything is allocated.
  class Hdf5Reader
  {
  public:
    explicit Hdf5Reader(const std::filesystem::path &path);

    /// The names in the root group.
    std::vector<std::string>
    top_names() const;

    /// Whether there is something at a path: "/a/b".
    bool
    has(const std::string &name) const;

    /// Whether there is a dataset with numbers: HDF5 can declare them and
    /// leave them out.
    bool
    has_contents(const std::string &name) const;

    /// The one number of a dataset.
    int
    integer(const std::string &name) const;

    std::vector<int>
    integers(const std::string &name) const;

    /// All finite.
    std::vector<double>
    numbers(const std::string &name) const;

    /// All finite, and so many.
    std::vector<double>
    numbers(const std::string &name, std::size_t n) const;

    /// Empty where there is no such text.
    std::string
    text(const std::string &name) const;

    [[noreturn]] void
    fail(const std::string &name, const std::string &reason) const;

    /// About the file as a whole.
    [[noreturn]] void
    fail(const std::string &reason) const;

  private:
    /// Opens the image of a file.
    hid_t
    open() const;

    /// The numbers of a dataset of HDF5's class @p kind.
    template <typename Number>
    std::vector<Number>
    read(const std::string &name, H5T_class_t kind, hid_t memory_type) const;

    const Hdf5Silence           silence;
    const std::filesystem::path path;
    const std::string           image;
    const Hdf5Handle            file;
  };



  /// An HDF5 file that is made in memory.
  class Hdf5Writer
  {
  public:
    Hdf5Writer();

    void
    add_group(const std::string &name);

    void
    add(const std::string &name, const std::vector<int> &values);

    void
    add(const std::string &name, const std::vector<double> &values);

    void
    add(const std::string &name, const std::string &text);

    /// The bytes of the file.
    std::string
    image() const;

  private:
    void
    write(const std::string &name,
          hid_t              type,
          hid_t              space,
          const void        *values) const;

    const Hdf5Silence silence;
    const Hdf5Handle  file;
  };
} // namespace Percuss
