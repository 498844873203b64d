// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/stack_words.h"

#include "tests/unit/catch.h"
#include "tests/unit/trace/memory_trace.h"

using namespace cdr;
using namespace cdr::races;
using namespace cdr::test;

namespace {

constexpr uint64_t kOuter = 0x7fe000, kInner = 0x7fd000;  // SP after the calls
constexpr StackWord kWord = {kInner - 0x40, 2}, kOuterWord = {kInner + 0x40, 2};
using Use = StackWords::Use;

class Stacks {
 public:
  Stacks() {
    for (const uint32_t t : {1, 2}) {
      Event start = event_of(EventKind::kThreadStart, t);
      start.stack = StackId(t);
      event(start);
      segments.use(ThreadId(t), {t, 0});
    }
    call(kOuter);
  }
  void call(uint64_t sp) {
    Event e = event_of(EventKind::kCall, 1);
    e.sp = sp;
    event(e);
  }
  void leave() { event(event_of(EventKind::kReturn, 1)); }
  void touch(const StackWord& w, uint64_t index, Use use, uint32_t by = 1, bool store = true) {
    words.touch(w, ThreadId(1), index, use, ThreadId(by), 1, store);
  }
  WordLives end() {
    words.finish();
    return words.take_lives();
  }

  BlockTable blocks;
  std::vector<bool> none;
  analysis::CallStacks stacks{blocks, none, none};
  Segments segments;
  StackWords words{stacks, segments};

 private:
  void event(const Event& e) {
    stacks.event(e);
    words.followed(e);
  }
};

}  // namespace

TEST_CASE("a word of a stack lives as long as the call in whose frame it lies") {
  Stacks r;
  r.call(kInner);
  r.touch(kOuterWord, 9, Use::kAtomic);
  r.touch(kWord, 10, Use::kPresumed);
  r.touch(kWord, 11, Use::kAtomic);
  r.leave();
  r.call(kInner);
  r.touch(kOuterWord, 19, Use::kPresumed);
  r.touch(kWord, 20, Use::kPresumed);
  r.call(kInner - 0x1000);
  r.touch(kWord, 21, Use::kPresumed, 2, false);
  r.leave();
  r.leave();
  r.call(kInner);
  r.touch(kWord, 30, Use::kAtomic);
  const WordLives lives = r.end();
  CHECK(lives.is_atomic(kWord, 10));
  CHECK(lives.is_atomic(kWord, 19));
  CHECK_FALSE(lives.is_atomic(kWord, 20));
  CHECK_FALSE(lives.is_atomic(kWord, 29));
  CHECK(lives.is_atomic(kWord, 30));
  CHECK(lives.is_atomic(kOuterWord, 19));
  CHECK(lives.is_atomic({kWord.addr, 4}, 20));  // not known
  CHECK(r.words.has_presumed_too_much());
}

TEST_CASE("what one thread alone does to a word of a stack need not be known") {
  Stacks r;
  r.call(kInner);
  r.touch(kWord, 10, Use::kAtomic);
  r.leave();
  r.call(kInner);
  r.touch(kWord, 20, Use::kPresumed);
  r.end();
  CHECK_FALSE(r.words.has_presumed_too_much());
}

TEST_CASE("who still uses a word of a call that is over meets the next one's") {
  Stacks r;
  r.call(kInner);
  r.touch(kWord, 10, Use::kAtomic, 2);
  r.leave();
  r.call(kInner);
  r.touch(kWord, 20, Use::kPresumed);
  r.end();
  CHECK(r.words.has_presumed_too_much());
}

TEST_CASE("frames are looked for once for each call, whatever its words") {
  Stacks r;
  size_t asked = 0;
  r.words.find_bases([&](ThreadId, uint64_t) {
    ++asked;
    return std::vector<uint64_t>{0, kOuter + 8, kInner + 8};
  });
  for (uint64_t i = 1; i <= 20; ++i) {
    r.call(kInner);
    for (const uint64_t at : {0x40, 0x48, 0x50}) r.touch({kInner - at, 2}, 10 * i, Use::kAtomic);
    CHECK(asked == i);
    r.leave();
  }
}

TEST_CASE("a word of a stack is looked for where its thread stands on that stack alone") {
  Stacks r;
  r.call(kInner);
  size_t asked = 0;
  r.words.find_bases([&](ThreadId, uint64_t) {
    ++asked;
    return std::vector<uint64_t>{0, kOuter + 8, kInner + 8};
  });
  r.touch(kWord, 10, Use::kAtomic);
  r.touch(kWord, 11, Use::kPresumed, 2);
  CHECK(asked == 1);
  r.leave();
  r.touch(kWord, 12, Use::kPresumed, 2);  // as many bases as calls: not so here
  CHECK(asked == 2);
  CHECK(r.end().is_atomic(kWord, 12));
}
