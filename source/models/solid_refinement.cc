// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <sstream>
#include <tuple>

#include "formula_entry.h"
#include "solid_mesh.h"

// Smaller cells where the parameter file asks for them, where the motion does,
// or where they were when a checkpoint was written.

namespace Percuss
{
  template <int dim>
  typename SolidMesh<dim>::Region
  SolidMesh<dim>::make_region(const std::string                 &name,
                              const SolidParameters::Refinement &entries) const
  {
    const std::string  path    = "refinement/" + name;
    const std::string  section = "model/" + parameters.model();
    const FormulaEntry where(path + "/where", entries.where, section);
    Region             result;
    result.n_levels    = entries.n_levels;
    result.has_formula = where.has_text();
    if (!entries.on.empty())
      std::tie(result.body, result.side) =
        parameters.read_side(entries.on, path + "/on");
    else if (!result.has_formula)
      throw EntryError(section + "/" + path + "/where",
                       "is empty, and so is 'on': one of them must say where "
                       "the cells are.");
    FormulaNames names;
    for (const std::string &direction : parameters.directions())
      names.add_variable(direction);
    if (result.has_formula)
      result.where =
        CompiledFormulas({where.formula(where.whole(), names)}, names);
    return result;
  }



  template <int dim>
  bool
  SolidMesh<dim>::is_inside(const Cell &cell, const Region &region)
  {
    const auto is_point_inside = [&region](const dealii::Point<dim> &x) {
      double coordinates[dim], value;
      for (unsigned int d = 0; d < dim; ++d)
        coordinates[d] = x[d];
      region.where.evaluate(coordinates, &value);
      return value <= 0;
    };
    if (!region.has_formula || is_point_inside(cell->center()))
      return true;
    for (const unsigned int v : cell->vertex_indices())
      if (is_point_inside(cell->vertex(v)))
        return true;
    return false;
  }



  template <int dim>
  void
  SolidMesh<dim>::halve(const std::function<bool(const Cell &)> &is_too_large)
  {
    while (true)
      {
        unsigned int n_flags = 0;
        for (const auto &cell : triangulation.active_cell_iterators())
          if (cell->is_locally_owned() && is_too_large(cell))
            {
              cell->set_refine_flag();
              ++n_flags;
            }
        if (dealii::Utilities::MPI::max(n_flags,
                                        triangulation.get_communicator()) == 0)
          return;
        triangulation.execute_coarsening_and_refinement();
      }
  }



  template <int dim>
  bool
  SolidMesh<dim>::must_be_halved(const Cell &cell) const
  {
    return std::any_of(regions.begin(),
                       regions.end(),
                       [&](const Region &region) {
                         return cell->level() <
                                  first_level(body_of(cell)) +
                                    static_cast<int>(region.n_levels) &&
                                touches(cell, region.body, region.side) &&
                                is_inside(cell, region);
                       });
  }



  template <int dim>
  void
  SolidMesh<dim>::refine_locally()
  {
    halve([this](const Cell &cell) { return must_be_halved(cell); });
  }



  template <int dim>
  bool
  SolidMesh<dim>::touches(const Cell        &cell,
                          const unsigned int body,
                          const std::string &side) const
  {
    const auto faces = cell->face_iterators();
    return side.empty() ||
           std::any_of(faces.begin(), faces.end(), [&](const auto &face) {
             return is_on(face, body, side);
           });
  }



  template <int dim>
  bool
  SolidMesh<dim>::flag(const std::vector<int> &wishes)
  {
    auto wish = wishes.begin();
    for (const auto &cell : own_cells())
      {
        if (*wish > 0)
          cell->set_refine_flag();
        else if (*wish < 0)
          cell->set_coarsen_flag();
        ++wish;
      }
    triangulation.prepare_coarsening_and_refinement();
    unsigned int n_flags = 0;
    for (const auto &cell : triangulation.active_cell_iterators())
      if (cell->is_locally_owned())
        n_flags += cell->refine_flag_set() || cell->coarsen_flag_set();
    return dealii::Utilities::MPI::max(n_flags,
                                       triangulation.get_communicator()) > 0;
  }



