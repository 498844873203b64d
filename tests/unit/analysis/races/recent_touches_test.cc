// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/recent_touches.h"

#include "tests/unit/catch.h"

namespace cdr::races {

TEST_CASE("a touch repeats an equal one since all were forgotten; a store none that only loaded") {
  RecentTouches recent;
  CHECK_FALSE(recent.repeats(0x1000, 4, false));
  CHECK(recent.repeats(0x1000, 4, false));
  CHECK_FALSE(recent.repeats(0x1000, 4, true));
  CHECK(recent.repeats(0x1000, 4, true));
  CHECK(recent.repeats(0x1000, 4, false));
  CHECK_FALSE(recent.repeats(0x1000, 8, false));
  CHECK_FALSE(recent.repeats(0x1004, 4, false));
  recent.forget();
  CHECK_FALSE(recent.repeats(0x1004, 4, false));
}

TEST_CASE("a width that is not kept repeats nothing") {
  RecentTouches recent;
  constexpr uint64_t kWide = 0x10004;
  CHECK_FALSE(recent.repeats(0x1000, kWide, true));
  CHECK_FALSE(recent.repeats(0x1000, kWide, true));
  CHECK_FALSE(recent.repeats(0x1000, 4, true));
}

}  // namespace cdr::races
