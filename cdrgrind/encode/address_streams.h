// SPDX-License-Identifier: GPL-2.0-or-later
// The words of blocks: one stream for each (thread, block, base slot), its values in the order of execution
// (Goel, Roychoudhury and Mitra 2003, section 2.4: Diff, RLE, SEQ).
//
//  * A value is the word less the stream's base: the frame's SP (ThreadModel::frame_sp) if the first word of the
//    stream lay near it, else 0. So a local variable has one value, however deep the recursion. The word of a call's
//    push is never relative: it tells the frame's SP.
//  * Diff: the difference to the value before; the first value stands in a column of its own. RLE: equal differences
//    are one run. A run's difference is a terminal of the epoch's alphabet, its length the exponent.
//  * SEQ: the runs go into one grammar for all streams, a string for each. A stream of at most kFewRuns runs has
//    them in columns instead. A stream whose runs do not repeat, or too little for runs as short as they are, is a
//    *residual*: from then on its differences are varints in a column.
//  * A word of 0 in the slot of a guarded access did not happen and is no value; the stream's *presence* (0 or 1,
//    run-length) is a string of its own.
//
// Nothing says how many values a stream has: a reader takes one for each execution of the block.
//
// How a stream is written depends on its values alone. Everything restarts with the epoch.
#ifndef CDRGRIND_ENCODE_ADDRESS_STREAMS_H
#define CDRGRIND_ENCODE_ADDRESS_STREAMS_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/bytes.h"
#include "cdrgrind/base/event.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/encode/byte_strings.h"
#include "cdrgrind/encode/sequitur.h"

namespace cdr {

enum class StreamForm : uint8_t {
  kFew = 0,       // runs in columns
  kGrammar = 1,   // a string
  kResidual = 2,  // a string, possibly empty, then differences
};
// A stream's form and what else it is: one byte in the directory.
constexpr uint8_t kStreamFormBits = 3;
constexpr uint8_t kStreamRelative = 4;  // to the frame's SP
constexpr uint8_t kStreamGuarded = 8;   // has a presence
constexpr uint8_t kStreamStarted = 16;  // has a value

constexpr uint32_t kFewRuns = 16;
// Words this near to the frame's SP are taken for the frame's own.
constexpr uint64_t kNearFrame = 1 << 16;

constexpr bool near_frame(uint64_t word, uint64_t frame_sp) {
  return frame_sp != 0 && word - frame_sp + kNearFrame < 2 * kNearFrame;
}

// The columns of ADDRESS frames, in their order. Streams stand in the order (thread, block, slot).
enum AddressColumn : uint32_t {
  kAddrThreads,        // per thread with streams: serial less the one before, number of blocks
  kAddrBlocks,         // per block with streams: id less the one before of the thread
  kAddrForms,          // per stream: the byte above
  kAddrFirsts,         // per stream that has started: its first value less that of the one before
  kAddrFewCounts,      // kFew: number of runs
  kAddrFewDiffs,       // their differences
  kAddrFewLengths,     // their lengths, but the last one's: it has no end
  kAddrResidualSizes,  // kResidual: bytes of its differences
  kAddrResiduals,      // they
  kAddrDiffs,          // the terminals of the grammar: differences
  kAddrGrammar,        // five columns of the grammar; a string for each stream that is not kFew
  kAddrPresence = kAddrGrammar + kGrammarColumns,  // five columns; a string for each guarded stream
  kAddrColumns = kAddrPresence + kGrammarColumns
};

class AddressStreams {
 public:
  explicit AddressStreams(const BlockTable& blocks) : blocks_(blocks) {}

  // The words of one execution of `id`. `words` are as many as its exit says. Returns the first one's stream; the
  // others' follow.
  uint32_t add(ThreadId thread, BlockId id, std::span<const uint64_t> words, uint64_t frame_sp) {
    if (words.empty()) return 0;
    const uint32_t first = first_stream(thread, id);
    add(first, words.data(), static_cast<uint32_t>(words.size()), frame_sp);
    return first;
  }
  void add(uint32_t stream, const uint64_t* words, uint32_t count, uint64_t frame_sp) {
    Stream* const s = streams_.data() + stream;
    for (uint32_t i = 0; i < count; ++i) put(s[i], words[i], frame_sp);
  }
  // A block of `count` words is executed at most `times` times, at run[0], run[step], run[2 * step] …: how many of them
  // at the start go on as all its streams did before.
  size_t even(uint32_t stream, const RunStep* run, size_t step, size_t times, uint64_t frame_sp) const;
  // These so many executions.
  void add_even(uint32_t stream, uint32_t count, size_t times) {
    Stream* const s = streams_.data() + stream;
    for (uint32_t i = 0; i < count; ++i) {
      s[i].last += times * static_cast<uint64_t>(s[i].stride);
      s[i].length += static_cast<uint32_t>(times);
    }
  }

