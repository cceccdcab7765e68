// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <cmath>
#include <vector>

#include "bar.h"

// Bars whose motion against one wall is known in closed form.

namespace Percuss
{
  namespace
  {
    /// Results of a bar that flies without gravity against one wall: it stays
    /// in contact for 2 L / c, whatever the restitution of the contact node,
    /// and flies back undeformed.
    std::vector<ExactValue>
    impact_without_gravity(const Bar::Parameters &bar,
                           const double           gap,
                           const double           direction,
                           const double           end_time)
    {
      const double speed = direction * bar.velocity(0);
      const double c = bar.wave_speed(), duration = 2 * bar.length / c;
      const double touch = gap / speed;
      if (speed <= 0 || gap < 0 || end_time <= touch + duration)
        return {};
      return {{"first contact", touch, "s"},
              {"contact impulse",
               2 * bar.density * bar.area * bar.length * speed,
               "N s"},
              {"final mean velocity", -direction * speed, "m/s"},
              {"mean contact force", bar.area * bar.density * c * speed, "N"},
              {"last contact", touch + duration, "s"}};
    }



    /// Whether a fall takes three times as long as a wave through the bar.
    bool
    is_periodic(const Bar::Parameters &bar, const double gap, const double g)
    {
      if (g <= 0 || gap <= 0)
        return false;
      const double fall = std::sqrt(2 * gap / g);
      return std::abs(fall - 3 * bar.length / bar.wave_speed()) <= 1e-9 * fall;
    }



    /// Results of Doyen, Ern and Piperno's bouncing bar (SIAM J. Sci. Comput.
    /// 33, 2011): released at rest, with a fall three times as long as a
    /// wave's way through the bar, the motion is periodic.
    std::vector<ExactValue>
    bounce_under_gravity(const Bar::Parameters &bar,
                         const double           gap,
                         const double           direction,
                         const double           end_time)
    {
      const double g = direction * bar.gravity, c = bar.wave_speed();
      if (!is_periodic(bar, gap, g))
        return {};
      const double fall = std::sqrt(2 * gap / g), wave = bar.length / c;
      if (end_time <= fall)
        return {};
      std::vector<ExactValue> values = {{"first contact", fall, "s"}};
      // Contacts last from fall to fall + 2 wave and, after a flight of
      // 2 fall, for another 2 wave, in each period.
      const double period   = 4 * (fall + wave);
      const double in_cycle = std::fmod(end_time, period);
      const double first    = fall + 2 * wave;
      const double second   = first + 2 * fall;
      if ((in_cycle > fall && in_cycle < first) ||
          (in_cycle > second && in_cycle < second + 2 * wave))
        return values;
      const double n_contacts = 2 * std::floor(end_time / period) +
                                (in_cycle >= first) +
                                (in_cycle >= second + 2 * wave);
      const double duration = 2 * wave;
      const double impulse =
        bar.density * bar.area * c *
        (g * fall * duration + g * duration * duration / 2);
      values.push_back({"contact impulse", n_contacts * impulse, "N s"});
      const double landed = in_cycle >= second + 2 * wave ? second + 2 * wave :
                            in_cycle >= first             ? first :
                                                            0;
      const double take_off = landed > 0 ? g * fall : 0;
      values.push_back({"final mean velocity",
                        -direction * (take_off - g * (in_cycle - landed)),
                        "m/s"});
      return values;
    }



    /// Height over the place where the contact end touches, and velocity, both
    /// away from the wall; x counts from the contact end.
    struct Motion
    {
      double height, velocity;

      Motion
      operator+(const Motion &other) const
      {
        return {height + other.height, velocity + other.velocity};
      }
    };

    /// Away from contact a body flies with its centre of mass.
    Motion
    flight(const double speed, const double g, const double t)
    {
      return {speed * t - g * t * t / 2, speed - g * t};
    }

    /// A bar after it has touched a wall, with what all points share.
    struct ContactWaves
    {
      double c, L;
      double speed; ///< of the impact
      double g;     ///< toward the wall

      /// In contact, @p t after the touch: one wave runs to the free end and
      /// back. The velocity is that after a front.
      Motion
      impact(const double x, const double t) const
      {
        const double back = 2 * L / c - t;
        if (t < x / c)
          return {-speed * t, -speed};
        if (x / c < back)
          return {-speed * x / c, 0};
        return {-speed * back, speed};
      }

      /// What gravity adds to impact().
      Motion
      sinking(const double x, const double t) const
      {
        const double way = c * t, factor = g / (c * c);
        if (x > way)
          return flight(0, g, t);
        if (x + way <= 2 * L)
          return {factor * (x * x / 2 - x * way), -factor * c * x};
        return {factor *
                  (x * x - 2 * L * x + 2 * L * L - 2 * L * way + way * way / 2),
                factor * c * (way - 2 * L)};
      }

