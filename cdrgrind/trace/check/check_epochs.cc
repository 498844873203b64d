// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/check/check_epochs.h"

#include <algorithm>

#include "cdrgrind/trace/index/epoch_index.h"
#include "cdrgrind/trace/index/path_executions.h"
#include "cdrgrind/trace/index/predicted_executions.h"

namespace cdr::trace {
namespace {

// Traces before version 5 do not tell what a handler interrupted.
bool is_as_told(const FrameModel& told, FrameModel f) {
  if (!told.interrupted) f.interrupted = StackId();
  return told == f;
}

bool same(const StackModel& told, const StackModel& s) {
  return told.id == s.id &&
         std::equal(told.frames.begin(), told.frames.end(), s.frames.begin(), s.frames.end(), is_as_told);
}

bool same_stacks(const ThreadModel::State& told, const ThreadModel::State& s) {
  return told.stack == s.stack &&
         std::equal(told.stacks.begin(), told.stacks.end(), s.stacks.begin(), s.stacks.end(), same);
}

// What differs first, empty if nothing does.
std::string difference(const ThreadAtStart& told, const ThreadCounts& counts, const ThreadModel::State& s) {
  const auto differ = [](const char* what, uint64_t is, uint64_t said) {
    return std::string(what) + " " + std::to_string(is) + ", not " + std::to_string(said);
  };
  if (told.before.events != counts.events) return differ("events", counts.events, told.before.events);
  if (told.before.blocks != counts.blocks) return differ("blocks", counts.blocks, told.before.blocks);
  if (told.before.insns != counts.insns) return differ("instructions", counts.insns, told.before.insns);
  if (told.before.syncs != counts.syncs) return differ("synchronisation events", counts.syncs, told.before.syncs);
  if (told.state.sp != s.sp) return "SP " + hex(s.sp) + ", not " + hex(told.state.sp);
  if (told.state.last_ip != s.last_ip) return "last ip " + hex(s.last_ip) + ", not " + hex(told.state.last_ip);
  if (told.state.expected != s.expected || told.state.jumped != s.jumped ||
      (s.expected == EventKind::kCall && told.state.push_sp != s.push_sp))
    return "another event is bound to follow";
  return same_stacks(told.state, s) ? "" : "other frames";
}

// Who asks only what a predicted epoch executed does not read its paths.
void check_executions(const TraceFile& file, const StretchIndex& stretches, size_t number, const EpochIndex& epoch) {
  const auto counted = PredictedExecutions::of_epoch(file, stretches, number, file.control(number));
  if (!counted) return;
  const PathExecutions executed(epoch.paths(), file.blocks().block_count());
  for (uint32_t s = 0; s < counted->threads.size(); ++s) {
    std::vector<uint64_t> by_block = executed.of(s);
    for (const auto& [block, times] : counted->threads[s].blocks) by_block[block.value] -= times;
    if (std::any_of(by_block.begin(), by_block.end(), [](uint64_t n) { return n != 0; }))
      epoch.fail("executions are counted that its paths do not have");
  }
}

}  // namespace

void check_indices(const TraceFile& file) {
  if (file.epochs().empty()) return;
  const StretchIndex stretches(file.stretches(), file.blocks());
  for (size_t i = 0; i < file.epochs().size(); ++i) {
    EpochIndex epoch(file, stretches, i);
    epoch.log();
    epoch.addresses();
    check_executions(file, stretches, i, epoch);
  }
}

void CheckEpochs::see(const Sight& s) {
  const auto& epochs = file_.epochs();
  while (next_ < epochs.size() && file_.first_event(epochs[next_]) == s.index) begin_epoch(s.index);
  if (s.e.kind == EventKind::kTurn) return;
  if (s.e.thread.value >= threads_.size()) threads_.resize(s.e.thread.value + 1);
  apply(threads_[s.e.thread.value], s.e);
}

void CheckEpochs::again(const Sight& s, uint64_t times) {
  ThreadCounts& counts = threads_[s.e.thread.value].counts;
  counts.events += times;
  counts.blocks += times;
  counts.insns += times * models_[s.e.block].insns;
}

void CheckEpochs::begin_epoch(uint64_t index) {
  const Epoch& epoch = file_.epochs()[next_++];
  std::vector<ThreadAtStart> told;
  if (!read_thread_states(file_, epoch, told))
    file_.fail(Problem::kDamaged, file_.frames()[epoch.threads].offset, "the states of threads are damaged");
  size_t alive = 0;
  for (ModelledThread& t : threads_) {
    if (t.ended) t = ModelledThread();
    alive += t.counts.events != 0;
  }
  if (alive != told.size())
    report_.add("epoch-begins-as-left", index,
                "threads " + std::to_string(alive) + ", not " + std::to_string(told.size()));
  for (const ThreadAtStart& t : told) compare(t, index);
}

void CheckEpochs::compare(const ThreadAtStart& told, uint64_t index) {
  const uint32_t serial = told.thread.value;
  if (serial >= threads_.size() || threads_[serial].counts.events == 0) {
    report_.add("epoch-begins-as-left", index, "thread " + std::to_string(serial) + " is not there");
    return;
  }
  const ModelledThread& t = threads_[serial];
  const std::string seen = difference(told, t.counts, t.model.state());
  if (!seen.empty()) report_.add("epoch-begins-as-left", index, "thread " + std::to_string(serial) + ": " + seen);
}

// As the encoder does (encode/epoch.cc).
void CheckEpochs::apply(ModelledThread& t, const Event& e) {
  ++t.counts.events;
  t.counts.syncs += e.kind == EventKind::kSyncEnter || e.kind == EventKind::kSyncLeave;
  t.ended = e.kind == EventKind::kThreadEnd;
  if (t.model.is_expected(e)) return t.model.follow_expected();
  if (e.kind != EventKind::kBlock || e.words.size() != models_[e.block].words) return t.model.event(e, models_);
  const BlockModel& model = models_[e.block];
  t.model.block(model, e.block, e.words);
  ++t.counts.blocks;
  t.counts.insns += model.insns;
}

}  // namespace cdr::trace
