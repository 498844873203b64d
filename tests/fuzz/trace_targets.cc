// SPDX-License-Identifier: GPL-2.0-or-later
// Targets that read a whole trace, as the commands do.
#include <fcntl.h>
#include <algorithm>

#include <cstdlib>
#include <new>
#include <optional>
#include <string>

#include "cdrgrind/analysis/totals/trace_totals.h"
#include "cdrgrind/depend/engine.h"
#include "cdrgrind/report/annotate/annotate.h"
#include "cdrgrind/report/common/program_scope.h"
#include "cdrgrind/report/dump/dataflow_lines.h"
#include "cdrgrind/report/dump/dependence_lines.h"
#include "cdrgrind/report/dump/event_writer.h"
#include "cdrgrind/report/stats/trace_stats.h"
#include "cdrgrind/trace/check/checker.h"
#include "cdrgrind/trace/index/thread_cursor.h"
#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/dataflow_reader.h"
#include "cdrgrind/trace/read/reencode.h"
#include "tests/fuzz/frames_input.h"

namespace cdr::fuzz {
namespace {

// More are read one by one by nobody in a test, and take the fuzzer's time: a small file may hold millions.
constexpr uint64_t kMaxEvents = 200'000;

struct Nowhere final : Output {
  bool write(std::span<const uint8_t>) override { return true; }
};

report::Output null_sink() {
  static const int fd = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  return report::Output(fd);
}

// Damage may be met by any of the readers; the others go on. What takes more memory than there is, is not in order.
template <class Reader>
void in_order(Reader read) {
  try {
    read();
  } catch (const trace::TraceError& e) {
    if (e.problem() == trace::Problem::kNoMemory) throw std::bad_alloc();
  }
}

void dump(const trace::TraceFile& file, report::DumpFormat format) {
  report::Output out = null_sink();
  const report::ListOptions list;
  const auto writer = report::make_event_writer(format, file.modules(), list.events, {"prog", {"prog", "1"}}, out);
  report::EventLister lister(file.blocks(), list, *writer);
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) lister.list(e);
  out.flush();
}

void dataflow(const trace::TraceFile& file) {
  report::Output out = null_sink();
  report::write_dataflow_lines(file.blocks(), trace::read_dataflow(file), out);
  out.flush();
}

void stats(const trace::TraceFile& file) {
  report::Output out = null_sink();
  const analysis::TraceTotals totals =
      analysis::count_trace(file, report::ProgramScope(file.modules(), {}).libraries());
  report::write_stats(file, totals, "prog", {}, out);
  report::write_stats_json(file, totals, out);
  out.flush();
}

// Reading from any place gives what reading from the start gives there.
void seek(const trace::TraceFile& file) {
  const uint64_t middle = file.event_count() / 2;
  trace::Cursor whole(file), part(file);
  Event a, b;
  for (uint64_t i = 0; i <= middle; ++i)
    if (!whole.next(a)) return;
  part.seek(middle);
  if (!part.next(b) || part.index() != middle || a.kind != b.kind || a.thread != b.thread || a.block != b.block)
    std::abort();
}

bool same(const Event& a, const Event& b) {
  return a.kind == b.kind && a.thread == b.thread && a.block == b.block && std::ranges::equal(a.words, b.words) &&
         a.sp == b.sp && a.ip == b.ip;
}

// Places of a compact trace, found by descent: those that reading gives, if the trace keeps its invariants. If it does
// not, its THREAD frames may tell counts that are not so.
void places(const trace::TraceFile& file, bool sound) {
  if (file.epochs().empty()) return;
  trace::Seeker seeker(file);
  trace::Cursor cursor(file);
  Event read;
  for (uint64_t index = 0; index < 64 && cursor.next(read); ++index) {
    trace::TracePosition place;
    if (seeker.at_index(index, place)) continue;
    if (sound && seeker.index_of(place) != index) std::abort();
    if (!same(seeker.event_at(place), read) && sound) std::abort();
    seeker.stack_at(place, true);
    if (index % 16 != 0) continue;
    trace::ThreadCursor own(seeker, place);
    Event next;
    for (int i = 0; i < 64 && own.next(next); ++i)
      if (i == 0 && sound && !same(next, read)) std::abort();
  }
}

// Where the object files are that a trace names.
enum class Objects {
  kNowhere,  // what is on the machine does not matter, and stays unread
  kHere,     // but their debug files, for the time
};

void annotate(const trace::TraceFile& file, const depend::ResultTable& table, Objects objects) {
  symbols::SymbolOptions where;
  where.system_debug_dir = "/nonexistent";
  symbols::Symbols symbols(where);
  ModuleTable modules;
  for (const Module& m : file.modules()) {
    Module found = m;
    const std::string path = (objects == Objects::kHere ? "" : "/nonexistent/") + std::string(m.path);
    found.path = path;
    modules.add(found);
  }
  report::add_modules(modules, symbols);
  report::SymbolNames names(modules, symbols);
  analysis::RowFilter filter;
  filter.hidden = true;
  filter.classes = {'f', 'l', 'o', 'r', 's'};
  const analysis::DependenceRows rows = analysis::rows_by_line(table.rows(), names, filter);
  report::Output out = null_sink();
  report::write_dependence_lines(table.rows(), std::vector<std::optional<uint64_t>>(table.rows().size()), out);
  report::write_dependences_json(rows, "prog", out);
  report::AnnotateOptions options;
  options.chosen = true;
  report::write_annotation(rows, names, options, out);
  out.flush();
}

void recorded_dependences(const trace::TraceFile& file, Objects objects) {
  const auto payload = file.depend();
  if (!payload) return;
  depend::ResultTable table;
  ByteReader from(*payload);
  if (depend::read(from, table)) annotate(file, table, objects);
}

void computed_dependences(const trace::TraceFile& file, Objects objects) {
  depend::Options options;
  options.memory_bytes = 32 << 20;
  depend::Engine engine(file.modules(), file.blocks(), options);
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) dispatch(e, engine);
  annotate(file, engine.results(), objects);
}

