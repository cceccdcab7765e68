// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/files.h>
#include <percuss/output/checkpoint.h>

#include <gtest/gtest.h>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    State
    sample_state(const unsigned int step)
    {
      State      state;
      const auto partition = make_partition(3, MPI_COMM_SELF);
      state.q.reinit(partition);
      state.v.reinit(partition);
      state.memory.push_back({"impulse", Vector(partition)});
      for (unsigned int i = 0; i < 3; ++i)
        state.q(i) = step + 0.1 * i;
      state.memory[0].values(2) = 1. / 3;
      state.step                = step;
      state.time                = 0.1 * step;
      return state;
    }

    void
    flip_a_byte(const std::filesystem::path &path)
    {
      std::string text = Files::read(path);
      text[text.size() / 2] ^= 1;
      Files::write(path, text);
    }

    class CheckpointsTest : public testing::Test
    {
    protected:
      CheckpointsTest()
        : checkpoints(folder.path / "checkpoints", MPI_COMM_SELF)
      {
        for (const unsigned int step : {10u, 20u, 30u})
          checkpoints.write(sample_state(step), {{"step", step}});
      }

      TemporaryFolder folder;
      Checkpoints     checkpoints;
      State           state = sample_state(0);
      std::string     warnings;
    };

    TEST_F(CheckpointsTest, GivesBackTheNewest)
    {
      const auto  notes    = checkpoints.read(state, warnings);
      const State expected = sample_state(30);
      EXPECT_EQ(notes.at("step"), 30);
      EXPECT_EQ(state.step, 30u);
      EXPECT_EQ(state.time, expected.time);
      for (unsigned int i = 0; i < 3; ++i)
        EXPECT_EQ(state.q(i), expected.q(i));
      EXPECT_EQ(state.memory[0].values(2), 1. / 3);
      EXPECT_EQ(warnings, "");
    }

    TEST_F(CheckpointsTest, NamesADamagedSlotAndUsesTheOther)
    {
      flip_a_byte(folder.path / "checkpoints/slot_0/rank_0.bin");
      checkpoints.read(state, warnings);
      EXPECT_EQ(state.step, 20u);
      EXPECT_NE(warnings.find("slot_0"), std::string::npos) << warnings;
      // The next one replaces the damaged slot.
      checkpoints.write(sample_state(40), {});
      warnings = "";
      checkpoints.read(state, warnings);
      EXPECT_EQ(state.step, 40u);
      EXPECT_EQ(warnings, "");
    }

    TEST_F(CheckpointsTest, RefusesTwoDamagedSlots)
    {
      flip_a_byte(folder.path / "checkpoints/slot_0/manifest.json");
      std::filesystem::resize_file(folder.path /
                                     "checkpoints/slot_1/rank_0.bin",
                                   8);
      EXPECT_THROW(checkpoints.read(state, warnings), Error);
    }

    TEST(CsvTable, ReadsBackTheSameNumbers)
    {
      const TemporaryFolder     folder;
      const auto                path   = folder.path / "table.csv";
      const std::vector<double> first  = {0.1, 1. / 3, -1e-300};
      const std::vector<double> second = {2, 1e300, 6.02e23};
      std::uint64_t             size   = 0;
      {
        CsvTable table(path, {{"a", "s"}, {"b", "m"}, {"c", "1"}});
        table.add_row(first);
        table.flush();
        size = table.size();
        table.add_row(second);
      }
      auto columns = read_csv(path);
      ASSERT_EQ(columns.size(), 3u);
      for (int i = 0; i < 3; ++i)
        EXPECT_EQ(columns[i].second,
                  (std::vector<double>{first[i], second[i]}));
      {
        CsvTable table(path, size);
        table.add_row({7, 8, 9});
      }
      columns = read_csv(path);
      EXPECT_EQ(columns[0].second, (std::vector<double>{0.1, 7}));
      EXPECT_THROW(CsvTable(path, 100000), Error);
      EXPECT_THROW(CsvTable(folder.path / "none" / "table.csv",
                            std::vector<CsvTable::Column>()),
                   Error);
    }
  } // namespace
} // namespace Percuss::Test
