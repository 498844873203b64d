// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/task_frames.h"

#include <algorithm>
#include <utility>

#include "cdrgrind/trace/read/replay.h"

namespace cdr::races {

void TaskFrames::Frame::touch(AddrRange bytes) {
  touched = touched.empty() ? bytes : AddrRange{std::min(touched.begin, bytes.begin), std::max(touched.end, bytes.end)};
}

void TaskFrames::Frame::note_generations(const Generations& now) {
  parts.clear();
  for (uint64_t at = range.begin; at < range.end;) {
    const Generations::Found found = now.at(at);
    const uint64_t end = found.range.contains(at) ? std::min(found.range.end, range.end) : range.end;
    parts.push_back({{at, end}, found.id});
    at = end;
  }
}

GenerationId TaskFrames::Frame::generation_at(uint64_t addr) const {
  const auto part = std::find_if(parts.begin(), parts.end(), [addr](const Part& p) { return addr < p.range.end; });
  return part == parts.end() ? 0 : part->generation;
}

std::vector<TaskFrames::Frame::Part> TaskFrames::Frame::touched_parts() const {
  std::vector<Part> out;
  for (const Part& p : parts) {
    const AddrRange bytes{std::max(p.range.begin, touched.begin), std::min(p.range.end, touched.end)};
    if (!bytes.empty()) out.push_back({bytes, p.generation});
  }
  return out;
}

void TaskFrames::push(const Event& e) {
  Thread& t = thread(e.thread);
  t.sp = e.sp;
  open_on(t.stack).push_back({e.sp + sizeof(uint64_t), {t.module, e.ip}, 0});
}

void TaskFrames::move_sp(Thread& t, const Event& e) const {
  t.low = t.sp;
  for (const SpChange& c : trace::extent_of(e, blocks_).sp_changes)
    if (c.slot == SpChange::kSpAtEntry || c.slot <= e.words.size()) t.low = std::min(t.low, sp_after(c, t.sp, e.words));
  t.sp = trace::sp_behind(e, blocks_, t.sp);
}

void TaskFrames::operation(const Event& e) {
  const bool enters = e.kind == EventKind::kSyncEnter;
  Thread& t = thread(e.thread);
  switch (e.sync.op) {
    case SyncOp::kTaskCreate: {
      Strand& s = strand(t);
      const FrameId before = s.creating;
      s.creating = enters ? retained(known_here(t)) : 0;
      return release(before);
    }
    case SyncOp::kTaskData: {
      const FrameId known = enters ? 0 : strand(t).creating;
      if (!known) return;
      FrameId& of_task = tasks_[e.sync.object];
      release(std::exchange(of_task, retained(known)));
      return;
    }
    // What its members may refer to besides the region's own, which waits for them.
    case SyncOp::kParallel:
      if (const FrameId known = strand(t).known; enters && known) {
        FrameId& of_team = teams_[e.sync.object];
        release(std::exchange(of_team, retained(known)));
      } else if (const auto team = teams_.find(e.sync.object); !enters && team != teams_.end()) {
        release(team->second);
        teams_.erase(team);
      }
      return;
    default:
      return;
  }
}

void TaskFrames::begins(ThreadId on, const strands::Strand& s) {
  if (strands::lies_on_another(s.kind)) return;
  Thread& t = thread(on);
  Strand next;
  if (s.kind == strands::StrandKind::kTask) {
    if (const auto task = tasks_.find(s.task); task != tasks_.end()) {
      next.known = task->second;
      tasks_.erase(task);
    }
  } else if (const auto team = teams_.find(s.team); team != teams_.end()) {
    next.known = retained(team->second);
  }
  next.stack = t.stack;
  next.depth = open_on(t.stack).size();
  strand(t);  // what the thread does by itself lies lowest
  t.strands.push_back(next);
}

void TaskFrames::ends(ThreadId on, const strands::Strand& s) {
  Thread& t = thread(on);
  if (strands::lies_on_another(s.kind) || t.strands.size() < 2) return;
  const Strand ended = t.strands.back();
  t.strands.pop_back();
  release(ended.known);
  release(ended.creating);
}

// The innermost frame that is the program's called a wrapper, below which the runtime's frames lie.
TaskFrames::FrameId TaskFrames::known_here(Thread& t) {
  const Strand& s = strand(t);
  auto& open = open_on(t.stack);
  size_t wrapper = open.size() - 1;
  while (wrapper > 0 && is_shim(open[wrapper].site)) --wrapper;
  const size_t first = s.stack == t.stack ? std::max<size_t>(s.depth, 1) : 1;
  if (wrapper <= first) return s.known;
  size_t known = wrapper;  // above which none is known yet
  while (known > first && !open[known - 1].frame) --known;
  FrameId around = known > first ? open[known - 1].frame : s.known;
  if (known > first) lower(frames_[around], open[known].base);
  for (size_t i = known; i < wrapper; ++i) {
    const FrameId id = add(open[i], open[i + 1].base, t.stack, around);
    frames_[id].outermost = i == first;
    open[i].frame = retained(id);
    around = id;
  }
  return around;
}

TaskFrames::FrameId TaskFrames::add(const Open& at, uint64_t low, StackId stack, FrameId around) {
  FrameId id = 0;
  if (free_.empty()) {
    id = static_cast<FrameId>(frames_.size());
    frames_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  Frame& f = frames_[id];
  const Frame& outer = frames_[around];
  f.serial = ++last_;
  f.range = {low, at.base};
  f.site = at.site;
  f.stack = stack;
  f.around = retained(around);
  const bool above = around && outer.stack == stack && outer.range.begin >= at.base;
  f.stack_end = above ? outer.stack_end : at.base;
  f.elsewhere = above ? outer.elsewhere : around;
  return id;
}

void TaskFrames::release(FrameId id) {
  while (id && --frames_[id].uses == 0) {
    const FrameId around = frames_[id].around;
    frames_[id] = {};
    free_.push_back(id);
    id = around;
  }
}

TaskFrames::Frame* TaskFrames::find(const Thread& t, FrameId known, uint64_t addr) {
  while (known) {
    const Frame& level = frames_[known];
    if (addr < level.range.begin || addr >= level.stack_end) {
      known = level.elsewhere;
      continue;
    }
    // Of frames that are gone others have the place now.
    if (level.stack == t.strands.back().stack && own_frames(t).contains(addr)) return nullptr;
    for (FrameId id = known; id && frames_[id].stack == level.stack; id = frames_[id].around) {
      if (addr < frames_[id].range.begin) return nullptr;
      if (addr < frames_[id].range.end) return &frames_[id];
    }
    return nullptr;
  }
  return nullptr;
}

// The strand's, as far as they reach now; behind SP there may be 128 bytes.
AddrRange TaskFrames::own_frames(const Thread& t) {
  constexpr uint64_t kRedZone = 128;
  const Strand& s = t.strands.back();
  const auto& open = open_on(s.stack);
  if (t.stack != s.stack || open.size() <= s.depth) return {};
  return {t.low - std::min(t.low, kRedZone), open[s.depth].base};
}

std::vector<CodeAddr> TaskFrames::creation(ThreadId t) const {
  std::vector<CodeAddr> calls;
  if (t.value >= threads_.size() || threads_[t.value].strands.empty()) return calls;
  for (FrameId id = threads_[t.value].strands.back().known; id; id = frames_[id].around) {
    if (!is_shim(frames_[id].site)) calls.push_back(frames_[id].site);
    if (frames_[id].outermost) break;
  }
  return calls;
}

CodeAddr TaskFrames::stood(ThreadId t, uint64_t addr, CodeAddr created) {
  const Frame* const f = find(t, addr);
  if (!f) return {};
  CodeAddr at = created;
  for (FrameId id = threads_[t.value].strands.back().known; &frames_[id] != f; id = frames_[id].around)
    at = frames_[id].outermost ? CodeAddr() : frames_[id].site;
  return at;
}

}  // namespace cdr::races
