// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/patterns/pattern_objects.h"

#include <algorithm>
#include <map>
#include <optional>

#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/replay.h"

namespace cdr::patterns {
namespace {

class ObjectFinder {
 public:
  ObjectFinder(const trace::TraceFile& file, const std::vector<const AccessPattern*>& wanted,
               const std::vector<bool>& libraries, analysis::ObjectNumbers& numbers)
      : blocks_(file.blocks()),
        objects_(file.modules(), blocks_, libraries, numbers),
        walks_(wanted.size()),
        targets_(blocks_.superblock_count() + size_t{1}) {
    for (uint32_t i = 0; i < wanted.size(); ++i) wanted_[{wanted[i]->ip, wanted[i]->store}] = i;
  }

  void event(const Event& e) {
    objects_.event(e);
    if (e.kind == EventKind::kBlock) block(e, 1);
  }
  bool looks_at(const Event& e) { return !targets_of(e).empty(); }
  // The same block with the same words.
  void again(const Event& e, uint64_t times) {
    if (times != 0) block(e, times);
  }

  std::vector<WalkedObjects> take() {
    std::vector<WalkedObjects> result;
    for (Walk& w : walks_) result.push_back(std::move(w.result));
    return result;
  }

 private:
  // A wanted access of a superblock.
  struct Target {
    uint32_t access = 0, walk = 0;
    CodeAddr by;
  };
  struct Walk {
    WalkedObjects result;
    analysis::LiveObjects::Recent recent;
  };

  void block(const Event& e, uint64_t times) {
    const std::vector<Target>& targets = targets_of(e);
    if (targets.empty()) return;
    const std::span<const Access> accesses = trace::extent_of(e, blocks_).accesses;
    for (const Target& t : targets) {
      if (t.access >= accesses.size()) return;
      const Access& a = accesses[t.access];
      if (!happened(a, e.words)) continue;
      Walk& w = walks_[t.walk];
      count(w, objects_.at(address_of(a, e.words), e.thread, t.by, w.recent), times);
    }
  }

  const std::vector<Target>& targets_of(const Event& e) {
    auto& known = targets_[blocks_.block(e.block).superblock.value];
    if (known) return *known;
    known.emplace();
    const Superblock& sb = blocks_.superblock_of(e.block);
    for (uint32_t i = 0; i < sb.accesses.size(); ++i) {
      const CodeAddr by = {sb.module, sb.insn_addr(sb.accesses[i].insn)};
      if (const auto w = wanted_.find({by, sb.accesses[i].store()}); w != wanted_.end())
        known->push_back({i, w->second, by});
    }
    return *known;
  }

  static void count(Walk& w, uint32_t object, uint64_t times) {
    auto& all = w.result.objects;
    const auto known = std::find_if(all.begin(), all.end(), [&](const ObjectCount& o) { return o.object == object; });
    if (known != all.end())
      known->accesses += times;
    else if (all.size() < WalkedObjects::kMostObjects)
      all.push_back({object, times});
    else
      w.result.others += times;
  }

  const BlockTable& blocks_;
  analysis::LiveObjects objects_;
  std::map<std::pair<CodeAddr, bool>, uint32_t> wanted_;
  std::vector<Walk> walks_;
  std::vector<std::optional<std::vector<Target>>> targets_;  // by superblock
};

}  // namespace

std::vector<WalkedObjects> find_objects(const trace::TraceFile& file, const std::vector<const AccessPattern*>& wanted,
                                        const std::vector<bool>& libraries, analysis::ObjectNumbers& numbers,
                                        analysis::WatchedPart& part) {
  ObjectFinder finder(file, wanted, libraries, numbers);
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e) && part.goes_on(cursor.index());) {
    finder.event(e);
    if (e.kind != EventKind::kBlock) continue;
    using Repeats = trace::Cursor::Repeats;
    const uint64_t times = cursor.repeats(finder.looks_at(e) ? Repeats::kSame : Repeats::kAll);
    finder.again(e, times);
    cursor.pass(times);
  }
  return finder.take();
}

}  // namespace cdr::patterns
