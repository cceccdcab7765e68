// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/registry.h>
#include <percuss/base/suggestion.h>
#include <percuss/steppers/nonsmooth_alpha.h>

#include <deal.II/base/mpi.h>

#include <boost/serialization/vector.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
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
    /// which Gershgorin's rows bound from above. Order 2 in smooth motion, 1
    /// with impacts. Energy: equation (75, corrected) of V. Acary's slides:
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
        , has_damping(context.model.has_damping())
        , safety(parameters.safety)
        // The bound is exact for uniform meshes: leave room for round-off.
        , stable_step((1 + 1e-12) * 2 / highest_frequency(context.model))
      {}

      void
      set_step_size(const double step_size) override
      {
        if (step_size > safety * stable_step)
          throw EntryError("time/step size",
                           "is " + shortest_text(step_size) +
                             " s, above the largest step " +
                             shortest_text(safety * stable_step) +
                             " s of central differences on this model");
        h = step_size;
        if (has_damping || !model.contacts().has_constant_directions() ||
            model.contacts().reaches_other_ranks())
          NonsmoothAlpha::set_step_size(step_size);
        else
          NonsmoothAlpha::set_step_size(h, delassus_matrix());
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
      /// sqrt(max_i sum_j |K_ij| / M_ii), in 1/s.
      static double
      highest_frequency(const MechanicalModel &model)
      {
        const auto  M = model.assemble(1, 0, 0), K = model.assemble(0, 0, 1);
        const auto &mass = M->rows(), &stiffness = K->rows();
        const auto  first =
          static_cast<PetscInt>(M->partition()->local_range().first);
        double largest     = 0;
        bool   is_diagonal = true;
        for (std::size_t i = 0; i + 1 < mass.start.size(); ++i)
          {
            double diagonal = 0, sum = 0;
            for (PetscInt k = mass.start[i]; k < mass.start[i + 1]; ++k)
              if (mass.columns[k] == first + static_cast<PetscInt>(i))
                diagonal = mass.values[k];
              else if (mass.values[k] != 0)
                is_diagonal = false;
            for (PetscInt k = stiffness.start[i]; k < stiffness.start[i + 1];
                 ++k)
              sum += std::abs(stiffness.values[k]);
            largest = std::max(largest, sum / diagonal);
          }
        using namespace dealii::Utilities::MPI;
        if (max(is_diagonal ? 0u : 1u, model.communicator) > 0)
          throw EntryError("scheme/type",
                           "'central differences' needs a lumped mass matrix; "
                           "for bars and beams: set mass matrix = lumped");
        return std::sqrt(max(largest, model.communicator));
      }

      /// This rank's rows of D (M^-1 - h^2/4 M^-1 K M^-1) D^T: contacts feel
      /// those of their neighbours in K only.
      SparseMatrix::Rows
      delassus_matrix() const;

      const MechanicalModel &model;
      const bool             has_damping;
      const double           safety, stable_step;
      double                 h = 0;
    };

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



    /// Of the contacts of this rank, or of all.
    std::vector<Entry>
    entries_of_contacts(const MechanicalModel     &model,
                        const std::vector<double> &mass)
    {
      const ContactSet  &contacts  = model.contacts();
      const auto         first     = model.partition()->local_range().first;
      const auto         first_row = contacts.partition()->local_range().first;
      std::vector<Entry> result;
      for (unsigned int i = 0; i < contacts.partition()->locally_owned_size();
           ++i)
        for (const auto &[dof, coefficient] : contacts.row(i))
          result.push_back({static_cast<PetscInt>(first_row + i),
                            static_cast<PetscInt>(first + dof),
                            coefficient / mass[dof]});
      return result;
    }



    SparseMatrix::Rows
    CentralDifferences::delassus_matrix() const
    {
      const auto         B    = model.assemble(1, 0, -h * h / 4);
      const auto         mass = model.masses();
      const auto         mine = entries_of_contacts(model, mass);
      std::vector<Entry> all;
      for (const auto &part :
           dealii::Utilities::MPI::all_gather(model.communicator, mine))
        all.insert(all.end(), part.begin(), part.end());
      std::sort(all.begin(), all.end());
      const auto first =
        static_cast<PetscInt>(model.partition()->local_range().first);
      const auto first_row = static_cast<PetscInt>(
        model.contacts().partition()->local_range().first);
      std::vector<std::map<PetscInt, double>> W(
        model.contacts().partition()->locally_owned_size());
      const SparseMatrix::Rows &rows = B->rows();
      for (const Entry &entry : mine)
        for (PetscInt k = rows.start[entry.dof - first];
             k < rows.start[entry.dof - first + 1];
             ++k)
          for (auto other = std::lower_bound(all.begin(),
                                             all.end(),
                                             Entry{0, rows.columns[k], 0.});
               other != all.end() && other->dof == rows.columns[k];
               ++other)
            W[entry.row - first_row][other->row] +=
              entry.coefficient * rows.values[k] * other->coefficient;
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
