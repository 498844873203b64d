// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/dependence_members.h"
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/diff/diff_report.h"

namespace cdr::report {
namespace {

void put_run(std::string_view name, const DiffReport::Run& run, JsonWriter& to) {
  to.key(name).object().members("trace", run.trace, "program", run.program, "command", run.command);
  to.list("compilers", run.compilers);
  put_binaries(run.binaries, to);
  to.end();
}

void put_executed(const ExecutedDifference& d, JsonWriter& to) {
  const bool gone = d.after.file.empty() && d.after.function.empty();
  const SourcePlace& at = gone ? d.before : d.after;
  to.object().members("kind", d.line ? "line" : "function", "function", at.function, "file", at.file, "line", at.line);
  if (!gone && !(d.before == SourcePlace())) to.members("old_file", d.before.file, "old_line", d.before.line);
  to.members("old", d.old_times, "new", d.new_times).end();
}

void put_executed(std::string_view name, const std::vector<ExecutedDifference>& all, JsonWriter& to) {
  to.key(name).rows();
  for (const ExecutedDifference& d : all) put_executed(d, to);
  to.end();
}

void put_step(std::string_view name, const std::optional<PathStep>& step, JsonWriter& to) {
  to.key(name);
  if (!step) {
    to.null();
    return;
  }
  to.object().members("file", step->at.file, "line", step->at.line, "function", step->at.function);
  to.members("block", step->block, "enters", step->enters);
  if (step->jumps) to.members("jumps", *step->jumps);
  to.key("stack").array();
  for (const SourcePlace& p : step->stack)
    to.object().members("function", p.function, "file", p.file, "line", p.line).end();
  to.end().end();
}

void put_block(std::string_view name, const std::optional<PathStep>& step, JsonWriter& to) {
  to.key(name);
  step ? to.value(step->block) : to.null();
}

void put_divergence(const PathDivergence& d, JsonWriter& to) {
  to.object().members("thread", d.thread, "equal", d.equal, "schedule", d.schedule);
  put_block("old_block", d.old_next, to);
  put_block("new_block", d.new_next, to);
  put_step("old", d.old_next, to);
  put_step("new", d.new_next, to);
  put_step("old_last", d.old_last, to);
  put_step("new_last", d.new_last, to);
  to.end();
}

void put_dependences(std::string_view name, const std::vector<DependenceDifference>& rows, JsonWriter& to) {
  to.key(name).rows();
  for (const DependenceDifference& row : rows) {
    to.object();
    put_dependence(row, to);
    to.members("schedule", row.schedule).end();
  }
  to.end();
}

void put_carried(std::string_view name, const std::vector<CarriedItem>& items, JsonWriter& to) {
  to.key(name).rows();
  for (const CarriedItem& i : items) {
    to.object();
    put_place("loop", i.loop, to);
    to.members("object", i.object, "class", i.carried_as, "blocks", i.blocks).end();
  }
  to.end();
}

void put_races(std::string_view name, const std::vector<RaceFinding>& races, JsonWriter& to) {
  to.key(name).rows();
  for (const RaceFinding& f : races) {
    to.object().members("variable", f.variable, "kind", f.kind, "status", status_name(f), "instances", f.instances);
    for (const auto& [side, s] : {std::pair("first", &f.first), std::pair("second", &f.second)}) {
      to.key(side).object().members("thread", s->thread, "access", s->write ? "write" : "read", "file", s->file);
      to.members("line", s->line, "function", s->function).end();
    }
    to.end();
  }
  to.end();
}

void put_control(const DiffReport& r, JsonWriter& to) {
  to.key("control").object();
  put_executed("only_old", r.only_old, to);
  put_executed("only_new", r.only_new, to);
  put_executed("counts", r.counts, to);
  to.key("divergence").rows();
  for (const PathDivergence& d : r.divergences) put_divergence(d, to);
  to.end().end();
}

void put_advice(const DiffReport& r, JsonWriter& to) {
  to.key("carried").object();
  put_carried("came", r.carried_came, to);
  put_carried("went", r.carried_went, to);
  to.key("verdicts").rows();
  for (const VerdictChange& v : r.verdicts) {
    to.object();
    put_place("loop", v.after, to);
    to.members("old_file", v.before.file, "old_line", v.before.line, "old", v.old_verdict, "new", v.new_verdict);
    to.members("worse", v.worse).end();
  }
  to.end().end();
}

}  // namespace

void write_diff_json(const DiffReport& r, Output& out) {
  JsonWriter to(out);
  to.object().members("schema", "cdrgrind.diff/1").line_break();
  put_run("old", r.before, to);
  put_run("new", r.after, to);
  to.members("same_binary", r.same_binary, "same_build", r.same_build);
  to.key("scope").object().members("modules", r.all_modules ? "all" : "program").end();
  to.list("lost_sources", r.lost_sources).key("not_compared").rows();
  for (const auto& [part, why] : r.not_compared) to.object().members("part", name_of(part), "why", why).end();
  to.end().key("differs").array();
  for (uint8_t p = 0; p <= static_cast<uint8_t>(DiffPart::kRaces); ++p)
    if (r.differs(static_cast<DiffPart>(p))) to.value(name_of(static_cast<DiffPart>(p)));
  to.end();
  put_control(r, to);
  to.key("dependences").object();
  put_dependences("came", r.came, to);
  put_dependences("went", r.went, to);
  to.end();
  put_advice(r, to);
  to.key("races").object();
  put_races("new", r.new_races, to);
  put_races("gone", r.gone_races, to);
  to.end().key("sizes").object();
  for (const SizeRow& s : r.sizes) to.key(s.name).object().members("old", s.before, "new", s.after).end();
  to.end().end();
  out.put('\n');
}

}  // namespace cdr::report
