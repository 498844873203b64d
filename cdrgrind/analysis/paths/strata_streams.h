// SPDX-License-Identifier: GPL-2.0-or-later
// Strata as bytes: a stream of cycles for each level and one of repeated cycles for each thread, all that is needed
// to have the sequences of basic blocks again. What the streams say stands at unfold_strata().
#ifndef CDRGRIND_ANALYSIS_PATHS_STRATA_STREAMS_H
#define CDRGRIND_ANALYSIS_PATHS_STRATA_STREAMS_H

#include <functional>
#include <span>
#include <vector>

#include "cdrgrind/analysis/paths/strata.h"
#include "cdrgrind/base/bytes.h"

namespace cdr::paths {

class StrataStreams final : public StrataSink {
 public:
  // Streams 0 … levels-1 are those of the levels, then one for each thread: levels + serial - 1.
  using Write = std::function<void(unsigned stream, std::span<const uint8_t> bytes)>;

  // Gives `write` pieces of about 64 KiB, and what is left at finish().
  StrataStreams(unsigned levels, Write write) : levels_(levels), write_(std::move(write)), streams_(levels) {}

  void cycle(unsigned level, std::span<const uint8_t> text) override;
  void top(ThreadId thread, Element e) override;
  void finish();

  unsigned streams() const { return static_cast<unsigned>(streams_.size()); }

 private:
  void pass_on(unsigned stream);

  unsigned levels_;
  Write write_;
  std::vector<ByteWriter> streams_;
  std::vector<uint64_t> tops_;  // id of a thread's last cycle
};

// A thread's basic blocks from the streams of the levels (each a sequence of varint length and text) and the
// thread's own (pairs of the id's distance to the one before, signed, and the count). Throws std::invalid_argument
// if they are no such streams.
std::vector<uint32_t> unfold_strata(std::span<const std::vector<uint8_t>> levels, std::span<const uint8_t> top);

}  // namespace cdr::paths

#endif
