// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/files.h>

#include <gtest/gtest.h>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    TEST(Files, ReplacementsAppearAsAWholeOrNotAtAll)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      const auto            path = folder.path / "table.csv";
      Files::write(path, "old", Files::Durability::buffered);
      {
        Files::Replacement file(path);
        file.append("new");
        EXPECT_EQ(Files::read(path), "old");
      }
      EXPECT_EQ(Files::read(path), "old");
      Files::Replacement file(path);
      file.append("new ");
      file.append("text");
      file.commit();
      EXPECT_EQ(Files::read(path), "new text");
      using Iterator = std::filesystem::directory_iterator;
      EXPECT_EQ(std::distance(Iterator(folder.path), Iterator()), 1);
    }

    TEST(Files, FullDisksAreErrors)
    {
      const std::string text(1 << 16, 'x');
      try
        {
          Files::write("/dev/full", text, Files::Durability::buffered);
          FAIL();
        }
      catch (const Error &error)
        {
          EXPECT_EQ(error.code, ExitCode::io);
        }
    }
  } // namespace
} // namespace Percuss::Test
