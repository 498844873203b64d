// SPDX-License-Identifier: GPL-2.0-or-later
// What a part of the dependence engine (part_session.h) tells who puts the parts together (parts_dependences.h): a
// header and what it counts, as they lie in memory, for both are the same program.
#ifndef CDRGRIND_DRAIN_PART_MESSAGE_H
#define CDRGRIND_DRAIN_PART_MESSAGE_H

#include <cstdint>
#include <type_traits>

#include "cdrgrind/depend/part_results.h"

namespace cdr::drain {

struct PartMessage {
  enum Kind : uint32_t {
    kStretch,  // what was consumed at once: `keys` keys that are new, numbered on; `items` hits, by these numbers
    kRows,     // the end: `items` rows
    kLeft,     // the end: it did not keep up
  };
  Kind kind = kLeft;
  uint32_t keys = 0;
  uint64_t items = 0;
  // At the end.
  uint64_t accesses = 0;
  uint64_t imprecise = 0;
};

static_assert(std::is_trivially_copyable_v<depend::Key> && std::is_trivially_copyable_v<depend::CrossingHit> &&
              std::is_trivially_copyable_v<depend::PartRow>);

}  // namespace cdr::drain

#endif
