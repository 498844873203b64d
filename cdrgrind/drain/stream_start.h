// SPDX-License-Identifier: GPL-2.0-or-later
// What a stream of records begins with: everything that decides what the consumers make of it, so that the same records
// give the same trace wherever they are consumed.
#ifndef CDRGRIND_DRAIN_STREAM_START_H
#define CDRGRIND_DRAIN_STREAM_START_H

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cdrgrind/depend/engine.h"
#include "cdrgrind/drain/drain.h"
#include "cdrgrind/encode/recording.h"
#include "cdrgrind/format/info.h"

namespace cdr::drain {

enum class DataMode : uint8_t { kAll, kNonStack, kNone };
// When dependences are computed: never, while recording, by the command that asks for them, or while recording as long
// as whoever consumes the records keeps up.
enum class DepsMode : uint8_t { kNo, kYes, kLater, kAuto };

struct StreamOptions {
  DataMode data = DataMode::kAll;
  DepsMode deps = DepsMode::kYes;
  ControlForm control = ControlForm::kAuto;
  DrainOptions drain;
  uint64_t epoch_blocks = uint64_t{1} << 24;
  uint64_t epoch_bytes = uint64_t{64} << 20;
  uint64_t granularity = 1;  // of dependences, bytes
  uint64_t deps_bytes = uint64_t{1} << 30;

  // Whether dependences are computed from the records.
  bool online_deps() const { return deps == DepsMode::kYes || deps == DepsMode::kAuto; }
  // For the recording, but the summaries of its superblocks; for the engine.
  RecordingOptions recording() const;
  depend::Options dependences() const;
};

// A recorded process, and where its trace goes: `path`, or `path`.N with the run's number N.
struct Process {
  RunInfo run;
  std::string_view path;
};

struct StreamStart {
  Process process;
  StreamOptions options;
  std::vector<MetaEntry> meta;
};

// As payloads of records of this machine; texts point into the payload.
void pack_process(const Process& process, std::vector<uint64_t>& to);
Process unpack_process(std::span<const uint64_t>& from);
void pack_start(const StreamStart& start, std::vector<uint64_t>& to);
StreamStart unpack_start(std::span<const uint64_t> from);

}  // namespace cdr::drain

#endif
