// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>

#include <deal.II/lac/lapack_full_matrix.h>

#include <gtest/gtest.h>

#include <cmath>

#include "tools.h"

// Beams in statics and in free vibration, against closed forms.

namespace Percuss::Test
{
  namespace
  {
    constexpr double pi = dealii::numbers::PI;

    Overrides
    beam(const Overrides &more = {})
    {
      Overrides overrides = {"model/type=beam"};
      for (const std::string &entry : more)
        overrides.push_back("model/beam/" + entry);
      return overrides;
    }

    Overrides
    operator+(Overrides list, const Overrides &more)
    {
      list.insert(list.end(), more.begin(), more.end());
      return list;
    }

    /// EI = 2 along y and 3 along z, kGA = 5 and 7, unit mass, rotary inertia.
    const Overrides numbers = {"section/shape=numbers",
                               "section/axial stiffness=11",
                               "section/bending stiffness=2,3",
                               "section/shear stiffness=5,7",
                               "section/torsional stiffness=13",
                               "section/rotary inertia per length=0.1,0.2",
                               "elements=7",
                               "length=1.4"};

    const Overrides free_ends = {"left end/condition=free"};
    const Overrides in_space  = {"motion=space"};
    const Overrides sheared   = {"theory=timoshenko"};

    double
    value(const MechanicalModel &model,
          const std::string     &what,
          const State           &state)
    {
      return model.make_probe("p", what).value(state);
    }

    /// The displacement under the driving load at time 0 and the dead load: the
    /// stiffness matrix keeps its diagonal at fixed components.
    State
    static_state(const Parts &parts)
    {
      const auto &model = *parts.model;
      State       state = model.initial_state();
      Vector      load(model.dead_load());
      model.add_driving_load(0, 1, load);
      const auto K = model.assemble(0, 0, 1);
      const auto report =
        parts.settings.linear_solver.build({*K})->solve(load, state.q);
      EXPECT_TRUE(report.converged);
      return state;
    }

    /// Frequencies in Hz, from below, without the fixed components.
    std::vector<double>
    frequencies(const MechanicalModel &model)
    {
      Vector     ones(model.partition()), mass(model.partition());
      const auto M = model.assemble(1, 0, 0);
      const auto K = model.assemble(0, 0, 1);
      std::vector<unsigned int> free;
      for (unsigned int i = 0; i < ones.size(); ++i)
        {
          ones    = 0.;
          ones(i) = 1;
          model.multiply_by_mass(ones, mass);
          if (mass(i) != 0)
            free.push_back(i);
        }
      const auto n = static_cast<unsigned int>(free.size());
      dealii::LAPACKFullMatrix<double> stiffness(n), inertia(n);
      const auto                       fill = [&](const SparseMatrix               &from,
                            dealii::LAPACKFullMatrix<double> &to) {
        const auto &rows = from.rows();
        for (unsigned int i = 0; i < n; ++i)
          for (PetscInt k = rows.start[free[i]]; k < rows.start[free[i] + 1];
               ++k)
            for (unsigned int j = 0; j < n; ++j)
              if (rows.columns[k] == static_cast<PetscInt>(free[j]))
                to(i, j) = rows.values[k];
      };
      fill(*K, stiffness);
      fill(*M, inertia);
      std::vector<dealii::Vector<double>> none;
      stiffness.compute_generalized_eigenvalues_symmetric(inertia, none);
      std::vector<double> result;
      for (unsigned int i = 0; i < n; ++i)
        result.push_back(
          std::sqrt(std::max(0., stiffness.eigenvalue(i).real())) / (2 * pi));
      std::sort(result.begin(), result.end());
      return result;
    }

    /// The pipe of the benchmark, and its exact frequencies in Hz.
    const Overrides           pipe             = {"length=1.501",
                                                  "young modulus=2e11",
                                                  "density=8000",
                                                  "section/shape=pipe"};
    const std::vector<double> pipe_frequencies = {4.176945,
                                                  26.17647,
                                                  73.29487,
                                                  143.6287};

