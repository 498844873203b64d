// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/phase_sharing.h"

#include "tests/unit/catch.h"

namespace cdr::races {
namespace {

TEST_CASE("memory that two actors of a phase touch is shared if one stores") {
  PhaseSharing s;
  s.touch({2, 1}, 100, 4, true);
  CHECK_FALSE(s.shared(100, 4));
  s.touch({2, 1}, 100, 4, true);
  CHECK_FALSE(s.shared(100, 4));
  s.touch({3, 1}, 100, 4, false);
  CHECK(s.shared(100, 4));
  CHECK(s.shared(98, 4));
  CHECK_FALSE(s.shared(104, 4));
}

TEST_CASE("reads alone share nothing") {
  PhaseSharing s;
  s.touch({2, 1}, 100, 8, false);
  s.touch({3, 1}, 100, 8, false);
  CHECK_FALSE(s.shared(100, 8));
  s.touch({2, 1}, 104, 1, true);
  CHECK(s.shared(104, 4));
  CHECK_FALSE(s.shared(100, 4));
}

TEST_CASE("what was touched before a phase does not count in it") {
  PhaseSharing s;
  s.touch({2, 1}, 100, 4, true);
  s.touch({4, 3}, 100, 4, true);
  CHECK_FALSE(s.shared(100, 4));
  s.touch({5, 3}, 100, 4, false);
  CHECK(s.shared(100, 4));
  s.touch({9, 8}, 100, 4, false);
  CHECK(s.shared(100, 4));
}

}  // namespace
}  // namespace cdr::races
