// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/mechanical_model.h>

#include <deal.II/lac/full_matrix.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  /// A base for small models with constant matrices, a dead load and contacts
  /// with constant directions. All coordinates and contacts live on rank 0; the
  /// other ranks own nothing and learn energies, norms and probes as sums.
  class DenseModel : public MechanicalModel
  {
  public:
    struct Contact
    {
      ContactPoint                 point;       ///< but for body and slot
      std::vector<ContactSet::Row> rows;        ///< of D, one per direction
      double                       initial_gap; ///< in m
    };

    /// What the base needs to know. An empty C or K is zero.
    struct System
    {
      dealii::FullMatrix<double> M, C, K;
      std::vector<double>        dead_load; ///< in N
      std::vector<double>        q, v;      ///< at the start
      std::vector<Contact>       contacts;
      ContactSet::Geometry       geometry; ///< empty for constant directions
    };

    DenseModel(const System &system, const Context &context);

    const Partition &
    partition() const override
    {
      return owned;
    }

    State
    initial_state() const override;

    /// Without the entries that are zero in all three matrices.
    std::unique_ptr<SparseMatrix>
    assemble(double m, double c, double k) const override;

    void
    internal_forces(const Vector &q, const Vector &v, Vector &f) const override;

    void
    damping_forces(const Vector &v, Vector &f) const override;

    void
    multiply_by_mass(const Vector &x, Vector &y) const override;

    double
    mass_norm(const Vector &x) const override
    {
      return sum_over_ranks(local_norm(M, x));
    }

    double
    stiffness_norm(const Vector &x) const override
    {
      return sum_over_ranks(local_norm(K, x));
    }

    Energy
    energy(const State &state) const override;

    const Vector &
    dead_load() const override
    {
      return load;
    }

    void
    add_driving_load(double, double, Vector &) const override
    {}

    bool
    has_driving_load() const override
    {
      return false;
    }

    bool
    has_damping() const override
    {
      return is_damped;
    }

    const ContactSet &
    contacts() const override
    {
      return contact_set;
    }

    std::vector<std::pair<double, double>>
    profile(const State &, unsigned int) const override
    {
      return {};
    }

  protected:
    /// Whether this rank has the coordinates.
    bool
    owns_all() const
    {
      return owned->locally_owned_size() > 0;
    }

    double
    sum_over_ranks(double value) const;

    /// A probe from a function that is called only where owns_all().
    Probe
    probe(const std::string                          &name,
          const std::string                          &unit,
          const std::function<double(const State &)> &value) const;

    /// Writes positions and velocities into @p state where owns_all().
    void
    fill(const std::vector<double> &q,
         const std::vector<double> &v,
         State                     &state) const;

  private:
    using Values = std::vector<double>;

    double
    local_norm(const Values &matrix, const Vector &x) const;

    Partition owned;
    /// The common pattern of this rank's rows, and the three matrices on it.
    std::vector<unsigned int> row_start = {0}, columns;
    Values                    M, C, K;
    bool                      is_damped;
    Vector                    load;
    State                     start;
    ContactSet                contact_set;
  };
} // namespace Percuss
