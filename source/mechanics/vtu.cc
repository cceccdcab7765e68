// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/collective.h>
#include <percuss/base/files.h>
#include <percuss/mechanics/vtu.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/utilities.h>

#include <sstream>
#include <tuple>

namespace Percuss
{
  namespace
  {
    using Range = std::tuple<
      unsigned int,
      unsigned int,
      std::string,
      dealii::DataComponentInterpretation::DataComponentInterpretation>;

    /// Hands patches that a model has made to deal.II's writers.
    template <int dim, int space_dim>
    class PatchWriter : public dealii::DataOutInterface<dim, space_dim>
    {
    public:
      using Patch = typename FieldPatches<dim, space_dim>::Patch;

      explicit PatchWriter(const FieldPatches<dim, space_dim> &fields)
        : fields(fields)
      {
        for (const std::string &vector : fields.vectors)
          {
            const auto first = static_cast<unsigned int>(all_names.size());
            all_names.insert(all_names.end(), 3, vector);
            ranges.emplace_back(
              first,
              first + 2,
              vector,
              dealii::DataComponentInterpretation::component_is_part_of_vector);
          }
        all_names.insert(all_names.end(),
                         fields.names.begin(),
                         fields.names.end());
      }

    private:
      const std::vector<Patch> &
      get_patches() const override
      {
        return fields.patches;
      }
      std::vector<std::string>
      get_dataset_names() const override
      {
        return all_names;
      }
      std::vector<Range>
      get_nonscalar_data_ranges() const override
      {
        return ranges;
      }

      const FieldPatches<dim, space_dim> &fields;
      std::vector<std::string>            all_names;
      std::vector<Range>                  ranges;
    };
  } // namespace



  template <int dim, int space_dim>
  std::string
  write_vtu(const FieldPatches<dim, space_dim> &fields,
            const std::string                  &folder,
            const std::string                  &name,
            const double                        time,
            const MPI_Comm                      communicator)
  {
    PatchWriter<dim, space_dim>   writer(fields);
    dealii::DataOutBase::VtkFlags flags;
    flags.compression_level =
      dealii::DataOutBase::VtkFlags::ZlibCompressionLevel::best_speed;
    flags.time                = time;
    flags.print_date_and_time = false;
    writer.set_flags(flags);

    const unsigned int n_ranks =
      dealii::Utilities::MPI::n_mpi_processes(communicator);
    const unsigned int rank =
      dealii::Utilities::MPI::this_mpi_process(communicator);
    const auto piece = [&](const unsigned int number) {
      return name +
             (n_ranks == 1 ?
                "" :
                "." + dealii::Utilities::int_to_string(
                        number, dealii::Utilities::needed_digits(n_ranks))) +
             ".vtu";
    };
    std::ostringstream text;
    writer.write_vtu(text);
    std::ostringstream record;
    if (n_ranks > 1 && rank == 0)
      {
        std::vector<std::string> pieces;
        for (unsigned int number = 0; number < n_ranks; ++number)
          pieces.push_back(piece(number));
        writer.write_pvtu_record(record, pieces);
      }
    collectively(communicator, [&]() {
      Files::replace(folder + "/" + piece(rank), text.str());
      if (n_ranks > 1 && rank == 0)
        Files::replace(folder + "/" + name + ".pvtu", record.str());
    });
    if (n_ranks == 1)
      return piece(0);
    return name + ".pvtu";
  }

  template std::string
  write_vtu(const FieldPatches<0, 2> &,
            const std::string &,
            const std::string &,
            double,
            MPI_Comm);
  template std::string
  write_vtu(const FieldPatches<1, 2> &,
            const std::string &,
            const std::string &,
            double,
            MPI_Comm);
  template std::string
  write_vtu(const FieldPatches<2, 2> &,
            const std::string &,
            const std::string &,
            double,
            MPI_Comm);
  template std::string
  write_vtu(const FieldPatches<1, 3> &,
            const std::string &,
            const std::string &,
            double,
            MPI_Comm);
} // namespace Percuss
