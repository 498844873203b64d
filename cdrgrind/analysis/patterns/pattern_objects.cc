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
               const std::vector<bool>& libraries, ObjectNumbers& numbers)
      : blocks_(file.blocks()),
        libraries_(libraries),
        numbers_(numbers),
        shim_(analysis::shim_modules(file.modules())),
        stacks_(blocks_, libraries_, shim_),
        walks_(wanted.size()),
        targets_(blocks_.superblock_count() + size_t{1}) {
    for (uint32_t i = 0; i < wanted.size(); ++i) wanted_[{wanted[i]->ip, wanted[i]->store}] = i;
  }

  void event(const Event& e) {
    if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) {
      stacks_.block(e.thread, e.block);
      if (e.kind == EventKind::kBlock) block(e);
      return;
    }
    stacks_.event(e);
    live_.event(e, stacks_, libraries_);
    if (e.kind == EventKind::kThreadStart) start_thread(e);
    if (e.kind == EventKind::kThreadEnd) end_thread(e.thread);
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
    analysis::LiveBlocks::Found found;  // where the last access was
    uint64_t version = 0;               // of live_, then
  };

  struct ThreadStack {
    AddrRange range;
    ThreadId thread;
  };

  void block(const Event& e) {
    const std::vector<Target>& targets = targets_of(e);
    if (targets.empty()) return;
    const std::span<const Access> accesses = trace::extent_of(e, blocks_).accesses;
    for (const Target& t : targets) {
      if (t.access >= accesses.size()) return;
      const Access& a = accesses[t.access];
      if (happened(a, e.words))
        count(walks_[t.walk], number_of(walks_[t.walk], e.thread, address_of(a, e.words), t.by));
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

  uint32_t number_of(Walk& w, ThreadId thread, uint64_t addr, CodeAddr by) {
    if (w.version != live_.version() || !w.found.range.contains(addr)) {
      w.found = live_.at(addr);
      w.version = live_.version();
    }
    if (const uint32_t by_calls = w.found.allocation)
      return numbers_.in_block(by_calls, live_.allocation(by_calls), w.found.size, addr - w.found.range.begin);
    // Where another thread stands in its function is not known.
    const ThreadId owner = owner_of_stack(addr, thread);
    const CodeAddr at = owner == thread ? by : CodeAddr();
    if (const auto frame = analysis::frame_place(stacks_.frames(owner), addr, at)) return numbers_.in_frame(*frame);
    return numbers_.elsewhere(addr, thread.value < pthreads_.size() ? pthreads_[thread.value] : 0, by);
  }

  // The first thread's stack grows by itself.
  void start_thread(const Event& e) {
    constexpr uint64_t kFirstStackBytes = 8 << 20;  // as the system allows by default
    AddrRange stack = e.range;
    if (!e.child && stack.end > kFirstStackBytes) stack.begin = std::min(stack.begin, stack.end - kFirstStackBytes);
    stacks_of_threads_.push_back({stack, e.thread});
    if (e.thread.value >= pthreads_.size()) pthreads_.resize(e.thread.value + size_t{1});
    pthreads_[e.thread.value] = e.value;
  }
  void end_thread(ThreadId t) {
    std::erase_if(stacks_of_threads_, [t](const ThreadStack& s) { return s.thread == t; });
  }
  ThreadId owner_of_stack(uint64_t addr, ThreadId otherwise) const {
    const auto owner = std::find_if(stacks_of_threads_.begin(), stacks_of_threads_.end(),
                                    [addr](const ThreadStack& s) { return s.range.contains(addr); });
    return owner == stacks_of_threads_.end() ? otherwise : owner->thread;
  }

  static void count(Walk& w, uint32_t object) {
    auto& all = w.result.objects;
    const auto known = std::find_if(all.begin(), all.end(), [&](const ObjectCount& o) { return o.object == object; });
    if (known != all.end())
      ++known->accesses;
    else if (all.size() < WalkedObjects::kMostObjects)
      all.push_back({object, 1});
    else
      ++w.result.others;
  }

  const BlockTable& blocks_;
  const std::vector<bool>& libraries_;
  ObjectNumbers& numbers_;
  const std::vector<bool> shim_;
  analysis::CallStacks stacks_;
  analysis::LiveBlocks live_;
  std::vector<uint64_t> pthreads_;  // by thread
  std::vector<ThreadStack> stacks_of_threads_;
  std::map<std::pair<CodeAddr, bool>, uint32_t> wanted_;
  std::vector<Walk> walks_;
  std::vector<std::optional<std::vector<Target>>> targets_;  // by superblock
};

}  // namespace

std::vector<WalkedObjects> find_objects(const trace::TraceFile& file, const std::vector<const AccessPattern*>& wanted,
                                        const std::vector<bool>& libraries, ObjectNumbers& numbers,
                                        analysis::WatchedPart& part) {
  ObjectFinder finder(file, wanted, libraries, numbers);
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e) && part.goes_on(cursor.index());) finder.event(e);
  return finder.take();
}

}  // namespace cdr::patterns
