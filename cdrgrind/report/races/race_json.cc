// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/races/race_report.h"

namespace cdr::report {

namespace {

void put_frames(std::string_view name, const std::vector<RaceFrame>& frames, JsonWriter& to) {
  to.key(name).array();
  for (const RaceFrame& f : frames) {
    to.object().members("function", f.function, "file", f.pos.known() ? f.pos.file : f.module);
    to.members("line", f.pos.line, "inlined", f.inlined).end();
  }
  to.end();
}

void put_side(std::string_view name, const RaceSide& s, JsonWriter& to) {
  to.key(name).object().members("thread", s.thread, "access", s.write ? "write" : "read", "file", s.file);
  to.members("line", s.line, "function", s.function);
  put_frames("stack", s.stack, to);
  to.end();
}

void put_location(const RaceFinding& f, JsonWriter& to) {
  to.key("location").object().members("kind", f.kind, "name", f.name, "type", f.type);
  if (!f.allocated.empty()) put_frames("allocated", f.allocated, to);
  to.end();
}

void put_labels(const RaceFinding& f, JsonWriter& to) {
  to.key("labels").object().members("status", status_name(f)).key("of");
  f.of ? to.value(f.of) : to.null();
  to.members("schedulable", f.schedulable, "adhoc", f.adhoc, "mixed", f.mixed).end();
}

void put_finding(const RaceFinding& f, JsonWriter& to) {
  to.object().members("id", f.id, "variable", f.variable);
  if (f.variables.size() > 1) to.list("variables", f.variables);
  put_location(f, to);
  put_side("first", f.first, to);
  put_side("second", f.second, to);
  to.members("instances", f.instances, "judged", f.judged).key("pairs").array();
  for (const InstructionPair& p : f.pairs)
    to.object().members("first_ip", p.first_ip, "second_ip", p.second_ip, "instances", p.instances).end();
  to.end().key("addresses").object();
  to.members("base", f.addresses.base, "stride", f.addresses.stride, "count", f.addresses.count).end();
  to.key("locks").object().list("first", f.first.locks).list("second", f.second.locks).end();
  put_labels(f, to);
  to.list("reason", f.reason).list("notes", all_notes(f)).end();
}

void put_summary(const RaceReport& report, JsonWriter& to) {
  const races::RaceSummary& s = report.summary;
  to.key("summary").object().members("roots", report.roots, "artifacts", report.artifacts, "tangles", report.tangles);
  to.members("suppressed", report.suppressed, "adhoc", s.adhoc, "atomic", s.atomic, "runtime", s.runtime);
  to.members("gaps", s.gaps, "undecided", report.undecided, "outside", report.outside);
  to.members("way", s.read_events.empty() ? "compact" : "events").key("way_reason");
  s.read_events.empty() ? to.null() : to.value(s.read_events);
  if (report.with_baseline) to.members("known", report.known);
  if (!report.unjudged.empty()) to.members("note", report.unjudged);
  to.end();
}

}  // namespace

void write_races_json(const RaceReport& report, Output& out) {
  JsonWriter to(out);
  to.object().members("schema", "cdrgrind.races/1", "program", report.program);
  put_binaries(report.binaries, to);
  to.key("scope").object().members("modules", report.all_modules ? "all" : "program");
  to.key("functions").array().end().key("files").array().end().members("left_out", report.left_out).end();
  to.key("races").rows();
  for (const RaceFinding& f : report.findings) put_finding(f, to);
  to.end();
  put_summary(report, to);
  to.end();
  out.put('\n');
}

}  // namespace cdr::report
