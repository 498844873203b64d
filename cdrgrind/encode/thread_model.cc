// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/thread_model.h"

#include <algorithm>

#include "cdrgrind/encode/event_fields.h"

namespace cdr {
namespace {

EventKind event_after(ExitKind exit) {
  if (is_call(exit)) return EventKind::kCall;
  return exit == ExitKind::kReturn ? EventKind::kReturn : EventKind::kNone;
}

}  // namespace

void BlockModels::learn(BlockId id) {
  for (auto next = std::max<uint32_t>(1, static_cast<uint32_t>(models_.size())); next <= id.value; ++next) {
    const Superblock& sb = blocks_.superblock_of(BlockId(next));
    const Exit& exit = blocks_.exit_of(BlockId(next));
    BlockModel m;
    m.exit_ip = exit_addr(sb, exit);
    m.words = exit.words;
    m.then = event_after(exit.kind);
    if (exit.sp_changes > 0) {
      const SpChange& last = sb.sp_changes[exit.sp_changes - 1u];
      m.sp_constant = last.constant;
      m.sp_slot = last.slot;
    }
    models_.resize(next + 1);
    models_[next] = m;
  }
}

Event ThreadModel::expected_event() const {
  Event e;
  e.kind = expected_;
  e.sp = sp_;
  if (expected_ == EventKind::kCall) e.ip = last_ip_;
  return e;
}

void ThreadModel::event(const Event& e) {
  if (!keeps_expected(e.kind)) forget_expected();
  switch (e.kind) {
    case EventKind::kCall:
    case EventKind::kSignalEnter:
      push(e.sp);
      break;
    case EventKind::kReturn:
    case EventKind::kSignalLeave:
      pop(1);
      break;
    case EventKind::kPop:
      pop(e.count);
      break;
    case EventKind::kThreadStart:
      switch_to(e.stack);
      push(e.sp);
      break;
    case EventKind::kStackSwitch:
      switch_to(e.stack);
      if (frames().empty()) push(e.sp);
      break;
    default:
      break;
  }
  if ((fields_of(e.kind) & kFieldSp) && e.sp != 0) sp_ = e.sp;
  if (fields_of(e.kind) & kFieldIp) last_ip_ = e.ip;
}

void ThreadModel::push(uint64_t sp) {
  frames().push_back(sp);
  frame_sp_ = sp;
}

void ThreadModel::pop(uint32_t count) {
  auto& f = frames();
  f.resize(f.size() - std::min<size_t>(count, f.size()));
  frame_sp_ = f.empty() ? 0 : f.back();
}

void ThreadModel::switch_to(StackId stack) {
  const auto known = std::find(stack_ids_.begin(), stack_ids_.end(), stack.value);
  stack_ = static_cast<uint32_t>(known - stack_ids_.begin());
  if (known == stack_ids_.end()) {
    stack_ids_.push_back(stack.value);
    stacks_.emplace_back();
  }
  frame_sp_ = frames().empty() ? 0 : frames().back();
}

}  // namespace cdr
