// SPDX-License-Identifier: GPL-2.0-or-later
// Phases of a program with teams, for who looks for memory that strands touch at the same time: what lies between two
// barriers of the team, and between two regions. All that is done in one comes before all that is done in the next, so
// memory that several strands touch only in different phases has no race.
//
// That holds as long as one thread alone begins regions: regions that members of a team begin belong to the phase in
// which they do. Where it does not hold (threads of the program's own, a barrier that was cancelled, tasks of no team)
// it is said, and nothing of what was told counts.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_STRAND_PHASES_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_STRAND_PHASES_H

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/strands/strand.h"
#include "cdrgrind/base/event.h"
#include "cdrgrind/base/id.h"

namespace cdr::races {

class StrandPhases {
 public:
  // A strand as it goes through a phase: for Sharing::touch_since().
  struct Actor {
    uint32_t number = 0, floor = 0;
  };

  bool hold() const { return hold_; }
  // How many there have been.
  uint64_t count() const { return count_; }

  void region_begins(ThreadId by, uint64_t team) {
    if (const Running* const r = top(by)) {
      teams_[team] = {0, r->strand.floor, true};
    } else {
      see_alone(by);
      teams_[team] = {0, begin_phase(), false};
    }
  }
  void region_ends(ThreadId by, uint64_t team) {
    teams_.erase(team);
    if (!top(by)) alone_.number = alone_.floor = begin_phase();
  }
  void begins(ThreadId on, const strands::Strand& s) {
    if (on.value >= threads_.size()) threads_.resize(on.value + 1);
    auto& all = threads_[on.value];
    Running r;
    if (strands::lies_on_another(s.kind)) {
      r = all.back();
      if (s.kind == strands::StrandKind::kPart) r.strand.number = next();
    } else {
      const auto team = teams_.find(s.team);
      hold_ &= team != teams_.end() || (s.team == 0 && s.undeferred);
      r.team = s.team;
      r.strand = {next(), team != teams_.end() ? team->second.floor : alone_.floor};
      r.member = r.strand;
    }
    all.push_back(r);
  }
  void ends(ThreadId on) { threads_[on.value].pop_back(); }
  // The member has passed so many barriers; one of them was cancelled.
  void passes(ThreadId t, uint64_t barriers) {
    if (!top(t) || threads_[t.value].back().barriers == barriers) return;
    Running& r = threads_[t.value].back();
    r.barriers = barriers;
    Phase& phase = teams_[r.team];
    if (!phase.nested && phase.barriers < barriers) phase = {barriers, begin_phase(), false};
    r.strand = r.member = {next(), phase.floor};
  }
  void is_cancelled() { hold_ = false; }

  // What the thread executes. Of the stack that its strands use in turn it is the member of the team.
  Actor actor(ThreadId t, bool in_turn) {
    if (const Running* const r = top(t)) return in_turn ? r->member : r->strand;
    see_alone(t);
    return alone_;
  }
  bool is_alone(ThreadId t) const { return !top(t); }

 private:
  struct Running {
    uint64_t team = 0, barriers = 0;
    Actor strand, member;
  };
  struct Phase {
    uint64_t barriers = 0;
    uint32_t floor = 0;
    bool nested = false;  // it lies in one phase of another team
  };

  const Running* top(ThreadId t) const {
    return t.value < threads_.size() && !threads_[t.value].empty() ? &threads_[t.value].back() : nullptr;
  }
  uint32_t next() {
    constexpr uint32_t kMost = (1U << 30) - 2;  // owners of a line
    hold_ &= last_ < kMost;
    return ++last_;
  }
  uint32_t begin_phase() {
    ++count_;
    return next();
  }
  void see_alone(ThreadId t) {
    if (!alone_thread_) alone_thread_ = t;
    hold_ &= alone_thread_ == t;
  }

  bool hold_ = true;
  uint32_t last_ = 1;
  uint64_t count_ = 1;
  Actor alone_{1, 1};
  ThreadId alone_thread_;
  std::unordered_map<uint64_t, Phase> teams_;  // open ones
  std::vector<std::vector<Running>> threads_;  // by thread
};

}  // namespace cdr::races

#endif
