// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

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
    using Motion = std::pair<double, double>;

    Motion
    operator+(const Motion &a, const Motion &b)
    {
      return {a.first + b.first, a.second + b.second};
    }

    /// A bar in contact, @p t after it has touched with @p speed: one wave runs
    /// to the free end and back. The velocity is that after a front.
    Motion
    impact_wave(const double speed,
                const double c,
                const double length,
                const double x,
                const double t)
    {
      const double back = 2 * length / c - t;
      if (t < x / c)
        return {-speed * t, -speed};
      if (x / c < back)
        return {-speed * x / c, 0};
      return {-speed * back, speed};
    }

    /// Away from contact a body flies with its centre of mass.
    Motion
    flight(const double speed, const double g, const double t)
    {
      return {speed * t - g * t * t / 2, speed - g * t};
    }

    /// What gravity adds to impact_wave().
    Motion
    sinking(const double g,
            const double c,
            const double length,
            const double x,
            const double t)
    {
      const double way = c * t, factor = g / (c * c);
      if (x > way)
        return flight(0, g, t);
      if (x + way <= 2 * length)
        return {factor * (x * x / 2 - x * way), -factor * c * x};
      return {factor * (x * x - 2 * length * x + 2 * length * length -
                        2 * length * way + way * way / 2),
              factor * c * (way - 2 * length)};
    }

    /// What is left in the bar after its first contact: two waves with the
    /// shape psi(y) = g/c^2 (y^2 - 2 L |y|), even and of the period 2 L.
    Motion
    ringing(const double g,
            const double c,
            const double length,
            const double x,
            const double t)
    {
      const auto wave = [&](const double at) -> Motion {
        const double y = at - 2 * length * std::floor(at / (2 * length) + 0.5);
        const double slope = y < 0 ? 2 * (y + length) : 2 * (y - length);
        return {g / (c * c) * (y * y - 2 * length * std::abs(y)),
                g / c * slope};
      };
      const Motion sum = wave(c * t - x) + wave(c * t + x);
      return {sum.first / 2, sum.second / 2};
    }

    /// impact_without_gravity() at every point and time.
    Motion
    motion_without_gravity(const Bar::Parameters &bar,
                           const double           gap,
                           const double           speed,
                           const double           x,
                           const double           time)
    {
      const double c = bar.wave_speed();
      const double t = time - gap / speed, duration = 2 * bar.length / c;
      if (t < 0)
        return {-speed * t, -speed};
      if (t < duration)
        return impact_wave(speed, c, bar.length, x, t);
      return {speed * (t - duration), speed};
    }

    /// bounce_under_gravity() at every point and time. The second half of a
    /// period is the first one backwards.
    Motion
    motion_under_gravity(const Bar::Parameters &bar,
                         const double           gap,
                         const double           g,
                         const double           x,
                         const double           time)
    {
      const double c = bar.wave_speed(), L = bar.length;
      const double fall = std::sqrt(2 * gap / g), contact = 2 * L / c;
      const double speed    = g * fall;
      const double in_cycle = std::fmod(time, 4 * fall + 2 * contact);
      if (in_cycle < fall)
        return Motion(gap, 0) + flight(0, g, in_cycle);
      const double in_contact = in_cycle - fall;
      if (in_contact < contact)
        return impact_wave(speed, c, L, x, in_contact) +
               sinking(g, c, L, x, in_contact);
      const double in_flight = in_contact - contact;
      if (in_flight < 2 * fall)
        return flight(speed, g, in_flight) + ringing(g, c, L, x, in_flight);
      const double to_release = 2 * fall + contact - in_flight;
      if (to_release > 0)
        {
          const Motion mirrored = impact_wave(speed, c, L, x, to_release) +
                                  sinking(g, c, L, x, to_release);
          return {mirrored.first, -mirrored.second};
        }
      return flight(speed, g, -to_release);
    }
  } // namespace



  double
  Bar::direction_of_simple_impact() const
  {
    const bool on_left = parameters.left.is("wall");
    const End &wall    = on_left ? parameters.left : parameters.right;
    const End &other   = on_left ? parameters.right : parameters.left;
    const bool simple = wall.is("wall") && other.is("free") && !has_damping() &&
                        parameters.velocity.is_constant() &&
                        parameters.displacement.is_constant() &&
                        parameters.displacement(0) == 0;
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
    const double                  speed = direction * parameters.velocity(0);
    const double                  g     = direction * parameters.gravity;
    std::function<Motion(double)> motion;
    if (g == 0 && speed > 0)
      motion = [&](const double x) {
        return motion_without_gravity(parameters, gap, speed, x, time);
      };
    else if (speed == 0 && is_periodic(parameters, gap, g))
      motion = [&](const double x) {
        return motion_under_gravity(parameters, gap, g, x, time);
      };
    else
      return false;
    for (unsigned int i = 0; i < mesh.n_owned_nodes(); ++i)
      {
        const double x = mesh.nodes()[i];
        const auto [height, velocity] =
          motion(direction < 0 ? x : parameters.length - x);
        state.q.local_element(i) = -direction * (height - gap);
        state.v.local_element(i) = -direction * velocity;
      }
    return true;
  }
} // namespace Percuss
