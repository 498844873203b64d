// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/recorder.h"

#include <memory>
#include <optional>
#include <vector>

#include "cdrgrind/depend/engine.h"
#include "cdrgrind/encode/data_filter.h"
#include "cdrgrind/tool/drain.h"
#include "cdrgrind/tool/file_output.h"
#include "cdrgrind/tool/memory.h"
#include "cdrgrind/tool/options.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/run_info.h"
#include "cdrgrind/tool/threads.h"
#include "cdrgrind/tool/trace_path.h"

namespace cdr::tool {
namespace {

constexpr uint64_t kBlocksForFile = 10'000;  // of a forked child

// Everything that lives from start to finish. A forked child inherits its parent's, and makes its own from it
// when it first drains: what is in the code and in the modules stays, trace and dependences begin anew.
struct Session final : EventSink {
  FileOutput file;
  RunInfo run;
  ModuleTable modules;
  BlockTable blocks;
  DataflowTable flows;
  Meta meta;
  std::optional<DataFilter> filter;  // --cdr-data other than all
  std::optional<Recording> recording;
  std::optional<depend::Engine> engine;
  std::optional<Drain> drain;
  bool inherited = false;   // recording and engine are still the parent's
  bool exec_told = false;   // an EXEC frame was written for the call that is under way

