// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/sync/sync_report.h"

namespace cdr::report {

namespace {

using sync::RegionTotals;
using sync::WorkTotals;

constexpr std::string_view kWorks[] = {"none", "loop", "sections", "single", "single"};
constexpr std::string_view kSchedules[] = {"none", "static", "dynamic", "guided", "runtime"};
constexpr std::string_view kExclusions[] = {"critical", "critical", "atomic", "lock", "nest lock", "ordered"};

template <size_t kCount>
std::string_view of(const std::string_view (&names)[kCount], auto value) {
  return names[std::min(static_cast<size_t>(value), kCount - 1)];
}

std::string schedule_text(const Work& work) {
  if (work.kind != WorkKind::kLoop) return std::string(of(kWorks, work.kind));
  const std::string chunk = work.chunk ? fmt::format(", {}", work.chunk) : "";
  return fmt::format("loop, {}{}{}", of(kSchedules, work.schedule), chunk, work.ordered ? ", ordered" : "");
}

// The most of one thread's over what each would have if all had as much; 1: even.
template <class Map, class Value>
double imbalance(const Map& members, Value value) {
  uint64_t most = 0, sum = 0;
  for (const auto& [number, m] : members) {
    most = std::max(most, value(m));
    sum += value(m);
  }
  return sum ? static_cast<double>(most) * static_cast<double>(members.size()) / static_cast<double>(sum) : 1;
}
double imbalance(const RegionTotals& r) {
  return imbalance(r.members, [](const sync::MemberTotals& m) { return m.insns; });
}
double imbalance(const WorkTotals& w) {
  return imbalance(w.shares, [](const sync::ShareTotals& s) { return s.insns; });
}

std::string place_text(uint64_t event, const SyncNames& names) {
  const std::string place = short_place(names.place(event));
  return place.empty() ? "an unknown place" : visible(place);
}
std::string exclusion_text(const sync::ExclusionTotals& e, const SyncNames& names) {
  return fmt::format("{} at {}", of(kExclusions, e.kind), place_text(e.first_event, names));
}

void put_work(const WorkTotals& w, const SyncNames& names, Output& out) {
  out.print("  {} at {}: {}, imbalance {:.2f}\n", schedule_text(w.work), place_text(w.first_event, names),
            plural(w.runs, "run"), imbalance(w));
  for (const auto& [member, s] : w.shares) {
    out.print("    thread {}: {}", member, plural(s.parts, w.work.kind == WorkKind::kLoop ? "chunk" : "section"));
    if (w.work.kind == WorkKind::kLoop) out.print(", {}", plural(s.iterations, "iteration"));
    out.print(", {}\n", plural(s.insns, "instruction"));
  }
}

void put_region(const RegionTotals& r, const SyncNames& names, Output& out) {
  out.print("{} at {}: {}, {}, {}, imbalance {:.2f}\n", r.league ? "teams" : "parallel",
            place_text(r.first_event, names), plural(r.runs, "run"), plural(r.members.size(), "thread"),
            plural(r.barriers, "barrier"), imbalance(r));
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
      to.object().members("kind", of(kWorks, w.work.kind), "schedule", of(kSchedules, w.work.schedule));
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
      to.object().members("kind", of(kExclusions, e.kind), "address", lock, "sections", e.sections, "insns", e.insns);
      place(e.first_event);
      to.end();
    }
    to.end().end();
  }
  to.end();
}

}  // namespace cdr::report
