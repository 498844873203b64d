// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/recorder.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "cdrgrind/depend/engine.h"
#include "cdrgrind/encode/data_filter.h"
#include "cdrgrind/encode/recording.h"
#include "cdrgrind/tool/drain.h"
#include "cdrgrind/tool/file_output.h"
#include "cdrgrind/tool/options.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/run_info.h"

namespace cdr::tool {
namespace {

// Everything that lives from start to finish.
struct Session final : EventSink {
  FileOutput file;
  ModuleTable modules;
  BlockTable blocks;
  Meta meta;
  std::optional<DataFilter> filter;  // --cdr-data other than all
  std::optional<Recording> recording;
  std::optional<depend::Engine> engine;
  std::optional<Drain> drain;

  void block(cdr::ThreadId thread, BlockId id, std::span<const uint64_t> words) override {
    if (filter) filter->block(thread, id, words);
    else recording->block(thread, id, words);
    if (engine) engine->block(thread, id, words);
  }
  void event(const Event& e) override {
    if (filter) filter->event(e);
    else recording->event(e);
    if (engine) engine->event(e);
  }
};

constinit Session* session = nullptr;

void drain_records(std::span<const uint64_t> records) {
  if (session) session->drain->consume(records);
}

DataFilter::Keep kept_data() {
  return options.data == DataMode::kNone ? DataFilter::Keep::kNothing : DataFilter::Keep::kNonStack;
}

void open_session() {
  Session& s = *session;
  s.meta = collect_meta();
  RecordingOptions o;
  const BlockTable* table = &s.blocks;
  if (options.data != DataMode::kAll) {
    s.filter.emplace(s.blocks, kept_data());
    table = &s.filter->blocks();
  }
  s.recording.emplace(s.file, s.modules, *table, run_info(), s.meta.entries(), o);
  if (s.filter) s.filter->set_sink(*s.recording);
  if (options.deps) {
    depend::Options d;
    d.granularity = static_cast<uint32_t>(options.granularity);
    d.memory_bytes = options.deps_memory_mb << 20;
    s.engine.emplace(s.modules, s.blocks, d);
  }
  DrainOptions d;
  d.collect_at_start = options.instr_atstart;
  d.toggles = !options.toggles.empty();
  s.drain.emplace(s.modules, s.blocks, s, d);
}

void write_dependences(Session& s) {
  if (!s.engine) return;
  ByteWriter payload;
  depend::write(s.engine->results(), payload);
  s.recording->add_frame(FrameType::kDepend, payload.bytes());
}

// Without the dynamic linker nobody loads the wrappers.
bool has_wrappers(const ModuleTable& modules) {
  for (const Module& m : modules)
    if (m.flags & kModulePreload) return true;
  return false;
}

void say_where(Session& s) {
  const RecordingTotals t = s.recording->totals();
  VG_(umsg)("%llu instructions, %llu accesses, %llu threads in %s (%llu bytes)\n",
            static_cast<unsigned long long>(t.instructions), static_cast<unsigned long long>(t.accesses),
            static_cast<unsigned long long>(t.threads), s.file.path(),
            static_cast<unsigned long long>(s.recording->bytes_written()));
  VG_(umsg)("next: cdrgrind annotate %s\n", s.file.path());
}

}  // namespace

void start_recorder() {
  session = new Session;
  const HChar* const path = VG_(expand_file_name)("--cdr-out-file", options.out_file);
  if (!session->file.create(path) || !record_buffer.create(drain_records)) VG_(exit)(1);
  open_session();
}

void flush_recorder() {
  if (!session) return;
  record_buffer.flush();
  session->recording->flush();
}

void finish_recorder(Int exit_code) {
  if (!session) return;
  Session& s = *session;
  record_buffer.flush();
  write_dependences(s);
  EndInfo end;
  HChar text[32];
  VG_(sprintf)(text, "exit %d", exit_code);
  end.exit = std::string_view(text);
  std::vector<Counter> counters;
  if (s.engine) counters.push_back({"imprecise", s.engine->stats().imprecise});
  end.counters = counters;
  const MetaEntry limits[] = {{"limit", "static program: its heap and synchronisation are not seen"}};
  if (!has_wrappers(s.modules)) end.texts = limits;
  s.recording->close(end);
  s.file.close();
  if (VG_(clo_verbosity) > 0) say_where(s);
}

void abandon_recorder() {
  if (!session) return;
  session->file.close();
  session = nullptr;  // its memory stays: the child is a copy and may be short-lived
  record_buffer.drop();
}

}  // namespace cdr::tool
