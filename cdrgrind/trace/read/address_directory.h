// SPDX-License-Identifier: GPL-2.0-or-later
// The columns of encode/address_streams.h, taken apart: which streams there are and where their values stand. Trusts
// nothing but the tables.
#ifndef CDRGRIND_TRACE_READ_ADDRESS_DIRECTORY_H
#define CDRGRIND_TRACE_READ_ADDRESS_DIRECTORY_H

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/bytes.h"
#include "cdrgrind/encode/address_streams.h"
#include "cdrgrind/trace/read/columns.h"

namespace cdr::trace {

// Equal differences between neighbouring values.
struct DiffRun {
  int64_t diff = 0;
  uint64_t length = 0;
};

struct AddressStream {
  uint8_t flags = 0;
  uint32_t few = 0, few_end = 0;      // kFew: its runs
  uint32_t string = 0, presence = 0;  // else; and if guarded
  uint64_t first = 0;                 // its first value
  std::span<const uint8_t> residual;  // kResidual: its differences behind the string
  StreamForm form() const { return static_cast<StreamForm>(flags & kStreamFormBits); }
  bool relative() const { return flags & kStreamRelative; }
  bool guarded() const { return flags & kStreamGuarded; }
  bool started() const { return flags & kStreamStarted; }
};

inline bool any_relative(std::span<const AddressStream> all) {
  return std::any_of(all.begin(), all.end(), [](const AddressStream& s) { return s.relative(); });
}

class AddressDirectory {
 public:
  explicit AddressDirectory(const BlockTable& blocks) : blocks_(blocks) {}

  // `columns` must outlive the directory. False if they are damaged.
  bool read(const Columns& columns);

  // Of the block's first slot, the others follow; null if the thread never executed it or it has no words.
  const AddressStream* streams_of(ThreadId thread, BlockId id) const {
    const uint32_t first = first_stream(thread, id);
    return first == 0 ? nullptr : &streams_[first - 1];
  }
  // Its index + 1; 0: there is none.
  uint32_t first_stream(ThreadId thread, BlockId id) const {
    return thread.value < tables_of_.size() ? tables_[tables_of_[thread.value]].first(id.value) : 0;
  }
  const std::vector<AddressStream>& streams() const { return streams_; }
  uint32_t index_of(const AddressStream& s) const { return static_cast<uint32_t>(&s - streams_.data()); }

  std::span<const DiffRun> few(const AddressStream& s) const {
    return std::span(few_).subspan(s.few, s.few_end - s.few);
  }
  const Grammar& values() const { return values_; }      // terminals: indices into diffs
  const Grammar& presence() const { return presence_; }  // terminals: 0, 1
  int64_t diff(uint32_t terminal) const { return diffs_[terminal]; }

 private:
  struct Readers;
  // Of a thread: the first streams of its blocks, by block, + 1; in pages, for threads execute few blocks of many.
  // Blocks far apart stand in a list instead: what a table takes follows from the highest block, which costs no bytes
  // in a file.
  struct Table {
    static constexpr uint32_t kPage = 16;
    struct FirstStream {
      uint32_t block = 0, first = 0;
    };
    std::vector<uint32_t> page_of;  // by block / kPage: where it begins in pages
    std::vector<uint32_t> pages;    // the first is empty
    std::vector<FirstStream> list;  // ascending
    uint32_t first(uint32_t block) const {
      if (list.empty()) [[likely]]
        return block / kPage < page_of.size() ? pages[page_of[block / kPage] + block % kPage] : 0;
      const auto at = std::lower_bound(list.begin(), list.end(), block,
                                       [](const FirstStream& e, uint32_t wanted) { return e.block < wanted; });
      return at != list.end() && at->block == block ? at->first : 0;
    }
  };
  bool read_directory(Readers& in);
  bool read_blocks(Readers& in, Table& table);
  void spread(Table& table, uint64_t most);
  bool read_streams(Readers& in, BlockId id);
  bool read_stream(Readers& in, AddressStream& s, bool guarded);
  bool read_few(Readers& in, AddressStream& s);
  bool read_diffs(const Columns& columns);

  const BlockTable& blocks_;
  Grammar values_, presence_;
  std::vector<int64_t> diffs_;
  std::vector<DiffRun> few_;
  std::vector<AddressStream> streams_;
  std::vector<uint32_t> tables_of_;  // by thread: in tables_
  std::vector<Table> tables_;        // the first is empty
  uint64_t spread_ = 0;              // entries of all tables' page_of
};

}  // namespace cdr::trace

#endif
