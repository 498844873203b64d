// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/phase_sharing.h"

#include <set>

#include "tests/unit/properties.h"

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

TEST_CASE("words of an access are alike as far as they are all shared, or none") {
  rc::prop("pieces of an access are those of its words", [] {
    PhaseSharing s;
    const auto shared = *rc::gen::container<std::set<uint64_t>>(rc::gen::inRange<uint64_t>(1020, 1040));
    for (const uint64_t word : shared) {
      s.touch({2, 1}, word * 4, 4, true);
      s.touch({3, 1}, word * 4, 4, true);
    }
    const uint64_t addr = *rc::gen::inRange<uint64_t>(1018 * 4, 1040 * 4), width = *rc::gen::inRange<uint64_t>(1, 48);
    uint64_t alike = 0;
    while (alike < width && shared.count((addr + alike) / 4) == shared.count(addr / 4)) ++alike;
    RC_ASSERT(s.alike(addr, width) == alike);
  });
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
