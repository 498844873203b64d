// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/access_set.h"

#include <map>

#include "tests/unit/properties.h"

using cdr::races::Folder;
using cdr::races::Progression;

TEST_CASE("a sweep over an array folds to one progression, however often it is swept") {
  Folder f;
  for (int round = 0; round < 3; ++round)
    for (uint64_t i = 0; i < 100; ++i) f.add(4096 + 8 * i, 8);
  CHECK(f.take() == std::vector<Progression>{{4096, 8, 100, 8, 3}});
  CHECK(f.take().empty());
}

TEST_CASE("one address often is one entry") {
  Folder f;
  for (int i = 0; i < 1000; ++i) f.add(64, 4);
  CHECK(f.take() == std::vector<Progression>{{64, 0, 1, 4, 1000}});
}

TEST_CASE("folding keeps every access") {
  rc::prop("the multiset of addresses is the same", [](const std::vector<uint8_t>& addresses) {
    Folder f;
    std::map<uint64_t, uint64_t> expected, got;
    for (const uint8_t a : addresses) {
      f.add(100 + a % 50, 4);
      ++expected[100 + a % 50];
    }
    for (const Progression& p : f.take())
      for (uint64_t i = 0; i < p.count; ++i) got[p.at(i)] += p.times;
    RC_ASSERT(got == expected);
  });
}

TEST_CASE("streams too long to be sorted keep every access, too") {
  Folder f;
  uint64_t sum = 0, x = 1;
  for (int i = 0; i < 300000; ++i) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    const uint64_t addr = 4096 + (x >> 40) % 1000000;
    f.add(addr, 1);
    sum += addr;
  }
  uint64_t n = 0;
  for (const Progression& p : f.take())
    for (uint64_t i = 0; i < p.count; ++i) {
      n += p.times;
      sum -= p.times * p.at(i);
    }
  CHECK(n == 300000);
  CHECK(sum == 0);
}
