// SPDX-License-Identifier: GPL-2.0-or-later
// What an engine tells of accesses that count.
#include "cdrgrind/depend/count_observer.h"

#include <map>
#include <vector>

#include "tests/unit/catch.h"
#include "tests/unit/depend/stream_builder.h"

using namespace depend_test;
using cdr::depend::Engine;
using cdr::depend::Options;

namespace {

struct Told {
  std::string row;  // without the count
  uint64_t addr = 0, at = 0;
  auto operator<=>(const Told&) const = default;
};

class Listener final : public cdr::depend::CountObserver {
 public:
  Listener(const Stream& s, const Options& options) : engine_(s.modules(), s.blocks(), options) {
    engine_.observe(*this);
    s.replay(engine_);
  }
  void counted(cdr::depend::RowIndex row, uint64_t addr, cdr::depend::CodeIndex at) override {
    cdr::depend::Row r;
    r.key = engine_.key(row);
    const std::string text = Stream::text(r);
    if (letter(r.key.location) != 'l') told.push_back({text.substr(0, text.find(" x")), addr, engine_.code(at).addr});
  }
  std::vector<Told> told;

 private:
  Engine engine_;
};

std::vector<Told> told(const Stream& s, uint32_t granularity = 1) {
  Options options;
  options.granularity = granularity;
  return Listener(s, options).told;
}

}  // namespace

TEST_CASE("an observer is told every address, also where the engine knows what the code will do", "[depend]") {
  Stream s;
  std::vector<Told> want;
  for (int turn = 0; turn < 3; ++turn)
    for (uint64_t i = 0; i < 50; ++i) {
      const uint64_t addr = 0x100000 + 8 * i;
      s.run(0x1000, {load(addr), store(addr)});
      if (turn > 0) want.push_back({"RAW o in 1000: 1004 -> 1000", addr, 0x1000});
      want.push_back({"WAR o in 1000: 1000 -> 1004", addr, 0x1004});
      if (turn > 0) want.push_back({"WAW o in 1000: 1004 -> 1004", addr, 0x1004});
    }
  CHECK(told(s) == want);
}

TEST_CASE("an access is told once for a row, by its lowest byte that has it", "[depend]") {
  Stream s;
  s.run(0x1000, {store(0x100004, 4)});
  s.run(0x2000, {store(0x100002, 1)});
  s.run(0x3000, {load(0x100000, 8)});
  CHECK(told(s) == std::vector<Told>{{"RAW o in 1000: 2000 -> 3000", 0x100002, 0x3000},
                                     {"RAW o in 1000: 1000 -> 3000", 0x100004, 0x3000}});
}

TEST_CASE("an access over several lines of memory is told once", "[depend]") {
  Stream s;
  s.run(0x1000, {store(0x10003c, 8)});
  s.run(0x2000, {load(0x10003c, 8)});
  s.syscall(0x2008, {{0x100030, 32, false}});
  CHECK(told(s) == std::vector<Told>{{"RAW o in 1000: 1000 -> 2000", 0x10003c, 0x2000},
                                     {"RAW o in 1000: 1000 -> 2008", 0x10003c, 0x2008}});
}

TEST_CASE("what is told is an address of the access where bytes are taken together", "[depend]") {
  Stream s(8);
  s.run(0x1000, {store(0x100000, 1)});
  s.run(0x2000, {load(0x100006, 4)});
  CHECK(told(s, 8) == std::vector<Told>{{"RAW o in 1000: 1000 -> 2000", 0x100006, 0x2000}});
}
