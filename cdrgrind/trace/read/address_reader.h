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
  bool words(ThreadId thread, BlockId id, uint64_t frame_sp, std::span<uint64_t> to);

 private:
  // Where the reader is in a stream.
  struct Progress {
    bool read_first = false;
    uint64_t last = 0;
    DiffRun open;
    uint32_t few = 0;                             // runs read
    std::vector<GrammarCursor> values, presence;  // one or none
    bool present = false;
    uint64_t present_length = 0;
    ByteReader residual = ByteReader({});
  };

  bool next_word(const AddressStream& s, Progress& p, uint64_t frame_sp, uint64_t& word);
  bool next_value(const AddressStream& s, Progress& p, uint64_t& value);
  bool next_run(const AddressStream& s, Progress& p);
  bool next_present(Progress& p, bool& present);

  AddressDirectory directory_;
  std::vector<Progress> progress_;  // by stream
};

}  // namespace cdr::trace

#endif
