// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/export/result_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cdrgrind/analysis/sync/operations.h"
#include "cdrgrind/report/common/event_names.h"
#include "cdrgrind/report/export/code_cells.h"

namespace cdr::report {
namespace {

void put_line(uint32_t line, TableWriter& to) { line == 0 ? to.null() : to.number(uint64_t{line}); }

void put_end(const analysis::RowEnd& end, TableWriter& to) {
  const char code = letter(end.code);
  put_line(end.at.line, to.text(end.at.file));
  to.text(std::string_view(&code, code != ' '));
}

void put_thread(ThreadId thread, TableWriter& to) { thread ? to.number(uint64_t{thread.value}) : to.null(); }

void put_side(const RaceSide& s, TableWriter& to) {
  to.number(uint64_t{s.thread}).text(s.write ? "write" : "read").text(s.file);
  put_line(s.line, to);
  to.text(s.function).text(fmt::format("{}", fmt::join(s.locks, "; ")));
}

std::string_view what_of(const sync::SyncStep& s) {
  switch (s.kind) {
    case EventKind::kSyncEnter:
      return "enter";
    case EventKind::kSyncLeave:
      return "leave";
    case EventKind::kThreadCreate:
      return "create";
    case EventKind::kThreadStart:
      return "start";
    default:
      return "end";
  }
}

void put_operation(const sync::SyncStep& s, const SyncNames& names, TableWriter& to) {
  const sync::SyncKind kind = sync::kind_of(s.sync.op);
  to.text(name_of(s.sync.op));
  kind == sync::SyncKind::kThread ? to.null() : to.text(names.object({kind, s.sync.object}));
  to.number(s.sync.object).number(s.sync.object2).number(s.sync.value);
  if (s.kind == EventKind::kSyncLeave)
    to.number(s.sync.result).flag(s.sync.flags & kSyncFailed);
  else
    to.null().null();
}

}  // namespace

std::span<const Column> dependence_columns() {
  static constexpr Column kColumns[] = {
      {"kind", "string", "RAW, WAR or WAW"},
      {"class", "string", "of the location: s, r, o"},
      {"ancestor", "string", "the function whose activation both accesses are in"},
      {"source_file", "string", "of the source, or the module where there are no lines"},
      {"source_line", "uint64", "0: not known"},
      {"source_code", "string", "c: a call from that line"},
      {"target_file", "string", "of the source, or the module where there are no lines"},
      {"target_line", "uint64", "0: not known"},
      {"target_code", "string", "c: a call from that line"},
      {"count", "uint64", "how often"},
      {"source_thread", "uint64", "only where the threads are not the same"},
      {"target_thread", "uint64", "only where the threads are not the same"},
  };
  return kColumns;
}

void export_dependences(const std::vector<analysis::DependenceRow>& rows, TableWriter& to) {
  for (const analysis::DependenceRow& r : rows) {
    to.text(analysis::name_of(r.kind)).text(std::string_view(&r.location, 1)).text(r.ancestor);
    put_end(r.source, to);
    put_end(r.target, to);
    to.number(r.count);
    put_thread(r.source_thread, to);
    put_thread(r.target_thread, to);
    to.end_row();
  }
}

std::span<const Column> race_columns() {
  static constexpr Column kColumns[] = {
      {"id", "uint64", "in the order of the report, from 1"},
      {"variable", "string", "what both accesses touched"},
      {"location", "string", "global, heap, stack, tls or unknown"},
      {"name", "string", "of the variable without indices"},
      {"type", "string", "of the variable"},
      {"status", "string", "root, artifact or tangle"},
      {"of", "uint64", "the race that it follows from"},
      {"schedulable", "bool", "possible also when every read keeps the write that it saw"},
      {"instances", "uint64", "pairs of accesses"},
      {"judged", "uint64", "instances that were looked at"},
      {"first_thread", "uint64", "serial number; of the access that came first"},
      {"first_access", "string", "read or write"},
      {"first_file", "string", "of the program's own code, or of the module"},
      {"first_line", "uint64", "0: not known"},
      {"first_function", "string", "that made the access"},
      {"first_locks", "string", "held, with \"; \" between"},
      {"second_thread", "uint64", "serial number; of the other access"},
      {"second_access", "string", "read or write"},
      {"second_file", "string", "of the program's own code, or of the module"},
      {"second_line", "uint64", "0: not known"},
      {"second_function", "string", "that made the access"},
      {"second_locks", "string", "held, with \"; \" between"},
  };
  return kColumns;
}

void export_races(const RaceReport& report, TableWriter& to) {
  for (const RaceFinding& f : report.findings) {
    to.number(uint64_t{f.id}).text(f.variable).text(f.kind).text(f.name).text(f.type).text(status_name(f));
    f.of ? to.number(uint64_t{f.of}) : to.null();
    to.flag(f.schedulable).number(f.instances).number(f.judged);
    put_side(f.first, to);
    put_side(f.second, to);
    to.end_row();
  }
}

std::span<const Column> loop_columns() {
  static constexpr Column kColumns[] = {
      {"file", "string", "of the source, or the module where there are no lines"},
      {"line", "uint64", "where the loop begins"},
      {"function", "string", "that the loop is in"},
      {"last_line", "uint64", "of the loop"},
      {"header", "uint64", "address of the loop's first instruction"},
      {"depth", "uint64", "1: in no other loop"},
      {"irregular", "bool", "it is entered elsewhere than at its header"},
      {"verdict", "string", "unseen, parallel, ordered, tasks, pipeline or sequential"},
      {"instances", "uint64", "how often it was entered"},
      {"iterations", "uint64", "of all instances"},
      {"instructions", "uint64", "executed in it, with what it calls"},
      {"longest_iteration", "uint64", "instructions"},
      {"interval", "uint64", "instructions between the starts of iterations in a pipeline"},
      {"speed_up", "double", "of the loop, by threads"},
      {"run_speed_up", "double", "of the whole run"},
      {"pragma", "string", "a line for the source"},
  };
  return kColumns;
}

void export_loops(const AdviseReport& report, const ModuleTable& modules, TableWriter& to) {
  for (const AdviceLoop& l : report.loops) {
    to.text(l.place.file.empty() && l.header.module ? modules[l.header.module].path : l.place.file);
    put_line(l.place.line, to);
    put_line(l.last_line, to.text(l.place.function));
    to.number(l.header.addr).number(uint64_t{l.depth}).flag(l.irregular).text(name_of(l.verdict));
    to.number(l.instances).number(l.iterations).number(l.instructions).number(l.longest).number(l.interval);
    to.rounded(l.speed_up).rounded(l.of_run).text(l.pragma).end_row();
  }
}

std::span<const Column> sync_columns() {
  static constexpr Column kColumns[] = {
      {"event", "uint64", "number in the true order of all threads, from 0"},
      {"number", "uint64", "of enters and leaves, from 1; of others that of the last one before"},
      {"thread", "uint64", "serial number; main is 1"},
      {"what", "string", "enter, leave, create, start or end"},
      {"instructions", "uint64", "that the thread had executed"},
      {"other", "uint64", "create: the new thread; start: the creator"},
      {"op", "string", "the operation"},
      {"object", "string", "its name"},
      {"address", "uint64", "of the object"},
      {"address2", "uint64", "of the second object, as a condition's mutex"},
      {"value", "uint64", "as docs/events.md has it"},
      {"result", "int64", "leave: what the function returned"},
      {"failed", "bool", "leave: it returned an error"},
      {"function", "string", "that the operation was called from"},
      {"file", "string", "of the source, or the module where there are no lines"},
      {"line", "uint64", "of the call"},
  };
  return kColumns;
}

void export_sync(std::span<const sync::SyncStep> steps, const std::map<uint64_t, std::vector<CodeAddr>>& sites,
                 const SyncNames& names, TableWriter& to) {
  for (const sync::SyncStep& s : steps) {
    to.number(s.index).number(s.number).number(uint64_t{s.thread.value}).text(what_of(s)).number(s.insns);
    put_thread(s.child, to);
    if (s.kind == EventKind::kSyncEnter || s.kind == EventKind::kSyncLeave)
      put_operation(s, names, to);
    else
      to.null().null().null().null().null().null().null();
    const auto found = sites.find(s.index);
    const SourcePlace p = found == sites.end() ? SourcePlace() : names.place_of(found->second);
    to.cells(p == SourcePlace() ? std::string(CodeCells::kNone) : CodeCells::of(p.function, {p.file, p.line}));
    to.end_row();
  }
}

}  // namespace cdr::report
