// SPDX-License-Identifier: GPL-2.0-or-later
// The hot path of the encoder: runs of steps.
#include <algorithm>
#include <utility>

#include "cdrgrind/encode/epoch.h"

namespace cdr {

void EpochEncoder::learn_step(ThreadEncoder& t, BlockId id, uint32_t stream) {
  if (id.value >= t.steps.size()) t.steps.resize(id.value + 1);
  const BlockModel& m = models_[id];
  StepBlock& b = t.steps[id.value];
  b.stream = stream;
  b.words = m.words;
  b.insns = m.insns;
  b.accesses = m.accesses;
  b.sp_change = static_cast<int32_t>(m.sp_constant);
  b.plain = m.plain && b.sp_change == m.sp_constant;
  b.known = true;
}

void EpochEncoder::run(ThreadId thread, Steps run) {
  if (run.empty()) return;
  ThreadEncoder& t = running(thread, false);
  while (!run.empty()) {
    look();
    const Steps steps = run.first(std::min<size_t>(run.size(), next_look_ - events_));
    const size_t done = predicting_ ? predicted_steps(t, steps) : ordinary_steps(t, steps);
    run = run.subspan(done);
    if (done == steps.size()) continue;
    if (run[0].block) {
      block(t, thread, run[0].block, {run[0].words, run[0].count});
    } else {
      totals_.add(run[0]);
      other(t, event_of_step(blocks_, thread, run[0]));
    }
    run = run.subspan(1);
  }
}

// Plain blocks change nothing of their thread's model but SP and what the last one left: that is told together.
class EpochEncoder::PlainBlocks {
 public:
  explicit PlainBlocks(ThreadModel& model) : model_(model), take_(model.takes_plain()) {}
  // Whether a block that is plain changes nothing else.
  bool take(const StepBlock& b) const { return take_ && b.plain; }
  void add(BlockId id, uint64_t sp_change) {
    last_ = id;
    sp_change_ += sp_change;
  }
  void tell(const BlockModels& models) {
    if (last_) model_.plain_blocks(models.of_known(last_), sp_change_);
    last_ = BlockId();
    sp_change_ = 0;
  }
  // Behind what else changed the model.
  void look_again() { take_ = model_.takes_plain(); }