    TEST(Beam, FeelsNoRigidMotion)
    {
      // 1e-15: round-off of stiffness times displacement of an element.
      for (const Overrides &theory : {Overrides(), sheared})
        for (const std::string motion :
             {"x = 1; y = 2; z = -3", "y = 0.1 + 0.2*x; z = 0.3*x"})
          {
            const Parts  parts("",
                              beam(
                                numbers + in_space + free_ends + theory +
                                Overrides{"initial displacement=" + motion}));
            const auto  &model = *parts.model;
            const State  state = model.initial_state();
            const double scale = model.assemble(0, 0, 1)->diagonal()[1];
            Vector       force(model.partition());
            model.internal_forces(state.q, state.v, force);
            EXPECT_LE(force.linfty_norm(), 4e-15 * scale) << motion;
            EXPECT_LE(model.stiffness_norm(state.q), 1e-28 * scale) << motion;
          }
    }

    TEST(Beam, BendsExactlyWithConstantCurvature)
    {
      for (const Overrides &theory : {Overrides(), sheared})
        {
          const Parts parts("",
                            beam(numbers + in_space + free_ends + theory +
                                 Overrides{"initial displacement="
                                           "x = 0.1*x; y = x^2; z = -2*x^2"}));
          const auto &model = *parts.model;
          const State state = model.initial_state();
          // 1/2 (EA 0.1^2 + EI (w'')^2) L
          EXPECT_NEAR(model.energy(state).strain,
                      0.5 * 1.4 * (11 * 0.01 + 2 * 4 + 3 * 16),
                      1e-12);
          for (const std::string x : {"0", "0.33", "L/2", "L"})
            {
              EXPECT_NEAR(value(model, "bending moment at " + x, state),
                          4,
                          1e-11);
              EXPECT_NEAR(value(model, "bending moment z at " + x, state),
                          -12,
                          1e-11);
              EXPECT_NEAR(value(model, "shear force at " + x, state), 0, 1e-10);
              EXPECT_NEAR(value(model, "axial force at " + x, state),
                          1.1,
                          1e-12);
            }
          EXPECT_NEAR(value(model, "deflection at 0.33", state),
                      0.33 * 0.33,
                      1e-14);
          EXPECT_NEAR(value(model, "rotation z at 0.33", state), -1.32, 1e-13);
        }
    }

    TEST(Beam, CantileversBendExactlyUnderForces)
    {
      // F L^3/(3 EI) + F L/kGA, also for a force inside an element, a = 0.33:
      // F a^2 (3 x - a)/(6 EI) + F a/kGA for x > a.
      constexpr double L = 1.4, a = 0.33;
      for (const bool is_sheared : {false, true})
        {
          const Parts  parts("",
                            beam(numbers + in_space +
                                 (is_sheared ? sheared : Overrides()) +
                                 Overrides{"point forces=y at L = 1; "
                                            "z at 0.33 = 2; x at L = 3"}));
          const State  state   = static_state(parts);
          const auto  &model   = *parts.model;
          const double shear_y = is_sheared ? L / 5 : 0;
          const double shear_z = is_sheared ? 2 * a / 7 : 0;
          EXPECT_NEAR(value(model, "deflection at L", state),
                      L * L * L / 6 + shear_y,
                      1e-13);
          EXPECT_NEAR(value(model, "deflection z at L", state),
                      2 * a * a * (3 * L - a) / 18 + shear_z,
                      1e-13);
          EXPECT_NEAR(value(model, "axial displacement at L/3", state),
                      L / 11,
                      1e-13);
          EXPECT_NEAR(value(model, "rotation at L", state), L * L / 4, 1e-13);
          EXPECT_NEAR(value(model, "bending moment at 0.5", state), 0.9, 1e-12);
          EXPECT_NEAR(value(model, "shear force at 0.5", state), 1, 1e-11);
        }
    }

    TEST(Beam, SagsExactlyAtItsNodesUnderGravity)
    {
      // 5/384 q L^4/EI + q L^2/(8 kGA) in the middle between pins.
      const Overrides pinned = {"left end/condition=pinned",
                                "right end/condition=pinned",
                                "gravity=0,-3,0",
                                "elements=6"};
      for (const bool is_sheared : {false, true})
        {
          const Parts parts("",
                            beam(numbers + pinned +
                                 (is_sheared ? sheared : Overrides())));
          const State state = static_state(parts);
          EXPECT_NEAR(value(*parts.model, "deflection at L/2", state),
                      -3 * (5. / 384 * std::pow(1.4, 4) / 2 +
                            (is_sheared ? 1.4 * 1.4 / 40 : 0)),
                      1e-13);
        }
    }

