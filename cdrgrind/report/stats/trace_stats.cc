// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/stats/trace_stats.h"

#include <map>

#include "cdrgrind/report/common/binaries.h"
#include "cdrgrind/report/common/event_names.h"
#include "cdrgrind/report/common/json_writer.h"

namespace cdr::report {

using analysis::ThreadTotals;
using analysis::TraceTotals;
using trace::TraceFile;

namespace {

std::string percent_of(uint64_t part, uint64_t whole) {
  return whole == 0 ? "" : fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// "exit 3", "signal 11", "exec of /bin/ls"; empty if the trace does not say.
std::string ending_of(const TraceFile& file) {
  if (file.status() == trace::Status::kExec) return "exec of " + file.exec_path();
  return file.end() ? std::string(file.end()->texts.find("exit").value_or("")) : std::string();
}

double ratio(double a, uint64_t b) { return b == 0 ? 0 : a / static_cast<double>(b); }

const char* dependences_of(const TraceFile& file) {
  if (file.find(FrameType::kDepend)) return "in the file";
  return file.left_dependences() ? "left to the first command that asks for them" : "none";
}

uint64_t hide_regions(const TraceTotals& totals) { return totals.kinds[static_cast<size_t>(EventKind::kHideBegin)]; }

class StatsText {
 public:
  StatsText(const TraceFile& file, const TraceTotals& totals, const Style& style, Output& out)
      : file_(file), totals_(totals), style_(style), out_(out) {}

  void write(const std::string& command) {
    header(command);
    frames();
    events();
    threads();
    modules();
    // Of nothing, or of a part, there is nothing to show.
    if (file_.status_text().empty() && totals_.all().blocks > 0)
      out_.print("Next: cdrgrind annotate {}\n", shell_word(file_.name()));
  }

 private:
  void header(const std::string& command) {
    const ThreadTotals all = totals_.all();
    out_.put(section("Trace", style_));
    line("File", file_.name());
    line("Command", command);
    line("Format", std::to_string(file_.version()));
    line("Status", file_.status_text().empty() ? std::string(name_of(file_.status())) : file_.status_text());
    if (const std::string how = ending_of(file_); !how.empty()) line("Ended", how);
    if (file_.run().parent_pid != 0)
      line("Parent", fmt::format("process {}, forked at its event {}", file_.run().parent_pid,
                                 with_separators(file_.run().fork_event)));
    if (file_.run().number != 0) line("Number", fmt::format("{} of its row of files", file_.run().number));
    line("Bytes", with_separators(file_.bytes()));
    line("Events", with_separators(totals_.events));
    line("Blocks", with_separators(all.blocks));
    line("Instructions", with_separators(all.instructions));
    line("Of the program", with_separators(all.program_instructions));
    line("Of libraries", with_separators(all.library_instructions));
    if (const uint64_t rest = all.instructions - all.program_instructions - all.library_instructions)
      line("Of the linker", with_separators(rest));
    if (all.wrapper_blocks)
      line("Wrappers", fmt::format("{} instructions in {} blocks of the recorder's own, not counted above (--at-block "
                                   "counts them)",
                                   with_separators(all.wrapper_instructions), with_separators(all.wrapper_blocks)));
    line("Accesses", fmt::format("{} loads, {} stores", with_separators(all.loads), with_separators(all.stores)));
    line("Slot words", with_separators(all.words));
    line("Bytes an event", fmt::format("{:.3f}", ratio(static_cast<double>(file_.bytes()), totals_.events)));
    line("Dependences", dependences_of(file_));
    line("Tables",
         fmt::format("{} superblocks, {} blocks, {} modules", with_separators(file_.blocks().superblock_count()),
                     with_separators(file_.blocks().block_count()), file_.modules().size()));
    if (const uint64_t hides = hide_regions(totals_)) line("Hide regions", with_separators(hides));
    if (file_.end())
      for (const auto& [key, value] : file_.end()->counters) line("END " + key, with_separators(value));
    out_.put('\n');
  }
  void line(std::string_view name, std::string_view value) {
    out_.print("{} {}\n", padded_right(visible(name) + ":", 18), visible(value));
  }

  void frames() {
    out_.put(section("Frames", style_));
    out_.print("{:<12}{:>10}{:>18}{:>9}{:>18}\n", "type", "frames", "bytes", "", "raw bytes");
    for (const FrameTotals& f : frames_by_type(file_))
      out_.print("{:<12}{:>10}{:>18}{:>9}{:>18}\n", frame_type_name(f.type), with_separators(f.frames),
                 with_separators(f.bytes), percent_of(f.bytes, file_.bytes()), with_separators(f.raw_bytes));
    out_.put('\n');
  }
  void events() {
    out_.put(section("Events", style_));
    for (uint8_t k = 0; k < kEventKindCount; ++k)
      if (totals_.kinds[k] != 0)
        out_.print("{:<18}{:>18}\n", name_of(static_cast<EventKind>(k)), with_separators(totals_.kinds[k]));
    out_.put('\n');
  }
  void threads() {
    out_.put(section("Threads", style_));
    out_.print("{:>6}{:>16}{:>16}{:>16}{:>14}{:>10}\n", "thread", "blocks", "instructions", "loads", "stores", "syncs");
    for (size_t t = 1; t < totals_.threads.size(); ++t) {
      const ThreadTotals& n = totals_.threads[t];
      out_.print("{:>6}{:>16}{:>16}{:>16}{:>14}{:>10}\n", t, with_separators(n.blocks), with_separators(n.instructions),
                 with_separators(n.loads), with_separators(n.stores), with_separators(n.syncs));
    }
    out_.put('\n');
  }
  void modules() {
    out_.put(section("Modules", style_));
    for (const Module& m : file_.modules())
      out_.print("{:>6}  {:#014x}-{:#014x}  {}\n", m.id.value, m.text.begin, m.text.end, visible(m.path));
    out_.put('\n');
  }

  const TraceFile& file_;
  const TraceTotals& totals_;
  const Style& style_;
  Output& out_;
};

// The object is left open.
void put_thread(const ThreadTotals& n, JsonWriter& to) {
  to.object().members("events", n.events, "blocks", n.blocks, "instructions", n.instructions, "words", n.words);
  to.members("loads", n.loads, "stores", n.stores, "syncs", n.syncs, "wrapper_blocks", n.wrapper_blocks);
  to.members("wrapper_instructions", n.wrapper_instructions, "program_instructions", n.program_instructions);
  to.members("library_instructions", n.library_instructions);
}

void put_frames(const TraceFile& file, JsonWriter& to) {
  to.key("frames").array();
  for (const FrameTotals& f : frames_by_type(file)) {
    to.object().members("type", frame_type_name(f.type), "frames", f.frames, "events", f.events, "bytes", f.bytes);
    to.members("raw_bytes", f.raw_bytes).end();
  }
  to.end();
}

void put_modules(const TraceFile& file, JsonWriter& to) {
  to.key("modules").array();
  for (const Module& m : file.modules()) {
    to.object().members("module", m.id.value, "path", m.path, "soname", m.soname, "text_begin", m.text.begin);
    to.members("text_end", m.text.end, "bias", m.bias);
    if (m.file_bytes) to.members("file_bytes", m.file_bytes);
    if (const std::string id = build_id_of(m); !id.empty()) to.members("build_id", id);
    if (const auto sum = checksum_of(m)) to.members("checksum", fmt::format("{:016x}", *sum));
    to.end();
  }
  to.end();
}

void put_end(const TraceFile& file, JsonWriter& to) {
  to.key("end").object();
  if (file.end())
    for (const auto& [key, value] : file.end()->counters) to.members(key, value);
  to.end();
}

}  // namespace

std::string_view name_of(trace::Status status) {
  switch (status) {
    case trace::Status::kComplete:
      return "complete";
    case trace::Status::kExec:
      return "exec";
    case trace::Status::kKilled:
      return "killed";
    case trace::Status::kWriting:
      return "writing";
    case trace::Status::kCut:
      break;
  }
  return "cut";
}

std::vector<FrameTotals> frames_by_type(const TraceFile& file) {
  std::map<FrameType, FrameTotals> by_type;
  for (const trace::Frame& frame : file.frames()) {
    FrameTotals& t = by_type[frame.header.type];
    t.type = frame.header.type;
    ++t.frames;
    t.events += frame.header.event_count;
    t.bytes += kFrameHeaderBytes + frame.header.payload_bytes;
    t.raw_bytes += frame.header.raw_bytes;
  }
  std::vector<FrameTotals> rows;
  for (const auto& [type, row] : by_type) rows.push_back(row);
  return rows;
}

void write_stats(const TraceFile& file, const TraceTotals& totals, const std::string& command, const Style& style,
                 Output& out) {
  StatsText(file, totals, style, out).write(command);
}

void write_stats_json(const TraceFile& file, const TraceTotals& totals, Output& out) {
  JsonWriter to(out, JsonWriter::Layout::kIndented);
  to.object().members("schema", "cdrgrind.stats/1", "program", file.meta().find("program").value_or(""));
  to.members("format", file.version(), "status", name_of(file.status()), "bytes", file.bytes()).key("totals");
  put_thread(totals.all(), to);
  to.end().members("superblocks", file.blocks().superblock_count(), "blocks", file.blocks().block_count());
  put_frames(file, to);
  to.key("events").object();
  for (uint8_t k = 0; k < kEventKindCount; ++k)
    if (totals.kinds[k] != 0) to.members(name_of(static_cast<EventKind>(k)), totals.kinds[k]);
  to.end().members("hide_regions", hide_regions(totals)).key("threads").array();
  for (size_t t = 1; t < totals.threads.size(); ++t) {
    put_thread(totals.threads[t], to);
    to.members("thread", t).end();
  }
  to.end();
  put_modules(file, to);
  to.members("dependences", file.find(FrameType::kDepend) ? "recorded" : file.left_dependences() ? "later" : "none");
  put_end(file, to);
  if (const std::string how = ending_of(file); !how.empty()) to.members("ended", how);
  if (const RunInfo& run = file.run(); run.parent_pid != 0)
    to.key("parent").object().members("pid", run.parent_pid, "fork_event", run.fork_event).end();
  if (file.run().number != 0) to.members("number", file.run().number);
  to.end();
  out.put('\n');
}

}  // namespace cdr::report
