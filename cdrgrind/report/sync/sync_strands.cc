// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/sync/sync_strands.h"

#include <fmt/format.h>

#include "cdrgrind/report/common/event_names.h"
#include "cdrgrind/report/sync/sync_report.h"

namespace cdr::report {

using strands::StrandKind;
using sync::ChartRow;
using sync::ChartWhat;
using sync::StrandLane;

namespace {

std::string_view kind_name(const StrandLane& lane) {
  if (lane.kind == StrandKind::kThread) return "thread";
  return lane.kind == StrandKind::kTask ? "task" : "implicit";
}

std::string strand_text(const ChartRow& r) {
  if (r.strand.task)
    return fmt::format(": task {}{}", r.strand.task, r.strand.team ? fmt::format(" of team {}", r.strand.team) : "");
  return r.strand.team ? fmt::format(": thread {} of team {}", r.strand.member, r.strand.team) : "";
}

bool waits_for_others(SyncOp op) {
  return op == SyncOp::kTaskwait || op == SyncOp::kTaskgroupEnd || op == SyncOp::kExclusiveBegin ||
         op == SyncOp::kDoacrossWait;
}

}  // namespace

std::string lane_name(const sync::SyncChart& chart, uint32_t number, const SyncNames& names, bool utf8) {
  const StrandLane& lane = chart.lanes[number - 1];
  if (lane.kind == StrandKind::kThread)
    return fmt::format("thread {}{}", lane.thread.value, lane.of_runtime ? " of the runtime" : "");
  if (lane.kind == StrandKind::kTask) {
    return fmt::format("task at {} {} {}", place_text(names.place(lane.first_event)), utf8 ? "×" : "x",
                       with_separators(lane.strands));
  }
  const std::string teams =
      lane.strands == 1 ? fmt::format("team {}", lane.team) : fmt::format("{} teams", with_separators(lane.strands));
  const bool nested = lane.parent && chart.lanes[lane.parent - 1].kind != StrandKind::kThread;
  return fmt::format("thread {} of {}{}", lane.member, teams, nested ? fmt::format(", begun by {}", lane.parent) : "");
}

std::string team_label(const ChartRow& r) {
  const SyncOp op = r.sync.op;
  if (op == SyncOp::kImplicitTask || op == SyncOp::kTask) {
    if (r.what == ChartWhat::kLeave) return "ends";
    return (r.what == ChartWhat::kWhole ? "begins and ends" : "begins") + strand_text(r);
  }
  std::string text(name_of(op));
  if (op == SyncOp::kTeamBarrier) return text + (r.what == ChartWhat::kEnter ? ": ready" : ": go");
  if (op == SyncOp::kParallel && r.what == ChartWhat::kLeave) return text + " ends";
  if (const uint64_t value = op == SyncOp::kParallel ? r.sync.value & ~kLeague : r.sync.value; value)
    text += fmt::format(" {}", value);
  return waits_for_others(op) && r.what == ChartWhat::kEnter ? text + " …" : text;
}

ChartRow without_numbers(const ChartRow& row) {
  ChartRow r = row;
  r.strand.team = r.strand.task = 0;
  return r;
}

void put_lane_names(const SyncReport& report, const SyncNames& names, Output& out) {
  for (const uint32_t lane : report.chart.shown_lanes)
    out.print("{:>9}  {}\n", lane, lane_name(report.chart, lane, names, report.style.utf8));
}

void put_lanes_json(const SyncReport& report, const SyncNames& names, JsonWriter& to) {
  if (!report.chart.strands) return;
  to.key("strands").rows();
  for (const uint32_t number : report.chart.shown_lanes) {
    const StrandLane& lane = report.chart.lanes[number - 1];
    to.object().members("number", number, "kind", kind_name(lane));
    to.members("name", lane_name(report.chart, number, names, true), "count", lane.strands);
    if (lane.kind == StrandKind::kThread) to.members("thread", lane.thread.value);
    if (lane.kind == StrandKind::kImplicit) to.members("member", lane.member, "parent", lane.parent);
    if (lane.kind != StrandKind::kThread) put_place("at", names.place(lane.first_event), to);
    to.end();
  }
  to.end();
}

}  // namespace cdr::report
