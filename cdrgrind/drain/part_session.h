// SPDX-License-Identifier: GPL-2.0-or-later
// One of several consumers that compute the dependences of a process's records, each of a part of the memory: a drain
// and an engine. It writes no file; what it finds it tells the session that does (part_message.h).
#ifndef CDRGRIND_DRAIN_PART_SESSION_H
#define CDRGRIND_DRAIN_PART_SESSION_H

#include <cstdint>
#include <optional>
#include <span>

#include "cdrgrind/depend/engine.h"
#include "cdrgrind/drain/drain.h"
#include "cdrgrind/drain/part_message.h"
#include "cdrgrind/drain/stream_start.h"

namespace cdr::drain {

class PartSession final : RunSink, RecordSink {
 public:
  // Where messages go.
  class Mail {
   public:
    virtual void send(std::span<const uint8_t> bytes) = 0;

   protected:
    ~Mail() = default;
  };

  PartSession(uint32_t parts, uint32_t part, Mail& mail);

  // As a session's; with several parts each call is a stretch.
  void consume(std::span<const uint64_t> records);
  void consume_last(std::span<const uint64_t> records);
  // If the stream says kAuto, dependences are computed no more, nor for processes that fork from this one. False: it
  // does not say so.
  bool leave();
  // The process has forked, and what comes is its child's, which begins with a record of that.
  void become_child() { engine_.reset(); }
  // More of the stream is of use.
  bool open() const { return open_; }

 private:
  void block(ThreadId thread, BlockId id, std::span<const uint64_t> words) override;
  void run(ThreadId thread, Steps run) override;
  void event(const Event& e) override;
  void record(RecordKind kind, std::span<const uint64_t> payload) override;

  void start_engine();
  void tell_stretch();
  void tell_end();
  template <class T>
  void send(std::span<const T> items);

  const uint32_t parts_, part_;
  Mail& mail_;
  ModuleTable modules_;
  BlockTable blocks_;
  DataflowTable flows_;
  StreamOptions options_;
  std::optional<depend::Engine> engine_;
  depend::PartResults numbers_;  // of the keys that hits were told of
  uint32_t keys_told_ = 0;
  Drain drain_;
  bool open_ = true;
};

}  // namespace cdr::drain

#endif