    TEST(Beam, GuidedAndPinnedEndsHoldWhatTheySay)
    {
      // Clamped and guided: F L^3/(12 EI).
      const Parts guided("",
                         beam(numbers + Overrides{"right end/condition=guided",
                                                  "point forces=y at L = 1"}));
      State       state = static_state(guided);
      EXPECT_NEAR(value(*guided.model, "deflection at L", state),
                  std::pow(1.4, 3) / 24,
                  1e-14);
      EXPECT_EQ(value(*guided.model, "rotation at L", state), 0);
      // Clamped and pinned, force in the middle: 7/768 F L^3/EI.
      const Parts pinned("",
                         beam(numbers + Overrides{"right end/condition=pinned",
                                                  "point forces=y at L/2 = 1; "
                                                  "y at L = 5"}));
      state = static_state(pinned);
      // L/2 is inside an element, and its cubic lacks the kink of the moment:
      // F l^3/(192 EI) less, the middle of an element with fixed ends.
      EXPECT_NEAR(value(*pinned.model, "deflection at L/2", state),
                  7. / 768 * std::pow(1.4, 3) / 2 - std::pow(0.2, 3) / 192 / 2,
                  1e-14);
      EXPECT_EQ(value(*pinned.model, "deflection at L", state), 0);
    }

    TEST(Beam, PipeHasItsExactFrequencies)
    {
      // Hermite's element has the relative error (beta l)^4/1440 of the
      // frequency, to leading order.
      const Parts parts("", beam(pipe + Overrides{"elements=20"}));
      const auto  found = frequencies(*parts.model);
      for (unsigned int i = 0; i < 4; ++i)
        {
          const double beta_l =
            (i == 0 ? 1.8751041 : (2 * i + 1) * pi / 2) / 20;
          EXPECT_NEAR(found[i],
                      pipe_frequencies[i],
                      pipe_frequencies[i] *
                        (1.2 * std::pow(beta_l, 4) / 1440 + 2e-7));
          EXPECT_GT(found[i], pipe_frequencies[i] * (1 - 2e-7));
        }
    }

    TEST(Beam, FrequenciesConvergeWithOrderFour)
    {
      std::vector<double> h, error;
      for (const std::string n : {"4", "8", "16"})
        {
          const Parts parts("", beam(pipe + Overrides{"elements=" + n}));
          h.push_back(1 / std::stod(n));
          error.push_back(frequencies(*parts.model)[1] / pipe_frequencies[1] -
                          1);
        }
      EXPECT_NEAR(observed_order(h, error), 4, 0.1);
    }

    TEST(Beam, SlenderTimoshenkoBeamsDoNotLock)
    {
      // 1 m long and 0.1 mm thick: shear changes frequencies by the order of
      // (t/L)^2 n^2 = 1e-7, whatever the mesh.
      const Overrides thin = {"section/height=1e-4", "section/width=1e-4"};
      for (const std::string n : {"1", "2", "5"})
        {
          const Overrides mesh = {"elements=" + n};
          const auto      bernoulli =
            frequencies(*Parts("", beam(thin + mesh)).model);
          const auto timoshenko =
            frequencies(*Parts("", beam(thin + mesh + sheared)).model);
          EXPECT_NEAR(timoshenko[0], bernoulli[0], 1e-6 * bernoulli[0]) << n;
          EXPECT_NEAR(timoshenko[1], bernoulli[1], 1e-6 * bernoulli[1]) << n;
        }
    }

    /// Timoshenko's lower frequency of mode @p mode between pins, in Hz: w =
    /// sin(k x), psi ~ cos(k x).
    double
    timoshenko_frequency(const unsigned int mode,
                         const double       length,
                         const double       EI,
                         const double       kGA,
                         const double       mass,
                         const double       rotary)
    {
      const double k = mode * pi / length;
      const double a = mass * rotary;
      const double b = mass * (EI * k * k + kGA) + rotary * kGA * k * k;
      const double c = EI * kGA * std::pow(k, 4);
      return std::sqrt((b - std::sqrt(b * b - 4 * a * c)) / (2 * a)) / (2 * pi);
    }

