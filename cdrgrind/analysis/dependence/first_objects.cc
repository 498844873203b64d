// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/dependence/first_objects.h"

#include <algorithm>

#include "cdrgrind/analysis/dependence/access_steps.h"
#include "cdrgrind/analysis/events/call_stacks.h"
#include "cdrgrind/analysis/events/live_blocks.h"
#include "cdrgrind/analysis/events/visit.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::analysis {
namespace {

using depend::Kind;

struct Wanted {
  uint64_t begin = 0, end = 0;  // the cell of the byte
  CodeAddr target;
  ThreadId source_thread, target_thread;
  bool source_store = false, target_store = false;
  bool source_seen = false, found = false;
  uint32_t number = 0;  // among all
  uint32_t next = 0;    // of the same word: its index + 1
};

class Finder {
 public:
  Finder(const trace::TraceFile& file, const std::vector<bool>& libraries)
      : blocks_(file.blocks()),
        libraries_(libraries),
        shim_(shim_modules(file.modules())),
        stacks_(blocks_, libraries_, shim_) {}

  void want(const depend::ResultTable& table, std::span<const uint32_t> rows) {
    std::vector<uint64_t> steps;
    for (const uint32_t r : rows) {
      const depend::Row& row = table.rows()[r];
      steps.push_back(row.witness.step);
      found_.emplace_back().addr = row.witness.addr;
      witnesses_.push_back(row.witness);
      if (row.witness.step == 0) look_for(row, table.granularity());
    }
    steps_.emplace(steps);
  }

  bool done() const { return left_ == 0 && steps_->done(); }

