// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "vtu_pieces.h"

#include <percuss/base/collective.h>
#include <percuss/base/files.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cstdint>

namespace Percuss
{
  namespace
  {
    /// The ranks that share a file: rank r of n belongs to file r N / n.
    class Group
    {
    public:
      Group(const unsigned int n_files, const MPI_Comm communicator)
        : communicator(communicator)
        , rank(dealii::Utilities::MPI::this_mpi_process(communicator))
        , n_ranks(dealii::Utilities::MPI::n_mpi_processes(communicator))
        , n_files(n_files == 0 ? n_ranks : std::min(n_files, n_ranks))
        , file(file_of(rank))
      {}

      unsigned int
      file_of(const unsigned int any_rank) const
      {
        return static_cast<unsigned int>(std::uint64_t(any_rank) * n_files /
                                         n_ranks);
      }
      bool
      is_first() const
      {
        return rank == 0 || file_of(rank - 1) != file;
      }

      /// To the first rank of the group.
      void
      send(const std::string &text) const;
      std::string
      receive(unsigned int source) const;

      const MPI_Comm     communicator;
      const unsigned int rank, n_ranks, n_files, file;

    private:
      /// MPI counts with 31 bits.
      static constexpr std::uint64_t largest_message = 1 << 30;
      static constexpr int           tag             = 0;
    };



    void
    Group::send(const std::string &text) const
    {
      unsigned int first = rank;
      while (first > 0 && file_of(first - 1) == file)
        --first;
      const std::uint64_t size = text.size();
      MPI_Send(&size, 1, MPI_UINT64_T, first, tag, communicator);
      for (std::uint64_t i = 0; i < size; i += largest_message)
        MPI_Send(text.data() + i,
                 static_cast<int>(std::min(size - i, largest_message)),
                 MPI_CHAR,
                 first,
                 tag,
                 communicator);
    }



    std::string
    Group::receive(const unsigned int source) const
    {
      std::uint64_t size = 0;
      MPI_Recv(
        &size, 1, MPI_UINT64_T, source, tag, communicator, MPI_STATUS_IGNORE);
      std::string text(size, ' ');
      for (std::uint64_t i = 0; i < size; i += largest_message)
        MPI_Recv(text.data() + i,
                 static_cast<int>(std::min(size - i, largest_message)),
                 MPI_CHAR,
                 source,
                 tag,
                 communicator,
                 MPI_STATUS_IGNORE);
      return text;
    }



    /// Puts the pieces of all members between the first lines and the last ones
    /// of the first member's text.
    void
    write_file(const std::string &path,
               const std::string &text,
               const Group       &group)
    {
      const std::string last  = "</Piece>\n";
      const std::size_t begin = text.find("<Piece"),
                        end   = text.rfind(last) + last.size();
      if (!group.is_first())
        return group.send(text.substr(begin, end - begin));
      unsigned int next     = group.rank + 1;
      const auto   has_next = [&]() {
        return next < group.n_ranks && group.file_of(next) == group.file;
      };
      try
        {
          Files::Replacement file(path);
          file.append(text.substr(0, end));
          while (has_next())
            file.append(group.receive(next++));
          file.append(text.substr(end));
          file.commit();
        }
      catch (...) // the others wait for someone who takes their pieces
        {
          while (has_next())
            group.receive(next++);
          throw;
        }
    }
  } // namespace



  std::string
  write_vtu_pieces(const std::string &text,
                   const VtuRecord   &record,
                   const FieldFolder &folder,
                   const std::string &name,
                   const MPI_Comm     communicator)
  {
    const Group        group(folder.n_files, communicator);
    const unsigned int n_digits =
      dealii::Utilities::needed_digits(group.n_files);
    std::vector<std::string> files;
    for (unsigned int number = 0; number < group.n_files; ++number)
      files.push_back(
        name +
        (group.n_files == 1 ?
           "" :
           "." + dealii::Utilities::int_to_string(number, n_digits)) +
        ".vtu");
    collectively(communicator, [&]() {
      write_file(folder.path + "/" + files[group.file], text, group);
      if (group.n_files > 1 && group.rank == 0)
        Files::replace(folder.path + "/" + name + ".pvtu", record(files));
    });
    return group.n_files == 1 ? files[0] : name + ".pvtu";
  }
} // namespace Percuss
