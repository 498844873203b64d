// SPDX-License-Identifier: GPL-2.0-or-later
// The frames that were open where a task of a parallel runtime was created: to variables in them it may refer, and
// nothing but the program's synchronisation keeps them open until it has ended. What a task knows of frames is a chain,
// innermost first: those of its creator, those that its creator knew, and so on; tasks share what they have alike, and
// a frame is kept only as long as some task may refer to it.
//
// What is open around a parallel region stays so until all of its tasks have ended.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_TASK_FRAMES_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_TASK_FRAMES_H

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/races/core/generations.h"
#include "cdrgrind/analysis/races/core/segments.h"
#include "cdrgrind/analysis/strands/strand.h"
#include "cdrgrind/base/event.h"
#include "cdrgrind/base/flat_map.h"

namespace cdr::races {

class TaskFrames {
 public:
  using FrameId = uint32_t;  // 0: none

  struct Frame {
    uint64_t serial = 0;  // in the order of the tasks by which they became known: the same in all looks at a trace
    AddrRange range;
    CodeAddr site;  // the call
    StackId stack;
    FrameId around = 0;      // the next one of the chain
    uint64_t stack_end = 0;  // this one and those around it on the same stack lie below that address
    FrameId elsewhere = 0;   // the next one on another stack, or on this one and not above
    uint32_t uses = 0;
    bool outermost = false;  // of its strand
    bool left = false;

    // Of who follows the run.
    struct Part {
      AddrRange range;
      GenerationId generation = 0;
    };
    std::vector<Part> parts;  // when it was left: below it the frames of other strands may have begun
    FlatMap<uint32_t, SegmentNumber> touched_by;  // by strand: its last segment with an access
    AddrRange touched;                            // the bytes, from the first to the last
    ThreadId left_by;                             // strand
    SegmentNumber left_in = 0;                    // 0: no matter
    void touch(AddrRange bytes);
    void note_generations(const Generations& now);
    GenerationId generation_at(uint64_t addr) const;
    std::vector<Part> touched_parts() const;
  };

  // `shim`: see shim_modules().
  TaskFrames(const BlockTable& blocks, const std::vector<bool>& shim) : blocks_(blocks), shim_(shim), frames_(1) {}

  // left(thread, frame): one that tasks may refer to, before it is closed.
  template <class Left>
  void event(const Event& e, Left left) {
    switch (e.kind) {
      case EventKind::kBlock:
      case EventKind::kPartial:
        return block(e);
      case EventKind::kCall:
      case EventKind::kSignalEnter:
        return push(e);
      case EventKind::kReturn:
      case EventKind::kSignalLeave:
        thread(e.thread).sp = e.sp;
        return pop(e.thread, 1, left);
      case EventKind::kPop:
        return pop(e.thread, e.count, left);
      case EventKind::kStackSwitch:
      case EventKind::kThreadStart:
        thread(e.thread).stack = e.stack;
        thread(e.thread).sp = e.sp;
        return;
      case EventKind::kStackPointer:
      case EventKind::kGapEnd:
        thread(e.thread).sp = e.sp;
        return;
      case EventKind::kSyncEnter:
      case EventKind::kSyncLeave:
        return operation(e);
      default:
        return;
    }
  }
  // In place of blocks, as long as what the thread executes knows no frames.
  void passed(ThreadId t, BlockId last) { thread(t).module = blocks_.superblock_of(last).module; }
  void begins(ThreadId on, const strands::Strand& s);
  void ends(ThreadId on, const strands::Strand& s);

  // The frame that the address lies in, of those that what the thread executes knows from its creation; null: none, or
  // it is the strand's own.
  Frame* find(ThreadId t, uint64_t addr) {
    return knows_any(t) ? find(threads_[t.value], threads_[t.value].strands.back().known, addr) : nullptr;
  }
  // find() may find one.
  bool knows_any(ThreadId t) const {
    return t.value < threads_.size() && !threads_[t.value].strands.empty() && threads_[t.value].strands.back().known;
  }
  // Where what the thread executes was created, but for the call that did: the calls of the frames that were open then.
  std::vector<CodeAddr> creation(ThreadId t) const;
  // Where the function stood then in whose frame the address lies, if the task was created by the call `created`; none:
  // not known.
  CodeAddr stood(ThreadId t, uint64_t addr, CodeAddr created);

 private:
  struct Open {
    uint64_t base = 0;
    CodeAddr site;
    FrameId frame = 0;  // if tasks may refer to it
  };
  struct Strand {
    FrameId known = 0;
    FrameId creating = 0;  // what tasks know that it creates now
    StackId stack;
    size_t depth = 0;  // frames on its stack that are not its own
  };
  struct Thread {
    ModuleId module;
    StackId stack;
    uint64_t sp = 0;   // of one that executes a task
    uint64_t low = 0;  // the lowest in the block
    std::vector<Strand> strands;
  };

  Thread& thread(ThreadId t) {
    if (t.value >= threads_.size()) threads_.resize(t.value + 1);
    return threads_[t.value];
  }
  std::vector<Open>& open_on(StackId stack) {
    auto& all = stacks_[stack.value];
    if (all.empty()) all.emplace_back();
    return all;
  }
  void block(const Event& e) {
    Thread& t = thread(e.thread);
    t.module = blocks_.superblock_of(e.block).module;
    if (!t.strands.empty() && t.strands.back().known) move_sp(t, e);
  }
  void move_sp(Thread& t, const Event& e) const;
  void push(const Event& e);
  template <class Left>
  void pop(ThreadId t, size_t count, Left left) {
    auto& all = open_on(thread(t).stack);
    for (; count > 0 && all.size() > 1; --count) {
      const FrameId id = all.back().frame;
      if (id) {
        left(t, frames_[id]);
        frames_[id].left = true;
      }
      all.pop_back();
      release(id);
    }
  }
  void operation(const Event& e);
  Strand& strand(Thread& t) {
    if (t.strands.empty()) t.strands.emplace_back();
    return t.strands.back();
  }
  FrameId known_here(Thread& t);
  static void lower(Frame& f, uint64_t begin) { f.range.begin = f.range.begin < begin ? f.range.begin : begin; }
  FrameId add(const Open& at, uint64_t low, StackId stack, FrameId around);
  FrameId retained(FrameId id) {
    ++frames_[id].uses;
    return id;
  }
  void release(FrameId id);
  bool is_shim(CodeAddr c) const { return c.module.value < shim_.size() && shim_[c.module.value]; }
  Frame* find(const Thread& t, FrameId known, uint64_t addr);
  AddrRange own_frames(const Thread& t);

  const BlockTable& blocks_;
  const std::vector<bool>& shim_;
  std::vector<Thread> threads_;
  std::unordered_map<uint32_t, std::vector<Open>> stacks_;
  std::vector<Frame> frames_;  // by id
  std::vector<FrameId> free_;
  uint64_t last_ = 0;                            // serial
  std::unordered_map<uint64_t, FrameId> tasks_;  // that have not begun: what they know
  std::unordered_map<uint64_t, FrameId> teams_;  // of regions within tasks
};

}  // namespace cdr::races

#endif
