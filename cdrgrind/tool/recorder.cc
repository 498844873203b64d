// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/recorder.h"

#include <algorithm>
#include <vector>

#include "cdrgrind/drain/superblock_words.h"
#include "cdrgrind/tool/file_output.h"
#include "cdrgrind/tool/files.h"
#include "cdrgrind/tool/helper.h"
#include "cdrgrind/tool/helper_consumer.h"
#include "cdrgrind/tool/memory.h"
#include "cdrgrind/tool/no_consumer.h"
#include "cdrgrind/tool/options.h"
#include "cdrgrind/tool/own_consumer.h"
#include "cdrgrind/tool/processes.h"
#include "cdrgrind/tool/raw_capture.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/ring.h"
#include "cdrgrind/tool/run_info.h"
#include "cdrgrind/tool/shown_text.h"
#include "cdrgrind/tool/threads.h"
#include "cdrgrind/tool/trace_path.h"

namespace cdr::tool {
namespace {

// Everything that lives from start to finish; a forked child inherits it.
struct Recorder {
  FileOutput file;  // its session's, in this process or in the helper
  Ring ring;
  RawCapture capture;
  Consumer* consumer = nullptr;
  TraceName name;
  const HChar* path = nullptr;  // of that name
  uint64_t own_write_pointer = 0;
  bool has_helper = false;
  bool open = true;
  bool cut_told = false;
  bool fresh_child = false;  // forked, and nothing was passed on since
};

constinit Recorder* recorder = nullptr;

using Words = std::vector<uint64_t>;

// ---- consumers

void rename_trace(Recorder& r, const TraceName& name) {
  r.name = name;
  r.path = path_of(name);
}

// Somebody else was writing the file that this trace was to go to.
void take_number(Recorder& r, uint32_t number) {
  if (number == r.name.number) return;
  const HChar* const taken = r.path;
  rename_trace(r, {r.name.file, number});
  say_taken(taken, r.path);
}

// What has gone wrong since it was last asked.
void tell_troubles(Recorder& r) {
  if (!r.open) return;
  const drain::SessionState s = r.consumer->state();
  if (s.open || s.finished) take_number(r, s.number);
  if (s.cut && !r.cut_told) say_cut(r.path);
  r.cut_told |= s.cut;
  if (s.error) say_cannot_create(r.path, s.error);
  r.open = s.open;
}

uint64_t* pass_records(uint64_t* buffer, uint64_t words) {
  Recorder& r = *recorder;
  r.capture.write({buffer, words});
  r.fresh_child = false;
  uint64_t* const next = r.consumer->take(buffer, words);
  tell_troubles(r);
  return next;
}

constexpr uint32_t kManyProcessors = 8;

bool wants_online_deps() { return options.deps == DepsMode::kAuto || options.deps == DepsMode::kYes; }

// By processors as many as leave one for the program, but no more than two for dependences, where there are many four:
// each has to follow all of the stream, so with four of them the work is half as much again as with one.
uint32_t wanted_helpers() {
  const uint32_t most = wants_online_deps() ? Ring::kMostHelpers : 1;
  if (options.helpers != kHelpersByProcessors) return std::min(most, static_cast<uint32_t>(options.helpers));
  const uint32_t n = processors();
  return std::min({most, n - 1, n < kManyProcessors ? 3u : 5u});
}

bool consume_in_helpers(Recorder& r, uint32_t helpers) {
  Int sockets[Ring::kMostHelpers];
  if (!r.ring.create(helpers) || !start_helpers(r.ring, r.file, {sockets, helpers})) return false;
  r.consumer = new HelperConsumer(r.ring, {sockets, helpers}, r.name);
  r.has_helper = true;
  record_buffer.start(&r.ring.control().write_pointer, r.ring.slot(0), pass_records);
  return true;
}

template <class Kind, class... Arguments>
bool consume_here(Recorder& r, Arguments&... arguments) {
  uint64_t* const buffer = RecordBuffer::allocate();
  if (!buffer) return false;
  r.consumer = new Kind(arguments..., buffer);
  record_buffer.start(&r.own_write_pointer, buffer, pass_records);
  return true;
}

[[noreturn]] void end_without_memory() {
  VG_(umsg)("cdrgrind: error: no memory for the record buffer\n");
  VG_(exit)(1);
}

void start_consumer(Recorder& r) {
  if (const uint32_t helpers = wanted_helpers(); helpers > 0) {
    if (consume_in_helpers(r, helpers)) return;
    if (options.helpers > 0)
      VG_(umsg)("cdrgrind: warning: no helper process can be started, recording goes on in this one\n");
  }
  if (!consume_here<OwnConsumer>(r, r.file)) end_without_memory();
}

// Everything recorded so far is consumed.
drain::SessionStatus settle(Recorder& r) {
  record_buffer.flush();
  const drain::SessionStatus s = r.consumer->settle();
  tell_troubles(r);
  return s;
}

// ---- records for the session

void append(RecordKind kind, const Words& payload) { record_buffer.append(kind, cdr::ThreadId(), payload); }

void append_text(RecordKind kind, std::string_view text) {
  Words words;
  drain::pack_text(text, words);
  append(kind, words);
}

// Without a processor of its own nobody computes dependences beside the program.
DepsMode deps_mode() {
  return options.deps == DepsMode::kAuto && !recorder->has_helper ? DepsMode::kLater : options.deps;
}

drain::StreamOptions stream_options() {
  drain::StreamOptions o;
  o.data = options.data;
  o.deps = deps_mode();
  o.control = options.control;
  o.drain.collect_at_start = options.instr_atstart;
  o.drain.toggles = !options.toggles.empty();
  o.epoch_blocks = options.chunk_blocks;
  o.epoch_bytes = options.memory_mb << 20;
  o.granularity = options.granularity;
  o.deps_bytes = options.deps_memory_mb << 20;
  return o;
}

void append_start(const RunInfo& run, const HChar* file) {
  const Meta meta = collect_meta();
  drain::StreamStart start;
  start.process = {run, view(file)};
  start.options = stream_options();
  start.meta.assign(meta.entries().begin(), meta.entries().end());
  Words words;
  drain::pack_start(start, words);
  append(RecordKind::kStart, words);
}

// ---- the end

void say_where(const Recorder& r, const drain::SessionStatus& s) {
  using Number = unsigned long long;
  const RecordingTotals& t = s.totals;
  const ShownText path(r.path);
  VG_(umsg)
  ("%llu instructions, %llu accesses, %llu thread%s in %s (%llu bytes)\n", Number{t.instructions}, Number{t.accesses},
   Number{t.threads}, t.threads == 1 ? "" : "s", path.text(), Number{s.bytes});
  // Of nothing, or of a part, there is nothing to show.
  if (t.blocks > 0 && !s.state.cut) VG_(umsg)("next: cdrgrind annotate %s\n", path.text());
}

// --cdr-replay-raw: a capture's records instead of this program's, which does not run.
[[noreturn]] void replay() {
  RawReplay from(options.replay_raw);
  while (const uint64_t words = from.read(record_buffer.room())) {
    record_buffer.fill(words);
    record_buffer.flush();
  }
  say_where(*recorder, recorder->consumer->settle());
  VG_(exit)(0);
}

// A forked child that has not passed anything on has at most as many blocks as its buffer has words.
bool needs_no_file_yet(const Recorder& r) {
  return r.fresh_child && record_buffer.bytes_used() / sizeof(uint64_t) < drain::kBlocksForFile;
}

bool create_file(Recorder& r) {
  const bool no_place = options.successor && out_file_is_special();
  if (!no_place && r.file.create(view(r.name.file), r.name.number)) {
    take_number(r, r.file.number());
    return true;
  }
  say_cannot_create(r.path, no_place ? kNoPlaceBeside : r.file.error());
  return false;
}

// What a recorded program executes has to run, recorded or not.
void run_unrecorded(Recorder& r) {
  r.open = false;
  if (!consume_here<NoConsumer>(r)) end_without_memory();
}

}  // namespace

void start_recorder() {
  recorder = new Recorder;
  Recorder& r = *recorder;
  RunInfo run = run_info();
  rename_trace(r, trace_name(run, options.successor));
  r.capture.create(options.capture_raw);
  if (options.discard) return run_unrecorded(r);
  if (!create_file(r)) {
    if (!options.successor) VG_(exit)(1);
    return run_unrecorded(r);
  }
  start_consumer(r);
  if (options.replay_raw) replay();
  run.number = r.name.number;
  append_start(run, r.name.file);
  record_buffer.flush();
  tell_successors();
}

void flush_recorder() {
  append(RecordKind::kFlush, {});
  settle(*recorder);
}

void finish_recorder(std::string_view how) {
  Recorder& r = *recorder;
  if (!r.open) return;
  append_text(RecordKind::kEnd, how);
  const drain::SessionStatus s = settle(r);
  if (s.state.finished && VG_(clo_verbosity) > 0) say_where(r, s);
  r.open = false;
}

void before_fork(::ThreadId) {
  if (!recorder->open) return;
  settle_thread_state();
  record_buffer.flush();
  record_buffer.go_on_at(recorder->consumer->before_fork());
}

void after_fork_in_parent(::ThreadId) { recorder->consumer->after_fork_in_parent(); }

void after_fork_in_child(::ThreadId tid) {
  Recorder& r = *recorder;
  RunInfo run = run_info();
  if (r.open) rename_trace(r, trace_name(run, true));
  run.number = r.name.number;
  r.cut_told = false;
  r.capture.close();
  // Recorded or not, the code goes on writing into a buffer, and it must not be the parent's.
  record_buffer.go_on_at(r.consumer->after_fork_in_child());
  if (!r.open) return;
  r.fresh_child = true;
  forget_other_syscalls(tid);
  keep_forking_thread(tid, {run, view(r.name.file)});
}

void before_exec(std::string_view path) {
  Recorder& r = *recorder;
  if (!r.open || needs_no_file_yet(r)) return;
  append_text(RecordKind::kExec, path);
  settle(r);
}

void exec_failed(UWord error) {
  if (recorder->open) append(RecordKind::kExecFailed, {error});
}

bool recorder_state(RecorderState& state) {
  Recorder& r = *recorder;
  state.session = settle(r);
  if (!r.open) return false;
  state.file = state.session.state.held ? nullptr : r.path;
  return true;
}

}  // namespace cdr::tool
