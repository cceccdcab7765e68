// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include "tools.h"

// What holds for every registered model that can be linear: its operators,
// norms and energies are those of its matrices. (A multibody system never is,
// and needs bodies, as solids do: see unit/models/multibody.cc and solid.cc,
// and checks/solid_output_test.py for the fields of solids.)

namespace Percuss::Test
{
  namespace
  {
    class EveryModel : public testing::TestWithParam<Overrides>
    {};

    Vector
    random_vector(const MechanicalModel &model, const unsigned int seed)
    {
      Vector       vector(model.partition());
      unsigned int state = seed;
      for (double &value : vector)
        {
          state = 1664525u * state + 1013904223u;
          value = state / 4294967296. - 0.5;
        }
      return vector;
    }

    /// The motion @p vector as the model allows it: clamped nodes stand still.
    Vector
    admissible(const MechanicalModel &model, const Vector &vector)
    {
      Vector force(model.partition()), result(vector);
      model.multiply_by_mass(vector, force);
      for (std::size_t i = 0; i < result.locally_owned_size(); ++i)
        if (force.local_element(i) == 0)
          result.local_element(i) = 0;
      return result;
    }

    TEST_P(EveryModel, AppliesItsMatrices)
    {
      const Parts  parts("", GetParam());
      const auto  &model = *parts.model;
      const Vector q     = admissible(model, random_vector(model, 1));
      const Vector v     = admissible(model, random_vector(model, 2));
      const auto   M     = model.assemble(1, 0, 0);
      const auto   C = model.assemble(0, 1, 0), K = model.assemble(0, 0, 1);
      Vector       Mv(q), Cv(q), Kq(q), from_model(q), from_matrices(q);
      M->multiply(v, Mv);
      C->multiply(v, Cv);
      K->multiply(q, Kq);
      EXPECT_EQ(model.masses(), M->diagonal());

      model.multiply_by_mass(v, from_model);
      from_model -= Mv;
      EXPECT_LE(from_model.linfty_norm(), 1e-13 * Mv.linfty_norm());

      model.internal_forces(q, v, from_model);
      from_matrices = Kq;
      from_matrices += Cv;
      const double scale = from_matrices.linfty_norm();
      from_model -= from_matrices;
      EXPECT_LE(from_model.linfty_norm(), 1e-12 * scale);

      model.damping_forces(v, from_model);
      from_model -= Cv;
      EXPECT_LE(from_model.linfty_norm(), 1e-12 * Cv.linfty_norm());

      EXPECT_NEAR(model.mass_norm(v), v * Mv, 1e-12 * (v * Mv));
      EXPECT_NEAR(model.stiffness_norm(q), q * Kq, 1e-12 * (q * Kq));
    }

    TEST_P(EveryModel, HasTheEnergyOfItsForces)
    {
      const Parts parts("", GetParam());
      const auto &model   = *parts.model;
      State       state   = model.initial_state();
      state.q             = admissible(model, random_vector(model, 3));
      state.v             = admissible(model, random_vector(model, 4));
      const Energy energy = model.energy(state);
      EXPECT_NEAR(energy.kinetic,
                  0.5 * model.mass_norm(state.v),
                  1e-13 * energy.kinetic);
      EXPECT_NEAR(energy.strain,
                  0.5 * model.stiffness_norm(state.q),
                  1e-13 * energy.strain);
      EXPECT_NEAR(energy.potential,
                  -(model.dead_load() * state.q),
                  1e-12 * std::abs(energy.potential));
    }

    TEST_P(EveryModel, WritesItsFields)
    {
      const Parts           parts("", GetParam());
      const auto           &model = *parts.model;
      const TemporaryFolder folder;
      const Vector          forces(model.contacts().partition());
      const std::string     name = model.write_fields(model.initial_state(),
                                                  forces,
                                                  folder.path.string(),
                                                  "fields");
      EXPECT_EQ(name, "fields.vtu");
      EXPECT_GT(std::filesystem::file_size(folder.path / name), 500u);
    }

    Overrides
    bar(const std::string &degree, const std::string &mass, const bool clamped)
    {
      return {"model/type=bar",
              "model/bar/elements=7",
              "model/bar/degree=" + degree,
              "model/bar/mass matrix=" + mass,
              "model/bar/mass damping=3",
              "model/bar/stiffness damping=1e-5",
              "model/bar/gravity=-9.81",
              std::string("model/bar/right end/condition=") +
                (clamped ? "clamped" : "wall"),
              "model/bar/left end/condition=wall"};
    }

    Overrides
    beam(const std::string &theory,
         const std::string &motion,
         const std::string &mass)
    {
      return {"model/type=beam",
              "model/beam/elements=7",
              "model/beam/theory=" + theory,
              "model/beam/motion=" + motion,
              "model/beam/mass matrix=" + mass,
              "model/beam/rotary inertia=true",
              "model/beam/mass damping=3",
              "model/beam/stiffness damping=1e-5",
              "model/beam/gravity=0,-9.81,0",
              "model/beam/base motion=y = sin(t)",
              "model/beam/right end/condition=guided",
              "model/beam/right end/mass=0.1",
              "model/beam/right end/rotary inertia=0.01",
              "model/beam/stops/gaps=-y at 0.3 = 0.1; +y at L = 0.2"};
    }

    std::vector<Overrides>
    all_models()
    {
      std::vector<Overrides> models;
      for (const std::string &name : Registry<MechanicalModel>::names())
        if (name != "multibody" && name.find("solid") == std::string::npos)
          models.push_back({"model/type=" + name});
      models.push_back(
        {"model/type=ball", "model/ball/masses=3", "model/ball/mass=1, 2, 3"});
      models.push_back({"model/type=chain",
                        "model/chain/masses=4",
                        "model/chain/mass=1, 2, 3, 4",
                        "model/chain/spring stiffness=1, 2, 3",
                        "model/chain/spring damping=0, 5, 1"});
      for (const std::string degree : {"1", "2", "3", "4", "5", "6"})
        for (const std::string mass : {"consistent", "lumped"})
          for (const bool clamped : {false, true})
            models.push_back(bar(degree, mass, clamped));
      for (const std::string theory : {"euler bernoulli", "timoshenko"})
        for (const std::string motion : {"plane", "space"})
          for (const std::string mass : {"consistent", "lumped"})
            models.push_back(beam(theory, motion, mass));
      return models;
    }

    INSTANTIATE_TEST_SUITE_P(Registered,
                             EveryModel,
                             testing::ValuesIn(all_models()));
  } // namespace
} // namespace Percuss::Test
