// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/races/folded_stack.h"
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

// What text shows as one line.
void put_folded(std::string_view name, const std::vector<RaceFrame>& frames, JsonWriter& to) {
  to.key(name).array();
  for (const StackPart& part : folded_stack(frames))
    if (part.frames > 1) to.object().members("first", part.first, "frames", part.frames, "of", part.of).end();
  to.end();
}

void put_side(std::string_view name, const RaceSide& s, JsonWriter& to) {
  to.key(name).object().members("thread", s.thread);
  if (!s.strand.empty()) to.members("strand", s.strand);
  to.members("access", s.write ? "write" : "read", "file", s.file);
  to.members("line", s.line, "function", s.function);
  if (!s.operation.empty()) to.members("operation", s.operation);
  put_frames("stack", s.stack, to);
  put_folded("folded", s.stack, to);
  if (!s.creation.empty()) put_frames("creation", s.creation, to);
  to.end();
}

void put_location(const RaceFinding& f, JsonWriter& to) {
  to.key("location").object().members("kind", f.kind, "name", f.name, "type", f.type);
  if (!f.allocated.empty()) {
    put_frames("allocated", f.allocated, to);
    put_folded("folded", f.allocated, to);
  }
  to.end();
}

void put_labels(const RaceFinding& f, JsonWriter& to) {
  to.key("labels").object().members("status", status_name(f)).key("of");
  f.of ? to.value(f.of) : to.null();
  to.members("schedulable", f.schedulable, "adhoc", f.adhoc, "mixed", f.mixed, "object", f.object, "after_free",
             f.after_free, "ordered", f.ordered, "stays", f.stays);
  if (f.lock_order) to.members("lock_order", true);
  if (f.iteration) to.members("iteration", true);
  if (f.after_return) to.members("after_return", true);
  to.end();
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
  if (s.unknown_orders) to.members("unknown_orders", *s.unknown_orders);
  if (s.no_operations) to.members("openmp", "no operations");
  if (report.with_baseline) to.members("known", report.known);
  if (!report.unjudged.empty()) to.members("note", report.unjudged);
  if (!report.missing.empty()) to.list("incomplete", report.missing);
  to.end();
}

}  // namespace

void write_races_json(const RaceReport& report, Output& out) {
  JsonWriter to(out);
  to.object().members("schema", "cdrgrind.races/1", "program", report.program);
  put_binaries(report.binaries, to);
  put_scope({report.all_modules, report.scope.functions, report.scope.files, report.left_out + report.elsewhere, {}},
            to);
  to.key("races").rows();
  for (const RaceFinding& f : report.findings) put_finding(f, to);
  to.end();
  put_summary(report, to);
  to.end();
  out.put('\n');
}

}  // namespace cdr::report
