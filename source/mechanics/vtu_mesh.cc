// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/suggestion.h>
#include <percuss/mechanics/vtu_mesh.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/utilities.h>

#include <cstring>
#include <sstream>

#include "vtu_pieces.h"

namespace Percuss
{
  namespace
  {
    std::string
    byte_order()
    {
      const std::uint16_t one = 1;
      unsigned char       first;
      std::memcpy(&first, &one, 1);
      return first == 1 ? "LittleEndian" : "BigEndian";
    }

    std::string
    first_line(const std::string &type)
    {
      return "<?xml version=\"1.0\"?>\n<VTKFile type=\"" + type +
             "\" version=\"1.0\" byte_order=\"" + byte_order() +
             "\" header_type=\"UInt64\">\n<" + type;
    }

    /// The number of bytes, then the values, in base 64.
    template <typename T>
    std::string
    encoded(const std::vector<T> &values)
    {
      const std::uint64_t        n_bytes = values.size() * sizeof(T);
      std::vector<unsigned char> bytes(sizeof(n_bytes) + n_bytes);
      std::memcpy(bytes.data(), &n_bytes, sizeof(n_bytes));
      if (n_bytes > 0)
        std::memcpy(bytes.data() + sizeof(n_bytes), values.data(), n_bytes);
      return dealii::Utilities::encode_base64(bytes);
    }

    template <typename T>
    void
    write_array(std::ostream         &out,
                const std::string    &name,
                const std::string    &type,
                const unsigned int    n_components,
                const std::vector<T> &values)
    {
      out << "<DataArray type=\"" << type << "\" Name=\"" << name
          << "\" NumberOfComponents=\"" << n_components
          << "\" format=\"binary\">\n"
          << encoded(values) << "\n</DataArray>\n";
    }

    std::string
    type_of(const VtuMesh::Field &field)
    {
      return field.is_integer ? "Int32" : "Float32";
    }

    std::vector<float>
    single_precision(const std::vector<double> &values)
    {
      return {values.begin(), values.end()};
    }

    void
    write_fields(std::ostream                      &out,
                 const std::string                 &tag,
                 const std::vector<VtuMesh::Field> &fields,
                 const std::size_t                  size)
    {
      out << '<' << tag << ">\n";
      for (const VtuMesh::Field &field : fields)
        {
          AssertThrow(field.values.size() == size * field.n_components,
                      dealii::ExcDimensionMismatch(field.values.size(),
                                                   size * field.n_components));
          const unsigned int n = field.n_components;
          if (field.is_integer)
            write_array(out,
                        field.name,
                        type_of(field),
                        n,
                        std::vector<std::int32_t>(field.values.begin(),
                                                  field.values.end()));
          else
            write_array(out,
                        field.name,
                        type_of(field),
                        n,
                        single_precision(field.values));
        }
      out << "</" << tag << ">\n";
    }

    void
    declare_fields(std::ostream                      &out,
                   const std::string                 &tag,
                   const std::vector<VtuMesh::Field> &fields)
    {
      out << '<' << tag << ">\n";
      for (const VtuMesh::Field &field : fields)
        out << "<PDataArray type=\"" << type_of(field) << "\" Name=\""
            << field.name << "\" NumberOfComponents=\"" << field.n_components
            << "\"/>\n";
      out << "</" << tag << ">\n";
    }
  } // namespace



  unsigned int
  VtuMesh::add_point(const std::array<double, 3> &x)
  {
    coordinates.insert(coordinates.end(), x.begin(), x.end());
    return n_points() - 1;
  }



  void
  VtuMesh::add_cell(const Cell type, const std::vector<unsigned int> &points)
  {
    connectivity.insert(connectivity.end(), points.begin(), points.end());
    offsets.push_back(connectivity.size());
    types.push_back(static_cast<std::uint8_t>(type));
  }



  std::string
  VtuMesh::piece(const double time) const
  {
    std::ostringstream out;
    out << first_line("UnstructuredGrid") << ">\n<FieldData>\n"
        << "<DataArray type=\"Float64\" Name=\"TIME\" NumberOfTuples=\"1\" "
           "format=\"ascii\">"
        << shortest_text(time) << "</DataArray>\n</FieldData>\n"
        << "<Piece NumberOfPoints=\"" << n_points() << "\" NumberOfCells=\""
        << n_cells() << "\">\n<Points>\n";
    write_array(out, "points", "Float32", 3, single_precision(coordinates));
    out << "</Points>\n<Cells>\n";
    write_array(out, "connectivity", "Int64", 1, connectivity);
    write_array(out, "offsets", "Int64", 1, offsets);
    write_array(out, "types", "UInt8", 1, types);
    out << "</Cells>\n";
    write_fields(out, "PointData", point_fields, n_points());
    write_fields(out, "CellData", cell_fields, n_cells());
    out << "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
    return out.str();
  }



  std::string
  VtuMesh::record(const std::vector<std::string> &pieces) const
  {
    std::ostringstream out;
    out << first_line("PUnstructuredGrid") << " GhostLevel=\"0\">\n<PPoints>\n"
        << "<PDataArray type=\"Float32\" Name=\"points\" "
           "NumberOfComponents=\"3\"/>\n</PPoints>\n";
    declare_fields(out, "PPointData", point_fields);
    declare_fields(out, "PCellData", cell_fields);
    for (const std::string &name : pieces)
      out << "<Piece Source=\"" << name << "\"/>\n";
    out << "</PUnstructuredGrid>\n</VTKFile>\n";
    return out.str();
  }



  std::string
  VtuMesh::write(const FieldFolder &folder,
                 const std::string &name,
                 const double       time,
                 const MPI_Comm     communicator) const
  {
    return write_vtu_pieces(
      piece(time),
      [this](const std::vector<std::string> &pieces) { return record(pieces); },
      folder,
      name,
      communicator);
  }
} // namespace Percuss
