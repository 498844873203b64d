// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/diff/path_hash.h"

#include <vector>

#include "tests/unit/catch.h"

using namespace cdr::diff;

namespace {

PathHash of(const std::vector<uint64_t>& marks) {
  PathHash h;
  for (const uint64_t m : marks) h.add_mark(m);
  return h;
}

bool same(const PathHash& a, const PathHash& b) { return a.marks == b.marks && a.hash == b.hash && a.power == b.power; }

}  // namespace

TEST_CASE("the hash of two paths in sequence follows from theirs") {
  PathHash ab = of({1, 2, 3});
  ab.add(of({4, 5}), 1);
  CHECK(same(ab, of({1, 2, 3, 4, 5})));
  PathHash nothing;
  nothing.add(of({7}), 1);
  CHECK(same(nothing, of({7})));
  ab.add(PathHash(), 5);
  CHECK(same(ab, of({1, 2, 3, 4, 5})));
}

TEST_CASE("copies of a path are hashed at once") {
  for (const uint64_t count : {0, 1, 2, 3, 7, 64, 1000}) {
    PathHash at_once = of({9}), one_by_one = of({9});
    at_once.add(of({1, 2, 3}), count);
    for (uint64_t i = 0; i < count; ++i) one_by_one.add(of({1, 2, 3}), 1);
    CHECK(same(at_once, one_by_one));
  }
  // So many that nobody could count them.
  PathHash many;
  many.add(of({1}), uint64_t{1} << 40);
  CHECK(many.marks == uint64_t{1} << 40);
}

TEST_CASE("order and number of marks make a difference") {
  CHECK(of({1, 2}).hash != of({2, 1}).hash);
  CHECK(of({0}).hash == of({0, 0}).hash);  // told apart by their numbers
  CHECK(of({0}).marks != of({0, 0}).marks);
  CHECK(of({1, 2, 3}).hash != of({1, 2, 4}).hash);
}
