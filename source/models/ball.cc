// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/registry.h>
#include <percuss/base/suggestion.h>
#include <percuss/mechanics/mechanical_model.h>
#include <percuss/mechanics/vtu.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <tuple>
#include <utility>

namespace Percuss
{
  namespace
  {
    /// The exact motion of a mass over a floor: free fall from a height with a
    /// velocity, impacts n = 1, 2, ... with v -> -e v at
    /// t_{n+1} = t_n + 2 e^n v_1 / g, and rest after their limit.
    struct Bounces
    {
      double height, velocity, e, g;

      double
      impact_speed() const
      {
        return std::sqrt(velocity * velocity + 2 * g * height);
      }

      double
      first_impact() const
      {
        return (velocity + impact_speed()) / g;
      }

      /// Height and velocity, at impacts the one after it.
      std::pair<double, double>
      at(double time) const;
    };



    std::pair<double, double>
    Bounces::at(const double time) const
    {
      const double since = time - first_impact();
      if (since < 0)
        return {height + velocity * time - g * time * time / 2,
                velocity - g * time};
      // The first flight after an impact takes as long as a fall from there
      // and back with the speed e v_1.
      double speed = e * impact_speed(), begin = 0;
      double flight = 2 * speed / g;
      if (e < 1)
        {
          // After n flights: (1 - e^n)/(1 - e) of the first one's time.
          const double rest = flight > 0 ? 1 - since * (1 - e) / flight : 0;
          if (rest <= 1e-15)
            return {0, 0};
          const double factor =
            std::pow(e, std::floor(std::log(rest) / std::log(e)));
          begin = flight * (1 - factor) / (1 - e);
          speed *= factor;
        }
      else if (flight > 0)
        begin = flight * std::floor(since / flight);
      else
        return {0, 0};
      const double s = std::max(0., since - begin);
      return {std::max(0., speed * s - g * s * s / 2), speed - g * s};
    }



    /// Point masses that move up and down over a floor, each for itself:
    /// @f[ m_i \ddot q_i = -m_i g + \lambda_i, \qquad q_i \ge 0. @f]
    class Ball : public MechanicalModel
    {
    public:
      struct Parameters
      {
        unsigned int        n_masses    = 1;
        std::vector<double> mass        = {1};
        std::vector<double> height      = {1};
        std::vector<double> velocity    = {0};
        std::vector<double> restitution = {0.9};
        double              gravity     = 9.81;

        void
        declare(ParameterSection &section);
      };

      Ball(const Parameters &parameters, const Context &context);

      const Partition &
      partition() const override
      {
        return masses_partition;
      }

      State
      initial_state() const override;

      std::unique_ptr<SparseMatrix>
      assemble(double m, double c, double k) const override;

      void
      internal_forces(const Vector &, const Vector &, Vector &f) const override
      {
        f = 0.;
      }

      void
      damping_forces(const Vector &, Vector &f) const override
      {
        f = 0.;
      }

      void
      multiply_by_mass(const Vector &x, Vector &y) const override
      {
        for (unsigned int i = 0; i < n_owned(); ++i)
          y.local_element(i) = masses[i] * x.local_element(i);
      }

      double
      mass_norm(const Vector &x) const override
      {
        return dealii::Utilities::MPI::sum(local_mass_norm(x), communicator);
      }

      double
      stiffness_norm(const Vector &) const override
      {
        return 0;
      }

      Energy
      energy(const State &state) const override;

      const Vector &
      dead_load() const override
      {
        return weight;
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
        return false;
      }

      const ContactSet &
      contacts() const override
      {
        return contact_set;
      }

      double
      mean_velocity(const State &state) const override;

      Probe
      make_probe(const std::string &name,
                 const std::string &what) const override;

      std::vector<ExactValue>
      exact_values(double end_time) const override;

      bool
      exact_state(double time, State &state) const override;

      std::vector<std::pair<std::string, std::string>>
      facts() const override;

      std::string
      write_fields(const State       &state,
                   const Vector      &contact_forces,
                   const FieldFolder &folder,
                   const std::string &name) const override;

      std::vector<std::pair<double, double>>
      profile(const State &, unsigned int) const override
      {
        return {};
      }

    private:
      unsigned int
      n_owned() const
      {
        return masses_partition->locally_owned_size();
      }

