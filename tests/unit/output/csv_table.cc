// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/files.h>
#include <percuss/output/csv_table.h>

#include <gtest/gtest.h>

#include <cmath>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    CsvContents
    read(const std::string &text)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      const auto            path = folder.path / "table.csv";
      Files::write(path, text, Files::Durability::buffered);
      return read_csv_with_units(path);
    }

    TEST(CsvContents, HasNamesUnitsAndNumbers)
    {
      const CsvContents table =
        read("time,of the end\r\n# s, N s\r\n0,1e-3\r\n\r\n0.5,nan\r\n");
      ASSERT_EQ(table.columns.size(), 2u);
      EXPECT_EQ(table.columns[1], CsvTable::Column("of the end", "N s"));
      EXPECT_EQ(table["time"], (std::vector<double>{0, 0.5}));
      EXPECT_EQ(table["of the end"][0], 1e-3);
      EXPECT_TRUE(std::isnan(table["of the end"][1]));
      EXPECT_EQ(table.find("none"), nullptr);
      EXPECT_THROW(table["none"], Error);
    }

    TEST(CsvContents, MayHaveNoUnitsAndNoRows)
    {
      EXPECT_EQ(read("a,b\n1,2").numbers[1], std::vector<double>{2});
      EXPECT_TRUE(read("a,b\n# s,m\n").numbers.at(1).empty());
      EXPECT_TRUE(read("").columns.empty());
    }

    TEST(CsvContents, RefusesDamagedLines)
    {
      for (const std::string line : {"1", "1,", "1,2,3", "1;2", "1,x", "1,2x"})
        EXPECT_THROW(read("a,b\n# s,m\n3,4\n" + line + "\n"), Error) << line;
      EXPECT_THROW(read_csv_with_units("no_such_table.csv"), Error);
    }
  } // namespace
} // namespace Percuss::Test
