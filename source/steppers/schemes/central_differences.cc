// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/registry.h>
#include <percuss/base/suggestion.h>
#include <percuss/linear_algebra/diagonal_matrix.h>
#include <percuss/mechanics/partial_rows.h>
#include <percuss/steppers/nonsmooth_alpha.h>

#include <deal.II/base/mpi.h>

#include <boost/serialization/vector.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace Percuss
{
  namespace
  {
    /// Explicit central differences with impulses: the nonsmooth Newmark
    /// scheme with gamma = 1/2, beta = 0 on a diagonal mass matrix,
    /// @f[ v_{k+1} = v_k + \tfrac h2 (a_k + a_{k+1}) + w, \qquad
    ///     q_{k+1} = q_k + h v_k + \tfrac{h^2}{2} a_k + \tfrac h2 w, @f]
    /// @f[ M a = f, \qquad M w = D^T\lambda. @f]
    /// Without damping, no system of equations is solved but that of the
    /// contacts, whose matrix is
    /// @f$ D (M^{-1} - \tfrac{h^2}{4} M^{-1} K M^{-1}) D^T @f$.
    /// Stable for h <= 2 / omega with the highest circular frequency omega,
    /// which Gershgorin's rows bound from above, or Lanczos's method for
    /// solids. Neither needs the matrices of solids. Order 2 in smooth motion,
    /// 1 with impacts. Energy: equation (75, corrected) of V. Acary's slides:
    /// K = E - h^2/8 a^T M a, positive for stable steps, is conserved but for
    /// the impacts.
    class CentralDifferences : public NonsmoothAlpha
    {
    public:
      struct Parameters
      {
        double safety = 1;

        void
        declare(ParameterSection &section)
        {
          section.add("largest part of the stable step",
                      safety,
                      "Longer steps are refused",
                      Range::between(0.01, 1));
        }
      };

      CentralDifferences(const Parameters &parameters, const Context &context)
        : NonsmoothAlpha({0, 0, 0.5, 0}, context)
        , model(context.model)
        , safety(parameters.safety)
        // The bound is exact for uniform bars: leave room for round-off.
        , stable_step((1 + 1e-12) * 2 / highest_frequency(context.model))
      {}

      void
      set_step_size(const double step_size) override
      {
        if (step_size > safety * stable_step)
          throw StepTooLong("is " + shortest_text(step_size) +
                            " s, above the largest step " +
                            shortest_text(safety * stable_step) +
                            " s of central differences on this model");
        h = step_size;
        if (knows_response())
          NonsmoothAlpha::set_step_size(h, delassus_matrix());
        else
          NonsmoothAlpha::set_step_size(h);
      }

      EnergyPromise
      promise() const override
      {
        EnergyPromise promise = NonsmoothAlpha::promise();
        promise.hypotheses    = {{"h <= 2 / omega", h <= stable_step}};
        return promise;
      }

      std::vector<std::pair<std::string, std::string>>
      facts() const override
      {
        return {{"stable step",
                 std::isfinite(stable_step) ?
                   shortest_text(stable_step) + " s" :
                   "any: there is no stiffness"}};
      }

    private:
      /// An upper bound, in 1/s.
      static double
      highest_frequency(const MechanicalModel &model);

      /// Whether S is diagonal and contacts have degrees of freedom of their
      /// rank only.
      bool
      knows_response() const
      {
        const auto damping = model.proportional_damping();
        return (!model.has_damping() || (damping && damping->stiffness == 0)) &&
               !model.contacts().reaches_other_ranks();
      }

      /// This rank's rows of D (M^-1 - h^2/4 M^-1 K M^-1) D^T: contacts feel
      /// those of their neighbours in K only. With damping by C = a M they are
      /// divided by 1 + a h/2.
      SparseMatrix::Rows
      delassus_matrix() const;

      const MechanicalModel &model;
      const double           safety, stable_step;
      double                 h = 0;
    };



    /// sqrt(max_i sum_j |K_ij| / M_ii).
    double
    gershgorin_frequency(const SparseMatrix        &K,
                         const std::vector<double> &masses)
    {
      const auto &rows    = K.rows();
      double      largest = 0;
      for (std::size_t i = 0; i < masses.size(); ++i)
        {
          double sum = 0;
          for (PetscInt k = rows.start[i]; k < rows.start[i + 1]; ++k)
            sum += std::abs(rows.values[k]);
          largest = std::max(largest, sum / masses[i]);
        }
      return std::sqrt(
        dealii::Utilities::MPI::max(largest,
                                    K.partition()->get_mpi_communicator()));
    }



    /// Rows of solids have many entries of both signs: Gershgorin's circles
    /// would be too large, and their sums need the entries.
    double
    CentralDifferences::highest_frequency(const MechanicalModel &model)
    {
      if (!is_diagonal(*model.assemble(1, 0, 0)))
        throw EntryError("scheme/type",
                         "'central differences' needs a lumped mass matrix; "
                         "bars, beams and solids have one with the entry mass "
                         "matrix = lumped");
      const auto K      = model.assemble(0, 0, 1);
      const auto masses = model.masses();
      return K->has_blocks() || !K->has_entries() ?
               std::sqrt(largest_eigenvalue(*K, masses)) :
               gershgorin_frequency(*K, masses);
    }



    /// An entry of D: global numbers of its row and degree of freedom.
    struct Entry
    {
      PetscInt row, dof;
      double   coefficient; ///< divided by the mass

      bool
      operator<(const Entry &other) const
      {
        return std::tie(dof, row) < std::tie(other.dof, other.row);
      }

      template <class Archive>
      void
      serialize(Archive &archive, const unsigned int)
      {
        archive &row &dof &coefficient;
      }
    };



    /// Of the contacts of this rank, ascending.
    std::vector<Entry>
    entries_of_contacts(const MechanicalModel &model)
    {
      const std::vector<double> mass     = model.masses();
      const ContactSet         &contacts = model.contacts();
      const auto                first = model.partition()->local_range().first;
      const auto         first_row = contacts.partition()->local_range().first;
      std::vector<Entry> result;
      for (unsigned int i = 0; i < contacts.partition()->locally_owned_size();
           ++i)
        for (const auto &[dof, coefficient] : contacts.row(i))
          result.push_back({static_cast<PetscInt>(first_row + i),
                            static_cast<PetscInt>(first + dof),
                            coefficient / mass[dof]});
      std::sort(result.begin(), result.end());
      return result;
    }



    /// The entries of a degree of freedom.
    template <typename Action>
    void
    for_entries(const std::vector<Entry> &entries,
                const PetscInt            dof,
                const Action             &action)
    {
      for (auto entry =
             std::lower_bound(entries.begin(), entries.end(), Entry{0, dof, 0});
           entry != entries.end() && entry->dof == dof;
           ++entry)
        action(*entry);
    }



    /// Rows of a matrix, and which own degrees of freedom they are of.
    struct TouchedRows
    {
      TouchedRows(const MechanicalModel &model, const double m, const double k)
        : dofs(model.contacts().touched_dofs())
      {
        if (const auto *const some = dynamic_cast<const PartialRows *>(&model))
          rows = some->rows_of(dofs, m, k);
        else
          rows = PartialRows::choose(model.assemble(m, 0, k)->rows(), dofs);
      }

      /// Calls with the global numbers of degrees of freedom, and the value.
      template <typename Action>
      void
      for_each(const PetscInt first, const Action &action) const
      {
        for (std::size_t i = 0; i < dofs.size(); ++i)
          for (PetscInt k = rows.start[i]; k < rows.start[i + 1]; ++k)
            action(first + static_cast<PetscInt>(dofs[i]),
                   rows.columns[k],
                   rows.values[k]);
      }

      const std::vector<unsigned int> dofs;
      SparseMatrix::Rows              rows;
    };



    /// Sends the entries of this rank to those that feel them, and adds those
    /// of others. B is symmetric: who owns a column of a row feels the row.
    void
    exchange_entries(const TouchedRows                         &B,
                     const dealii::Utilities::MPI::Partitioner &dofs,
                     std::vector<Entry>                        &entries)
    {
      using namespace dealii::Utilities::MPI;
      const MPI_Comm communicator = dofs.get_mpi_communicator();
      const auto     first = static_cast<PetscInt>(dofs.local_range().first);
      const Owners   owner_of(dofs);
      const auto     me = this_mpi_process(communicator);
      std::map<unsigned int, std::set<PetscInt>> felt;
      B.for_each(first, [&](const PetscInt row, const PetscInt column, double) {
        const unsigned int owner =
          owner_of(static_cast<dealii::types::global_dof_index>(column));
        if (owner != me)
          felt[owner].insert(row);
      });
      std::map<unsigned int, std::vector<Entry>> messages;
      for (const auto &[rank, rows] : felt)
        for (const PetscInt row : rows)
          for_entries(entries, row, [&, to = rank](const Entry &entry) {
            messages[to].push_back(entry);
          });
      for (const auto &[rank, message] : some_to_some(communicator, messages))
        entries.insert(entries.end(), message.begin(), message.end());
      std::sort(entries.begin(), entries.end());
    }



    SparseMatrix::Rows
    CentralDifferences::delassus_matrix() const
    {
      const auto       &dofs  = *model.partition();
      const auto        first = static_cast<PetscInt>(dofs.local_range().first);
      const TouchedRows B(model, 1, -h * h / 4);
      const auto        mine = entries_of_contacts(model);
      std::vector<Entry> all = mine;
      if (dofs.n_mpi_processes() > 1)
        exchange_entries(B, dofs, all);
      const auto &numbers  = *model.contacts().partition();
      const auto first_row = static_cast<PetscInt>(numbers.local_range().first);
      double     damping   = 1;
      if (model.has_damping())
        damping += model.proportional_damping()->mass * h / 2;
      std::vector<std::map<PetscInt, double>> W(numbers.locally_owned_size());
      B.for_each(first,
                 [&](const PetscInt row,
                     const PetscInt column,
                     const double   value) {
                   for_entries(mine, row, [&](const Entry &one) {
                     for_entries(all, column, [&](const Entry &other) {
                       W[one.row - first_row][other.row] +=
                         one.coefficient * value * other.coefficient / damping;
                     });
                   });
                 });
      SparseMatrix::Rows result;
      for (const auto &row : W)
        {
          for (const auto &[column, value] : row)
            {
              result.columns.push_back(column);
              result.values.push_back(value);
            }
          result.start.push_back(static_cast<PetscInt>(result.columns.size()));
        }
      return result;
    }

    const Registration<TimeStepper, CentralDifferences> registration(
      "central differences",
      "explicit central differences with impulses, for lumped "
      "masses and steps below the stable one",
      {{"order", "1 with impacts, 2 in smooth motion"},
       {"energy",
        "conserves K but for impact losses, while the step is "
        "stable"},
       {"penetration", "of the order of h times the impact velocity"}});
  } // namespace
} // namespace Percuss
