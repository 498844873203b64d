// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/thread_state_reader.h"

namespace cdr::trace {
namespace {

// No thread does more in a trace; sums of a few are exact.
constexpr uint64_t kMaxCount = uint64_t{1} << 60;

class StateReader {
 public:
  StateReader(const Columns& c, const BlockTable& blocks, uint32_t max_serial)
      : blocks_(blocks), max_serial_(max_serial) {
    for (uint32_t i = 0; i < kStateColumns; ++i) columns_.emplace_back(c[i]);
  }

  bool read(std::vector<ThreadAtStart>& to) {
    while (!in(kStateThreads).at_end())
      if (!read_thread(to.emplace_back(), to.size() > 1)) return false;
    for (const ByteReader& c : columns_)
      if (!c.ok() || !c.at_end()) return false;
    return true;
  }

 private:
  ByteReader& in(ThreadStateColumn c) { return columns_[c]; }
  uint64_t delta(ThreadStateColumn c, uint64_t& last) { return last = in(c).delta(last); }

  bool read_thread(ThreadAtStart& t, bool not_first) {
    const uint64_t step = in(kStateThreads).bounded(max_serial_);
    serial_ += step;
    if (!in(kStateThreads).ok() || serial_ > max_serial_ || (not_first && step == 0)) return false;
    t.thread = ThreadId(static_cast<uint32_t>(serial_));
    for (uint64_t* n : {&t.before.events, &t.before.blocks, &t.before.insns, &t.before.syncs})
      *n = in(kStateCounts).bounded(kMaxCount);
    t.state.sp = delta(kStateSp, sp_);
    t.state.last_ip = delta(kStateIp, ip_);
    const uint8_t flags = in(kStateFlags).u8();
    constexpr EventKind kExpected[] = {EventKind::kNone, EventKind::kCall, EventKind::kReturn};
    if (flags >= 8 || flags % 4 == 3 || !in(kStateCounts).ok()) return false;
    t.state.expected = kExpected[flags % 4];
    t.state.jumped = flags & 4;
    if (t.state.expected == EventKind::kCall) t.state.push_sp = in(kStatePush).delta(t.state.sp);
    return read_stacks(t.state);
  }

  bool read_stacks(ThreadModel::State& s) {
    const uint64_t stacks = in(kStateStacks).bounded(in(kStateDepths).left());
    const uint64_t used = in(kStateStacks).bounded(max_serial_);
    if (!in(kStateStacks).ok() || used >= stacks) return false;
    s.stack = static_cast<uint32_t>(used);
    s.stacks.clear();
    for (uint64_t i = 0; i < stacks; ++i) {
      StackModel& stack = s.stacks.emplace_back();
      stack.id = StackId(static_cast<uint32_t>(in(kStateStacks).bounded(max_serial_)));
      const uint64_t depth = in(kStateDepths).bounded(in(kStateFrameFlags).left());
      for (uint64_t n = 0; n < depth; ++n)
        if (!read_frame(stack.frames.emplace_back())) return false;
    }
    return in(kStateStacks).ok() && in(kStateDepths).ok();
  }

  bool read_frame(FrameModel& f) {
    f.sp = delta(kStateFrameSp, frame_sp_);
    f.ip = delta(kStateFrameIp, frame_ip_);
    f.name = BlockId(static_cast<uint32_t>(in(kStateFrameNames).bounded(blocks_.block_count())));
    if (blocks_.has(f.name)) f.function = blocks_.superblock_of(f.name).addr;
    const uint64_t flags = in(kStateFrameFlags).bounded(1 + kStateFrameInterrupts);
    f.jumped = flags & 1;
    if (flags & kStateFrameInterrupts)
      f.interrupted = StackId(static_cast<uint32_t>(in(kStateStacks).bounded(max_serial_)));
    return in(kStateFrameSp).ok() && in(kStateFrameIp).ok() && in(kStateFrameNames).ok() && in(kStateFrameFlags).ok();
  }

  const BlockTable& blocks_;
  uint32_t max_serial_;
  std::vector<ByteReader> columns_;
  uint64_t serial_ = 0, sp_ = 0, ip_ = 0, frame_sp_ = 0, frame_ip_ = 0;
};

}  // namespace

bool read_thread_states(const Columns& columns, const BlockTable& blocks, uint32_t max_serial,
                        std::vector<ThreadAtStart>& to) {
  to.clear();
  return StateReader(columns, blocks, max_serial).read(to);
}

bool read_thread_states(const TraceFile& file, const Epoch& epoch, std::vector<ThreadAtStart>& to) {
  const Frame& frame = file.frames()[epoch.threads];
  return file.reading(frame, [&] {
    Columns columns;
    return file.read_columns(frame, columns) && read_thread_states(columns, file.blocks(), file.serial_limit(), to);
  });
}

}  // namespace cdr::trace
