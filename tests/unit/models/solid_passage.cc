// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "models/solid_passage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

// What passes through a side without being seen, face by face.

namespace Percuss::Test
{
  namespace
  {
    using Points = std::vector<dealii::Point<2>>;
    using Faces  = std::vector<MortarFace<2>>;
    using Ways   = MortarWays<2>;

    const MortarShapes<2> shapes(1);

    /// Its normal points to the right of the way from the first to the second
    /// place.
    MortarFace<2>
    face(const std::vector<dealii::types::global_dof_index> &nodes,
         const Points                                       &places)
    {
      MortarFace<2> result;
      result.nodes      = nodes;
      result.places     = places;
      result.undeformed = places;
      return result;
    }

    /// A tip at a place that points down, with faces that enclose an angle in
    /// degrees; its node has the number 1.
    Faces
    tip(const dealii::Point<2> &at, const double angle)
    {
      const double               half = angle / 2 * M_PI / 180;
      const dealii::Tensor<1, 2> up({0, std::cos(half)}),
        across({std::sin(half), 0});
      return {face({0, 1}, {at + up - across, at}),
              face({1, 2}, {at, at + up + across})};
    }

    /// From x = 1 to 0 at a height, with the normal upwards.
    Faces
    top(const double height)
    {
      return {face({10, 11}, {{1, height}, {0, height}})};
    }

    /// From x = 0 to 1 at a height, with the normal downwards.
    Faces
    bottom(const double height)
    {
      return {face({20, 21}, {{0, height}, {1, height}})};
    }

    /// All faces move by the same.
    Ways
    moved(const Faces &faces, const double x, const double y)
    {
      const dealii::Tensor<1, 2> way({x, y});
      return Ways(faces.size(), {way, way});
    }

    MortarPassage
    passage(const Faces &slaves,
            const Faces &masters,
            const Ways  &of_slaves,
            const Ways  &of_masters)
    {
      MortarSearch search;
      search.distance = 1;
      return find_passage(shapes,
                          slaves,
                          masters,
                          of_slaves,
                          of_masters,
                          find_candidates(slaves, masters, 2),
                          search);
    }

    /// sin(alpha/2) = 0.3 at 34.9 degrees.
    TEST(SolidPassage, TipsAreThoseThatNoFaceSees)
    {
      for (const double angle : {5., 20., 34., 36., 90., 170.})
        {
          const auto tips = find_tips(shapes, tip({0, 0}, angle));
          ASSERT_EQ(tips.size(), angle < 35 ? 1u : 0u) << angle;
          if (angle < 35)
            {
              EXPECT_EQ(tips.begin()->first, 1u);
              EXPECT_EQ(tips.begin()->second.normals.size(), 2u);
              EXPECT_NEAR(tips.begin()->second.angle,
                          angle * M_PI / 180,
                          1e-12);
            }
        }
    }

    TEST(SolidPassage, NotchesAreNoTips)
    {
      auto notch = tip({0, 0}, 20);
      for (auto &side : notch)
        side.orientation = -1;
      EXPECT_TRUE(find_tips(shapes, notch).empty());
    }

    /// The edge of a wedge in space, and not its ends, which have no faces
    /// there.
    TEST(SolidPassage, EdgesInSpaceAreTips)
    {
      for (const double angle : {30., 40.})
        {
          const double  half = angle / 2 * M_PI / 180;
          const double  x = std::sin(half), z = std::cos(half);
          MortarFace<3> left, right;
          left.nodes   = {0, 1, 2, 3};
          left.places  = {{-x, 0, z}, {0, 0, 0}, {-x, 1, z}, {0, 1, 0}};
          right.nodes  = {1, 4, 3, 5};
          right.places = {{0, 0, 0}, {x, 0, z}, {0, 1, 0}, {x, 1, z}};
          const MortarShapes<3> in_space(1);
          // Out of the wedge, downwards.
          for (MortarFace<3> *const each : {&left, &right})
            if (in_space.facets(*each)[0].normal[2] > 0)
              each->orientation = -1;
          const auto tips = find_tips<3>(in_space, {left, right});
          EXPECT_EQ(tips.size(), angle < 35 ? 2u : 0u);
          EXPECT_EQ(tips.count(1) + tips.count(3), tips.size());
        }
    }

    /// Faces are lost where they were in front of each other and are deeper
    /// than a quarter of the search distance.
    TEST(SolidPassage, FacesAreLostBehindTheSearch)
    {
      const auto way =
        [](const double end, const double y, const double of_top) {
          return passage(bottom(end),
                         top(0),
                         moved(bottom(0), 0.3, y),
                         moved(top(0), 0.3, of_top))
            .way;
        };
      EXPECT_NEAR(way(-0.3, -0.4, 0), 0.4, 1e-14);
      EXPECT_NEAR(way(-0.3, 0, 0.4), 0.4, 1e-14);
      EXPECT_NEAR(way(-0.3, -1.5, -1.1), 0.4, 1e-14);
      EXPECT_NEAR(way(-1.7, -1.8, 0), 1.8, 1e-14);
      EXPECT_EQ(way(-0.3, -0.2, 0), 0);    // it was behind before
      EXPECT_EQ(way(-0.2, -0.4, 0), 0);    // it is seen still
      EXPECT_EQ(way(-0.3, -1.5, -1.5), 0); // both move
      EXPECT_EQ(way(0.1, -1.5, 0), 0);     // it is in front still
    }

    /// Faces that look the same way do not touch.
    TEST(SolidPassage, FacesPassOthersThatLookTheSameWay)
    {
      const auto slaves = top(-0.3), masters = top(0);
      EXPECT_EQ(
        passage(slaves, masters, moved(slaves, 0, -0.4), moved(masters, 0, 0))
          .way,
        0);
    }

    TEST(SolidPassage, SharpTipsEnter)
    {
      const auto floor = top(0);
      for (const double angle : {20., 36.})
        for (const double x : {0.5, 1.5})
          for (const double height : {-0.01, 0.01})
            for (const bool is_slave : {true, false})
              {
                const auto body  = tip({x, height}, angle);
                const auto ways  = moved(body, 0, -0.02);
                const auto rest  = moved(floor, 0, 0);
                const auto found = is_slave ? passage(body, floor, ways, rest) :
                                              passage(floor, body, rest, ways);
                const bool enters = angle < 35 && x < 1 && height < 0;
                EXPECT_EQ(found.has_tip, enters);
                if (enters)
                  {
                    EXPECT_NEAR(found.angle, angle * M_PI / 180, 1e-12);
                  }
                EXPECT_EQ(found.way, 0);
              }
    }

    /// One of the faces of an inclined tip faces the floor.
    TEST(SolidPassage, InclinedTipsAreSeen)
    {
      auto body = tip({0.5, -0.01}, 20);
      for (auto &side : body)
        for (auto &place : side.places)
          {
            const double x = place[0] - 0.5, y = place[1] + 0.01;
            const double c = std::cos(M_PI / 6), s = std::sin(M_PI / 6);
            place = {0.5 + c * x - s * y, -0.01 + s * x + c * y};
          }
      const auto floor = top(0);
      EXPECT_FALSE(
        passage(body, floor, moved(body, 0, -0.02), moved(floor, 0, 0))
          .has_tip);
    }
  } // namespace
} // namespace Percuss::Test
