// SPDX-License-Identifier: GPL-2.0-or-later
// Events as bytes. An event is a varint tag and the members that its kind has (event_fields.h):
//
//     tag 0                     the block that followed the block before last time, its words
//     tag 1 … kFirstBlockTag-1  EventKind, its members; and the two below
//     tag >= kFirstBlockTag     block tag - kFirstBlockTag + 1, its words
//
// A word is the difference to the word that the same (superblock, slot) had last, zigzag; the first one in
// a frame to the word before it in the stream. The code 1 is the word 0 (a guarded access that did not
// happen), which leaves the last word as it is: a difference of -1 takes the code that 0 would have had.
//
// All state restarts with each frame. It is never cleared: entries carry the number of the frame (epoch)
// in which they were made. Encoder and decoder keep it in the same class, CodecState.
#ifndef CDRGRIND_ENCODE_EVENT_CODEC_H
#define CDRGRIND_ENCODE_EVENT_CODEC_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cdrgrind/base/bytes.h"
#include "cdrgrind/base/event.h"

namespace cdr {

constexpr uint32_t kTagPredicted = 0;  // the successor that the previous block had last time
constexpr uint32_t kTagThread = 46;    // no event: the thread changes without a Turn (start, end)
constexpr uint32_t kTagOddBlock = 47;  // a Block with another number of words than its exit says
constexpr uint32_t kFirstBlockTag = 48;

// Threads and stacks have serial numbers; larger ones are damage.
constexpr uint32_t kMaxSerial = 1 << 24;
// Readers keep tables by serial number, so a few bytes must not claim a high one: every thread and stack has an
// event that introduces it, but for those that a forked child has from its parent.
constexpr uint32_t max_serial(uint64_t events) {
  constexpr uint32_t kInherited = 1 << 16;
  return events < kMaxSerial - kInherited ? static_cast<uint32_t>(events) + kInherited : kMaxSerial;
}

// What encoder and decoder both know at a place in a frame.
class CodecState {
 public:
  explicit CodecState(const BlockTable& blocks) : blocks_(blocks) {}

  struct BlockState {
    uint32_t last_words = 0;  // index into words_ of the superblock's header; 0 = not yet known
    uint16_t words = 0;       // as the exit says
    uint16_t guarded = 0;     // 1 if an access before the exit is guarded
    uint64_t successor = 0;   // epoch << 32 | block that came next
    uint64_t exit_ip = 0;     // of the instruction at the exit
    uint64_t executions = 0;  // since construction; not part of the frame's state
  };

  void begin_frame(ThreadId thread);
  BlockState& block(uint32_t id) {
    if (id >= states_.size() || states_[id].last_words == 0) [[unlikely]]
      learn(id);
    return states_[id];
  }
  // The next block is `id`, which is known; whether it followed the block before also last time.
  bool follow(uint32_t id) {
    uint64_t& known = states_[last_block].successor;  // of block 0, which does not exist, never right
    const uint64_t successor = uint64_t{epoch_} << 32 | id;
    const bool same = known == successor && last_block != 0;
    known = successor;
    last_block = id;
    return same;
  }
  const std::vector<BlockState>& all_blocks() const { return states_; }
  // The superblock's last words; how many of them are valid in this frame comes first.
  uint64_t* last_words(const BlockState& s) {
    uint64_t* w = words_.data() + s.last_words;
    if ((*w >> 32) != epoch_) *w = uint64_t{epoch_} << 32;
    return w;
  }
  // Where the exit of the last block in this frame is: what the next `ip` is likely to be.
  uint64_t likely_ip() const;

  uint32_t epoch() const { return epoch_; }

  ThreadId thread;          // of the event before
  uint32_t last_block = 0;  // 0: none in this frame
  uint64_t last_word = 0;
  uint64_t last_ip = 0;
  uint64_t last_sp = 0;
  uint64_t last_addr = 0;
  uint64_t last_object = 0;

 private:
  friend class EventEncoder;
  void learn(uint32_t id);

  const BlockTable& blocks_;
  std::vector<BlockState> states_;     // by block id
  std::vector<uint32_t> superblocks_;  // by superblock id: index into words_
  std::vector<uint64_t> words_;        // per superblock: (epoch << 32 | valid words), words; [0] unused
  uint32_t epoch_ = 0;
};

class EventEncoder {
 public:
  // `limit`: bytes of a frame after which fits() says no.
  EventEncoder(const BlockTable& blocks, uint32_t limit);

  // Restarts the state; the bytes of the frame before are gone.
  void begin_frame(ThreadId thread);
  // Whether an event of at most `bytes` keeps the frame within the limit (an empty frame takes any).
  bool fits(size_t bytes) const { return used_ + bytes <= limit_ || used_ == 0; }
  static size_t block_bound(size_t words) { return 32 + 10 * words; }
  static size_t event_bound(const Event& e);

  void block(ThreadId thread, BlockId id, std::span<const uint64_t> words);
  // As many of the run's first steps as are blocks and fit; how many these were.
  size_t blocks(ThreadId thread, Steps run);
  void event(const Event& e);

  std::span<const uint8_t> bytes() const { return {buffer_.get(), used_}; }
  uint64_t event_count() const { return events_; }
  const CodecState& state() const { return state_; }
  // Guarded accesses of blocks that did not happen, since construction.
  uint64_t absent_accesses() const { return absent_; }

 private:
  void reserve(size_t bytes);
  void set_thread(ThreadId thread);
  void odd_block(BlockId id, std::span<const uint64_t> words);
  void count_absent(BlockId id, std::span<const uint64_t> words);
  size_t ordinary_blocks(Steps run);

  const BlockTable& blocks_;
  CodecState state_;
  std::unique_ptr<uint8_t[]> buffer_;
  size_t capacity_ = 0;
  size_t used_ = 0;
  size_t limit_;
  uint64_t events_ = 0;
  uint64_t absent_ = 0;
};

// The memory of a system call: list of delta(address, last address), varint size, u8 store.
void read_memory(ByteReader& in, uint64_t& last, std::vector<MemorySpan>& to);

// Reads one frame. Trusts nothing but the tables.
class EventDecoder {
 public:
  // kAny lets a Block or Partial pass that has another number of words than its exit or ip says: only for
  // readers that count the words themselves.
  enum class Words : uint8_t { kExact, kAny };
  // Threads and stacks with larger numbers than `max_serial` are damage.
  EventDecoder(const ModuleTable& modules, const BlockTable& blocks, Words check = Words::kExact,
               uint32_t max_serial = kMaxSerial);

  // `bytes` must stay until the last next().
  void begin_frame(std::span<const uint8_t> bytes, ThreadId thread);
  // False at the end of the frame and on damaged input: see error(). Spans in `e` are valid until the next call.
  bool next(Event& e);
  // Null, or what is wrong; stays until begin_frame().
  const char* error() const { return error_; }
  size_t position() const { return in_.position(); }

 private:
  bool fail(const char* what);
  bool read_predicted(Event& e);
  bool read_block(uint32_t id, Event& e);
  bool read_words(Event& e);
  bool read_odd_block(Event& e);
  bool read_fields(Event& e);
  bool check_partial(const Event& e);

  const ModuleTable& modules_;
  const BlockTable& blocks_;
  CodecState state_;
  ByteReader in_;
  std::vector<uint64_t> words_;
  std::vector<MemorySpan> memory_;
  const char* error_ = nullptr;
  Words check_;
  uint32_t max_serial_;
};

}  // namespace cdr

#endif
