// SPDX-License-Identifier: GPL-2.0-or-later
// What encoder and decoder of the compact form both know about a thread at a place in the stream: SP, the SP of
// its frames, and which event is bound to follow. Calls and returns are not written: a block that ends in one is
// followed by that event, with the SP that the block's instructions give. Where a stream is otherwise, it says so.
//
// Nothing here is trusted or checked: a model of a stream that makes no sense makes no sense either, but both
// sides have the same.
#ifndef CDRGRIND_ENCODE_THREAD_MODEL_H
#define CDRGRIND_ENCODE_THREAD_MODEL_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/event.h"

namespace cdr {

// What is the same for each execution of a block.
struct BlockModel {
  uint64_t exit_ip = 0;     // of the instruction at the exit
  int64_t sp_constant = 0;  // of the last change of SP before the exit
  uint16_t sp_slot = SpChange::kSpAtEntry;
  uint16_t words = 0;
  EventKind then = EventKind::kNone;  // kCall, kReturn or kNone
};

class BlockModels {
 public:
  explicit BlockModels(const BlockTable& blocks) : blocks_(blocks) {}
  const BlockModel& operator[](BlockId id) {
    if (id.value >= models_.size()) [[unlikely]]
      learn(id);
    return models_[id.value];
  }
  bool known(BlockId id) const { return id.value < models_.size(); }

 private:
  void learn(BlockId id);
  const BlockTable& blocks_;
  std::vector<BlockModel> models_;  // by id
};

class ThreadModel {
 public:
  // SP at the entry of the function that runs, as its call left it; 0 if no frame is known.
  uint64_t frame_sp() const { return frame_sp_; }
  uint64_t sp() const { return sp_; }
  uint64_t last_ip() const { return last_ip_; }

  // The thread executes a block, all of whose words are there.
  void block(const BlockModel& b, std::span<const uint64_t> words) {
    if (b.sp_slot == SpChange::kSpAtEntry) [[likely]]
      sp_ += static_cast<uint64_t>(b.sp_constant);
    else
      sp_ = static_cast<uint64_t>(b.sp_constant) + (b.sp_slot == 0 ? 0 : words[b.sp_slot - 1u]);
    last_ip_ = b.exit_ip;
    expected_ = b.then;
  }
  // The kind of the event that is bound to follow the last block, kNone if there is none or it has followed.
  EventKind expected() const { return expected_; }
  void forget_expected() { expected_ = EventKind::kNone; }
  // It; only `kind`, `sp` and `ip` mean something.
  Event expected_event() const;
  bool is_expected(const Event& e) const {
    return e.kind == expected_ && e.sp == sp_ && (e.kind == EventKind::kReturn || e.ip == last_ip_);
  }

  // Any event of the thread but Block.
  void event(const Event& e);

 private:
  void push(uint64_t sp);
  void pop(uint32_t count);
  void switch_to(StackId stack);
  std::vector<uint64_t>& frames() { return stacks_[stack_]; }

  uint64_t sp_ = 0, last_ip_ = 0, frame_sp_ = 0;
  EventKind expected_ = EventKind::kNone;
  uint32_t stack_ = 0;  // in stacks_
  std::vector<std::vector<uint64_t>> stacks_ = std::vector<std::vector<uint64_t>>(1);
  std::vector<uint32_t> stack_ids_ = {0};  // StackId of each
};

// Whether an event of this kind may stand between a block and the call or return that is bound to follow it.
constexpr bool keeps_expected(EventKind kind) { return kind == EventKind::kPop || kind == EventKind::kStackSwitch; }

}  // namespace cdr

#endif
