// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/advise_report.h"
#include "cdrgrind/report/common/json_writer.h"

namespace cdr::report {
namespace {

std::string_view kind_name(regions::Kind k) {
  constexpr std::string_view kNames[] = {"raw", "war", "waw"};
  return kNames[static_cast<size_t>(k)];
}

void put_end(std::string_view name, const AdviceEnd& e, JsonWriter& to) {
  to.key(name).object().members("ip", e.ip, "call", e.call, "line", e.line).end();
}

void put_row(const AdviceRow& r, JsonWriter& to) {
  to.object().members("kind", kind_name(r.kind));
  put_end("source", r.source, to);
  put_end("target", r.target, to);
  size_t used = r.distances.counts.size();
  while (used > 0 && r.distances.counts[used - 1] == 0) --used;
  to.members("count", r.count).list("distances", std::span(r.distances.counts).first(used));
  to.members("least", r.distances.least, "greatest", r.distances.greatest).end();
}

void put_item(const AdviceItem& i, JsonWriter& to) {
  to.object().members("class", name_of(i.carried_as), "object", i.name, "note", i.note, "clause", i.clause, "edit",
                      i.edit);
  to.key("rows").array();
  for (const AdviceRow& r : i.rows) put_row(r, to);
  to.end().end();
}

void put_loop(const AdviceLoop& l, JsonWriter& to) {
  to.object();
  put_place("place", l.place, to);
  to.members("last_line", l.last_line, "header", l.header.addr, "depth", l.depth, "irregular", l.irregular);
  to.members("weak", l.weak, "verdict", name_of(l.verdict), "small", l.small, "loaded_index", l.loaded_index,
             "starts_threads", l.starts_threads, "vectorised", l.vectorised);
  to.members("keeps_locks", l.keeps_locks, "instances", l.instances, "iterations", l.iterations);
  to.members("instructions", l.instructions, "longest_iteration", l.longest, "interval", l.interval);
  to.key("speed_up").rounded(l.speed_up).key("run_speed_up").rounded(l.of_run);
  to.list("exit_lines", l.exit_lines).list("unseen", l.unseen).members("pragma", l.pragma);
  if (l.team) {
    to.members("in_regions", l.beside).key("team");
    put_team_json(*l.team, to);
  }
  to.key("library").array();
  for (const AdviceItem& i : l.items)
    for (const auto& [function, advice] : i.library) to.object().members("function", function, "advice", advice).end();
  to.end().key("carried").array();
  for (const AdviceItem& i : l.items) put_item(i, to);
  to.end().end();
}

void put_call(const AdviceCall& c, JsonWriter& to) {
  to.object().members("ip", c.ip, "line", c.line, "callee", c.callee, "calls", c.calls, "instructions", c.instructions);
  to.members("beside", c.beside, "spawn", c.is_spawn(), "output", c.output);
  to.key("wait").object().members("ip", c.wait_ip, "line", c.wait_line).end().end();
}

void put_caller(const AdviceCaller& c, JsonWriter& to) {
  to.object();
  put_place("place", c.place, to);
  to.members("instructions", c.instructions).key("speed_up").rounded(c.speed_up).key("run_speed_up").rounded(c.of_run);
  to.key("calls").array();
  for (const AdviceCall& call : c.calls) put_call(call, to);
  to.end().end();
}

}  // namespace

void write_advice_json(const AdviseReport& report, Output& out) {
  JsonWriter to(out);
  to.object().members("schema", "cdrgrind.advice/1", "program", report.program, "instructions", report.instructions);
  to.members("threads", report.threads, "runs", report.runs);
  put_binaries(report.binaries, to);
  put_scope(report.scope, to);
  to.key("loops").rows();
  for (size_t i = 0; i < report.loops.size() && i < report.most; ++i) put_loop(report.loops[i], to);
  to.end().key("callers").rows();
  for (size_t i = 0; i < report.callers.size() && i < report.most; ++i) put_caller(report.callers[i], to);
  to.end().end();
  out.put('\n');
}

}  // namespace cdr::report
