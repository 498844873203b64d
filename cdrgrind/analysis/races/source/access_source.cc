// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/access_source.h"

#include <optional>
#include <utility>

#include "cdrgrind/analysis/events/frames_at.h"
#include "cdrgrind/analysis/races/source/block_roles.h"
#include "cdrgrind/analysis/races/source/compact_collector.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::races {
namespace {

class EventSource final : public AccessSource {
 public:
  EventSource(const trace::TraceFile& file, const RuntimeCode& runtime, SpinLoops& spins, const WorksharingLoops* loops)
      : file_(file), runtime_(runtime), spins_(spins), loops_(loops) {}

  void look(uint64_t end, const analysis::Watch& watch) override {
    first_pass_ = first_pass_of(file_, runtime_, spins_, loops_, end, watch);
  }
  const FirstPass& first_pass() const override { return first_pass_; }
  uint64_t follow(uint64_t end, analysis::WatchedPart& part, const BeforeEvent& before, Collector& to) override {
    trace::Cursor cursor(file_);
    uint64_t index = 0;
    for (Event e; index < end && part.goes_on(index) && cursor.next(e); ++index) {
      if (before) before(e, index);
      to.event(e, index);
    }
    return index;
  }
  bool is_in_order() const override { return true; }
  void look_closely_at(AddressRanges) override {}
  std::vector<analysis::CallFrame> frames_at(ThreadId, uint64_t) override { return {}; }

 private:
  const trace::TraceFile& file_;
  const RuntimeCode& runtime_;
  SpinLoops& spins_;
  const WorksharingLoops* loops_;
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
                                               SpinLoops& spins, const WorksharingLoops* loops) {
  return std::make_unique<EventSource>(file, runtime, spins, loops);
}

std::unique_ptr<AccessSource> compact_source(trace::Seeker& seeker, const RuntimeCode& runtime, CodeFacts& facts,
                                             SpinLoops& spins) {
  return std::make_unique<CompactSource>(seeker, runtime, facts, spins);
}

}  // namespace cdr::races
