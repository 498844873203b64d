// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/race_report.h"

namespace cdr::report {

namespace {

void put_frame(const RaceFrame& f, Output& out) {
  const std::string_view file = f.pos.known() ? f.pos.file : f.module;
  out.put(R"({"function":)").put(json_string(f.function)).put(R"(,"file":)").put(json_string(file));
  out.put(R"(,"line":)").dec(uint64_t{f.pos.line}).put(R"(,"inlined":)").put(f.inlined ? "true}" : "false}");
}

template <class List, class Put>
void put_list(const List& list, Output& out, Put put) {
  out.put('[');
  bool first = true;
  for (const auto& one : list) {
    if (!first) out.put(',');
    first = false;
    put(one);
  }
  out.put(']');
}

void put_frames(const std::vector<RaceFrame>& frames, Output& out) {
  put_list(frames, out, [&](const RaceFrame& f) { put_frame(f, out); });
}

void put_texts(const std::vector<std::string>& texts, Output& out) {
  put_list(texts, out, [&](const std::string& t) { out.put(json_string(t)); });
}

void put_side(const RaceSide& s, Output& out) {
  out.put(R"({"thread":)").dec(uint64_t{s.thread}).put(R"(,"access":)").put(s.write ? R"("write")" : R"("read")");
  out.put(R"(,"file":)").put(json_string(s.file)).put(R"(,"line":)").dec(uint64_t{s.line});
  out.put(R"(,"function":)").put(json_string(s.function)).put(R"(,"stack":)");
  put_frames(s.stack, out);
  out.put('}');
}

void put_bool(std::string_view name, bool value, Output& out) {
  out.put(",\"").put(name).put("\":").put(value ? "true" : "false");
}

void put_location(const RaceFinding& f, Output& out) {
  out.put(R"("location":{"kind":")").put(f.kind).put(R"(","name":)").put(json_string(f.name));
  out.put(R"(,"type":)").put(json_string(f.type));
  if (!f.allocated.empty()) {
    out.put(R"(,"allocated":)");
    put_frames(f.allocated, out);
  }
  out.put('}');
}

void put_pair(const InstructionPair& p, Output& out) {
  out.put(R"({"first_ip":)").dec(p.first_ip).put(R"(,"second_ip":)").dec(p.second_ip);
  out.put(R"(,"instances":)").dec(p.instances).put('}');
}

void put_finding(const RaceFinding& f, Output& out) {
  out.put(R"({"id":)").dec(uint64_t{f.id}).put(R"(,"variable":)").put(json_string(f.variable)).put(',');
  if (f.variables.size() > 1) {
    out.put(R"("variables":)");
    put_texts(f.variables, out);
    out.put(',');
  }
  put_location(f, out);
  out.put(R"(,"first":)");
  put_side(f.first, out);
  out.put(R"(,"second":)");
  put_side(f.second, out);
  out.put(R"(,"instances":)").dec(f.instances).put(R"(,"judged":)").dec(f.judged).put(R"(,"pairs":)");
  put_list(f.pairs, out, [&](const InstructionPair& p) { put_pair(p, out); });
  out.put(R"(,"addresses":{"base":)").dec(f.addresses.base).put(R"(,"stride":)").dec(f.addresses.stride);
  out.put(R"(,"count":)").dec(f.addresses.count).put(R"(},"locks":{"first":)");
  put_texts(f.first.locks, out);
  out.put(R"(,"second":)");
  put_texts(f.second.locks, out);
  out.put(R"(},"labels":{"status":")").put(status_name(f)).put(R"(","of":)");
  if (f.of)
    out.dec(uint64_t{f.of});
  else
    out.put("null");
  put_bool("schedulable", f.schedulable, out);
  put_bool("adhoc", f.adhoc, out);
  put_bool("mixed", f.mixed, out);
  out.put(R"(},"reason":)");
  put_texts(f.reason, out);
  out.put(R"(,"notes":)");
  put_texts(all_notes(f), out);
  out.put('}');
}

}  // namespace

void write_races_json(const RaceReport& report, Output& out) {
  out.put(R"({"schema":"cdrgrind.races/1","program":)").put(json_string(report.program)).put(',');
  put_binaries(report.binaries, out);
  out.put(R"("scope":{"modules":)").put(report.all_modules ? R"("all")" : R"("program")");
  out.put(R"(,"functions":[],"files":[],"left_out":)").dec(report.left_out).put(R"(},"races":[)");
  const char* before = "\n";
  for (const RaceFinding& f : report.findings) {
    out.put(before);
    put_finding(f, out);
    before = ",\n";
  }
  const analysis::RaceSummary& s = report.summary;
  out.put("\n],\"summary\":{\"roots\":").dec(report.roots);
  out.put(R"(,"artifacts":)").dec(report.artifacts).put(R"(,"tangles":)").dec(report.tangles);
  out.put(R"(,"suppressed":)").dec(report.suppressed);
  out.put(R"(,"adhoc":)").dec(s.adhoc).put(R"(,"atomic":)").dec(s.atomic).put(R"(,"runtime":)").dec(s.runtime);
  out.put(R"(,"gaps":)").dec(s.gaps).put(R"(,"undecided":)").dec(report.undecided);
  out.put(R"(,"outside":)").dec(report.outside);
  out.put(R"(,"way":")").put(s.read_events.empty() ? "compact" : "events").put(R"(","way_reason":)");
  out.put(s.read_events.empty() ? "null" : json_string(s.read_events));
  if (report.with_baseline) out.put(R"(,"known":)").dec(report.known);
  if (!report.unjudged.empty()) out.put(R"(,"note":)").put(json_string(report.unjudged));
  out.put("}}\n");
}

}  // namespace cdr::report
