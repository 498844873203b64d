// SPDX-License-Identifier: GPL-2.0-or-later
// The chart in Mermaid's language: as in the paper, a process M is the memory with all locks; a thread that gives back
// sends to it, one that gets receives from it.
#include "cdrgrind/report/common/event_names.h"
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/sync/sync_report.h"

namespace cdr::report {

using sync::ChartRow;
using sync::ChartWhat;
using sync::SyncKind;
using sync::SyncObject;

namespace {

// Sends something to the memory where it is entered.
bool gives(const ChartRow& r) {
  switch (r.sync.op) {
    case SyncOp::kCondSignal:
    case SyncOp::kCondBroadcast:
    case SyncOp::kSemPost:
    case SyncOp::kHappensBefore:
    case SyncOp::kGuardRelease:
    case SyncOp::kGuardAbort:
    case SyncOp::kMutexUnlock:
    case SyncOp::kSpinUnlock:
    case SyncOp::kRwUnlock:
      return true;
    case SyncOp::kBarrierWait:
    case SyncOp::kCondWait:
    case SyncOp::kCondTimedWait:
      return r.what == ChartWhat::kEnter;
    default:
      return false;
  }
}

void put_row(const ChartRow& r, const SyncNames& names, Output& out) {
  const std::string label = mermaid_text(label_of(r, names));
  const uint32_t t = r.strand.lane ? r.strand.lane : r.thread.value;
  if (r.strand.lane && (is_team_op(r.sync.op) || r.is_life()) && !r.failed && !r.strand.from.lanes.empty()) {
    for (const uint32_t from : r.strand.from.lanes) out.print("    T{}->>T{}: {}\n", from, t, label);
    return;
  }
  const bool thread = r.what == ChartWhat::kStart || sync::kind_of(r.sync.op) == SyncKind::kThread;
  if (!r.failed && thread && !r.got.empty() && !r.got.front().from.empty())
    out.print("    T{}->>T{}: {}\n", r.strand.lane ? t : r.got.front().from.front().value, t, label);
  else if (!r.failed && !thread && !r.got.empty())
    out.print("    M->>T{}: {}\n", t, label);
  else if (!r.failed && gives(r))
    out.print("    T{}->>M: {}\n", t, label);
  else
    out.print("    Note over T{}: {}\n", t, label);
}

void put_object(const SyncObject& o, const SyncNames& names, JsonWriter& to) {
  to.object().members("kind", name_of(o.key.kind), "name", names.object(o.key), "address", o.key.object);
  to.members("acquisitions", o.acquisitions, "shared", o.shared, "releases", o.releases);
  to.members("contended", o.contended, "failed", o.failed, "hand_overs", o.hand_overs).key("pairs").array();
  for (const auto& [pair, count] : o.pairs)
    to.object().members("from", pair.first.value, "to", pair.second.value, "count", count).end();
  to.end().list("threads", o.threads, &ThreadId::value);
  to.members("insns_held", o.insns_held).key("longest");
  if (o.longest.end) {
    to.object().members("insns", o.longest.insns, "thread", o.longest.thread.value);
    to.members("begin", o.longest.begin, "end", o.longest.end);
    put_place("at", names.place(o.longest.begin), to);
    to.end();
  } else {
    to.null();
  }
  to.end();
}

void put_operation(const ChartRow& r, const SyncNames& names, JsonWriter& to) {
  const SyncKind kind = sync::kind_of(r.sync.op);
  to.members("number", r.number, "op", name_of(r.sync.op));
  if (is_team_op(r.sync.op))
    to.members("value", r.sync.value);
  else if (kind == SyncKind::kThread)
    to.members("other", r.sync.value);
  else
    to.members("object", names.object({kind, r.sync.object}));
  to.members("address", r.sync.object, "failed", r.failed, "waits", r.waits);
  to.list("held_by", r.held_by, &ThreadId::value);
  put_place("at", r.is_at() ? names.place(r.place()) : SourcePlace(), to);
}

void put_row(const ChartRow& r, const SyncNames& names, JsonWriter& to) {
  constexpr std::string_view whats[] = {"start", "end", "enter", "leave", "whole"};
  to.object().members("what", whats[static_cast<size_t>(r.what)], "event", r.index, "thread", r.thread.value);
  to.members("insns", r.insns);
  if (r.strand.lane) to.members("strand", r.strand.lane).list("from_strands", r.strand.from.lanes);
  if (r.what != ChartWhat::kStart && r.what != ChartWhat::kEnd) put_operation(r, names, to);
  to.key("got").array();
  for (const sync::SyncGot& g : r.got) {
    to.object().members("kind", name_of(g.of.kind), "address", g.of.object);
    to.list("from", g.from, &ThreadId::value).end();
  }
  to.end().end();
}

}  // namespace

void write_sync_mermaid(const SyncReport& report, const SyncNames& names, Output& out) {
  out.put("sequenceDiagram\n");
  for (const uint32_t lane : report.chart.strands ? report.chart.shown_lanes : std::vector<uint32_t>())
    out.print("    participant T{} as {}\n", lane, mermaid_text(lane_name(report.chart, lane, names, true)));
  for (const ThreadId t : report.chart.strands ? std::vector<ThreadId>() : report.chart.threads)
    out.print("    participant T{0} as thread {0}\n", t.value);
  out.put("    participant M as memory\n");
  for (const ChartRow& r : report.chart.rows) put_row(r, names, out);
  if (report.chart.left_out)
    out.print("    Note over M: {} more from event {} on\n", report.chart.left_out, report.chart.next);
}

void write_sync_json(const SyncReport& report, const SyncNames& names, Output& out) {
  JsonWriter to(out);
  to.object().members("schema", "cdrgrind.sync/1", "program", report.program);
  put_binaries(report.binaries, to);
  put_scope(report.scope, to);
  to.members("events", report.totals.events).list("threads", report.totals.threads, &ThreadId::value);
  to.key("objects").rows();
  for (const SyncObject& o : report.totals.objects) put_object(o, names, to);
  to.end().key("chart").rows();
  for (const ChartRow& r : report.chart.rows) put_row(r, names, to);
  to.end().members("left_out", report.chart.left_out);
  put_lanes_json(report, names, to);
  put_sections_json(report, names, to);
  put_barriers_json(report, names, to);
  put_teams_json(report, names, to);
  to.end();
  out.put('\n');
}

}  // namespace cdr::report