  void event(const Event& e, uint64_t index) {
    if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) {
      stacks_.block(e.thread, e.block);
      if (left_ > 0) {
        const Superblock& sb = blocks_.superblock_of(e.block);
        visit_accesses(e, blocks_, [&](const Seen& s) { access(e.thread, sb, s); });
      }
    }
    steps_->event(e, [&](uint32_t number) {
      look(e.thread, witnesses_[number].target, found_[number]);
      found_[number].place = place_of(e, index, witnesses_[number]);
    });
    if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) {
      ++executed(e.thread);
      instructions_ += trace::extent_of(e, blocks_).insns;
    } else {
      other_event(e);
    }
  }

  // How many executions of that block may come again without being looked at.
  uint64_t indifferent() const { return left_ > 0 ? 0 : steps_->before_next(); }
  void again(const Event& e, uint64_t times) {
    steps_->pass(times);
    executed(e.thread) += times;
    instructions_ += times * trace::extent_of(e, blocks_).insns;
  }

  std::vector<FirstObject> take() { return std::move(found_); }

 private:
  static constexpr uint64_t kWord = 64;  // no cell is larger

  // Without a step.
  void look_for(const depend::Row& row, uint64_t cell) {
    Wanted w;
    w.number = static_cast<uint32_t>(found_.size() - 1);
    w.begin = row.witness.addr / cell * cell;
    w.end = w.begin + cell;
    w.target = row.witness.target;
    w.source_thread = row.key.source_thread;
    w.target_thread = row.key.target_thread;
    w.source_store = row.key.kind != Kind::kWar;
    w.target_store = row.key.kind != Kind::kRaw;
    wanted_.push_back(w);
    uint32_t& first = by_word_[w.begin / kWord];
    wanted_.back().next = first;
    first = static_cast<uint32_t>(wanted_.size());
    ++left_;
  }

  void other_event(const Event& e) {
    stacks_.event(e);
    if (e.kind == EventKind::kThreadStart) {
      if (e.thread.value >= pthreads_.size()) pthreads_.resize(e.thread.value + 1);
      pthreads_[e.thread.value] = e.value;
    }
    live_.event(e, stacks_, libraries_);
  }

  uint64_t& executed(ThreadId thread) {
    if (thread.value >= executed_.size()) executed_.resize(thread.value + 1);
    return executed_[thread.value];
  }
  FirstPlace place_of(const Event& e, uint64_t index, const depend::Witness& w) {
    FirstPlace place{e.thread, index, executed(e.thread), instructions_, w.target, w.width};
    if (e.kind == EventKind::kSyscall) return place;
    const Superblock& sb = blocks_.superblock_of(e.block);
    uint32_t insn = 0;
    while (insn < sb.insns.size() && sb.insn_addr(insn) != w.target.addr) ++insn;
    if (insn < sb.insns.size()) place.instructions += insn;
    return place;
  }

  void access(ThreadId thread, const Superblock& sb, const Seen& s) {
    for (uint64_t word = s.addr / kWord; word <= (s.addr + s.width - 1) / kWord; ++word) {
      for (uint32_t* link = by_word_.find(word); link && *link;) {
        Wanted& w = wanted_[*link - 1];
        if (w.found) {
          *link = w.next;
          continue;
        }
        if (s.addr < w.end && w.begin < s.addr + s.width)
          meet(w, thread, {sb.module, sb.insn_addr(s.access->insn)}, s.store);
        link = &w.next;
      }
    }
  }

  void meet(Wanted& w, ThreadId thread, CodeAddr at, bool store) {
    if (w.source_seen && at == w.target && thread == w.target_thread && store == w.target_store) {
      w.found = true;
      --left_;
      return look(thread, at, found_[w.number]);
    }
    if (thread == w.source_thread && store == w.source_store)
      w.source_seen = true;
    else if (store)
      w.source_seen = false;
  }

  void look(ThreadId thread, CodeAddr at, FirstObject& to) {
    if (const LiveBlocks::Found block = live_.at(to.addr); block.allocation) {
      const AllocatingCalls& by = live_.allocation(block.allocation);
      to.kind = FirstObject::Kind::kHeap;
      to.size = block.size;
      to.offset = to.addr - block.range.begin;
      to.allocated = by.calls;
      to.direct = by.direct;
      return;
    }
    to.kind = FirstObject::Kind::kElsewhere;
    to.by = at;
    if (thread.value < pthreads_.size()) to.pthread = pthreads_[thread.value];
    // The innermost frame that begins above the byte, if it is one of the present stack.
    const auto frame = frame_place(stacks_.frames(thread), to.addr, at);
    if (!frame) return;
    to.kind = FirstObject::Kind::kFrame;
    to.frame = *frame;
  }

  const BlockTable& blocks_;
  const std::vector<bool>& libraries_;
  const std::vector<bool> shim_;
  CallStacks stacks_;
  LiveBlocks live_;
  std::vector<uint64_t> pthreads_;  // by thread
  std::optional<AccessSteps> steps_;
  std::vector<depend::Witness> witnesses_;  // of all
  std::vector<uint64_t> executed_;          // blocks, by thread
  uint64_t instructions_ = 0;
  std::vector<Wanted> wanted_;  // those without a step
  std::vector<FirstObject> found_;
  FlatMap<uint64_t, uint32_t> by_word_;  // the first of them + 1
  size_t left_ = 0;
};

}  // namespace

std::vector<FirstObject> first_objects(const trace::TraceFile& file, const depend::ResultTable& table,
                                       std::span<const uint32_t> rows, const std::vector<bool>& libraries,
                                       const Progress& progress) {
  constexpr uint64_t kBetween = 1 << 16;
  Finder finder(file, libraries);
  finder.want(table, rows);
  trace::Cursor cursor(file);
  for (Event e; !finder.done() && cursor.next(e);) {
    if (progress && cursor.index() % kBetween == 0) progress("names of data", cursor.index(), file.event_count());
    finder.event(e, cursor.index());
    if (e.kind != EventKind::kBlock) continue;
    const uint64_t times = std::min(finder.indifferent(), cursor.repeats());
    finder.again(e, times);
    cursor.pass(times);
  }
  return finder.take();
}

}  // namespace cdr::analysis