    TEST(Beam, ThickTimoshenkoBeamsHaveTheirExactFrequencies)
    {
      const Overrides     pinned = {"left end/condition=pinned",
                                    "right end/condition=pinned"};
      std::vector<double> h, error;
      for (const std::string n : {"20", "40", "80"})
        {
          const Parts  parts("",
                            beam(numbers + sheared + pinned +
                                 Overrides{"elements=" + n}));
          const auto   found = frequencies(*parts.model);
          const double exact = timoshenko_frequency(1, 1.4, 2, 5, 1, 0.1);
          h.push_back(1 / std::stod(n));
          error.push_back(found[0] / exact - 1);
        }
      // Of order 2 where shear rules (Phi > 1), from above.
      EXPECT_NEAR(observed_order(h, error), 2, 0.1);
      EXPECT_GT(error[2], 0);
      EXPECT_LE(error[2], 1e-3);
    }

    TEST(Beam, TimoshenkoElementsHaveTheErrorThatTheoryPredicts)
    {
      // The shape functions lack the deflection of an element with fixed ends
      // under its own inertia: bending gives (k l)^4/1440, shear
      // omega^2 rho A l^2/(24 kGA), to leading order.
      const double t = 0.02, A = t * t, I = A * A / 12, E = 2.1e11;
      const double kGA = 13 / (12 + 3.3) * E / 2.6 * A;
      const double exact =
        timoshenko_frequency(1, 1, E * I, kGA, 7800 * A, 7800 * I);
      for (const double n : {4., 8., 16., 32., 64.})
        {
          const Parts parts(
            "",
            beam(sheared + Overrides{"left end/condition=pinned",
                                     "right end/condition=pinned",
                                     "section/height=0.02",
                                     "section/width=0.02",
                                     "elements=" + std::to_string(int(n))}));
          const double predicted =
            std::pow(pi / n, 4) / 1440 +
            std::pow(2 * pi * exact / n, 2) * 7800 * A / (24 * kGA);
          EXPECT_NEAR(frequencies(*parts.model)[0] / exact - 1,
                      predicted,
                      0.03 * predicted)
            << n;
        }
    }

    TEST(Beam, RotaryInertiaLowersFrequenciesAsRayleighSays)
    {
      // Between pins: omega^2 = EI k^4/(rho A + rho I k^2).
      const Parts  parts("",
                        beam(numbers + Overrides{"left end/condition=pinned",
                                                 "right end/condition=pinned",
                                                 "rotary inertia=true",
                                                 "elements=40"}));
      const double k     = pi / 1.4;
      const double exact = k * k * std::sqrt(2 / (1 + 0.1 * k * k)) / (2 * pi);
      // (k l)^4/1440 = 2.6e-8
      EXPECT_NEAR(frequencies(*parts.model)[0], exact, 1e-7 * exact);
    }

    TEST(Beam, MovesInSpaceAsInThePlane)
    {
      const Overrides load = {"left end/condition=clamped",
                              "point forces=y at L = 1"};
      for (const Overrides &theory : {Overrides(), sheared})
        {
          const Parts plane("", beam(numbers + theory + load));
          const Parts stretched("",
                                beam(numbers + theory + load +
                                     Overrides{"stretch=true"}));
          const Parts space("", beam(numbers + theory + load + in_space));
          const State a = static_state(plane), b = static_state(space);
          const State c = static_state(stretched);
          for (const std::string what :
               {"deflection at L", "rotation at 1.1", "bending moment at 0.7"})
            {
              const double reference = value(*plane.model, what, a);
              EXPECT_NEAR(value(*space.model, what, b), reference, 1e-12);
              EXPECT_NEAR(value(*stretched.model, what, c), reference, 1e-12);
            }
          // All frequencies of the plane are among those in space.
          const auto all = frequencies(*space.model);
          for (const double f : frequencies(*plane.model))
            EXPECT_NEAR(*std::min_element(all.begin(),
                                          all.end(),
                                          [f](const double x, const double y) {
                                            return std::abs(x - f) <
                                                   std::abs(y - f);
                                          }),
                        f,
                        1e-10 * (1 + f));
        }
    }

