// SPDX-License-Identifier: GPL-2.0-or-later
// What strands do under locks that exclude and do not order (lock_sets.h). Which section came first is the schedule's;
// but a section that reads what an earlier section of the same lock wrote comes behind that one: it gets what that
// one gave at its end. So does one whose strand knew, when it got the lock, that the other had begun: by a barrier
// in it, as the task that was created there.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_LOCK_SECTIONS_H
#define CDRGRIND_ANALYSIS_RACES_CORE_LOCK_SECTIONS_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/races/core/lock_sets.h"
#include "cdrgrind/analysis/races/core/segments.h"

namespace cdr::races {

// What is known of a section beyond its end.
struct SectionRecord {
  Knowledge given;          // at its end
  ThreadId by;              // the strand, if `begun'
  SegmentNumber begun = 0;  // who knows that segment of the strand knows that the section has begun; 0: nobody does
};

// The sections that a strand is in.
class OpenSections {
 public:
  struct Section {
    LockKey lock;
    uint32_t depth = 1;
    std::shared_ptr<SectionRecord> record;
  };
  bool empty() const { return all_.empty(); }
  const std::vector<Section>& all() const { return all_; }
  std::vector<LockKey> locks() const {
    std::vector<LockKey> keys;
    for (const Section& s : all_) keys.push_back(s.lock);
    return keys;
  }
  const Section* find(const LockKey& lock) const {
    const auto s = std::find_if(all_.begin(), all_.end(), [&](const Section& x) { return x.lock == lock; });
    return s == all_.end() ? nullptr : &*s;
  }
  void begin(const LockKey& lock) {
    if (const Section* s = find(lock))
      ++all_[static_cast<size_t>(s - all_.data())].depth;
    else
      all_.push_back({lock, 1, std::make_shared<SectionRecord>()});
  }
  // Of the section, if that ends it.
  std::shared_ptr<SectionRecord> end(const LockKey& lock) {
    const Section* const s = find(lock);
    if (!s) return nullptr;
    const auto i = s - all_.data();
    if (--all_[static_cast<size_t>(i)].depth > 0) return nullptr;
    auto record = s->record;
    all_.erase(all_.begin() + i);
    return record;
  }

 private:
  std::vector<Section> all_;
};

// By byte, which sections wrote it last.
class SectionWrites {
 public:
  void write(const OpenSections& now, uint64_t addr, uint64_t width) {
    for (uint64_t a = addr; a < addr + width; ++a)
      if (!now.empty())
        last_[a] = now.all();
      else if (!last_.empty())
        last_.erase(a);
  }
  // f(what each section of a common lock that wrote there last gave at its end)
  template <class F>
  void read(const OpenSections& now, uint64_t addr, uint64_t width, F f) const {
    const SectionRecord* before = nullptr;
    for (uint64_t a = addr; a < addr + width; ++a) {
      const auto found = last_.find(a);
      if (found == last_.end()) continue;
      for (const OpenSections::Section& s : found->second) {
        const OpenSections::Section* const mine = now.find(s.lock);
        if (!mine || mine->record == s.record || s.record.get() == before) continue;
        before = s.record.get();
        f(s.record->given);
      }
    }
  }

 private:
  std::unordered_map<uint64_t, std::vector<OpenSections::Section>> last_;
};

// Sections that others knew to have begun before they ended. Of each lock the last so many.
class BegunSections {
 public:
  void add(const LockKey& lock, std::shared_ptr<const SectionRecord> section) {
    auto& all = by_lock_[lock];
    all.push_back(std::move(section));
    if (all.size() > kMost) all.pop_front();
  }
  // f(const SectionRecord&)
  template <class F>
  void for_each(const LockKey& lock, F f) const {
    const auto found = by_lock_.find(lock);
    if (found == by_lock_.end()) return;
    for (const auto& section : found->second) f(*section);
  }

 private:
  static constexpr size_t kMost = 64;
  std::map<LockKey, std::deque<std::shared_ptr<const SectionRecord>>> by_lock_;
};

}  // namespace cdr::races

#endif
