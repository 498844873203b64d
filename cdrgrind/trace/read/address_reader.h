// SPDX-License-Identifier: GPL-2.0-or-later
// Reads the columns of encode/address_streams.h: the words of blocks in the order of their execution. Trusts nothing
// but the tables.
#ifndef CDRGRIND_TRACE_READ_ADDRESS_READER_H
#define CDRGRIND_TRACE_READ_ADDRESS_READER_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/bytes.h"
#include "cdrgrind/trace/read/address_directory.h"

namespace cdr::trace {

class AddressReader {
 public:
  explicit AddressReader(const BlockTable& blocks) : directory_(blocks) {}

  // `columns` must stay until the last words(). False if they are damaged.
  bool begin(const Columns& columns);
  // The words of the next execution of `id` by the thread; `to` has as many as its exit says. False if there is none.
  bool words(ThreadId thread, BlockId id, uint64_t frame_sp, std::span<uint64_t> to) {
    if (to.empty()) return true;
    const uint32_t first = directory_.first_stream(thread, id);
    if (first == 0) return false;
    Progress* p = &progress_[first - 1];
    for (uint64_t& w : to) {
      if (p->left > 0) [[likely]] {
        --p->left;
        p->last += static_cast<uint64_t>(p->diff);
        w = p->last + (p->relative & frame_sp);
      } else if (!next_word(*p, frame_sp, w)) {
        return false;
      }
      ++p;
    }
    return true;
  }
  // Of so many executions in one frame, of `count` words each, one behind the other.
  bool words(ThreadId thread, BlockId id, uint64_t frame_sp, uint64_t* to, size_t count, size_t times);
  // Leaves out those of so many executions, of `count` words each. O(runs of equal steps), or O(executions) where
  // accesses do not always happen.
  bool skip(ThreadId thread, BlockId id, size_t count, uint64_t times);
  // How many of the next executions, of `count` words each, are known to have the words of the last one, if it was in
  // the same frame.
  uint64_t same(ThreadId thread, BlockId id, size_t count, uint64_t most) const;

 private:
  // Where the reader is in a stream.
  struct Progress {
    uint64_t last = 0;
    int64_t diff = 0;  // of the open run; `left` more values of it. Guarded streams have none here
    uint64_t left = 0;
    uint64_t relative = 0;  // all ones if it is
  };
  struct Rest {
    bool read_first = false;
    DiffRun open;                                 // of a guarded one
    uint32_t few = 0;                             // runs read
    std::vector<GrammarCursor> values, presence;  // one or none
    bool present = false;
    uint64_t present_length = 0;
    ByteReader residual = ByteReader({});
  };

  bool next_word(Progress& p, uint64_t frame_sp, uint64_t& word);
  bool next_value(const AddressStream& s, Progress& p, Rest& r, uint64_t& value);
  bool next_run(const AddressStream& s, Rest& r, DiffRun& run);
  bool next_present(Rest& r, bool& present);

  AddressDirectory directory_;
  std::vector<Progress> progress_;  // by stream
  std::vector<Rest> rest_;          // the same
};

}  // namespace cdr::trace

#endif
