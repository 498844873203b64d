// SPDX-License-Identifier: GPL-2.0-or-later
// What strands do under locks that exclude and do not order (lock_sets.h). Which section came first is the schedule's;
// but a section that reads what an earlier section of the same lock wrote comes behind that one: it gets what that
// one gave at its end.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_LOCK_SECTIONS_H
#define CDRGRIND_ANALYSIS_RACES_CORE_LOCK_SECTIONS_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/races/core/lock_sets.h"
#include "cdrgrind/analysis/races/core/segments.h"

namespace cdr::races {

// The sections that a strand is in.
class OpenSections {
 public:
  struct Section {
    LockKey lock;
    uint32_t depth = 1;
    std::shared_ptr<Knowledge> at_end;  // filled when it ends
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
      all_.push_back({lock, 1, std::make_shared<Knowledge>()});
  }
  // Where to put what the section gives, if that ends it.
  std::shared_ptr<Knowledge> end(const LockKey& lock) {
    const Section* const s = find(lock);
    if (!s) return nullptr;
    const auto i = s - all_.data();
    if (--all_[static_cast<size_t>(i)].depth > 0) return nullptr;
    auto at_end = s->at_end;
    all_.erase(all_.begin() + i);
    return at_end;
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
    const Knowledge* before = nullptr;
    for (uint64_t a = addr; a < addr + width; ++a) {
      const auto found = last_.find(a);
      if (found == last_.end()) continue;
      for (const OpenSections::Section& s : found->second) {
        const OpenSections::Section* const mine = now.find(s.lock);
        if (!mine || mine->at_end == s.at_end || s.at_end.get() == before) continue;
        before = s.at_end.get();
        f(*s.at_end);
      }
    }
  }

 private:
  std::unordered_map<uint64_t, std::vector<OpenSections::Section>> last_;
};

}  // namespace cdr::races

#endif
