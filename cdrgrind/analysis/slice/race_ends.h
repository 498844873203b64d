// SPDX-License-Identifier: GPL-2.0-or-later
// Which accesses are ends of races, and which labels they give. A label stands for the accesses of one thread in one
// segment that are ends of instances of one race. Where a parallel runtime's strands are, they take the threads' place.
#ifndef CDRGRIND_ANALYSIS_SLICE_RACE_ENDS_H
#define CDRGRIND_ANALYSIS_SLICE_RACE_ENDS_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/events/access_position.h"
#include "cdrgrind/analysis/slice/label_sets.h"
#include "cdrgrind/base/range.h"

namespace cdr::slice {

using analysis::AccessPosition;

struct RacePair {
  AccessPosition first, second;  // in the order observed
};

struct Touch {
  ThreadId thread;
  AccessPosition at;  // of what is no block's access: the number among those of the event
  CodeAddr ip;        // of a free: none
  uint64_t addr = 0, width = 0;
  bool store = false;
  bool of_block = true;
};

struct RaceLabel {
  uint32_t race = 0;
  ThreadId thread;  // or strand
  uint32_t segment = 0;
  Touch first;  // the first access that gave it
};

// A thread; or a strand since it began, its number may have been another's before.
struct Course {
  ThreadId thread;
  uint64_t begin = 0;  // event
};

class RaceEnds {
 public:
  // False where no access of the instruction is an end.
  virtual bool may_be_end(CodeAddr ip) const = 0;
  // Appends the labels that the access gives. Asked in the order of events.
  virtual void labels_of(const Touch& t, std::vector<LabelId>& to) = 0;
  // Whether accesses of the thread in these events that are the same, but for when they come, give the same labels.
  virtual bool are_alike(ThreadId t, uint64_t begin, uint64_t end) const = 0;
  // What is asked next comes before.
  virtual void restart() = 0;
  // Whether some accesses of the one are the other ends of some of the other.
  virtual bool are_partners(LabelId a, LabelId b) = 0;
  // In what comes, in the program's own order, before the access of the thread: its strand, and those that it goes on
  // in.
  virtual std::vector<Course> courses(ThreadId thread, AccessPosition) const { return {{thread, 0}}; }

  const RaceLabel& operator[](LabelId id) const { return labels_[id]; }
  size_t size() const { return labels_.size(); }
  // Of the race, given by the thread; in order of their first accesses.
  std::span<const LabelId> of(uint32_t race, ThreadId thread) const {
    const auto found = by_thread_.find({race, thread});
    return found == by_thread_.end() ? std::span<const LabelId>() : found->second;
  }

 protected:
  ~RaceEnds() = default;
  LabelId new_label(uint32_t race, ThreadId thread, uint32_t segment, const Touch& first) {
    const auto id = static_cast<LabelId>(labels_.size());
    labels_.push_back({race, thread, segment, first});
    by_thread_[{race, thread}].push_back(id);
    return id;
  }

 private:
  std::vector<RaceLabel> labels_;
  std::map<std::pair<uint32_t, ThreadId>, std::vector<LabelId>> by_thread_;
};

// Races of one instance each. `insns`: where alone they have their ends; none: anywhere.
class ListedRaces final : public RaceEnds {
 public:
  explicit ListedRaces(std::span<const RacePair> races, std::vector<uint64_t> insns = {}) : insns_(std::move(insns)) {
    for (uint32_t i = 0; i < races.size(); ++i)
      for (const AccessPosition& p : {races[i].first, races[i].second}) ends_[p.event].push_back({i, p.access, kNone});
  }
  bool may_be_end(CodeAddr ip) const override {
    return insns_.empty() || std::find(insns_.begin(), insns_.end(), ip.addr) != insns_.end();
  }
  void labels_of(const Touch& t, std::vector<LabelId>& to) override {
    const auto here = ends_.find(t.at.event);
    if (here == ends_.end()) return;
    for (End& end : here->second) {
      if (t.of_block && end.access != t.at.access) continue;
      if (end.label == kNone) end.label = new_label(end.race, t.thread, t.thread.value, t);
      to.push_back(end.label);
    }
  }
  bool are_alike(ThreadId, uint64_t begin, uint64_t end) const override {
    const auto first = ends_.lower_bound(begin);
    return first == ends_.end() || first->first >= end;
  }
  void restart() override {}
  bool are_partners(LabelId a, LabelId b) override { return a != b && (*this)[a].race == (*this)[b].race; }

 private:
  static constexpr LabelId kNone = ~LabelId{0};
  struct End {
    uint32_t race = 0;
    uint32_t access = 0;
    LabelId label = kNone;
  };
  std::vector<uint64_t> insns_;
  std::map<uint64_t, std::vector<End>> ends_;  // by event
};

}  // namespace cdr::slice

#endif
