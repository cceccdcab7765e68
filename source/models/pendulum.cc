// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/registry.h>
#include <percuss/base/suggestion.h>
#include <percuss/mechanics/vtu.h>
#include <percuss/models/dense_model.h>

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>

#include <cmath>
#include <map>
#include <sstream>

namespace Percuss
{
  namespace
  {
    /// The rod from the origin to q = (x, y),
    /// @f[ g_B = \frac{|q|^2 - L^2}{2 L} = 0, \qquad G_B = q^T / L, \qquad
    ///     \dot G_B v = |v|^2 / L. @f]
    class Rod : public BilateralConstraints
    {
    public:
      Rod(const double length, const bool is_mine)
        : L(length)
        , is_mine(is_mine)
      {}

      unsigned int
      size() const override
      {
        return is_mine ? 1 : 0;
      }

      std::vector<double>
      residuals(const Vector &q) const override
      {
        if (!is_mine)
          return {};
        const double x = q.local_element(0), y = q.local_element(1);
        return {(x * x + y * y - L * L) / (2 * L)};
      }

      void
      jacobian(const Vector &q, SparseMatrix::Rows &G) const override
      {
        G = {};
        if (!is_mine)
          return;
        G.start   = {0, 2};
        G.columns = {0, 1};
        G.values  = {q.local_element(0) / L, q.local_element(1) / L};
      }

      std::vector<double>
      curvature(const Vector &, const Vector &v) const override
      {
        if (!is_mine)
          return {};
        const double vx = v.local_element(0), vy = v.local_element(1);
        return {(vx * vx + vy * vy) / L};
      }

    private:
      const double L;
      const bool   is_mine;
    };



    /// The exact motion after a release at rest, with the wall below the
    /// pivot. Between impacts
    /// @f[ \sin\tfrac\varphi2 = k\,\mathrm{sn}(u, k), \qquad
    ///     \dot\varphi = 2 k \omega_0\,\mathrm{cn}(u, k), \qquad
    ///     u = \omega_0 (t - t_n) + u_n, \qquad \omega_0^2 = g / L, @f]
    /// with u_0 = K(k) and k = sin(phi_0 / 2) at the release. An impact, at
    /// u = 2 K(k), multiplies k by e, and u_n = 0 after it.
    class SwingBetweenImpacts
    {
    public:
      SwingBetweenImpacts(const double angle,
                          const double omega_0,
                          const double restitution)
        : omega_0(omega_0)
        , e(restitution)
        , swings({{0, std::sin(angle / 2), true}})
      {}

      struct Motion
      {
        double angle, velocity;
      };

      Motion
      evaluate(const double time) const
      {
        find_impacts(time);
        std::size_t i = swings.size() - 1;
        while (i > 0 && time < swings[i].begin)
          --i;
        const Swing &swing = swings[i];
        const double u     = omega_0 * (time - swing.begin) +
                         (swing.is_release ? quarter_period(swing) : 0.);
        double       cn, dn;
        const double sn = boost::math::jacobi_elliptic(swing.k, u, &cn, &dn);
        return {2 * std::asin(swing.k * sn), 2 * swing.k * omega_0 * cn};
      }

      double
      first_impact() const
      {
        return end(swings.front());
      }

    private:
      struct Swing
      {
        double begin, k;
        bool   is_release;
      };

      static double
      quarter_period(const Swing &swing)
      {
        return boost::math::ellint_1(swing.k);
      }

      double
      end(const Swing &swing) const
      {
        return swing.begin +
               (swing.is_release ? 1 : 2) * quarter_period(swing) / omega_0;
      }

      /// Calls with growing times find each impact once.
      void
      find_impacts(const double time) const
      {
        for (double impact = end(swings.back()); impact <= time;
             impact        = end(swings.back()))
          swings.push_back({impact, e * swings.back().k, false});
      }

      const double               omega_0, e;
      mutable std::vector<Swing> swings;
    };



    /// A point mass on a rigid rod, in Cartesian coordinates with the pivot as
    /// origin, and a wall:
    /// @f[ m \ddot q = (0, -m g)^T + G_B^T \lambda_B + (1, 0)^T \lambda, \qquad
    ///     |q| = L, \qquad x \ge x_\text{wall}. @f]
    class Pendulum : public DenseModel
    {
    public:
      struct Parameters
      {
        double mass             = 1;
        double length           = 1;
        double gravity          = 9.81;
        double angle            = 1.5707963267948966;
        double angular_velocity = 0;
        double restitution      = 0.8;
        double wall             = 0;

        void
        declare(ParameterSection &section);
      };

      Pendulum(const Parameters &parameters, const Context &context);

      const BilateralConstraints *
      constraints() const override
      {
        return &rod;
      }

      /// Away from the wall.
      double
      mean_velocity(const State &state) const override
      {
        return sum_over_ranks(owns_all() ? state.v.local_element(0) : 0.);
      }

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
      static System
      make_system(const Parameters &parameters);

      const Parameters                     parameters;
      const Rod                            rod;
      std::unique_ptr<SwingBetweenImpacts> exact; ///< null where not known
    };



    void
    Pendulum::Parameters::declare(ParameterSection &section)
    {
      section.add("mass", mass, "In kg", Range::positive());
      section.add("length", length, "Of the rod, in m", Range::positive());
      section.add("gravity", gravity, "Downward, in m/s^2");
      section.add("initial angle",
                  angle,
                  "From the downward vertical, away from the wall, in rad",
                  Range::between(-3.1416, 3.1416));
      section.add("initial angular velocity", angular_velocity, "In rad/s");
      section.add("restitution",
                  restitution,
                  "Newton's coefficient between the mass and the wall",
                  Range::between(0, 1));
      section.add("wall position",
                  wall,
                  "Of the vertical wall on the left, from the pivot, in m");
      section.require("initial angle", [this]() {
        return length * std::sin(angle) < wall - 1e-12 * length ?
                 "is behind the wall" :
                 std::string();
      });
    }



