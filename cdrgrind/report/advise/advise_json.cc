// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <map>

#include "cdrgrind/report/advise/advise_report.h"
#include "cdrgrind/report/advise/parallel_algorithm.h"
#include "cdrgrind/report/common/json_writer.h"

namespace cdr::report {
namespace {

using advise::Class;
using advise::Verdict;

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
  const auto distances = r.distances.counts();
  size_t used = distances.size();
  while (used > 0 && distances[used - 1] == 0) --used;
  to.members("count", r.count).list("distances", std::span(distances).first(used));
  to.members("least", r.between ? 0 : r.distances.least, "greatest", r.distances.greatest);
  to.members("between", r.between).end();
}

void put_item(const AdviceItem& i, JsonWriter& to) {
  to.object().members("class", name_of(i.carried_as), "object", i.name, "note", i.note, "clause", i.clause, "edit",
                      i.edit);
  to.key("rows").array();
  for (const AdviceRow& r : i.rows) put_row(r, to);
  to.end().end();
}

using Ids = std::map<uint32_t, std::string>;  // by number

Ids ids_of(const std::vector<AdviceLoop>& loops) {
  Ids ids;
  std::map<std::string, int> uses;
  for (const AdviceLoop& l : loops) {
    const std::string id = fmt::format("{}:{}:{}", l.place.file, l.place.line, l.place.function);
    const int use = ++uses[id];
    ids[l.number] = use == 1 ? id : fmt::format("{}#{}", id, use);
  }
  return ids;
}

bool could_gain(const AdviceLoop& l) { return l.verdict >= Verdict::kParallel && l.verdict <= Verdict::kPipeline; }

// Of each loop those around it and within it that could be made parallel instead.
std::map<uint32_t, std::vector<std::string>> excluded_by(const std::vector<AdviceLoop>& loops, const Ids& ids) {
  std::map<uint32_t, const AdviceLoop*> by_number;
  for (const AdviceLoop& l : loops) by_number[l.number] = &l;
  std::map<uint32_t, std::vector<std::string>> excluded;
  for (const AdviceLoop& l : loops) {
    if (!could_gain(l)) continue;
    for (auto o = by_number.find(l.parent); o != by_number.end(); o = by_number.find(o->second->parent)) {
      if (!could_gain(*o->second)) continue;
      excluded[l.number].push_back(ids.at(o->first));
      excluded[o->first].push_back(ids.at(l.number));
    }
  }
  return excluded;
}

// Names of what is of a class; of several items each once.
std::vector<std::string> names_of(const AdviceLoop& l, Class from, Class to) {
  std::vector<std::string> names;
  for (const AdviceItem& i : l.items)
    if (i.carried_as >= from && i.carried_as <= to && std::find(names.begin(), names.end(), i.name) == names.end())
      names.push_back(i.name);
  return names;
}

void put_summary(const AdviceLoop& l, JsonWriter& to) {
  std::vector<std::string> own = names_of(l, Class::kPrivate, Class::kPrivate);
  for (const std::string& c : l.own_names)
    if (std::find(own.begin(), own.end(), c) == own.end()) own.push_back(c);
  to.list("private", own);
  to.list("lastprivate", names_of(l, Class::kLastprivate, Class::kLastprivate));
  to.list("firstprivate", names_of(l, Class::kFirstprivate, Class::kFirstprivate));
  to.key("reduction").array();
  for (const AdviceItem& i : l.items)
    if (i.carried_as == Class::kReduction) to.object().members("op", i.note, "name", i.name).end();
  to.end().list("blocking", names_of(l, Class::kOutput, Class::kRecurrence));
}

void put_simd(const AdviceLoop& l, JsonWriter& to) {
  to.key("simd").object().members("safelen", l.simd->safelen).key("breaks").array();
  for (const SimdBreak& b : simd_breaks(l)) {
    to.object().members("object", b.item->name, "kind", kind_name(b.row->kind), "source_line", b.row->source.line);
    to.members("target_line", b.row->target.line, "least", b.row->distances.least).end();
  }
  to.end().end();
}

void put_called_at(const AdviceLoop& l, JsonWriter& to) {
  to.key("called_at").array();
  for (const CallingPlace& p : l.called_at) {
    to.object();
    put_place("place", p.place, to);
    to.members("callee", p.callee, "parallel_algorithm", parallel_algorithm(l, p)).end();
  }
  to.end();
}

void put_part(const AdvicePart& p, JsonWriter& to) {
  to.object().members("header", p.header.addr, "line", p.line, "last_line", p.last_line, "vectorised", p.vectorised);
  to.members("verdict", name_of(p.verdict), "instances", p.instances, "iterations", p.iterations);
  to.members("instructions", p.instructions).end();
}

void put_loop(const AdviceLoop& l, const AdviseReport& report, const Ids& ids, const std::vector<std::string>& excluded,
              JsonWriter& to) {
  to.object().members("id", ids.at(l.number));
  const auto parent = ids.find(l.parent);
  if (parent == ids.end())
    to.key("parent").null();
  else
    to.members("parent", parent->second);
  to.key("share").rounded(
      report.instructions ? static_cast<double>(l.instructions) / static_cast<double>(report.instructions) : 0);
  to.list("excludes", excluded);
  put_place("place", l.place, to);
  if (!l.called_at.empty()) put_called_at(l, to);
  to.members("last_line", l.last_line, "header", l.header.addr, "depth", l.depth, "irregular", l.irregular, "headers",
             l.headers);
  to.members("weak", l.weak, "verdict", name_of(l.verdict), "small", l.small, "loaded_index", l.loaded_index,
             "starts_threads", l.starts_threads, "vectorised", l.vectorised);
  to.members("keeps_locks", l.keeps_locks, "instances", l.instances, "iterations", l.iterations);
  to.members("instructions", l.instructions, "longest_iteration", l.longest, "interval", l.interval);
  to.key("speed_up").rounded(l.speed_up).key("run_speed_up").rounded(l.of_run);
  std::vector<uint32_t> ends;
  for (const auto& [line, addr] : l.ends) ends.push_back(line);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  to.list("exit_lines", l.exit_lines).list("end_lines", ends).list("unseen", l.unseen);
  to.members("counter_edit", l.verdict == Verdict::kParallel && !l.is_shared() ? l.counter_edit : std::string(),
             "other_copy", l.verdict == Verdict::kParallel && !l.is_shared() ? l.other_copy : std::string());
  to.members("pragma", l.pragma);
  to.key("parts").array();
  for (const AdvicePart& p : l.parts) put_part(p, to);
  to.end();
  if (l.claims_simd()) put_simd(l, to);
  if (l.team) {
    to.members("in_regions", l.beside).key("team");
    put_team_json(*l.team, to);
  }
  put_summary(l, to);
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
  const Ids ids = ids_of(report.loops);
  auto excluded = excluded_by(report.loops, ids);
  to.key("loops").rows();
  for (size_t i = 0; i < report.loops.size() && i < report.most; ++i)
    put_loop(report.loops[i], report, ids, excluded[report.loops[i].number], to);
  to.end().key("callers").rows();
  for (size_t i = 0; i < report.callers.size() && i < report.most; ++i) put_caller(report.callers[i], to);
  to.end();
  if (report.loops.size() > report.most) to.members("loops_left_out", report.loops.size() - report.most);
  to.end();
  out.put('\n');
}

}  // namespace cdr::report
