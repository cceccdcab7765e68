// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/collective.h>
#include <percuss/base/error.h>
#include <percuss/base/registry.h>
#include <percuss/base/suggestion.h>
#include <percuss/models/dense_model.h>

#include <deal.II/base/mpi.h>
#include <deal.II/lac/lapack_templates.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "lagrangian_drawing.h"
#include "lagrangian_joints.h"
#include "lagrangian_system.h"

namespace Percuss
{
  namespace
  {
    /// The text, compiled: before the base class needs its matrices.
    struct LagrangianParts
    {
      explicit LagrangianParts(const LagrangianParameters &parameters)
        : names(parameters)
        , system(parameters, names)
        , all_contacts(parameters, names)
        , variables(2 * names.size() + 1 + system.delays().size())
        , matrix(names.size() * names.size())
      {}

      /// q and v of a start, from the entries.
      std::vector<double>
      read_start(const std::string &path, const std::string &text) const
      {
        const FormulaEntry entry(path, text);
        if (text.find('=') == std::string::npos &&
            text.find_first_not_of(" \t") != std::string::npos)
          entry.refuse("'" + text + "' has no '='; write 'name = formula'.");
        return entry.numbers(names.coordinates, "coordinate", names.constants);
      }

      /// Puts a configuration into the variables of the formulas.
      const double *
      set(const Configuration &at) const
      {
        std::copy(at.q.begin(), at.q.end(), variables.begin());
        std::copy(at.v.begin(), at.v.end(), variables.begin() + names.size());
        variables[names.time()] = at.time;
        return variables.data();
      }

      /// The same, and what was before.
      const double *
      set_with_past(const Configuration &at) const
      {
        set(at);
        past.evaluate(at.time, variables.data() + names.time() + 1);
        return variables.data();
      }

      LagrangianNames             names;
      LagrangianSystem            system;
      LagrangianContacts          all_contacts;
      Delays                      past;
      mutable std::vector<double> variables;
      mutable std::vector<double> matrix; ///< or a vector; for one function
    };



    /// A system of a few coordinates that the parameter file describes by
    /// formulas,
    /// @f[ \frac{d}{dt}\frac{\partial T}{\partial v}
    ///     - \frac{\partial (T-V)}{\partial q} = f + D^T\lambda, \qquad
    ///     g(t,q) \ge 0, @f]
    /// in any scheme that can: all of them where the equations turn out to be
    /// linear with constant directions of the contacts.
    class Lagrangian : private LagrangianParts, public DenseModel
    {
    public:
      using Parameters = LagrangianParameters;

      Lagrangian(const Parameters &parameters, const Context &context)
        : LagrangianParts(parameters)
        , DenseModel(make_dense(parameters), context)
        , joints(parameters, names, owns_all())
        , drawing(parameters, names)
      {
        linear = system.is_linear() && all_contacts.has_constant_directions();
        add_past(parameters);
        collectively(communicator, [this]() { check_start(); });
      }

      bool
      is_linear() const override
      {
        return linear;
      }

      void
      evaluate(Term                 term,
               const Configuration &at,
               Vector              &result) const override
      {
        if (owns_all())
          system.term(term).evaluate(set_with_past(at), result.begin());
      }

      const Delays *
      delays() const override
      {
        return past.signals().empty() ? nullptr : &past;
      }

      void
      add_delayed_derivative(unsigned int         signal,
                             const Configuration &at,
                             Vector              &f) const override;

      std::unique_ptr<SparseMatrix>
      make_tangent() const override;

      void
      add_derivative(Term                 term,
                     Argument             argument,
                     const Configuration &at,
                     double               factor,
                     SparseMatrix        &tangent) const override;

      Energy
      energy(const State &state) const override;

      void
      add_driving_load(double time, double factor, Vector &f) const override;

      bool
      has_driving_load() const override
      {
        return system.has_loads();
      }

      bool
      has_damping() const override
      {
        return system.has_damping();
      }

      bool
      is_rheonomic() const override
      {
        return system.is_rheonomic();
      }

      double
      explicit_power(const State &state) const override;

      const BilateralConstraints *
      constraints() const override
      {
        return joints.exist() ? &joints : nullptr;
      }

      double
      mean_velocity(const State &state) const override;

      Probe
      make_probe(const std::string &name,
                 const std::string &what) const override;

