// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/mechanical_model.h>

#include <deal.II/lac/full_matrix.h>

#include <cmath>
#include <random>

namespace Percuss::Test
{
  /// A full square matrix for the vectors of Percuss.
  class DenseMatrix : public dealii::FullMatrix<double>
  {
  public:
    using dealii::FullMatrix<double>::FullMatrix;

    void
    vmult(Vector &y, const Vector &x) const
    {
      y = 0.;
      vmult_add(y, x);
    }
    void
    vmult_add(Vector &y, const Vector &x) const
    {
      for (unsigned int i = 0; i < m(); ++i)
        for (unsigned int j = 0; j < n(); ++j)
          y(i) += (*this)(i, j) * x(j);
    }
    double
    matrix_norm_square(const Vector &x) const
    {
      Vector product(x);
      vmult(product, x);
      return product * x;
    }
  };

  /// A small linear system with full random matrices, loads that vary with
  /// time, dead loads and several contacts: nothing is zero or diagonal.
  class RandomSystem : public MechanicalModel
  {
  public:
    using Matrix = DenseMatrix;

    /// What a scheme may need.
    struct Kind
    {
      bool   has_diagonal_mass     = false;
      bool   has_massless_contacts = false;
      bool   has_damping           = true;
      double largest_restitution   = 1;
    };

    /// The kind of system that a scheme accepts.
    static Kind
    kind_for(const std::string &scheme)
    {
      Kind kind;
      kind.has_diagonal_mass     = scheme == "central differences";
      kind.has_massless_contacts = scheme == "redistributed mass newmark";
      return kind;
    }

    RandomSystem(const unsigned int seed,
                 const unsigned int n,
                 const unsigned int n_contacts)
      : RandomSystem(seed, n, n_contacts, Kind())
    {}

    RandomSystem(const unsigned int seed,
                 const unsigned int n,
                 const unsigned int n_contacts,
                 const Kind        &kind)
      : MechanicalModel({MPI_COMM_SELF})
      , n(n)
      , kind(kind)
      , generator(seed)
      , owned(make_partition(n, MPI_COMM_SELF))
      , M(mass(kind.has_massless_contacts ? n_contacts : 0))
      , C(positive_definite(0.))
      , K(positive_definite(0.))
      , dead(owned)
      , drive(owned)
      , contact_set(MPI_COMM_SELF)
    {
      C *= kind.has_damping ? 0.1 : 0.;
      K *= 10.;
      for (unsigned int i = 0; i < n; ++i)
        {
          dead(i)  = number();
          drive(i) = number();
        }
      for (unsigned int c = 0; c < n_contacts; ++c)
        {
          std::vector<std::pair<unsigned int, double>> row;
          if (kind.has_massless_contacts)
            row.emplace_back(c, number() < 0 ? -1 : 1);
          else
            for (unsigned int i = 0; i < n; ++i)
              row.emplace_back(i, number());
          contact_set.add({0.5 * (1 + number()) * kind.largest_restitution,
                           0,
                           c},
                          row,
                          0.05 * (1 + number()));
        }
      contact_set.complete();
    }

    const Partition &
    partition() const override
    {
      return owned;
    }
    State
    initial_state() const override
    {
      State state;
      state.q.reinit(owned);
      state.v.reinit(owned);
      for (unsigned int i = 0; i < n; ++i)
        {
          state.q(i) = 0.1 * number();
          state.v(i) = number();
        }
      return state;
    }
    std::unique_ptr<SparseMatrix>
    assemble(const double m, const double c, const double k) const override
    {
      SparseMatrix::Rows rows;
      for (unsigned int i = 0; i < n; ++i)
        {
          for (unsigned int j = 0; j < n; ++j)
            {
              rows.columns.push_back(static_cast<PetscInt>(j));
              rows.values.push_back(m * M(i, j) + c * C(i, j) + k * K(i, j));
            }
          rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
        }
      return std::make_unique<SparseMatrix>(owned, std::move(rows));
    }
    void
    internal_forces(const Vector &q, const Vector &v, Vector &f) const override
    {
      K.vmult(f, q);
      C.vmult_add(f, v);
    }
    void
    damping_forces(const Vector &v, Vector &f) const override
    {
      C.vmult(f, v);
    }
    void
    multiply_by_mass(const Vector &x, Vector &y) const override
    {
      M.vmult(y, x);
    }
    double
    mass_norm(const Vector &x) const override
    {
      return M.matrix_norm_square(x);
    }
    double
    stiffness_norm(const Vector &x) const override
    {
      return K.matrix_norm_square(x);
    }
    Energy
    energy(const State &state) const override
    {
      return {0.5 * mass_norm(state.v),
              0.5 * stiffness_norm(state.q),
              -(dead * state.q)};
    }
    const Vector &
    dead_load() const override
    {
      return dead;
    }
    void
    add_driving_load(const double time,
                     const double factor,
                     Vector      &f) const override
    {
      f.add(factor * std::sin(3 * time + 1), drive);
    }
    bool
    has_driving_load() const override
    {
      return true;
    }
    bool
    has_damping() const override
    {
      return kind.has_damping;
    }
    const ContactSet &
    contacts() const override
    {
      return contact_set;
    }
    double
    mean_velocity(const State &) const override
    {
      return 0;
    }
    Probe
    make_probe(const std::string &name, const std::string &) const override
    {
      return {name, "", [](const State &) { return 0.; }};
    }
    std::vector<ExactValue>
    exact_values(double) const override
    {
      return {};
    }
    std::vector<std::pair<std::string, std::string>>
    facts() const override
    {
      return {};
    }
    std::string
    write_fields(const State &,
                 const Vector &,
                 const FieldFolder &,
                 const std::string &) const override
    {
      return "";
    }
    std::vector<std::pair<double, double>>
    profile(const State &, unsigned int) const override
    {
      return {};
    }

  private:
    double
    number() const
    {
      return std::uniform_real_distribution<double>(-1, 1)(generator);
    }

    Matrix
    positive_definite(const double shift) const
    {
      Matrix factor(n, n), product(n, n);
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
          factor(i, j) = number();
      factor.mTmult(product, factor);
      for (unsigned int i = 0; i < n; ++i)
        product(i, i) += shift;
      return product;
    }

    /// The first coordinates have no mass.
    Matrix
    mass(const unsigned int n_massless) const
    {
      Matrix result = positive_definite(1.);
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
          if ((i != j && kind.has_diagonal_mass) || i < n_massless ||
              j < n_massless)
            result(i, j) = 0;
      return result;
    }

    const unsigned int   n;
    const Kind           kind;
    mutable std::mt19937 generator;

  public:
    Partition    owned;
    const Matrix M;
    Matrix       C, K;
    Vector       dead, drive;

  private:
    ContactSet contact_set;
  };
} // namespace Percuss::Test
