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

// The last store of the call instruction that has a word.
Push push_of(const BlockTable& blocks, BlockId id) {
  const Exit& exit = blocks.exit_of(id);
  Push p;
  if (!is_call(exit.kind)) return p;
  for (const Access& a : blocks.superblock_of(id).accesses.first(exit.accesses))
    if (a.store() && !a.guarded() && a.slot != 0 && a.insn + 1u == exit.insns) p = {a.slot, a.constant};
  return p;
}

void BlockModels::learn(BlockId id) {
  for (auto next = std::max<uint32_t>(1, static_cast<uint32_t>(models_.size())); next <= id.value; ++next) {
    const Superblock& sb = blocks_.superblock_of(BlockId(next));
    const Exit& exit = blocks_.exit_of(BlockId(next));
    BlockModel m;
    m.addr = sb.addr;
    m.entry = sb.flags & kBlockFunctionEntry;
    m.jumps = is_jump(exit.kind);
    m.exit_ip = exit_addr(sb, exit);
    m.words = exit.words;
    m.then = event_after(exit.kind);
    m.insns = static_cast<uint16_t>(exit.insns_executed());
    m.accesses = exit.accesses;
    m.push = push_of(blocks_, BlockId(next));
    if (exit.sp_changes > 0) {
      const SpChange& last = sb.sp_changes[exit.sp_changes - 1u];
      m.sp_constant = last.constant;
      m.sp_slot = last.slot;
    }
    m.plain = !m.entry && m.then == EventKind::kNone && m.sp_slot == SpChange::kSpAtEntry;
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

void ThreadModel::follow_expected() {
  if (expected_ == EventKind::kCall)
    push(push_sp_, last_ip_);
  else
    pop(1);
  before_ = expected_ == EventKind::kCall ? kOpened : 0;
  expected_ = EventKind::kNone;
}

void ThreadModel::event(const Event& e, BlockModels& models) {
  if (!keeps_expected(e.kind)) expected_ = EventKind::kNone;
  const uint8_t switched = before_ & kSwitched;
  before_ = 0;
  switch (e.kind) {
    case EventKind::kCall:
      push(e.sp, e.ip);
      break;
    case EventKind::kSignalEnter:
      enter_signal(e, switched);
      break;
    case EventKind::kReturn:
    case EventKind::kSignalLeave:
      pop(1);
      break;
    case EventKind::kPop:
      pop(e.count);
      before_ = switched;
      break;
    case EventKind::kThreadStart:
      switch_to(e.stack);
      push(e.sp, 0);
      break;
    case EventKind::kStackSwitch:
      left_ = stack_;
      if (marks_ != 0) resume(e.stack);
      switch_to(e.stack);
      if (frames().empty()) push(e.sp, 0);
      if (stack_ != left_) before_ |= kSwitched;
      break;
    case EventKind::kBlock:
    case EventKind::kPartial:
      if (names(models[e.block])) name(models[e.block], e.block);
      jumped_ = false;
      break;
    case EventKind::kEnter:
      name(models[e.block], e.block);
      break;
    default:
      break;
  }
  if ((fields_of(e.kind) & kFieldSp) && e.sp != 0) sp_ = e.sp;
  if (fields_of(e.kind) & kFieldIp) last_ip_ = e.ip;
}

void ThreadModel::push(uint64_t sp, uint64_t ip) {
  if (!frames().empty()) frames().back().jumped = jumped_;
  FrameModel f;
  f.sp = sp;
  f.ip = ip;
  frames().push_back(f);
  frame_sp_ = sp;
  jumped_ = named_ = false;
  before_ = kOpened;
}

// The StackSwitch was the handler's own if it told the same SP.
void ThreadModel::enter_signal(const Event& e, bool switched) {
  const bool own = switched && e.sp == sp_;
  push(e.sp, e.ip);
  if (!own) return;
  frames().back().interrupted = stacks_[left_].id;
  ++marks_;
}

// What was interrupted there goes on: the handlers have been left.
void ThreadModel::resume(StackId stack) {
  for (StackModel& s : stacks_)
    for (FrameModel& f : s.frames)
      if (f.interrupted == stack) f.interrupted = StackId();
}

void ThreadModel::pop(uint32_t count) {
  auto& f = frames();
  if (count == 0 || f.empty()) return;
  f.resize(f.size() - std::min<size_t>(count, f.size()));
  enter_top();
}

// Another frame runs than before.
void ThreadModel::enter_top() {
  const auto& f = frames();
  frame_sp_ = f.empty() ? 0 : f.back().sp;
  jumped_ = !f.empty() && f.back().jumped;
  named_ = f.empty() || f.back().name;
}

void ThreadModel::name(const BlockModel& b, BlockId id) {
  named_ = true;
  if (frames().empty() || (frames().back().name && frames().back().function == b.addr)) return;
  frames().back().name = id;
  frames().back().function = b.addr;
}

void ThreadModel::switch_to(StackId stack) {
  if (!frames().empty()) frames().back().jumped = jumped_;
  const auto known = std::find_if(stacks_.begin(), stacks_.end(), [&](const StackModel& s) { return s.id == stack; });
  stack_ = static_cast<uint32_t>(known - stacks_.begin());
  if (known == stacks_.end()) stacks_.push_back({stack, {}});
  enter_top();
}

void ThreadModel::set_state(State s) {
  sp_ = s.sp;
  last_ip_ = s.last_ip;
  push_sp_ = s.push_sp;
  expected_ = s.expected;
  stack_ = s.stack;
  stacks_ = std::move(s.stacks);
  enter_top();
  jumped_ = s.jumped;
  before_ = 0;
  marks_ = 0;
  for (const StackModel& stack : stacks_)
    for (const FrameModel& f : stack.frames) marks_ += f.interrupted ? 1 : 0;
}

}  // namespace cdr
