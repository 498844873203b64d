// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/common/team_texts.h"
#include "cdrgrind/report/sync/sync_report.h"

namespace cdr::report {

namespace {

using sync::RegionTotals;
using sync::WorkTotals;

std::string work_text(const Work& work) {
  if (work.kind != WorkKind::kLoop) return std::string(name_of(work.kind));
  return "loop, " + schedule_text(work);
}

std::string exclusion_text(const sync::ExclusionTotals& e, const SyncNames& names) {
  return fmt::format("{} at {}", name_of(e.kind), place_text(names.place(e.first_event)));
}

void put_work(const WorkTotals& w, const SyncNames& names, Output& out) {
  out.print("  {} at {}: {}, imbalance {:.2f}\n", work_text(w.work), place_text(names.place(w.first_event)),
            plural(w.runs, "run"), imbalance(w.shares));
  for (const auto& [member, s] : w.shares) {
    out.print("    thread {}: {}", member, plural(s.parts, w.work.kind == WorkKind::kLoop ? "chunk" : "section"));
    if (w.work.kind == WorkKind::kLoop) out.print(", {}", plural(s.iterations, "iteration"));
    out.print(", {}\n", plural(s.insns, "instruction"));
  }
}

void put_region(const RegionTotals& r, const SyncNames& names, Output& out) {
  out.print("{} at {}: {}, {}, {}, imbalance {:.2f}\n", r.league ? "teams" : "parallel",
            place_text(names.place(r.first_event)), plural(r.runs, "run"), plural(r.members.size(), "thread"),
            plural(r.barriers, "barrier"), imbalance(r.members));
  for (const auto& [member, m] : r.members) {
    out.print("  thread {}: {}, others had {} more to do", member, plural(m.insns, "instruction"),
              with_separators(m.waited));
    if (m.tasks) out.print(", {}", plural(m.tasks, "task"));
    out.put('\n');
  }
  for (const WorkTotals& w : r.works) put_work(w, names, out);
  for (const auto& [lock, e] : r.exclusions)
    out.print("  {}: {}, {}, {} of the region\n", exclusion_text(e, names), plural(e.sections, "time"),
              plural(e.insns, "instruction"), percent_text(e.insns, r.insns()));
}

}  // namespace

void put_teams(const SyncReport& report, const SyncNames& names, Output& out) {
  if (report.teams.empty()) return;
  out.put(section("Parallel regions", report.style));
  for (const RegionTotals& r : report.teams) put_region(r, names, out);
}

void put_teams_json(const SyncReport& report, const SyncNames& names, JsonWriter& to) {
  if (report.teams.empty()) return;
  const auto place = [&](uint64_t event) {
    const SourcePlace p = names.place(event);
    to.members("file", p.file, "line", p.line, "function", p.function);
  };
  to.key("regions").rows();
  for (const RegionTotals& r : report.teams) {
    to.object().members("kind", r.league ? "teams" : "parallel", "runs", r.runs, "barriers", r.barriers);
    place(r.first_event);
    to.key("threads").array();
    for (const auto& [member, m] : r.members)
      to.object().members("thread", member, "insns", m.insns, "waited", m.waited, "tasks", m.tasks).end();
    to.end().key("works").array();
    for (const WorkTotals& w : r.works) {
      to.object().members("kind", name_of(w.work.kind), "schedule", name_of(w.work.schedule));
      to.members("chunk", w.work.chunk, "ordered", w.work.ordered, "runs", w.runs);
      place(w.first_event);
      to.key("threads").array();
      for (const auto& [member, s] : w.shares) {
        to.object().members("thread", member, "parts", s.parts);
        to.members("iterations", s.iterations, "insns", s.insns).end();
      }
      to.end().end();
    }
    to.end().key("exclusions").array();
    for (const auto& [lock, e] : r.exclusions) {
      to.object().members("kind", name_of(e.kind), "address", lock, "sections", e.sections, "insns", e.insns);
      place(e.first_event);
      to.end();
    }
    to.end().end();
  }
  to.end();
}

}  // namespace cdr::report
