// SPDX-License-Identifier: GPL-2.0-or-later
// A trace file, opened: its frames, tables and metadata. Opening walks the frame headers (INDEX is not
// needed, and compared when it is there) and decodes all but the events, which cursor.h reads.
//
// Trusts nothing: every length is checked, decompression is bounded by the bytes that are stored (room_for), every
// frame is compared with its checksum before use. A file that ends early opens, and says how much of it can be read.
// Read-only after open(), so cursors of several threads may share it.
#ifndef CDRGRIND_TRACE_READ_TRACE_FILE_H
#define CDRGRIND_TRACE_READ_TRACE_FILE_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cdrgrind/base/block_table.h"
#include "cdrgrind/base/module_table.h"
#include "cdrgrind/format/frame.h"
#include "cdrgrind/format/info.h"
#include "cdrgrind/trace/read/columns.h"
#include "cdrgrind/trace/read/stretch_table.h"
#include "cdrgrind/trace/read/trace_error.h"

namespace cdr::trace {

enum class Status {
  kComplete,
  kExec,     // no END, because the process became another program
  kKilled,   // no END: the program or the recorder was killed
  kWriting,  // no END, because it is still being written
  kCut,      // the writer could not go on (no room), or the file ends inside a frame
};

struct Frame {
  FrameHeader header;
  uint64_t offset = 0;  // of the header
};

// Positions in frames() of an epoch's frames; and how many stretches were known at its end.
struct Epoch {
  size_t threads = 0, address = 0, log = 0, turn = 0, control = 0;
  uint32_t stretches = 0;
};

// Pairs of texts in the order of the file; keys may repeat.
class Meta {
 public:
  void add(std::string_view key, std::string_view value) { entries_.emplace_back(key, value); }
  std::optional<std::string_view> find(std::string_view key) const;  // the first
  std::vector<std::string_view> all(std::string_view key) const;
  const std::vector<std::pair<std::string, std::string>>& entries() const { return entries_; }

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

// END: totals by name, and texts.
struct End {
  std::vector<std::pair<std::string, uint64_t>> counters;
  Meta texts;
  std::optional<uint64_t> counter(std::string_view key) const;
};

class FileBytes;

class TraceFile {
 public:
  static TraceFile open(const std::string& path);
  // `name` stands for the path in messages.
  static TraceFile from_bytes(std::vector<uint8_t> bytes, std::string name);

  TraceFile(TraceFile&&) noexcept;
  ~TraceFile();

  const std::string& name() const { return name_; }
  uint32_t version() const { return version_; }
  const RunInfo& run() const { return run_; }
  const Meta& meta() const { return meta_; }
  const ModuleTable& modules() const { return modules_; }
  const BlockTable& blocks() const { return blocks_; }
  const std::vector<Frame>& frames() const { return frames_; }
  // Positions in frames() of the frames that hold events: EVENTS, or CONTROL, each the last of an epoch.
  const std::vector<size_t>& event_frames() const { return event_frames_; }
  // In a compact trace, one for each of event_frames().
  const std::vector<Epoch>& epochs() const { return epochs_; }
  uint64_t first_event(const Epoch& e) const { return frames_[e.control].header.first_event; }
  // The number of the one with this event; behind all events the last. There is one.
  size_t epoch_with(uint64_t event) const {
    const auto behind =
        std::partition_point(epochs_.begin(), epochs_.end(), [&](const Epoch& e) { return first_event(e) <= event; });
    return static_cast<size_t>(behind - epochs_.begin()) - 1;
  }
  const StretchTable& stretches() const { return stretches_; }
  uint64_t event_count() const { return event_count_; }  // that can be read
  uint64_t bytes() const;
  std::span<const uint8_t> content() const;  // the file as it is

  Status status() const { return status_; }
  // One sentence for a warning, empty if nothing is missing.
  std::string status_text() const;
  // For kExec: the program that was executed, as it was named.
  const std::string& exec_path() const { return exec_path_; }
  // Bytes behind the last whole frame.
  uint64_t lost_bytes() const { return lost_bytes_; }
  const std::optional<End>& end() const { return end_; }

  // The first frame of the type, or none.
  const Frame* find(FrameType type) const;
  // Checked against its checksum and decompressed. Throws TraceError.
  std::vector<uint8_t> payload(const Frame& frame) const;
  // Its columns. False if they are damaged; throws TraceError.
  bool read_columns(const Frame& frame, Columns& to) const;
  // Of the CONTROL frame of an epoch. Throws TraceError.
  Columns control(size_t epoch) const;
  // No column, text or list of the frame takes more bytes than this, nor do all columns of the frame together.
  uint64_t room_for(const Frame& frame) const;
  // Threads and stacks with larger numbers are damage: see max_serial().
  uint32_t serial_limit() const;
  // Payload of DEPEND, if there is one.
  std::optional<std::vector<uint8_t>> depend() const;
  // Whether the recorder left the dependences to the first command that asks for them.
  bool left_dependences() const;

  // An error at `offset` of this file.
  [[noreturn]] void fail(Problem problem, uint64_t offset, const std::string& what) const;
  // What `read` returns. Where memory does not suffice for it, the error names the frame.
  template <class Read>
  decltype(auto) reading(const Frame& frame, Read read) const {
    try {
      return read();
    } catch (const std::bad_alloc&) {
      fail_memory(frame);
    } catch (const std::length_error&) {
      fail_memory(frame);
    }
  }

 private:
  TraceFile(std::unique_ptr<FileBytes> bytes, std::string name);
  void read();
  void read_file_header();
  void walk_frames();
  void check_place(const FrameHeader& h, uint64_t offset) const;
  // As it lies in the file, checked against its checksum.
  std::span<const uint8_t> stored(const Frame& frame) const;
  void read_frame(const Frame& frame);
  void read_end(const Frame& frame);
  void read_exec(const Frame& frame);
  const char* read_superblocks(std::span<const uint8_t> payload, uint64_t room);
  void read_stretches(const Frame& frame);
  void note_epoch_frame(FrameType type);
  void compare_index(const Frame& frame) const;
  [[noreturn]] void fail_empty(const char* what) const;
  [[noreturn]] void fail_damaged(const Frame& frame, const std::string& what) const;
  [[noreturn]] void fail_memory(const Frame& frame) const;

  std::unique_ptr<FileBytes> file_;
  std::string name_;
  uint32_t version_ = 0;
  RunInfo run_;
  Meta meta_;
  ModuleTable modules_;
  BlockTable blocks_;
  std::vector<Frame> frames_;
  std::vector<size_t> event_frames_;
  std::vector<Epoch> epochs_;
  Epoch open_epoch_;  // 0: the frame has not yet come
  StretchTable stretches_;
  uint64_t event_count_ = 0;
  uint64_t lost_bytes_ = 0;
  std::optional<End> end_;
  bool exec_last_ = false;  // the last frame announces an exec
  std::string exec_path_;
  Status status_ = Status::kKilled;
  bool marked_cut_ = false;
};

}  // namespace cdr::trace

#endif