void read_all(const trace::TraceFile& file, Objects objects) {
  for (const trace::Frame& frame : file.frames()) in_order([&] { file.payload(frame); });
  if (file.event_count() > kMaxEvents) return;
  bool sound = false;
  in_order([&] { sound = trace::check(file).ok(); });
  in_order([&] { stats(file); });
  for (const auto format : {report::DumpFormat::kText, report::DumpFormat::kJson, report::DumpFormat::kLackey})
    in_order([&] { dump(file, format); });
  in_order([&] { seek(file); });
  in_order([&] { places(file, sound); });
  in_order([&] { dataflow(file); });
  in_order([&] {
    Nowhere out;
    trace::reencode(file, out);
  });
  in_order([&] { recorded_dependences(file, objects); });
  in_order([&] { computed_dependences(file, objects); });
}

}  // namespace

void trace_file(Bytes input) {
  in_order([&] { read_all(trace::TraceFile::from_bytes(repaired(input), "fuzz.trace"), Objects::kNowhere); });
}

void trace_libraries(Bytes input) {
  in_order([&] { read_all(trace::TraceFile::from_bytes(repaired(input), "fuzz.trace"), Objects::kHere); });
}

void trace_frames(Bytes input) {
  in_order([&] { read_all(trace::TraceFile::from_bytes(trace_of(input), "fuzz.trace"), Objects::kNowhere); });
}

void dependences(Bytes input) {
  depend::ResultTable table;
  ByteReader from(input);
  if (!depend::read(from, table)) return;
  ByteWriter again;
  depend::write(table, again);
  depend::ResultTable same;
  ByteReader back(again.bytes());
  if (!depend::read(back, same) || !(same == table)) std::abort();
  const std::vector<uint8_t> no_frames;
  annotate(trace::TraceFile::from_bytes(trace_of(no_frames), "fuzz.trace"), table, Objects::kNowhere);
}

}  // namespace cdr::fuzz
