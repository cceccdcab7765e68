// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/registry.h>
#include <percuss/base/suggestion.h>
#include <percuss/mechanics/vtu.h>
#include <percuss/models/dense_model.h>

#include <cmath>
#include <memory>
#include <sstream>

#include "two_masses.h"

namespace Percuss
{
  namespace
  {
    /// Point masses one above the other over a floor, each joined to the next
    /// by a spring and a dashpot:
    /// @f[ m_i \ddot q_i = s_i - s_{i-1} - m_i g + \delta_{i0} \lambda, \qquad
    ///     s_i = k_i (q_{i+1} - q_i) + c_i (v_{i+1} - v_i), \qquad q_0 \ge 0.
    /// @f]
    /// Heights are measured such that a spring is undeformed where its two
    /// masses have the same.
    class Chain : public DenseModel
    {
    public:
      struct Parameters
      {
        unsigned int        n_masses    = 2;
        std::vector<double> mass        = {1};
        std::vector<double> stiffness   = {1e4};
        std::vector<double> damping     = {0};
        std::vector<double> height      = {1};
        std::vector<double> velocity    = {0};
        double              restitution = 0.8;
        double              gravity     = 10;

        void
        declare(ParameterSection &section);
      };

      Chain(const Parameters &parameters, const Context &context);

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

    private:
      /// The entry of a list for mass or spring @p i; a single number holds
      /// for all.
      static double
      pick(const std::vector<double> &list, const unsigned int i)
      {
        return list.size() == 1 ? list[0] : list[i];
      }

      static System
      make_system(const Parameters &parameters);

      /// Force of the spring and the dashpot between @p i and the next mass,
      /// where this rank owns them.
      double
      spring_force(const State &state, unsigned int i) const;

      const Parameters           parameters;
      double                     total_mass = 0;
      std::unique_ptr<TwoMasses> exact; ///< null where it is not known
    };



    void
    Chain::Parameters::declare(ParameterSection &section)
    {
      const auto add_list = [&](const std::string   &entry,
                                std::vector<double> &list,
                                const std::string   &description,
                                const Range         &range,
                                const bool           is_of_springs) {
        section.add(entry,
                    list,
                    description + "; one number for all or one for each",
                    range);
        section.require(entry, [this, &list, is_of_springs]() {
          const unsigned int n = is_of_springs ? n_masses - 1 : n_masses;
          return list.size() == 1 || list.size() == n ?
                   std::string() :
                   "has " + std::to_string(list.size()) + " numbers for " +
                     std::to_string(n) +
                     (is_of_springs ? " springs" : " masses");
        });
      };
      section.add("masses", n_masses, "Number of point masses", 1);
      section.require("masses", [this]() {
        return n_masses > 1000 ? "is above 1000" : std::string();
      });
      add_list("mass", mass, "In kg, from below", Range::positive(), false);
      add_list("spring stiffness",
               stiffness,
               "In N/m, from below",
               Range::positive(),
               true);
      add_list("spring damping",
               damping,
               "Of the dashpots beside the springs, in N s/m",
               Range::non_negative(),
               true);
      add_list("height",
               height,
               "At the start, in m; equal heights leave a spring undeformed",
               {},
               false);
      section.require("height", [this]() {
        return height[0] < 0 ? "is below the floor" : std::string();
      });
      add_list("velocity", velocity, "At the start, upward, in m/s", {}, false);
      section.add("restitution",
                  restitution,
                  "Newton's coefficient between the lowest mass and the floor",
                  Range::between(0, 1));
      section.add("gravity", gravity, "Downward, in m/s^2");
    }



    DenseModel::System
    Chain::make_system(const Parameters &parameters)
    {
      const unsigned int n = parameters.n_masses;
      System             system;
      for (auto *const matrix : {&system.M, &system.C, &system.K})
        matrix->reinit(n, n);
      for (unsigned int i = 0; i < n; ++i)
        {
          const double mass = pick(parameters.mass, i);
          system.M(i, i)    = mass;
          system.dead_load.push_back(-mass * parameters.gravity);
          system.q.push_back(pick(parameters.height, i));
          system.v.push_back(pick(parameters.velocity, i));
        }
      const auto add_spring = [](dealii::FullMatrix<double> &matrix,
                                 const unsigned int          i,
                                 const double                value) {
        matrix(i, i) += value;
        matrix(i + 1, i + 1) += value;
        matrix(i, i + 1) -= value;
        matrix(i + 1, i) -= value;
      };
      for (unsigned int i = 0; i + 1 < n; ++i)
        {
          add_spring(system.K, i, pick(parameters.stiffness, i));
          add_spring(system.C, i, pick(parameters.damping, i));
        }
      system.contacts.push_back({{parameters.restitution}, {{{0, 1.}}}, 0.});
      return system;
    }



    Chain::Chain(const Parameters &parameters, const Context &context)
      : DenseModel(make_system(parameters), context)
      , parameters(parameters)
    {
      for (unsigned int i = 0; i < parameters.n_masses; ++i)
        total_mass += pick(parameters.mass, i);
      if (parameters.n_masses == 2 && !has_damping())
        exact = std::make_unique<TwoMasses>(
          TwoMasses::Parameters{{pick(parameters.mass, 0),
                                 pick(parameters.mass, 1)},
                                parameters.stiffness[0],
                                parameters.gravity,
                                parameters.restitution},
          TwoMasses::Motion{
            {pick(parameters.height, 0), pick(parameters.height, 1)},
            {pick(parameters.velocity, 0), pick(parameters.velocity, 1)}});
    }



