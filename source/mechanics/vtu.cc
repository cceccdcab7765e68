// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/suggestion.h>
#include <percuss/mechanics/vtu.h>

#include <sstream>
#include <tuple>

#include "vtu_pieces.h"

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
        using namespace dealii::DataComponentInterpretation;
        add(fields.vectors, 3, component_is_part_of_vector);
        add(fields.tensors, 9, component_is_part_of_tensor);
        all_names.insert(all_names.end(),
                         fields.names.begin(),
                         fields.names.end());
      }

    private:
      void
      add(const std::vector<std::string> &names,
          const unsigned int              n_components,
          const dealii::DataComponentInterpretation::DataComponentInterpretation
            kind)
      {
        for (const std::string &name : names)
          {
            const auto first = static_cast<unsigned int>(all_names.size());
            all_names.insert(all_names.end(), n_components, name);
            ranges.emplace_back(first, first + n_components - 1, name, kind);
          }
      }

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
            const FieldFolder                  &folder,
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

    std::ostringstream stream;
    writer.write_vtu(stream);
    std::string text = stream.str();
    // deal.II leaves the time out of parts without patches.
    if (fields.patches.empty())
      text.insert(text.find("<Piece"),
                  "<FieldData>\n<DataArray type=\"Float32\" Name=\"TIME\" "
                  "NumberOfTuples=\"1\" format=\"ascii\">" +
                    shortest_text(time) + "</DataArray>\n</FieldData>\n");
    const auto record = [&](const std::vector<std::string> &pieces) {
      std::ostringstream list;
      writer.write_pvtu_record(list, pieces);
      return list.str();
    };
    return write_vtu_pieces(text, record, folder, name, communicator);
  }

  template std::string
  write_vtu(const FieldPatches<0, 2> &,
            const FieldFolder &,
            const std::string &,
            double,
            MPI_Comm);
  template std::string
  write_vtu(const FieldPatches<1, 2> &,
            const FieldFolder &,
            const std::string &,
            double,
            MPI_Comm);
  template std::string
  write_vtu(const FieldPatches<2, 2> &,
            const FieldFolder &,
            const std::string &,
            double,
            MPI_Comm);
  template std::string
  write_vtu(const FieldPatches<3, 3> &,
            const FieldFolder &,
            const std::string &,
            double,
            MPI_Comm);
  template std::string
  write_vtu(const FieldPatches<1, 3> &,
            const FieldFolder &,
            const std::string &,
            double,
            MPI_Comm);
} // namespace Percuss
