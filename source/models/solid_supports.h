// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/formula.h>
#include <percuss/linear_algebra/vector.h>
#include <percuss/mechanics/mechanical_model.h>
#include <percuss/mechanics/moving_supports.h>

#include <deal.II/base/point.h>
#include <deal.II/base/types.h>

#include <array>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace Percuss
{
  /// Degrees of freedom of a solid that its supports move, l(t), and the
  /// entries of M and K in their columns, which the matrices of the model do
  /// not have. Each rank has the entries of its own cells, and adds up.
  template <int dim>
  class SolidSupports : public MovingSupports
  {
  public:
    using Index = dealii::types::global_dof_index;

    /// @p motions are formulas of x, y, z and t, in m.
    SolidSupports(const std::vector<Formula> &motions,
                  const FormulaNames         &names,
                  const Partition            &owned,
                  const ProportionalDamping  &damping);

    /// A degree of freedom of this rank's cells, or another one that it owns.
    void
    add_moving(Index                     number,
               const dealii::Point<dim> &place,
               unsigned int              motion);

    bool
    is_moving(const Index number) const
    {
      return moving.count(number) == 1;
    }

    /// Whether any direction of a node is.
    bool
    moves(const Index node) const
    {
      const auto first = moving.lower_bound(dim * node);
      return first != moving.end() && first->first < dim * (node + 1);
    }

    /// Adds entries of M and K. The column is moving, the row as well or free.
    void
    add_entry(Index row, Index column, double of_mass, double of_stiffness);

    /// After the last entry. @p gravity has the dead load at all degrees of
    /// freedom. Collective.
    void
    complete(const Vector &gravity);

    /// For a model with large strains: @p forces are those of the whole body
    /// inside it, and K is in the damping only.
    void
    set_forces(const std::function<void(const State &, Vector &)> &forces);

    /// Adds @p factor times the driving load -(M l'' + C l' + K l).
    void
    add_load(double time, double factor, Vector &f) const;

    /// Adds l and its derivatives.
    void
    add_displacement(double time, Vector &q) const;
    void
    add_velocity(double time, Vector &v) const;
    void
    add_acceleration(double time, Vector &a) const;

    /// Adds K l at free degrees of freedom, and returns this rank's part of
    /// l . K (q + l).
    double
    add_stiffness(double time, const Vector &q, Vector &f) const;

    /// This rank's part of f_dead . l.
    double
    work_of_gravity(double time) const;

    double
    energy(const State &state) const override;

    double
    strain_work(const State &begin, const State &end) const override;

    double
    damping_work(const State         &begin,
                 const State         &end,
                 const EnergyPromise &promise) const override;

    double
    dissipation(const State         &begin,
                const State         &end,
                const EnergyPromise &promise) const override;

  private:
    struct MovingDof
    {
      Index              number;
      unsigned int       local; ///< in `felt`
      dealii::Point<dim> place;
      unsigned int       motion;
      double             gravity = 0; ///< of own ones, in N
    };

    /// Entries of M and K.
    struct Entry
    {
      unsigned int row; ///< in `felt`, or in `dofs`
      unsigned int column;
      double       of_mass, of_stiffness;
    };

    /// Of moving degrees of freedom.
    using Values = std::vector<double>;

    /// l, l' or l'' by the number of the @p derivative.
    void
    evaluate(double time, unsigned int derivative, Values &values) const;

    void
    add(double time, unsigned int derivative, Vector &x) const;

    /// @p values are by how much l or l' changes.
    void
    evaluate_change(const State &begin,
                    const State &end,
                    unsigned int derivative,
                    Values      &values) const;

    /// @p x with the values of other ranks that entries need.
    const double *
    feel(const Vector &x) const;

    /// This rank's part of a . (of_mass M + of_stiffness K) (x + b), of the
    /// rows of moving degrees of freedom; @p x is free.
    double
    product(const Values &a,
            const double *x,
            const Values &b,
            double        of_mass,
            double        of_stiffness) const;

    const Partition                 owned;
    const ProportionalDamping       damping;
    std::array<CompiledFormulas, 3> motions; ///< and derivatives
    std::vector<MovingDof>          dofs;
    std::map<Index, unsigned int>   moving; ///< places in `dofs`
    std::map<std::pair<Index, Index>, std::pair<double, double>> collected;
    std::vector<Entry>                           free_rows, moving_rows;
    Partition                                    felt; ///< own and others' rows
    mutable Vector                               x_felt, f_felt, mean;
    mutable Values                               l, rate, acceleration, step;
    Values                                       none;   ///< zeros
    std::function<void(const State &, Vector &)> forces; ///< or none
    mutable std::vector<double>                  formula_values;
  };
} // namespace Percuss
