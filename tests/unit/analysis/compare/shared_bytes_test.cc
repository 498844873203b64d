// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/compare/shared_bytes.h"

#include <map>
#include <set>

#include "tests/unit/properties.h"

using namespace cdr;
using cdr::compare::SharedBytes;

TEST_CASE("bytes are shared when two threads touch them, not when they lie beside each other") {
  SharedBytes bytes;
  bytes.touch(ThreadId(1), 0x1000, 4);
  bytes.touch(ThreadId(2), 0x1004, 4);
  bytes.touch(ThreadId(2), 0x1003, 1);
  bytes.touch(ThreadId(1), 0x2000, 8);
  bytes.touch(ThreadId(1), 0x2000, 8);
  bytes.seal();
  CHECK(bytes.shared(0x1003, 1));
  CHECK(bytes.shared(0x1000, 4));
  CHECK_FALSE(bytes.shared(0x1000, 3));
  CHECK_FALSE(bytes.shared(0x1004, 4));
  CHECK_FALSE(bytes.shared(0x2000, 8));
  CHECK_FALSE(bytes.shared(0x3000, 8));
}

TEST_CASE("an access over the end of a page belongs to both pages") {
  SharedBytes bytes;
  bytes.touch(ThreadId(1), 0x1ff8, 16);
  bytes.touch(ThreadId(3), 0x2004, 1);
  bytes.seal();
  CHECK(bytes.shared(0x1ffc, 9));
  CHECK_FALSE(bytes.shared(0x1ff8, 12));
}

TEST_CASE("shared bytes are those of a set of threads for each byte") {
  rc::prop("random accesses of three threads", [] {
    SharedBytes bytes;
    std::map<uint64_t, std::set<uint32_t>> naive;
    const auto range = [] {
      const uint64_t page = 4096 * *rc::gen::inRange<uint64_t>(0, 3);
      return std::pair{page + *rc::gen::inRange<uint64_t>(4000, 4200), *rc::gen::inRange<uint64_t>(1, 100)};
    };
    for (int i = *rc::gen::inRange(0, 20); i > 0; --i) {
      const auto thread = *rc::gen::inRange<uint32_t>(1, 4);
      const auto [addr, size] = range();
      bytes.touch(ThreadId(thread), addr, size);
      for (uint64_t b = addr; b < addr + size; ++b) naive[b].insert(thread);
    }
    bytes.seal();
    for (int i = 0; i < 20; ++i) {
      const auto [addr, size] = range();
      bool want = false;
      for (uint64_t b = addr; b < addr + size; ++b) want |= naive[b].size() > 1;
      RC_ASSERT(bytes.shared(addr, size) == want);
    }
  });
}
