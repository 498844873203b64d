// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/strands/depend_map.h"

#include <set>

#include "tests/unit/catch.h"

namespace cdr::strands {
namespace {

// Adds a task; gives those that it waits for.
std::set<int> add(DependMap<int>& map, int task, DependKind kind, uint64_t addr = 8) {
  const auto& before = map.before({addr, kind});
  std::set<int> all(before.begin(), before.end());
  map.add({addr, kind}, task);
  return all;
}

TEST_CASE("readers wait for the last writer, a writer for all readers") {
  DependMap<int> map;
  CHECK(add(map, 1, DependKind::kIn).empty());
  CHECK(add(map, 2, DependKind::kOut) == std::set{1});
  CHECK(add(map, 3, DependKind::kIn) == std::set{2});
  CHECK(add(map, 4, DependKind::kIn) == std::set{2});
  CHECK(add(map, 5, DependKind::kOut) == std::set{3, 4});
  CHECK(add(map, 6, DependKind::kOut) == std::set{5});
  CHECK(add(map, 7, DependKind::kOut, 16).empty());
}

TEST_CASE("members of a set wait for what was before it, and not for each other") {
  for (const DependKind kind : {DependKind::kMutexInOutSet, DependKind::kInOutSet}) {
    DependMap<int> map;
    add(map, 1, DependKind::kOut);
    CHECK(add(map, 2, kind) == std::set{1});
    CHECK(add(map, 3, kind) == std::set{1});
    CHECK(add(map, 4, DependKind::kIn) == std::set{2, 3});
    CHECK(add(map, 5, kind) == std::set{4});
  }
}

}  // namespace
}  // namespace cdr::strands