      double
      local_mass_norm(const Vector &x) const
      {
        double norm = 0;
        for (unsigned int i = 0; i < n_owned(); ++i)
          norm += masses[i] * x.local_element(i) * x.local_element(i);
        return norm;
      }

      /// The entry of a list for mass @p i; a single number holds for all.
      static double
      pick(const std::vector<double> &list, const unsigned int i)
      {
        return list.size() == 1 ? list[0] : list[i];
      }

      const Parameters    parameters;
      Partition           masses_partition;
      std::vector<double> masses; ///< of this rank, in kg
      double              total_mass;
      Vector              weight;
      ContactSet          contact_set;
    };



    void
    Ball::Parameters::declare(ParameterSection &section)
    {
      const auto per_mass = [&](const std::string   &entry,
                                std::vector<double> &list,
                                const std::string   &description,
                                const Range         &range) {
        section.add(entry,
                    list,
                    description + "; one number for all or one for each",
                    range);
        section.require(entry, [this, &list]() {
          return list.size() == 1 || list.size() == n_masses ?
                   std::string() :
                   "has " + std::to_string(list.size()) + " numbers for " +
                     std::to_string(n_masses) + " masses";
        });
      };
      section.add("masses", n_masses, "Number of point masses", 1);
      section.require("masses", [this]() {
        return n_masses > 2000000000 ? "is above 2e9" : std::string();
      });
      per_mass("mass", mass, "In kg", Range::positive());
      per_mass("height", height, "At the start, in m", Range::non_negative());
      per_mass("velocity", velocity, "At the start, upward, in m/s", {});
      per_mass("restitution",
               restitution,
               "Newton's coefficient",
               Range::between(0, 1));
      section.add("gravity", gravity, "Downward, in m/s^2");
    }



    Ball::Ball(const Parameters &parameters, const Context &context)
      : MechanicalModel(context)
      , parameters(parameters)
      , contact_set(communicator)
    {
      const auto [begin, end] =
        even_share(parameters.n_masses,
                   dealii::Utilities::MPI::this_mpi_process(communicator),
                   dealii::Utilities::MPI::n_mpi_processes(communicator));
      masses_partition = make_partition(end - begin, communicator);
      weight.reinit(masses_partition);
      for (unsigned int i = begin; i < end; ++i)
        {
          masses.push_back(pick(parameters.mass, i));
          weight.local_element(i - begin) = -masses.back() * parameters.gravity;
          contact_set.add({pick(parameters.restitution, i), i, 0},
                          {{i - begin, 1.}},
                          0.);
        }
      contact_set.complete();
      total_mass = dealii::Utilities::MPI::sum(
        std::accumulate(masses.begin(), masses.end(), 0.), communicator);
    }



    State
    Ball::initial_state() const
    {
      State state;
      state.q.reinit(masses_partition);
      state.v.reinit(masses_partition);
      const unsigned int first = masses_partition->local_range().first;
      for (unsigned int i = 0; i < n_owned(); ++i)
        {
          state.q.local_element(i) = pick(parameters.height, first + i);
          state.v.local_element(i) = pick(parameters.velocity, first + i);
        }
      return state;
    }



    std::unique_ptr<SparseMatrix>
    Ball::assemble(const double m, double, double) const
    {
      SparseMatrix::Rows rows;
      const auto         first =
        static_cast<PetscInt>(masses_partition->local_range().first);
      for (unsigned int i = 0; i < n_owned(); ++i)
        {
          rows.columns.push_back(first + static_cast<PetscInt>(i));
          rows.values.push_back(m * masses[i]);
          rows.start.push_back(static_cast<PetscInt>(i + 1));
        }
      return std::make_unique<SparseMatrix>(masses_partition, std::move(rows));
    }



    Energy
    Ball::energy(const State &state) const
    {
      double parts[2] = {0.5 * local_mass_norm(state.v), 0};
      for (unsigned int i = 0; i < n_owned(); ++i)
        parts[1] -= weight.local_element(i) * state.q.local_element(i);
      if (masses_partition->n_mpi_processes() > 1)
        MPI_Allreduce(
          MPI_IN_PLACE, parts, 2, MPI_DOUBLE, MPI_SUM, communicator);
      return {parts[0], 0, parts[1]};
    }



