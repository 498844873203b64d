// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/advise_teams.h"

#include <fmt/format.h>

#include <algorithm>

#include "cdrgrind/report/common/style.h"
#include "cdrgrind/report/common/team_texts.h"

namespace cdr::report {

namespace {

constexpr size_t kMostThreads = 16;  // in text

void add_exclusion(AdviceTeam& to, const AdviceExclusion& e) {
  const auto same = std::find_if(to.exclusions.begin(), to.exclusions.end(),
                                 [&](const AdviceExclusion& x) { return x.kind == e.kind && x.place == e.place; });
  if (same == to.exclusions.end())
    to.exclusions.push_back(e);
  else
    same->insns += e.insns;
}

void sort_exclusions(AdviceTeam& team) {
  std::stable_sort(team.exclusions.begin(), team.exclusions.end(),
                   [](const AdviceExclusion& a, const AdviceExclusion& b) { return a.insns > b.insns; });
}

}  // namespace

double AdviceTeam::bound() const { return under_one ? static_cast<double>(insns) / static_cast<double>(under_one) : 0; }

AdviceTeam advice_team(const races::WorksharingPlace* shared, const sync::TeamLoopTotals* totals,
                       const PlaceOfEvent& place) {
  using By = strands::SharedLoop::By;
  AdviceTeam team;
  team.shared = shared != nullptr;
  if (totals) {
    team.region = place(totals->region);
    team.regions = totals->functions.size();
    team.threads = totals->threads;
    team.insns = totals->insns();
    team.exclusive = totals->exclusive;
    team.shares = totals->shares;
    for (const auto& [lock, e] : totals->exclusions) {
      add_exclusion(team, {name_of(e.kind), place(e.first_event), e.insns});
      team.under_one = std::max(team.under_one, e.insns);
    }
    sort_exclusions(team);
  }
  if (!shared) return team;
  if (shared->by == By::kTaskloop)
    team.schedule = "taskloop";
  else if (shared->by == By::kCompiler)
    team.schedule = shared->in_chunks ? "static, in chunks" : "static";
  else if (totals && totals->work.kind == WorkKind::kLoop)
    team.schedule = schedule_text(totals->work);
  team.as_asked = shared->by == By::kTaskloop ||
                  (shared->by == By::kRuntime && totals && totals->work.schedule != WorkSchedule::kStatic);
  return team;
}

void add_team(AdviceTeam& to, const AdviceTeam& from) {
  to.shared |= from.shared;
  to.as_asked |= from.as_asked;
  if (to.schedule.empty()) to.schedule = from.schedule;
  if (to.threads == 0) to.region = from.region;
  to.regions = std::max(to.regions, from.regions);
  to.threads = std::max(to.threads, from.threads);
  to.insns += from.insns;
  to.exclusive += from.exclusive;
  to.under_one += from.under_one;
  for (const auto& [member, s] : from.shares) {
    sync::ShareTotals& all = to.shares[member];
    all.parts += s.parts;
    all.iterations += s.iterations;
    all.insns += s.insns;
  }
  for (const AdviceExclusion& e : from.exclusions) add_exclusion(to, e);
  sort_exclusions(to);
}

std::string team_text(const AdviceTeam& team) {
  std::string text = team.threads ? fmt::format("team of {}", team.threads) : std::string("executed outside of a team");
  if (!team.schedule.empty()) text += ", " + team.schedule;
  return text;
}

std::string region_text(const AdviceTeam& team) {
  if (team.regions <= 1) return "in the parallel region at " + place_text(team.region);
  return fmt::format("in {} parallel regions, the first at {}", team.regions, place_text(team.region));
}

std::string team_sentence(const AdviceTeam& team) {
  std::string text =
      fmt::format("It is shared out: {}; imbalance {:.2f}.", team_text(team), imbalance(team.shares, team.threads));
  if (team.under_one)
    text += fmt::format(" Exclusive are {} of its instructions: {:.1f} times as fast at most.",
                        percent_text(team.exclusive, team.insns), team.bound());
  return text;
}

void put_team(const AdviceTeam& team, Output& out) {
  if (team.threads == 0) return;
  out.print("    {}; imbalance {:.2f}{}\n", region_text(team), imbalance(team.shares, team.threads),
            team.as_asked ? ", as its parts were given out in this run" : "");
  size_t left = kMostThreads;
  for (const auto& [member, s] : team.shares) {
    if (left-- == 0) {
      out.print("      … {} more threads\n", team.shares.size() - kMostThreads);
      break;
    }
    out.print("      thread {}: {}, {}, {}\n", member, plural(s.parts, "chunk"), plural(s.iterations, "iteration"),
              plural(s.insns, "instruction"));
  }
  if (team.shares.size() < team.threads && team.shares.size() <= kMostThreads)
    out.print("      {} of {} threads got nothing\n", team.threads - team.shares.size(), team.threads);
  for (const AdviceExclusion& e : team.exclusions)
    out.print("      {} at {}: {} of its instructions\n", e.kind, place_text(e.place),
              percent_text(e.insns, team.insns));
  if (team.under_one)
    out.print("      {:.1f} times as fast at most, whatever the number of threads: {} under one lock\n", team.bound(),
              percent_text(team.under_one, team.insns));
}

void put_team_json(const AdviceTeam& team, JsonWriter& to) {
  to.object().members("shared", team.shared, "schedule", team.schedule, "as_asked", team.as_asked, "threads",
                      team.threads);
  to.members("regions", team.regions);
  put_place("region", team.region, to);
  to.members("instructions", team.insns, "exclusive", team.exclusive, "under_one", team.under_one);
  to.key("imbalance").rounded(imbalance(team.shares, team.threads));
  to.key("shares").array();
  for (const auto& [member, s] : team.shares)
    to.object().members("thread", member, "chunks", s.parts, "iterations", s.iterations, "instructions", s.insns).end();
  to.end().key("exclusions").array();
  for (const AdviceExclusion& e : team.exclusions) {
    to.object().members("kind", e.kind);
    put_place("place", e.place, to);
    to.members("instructions", e.insns).end();
  }
  to.end().end();
}

}  // namespace cdr::report