      std::vector<ExactValue>
      exact_values(double) const override
      {
        return {};
      }

      std::vector<std::pair<std::string, std::string>>
      facts() const override;

      std::string
      write_fields(const State       &state,
                   const Vector      &contact_forces,
                   const FieldFolder &folder,
                   const std::string &name) const override;

    private:
      /// The matrices at the start, and the contacts.
      System
      make_dense(const Parameters &parameters) const;

      void
      add_past(const Parameters &parameters);

      /// @throws EntryError where mass or forces are no numbers at the start
      void
      check_start() const;

      void
      check_quadratic() const;

      /// "gap of floor" and the like; no value where @p what is a formula.
      std::function<double(const State &)>
      contact_quantity(const std::string &what) const;

      bool              linear = false;
      LagrangianJoints  joints;
      LagrangianDrawing drawing;
    };



    /// By Cholesky's factorisation.
    bool
    is_positive_definite(std::vector<double> matrix, const unsigned int size)
    {
      const char lower = 'L';
      const int  n     = static_cast<int>(size);
      int        info  = 0;
      dealii::potrf(&lower, &n, matrix.data(), &n, &info);
      return info == 0;
    }



    DenseModel::System
    Lagrangian::make_dense(const Parameters &parameters) const
    {
      const unsigned int n = names.size();
      System             dense;
      dense.q = read_start("initial position", parameters.initial_position);
      dense.v = read_start("initial velocity", parameters.initial_velocity);
      std::copy(dense.q.begin(), dense.q.end(), variables.begin());
      std::copy(dense.v.begin(), dense.v.end(), variables.begin() + n);
      variables[names.time()] = 0;
      const auto fill         = [&](const Term                  term,
                            const Argument              argument,
                            const double                factor,
                            dealii::FullMatrix<double> &result) {
        system.derivative(term, argument)
          .evaluate(variables.data(), matrix.data());
        result.reinit(n, n);
        for (unsigned int i = 0; i < n * n; ++i)
          result(i / n, i % n) = factor * matrix[i];
      };
      fill(Term::momentum, Argument::velocity, 1, dense.M);
      dense.dead_load.assign(n, 0.);
      if (system.is_linear())
        {
          fill(Term::force, Argument::velocity, -1, dense.C);
          fill(Term::force, Argument::position, -1, dense.K);
          // What the forces are at rest at q = 0, less the driving ones.
          std::vector<double> load(n), zero(variables.size());
          system.term(Term::force)
            .evaluate(zero.data(), dense.dead_load.data());
          system.term(Term::load).evaluate(zero.data(), load.data());
          for (unsigned int i = 0; i < n; ++i)
            dense.dead_load[i] -= load[i];
        }
      for (const auto &contact : all_contacts.all())
        dense.contacts.push_back({contact.point, contact.rows, contact.offset});
      if (!all_contacts.has_constant_directions())
        {
          std::size_t n_rows = 0, n_entries = 0;
          for (const auto &contact : all_contacts.all())
            for (const auto &row : contact.rows)
              {
                ++n_rows;
                n_entries += row.size();
              }
          dense.geometry = [this,
                            n_rows,
                            n_entries,
                            values = std::vector<double>(
                              2 * n_rows + n_entries)](const double  time,
                                                       const Vector &q,
                                                       double       *gaps,
                                                       double *coefficients,
                                                       double *rates) mutable {
            all_contacts.geometry().evaluate(set({time, q, q}), values.data());
            std::copy_n(values.begin(), n_rows, gaps);
            std::copy_n(values.begin() + n_rows, n_entries, coefficients);
            std::copy_n(values.begin() + n_rows + n_entries, n_rows, rates);
          };
        }
      return dense;
    }



    void
    Lagrangian::add_past(const Parameters &parameters)
    {
      system.delays().add_to(past, owns_all());
      past.complete(
        *this,
        system.delays().read_past(
          parameters,
          read_start("initial position", parameters.initial_position),
          read_start("initial velocity", parameters.initial_velocity)),
        "model/lagrangian/initial history");
    }



    void
    Lagrangian::add_delayed_derivative(const unsigned int   signal,
                                       const Configuration &at,
                                       Vector              &f) const
    {
      if (!owns_all())
        return;
      const unsigned int  n = system.delays().size();
      std::vector<double> derivatives(names.size() * n);
      system.force_by_past().evaluate(set_with_past(at), derivatives.data());
      for (unsigned int i = 0; i < names.size(); ++i)
        f.local_element(i) += derivatives[i * n + signal];
    }