    TEST(Beam, TwistsAndStretchesLikeABar)
    {
      // Clamped and free: f_1 = sqrt(stiffness/inertia)/(4 L); linear elements
      // have the relative error (k l)^2/24, k = pi/(2 L).
      const Parts  parts("",
                        beam(in_space + Overrides{"elements=50",
                                                  "section/shape=circle",
                                                  "poisson ratio=0"}));
      const auto   all    = frequencies(*parts.model);
      const double axial  = std::sqrt(2.1e11 / 7800) / 4;
      const double twist  = axial / std::sqrt(2.);
      const double factor = 1 + std::pow(pi / 100, 2) / 24;
      for (const double expected : {axial * factor, twist * factor})
        {
          double nearest = 1e300;
          for (const double f : all)
            nearest = std::min(nearest, std::abs(f - expected));
          EXPECT_LE(nearest, 1e-6 * expected);
        }
    }

    TEST(Beam, LumpedMassesKeepTheMass)
    {
      const Parts parts("",
                        beam(numbers + in_space + free_ends +
                             Overrides{"mass matrix=lumped",
                                       "initial velocity=x = 1; y = 2; z = 3",
                                       "right end/mass=0.6"}));
      const auto &model = *parts.model;
      // The slopes are zero: 1/2 (1.4 + 0.6) (1 + 4 + 9)
      EXPECT_NEAR(model.energy(model.initial_state()).kinetic, 14, 1e-12);
      EXPECT_NEAR(model.mean_velocity(model.initial_state()), 2, 1e-13);
    }

    TEST(Beam, HasTheEnergyOfARigidRotation)
    {
      // v = x: 1/2 (rho A L^3/3 + rotary L + m L^2 + J)
      const Parts parts("",
                        beam(numbers + sheared + free_ends +
                             Overrides{"initial velocity=y = x",
                                       "right end/mass=2",
                                       "right end/rotary inertia=3"}));
      EXPECT_NEAR(parts.model->energy(parts.model->initial_state()).kinetic,
                  0.5 * (std::pow(1.4, 3) / 3 + 0.1 * 1.4 + 2 * 1.96 + 3),
                  1e-13);
    }

    TEST(Beam, ABaseThatIsAcceleratedIsGravity)
    {
      const Parts moved("",
                        beam(numbers + in_space +
                             Overrides{"base motion=y = 3*t^2; z = -t^2/2",
                                       "right end/mass=1"}));
      const Parts heavy("",
                        beam(numbers + in_space +
                             Overrides{"gravity=0,-6,1", "right end/mass=1"}));
      Vector      load(moved.model->partition());
      EXPECT_TRUE(moved.model->has_driving_load());
      moved.model->add_driving_load(0.7, 1, load);
      const double scale = load.linfty_norm();
      load -= heavy.model->dead_load();
      EXPECT_LE(load.linfty_norm(), 1e-14 * scale);
    }

    TEST(Beam, StopsTouchAtAnyPlace)
    {
      // gap -+ w(x) for w = x^3, which is a cubic: the gap is exact.
      const Parts parts("",
                        beam(numbers + in_space +
                             Overrides{"initial displacement="
                                       "y = x^3; z = -x^3",
                                       "stops/gaps=+y at 0.33 = 0.1; "
                                       "-z at L = 3; -y at 3*L/7 = 0.2",
                                       "stops/restitution=-z at L = 0.5"}));
      const auto &contacts = parts.model->contacts();
      ASSERT_EQ(contacts.size(), 3u);
      Vector gaps(contacts.partition());
      contacts.gaps(parts.model->initial_state().q, gaps);
      EXPECT_NEAR(gaps(0), 0.1 - std::pow(0.33, 3), 1e-14);
      EXPECT_NEAR(gaps(1), 3 - std::pow(1.4, 3), 1e-14);
      EXPECT_NEAR(gaps(2), 0.2 + std::pow(0.6, 3), 1e-14);
      EXPECT_EQ(contacts.row(1).size(), 1u);
      EXPECT_EQ(contacts.row(2).size(), 1u);
      EXPECT_EQ(contacts.row(0).size(), 4u);
      EXPECT_EQ(contacts.points()[0].restitution, 0);
      EXPECT_EQ(contacts.points()[1].restitution, 0.5);
    }