    double
    Chain::mean_velocity(const State &state) const
    {
      double momentum = 0;
      if (owns_all())
        for (unsigned int i = 0; i < parameters.n_masses; ++i)
          momentum += pick(parameters.mass, i) * state.v.local_element(i);
      return sum_over_ranks(momentum) / total_mass;
    }



    double
    Chain::spring_force(const State &state, const unsigned int i) const
    {
      return pick(parameters.stiffness, i) *
               (state.q.local_element(i + 1) - state.q.local_element(i)) +
             pick(parameters.damping, i) *
               (state.v.local_element(i + 1) - state.v.local_element(i));
    }



    Probe
    Chain::make_probe(const std::string &name, const std::string &what) const
    {
      if (what == "mean velocity")
        return {name, "m/s", [this](const State &state) {
                  return mean_velocity(state);
                }};
      std::istringstream words(what);
      std::string        quantity, second, rest;
      unsigned int       number = 0;
      words >> quantity >> second >> number;
      const bool is_whole = !words.fail() && !(words >> rest);
      if (is_whole && second == "of" && number < parameters.n_masses)
        {
          if (quantity == "height")
            return probe(name, "m", [number](const State &state) {
              return state.q.local_element(number);
            });
          if (quantity == "velocity")
            return probe(name, "m/s", [number](const State &state) {
              return state.v.local_element(number);
            });
        }
      if (is_whole && quantity == "spring" && second == "force" &&
          number + 1 < parameters.n_masses)
        return probe(name, "N", [this, number](const State &state) {
          return spring_force(state, number);
        });
      throw Error(
        ExitCode::usage,
        sentence("probe '" + name + " = " + what + "' is not known" +
                 did_you_mean(quantity, {"height", "velocity", "spring"})) +
          " The model 'chain' has 'mean velocity', 'height of N' and "
          "'velocity of N' with N from 0 to " +
          std::to_string(parameters.n_masses - 1) +
          ", and 'spring force N', pulling positive, for the spring above "
          "mass N.");
    }



    bool
    Chain::exact_state(const double time, State &state) const
    {
      TwoMasses::Motion motion;
      if (exact == nullptr || !exact->motion(time, motion))
        return false;
      fill({motion.q[0], motion.q[1]}, {motion.v[0], motion.v[1]}, state);
      return true;
    }



    std::vector<ExactValue>
    Chain::exact_values(const double end_time) const
    {
      State state = initial_state();
      if (!exact_state(end_time, state))
        return {};
      const auto impacts = exact->impacts(end_time);
      if (impacts.empty())
        return {};
      const double v_begin = mean_velocity(initial_state());
      const double v_end   = mean_velocity(state);
      return {{"first contact", impacts.front().time, "s"},
              {"contact impulse",
               total_mass * (v_end - v_begin + parameters.gravity * end_time),
               "N s"},
              {"final energy", energy(state).total(), "J"}};
    }



    std::vector<std::pair<std::string, std::string>>
    Chain::facts() const
    {
      std::vector<std::pair<std::string, std::string>> result = {
        {"masses", std::to_string(parameters.n_masses)},
        {"total mass", shortest_text(total_mass) + " kg"}};
      if (parameters.n_masses == 2)
        {
          const double       m0 = pick(parameters.mass, 0);
          const double       m1 = pick(parameters.mass, 1);
          const double       k  = parameters.stiffness[0];
          std::ostringstream open, closed;
          open << 2 * M_PI / std::sqrt(k * (m0 + m1) / m0 / m1) << " s";
          closed << 2 * M_PI / std::sqrt(k / m1) << " s";
          result.emplace_back("spring period in flight", open.str());
          result.emplace_back("spring period on floor", closed.str());
        }
      return result;
    }



    /// A point for each mass. Springs have no length in the model; they are
    /// drawn 0.1 m long.
    std::string
    Chain::write_fields(const State       &state,
                        const Vector      &contact_forces,
                        const FieldFolder &folder,
                        const std::string &name) const
    {
      FieldPatches<0> fields;
      fields.vectors = {"velocity", "contact_force"};
      fields.names   = {"mass"};
      for (unsigned int i = 0; i < state.q.locally_owned_size(); ++i)
        {
          auto patch = FieldPatches<0>::make_patch();
          patch.vertices[0] =
            dealii::Point<2>(0, state.q.local_element(i) + 0.1 * i);
          patch.data.reinit(7, 1);
          patch.data(1, 0) = static_cast<float>(state.v.local_element(i));
          if (i == 0)
            patch.data(4, 0) =
              static_cast<float>(contact_forces.local_element(0));
          patch.data(6, 0)  = static_cast<float>(pick(parameters.mass, i));
          patch.patch_index = i;
          fields.patches.push_back(patch);
        }
      return write_vtu(fields, folder, name, state.time, communicator);
    }

    const Registration<MechanicalModel, Chain>
      registration("chain",
                   "point masses over a floor, one above the other, joined by "
                   "springs");
  } // namespace
} // namespace Percuss