  // What the epoch takes in memory, as it grows.
  size_t bytes() const;
  // Guarded accesses that did not happen, since construction.
  uint64_t absent() const { return absent_; }
  // kAddrColumns columns.
  std::vector<ByteWriter> columns();
  void clear();

 private:
  struct DiffRun {
    int64_t diff;
    uint32_t length;
  };
  // What each value needs; the rest is Rest.
  struct Stream {
    uint64_t last = 0;
    union {
      int64_t stride = 0;  // of the open run
      uint8_t* at;         // kResidual: where its differences go on
    };
    uint32_t length = 0;  // of the open run; 0: none
    uint16_t room = 0;    // kResidual: behind `at`
    uint8_t flags = 0;
    bool push = false;  // of a call: never relative
    StreamForm form() const { return static_cast<StreamForm>(flags & kStreamFormBits); }
    void set_form(StreamForm f) { flags = static_cast<uint8_t>((flags & ~kStreamFormBits) | static_cast<uint8_t>(f)); }
  };
  struct Rest {
    uint64_t first = 0;
    uint32_t few = 0;       // kFew: index into few_ + 1, 0 none
    uint32_t residual = 0;  // kResidual: in residuals_
    uint32_t string = 0;    // kGrammar, kResidual: in values_
    uint32_t presence = 0;  // kStreamGuarded: string in presence_
    // kGrammar: of the runs since the stream was judged last, their number and values, and by how many symbols they
    // made the grammar grow.
    uint32_t runs = 0;
    int32_t growth = 0;
    uint64_t values = 0;
    bool judged = false;
  };
  struct ThreadTable {
    std::vector<uint32_t> first;  // by block id: index of its first stream + 1
  };

  uint32_t first_stream(ThreadId thread, BlockId id) {
    if (thread.value < threads_.size() && id.value < threads_[thread.value].first.size()) [[likely]]
      if (const uint32_t f = threads_[thread.value].first[id.value]) return f - 1;
    return add_block(thread, id);
  }
  void put(Stream& s, uint64_t word, uint64_t frame_sp) {
    if (s.flags & kStreamGuarded) [[unlikely]] {
      presence_.append(rest_of(s).presence, word != 0);
      absent_ += word == 0;
      if (word == 0) return;
    }
    const uint64_t value = s.flags & kStreamRelative ? word - frame_sp : word;
    const auto diff = static_cast<int64_t>(value - s.last);
    s.last = value;
    if (diff == s.stride && s.length - 1 < ~0u - 1) [[likely]] {
      ++s.length;
      return;
    }
    break_run(s, diff, word, frame_sp);
  }
  uint32_t add_block(ThreadId thread, BlockId id);
  void break_run(Stream& s, int64_t diff, uint64_t word, uint64_t frame_sp);
  void close_run(Stream& s);
  void leave_few(Stream& s);
  void append(Stream& s, DiffRun r);
  void put_residual(Stream& s, int64_t diff) {
    if (!ByteStrings::has_room(s.room)) [[unlikely]]
      residuals_.make_room(rest_of(s).residual, s.at, s.room);
    ByteStrings::put(diff, s.at, s.room);
  }
  Rest& rest_of(const Stream& s) { return rests_[static_cast<size_t>(&s - streams_.data())]; }
  uint32_t terminal_of(int64_t diff);

  const BlockTable& blocks_;
  std::vector<ThreadTable> threads_;  // by serial
  std::vector<Stream> streams_;
  std::vector<Rest> rests_;  // of each stream
  std::vector<std::vector<DiffRun>> few_;
  ByteStrings residuals_;
  FlatMap<int64_t, uint32_t> terminals_;
  std::vector<int64_t> diffs_;  // by terminal
  Sequitur values_, presence_;
  uint64_t absent_ = 0;
};

}  // namespace cdr

#endif
