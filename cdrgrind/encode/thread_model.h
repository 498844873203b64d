// SPDX-License-Identifier: GPL-2.0-or-later
// What encoder and decoder of the compact form both know about a thread at a place in the stream: SP, the frames of
// its stacks and their functions, and which event is bound to follow. Calls and returns are not written: a block that
// ends in one is followed by that event, with the SP that the block's instructions give. Where a stream is otherwise,
// it says so. Functions are not written either: the first block of a frame names it, as base/event.h says.
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

// Where a call pushes its return address: the word of a slot and a constant. Slot 0: the block is no call, or has no
// such word.
struct Push {
  uint16_t slot = 0;
  int64_t constant = 0;
};
Push push_of(const BlockTable& blocks, BlockId id);

// What is the same for each execution of a block.
struct BlockModel {
  uint64_t addr = 0;        // of the superblock
  uint64_t exit_ip = 0;     // of the instruction at the exit
  int64_t sp_constant = 0;  // of the last change of SP before the exit
  uint16_t sp_slot = SpChange::kSpAtEntry;
  uint16_t words = 0;
  uint16_t insns = 0;  // executed
  uint16_t accesses = 0;
  bool entry = false;  // kBlockFunctionEntry
  bool jumps = false;  // leaves by a jump
  bool plain = false;  // no function's entry, no call or return follows, SP changes by sp_constant
  Push push;
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
  const BlockModel& of_known(BlockId id) const { return models_[id.value]; }
  // The known one with the largest id; none if there is none.
  BlockId last() const { return BlockId(models_.empty() ? 0 : static_cast<uint32_t>(models_.size() - 1)); }

 private:
  void learn(BlockId id);
  const BlockTable& blocks_;
  std::vector<BlockModel> models_;  // by id
};

struct FrameModel {
  // SP at the entry of the function, as its call left it. For a call that follows from its block, and whose block has
  // the word, it is the address of the push: so it is found from the block's words alone.
  uint64_t sp = 0;
  uint64_t ip = 0;        // of the call; the interrupted instruction; 0
  uint64_t function = 0;  // address of the block that named the frame
  BlockId name;           // the block; none: nothing has named it yet
  bool jumped = false;    // the frame's last block left by a jump; kept here while another frame is above
  // A handler's on another stack than what it interrupted: that stack, as long as the thread has not gone back to it.
  StackId interrupted;
  bool operator==(const FrameModel&) const = default;
};

struct StackModel {
  StackId id;
  std::vector<FrameModel> frames;  // outermost first
};

class ThreadModel {
 public:
  // SP at the entry of the function that runs; 0 if no frame is known.
  uint64_t frame_sp() const { return frame_sp_; }
  uint64_t sp() const { return sp_; }
  uint64_t last_ip() const { return last_ip_; }

  // The thread executes a block, all of whose words are there.
  void block(const BlockModel& b, BlockId id, std::span<const uint64_t> words) {
    if (b.sp_slot == SpChange::kSpAtEntry) [[likely]]
      sp_ += static_cast<uint64_t>(b.sp_constant);
    else
      sp_ = static_cast<uint64_t>(b.sp_constant) + (b.sp_slot == 0 ? 0 : words[b.sp_slot - 1u]);
    block_without_words(b, id);
    if (b.then == EventKind::kCall)
      push_sp_ = b.push.slot == 0 ? sp_ : words[b.push.slot - 1u] + static_cast<uint64_t>(b.push.constant);
  }
  // The same for who wants to know nothing of SP, nor of the frames' SP.
  void block_without_words(const BlockModel& b, BlockId id) {
    if (!named_ || (b.entry && jumped_)) [[unlikely]]
      name(b, id);
    jumped_ = b.jumps;
    before_ = 0;
    last_ip_ = b.exit_ip;
    expected_ = b.then;
  }
  // Whether a plain block changes nothing but SP and the last ip.
  bool takes_plain() const { return named_ && expected_ == EventKind::kNone; }
  // It executes plain blocks, which change SP by so much; the last one is `b`.
  void plain_blocks(const BlockModel& b, uint64_t sp_change) {
    sp_ += sp_change;
    jumped_ = b.jumps;
    before_ = 0;
    last_ip_ = b.exit_ip;
  }
  // Whether this block, if it is the next, gives the frame another name.
  bool names(const BlockModel& b) const {
    if (named_ && !(b.entry && jumped_)) [[likely]]
      return false;
    return !frames().empty() && (!named_ || frames().back().function != b.addr);
  }
  bool named() const { return named_; }
  // Whether the last event of the thread opened the frame.
  bool opened() const { return before_ & kOpened; }

  // The kind of the event that is bound to follow the last block, kNone if there is none or it has followed.
  EventKind expected() const { return expected_; }
  // It; only `kind`, `sp` and `ip` mean something.
  Event expected_event() const;
  bool is_expected(const Event& e) const {
    return e.kind == expected_ && e.sp == sp_ && (e.kind == EventKind::kReturn || e.ip == last_ip_);
  }
  // Of the step behind that block.
  bool is_expected(const RunStep& s) const { return s.kind() == expected_ && s.sp == sp_; }
  // It happens.
  void follow_expected();

  // Any event of the thread, but a Block with all its words and the event that was expected.
  void event(const Event& e, BlockModels& models);

  // The state as a whole, at the start of an epoch.
  struct State {
    uint64_t sp = 0, last_ip = 0, push_sp = 0;
    EventKind expected = EventKind::kNone;
    bool jumped = false;
    uint32_t stack = 0;  // in stacks
    std::vector<StackModel> stacks = std::vector<StackModel>(1);
    // Null if the thread has never been on it.
    const StackModel* find(StackId id) const {
      for (const StackModel& s : stacks)
        if (s.id == id) return &s;
      return nullptr;
    }
  };
  State state() const { return {sp_, last_ip_, push_sp_, expected_, jumped_, stack_, stacks_}; }
  void set_state(State s);
  // What happened just before does not count: an epoch begins.
  void begin_epoch() { before_ = 0; }

 private:
  enum : uint8_t { kOpened = 1, kSwitched = 2 };
  void enter_signal(const Event& e, bool switched);
  void resume(StackId stack);
  void push(uint64_t sp, uint64_t ip);
  void pop(uint32_t count);
  void switch_to(StackId stack);
  void name(const BlockModel& b, BlockId id);
  void enter_top();
  std::vector<FrameModel>& frames() { return stacks_[stack_].frames; }
  const std::vector<FrameModel>& frames() const { return stacks_[stack_].frames; }

  uint64_t sp_ = 0, last_ip_ = 0, frame_sp_ = 0;
  uint64_t push_sp_ = 0;  // of the call that is expected
  EventKind expected_ = EventKind::kNone;
  bool jumped_ = false;  // the last block of the frame that runs left by a jump
  bool named_ = true;    // the frame that runs has a name, or there is none
  uint8_t before_ =
      0;               // what the last event did: it opened a frame; it, or one with only Pops since, was a StackSwitch
  uint32_t left_ = 0;  // in stacks_: where the last StackSwitch came from
  uint32_t stack_ = 0;  // in stacks_
  uint32_t marks_ = 0;  // at least as many frames have `interrupted`
  std::vector<StackModel> stacks_ = std::vector<StackModel>(1);
};

// Whether an event of this kind may stand between a block and the call or return that is bound to follow it.
constexpr bool keeps_expected(EventKind kind) { return kind == EventKind::kPop || kind == EventKind::kStackSwitch; }

}  // namespace cdr

#endif
