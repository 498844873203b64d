// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/epoch_index.h"

#include <algorithm>
#include <string>

namespace cdr::trace {
namespace {

// Counts of executions are forgotten when they take more.
constexpr size_t kMaxExecutionBytes = 256 << 20;

}  // namespace

EpochIndex::EpochIndex(const TraceFile& file, const StretchIndex& stretches, size_t number)
    : file_(file), stretches_(stretches), number_(number) {
  const Epoch& epoch = file.epochs()[number];
  file.reading(file.frames()[epoch.control], [&] { read_paths(epoch); });
}

void EpochIndex::read_paths(const Epoch& epoch) {
  Columns control, turns;
  read(epoch.control, control);
  read(epoch.turn, turns);
  const uint64_t events = file_.frames()[epoch.control].header.event_count;
  if (!turns_.load(turns, events, file_.serial_limit())) fail("its turns are damaged");
  if (const char* wrong = paths_.load(control, turns_, stretches_, epoch.stretches, file_.serial_limit())) fail(wrong);
  uint64_t own = 0, turned = 0;
  for (uint32_t s = 0; s < paths_.threads().size(); ++s) {
    const uint64_t n = paths_.total(s).events;
    if (n != turns_.events_of(ThreadId(paths_.threads()[s]))) fail("its turns are not those of its paths");
    own += n;
  }
  for (const TurnIndex::Segment& s : turns_.segments()) turned += s.events;
  if (own != turned) fail("its turns are not those of its paths");
}

void EpochIndex::fail(const char* what) const {
  const Frame& frame = file_.frames()[file_.epochs()[number_].control];
  file_.fail(Problem::kDamaged, frame.offset,
             "epoch " + std::to_string(number_) + ": " + what + " (damaged? try 'cdrgrind verify')");
}

void EpochIndex::read(size_t frame, Columns& to) const {
  const Frame& f = file_.frames()[frame];
  file_.reading(f, [&] {
    if (!file_.read_columns(f, to)) fail("its columns are damaged");
  });
}

const Columns& EpochIndex::columns(size_t frame, std::optional<Columns>& known) const {
  if (!known) read(frame, known.emplace());
  return *known;
}

LogIndex& EpochIndex::log() {
  if (!log_) {
    log_ = std::make_unique<LogIndex>(file_.modules(), file_.blocks(), file_.serial_limit());
    file_.reading(file_.frames()[file_.epochs()[number_].log], [&] {
      if (!log_->load(log_columns(), paths_, turns_)) fail("its events are not those of its paths");
    });
  }
  return *log_;
}

AddressIndex& EpochIndex::addresses() {
  if (!addresses_) {
    addresses_ = std::make_unique<AddressIndex>(file_.blocks());
    file_.reading(file_.frames()[file_.epochs()[number_].address], [&] {
      if (!addresses_->load(address_columns())) fail("its addresses are damaged");
    });
  }
  return *addresses_;
}

const FrameFinder& EpochIndex::frames() {
  if (!frames_) frames_ = std::make_unique<FrameFinder>(paths_);
  return *frames_;
}

const PathUses& EpochIndex::uses() {
  if (!uses_) uses_ = std::make_unique<PathUses>(paths_);
  return *uses_;
}

const std::vector<ThreadAtStart>& EpochIndex::states() {
  if (!states_) {
    if (!read_thread_states(file_, file_.epochs()[number_], states_.emplace()))
      fail("the states of its threads are damaged");
  }
  return *states_;
}

const ThreadAtStart* EpochIndex::state(ThreadId thread) {
  const auto& all = states();
  const auto at =
      std::lower_bound(all.begin(), all.end(), thread, [](const ThreadAtStart& s, ThreadId t) { return s.thread < t; });
  return at != all.end() && at->thread == thread ? &*at : nullptr;
}

const EpochWeights& EpochIndex::executions(BlockId id) {
  if (executions_bytes_ > kMaxExecutionBytes) {
    executions_.clear();
    executions_bytes_ = 0;
  }
  auto& of_block = executions_[id.value];
  if (!of_block) {
    const BlockWeight one{id, 1};
    of_block = std::make_unique<EpochWeights>(paths_, uses(), std::span(&one, 1));
    executions_bytes_ += of_block->bytes();
  }
  return *of_block;
}

std::optional<uint64_t> EpochIndex::index_of_execution(ThreadId thread, BlockId id, uint64_t n) {
  PathPosition at;
  if (!executions(id).find(*paths_.string_of(thread), n, at)) return std::nullopt;
  return file_.first_event(file_.epochs()[number_]) + turns_.index_of(thread, at.before.events);
}

bool EpochIndex::tells_sp(BlockId id) const {
  const BlockModel& m = stretches_.model(id);
  return m.push.slot != 0 || m.sp_slot != SpChange::kSpAtEntry;
}

SpSum EpochIndex::weigh_sp(uint32_t terminal) const {
  SpSum sum;
  if (!is_stretch(terminal)) return sum;
  for (const BlockId id : paths_.stretches().blocks(stretch_of(terminal))) {
    if (tells_sp(id))
      ++sum.tellers;
    else
      sum.change += static_cast<uint64_t>(stretches_.model(id).sp_constant);
  }
  return sum;
}

const GrammarSums<SpSum>& EpochIndex::sp_sums() {
  if (!sp_sums_) {
    sp_sums_ = std::make_unique<GrammarSums<SpSum>>();
    sp_sums_->build(paths_.grammar(), [&](uint32_t t) { return weigh_sp(t); });
  }
  return *sp_sums_;
}

}  // namespace cdr::trace
