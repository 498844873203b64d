// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/access_source.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cdrgrind/analysis/events/frames_at.h"
#include "cdrgrind/analysis/races/source/block_roles.h"
#include "cdrgrind/analysis/races/source/compact_collector.h"
#include "cdrgrind/analysis/walk/event_walk.h"

namespace cdr::races {

using analysis::AllEvents;
using analysis::EventReader;
using analysis::EventStream;
using analysis::EventWalk;
using analysis::Passage;
using analysis::WalkedBlocks;

namespace {

// The second look.
class CollectorReader final : public EventReader {
 public:
  CollectorReader(analysis::WatchedPart& part, const AccessSource::BeforeEvent& before, Collector& to)
      : part_(part), before_(before), to_(to) {}

  void event(const Event& e, uint64_t index) override {
    if (before_) before_(e, index);
    to_.event(e, index);
  }
  bool pass(EventWalk& walk, const Passage& p) override { return to_.pass(walk, p); }
  bool goes_on(uint64_t index) override { return part_.goes_on(index); }
  uint32_t may_stand_for(EventWalk& walk, const Passage& p) override {
    return to_.may_stand_for(walk, p) ? p.copies : 0;
  }
  void stand_for(uint32_t copies) override { to_.stand_for(copies); }

 private:
  analysis::WatchedPart& part_;
  const AccessSource::BeforeEvent& before_;
  Collector& to_;
};

class EventSource final : public AccessSource {
 public:
  EventSource(const trace::TraceFile& file, const RuntimeCode& runtime, SpinLoops& spins, const WorksharingLoops* loops,
              trace::Seeker* seeker)
      : file_(file), runtime_(runtime), spins_(spins), loops_(loops), seeker_(seeker) {}

  void look(uint64_t end, const analysis::Watch& watch) override {
    if (seeker_) walked_ = walked_blocks();
    first_pass_ = first_pass_of(*events(), runtime_, spins_, loops_, end, watch);
  }
  const FirstPass& first_pass() const override { return first_pass_; }
  uint64_t follow(uint64_t end, analysis::WatchedPart& part, const BeforeEvent& before, Collector& to) override {
    CollectorReader reader(part, before, to);
    return events()->run(reader, end);
  }
  bool is_in_order() const override { return true; }
  void look_closely_at(AddressRanges) override {}
  std::vector<analysis::CallFrame> frames_at(ThreadId, uint64_t) override { return {}; }

 private:
  std::unique_ptr<EventStream> events() {
    if (!seeker_) return std::make_unique<AllEvents>(file_);
    return std::make_unique<EventWalk>(*seeker_, walked_);
  }
  // Watched is what begins iterations, or is the runtime's.
  WalkedBlocks walked_blocks() {
    const BlockTable& blocks = file_.blocks();
    const auto is_atomic = [](const Access& a) { return (a.flags & kAccessAtomic) != 0; };
    WalkedBlocks all(blocks);
    for (uint32_t b = 1; b < all.watched.size(); ++b) {
      const SuperblockId sb = blocks.block(BlockId(b)).superblock;
      all.watched[b] = runtime_.is_aside(blocks.superblock(sb).module) || (loops_ && loops_->may_change(sb));
      const auto accesses = blocks.superblock(sb).accesses;
      all.ordering[b] = spins_.any_in(sb) || spins_.left_by(BlockId(b)).loop != 0 ||
                        std::any_of(accesses.begin(), accesses.end(), is_atomic);
    }
    return all;
  }

  const trace::TraceFile& file_;
  const RuntimeCode& runtime_;
  SpinLoops& spins_;
  const WorksharingLoops* loops_;
  trace::Seeker* seeker_;
  WalkedBlocks walked_;  // if there is a seeker
  FirstPass first_pass_;
};

class CompactSource final : public AccessSource {
 public:
  CompactSource(trace::Seeker& seeker, const RuntimeCode& runtime, CodeFacts& facts, SpinLoops& spins)
      : seeker_(seeker), runtime_(runtime), facts_(facts), spins_(spins) {}

  void look(uint64_t end, const analysis::Watch& watch) override {
    found_.emplace(compact_first_pass_of(seeker_, spins_, end, watch));
    roles_.emplace(seeker_, *found_, runtime_, facts_, spins_);
  }
  const FirstPass& first_pass() const override { return found_->first_pass; }
  uint64_t follow(uint64_t end, analysis::WatchedPart& part, const BeforeEvent& before, Collector& to) override {
    CompactCollector compact(seeker_, *found_, *roles_, runtime_, part, to);
    compact.before_events(before);
    return trace::PathWalk(seeker_).run(compact, end);
  }
  bool is_in_order() const override { return false; }
  void look_closely_at(AddressRanges there) override { roles_->keep_near(*found_, std::move(there)); }
  std::vector<analysis::CallFrame> frames_at(ThreadId thread, uint64_t event) override {
    return analysis::frames_at(seeker_, thread, event + 1);
  }

 private:
  trace::Seeker& seeker_;
  const RuntimeCode& runtime_;
  CodeFacts& facts_;
  SpinLoops& spins_;
  std::optional<CompactFirstPass> found_;
  std::optional<BlockRoles> roles_;
};

}  // namespace

std::unique_ptr<AccessSource> source_of_events(const trace::TraceFile& file, const RuntimeCode& runtime,
                                               SpinLoops& spins, const WorksharingLoops* loops, trace::Seeker* seeker) {
  return std::make_unique<EventSource>(file, runtime, spins, loops, seeker);
}

std::unique_ptr<AccessSource> compact_source(trace::Seeker& seeker, const RuntimeCode& runtime, CodeFacts& facts,
                                             SpinLoops& spins) {
  return std::make_unique<CompactSource>(seeker, runtime, facts, spins);
}

}  // namespace cdr::races
