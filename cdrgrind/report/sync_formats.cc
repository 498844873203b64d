// SPDX-License-Identifier: GPL-2.0-or-later
// The chart in Mermaid's language: as in the paper, a process M is the memory with all locks; a thread that gives back
// sends to it, one that gets receives from it.
#include <nlohmann/json.hpp>

#include "cdrgrind/report/event_names.h"
#include "cdrgrind/report/sync_report.h"

namespace cdr::report {

using analysis::ChartRow;
using analysis::ChartWhat;
using analysis::SyncKind;
using analysis::SyncObject;
using Json = nlohmann::ordered_json;

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
  const uint32_t t = r.thread.value;
  const bool thread = r.what == ChartWhat::kStart || analysis::kind_of(r.sync.op) == SyncKind::kThread;
  if (!r.failed && thread && !r.got.empty() && !r.got.front().from.empty())
    out.print("    T{}->>T{}: {}\n", r.got.front().from.front().value, t, label);
  else if (!r.failed && !thread && !r.got.empty())
    out.print("    M->>T{}: {}\n", t, label);
  else if (!r.failed && gives(r))
    out.print("    T{}->>M: {}\n", t, label);
  else
    out.print("    Note over T{}: {}\n", t, label);
}

Json json_of(const SourcePlace& p) { return {{"file", p.file}, {"line", p.line}, {"function", p.function}}; }

Json numbers(const auto& threads) {
  Json list = Json::array();
  for (const ThreadId t : threads) list.push_back(t.value);
  return list;
}

Json json_of(const SyncObject& o, const SyncNames& names) {
  Json j{{"kind", name_of(o.key.kind)},
         {"name", names.object(o.key)},
         {"address", o.key.object},
         {"acquisitions", o.acquisitions},
         {"shared", o.shared},
         {"releases", o.releases},
         {"contended", o.contended},
         {"failed", o.failed},
         {"hand_overs", o.hand_overs},
         {"pairs", Json::array()},
         {"threads", numbers(o.threads)},
         {"insns_held", o.insns_held},
         {"longest", nullptr}};
  for (const auto& [pair, count] : o.pairs)
    j["pairs"].push_back({{"from", pair.first.value}, {"to", pair.second.value}, {"count", count}});
  if (o.longest.end)
    j["longest"] = {{"insns", o.longest.insns},
                    {"thread", o.longest.thread.value},
                    {"begin", o.longest.begin},
                    {"end", o.longest.end},
                    {"at", json_of(names.place(o.longest.begin))}};
  return j;
}

Json json_of(const ChartRow& r, const SyncNames& names) {
  constexpr std::string_view whats[] = {"start", "end", "enter", "leave", "whole"};
  Json j{
      {"what", whats[static_cast<size_t>(r.what)]}, {"event", r.index}, {"thread", r.thread.value}, {"insns", r.insns}};
  if (r.what != ChartWhat::kStart && r.what != ChartWhat::kEnd) {
    const SyncKind kind = analysis::kind_of(r.sync.op);
    j["number"] = r.number;
    j["op"] = name_of(r.sync.op);
    if (kind == SyncKind::kThread)
      j["other"] = r.sync.value;
    else
      j["object"] = names.object({kind, r.sync.object});
    j["address"] = r.sync.object;
    j["failed"] = r.failed;
    j["waits"] = r.waits;
    j["held_by"] = numbers(r.held_by);
    j["at"] = json_of(names.place(r.index));
  }
  j["got"] = Json::array();
  for (const analysis::SyncGot& g : r.got)
    j["got"].push_back({{"kind", name_of(g.of.kind)}, {"address", g.of.object}, {"from", numbers(g.from)}});
  return j;
}

void put_list(const char* name, const auto& list, const SyncNames& names, Output& out) {
  out.print(",\"{}\":[", name);
  const char* before = "\n";
  for (const auto& one : list) {
    out.put(before).put(json_text(json_of(one, names)));
    before = ",\n";
  }
  out.put("\n]");
}

}  // namespace

void write_sync_mermaid(const SyncReport& report, const SyncNames& names, Output& out) {
  out.put("sequenceDiagram\n");
  for (const ThreadId t : report.chart.threads) out.print("    participant T{0} as thread {0}\n", t.value);
  out.put("    participant M as memory\n");
  for (const ChartRow& r : report.chart.rows) put_row(r, names, out);
  if (report.chart.left_out)
    out.print("    Note over M: {} more from event {} on\n", report.chart.left_out, report.chart.next);
}

void write_sync_json(const SyncReport& report, const SyncNames& names, Output& out) {
  out.put(R"({"schema":"cdrgrind.sync/1","program":)").put(json_string(report.program)).put(',');
  put_binaries(report.binaries, out);
  out.put(R"("events":)").dec(report.totals.events).put(R"(,"threads":)").put(numbers(report.totals.threads).dump());
  put_list("objects", report.totals.objects, names, out);
  put_list("chart", report.chart.rows, names, out);
  out.put(R"(,"left_out":)").dec(report.chart.left_out).put("}\n");
}

}  // namespace cdr::report
