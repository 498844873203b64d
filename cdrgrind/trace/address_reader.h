// SPDX-License-Identifier: GPL-2.0-or-later
// Reads the columns of encode/address_streams.h: the words of blocks in the order of their execution. Trusts nothing
// but the tables.
#ifndef CDRGRIND_TRACE_ADDRESS_READER_H
#define CDRGRIND_TRACE_ADDRESS_READER_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/bytes.h"
#include "cdrgrind/encode/address_streams.h"
#include "cdrgrind/trace/columns.h"

namespace cdr::trace {

class AddressReader {
 public:
  explicit AddressReader(const BlockTable& blocks) : blocks_(blocks) {}

  // `columns` must stay until the last words(). False if they are damaged.
  bool begin(const Columns& columns);
  // The words of the next execution of `id` by the thread; `to` has as many as its exit says. False if there is none.
  bool words(ThreadId thread, BlockId id, uint64_t frame_sp, std::span<uint64_t> to);

 private:
  struct DiffRun {
    int64_t diff = 0;
    uint64_t length = 0;
  };
  struct Stream {
    uint8_t flags = 0;
    bool read_first = false;
    uint64_t last = 0;  // before the first value is read: the first value
    DiffRun open;
    uint32_t few = 0, few_end = 0;                // in few_
    std::vector<GrammarCursor> values, presence;  // one or none
    bool present = false;
    uint64_t present_length = 0;
    ByteReader residual = ByteReader({});
    StreamForm form() const { return static_cast<StreamForm>(flags & kStreamFormBits); }
  };

  bool read_diffs(const Columns& columns);
  bool read_directory();
  bool read_stream(Stream& s, bool guarded);
  bool read_few(Stream& s);
  bool next_word(Stream& s, uint64_t frame_sp, uint64_t& word);
  bool next_value(Stream& s, uint64_t& value);
  bool next_run(Stream& s);
  bool next_present(Stream& s, bool& present);

  const BlockTable& blocks_;
  Grammar values_, presence_;
  std::vector<int64_t> diffs_;
  std::vector<DiffRun> few_;
  std::vector<Stream> streams_;
  std::vector<std::vector<uint32_t>> first_;  // by thread, block: index of the first stream + 1
  struct DirectoryReaders;
  DirectoryReaders* in_ = nullptr;  // while begin() runs
};

}  // namespace cdr::trace

#endif
