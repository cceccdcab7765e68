// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/expression.h>
#include <percuss/models/line_model.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/utilities.h>

#include <boost/serialization/utility.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace Percuss
{
  namespace
  {
    using dealii::Utilities::MPI::sum;

    bool
    contains(const std::vector<unsigned int> &list, const unsigned int number)
    {
      return std::find(list.begin(), list.end(), number) != list.end();
    }
  } // namespace



  void
  LineModel::Rayleigh::declare(ParameterSection &section)
  {
    section.add("mass damping",
                mass,
                "The factor a of C = a M + b K, in 1/s",
                Range::non_negative());
    section.add("stiffness damping",
                stiffness,
                "The factor b of C = a M + b K, in s",
                Range::non_negative());
  }



  LineModel::LineModel(const Interval        &mesh,
                       const Rayleigh        &damping,
                       const FixedComponents &fixed,
                       const Context         &context)
    : MechanicalModel(context)
    , mesh(mesh)
    , damping(damping)
    , contact_set(communicator)
    , gravity_load(mesh.partition())
    , fixed(fixed)
    , work(mesh.partition())
  {}



  void
  LineModel::zero_fixed(Vector &x) const
  {
    for_fixed([&x](const unsigned int i) { x.local_element(i) = 0; });
  }



  std::unique_ptr<SparseMatrix>
  LineModel::assemble(const double m, const double c, const double k) const
  {
    const double       mass_factor      = m + c * damping.mass;
    const double       stiffness_factor = k + c * damping.stiffness;
    const unsigned int n = mesh.n_components(), first = mesh.first_node();
    const unsigned int n_rows = mesh.partition()->locally_owned_size();
    SparseMatrix::Rows rows;
    rows.start.reserve(n_rows + 1);
    rows.columns.reserve(n_rows * n * (mesh.degree() + 2));
    rows.values.reserve(n_rows * n * (mesh.degree() + 2));
    for (unsigned int node = first; node < first + mesh.n_owned_nodes(); ++node)
      for (unsigned int component = 0; component < n; ++component)
        add_row(node, component, mass_factor, stiffness_factor, rows);
    const auto offset =
      static_cast<PetscInt>(mesh.partition()->local_range().first);
    for (const auto &[i, j, added] : added_mass)
      for (PetscInt entry = rows.start[i]; entry < rows.start[i + 1]; ++entry)
        if (rows.columns[entry] == offset + static_cast<PetscInt>(j))
          rows.values[entry] += mass_factor * added;
    decouple_fixed(rows);
    return std::make_unique<SparseMatrix>(mesh.partition(), std::move(rows));
  }



  void
  LineModel::add_row(const unsigned int  node,
                     const unsigned int  component,
                     const double        mass_factor,
                     const double        stiffness_factor,
                     SparseMatrix::Rows &rows) const
  {
    // The elements that hold the node, and the nodes of these.
    const unsigned int p = mesh.degree(), n = mesh.n_components();
    const unsigned int left  = node == 0 ? 0 : (node - 1) / p;
    const unsigned int right = std::min(node / p, mesh.n_elements() - 1);
    const std::size_t  begin = rows.values.size();
    for (unsigned int j = left * p * n; j < ((right + 1) * p + 1) * n; ++j)
      rows.columns.push_back(static_cast<PetscInt>(j));
    rows.values.resize(rows.columns.size());
    const auto &M = run().mass(), &K = run().stiffness();
    for (unsigned int e = left; e <= right; ++e)
      {
        const unsigned int i = (node - e * p) * n + component;
        for (unsigned int j = 0; j < (p + 1) * n; ++j)
          rows.values[begin + (e - left) * p * n + j] +=
            mass_factor * M(i, j) + stiffness_factor * K(i, j);
      }
    rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
  }



  void
  LineModel::decouple_fixed(SparseMatrix::Rows &rows) const
  {
    const auto first =
      static_cast<PetscInt>(mesh.partition()->local_range().first);
    const auto n    = static_cast<PetscInt>(mesh.n_components());
    const auto last = (static_cast<PetscInt>(mesh.n_nodes()) - 1) * n;
    if (fixed.left.empty() && fixed.right.empty())
      return;
    const auto is_fixed = [&](const PetscInt i) {
      return (i < n && contains(fixed.left, static_cast<unsigned int>(i))) ||
             (i >= last &&
              contains(fixed.right, static_cast<unsigned int>(i - last)));
    };
    for (std::size_t row = 0; row + 1 < rows.start.size(); ++row)
      for (PetscInt k = rows.start[row]; k < rows.start[row + 1]; ++k)
        {
          const auto i = first + static_cast<PetscInt>(row);
          if (rows.columns[k] != i &&
              (is_fixed(i) || is_fixed(rows.columns[k])))
            rows.values[k] = 0;
        }
  }



  template <typename Operation>
  void
  LineModel::apply(const Vector &x, Vector &y, const Operation &operation) const
  {
    const auto [left, right] = mesh.touching_elements();
    if (mesh.partition()->n_mpi_processes() == 1)
      operation(right - left, x.begin(), y.begin());
    else
      {
        const double *const ghosted = mesh.ghosted(x, ghosted_values);
        result_values.resize(((right - left) * mesh.degree() + 1) *
                             mesh.n_components());
        if (left < right)
          operation(right - left, ghosted, result_values.data());
        std::copy_n(result_values.begin() + mesh.n_left_ghosts(),
                    mesh.partition()->locally_owned_size(),
                    y.begin());
      }
  }



  void
  LineModel::apply_mass_without_fixing(const Vector &x, Vector &y) const
  {
    apply(x, y, [this](const unsigned int n, const double *in, double *out) {
      run().apply_mass(n, in, out);
    });
    for (const auto &[i, j, m] : added_mass)
      y.local_element(i) += m * x.local_element(j);
  }



  void
  LineModel::multiply_by_mass(const Vector &x, Vector &y) const
  {
    apply_mass_without_fixing(x, y);
    zero_fixed(y);
  }



  void
  LineModel::multiply_by_stiffness(const Vector &x, Vector &y) const
  {
    apply(x, y, [this](const unsigned int n, const double *in, double *out) {
      run().apply_stiffness(n, in, out);
    });
    zero_fixed(y);
  }



  void
  LineModel::internal_forces(const Vector &q, const Vector &v, Vector &f) const
  {
    if (damping.stiffness == 0)
      multiply_by_stiffness(q, f);
    else
      {
        work = q;
        work.add(damping.stiffness, v);
        multiply_by_stiffness(work, f);
      }
    if (damping.mass != 0)
      {
        multiply_by_mass(v, work);
        f.add(damping.mass, work);
      }
  }



  void
  LineModel::damping_forces(const Vector &v, Vector &f) const
  {
    multiply_by_stiffness(v, f);
    f *= damping.stiffness;
    multiply_by_mass(v, work);
    f.add(damping.mass, work);
  }



  double
  LineModel::local_mass_norm(const Vector &x) const
  {
    const auto [first, end] = mesh.elements();
    const double *const values =
      mesh.ghosted(x, ghosted_values) + mesh.n_left_ghosts();
    double norm = first < end ? run().mass_norm(end - first, values) : 0;
    for (const auto &[i, j, m] : added_mass)
      norm += m * x.local_element(i) * x.local_element(j);
    return norm;
  }



  double
  LineModel::local_stiffness_norm(const Vector &x) const
  {
    const auto [first, end] = mesh.elements();
    const double *const values =
      mesh.ghosted(x, ghosted_values) + mesh.n_left_ghosts();
    return first < end ? run().stiffness_norm(end - first, values) : 0;
  }



  double
  LineModel::mass_norm(const Vector &x) const
  {
    return sum(local_mass_norm(x), communicator);
  }



  double
  LineModel::stiffness_norm(const Vector &x) const
  {
    return sum(local_stiffness_norm(x), communicator);
  }



  Energy
  LineModel::energy(const State &state) const
  {
    double parts[3] = {0.5 * local_mass_norm(state.v),
                       0.5 * local_stiffness_norm(state.q),
                       has_gravity ? -local_product(state.q, gravity_load) : 0};
    if (mesh.partition()->n_mpi_processes() > 1)
      MPI_Allreduce(MPI_IN_PLACE, parts, 3, MPI_DOUBLE, MPI_SUM, communicator);
    return {parts[0], parts[1], parts[2]};
  }



  std::vector<double>
  LineModel::closed_values(const Vector &x) const
  {
    const auto [first, end] = mesh.elements();
    const double *const values =
      mesh.ghosted(x, ghosted_values) + mesh.n_left_ghosts();
    if (first == end)
      return {};
    return {values,
            values + ((end - first) * mesh.degree() + 1) * mesh.n_components()};
  }



  std::vector<double>
  LineModel::nodal_means(
    const Vector                                              &x,
    const std::function<double(const double *, unsigned int)> &values) const
  {
    const auto [first, end]  = mesh.elements();
    const auto [left, right] = mesh.touching_elements();
    const unsigned int  p = mesh.degree(), n = mesh.n_components();
    const double *const ghosted = mesh.ghosted(x, ghosted_values);
    if (first == end)
      return {};
    std::vector<double> means((right - left) * p + 1), count(means.size());
    for (unsigned int e = 0; e < right - left; ++e)
      for (unsigned int i = 0; i <= p; ++i)
        {
          means[e * p + i] += values(ghosted + e * p * n, i);
          count[e * p + i] += 1;
        }
    for (std::size_t i = 0; i < means.size(); ++i)
      means[i] /= count[i];
    means.erase(means.begin(), means.begin() + mesh.n_left_ghosts() / n);
    return means;
  }



  std::function<double(const State &)>
  LineModel::interpolation(const double   x,
                           const Weights &weights,
                           const bool     of_velocity,
                           const double   offset) const
  {
    const Interval::Place place   = mesh.locate(x);
    const bool            is_mine = mesh.owns(place);
    const unsigned int    first   = is_mine ?
                                      (place.element - mesh.elements().first) *
                                   mesh.degree() * mesh.n_components() :
                                      0;
    return [=, all_weights = weights(place.xi)](const State &state) {
      const Vector       &field = of_velocity ? state.v : state.q;
      const double *const values =
        mesh.ghosted(field, ghosted_values) + mesh.n_left_ghosts();
      double result = is_mine ? offset : 0;
      for (std::size_t i = 0; is_mine && i < all_weights.size(); ++i)
        result += all_weights[i] * values[first + i];
      return sum(result, communicator);
    };
  }



  LineModel::PlacedName
  LineModel::split_place(const std::string &text, const double length)
  {
    constexpr double  nowhere = std::numeric_limits<double>::quiet_NaN();
    const std::size_t at      = text.find(" at ");
    PlacedName result{dealii::Utilities::trim(text.substr(0, at)), nowhere};
    if (at == std::string::npos)
      return result;
    try
      {
        const double x = Expression(text.substr(at + 4), {"L"})(length);
        if (x >= 0 && x <= length)
          result.x = x;
      }
    catch (const std::invalid_argument &)
      {}
    return result;
  }



  std::vector<std::pair<double, double>>
  LineModel::profile(const State &state, const unsigned int n_points) const
  {
    const unsigned int n     = std::min(n_points, mesh.n_nodes());
    const unsigned int begin = mesh.first_node();
    std::vector<std::pair<double, double>> mine;
    for (unsigned int i = 0; i < n; ++i)
      {
        const auto node = static_cast<unsigned int>(
          static_cast<unsigned long long>(i) * (mesh.n_nodes() - 1) / (n - 1));
        if (node >= begin && node < begin + mesh.n_owned_nodes())
          mine.emplace_back(mesh.nodes()[node - begin],
                            state.q.local_element((node - begin) *
                                                    mesh.n_components() +
                                                  shown_component()));
      }
    if (mesh.partition()->n_mpi_processes() == 1)
      return mine;
    std::vector<std::pair<double, double>> all;
    for (const auto &part :
         dealii::Utilities::MPI::gather(communicator, mine, 0))
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }
} // namespace Percuss
