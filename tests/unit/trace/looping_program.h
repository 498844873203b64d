// SPDX-License-Identifier: GPL-2.0-or-later
// Programs that do pieces of what they did before many times over, loops within loops, so that copies of whole pieces
// can be passed over.
#ifndef CDRGRIND_TESTS_UNIT_TRACE_LOOPING_PROGRAM_H
#define CDRGRIND_TESTS_UNIT_TRACE_LOOPING_PROGRAM_H

#include <random>

#include "tests/unit/trace/walking_program.h"

namespace cdr::test {

// The events of walking_program(seed, steps), and behind them loops, of one thread each, that repeat stretches of them.
inline WalkingProgram looping_program(uint32_t seed, uint32_t steps) {
  WalkingProgram p = walking_program(seed, steps);
  std::mt19937 random(seed);
  const auto below = [&random](size_t n) { return static_cast<size_t>(random() % n); };
  const auto is_step = [&](const OwnedEvent& e) {
    return e.event.kind == EventKind::kBlock || e.event.kind == EventKind::kCall || e.event.kind == EventKind::kReturn;
  };
  const std::vector<OwnedEvent> walked = p.events;
  const auto add = [&](size_t begin, size_t end, size_t times) {
    for (; times > 0; --times)
      p.events.insert(p.events.end(), walked.begin() + static_cast<ptrdiff_t>(begin),
                      walked.begin() + static_cast<ptrdiff_t>(end));
  };
  for (int loops = 0; loops < 12; ++loops) {
    const size_t begin = below(walked.size());
    size_t end = begin;
    const size_t most = 1 + below(24);
    while (end < walked.size() && end - begin < most && is_step(walked[end]) &&
           walked[end].event.thread == walked[begin].event.thread)
      ++end;
    while (end > begin && end < walked.size() && walked[end].event.kind != EventKind::kBlock) --end;
    if (end == begin || walked[begin].event.kind != EventKind::kBlock) continue;
    p.events.emplace_back(event_of(EventKind::kTurn, walked[begin].event.thread.value));
    size_t middle = begin + below(end - begin);
    while (walked[middle].event.kind != EventKind::kBlock) --middle;
    const size_t outer = 1 + below(40), inner = 1 + below(70);
    for (size_t i = 0; i < outer; ++i) {
      add(begin, middle, 1);
      add(middle, end, inner);
    }
  }
  return p;
}

}  // namespace cdr::test

#endif