    void
    Lagrangian::check_start() const
    {
      const State start = initial_state();
      if (!owns_all())
        return;
      std::vector<double> values(names.size());
      const auto          are_finite = [](const std::vector<double> &numbers) {
        return std::all_of(numbers.begin(), numbers.end(), [](const double x) {
          return std::isfinite(x);
        });
      };
      const double *const x = set({0, start.q, start.v});
      system.derivative(Term::momentum, Argument::velocity)
        .evaluate(x, matrix.data());
      if (!are_finite(matrix))
        throw EntryError("model/lagrangian/kinetic energy",
                         "the mass matrix is not finite at the start.");
      if (!is_positive_definite(matrix, names.size()))
        throw EntryError("model/lagrangian/kinetic energy",
                         "the mass matrix is not positive definite at the "
                         "start.");
      check_quadratic();
      joints.check_start(start.q, start.v);
      set_with_past({0, start.q, start.v});
      system.term(Term::force).evaluate(x, values.data());
      if (!are_finite(values))
        throw EntryError("model/lagrangian/potential energy",
                         "the forces of kinetic energy, potential energy and "
                         "'forces' are not finite at the start.");
      Vector gap(contacts().partition());
      contacts().place(0, start.q);
      contacts().gaps(start.q, gap);
      for (const double g : gap)
        if (!std::isfinite(g))
          throw EntryError("model/lagrangian/contacts/gaps",
                           "a gap is not finite at the start.");
    }



    /// The derivatives see no kinks: T = abs(x') has none.
    void
    Lagrangian::check_quadratic() const
    {
      const unsigned int n = names.size();
      double             T[4];
      for (int factor = -1; factor < 3; ++factor)
        {
          for (unsigned int i = 0; i < n; ++i)
            variables[n + i] = factor * (1 + 0.1 * i);
          double values[4];
          system.energies().evaluate(variables.data(), values);
          T[factor + 1] = values[3];
        }
      const double scale =
        std::abs(T[0]) + std::abs(T[1]) + std::abs(T[2]) + std::abs(T[3]);
      if (std::abs(T[3] - 3 * T[2] + 3 * T[1] - T[0]) > 1e-10 * scale)
        throw EntryError("model/lagrangian/kinetic energy",
                         "it is not quadratic in the velocities.");
    }



    std::unique_ptr<SparseMatrix>
    Lagrangian::make_tangent() const
    {
      SparseMatrix::Rows rows;
      const unsigned int n = owns_all() ? names.size() : 0;
      for (unsigned int i = 0; i < n; ++i)
        {
          for (unsigned int j = 0; j < n; ++j)
            rows.columns.push_back(static_cast<PetscInt>(j));
          rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
        }
      rows.values.resize(rows.columns.size());
      return std::make_unique<SparseMatrix>(partition(), std::move(rows));
    }



    void
    Lagrangian::add_derivative(const Term           term,
                               const Argument       argument,
                               const Configuration &at,
                               const double         factor,
                               SparseMatrix        &tangent) const
    {
      if (!owns_all())
        return;
      system.derivative(term, argument)
        .evaluate(set_with_past(at), matrix.data());
      double *const values = tangent.values();
      for (std::size_t i = 0; i < matrix.size(); ++i)
        values[i] += factor * matrix[i];
    }



    Energy
    Lagrangian::energy(const State &state) const
    {
      double values[4] = {0, 0, 0, 0};
      if (owns_all())
        system.energies().evaluate(set({state.time, state.q, state.v}), values);
      if (partition()->n_mpi_processes() > 1)
        MPI_Allreduce(
          MPI_IN_PLACE, values, 2, MPI_DOUBLE, MPI_SUM, communicator);
      return {values[0], 0, values[1]};
    }



    double
    Lagrangian::explicit_power(const State &state) const
    {
      double values[4] = {0, 0, 0, 0};
      if (owns_all())
        system.energies().evaluate(set({state.time, state.q, state.v}), values);
      return sum_over_ranks(values[2]);
    }



