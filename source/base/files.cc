// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/files.h>

#include <boost/crc.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace Percuss
{
  namespace Files
  {
    namespace fs = std::filesystem;

    namespace
    {
      [[noreturn]] void
      fail(const std::string &what, const fs::path &path, const int reason)
      {
        throw Error(ExitCode::io,
                    what + " '" + path.string() +
                      "': " + std::strerror(reason) + ".");
      }

      void
      append_to(const int          descriptor,
                const fs::path    &path,
                const std::string &contents)
      {
        const char *position = contents.data();
        std::size_t n_left   = contents.size();
        while (n_left > 0)
          {
            const ssize_t n_written = ::write(descriptor, position, n_left);
            if (n_written < 0 && errno == EINTR)
              continue;
            if (n_written < 0)
              fail("cannot write", path, errno);
            position += n_written;
            n_left -= static_cast<std::size_t>(n_written);
          }
      }
    } // namespace



    /// A file descriptor that is closed on every path.
    class Descriptor
    {
    public:
      Descriptor(const fs::path &path, const int flags)
        : number(::open(path.c_str(), flags, 0644))
      {}
      Descriptor(const Descriptor &) = delete;
      Descriptor &
      operator=(const Descriptor &) = delete;
      ~Descriptor()
      {
        close();
      }

      /// False where what was written does not fit, which disks of other
      /// machines tell here.
      bool
      close()
      {
        const int open = std::exchange(number, -1);
        return open < 0 || ::close(open) == 0;
      }

      int number;
    };



    void
    write(const fs::path    &path,
          const std::string &contents,
          const Durability   durability)
    {
      Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC);
      if (file.number < 0)
        fail("cannot create", path, errno);
      append_to(file.number, path, contents);
      if ((durability == Durability::on_disk && ::fsync(file.number) != 0) ||
          !file.close())
        fail("cannot write", path, errno);
    }



    void
    replace(const fs::path &path, const std::string &contents)
    {
      Replacement file(path);
      file.append(contents);
      file.commit();
    }



    Replacement::Replacement(const fs::path &path)
      : path(path)
      , partial(path.string() + ".partial")
      , file(
          std::make_unique<Descriptor>(partial, O_WRONLY | O_CREAT | O_TRUNC))
    {
      if (file->number < 0)
        fail("cannot create", partial, errno);
    }



    Replacement::~Replacement()
    {
      if (file)
        ::unlink(partial.c_str());
    }



    void
    Replacement::append(const std::string &part)
    {
      append_to(file->number, partial, part);
    }



    void
    Replacement::commit()
    {
      if (!file->close())
        fail("cannot write", partial, errno);
      Files::rename(partial, path);
      file.reset();
    }



    std::string
    read(const fs::path &path)
    {
      const Descriptor file(path, O_RDONLY);
      if (file.number < 0)
        fail("cannot read", path, errno);
      std::string contents;
      std::size_t n_read = 0;
      while (true)
        {
          if (n_read == contents.size())
            contents.resize(2 * n_read + (1 << 16));
          const ssize_t n = ::read(file.number,
                                   contents.data() + n_read,
                                   contents.size() - n_read);
          if (n < 0 && errno == EINTR)
            continue;
          if (n < 0)
            fail("cannot read", path, errno);
          if (n == 0)
            break;
          n_read += static_cast<std::size_t>(n);
        }
      contents.resize(n_read);
      return contents;
    }



    void
    synchronize(const fs::path &path)
    {
      const Descriptor file(path, O_RDONLY);
      if (file.number < 0 || ::fsync(file.number) != 0)
        fail("cannot force to the disk", path, errno);
    }



    void
    rename(const fs::path &from, const fs::path &to)
    {
      if (::rename(from.c_str(), to.c_str()) != 0)
        fail("cannot rename to", to, errno);
    }



    void
    create_folder(const fs::path &path)
    {
      std::error_code error;
      fs::create_directories(path, error);
      if (error)
        fail("cannot create the folder", path, error.value());
    }



    std::uint32_t
    checksum(const std::string &contents)
    {
      boost::crc_32_type crc;
      crc.process_bytes(contents.data(), contents.size());
      return crc.checksum();
    }
  } // namespace Files
} // namespace Percuss
