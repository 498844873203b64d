// SPDX-License-Identifier: GPL-2.0-or-later
// What the reference remembers of a run: stacks and frames, heap events, modules, all with the times at which
// they changed, nothing ever dropped. Knows nothing of dependences.
#ifndef CDRGRIND_TESTS_REFERENCE_HISTORIES_H
#define CDRGRIND_TESTS_REFERENCE_HISTORIES_H

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <nlohmann/json.hpp>

namespace reference {
using nlohmann::json;

// Every executed instruction and every other event has a time of its own.
using Time = uint64_t;

// Members that a hand-written case leaves out are zero.
inline uint64_t number(const json& e, const char* name) { return e.value(name, uint64_t{0}); }
inline bool has_flag(const json& e, const char* flag) {
  const auto flags = e.find("flags");
  return flags != e.end() && std::find(flags->begin(), flags->end(), flag) != flags->end();
}
inline const json& list(const json& e, const char* name) {
  static const json none = json::array();
  const auto found = e.find(name);
  return found == e.end() ? none : *found;
}

struct Range {
  uint64_t begin = 0, end = 0;
  bool contains(uint64_t addr) const { return begin <= addr && addr < end; }
};
inline Range range_of(const json& e, const std::string& prefix = "") {
  return {number(e, (prefix + "begin").c_str()), number(e, (prefix + "end").c_str())};
}

// An address of code.
struct Place {
  uint32_t module = 0;
  uint64_t addr = 0;
  auto operator<=>(const Place&) const = default;
};

// ---- Stacks and frames ----

// The values of one stack's SP: each holds from its time on, until the next.
class SpHistory {
 public:
  void set(Time at, uint64_t sp) {
    if (!values_.empty() && values_.back().sp == sp) return;
    if (values_.size() % kGroup == 0) group_max_.push_back(0);
    values_.push_back({at, sp});
    group_max_.back() = std::max(group_max_.back(), sp);
  }
  // 0 before the first.
  uint64_t at(Time t) const {
    const size_t i = first_after(t);
    return i == 0 ? 0 : values_[i - 1].sp;
  }
  // Greatest of the value at `from` and of all that were set after it and before `to`.
  uint64_t greatest(Time from, Time to) const {
    uint64_t best = at(from);
    size_t i = first_after(from);
    const size_t end = first_after(to - 1);
    while (i < end) {
      const bool whole_group = i % kGroup == 0 && i + kGroup <= end;
      best = std::max(best, whole_group ? group_max_[i / kGroup] : values_[i].sp);
      i += whole_group ? kGroup : 1;
    }
    return best;
  }
  uint64_t present() const { return values_.empty() ? 0 : values_.back().sp; }

 private:
  static constexpr size_t kGroup = 512;
  struct Value {
    Time at;
    uint64_t sp;
  };
  size_t first_after(Time t) const {
    return std::upper_bound(values_.begin(), values_.end(), t, [](Time x, const Value& v) { return x < v.at; }) -
           values_.begin();
  }
  std::vector<Value> values_;
  std::vector<uint64_t> group_max_;
};

struct Stack;

// What the frame's latest block tells the next one.
struct Departure {
  bool jump = false, plt = false, ldso = false;
};

struct Frame {
  Frame* parent = nullptr;  // on the same stack
  Place call_site;          // in the parent
  Stack* stack = nullptr;
  bool named = false;
  Place function;
  bool hidden = false;
  bool lazy = false;  // in lazy binding
  Departure latest;
  Place latest_insn;
  mutable uint64_t passed = 0;  // the latest search that came along
};

// From which frame a thread came onto a stack, and during which visit of that frame's stack.
struct Visit {
  Stack* stack = nullptr;
  Frame* from = nullptr;
  Place site;
  const Visit* during = nullptr;
};

struct Stack {
  Range range;
  std::vector<Frame*> frames;  // the root first
  SpHistory sp;
  uint64_t thread = 0;  // that runs on it, or ran last
};

// Which stack a byte belongs to, at every time: of those whose range contains it, the newest: the one
// that was named for the first time last.
class StackRanges {
 public:
  void name(Stack* stack, Range range, Time now) {
    const Range before = stack->range;
    stack->range = range;
    if (std::find(newest_first_.begin(), newest_first_.end(), stack) == newest_first_.end())
      newest_first_.insert(newest_first_.begin(), stack);
    split(range.begin);
    split(range.end);
    update(before, now);
    update(range, now);
  }
  struct Owner {
    Time since;
    Stack* stack;  // may be null
  };
  const std::vector<Owner>& owners(uint64_t byte) const { return std::prev(pieces_.upper_bound(byte))->second; }

 private:
  void split(uint64_t at) {
    const auto piece = std::prev(pieces_.upper_bound(at));
    if (piece->first != at) pieces_[at] = piece->second;
  }
  void update(Range range, Time now) {
    if (range.begin == range.end) return;
    for (auto p = pieces_.find(range.begin); p != pieces_.end() && p->first < range.end; ++p) {
      Stack* owner = owner_of(p->first);
      if (p->second.empty() || p->second.back().stack != owner) p->second.push_back({now, owner});
    }
  }
  Stack* owner_of(uint64_t byte) const {
    for (Stack* s : newest_first_)
      if (s->range.contains(byte)) return s;
    return nullptr;
  }
  std::vector<Stack*> newest_first_;
  std::map<uint64_t, std::vector<Owner>> pieces_ = {{0, {}}};  // by the piece's first byte
};

// ---- Heap ----

class HeapHistory {
 public:
  void add(Time at, bool alloc, Range range) {
    if (range.begin >= range.end) return;
    for (uint64_t page = range.begin / kPage; page <= (range.end - 1) / kPage; ++page)
      pages_[page].push_back({at, alloc, range});
  }
  // Freed and after that allocated, between the two times.
  bool recycled(uint64_t byte, Time from, Time to) const {
    const auto page = pages_.find(byte / kPage);
    if (page == pages_.end()) return false;
    const auto& events = page->second;
    auto e = std::upper_bound(events.begin(), events.end(), from, [](Time x, const Event& y) { return x < y.at; });
    bool freed = false;
    for (; e != events.end() && e->at < to; ++e) {
      if (!e->range.contains(byte)) continue;
      if (freed && e->alloc) return true;
      if (!e->alloc) freed = true;
    }
    return false;
  }

 private:
  static constexpr uint64_t kPage = 1024;
  struct Event {
    Time at;
    bool alloc;
    Range range;
  };
  std::unordered_map<uint64_t, std::vector<Event>> pages_;
};

// ---- Modules ----

struct Module {
  bool mapped = false;
  Range text, got, got_plt;
};

class Modules {
 public:
  void mapped(const json& e) {
    modules_[number(e, "module")] = {true, range_of(e, "text_"), range_of(e, "got_"), range_of(e, "got_plt_")};
  }
  void unmapped(const json& e) { modules_[number(e, "module")].mapped = false; }
  // The latest module that is mapped at the address; 0 if none.
  uint32_t at(uint64_t addr) const {
    for (auto m = modules_.rbegin(); m != modules_.rend(); ++m)
      if (m->second.mapped && m->second.text.contains(addr)) return static_cast<uint32_t>(m->first);
    return 0;
  }
  bool in_got(uint64_t byte) const {
    for (const auto& [serial, m] : modules_)
      if (m.mapped && (m.got.contains(byte) || m.got_plt.contains(byte))) return true;
    return false;
  }

 private:
  std::map<uint64_t, Module> modules_;
};

}  // namespace reference

#endif