    double
    Ball::mean_velocity(const State &state) const
    {
      double momentum = 0;
      for (unsigned int i = 0; i < n_owned(); ++i)
        momentum += masses[i] * state.v.local_element(i);
      return dealii::Utilities::MPI::sum(momentum, communicator) / total_mass;
    }



    Probe
    Ball::make_probe(const std::string &name, const std::string &what) const
    {
      if (what == "mean velocity")
        return {name, "m/s", [this](const State &state) {
                  return mean_velocity(state);
                }};
      std::istringstream words(what);
      std::string        quantity, of;
      unsigned int       number = 0;
      std::string        rest;
      words >> quantity >> of >> number;
      const bool is_good = (quantity == "height" || quantity == "velocity") &&
                           of == "of" && !words.fail() && !(words >> rest) &&
                           number < parameters.n_masses;
      if (!is_good)
        throw Error(ExitCode::usage,
                    sentence("probe '" + name + " = " + what +
                             "' is not known" +
                             did_you_mean(quantity, {"height", "velocity"})) +
                      " The model 'ball' has 'mean velocity', 'height of N' "
                      "and 'velocity of N' with N from 0 to " +
                      std::to_string(parameters.n_masses - 1) + ".");
      const auto [begin, end] = masses_partition->local_range();
      const bool is_mine      = number >= begin && number < end;
      const bool is_height    = quantity == "height";
      const auto local        = number - static_cast<unsigned int>(begin);
      return {name, is_height ? "m" : "m/s", [=](const State &state) {
                const Vector &field = is_height ? state.q : state.v;
                return dealii::Utilities::MPI::sum(
                  is_mine ? field.local_element(local) : 0., communicator);
              }};
    }



    std::vector<ExactValue>
    Ball::exact_values(const double end_time) const
    {
      const double g = parameters.gravity, m = parameters.mass[0];
      const double v0 = parameters.velocity[0];
      if (parameters.n_masses != 1 || g <= 0)
        return {};
      const Bounces bounces{parameters.height[0],
                            v0,
                            parameters.restitution[0],
                            g};
      if (end_time <= bounces.first_impact())
        return {};
      const auto [height, velocity] = bounces.at(end_time);
      return {
        {"first contact", bounces.first_impact(), "s"},
        {"contact impulse", m * (velocity - v0) + m * g * end_time, "N s"},
        {"final energy", m * g * height + m * velocity * velocity / 2, "J"}};
    }



    bool
    Ball::exact_state(const double time, State &state) const
    {
      if (parameters.gravity <= 0)
        return false;
      const unsigned int first = masses_partition->local_range().first;
      for (unsigned int i = 0; i < n_owned(); ++i)
        {
          const Bounces bounces{pick(parameters.height, first + i),
                                pick(parameters.velocity, first + i),
                                pick(parameters.restitution, first + i),
                                parameters.gravity};
          std::tie(state.q.local_element(i), state.v.local_element(i)) =
            bounces.at(time);
        }
      return true;
    }



    std::vector<std::pair<std::string, std::string>>
    Ball::facts() const
    {
      std::ostringstream mass;
      mass << total_mass << " kg";
      return {{"masses", std::to_string(parameters.n_masses)},
              {"total mass", mass.str()}};
    }



    /// A point for each mass, one metre apart.
    std::string
    Ball::write_fields(const State       &state,
                       const Vector      &contact_forces,
                       const FieldFolder &folder,
                       const std::string &name) const
    {
      FieldPatches<0> fields;
      fields.vectors           = {"velocity", "contact_force"};
      fields.names             = {"mass"};
      const unsigned int first = masses_partition->local_range().first;
      for (unsigned int i = 0; i < n_owned(); ++i)
        {
          auto patch = FieldPatches<0>::make_patch();
          patch.vertices[0] =
            dealii::Point<2>(first + i, state.q.local_element(i));
          patch.data.reinit(7, 1);
          patch.data(1, 0) = static_cast<float>(state.v.local_element(i));
          patch.data(4, 0) =
            static_cast<float>(contact_forces.local_element(i));
          patch.data(6, 0)  = static_cast<float>(masses[i]);
          patch.patch_index = i;
          fields.patches.push_back(patch);
        }
      return write_vtu(fields, folder, name, state.time, communicator);
    }

    const Registration<MechanicalModel, Ball>
      registration("ball",
                   "point masses over a floor, each with its own restitution");
  } // namespace
} // namespace Percuss