    void
    Lagrangian::add_driving_load(const double time,
                                 const double factor,
                                 Vector      &f) const
    {
      if (!owns_all() || !system.has_loads())
        return;
      std::fill(variables.begin(), variables.end(), 0.);
      variables[names.time()] = time;
      past.evaluate(time, variables.data() + names.time() + 1);
      system.term(Term::load).evaluate(variables.data(), matrix.data());
      for (unsigned int i = 0; i < names.size(); ++i)
        f.local_element(i) += factor * matrix[i];
    }



    /// The momentum of a motion by 1 in all coordinates over its mass.
    double
    Lagrangian::mean_velocity(const State &state) const
    {
      Vector ones(partition()), p(partition());
      ones = 1.;
      evaluate(Term::momentum, {state.time, state.q, state.v}, p);
      const double momentum = ones * p;
      evaluate(Term::momentum, {state.time, state.q, ones}, p);
      return momentum / (ones * p);
    }



    std::function<double(const State &)>
    Lagrangian::contact_quantity(const std::string &what) const
    {
      const std::size_t split = what.find(" of ");
      if (split == std::string::npos)
        return {};
      const std::string quantity          = what.substr(0, split);
      const std::string contact           = what.substr(split + 4);
      const auto        names_of_contacts = all_contacts.contact_names();
      const auto        found =
        std::find(names_of_contacts.begin(), names_of_contacts.end(), contact);
      if (found == names_of_contacts.end())
        throw Error(ExitCode::usage,
                    sentence("'" + contact + "' is no contact" +
                             did_you_mean(contact, names_of_contacts)));
      // On other ranks there are no points, and nobody asks.
      const auto number =
        static_cast<std::size_t>(found - names_of_contacts.begin());
      const auto value = [this, number](const unsigned int direction,
                                        const bool         is_impulse,
                                        const State       &state) {
        const ContactSet   &all   = contacts();
        const ContactPoint &point = all.points()[number];
        const unsigned int  entry = point.first + direction;
        // States are probed before the scheme has added its impulses, too.
        if (is_impulse)
          return state.memory.empty() ?
                   0. :
                   state.memory.front().values.local_element(entry);
        Vector result(all.partition());
        all.place(state.time, state.q);
        all.gaps(state.q, result);
        return result.local_element(entry);
      };
      if (quantity == "gap")
        return [value](const State &state) { return value(0, false, state); };
      if (quantity == "impulse")
        return [value](const State &state) { return value(0, true, state); };
      if (quantity == "friction impulse")
        {
          if (all_contacts.all()[number].rows.size() < 2)
            throw Error(ExitCode::usage,
                        "the contact '" + contact +
                          "' has no sliding velocity.");
          return [value](const State &state) { return value(1, true, state); };
        }
      return {};
    }



    Probe
    Lagrangian::make_probe(const std::string &name,
                           const std::string &what) const
    {
      if (const auto quantity = contact_quantity(what))
        return probe(name, "SI", quantity);
      try
        {
          const CompiledFormulas formula({Formula(what, names.all)}, names.all);
          return probe(name, "SI", [this, formula](const State &state) {
            double result;
            formula.evaluate(set({state.time, state.q, state.v}), &result);
            return result;
          });
        }
      catch (const std::invalid_argument &error)
        {
          throw Error(ExitCode::usage,
                      "probe '" + name + " = " + what +
                        "' is neither 'gap of', 'impulse of' or 'friction "
                        "impulse of' a contact nor a formula, " +
                        sentence(error.what()));
        }
    }



    std::vector<std::pair<std::string, std::string>>
    Lagrangian::facts() const
    {
      std::ostringstream energy_text;
      energy_text << energy(initial_state()).total() << " J";
      return {{"coordinates", join(names.coordinates)},
              {"equations of motion",
               system.is_linear() ? "linear" : "not linear"},
              {"directions of contacts",
               all_contacts.has_constant_directions() ?
                 "constant" :
                 "depend on positions or time"},
              {"initial energy", energy_text.str()}};
    }



    std::string
    Lagrangian::write_fields(const State &state,
                             const Vector &,
                             const FieldFolder &folder,
                             const std::string &name) const
    {
      return drawing.write(owns_all() ? set({state.time, state.q, state.v}) :
                                        nullptr,
                           folder,
                           name,
                           state.time,
                           communicator);
    }

    const Registration<MechanicalModel, Lagrangian>
      registration("lagrangian",
                   "a system of a few coordinates described by formulas of its "
                   "energies, forces and gaps");
  } // namespace
} // namespace Percuss