    TEST(Beam, KnowsSectionsOfOneMaterial)
    {
      const auto stiffness = [](const Overrides &section) {
        const Parts parts("",
                          beam(in_space + section +
                               Overrides{"point forces=y at L = 1; z at L = 1",
                                         "young modulus=3"}));
        const State state = static_state(parts);
        return std::pair<double, double>(
          1 / value(*parts.model, "deflection at L", state),
          1 / value(*parts.model, "deflection z at L", state));
      };
      // 3 EI/L^3 with E = 3
      const auto rectangle = stiffness(
        {"section/shape=rectangle", "section/height=0.2", "section/width=0.1"});
      EXPECT_NEAR(rectangle.first, 9 * 0.1 * 0.008 / 12, 1e-14);
      EXPECT_NEAR(rectangle.second, 9 * 0.2 * 0.001 / 12, 1e-14);
      const auto circle =
        stiffness({"section/shape=circle", "section/diameter=0.2"});
      EXPECT_NEAR(circle.first, 9 * pi / 64 * 0.0016, 1e-14);
      const auto tube = stiffness({"section/shape=pipe",
                                   "section/outer diameter=0.2",
                                   "section/inner diameter=0.1"});
      EXPECT_NEAR(tube.second, 9 * pi / 64 * 0.0015, 1e-14);
      // Torsion of a square: J = 0.140577 a^4; GJ/polar = G J/(rho a^4/6).
      const auto torsion = [](const std::string &width) {
        const Parts parts("",
                          beam(in_space + Overrides{"elements=1",
                                                    "section/height=1",
                                                    "section/width=" + width}));
        // The diagonal entry of the twist of the free node.
        const auto K = parts.model->assemble(0, 0, 1)->diagonal();
        return K[11] / (2.1e11 / 2.6);
      };
      EXPECT_NEAR(torsion("1"), 0.1405770, 1e-6);
      EXPECT_NEAR(torsion("0.5"), 0.2286816 * 0.125, 1e-6);
    }

    TEST(Beam, TellsItsFrequencies)
    {
      const auto facts = [](const Overrides &more) {
        std::string text;
        for (const auto &[name, fact] :
             Parts("", beam(pipe + more)).model->facts())
          text += name + ": " + fact + "\n";
        return text;
      };
      EXPECT_NE(facts({}).find(
                  "along y: 4.176945, 26.17647, 73.29487, 143.6287"),
                std::string::npos)
        << facts({});
      // Ends and the first root beta L; Hermite's frequencies confirm them.
      const std::vector<std::string> ends = {"free",
                                             "clamped",
                                             "pinned",
                                             "guided"};
      for (const std::string &left : ends)
        for (const std::string &right : ends)
          {
            const Overrides   conditions = {"left end/condition=" + left,
                                            "right end/condition=" + right};
            const std::string text       = facts(conditions);
            const double      told =
              std::stod(text.substr(text.find("along y: ") + 9));
            double lowest = 0;
            for (const double f :
                 frequencies(*Parts("", beam(pipe + conditions)).model))
              if (lowest == 0 && f > 1e-2 * told)
                lowest = f;
            EXPECT_NEAR(lowest, told, 1e-5 * told) << left << ' ' << right;
          }
    }

    TEST(Beam, ProbesThatDoNotExistAreRefused)
    {
      const Parts parts("", beam({"stops/gaps=+y at L = 1"}));
      const State state = parts.model->initial_state();
      EXPECT_EQ(value(*parts.model, "impulse of +y at L", state), 0);
      for (const std::string what : {"deflection at 1.5",
                                     "deflection",
                                     "deflection z at 1",
                                     "twist at 1",
                                     "axial force at 1",
                                     "impulse of -y at L",
                                     "speed at 1"})
        EXPECT_THROW(value(*parts.model, what, state), Error) << what;
    }
  } // namespace
} // namespace Percuss::Test
