// SPDX-License-Identifier: GPL-2.0-or-later
// The consumers of one process's records: drain, data filter, recording, dependence engine. Runs in the recorded
// process, in its helper, or on the host, and makes the same file of the same records in each.
//
// Invariant: nothing but the records decides what is written, and whether dependences were left.
#ifndef CDRGRIND_DRAIN_SESSION_H
#define CDRGRIND_DRAIN_SESSION_H

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cdrgrind/depend/engine.h"
#include "cdrgrind/drain/drain.h"
#include "cdrgrind/drain/stream_start.h"
#include "cdrgrind/encode/data_filter.h"
#include "cdrgrind/encode/recording.h"

namespace cdr::drain {

// A forked child has no file before it has executed so many blocks, or ends.
constexpr uint64_t kBlocksForFile = 10'000;

// The file that a session writes.
class StreamFile : public Output {
 public:
  // `path`, or with a number above 0 `path`.<number>; or the first after it that nobody else is writing. Replaces an
  // existing file. False if it cannot be created; error() says why.
  virtual bool create(std::string_view path, uint32_t number) = 0;
  // Of the file that was created.
  virtual uint32_t number() const = 0;
  // For a forked child, which may never need a file: gives the parent's up and keeps what is written until create().
  virtual void hold() = 0;
  virtual void close() = 0;
  // errno of the create that failed, 0 if none.
  virtual uint64_t error() const = 0;

 protected:
  ~StreamFile() = default;
};

// Dependences that others compute, of the same records.
class OtherDependences {
 public:
  // Waits for those of the stream, which is at its end. None: they were left.
  virtual std::optional<depend::ResultTable> results(uint32_t granularity) = 0;

 protected:
  ~OtherDependences() = default;
};

// For those who ask while the program runs. Copied between processes.
struct SessionState {
  bool open = false;      // it records
  bool finished = false;  // the stream has ended, and so has the file
  bool held = false;      // no file yet
  bool collecting = false;
  bool cut = false;     // the file could not be written any further
  uint64_t error = 0;   // errno: the file could not be created, so nothing is recorded any more
  uint32_t number = 0;  // of the file, or of the one that is tried first
};

struct SessionStatus {
  SessionState state;
  RecordingTotals totals;
  uint64_t bytes = 0;  // written
};

class Session final : RunSink, RecordSink {
 public:
  // The file is created already. If others compute dependences the session does not.
  explicit Session(StreamFile& file, OtherDependences* others = nullptr);

  // Whole records.
  void consume(std::span<const uint64_t> records);
  // The process was killed, or executed another program: its last records, of which the very last one may be untrue.
  void consume_last(std::span<const uint64_t> records);
  // Who consumes does not keep up: if the stream says kAuto, dependences are computed no more.
  void leave_dependences();
  SessionState state() const;
  // O(blocks in the table).
  SessionStatus status() const;

 private:
  void block(ThreadId thread, BlockId id, std::span<const uint64_t> words) override;
  void run(ThreadId thread, Steps run) override;
  void event(const Event& e) override;
  void record(RecordKind kind, std::span<const uint64_t> payload) override;

  // What the recording is told by.
  EventSink& kept() { return filter_ ? static_cast<EventSink&>(*filter_) : *recording_; }
  void start(std::span<const uint64_t> payload);
  void open_stream();
  void forked(std::span<const uint64_t> payload);
  void name_process(const Process& process);
  void flush();
  void exec(std::span<const uint64_t> payload);
  void exec_failed(uint64_t error);
  void end(std::string_view how);
  bool create_file();
  void add_exec(const ExecInfo& exec);
  void write_dependences();
  void write_end(std::string_view how);

  StreamFile& file_;
  OtherDependences* const others_;
  ModuleTable modules_;
  BlockTable blocks_;
  DataflowTable flows_;
  RunInfo run_;
  std::vector<char> path_;
  StreamOptions options_;
  Arena meta_texts_;
  std::vector<MetaEntry> meta_;
  std::optional<DataFilter> filter_;  // --cdr-data other than all
  std::optional<Recording> recording_;
  std::optional<depend::Engine> engine_;
  uint64_t imprecise_ = 0;  // of the dependences that were written
  Drain drain_;
  bool open_ = true;
  bool finished_ = false;
  bool held_ = false;
  bool exec_told_ = false;  // an EXEC frame was written for the call that is under way
};

}  // namespace cdr::drain

#endif
