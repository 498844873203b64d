// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/drain/session.h"

#include "cdrgrind/drain/superblock_words.h"

namespace cdr::drain {
namespace {

// Without the dynamic linker nobody loads the wrappers.
bool has_wrappers(const ModuleTable& modules) {
  for (const Module& m : modules)
    if (m.flags & kModulePreload) return true;
  return false;
}

}  // namespace

Session::Session(StreamFile& file, OtherDependences* others)
    : file_(file), others_(others), drain_(modules_, blocks_, flows_, *this, *this) {}

void Session::consume(std::span<const uint64_t> records) {
  if (!open_) return;
  drain_.consume(records);
  if (open_ && held_ && recording_->totals().blocks >= kBlocksForFile) create_file();
}

// A program that executed another one has left a trace that needs nothing more.
void Session::consume_last(std::span<const uint64_t> records) {
  if (!open_ || !recording_) return;
  drain_.consume_last(records);
  open_ = false;
  if (held_) return;
  if (!exec_told_) {
    write_dependences();
    recording_->flush();
  }
  file_.close();
}

// The processes that fork from this one do not try again.
void Session::leave_dependences() {
  if (options_.deps != DepsMode::kAuto) return;
  options_.deps = DepsMode::kLater;
  engine_.reset();
}

SessionState Session::state() const {
  SessionState s;
  s.open = open_;
  s.finished = finished_;
  s.held = held_;
  s.collecting = drain_.collecting();
  s.cut = recording_ && recording_->cut();
  s.error = file_.error();
  s.number = run_.number;
  return s;
}

SessionStatus Session::status() const {
  SessionStatus s;
  s.state = state();
  if (!recording_) return s;
  s.totals = recording_->totals();
  s.bytes = recording_->bytes_written();
  return s;
}

// ---- events

void Session::block(ThreadId thread, BlockId id, std::span<const uint64_t> words) {
  kept().block(thread, id, words);
  if (engine_) engine_->block(thread, id, words);
}

void Session::run(ThreadId thread, Steps run) {
  if (filter_)
    filter_->run(thread, run);
  else
    recording_->run(thread, run);
  if (engine_) engine_->run(thread, run);
}

void Session::event(const Event& e) {
  kept().event(e);
  if (engine_) engine_->event(e);
}

// ---- records that are not events

void Session::record(RecordKind kind, std::span<const uint64_t> payload) {
  switch (kind) {
    case RecordKind::kStart:
      return start(payload);
    case RecordKind::kForked:
      return forked(payload);
    case RecordKind::kFlush:
      return flush();
    case RecordKind::kExec:
      return exec(payload);
    case RecordKind::kExecFailed:
      return exec_failed(payload[0]);
    case RecordKind::kEnd:
      return end(unpack_text(payload));
    default:
      return;
  }
}

void Session::start(std::span<const uint64_t> payload) {
  const StreamStart s = unpack_start(payload);
  name_process(s.process);
  options_ = s.options;
  for (const MetaEntry& e : s.meta) meta_.push_back({meta_texts_.copy(e.key), meta_texts_.copy(e.value)});
  drain_.start(options_.drain);
  open_stream();
}

void Session::name_process(const Process& process) {
  run_ = process.run;
  path_.assign(process.path.begin(), process.path.end());
}

// What a stream feeds, from its first event on.
void Session::open_stream() {
  RecordingOptions o = options_.recording();
  o.dataflow = &flows_;
  const BlockTable* table = &blocks_;
  // Without dependences nothing is recorded that the filter would take away.
  const bool none = options_.data == DataMode::kNone;
  if (options_.data == DataMode::kNonStack || (none && options_.online_deps())) {
    filter_.emplace(blocks_, none ? DataFilter::Keep::kNothing : DataFilter::Keep::kNonStack);
    table = &filter_->blocks();
  }
  recording_.emplace(file_, modules_, *table, run_, meta_, o);
  if (filter_) filter_->set_sink(*recording_);
  if (options_.online_deps() && !others_) engine_.emplace(modules_, blocks_, options_.dependences());
}

// A child inherits its parent's session and makes its own from it: what is in the code and in the modules stays, trace
// and dependences begin anew. Its file is created when it has executed kBlocksForFile blocks, or at its end.
void Session::forked(std::span<const uint64_t> payload) {
  payload = payload.subspan(2);
  Process child = unpack_process(payload);
  child.run.parent_pid = run_.pid;
  child.run.fork_event = recording_->events();
  file_.hold();
  held_ = true;
  exec_told_ = false;
  name_process(child);
  engine_.reset();
  recording_.reset();
  filter_.reset();
  blocks_ = BlockTable();
  flows_ = DataflowTable();
  open_stream();
}

// A child that cannot have a file is not recorded any more.
bool Session::create_file() {
  held_ = false;
  if (!file_.create({path_.data(), path_.size()}, run_.number)) open_ = false;
  if (open_) run_.number = file_.number();
  return open_;
}

void Session::flush() {
  if (held_ && !create_file()) return;
  recording_->flush();
}

void Session::add_exec(const ExecInfo& exec) {
  ByteWriter payload;
  encode_exec(exec, payload);
  recording_->add_frame(FrameType::kExec, payload.bytes());
}

void Session::exec(std::span<const uint64_t> payload) {
  if (held_) return;
  add_exec({.path = unpack_text(payload)});
  exec_told_ = true;
}

void Session::exec_failed(uint64_t error) {
  if (!exec_told_) return;
  exec_told_ = false;
  add_exec({.error = error});
}

void Session::end(std::string_view how) {
  if (held_ && !create_file()) return;
  write_dependences();
  write_end(how);
  file_.close();
  open_ = false;
  finished_ = true;
}

void Session::write_dependences() {
  if (!options_.online_deps()) return;
  const auto table =
      others_ ? others_->results(static_cast<uint32_t>(options_.granularity)) : engine_->lasting_results();
  if (!table) {
    options_.deps = DepsMode::kLater;
    return;
  }
  imprecise_ = table->stats().imprecise;
  ByteWriter payload;
  depend::write(*table, payload);
  recording_->add_frame(FrameType::kDepend, payload.bytes());
}

void Session::write_end(std::string_view how) {
  EndInfo end;
  end.exit = how;
  std::vector<Counter> counters;
  if (options_.online_deps()) counters.push_back({"imprecise", imprecise_});
  if (const uint64_t gaps = recording_->totals().kinds[static_cast<uint8_t>(EventKind::kGapBegin)])
    counters.push_back({"gaps", gaps});
  end.counters = counters;
  std::vector<MetaEntry> texts;
  if (options_.deps == DepsMode::kLater) texts.push_back({"dependences", "later"});
  if (!has_wrappers(modules_)) texts.push_back({"limit", "static program: its heap and synchronisation are not seen"});
  end.texts = texts;
  recording_->close(end);
}

}  // namespace cdr::drain