  template <int dim>
  void
  SolidMesh<dim>::change(
    const std::function<std::vector<char>(const Cell &, CellStatus)> &pack,
    const std::function<void()>                                      &prepare,
    const std::function<void(const Cell &, CellStatus, const CellBytes &)>
      &unpack)
  {
    const unsigned int handle = triangulation.register_data_attach(pack, true);
    triangulation.execute_coarsening_and_refinement();
    prepare();
    triangulation.notify_ready_to_unpack(handle, unpack);
  }



  /// "2:64 4:8 3:12": levels, and how many cells in a row have them.
  template <int dim>
  std::string
  SolidMesh<dim>::describe() const
  {
    using Runs     = std::vector<std::pair<int, unsigned int>>;
    const auto add = [](Runs &runs, const int level, const unsigned int n) {
      if (runs.empty() || runs.back().first != level)
        runs.emplace_back(level, 0);
      runs.back().second += n;
    };
    Runs own, all;
    for (const auto &cell : own_cells())
      add(own, cell->level(), 1);
    for (const Runs &part :
         dealii::Utilities::MPI::gather(triangulation.get_communicator(), own))
      for (const auto &[level, n] : part)
        add(all, level, n);
    std::ostringstream text;
    for (const auto &[level, n] : all)
      text << level << ':' << n << ' ';
    return text.str();
  }



  namespace
  {
    /// The levels of cells along p4est's curve, as describe() tells them. They
    /// are kept as runs of equal ones: each rank has all of them.
    class LevelsOnCurve
    {
    public:
      LevelsOnCurve(const std::string &description, unsigned int dim);

      /// Where the curve ends. Places count cells of the level `most`.
      std::uint64_t
      end() const
      {
        return runs.empty() ? 0 : runs.back().first + length(runs.back());
      }

      /// Of the cell that begins at a place, or else of the next one; 0 where
      /// there is none.
      int
      level_at(std::uint64_t place) const;

      unsigned int most = 1; ///< above all levels

    private:
      struct Run
      {
        std::uint64_t first; ///< where it begins
        std::uint64_t n_cells;
        int           level;
      };

      std::uint64_t
      size_of_cell(const Run &run) const
      {
        return std::uint64_t(1) << dim * (most - run.level);
      }
      std::uint64_t
      length(const Run &run) const
      {
        return run.n_cells * size_of_cell(run);
      }

      const unsigned int dim;
      std::vector<Run>   runs;
    };



    LevelsOnCurve::LevelsOnCurve(const std::string &description,
                                 const unsigned int dim)
      : dim(dim)
    {
      std::istringstream text(description);
      Run                run = {0, 0, 0};
      char               colon;
      while (text >> run.level >> colon >> run.n_cells)
        {
          runs.push_back(run);
          most = std::max<unsigned int>(most, run.level + 1);
        }
      std::uint64_t place = 0;
      for (Run &each : runs)
        {
          each.first = place;
          place += length(each);
        }
    }



    int
    LevelsOnCurve::level_at(const std::uint64_t place) const
    {
      auto run = std::upper_bound(runs.begin(),
                                  runs.end(),
                                  place,
                                  [](const std::uint64_t here, const Run &any) {
                                    return here < any.first;
                                  });
      // The run before may have a cell that begins here or later.
      const Run          &before = *std::prev(run);
      const std::uint64_t size   = size_of_cell(before);
      if ((place - before.first + size - 1) / size < before.n_cells)
        return before.level;
      return run == runs.end() ? 0 : run->level;
    }
  } // namespace



  /// Compares the cells that are wanted with those that begin at the same
  /// places of p4est's curve.
  template <int dim>
  void
  SolidMesh<dim>::refine_as(const std::string &description)
  {
    const LevelsOnCurve levels(description, dim);
    const unsigned int  most = levels.most;
    if (levels.end() != std::uint64_t(triangulation.n_cells(0)) << dim * most)
      throw Error(ExitCode::io,
                  "The mesh of the checkpoint is not one of these bodies.");
    halve([&](const Cell &cell) {
      const Place here = place_of(cell);
      return levels.level_at((std::uint64_t(here.first) << dim * most) +
                             (here.second >> (64 - dim * most))) >
             cell->level();
    });
  }

  template class SolidMesh<2>;
  template class SolidMesh<3>;
} // namespace Percuss