 private:
  ThreadModel& model_;
  bool take_;
  BlockId last_;
  uint64_t sp_change_ = 0;
};

// The run's first steps as long as nothing but blocks' terminals is written of them, and their words have streams. How
// many they are.
size_t EpochEncoder::ordinary_steps(ThreadEncoder& t, Steps run) {
  constexpr size_t kNone = ~size_t{0};
  const std::span<const StepBlock> known = t.steps;
  uint64_t frame_sp = t.model.frame_sp();
  BlockTotals totals;
  Stretches::Open open = t.path.open;
  PlainBlocks plain(t.model);
  size_t start = kNone;  // of the stretch, if it began in this run and has nothing but plain blocks
  size_t at = 0;
  for (; at < run.size(); ++at) {
    const RunStep& s = run[at];
    if (!s.block) {
      plain.tell(models_);
      if (open.node == 0 || !t.model.is_expected(s)) break;
      t.model.follow_expected();
      totals.add(s);
      frame_sp = t.model.frame_sp();
      plain.look_again();
      start = kNone;
      continue;
    }
    const StepBlock* const b = StepBlock::find(known, s);
    if (!b) break;
    const bool is_plain = plain.take(*b);
    if (!is_plain) {
      plain.tell(models_);
      if (!goes_on(t, s.block)) break;
    }
    const uint32_t ended = cutter_.stretches().advance(open, s.block);
    addresses_.add(b->stream, s.words, s.count, frame_sp);
    totals.add(*b);
    if (ended != 0) cutter_.emit(t.path, terminal_of_stretch(ended));
    if (!is_plain) {
      t.model.block(models_.of_known(s.block), s.block, {s.words, s.count});
      plain.look_again();
      start = kNone;
      continue;
    }
    plain.add(s.block, static_cast<uint64_t>(b->sp_change));
    if (ended == 0) continue;
    const size_t length = at - std::exchange(start, at);
    if (length > at || run[at - length].block != s.block || t.path.count > PathCutter::kMaxRun / 2) continue;
    // The stretch that ended may come again and again.
    const size_t times = repetitions(t, run.subspan(at - length), length, frame_sp);
    if (times == 0) continue;
    t.path.count += static_cast<uint32_t>(times);
    for (size_t i = 1; i <= length; ++i) {
      const StepBlock& again = known[run[at + i].block.value];
      totals.add(again, times);
      plain.add(run[at + i].block, times * static_cast<uint64_t>(again.sp_change));
    }
    at = start += times * length;
  }
  plain.tell(models_);
  t.path.open = open;
  count_steps(t, at, totals);
  return at;
}

// The same where the path is predicted.
size_t EpochEncoder::predicted_steps(ThreadEncoder& t, Steps run) {
  if (grammar_again_) return 0;
  const std::span<const StepBlock> known = t.steps;
  if (t.predicted.size() < known.size()) t.predicted.resize(known.size());
  uint32_t* const predicted = t.predicted.data();
  uint64_t frame_sp = t.model.frame_sp();
  BlockTotals totals;
  PathPredictor::Context context = t.context;
  PlainBlocks plain(t.model);
  size_t at = 0;
  for (; at < run.size(); ++at) {
    const RunStep& s = run[at];
    if (!s.block) {
      plain.tell(models_);
      if (!t.pending || !t.model.is_expected(s)) break;
      ++predicted[t.pending.value];
      predictor_.put(context, symbol_of(std::exchange(t.pending, BlockId())));
      t.model.follow_expected();
      totals.add(s);
      frame_sp = t.model.frame_sp();
      plain.look_again();
      continue;
    }
    const StepBlock* const b = StepBlock::find(known, s);
    if (!b) break;
    const bool is_plain = plain.take(*b);
    if (!is_plain) {
      plain.tell(models_);
      if (!goes_on(t, s.block)) break;
    }
    if (is_plain || models_.of_known(s.block).then == EventKind::kNone) {
      ++predicted[s.block.value];
      predictor_.put(context, symbol_of(s.block));
    } else {
      t.pending = s.block;
    }
    addresses_.add(b->stream, s.words, s.count, frame_sp);
    totals.add(*b);
    if (is_plain) {
      plain.add(s.block, static_cast<uint64_t>(b->sp_change));
      continue;
    }
    t.model.block(models_.of_known(s.block), s.block, {s.words, s.count});
    plain.look_again();
  }
  plain.tell(models_);
  t.context = context;
  count_steps(t, at, totals);
  return at;
}

// Whether nothing is written of the block, which is no plain one, but that it was executed.
bool EpochEncoder::goes_on(const ThreadEncoder& t, BlockId id) const {
  return t.model.expected() == EventKind::kNone && (!t.model.names(models_.of_known(id)) || t.model.opened());
}

void EpochEncoder::count_steps(ThreadEncoder& t, size_t steps, const BlockTotals& blocks) {
  segments_.back().events += steps;
  events_ += steps;
  t.counts.events += steps;
  t.counts.insns += blocks.instructions;
  totals_.add(blocks);
  longest_ = std::max(longest_, (t.counts.blocks += blocks.blocks) - t.blocks_before);
}

// The run begins with a stretch of `length` blocks, and the first block of the next one. How many times that stretch
// follows, with a block behind it that ends it again, all streams going on evenly.
size_t EpochEncoder::repetitions(const ThreadEncoder& t, Steps run, size_t length, uint64_t frame_sp) {
  // After a stretch that did not repeat so many are left alone, ever more of them while none does.
  constexpr uint32_t kLeastRest = 8, kLongestRest = 1024;
  if (until_repetition_ > 0) {
    --until_repetition_;
    return 0;
  }
  size_t same = length + 1;
  while (same < run.size() && run[same].block == run[same - length].block &&
         run[same].count == run[same - length].count)
    ++same;
  const Steps next = run.subspan(length + 1);
  const size_t times = go_on_evenly(t, next, length, (same - 1 - length) / length, frame_sp);
  rest_ = times > 0 ? kLeastRest : std::min(2 * std::max(rest_, kLeastRest), kLongestRest);
  if (times == 0) until_repetition_ = rest_;
  return times;
}

// The run begins with `times` times the same blocks, `length` of them. So many times, from the first, as their streams
// go on evenly, they are added to the streams.
size_t EpochEncoder::go_on_evenly(const ThreadEncoder& t, Steps run, size_t length, size_t times, uint64_t frame_sp) {
  constexpr size_t kLongest = 16;  // blocks; their words are compared one block after the other
  if (times == 0) return 0;
  const Steps stretch = run.first(length);
  if (std::all_of(stretch.begin(), stretch.end(), [](const RunStep& s) { return s.count == 0; })) return times;
  if (length > kLongest) return 0;
  for (size_t i = 0; i < length; ++i) {
    for (size_t k = 0; k < i; ++k)
      if (stretch[k].block == stretch[i].block) return 0;
    if (stretch[i].count > 0)
      times = addresses_.even(t.steps[stretch[i].block.value].stream, &stretch[i], length, times, frame_sp);
    if (times == 0) return 0;
  }
  for (const RunStep& s : stretch) addresses_.add_even(t.steps[s.block.value].stream, s.count, times);
  return times;
}

}  // namespace cdr
