// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/dependence/object_counts.h"

#include "tests/unit/catch.h"

using cdr::analysis::ObjectCounts;

TEST_CASE("a row tells the objects that came first apart, and counts the others together") {
  ObjectCounts counts;
  for (const uint32_t object : {7u, 3u, 7u, 1u, 2u, 4u, 5u, 6u, 8u, 9u, 10u, 9u, 8u, 3u}) counts.add(object);
  CHECK(counts.objects ==
        std::vector<ObjectCounts::Object>{{7, 2}, {3, 2}, {1, 1}, {2, 1}, {4, 1}, {5, 1}, {6, 1}, {8, 2}});
  CHECK(counts.others == 3);
}
