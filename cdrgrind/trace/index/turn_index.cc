// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/turn_index.h"

#include <algorithm>

#include "cdrgrind/base/bytes.h"
#include "cdrgrind/encode/epoch.h"

namespace cdr::trace {

bool TurnIndex::load(const Columns& turns, uint64_t events, uint64_t serial_limit) {
  ByteReader threads(turns[kTurnThreads]), flags(turns[kTurnFlags]), counts(turns[kTurnEvents]);
  segments_.clear();
  of_thread_.clear();
  uint64_t index = 0;
  while (!threads.at_end()) {
    Segment s;
    s.thread = static_cast<uint32_t>(threads.bounded(serial_limit));
    const uint8_t flag = flags.u8();
    s.turn = flag;
    s.events = counts.bounded(events);
    if (!threads.ok() || !flags.ok() || !counts.ok() || flag > 1) return false;
    s.begin = index;
    s.thread_begin = events_of(ThreadId(s.thread));
    index += s.turn + s.events;
    if (index > events) return false;
    if (s.events != 0) {
      if (s.thread >= of_thread_.size()) of_thread_.resize(s.thread + 1);
      of_thread_[s.thread].push_back(static_cast<uint32_t>(segments_.size()));
    }
    segments_.push_back(s);
  }
  return index == events && flags.at_end() && counts.at_end();
}

uint64_t TurnIndex::events_of(ThreadId thread) const {
  if (thread.value >= of_thread_.size() || of_thread_[thread.value].empty()) return 0;
  const Segment& last = segments_[of_thread_[thread.value].back()];
  return last.thread_begin + last.events;
}

uint64_t TurnIndex::index_of(ThreadId thread, uint64_t event) const {
  const auto& own = of_thread_[thread.value];
  const auto behind =
      std::partition_point(own.begin(), own.end(), [&](uint32_t s) { return segments_[s].thread_begin <= event; });
  const Segment& s = segments_[*(behind - 1)];
  return s.begin + s.turn + (event - s.thread_begin);
}

TurnPlace TurnIndex::at(uint64_t index) const {
  // Segments without anything have the same index as the one behind them.
  const auto behind =
      std::partition_point(segments_.begin(), segments_.end(), [&](const Segment& s) { return s.begin <= index; });
  const Segment& s = *(behind - 1);
  if (s.turn && index == s.begin) return {ThreadId(s.thread), s.thread_begin, true};
  return {ThreadId(s.thread), s.thread_begin + (index - s.begin - s.turn), false};
}

uint64_t TurnIndex::events_before(ThreadId thread, uint64_t index) const {
  if (thread.value >= of_thread_.size()) return 0;
  const auto& own = of_thread_[thread.value];
  const auto behind =
      std::partition_point(own.begin(), own.end(), [&](uint32_t s) { return segments_[s].begin < index; });
  if (behind == own.begin()) return 0;
  const Segment& s = segments_[*(behind - 1)];
  const uint64_t into = index - s.begin;
  return s.thread_begin + std::min<uint64_t>(s.events, into - std::min<uint64_t>(into, s.turn));
}

}  // namespace cdr::trace
