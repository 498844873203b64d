// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/drain/stream_start.h"

#include "cdrgrind/drain/superblock_words.h"

namespace cdr::drain {
namespace {

uint64_t take(std::span<const uint64_t>& from) {
  const uint64_t word = from.front();
  from = from.subspan(1);
  return word;
}

void pack_options(const StreamOptions& o, std::vector<uint64_t>& to) {
  to.insert(to.end(),
            {static_cast<uint64_t>(o.data), static_cast<uint64_t>(o.deps), static_cast<uint64_t>(o.control),
             o.drain.collect_at_start, o.drain.toggles, o.epoch_blocks, o.epoch_bytes, o.granularity, o.deps_bytes});
}

StreamOptions unpack_options(std::span<const uint64_t>& from) {
  StreamOptions o;
  o.data = static_cast<DataMode>(take(from));
  o.deps = static_cast<DepsMode>(take(from));
  o.control = static_cast<ControlForm>(take(from));
  o.drain.collect_at_start = take(from) != 0;
  o.drain.toggles = take(from) != 0;
  o.epoch_blocks = take(from);
  o.epoch_bytes = take(from);
  o.granularity = take(from);
  o.deps_bytes = take(from);
  return o;
}

}  // namespace

RecordingOptions StreamOptions::recording() const {
  RecordingOptions o;
  o.form = RecordingForm::kCompact;
  o.control = control;
  o.epoch_blocks = epoch_blocks;
  o.epoch_bytes = epoch_bytes;
  return o;
}

depend::Options StreamOptions::dependences() const {
  depend::Options o;
  o.granularity = static_cast<uint32_t>(granularity);
  o.memory_bytes = deps_bytes;
  return o;
}

void pack_process(const Process& process, std::vector<uint64_t>& to) {
  const RunInfo& r = process.run;
  to.insert(to.end(), {r.pid, r.parent_pid, r.process_start, r.wall_ns, r.fork_event, r.number});
  pack_text(process.path, to);
}

Process unpack_process(std::span<const uint64_t>& from) {
  Process p;
  p.run.pid = static_cast<uint32_t>(take(from));
  p.run.parent_pid = static_cast<uint32_t>(take(from));
  p.run.process_start = take(from);
  p.run.wall_ns = take(from);
  p.run.fork_event = take(from);
  p.run.number = static_cast<uint32_t>(take(from));
  p.path = unpack_text(from);
  return p;
}

void pack_start(const StreamStart& start, std::vector<uint64_t>& to) {
  pack_process(start.process, to);
  pack_options(start.options, to);
  to.push_back(start.meta.size());
  for (const MetaEntry& e : start.meta) {
    pack_text(e.key, to);
    pack_text(e.value, to);
  }
}

StreamStart unpack_start(std::span<const uint64_t> from) {
  StreamStart start;
  start.process = unpack_process(from);
  start.options = unpack_options(from);
  const uint64_t entries = take(from);
  for (uint64_t i = 0; i < entries; ++i) {
    const std::string_view key = unpack_text(from);
    start.meta.push_back({key, unpack_text(from)});
  }
  return start;
}

}  // namespace cdr::drain