    DenseModel::System
    Pendulum::make_system(const Parameters &parameters)
    {
      const double m = parameters.mass, L = parameters.length;
      const double sine   = std::sin(parameters.angle);
      const double cosine = std::cos(parameters.angle);
      const double speed  = L * parameters.angular_velocity;
      System       system;
      system.M.reinit(2, 2);
      system.M(0, 0) = system.M(1, 1) = m;
      system.dead_load                = {0, -m * parameters.gravity};
      system.q                        = {L * sine, -L * cosine};
      system.v                        = {speed * cosine, speed * sine};
      system.contacts                 = {
                        {{parameters.restitution}, {{{0, 1.}}}, -parameters.wall}};
      return system;
    }



    Pendulum::Pendulum(const Parameters &parameters, const Context &context)
      : DenseModel(make_system(parameters), context)
      , parameters(parameters)
      , rod(parameters.length, owns_all())
    {
      const bool is_known = parameters.wall == 0 &&
                            parameters.angular_velocity == 0 &&
                            parameters.gravity > 0 && parameters.angle >= 0 &&
                            parameters.angle < 3.14;
      if (is_known)
        exact =
          std::make_unique<SwingBetweenImpacts>(parameters.angle,
                                                std::sqrt(parameters.gravity /
                                                          parameters.length),
                                                parameters.restitution);
    }



    Probe
    Pendulum::make_probe(const std::string &name, const std::string &what) const
    {
      struct Quantity
      {
        std::string                          unit;
        std::function<double(const State &)> value;
      };
      const auto entry = [](const unsigned int i, Vector State::*const field) {
        return [i, field](const State &state) {
          return (state.*field).local_element(i);
        };
      };
      const std::map<std::string, Quantity> quantities = {
        {"x", {"m", entry(0, &State::q)}},
        {"y", {"m", entry(1, &State::q)}},
        {"velocity x", {"m/s", entry(0, &State::v)}},
        {"velocity y", {"m/s", entry(1, &State::v)}},
        {"angle",
         {"rad",
          [](const State &state) {
            return std::atan2(state.q.local_element(0),
                              -state.q.local_element(1));
          }}},
        {"angular velocity",
         {"rad/s",
          [](const State &state) {
            const double x = state.q.local_element(0);
            const double y = state.q.local_element(1);
            return (x * state.v.local_element(1) -
                    y * state.v.local_element(0)) /
                   (x * x + y * y);
          }}},
        {"rod violation", {"m", [this](const State &state) {
                             return rod.residuals(state.q)[0];
                           }}}};
      const auto found = quantities.find(what);
      if (found != quantities.end())
        return probe(name, found->second.unit, found->second.value);
      std::vector<std::string> names;
      std::string              all;
      for (const auto &quantity : quantities)
        {
          names.push_back(quantity.first);
          all += (all.empty() ? "'" : ", '") + quantity.first + "'";
        }
      throw Error(ExitCode::usage,
                  sentence("probe '" + name + " = " + what + "' is not known" +
                           did_you_mean(what, names)) +
                    " The model 'pendulum' has " + all + ".");
    }



    bool
    Pendulum::exact_state(const double time, State &state) const
    {
      if (exact == nullptr)
        return false;
      const double L               = parameters.length;
      const auto [angle, velocity] = exact->evaluate(time);
      const double sine = std::sin(angle), cosine = std::cos(angle);
      fill({L * sine, -L * cosine},
           {L * velocity * cosine, L * velocity * sine},
           state);
      return true;
    }



    std::vector<ExactValue>
    Pendulum::exact_values(const double end_time) const
    {
      State state = initial_state();
      if (parameters.angle == 0 || !exact_state(end_time, state) ||
          end_time < exact->first_impact())
        return {};
      return {{"first contact", exact->first_impact(), "s"},
              {"final energy", energy(state).total(), "J"}};
    }



    std::vector<std::pair<std::string, std::string>>
    Pendulum::facts() const
    {
      std::vector<std::pair<std::string, std::string>> result = {
        {"mass", shortest_text(parameters.mass) + " kg"},
        {"length", shortest_text(parameters.length) + " m"}};
      if (parameters.gravity > 0)
        {
          std::ostringstream period;
          period << 2 * M_PI * std::sqrt(parameters.length / parameters.gravity)
                 << " s";
          result.emplace_back("period of small swings", period.str());
        }
      return result;
    }



    /// A line from the pivot to the mass.
    std::string
    Pendulum::write_fields(const State       &state,
                           const Vector      &contact_forces,
                           const FieldFolder &folder,
                           const std::string &name) const
    {
      FieldPatches<1> fields;
      fields.vectors = {"velocity", "contact_force"};
      fields.names   = {"mass"};
      if (owns_all())
        {
          auto patch = FieldPatches<1>::make_patch();
          patch.data.reinit(7, 2);
          for (unsigned int i = 0; i < 2; ++i)
            {
              patch.vertices[1][i] = state.q.local_element(i);
              patch.data(i, 1) = static_cast<float>(state.v.local_element(i));
            }
          patch.data(3, 1) =
            static_cast<float>(contact_forces.local_element(0));
          patch.data(6, 1) = static_cast<float>(parameters.mass);
          fields.patches.push_back(patch);
        }
      return write_vtu(fields, folder, name, state.time, communicator);
    }

    const Registration<MechanicalModel, Pendulum>
      registration("pendulum", "a point mass on a rigid rod beside a wall");
  } // namespace
} // namespace Percuss