  void block(cdr::ThreadId thread, BlockId id, std::span<const uint64_t> words) override {
    if (filter) filter->block(thread, id, words);
    else recording->block(thread, id, words);
    if (engine) engine->block(thread, id, words);
  }
  void block_run(cdr::ThreadId thread, std::span<const ExecutedBlock> run) override {
    if (filter) filter->block_run(thread, run);
    else recording->block_run(thread, run);
    if (engine) engine->block_run(thread, run);
  }
  void event(const Event& e) override {
    if (filter) filter->event(e);
    else recording->event(e);
    if (engine) engine->event(e);
  }
};

constinit Session* session = nullptr;

DataFilter::Keep kept_data() {
  return options.data == DataMode::kNone ? DataFilter::Keep::kNothing : DataFilter::Keep::kNonStack;
}

// What a stream feeds, from its first event on.
void open_stream(Session& s) {
  RecordingOptions o;
  o.form = RecordingForm::kCompact;
  o.control = options.control;
  o.epoch_blocks = options.chunk_blocks;
  o.epoch_bytes = options.memory_mb << 20;
  o.dataflow = &s.flows;
  const BlockTable* table = &s.blocks;
  // Without dependences nothing is recorded that the filter would take away.
  if (options.data == DataMode::kNonStack || (options.data == DataMode::kNone && options.deps)) {
    s.filter.emplace(s.blocks, kept_data());
    table = &s.filter->blocks();
  }
  s.recording.emplace(s.file, s.modules, *table, s.run, s.meta.entries(), o);
  if (s.filter) s.filter->set_sink(*s.recording);
  if (options.deps) {
    depend::Options d;
    d.granularity = static_cast<uint32_t>(options.granularity);
    d.memory_bytes = options.deps_memory_mb << 20;
    s.engine.emplace(s.modules, s.blocks, d);
  }
}

void open_session(Session& s) {
  s.meta = collect_meta();
  open_stream(s);
  DrainOptions d;
  d.collect_at_start = options.instr_atstart;
  d.toggles = !options.toggles.empty();
  s.drain.emplace(s.modules, s.blocks, s.flows, s, d);
}

// The first records of a forked child are on their way.
void reopen_session(Session& s) {
  s.inherited = false;
  s.engine.reset();
  s.recording.reset();
  s.filter.reset();
  s.blocks = BlockTable();
  s.flows = DataflowTable();
  open_stream(s);
}

bool create_file(Session& s) { return s.file.create(trace_path(s.run, s.run.parent_pid != 0 || options.successor)); }

// A child that cannot have a file runs on without a recorder; create_file has said why.
void create_held_file(Session& s) {
  if (!create_file(s)) session = nullptr;
}

void drain_records(std::span<const uint64_t> records) {
  if (!session) return;
  Session& s = *session;
  if (s.inherited) reopen_session(s);
  s.drain->consume(records);
  if (s.file.held() && s.recording->totals().blocks >= kBlocksForFile) create_held_file(s);
}

void write_dependences(Session& s) {
  if (!s.engine) return;
  ByteWriter payload;
  depend::write(s.engine->results(), payload);
  s.recording->add_frame(FrameType::kDepend, payload.bytes());
}

void write_exec(Session& s, const ExecInfo& exec) {
  ByteWriter payload;
  encode_exec(exec, payload);
  s.recording->add_frame(FrameType::kExec, payload.bytes());
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

void write_end(Session& s, std::string_view how) {
  EndInfo end;
  end.exit = how;
  std::vector<Counter> counters;
  if (s.engine) counters.push_back({"imprecise", s.engine->stats().imprecise});
  if (const uint64_t gaps = s.recording->totals().kinds[static_cast<uint8_t>(EventKind::kGapBegin)])
    counters.push_back({"gaps", gaps});
  end.counters = counters;
  const MetaEntry limits[] = {{"limit", "static program: its heap and synchronisation are not seen"}};
  if (!has_wrappers(s.modules)) end.texts = limits;
  s.recording->close(end);
}

// A forked child that has not yet drained has at most as many blocks as its buffer has words.
bool needs_no_file_yet(const Session& s) {
  if (!s.file.held()) return false;
  const uint64_t drained = s.inherited ? 0 : s.recording->totals().blocks;
  return drained + record_buffer.bytes_used() / sizeof(uint64_t) < kBlocksForFile;
}

}  // namespace

void start_recorder() {
  session = new Session;
  session->run = run_info();
  if (!create_file(*session) || !record_buffer.create(drain_records)) VG_(exit)(1);
  open_session(*session);
  tell_successors();
}

void flush_recorder() {
  record_buffer.flush();
  if (session && session->file.held()) create_held_file(*session);
  if (session) session->recording->flush();
}

void finish_recorder(std::string_view how) {
  if (!session) return;
  record_buffer.flush();
  if (session && session->file.held()) create_held_file(*session);
  if (!session) return;
  Session& s = *session;
  write_dependences(s);
  write_end(s, how);
  s.file.close();
  if (VG_(clo_verbosity) > 0) say_where(s);
  session = nullptr;
}

void before_fork(::ThreadId) {
  if (!session) return;
  settle_thread_state();
  record_buffer.flush();
}

void after_fork(::ThreadId tid) {
  if (!session) return;
  Session& s = *session;
  const RunInfo parent = s.run;
  s.run = run_info();
  s.run.parent_pid = parent.pid;
  s.run.fork_event = s.recording->events();
  s.file.close();
  s.file = FileOutput();
  s.file.hold();
  s.inherited = true;
  s.exec_told = false;
  record_buffer.drop();
  forget_other_syscalls(tid);
  keep_forking_thread(tid);
}

void before_exec(std::string_view path) {
  if (!session || needs_no_file_yet(*session)) return;
  record_buffer.flush();
  if (!session || session->file.held()) return;
  write_exec(*session, {.path = path});
  session->exec_told = true;
}

void exec_failed(UWord error) {
  if (!session || !session->exec_told) return;
  session->exec_told = false;
  write_exec(*session, {.error = error});
}

bool recorder_state(RecorderState& state) {
  record_buffer.flush();
  if (!session) return false;
  state.file = session->file.held() ? nullptr : session->file.path();
  state.collecting = session->drain->collecting();
  state.cut = session->recording->cut();
  state.totals = session->recording->totals();
  state.bytes = session->recording->bytes_written();
  return true;
}

}  // namespace cdr::tool