      /// What is left in the bar after its first contact: two waves with the
      /// shape psi(y) = g/c^2 (y^2 - 2 L |y|), even and of the period 2 L.
      Motion
      ringing(const double x, const double t) const
      {
        const auto wave = [this](const double at) -> Motion {
          const double y     = at - 2 * L * std::floor(at / (2 * L) + 0.5);
          const double slope = y < 0 ? 2 * (y + L) : 2 * (y - L);
          return {g / (c * c) * (y * y - 2 * L * std::abs(y)), g / c * slope};
        };
        const Motion sum = wave(c * t - x) + wave(c * t + x);
        return {sum.height / 2, sum.velocity / 2};
      }
    };

    /// impact_without_gravity() at all points: calls @p fill with the motion
    /// as a function of x.
    template <typename Fill>
    void
    move_without_gravity(const ContactWaves &waves,
                         const double        gap,
                         const double        time,
                         const Fill         &fill)
    {
      const double t        = time - gap / waves.speed;
      const double duration = 2 * waves.L / waves.c;
      if (t < 0)
        fill([&](double) { return Motion{-waves.speed * t, -waves.speed}; });
      else if (t < duration)
        fill([&](const double x) { return waves.impact(x, t); });
      else
        fill([&](double) {
          return Motion{waves.speed * (t - duration), waves.speed};
        });
    }

    /// bounce_under_gravity() at all points. The second half of a period is the
    /// first one backwards.
    template <typename Fill>
    void
    move_under_gravity(const ContactWaves &waves,
                       const double        gap,
                       const double        time,
                       const Fill         &fill)
    {
      const double g    = waves.g;
      const double fall = waves.speed / g, contact = 2 * waves.L / waves.c;
      const double in_cycle   = std::fmod(time, 4 * fall + 2 * contact);
      const double in_contact = in_cycle - fall;
      const double in_flight  = in_contact - contact;
      const double to_release = 2 * fall + contact - in_flight;
      if (in_contact < 0)
        fill([&](double) { return Motion{gap, 0} + flight(0, g, in_cycle); });
      else if (in_flight < 0)
        fill([&](const double x) {
          return waves.impact(x, in_contact) + waves.sinking(x, in_contact);
        });
      else if (in_flight < 2 * fall)
        fill([&](const double x) {
          return flight(waves.speed, g, in_flight) +
                 waves.ringing(x, in_flight);
        });
      else if (to_release > 0)
        fill([&](const double x) {
          const Motion mirrored =
            waves.impact(x, to_release) + waves.sinking(x, to_release);
          return Motion{mirrored.height, -mirrored.velocity};
        });
      else
        fill([&](double) { return flight(waves.speed, g, -to_release); });
    }
  } // namespace



  double
  Bar::direction_of_simple_impact() const
  {
    const bool on_left = parameters.left.is("wall");
    const End &wall    = on_left ? parameters.left : parameters.right;
    const End &other   = on_left ? parameters.right : parameters.left;
    const bool simple =
      wall.is("wall") && other.is("free") && !has_damping() &&
      delays() == nullptr && parameters.velocity.is_constant() &&
      parameters.displacement.is_constant() && parameters.displacement(0) == 0;
    return !simple ? 0 : on_left ? -1 : 1;
  }



  std::vector<ExactValue>
  Bar::exact_values(const double end_time) const
  {
    const double direction = direction_of_simple_impact();
    if (direction == 0)
      return {};
    const double gap =
      direction < 0 ? parameters.left.gap : parameters.right.gap;
    if (parameters.gravity == 0)
      return impact_without_gravity(parameters, gap, direction, end_time);
    if (parameters.velocity(0) == 0)
      return bounce_under_gravity(parameters, gap, direction, end_time);
    return {};
  }



  bool
  Bar::exact_state(const double time, State &state) const
  {
    const double direction = direction_of_simple_impact();
    const double gap =
      direction < 0 ? parameters.left.gap : parameters.right.gap;
    const double speed = direction * parameters.velocity(0);
    const double g     = direction * parameters.gravity;
    const double c = parameters.wave_speed(), L = parameters.length;
    const auto   fill = [&](const auto &motion) {
      for (unsigned int i = 0; i < mesh.n_owned_nodes(); ++i)
        {
          const double x                = mesh.nodes()[i];
          const auto [height, velocity] = motion(direction < 0 ? x : L - x);
          state.q.local_element(i)      = -direction * (height - gap);
          state.v.local_element(i)      = -direction * velocity;
        }
    };
    if (g == 0 && speed > 0)
      move_without_gravity({c, L, speed, 0}, gap, time, fill);
    else if (speed == 0 && is_periodic(parameters, gap, g))
      move_under_gravity({c, L, std::sqrt(2 * gap * g), g}, gap, time, fill);
    else
      return false;
    return true;
  }
} // namespace Percuss
