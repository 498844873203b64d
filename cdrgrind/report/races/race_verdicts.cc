// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/race_verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cdrgrind/report/common/output.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

namespace {

using races::Verdict;
using slice::FlowStep;
using Status = Verdict::Status;

std::string place_of(uint64_t ip, symbols::Symbols& symbols) {
  for (const symbols::ModuleSerial m : symbols.modules().with_text_at(ip))
    if (const symbols::SourcePos pos = symbols.line_of(m, ip); pos.known())
      return fmt::format("{}:{}", symbols::base_name(pos.file), pos.line);
  return fmt::format("{:#x}", ip);
}

std::string text_of(const FlowStep& s, symbols::Symbols& symbols) {
  const std::string at = fmt::format("{} (thread {})", place_of(s.ip, symbols), s.thread.value);
  switch (s.kind) {
    case FlowStep::Kind::kAddress:
      return "the address of the access at " + at;
    case FlowStep::Kind::kCondition:
      return "the condition at " + at;
    case FlowStep::Kind::kLoad:
      return "the value loaded at " + at;
    case FlowStep::Kind::kStore:
      return "the value stored at " + at;
    case FlowStep::Kind::kBefore:
      return "before it, " + at;
  }
  return at;
}

// The class at the end of the chain of causes; none if it runs in a circle.
size_t root_of(const std::vector<Verdict>& verdicts, size_t c) {
  std::set<size_t> seen;
  while (verdicts[c].of && seen.insert(c).second) c = *verdicts[c].of;
  return c;
}

void copy_verdict(const Verdict& v, bool ended, symbols::Symbols& symbols, RaceFinding& f) {
  f.status = v.status;
  f.judged = v.judged;
  f.undecided = v.undecided;
  for (const FlowStep& s : v.reason)
    if (v.status == Status::kArtifact) f.reason.push_back(text_of(s, symbols));
  if (v.no_flow)
    f.notes.emplace_back("undecided: the trace has no data flow of some block");
  else if (v.undecided && ended)
    f.notes.emplace_back("undecided: interrupted before it was judged");
  else if (v.undecided)
    f.notes.push_back(fmt::format("undecided: before it more than {} different sets of races had to be told apart",
                                  with_separators(slice::EventControlOptions().sets)));
}

}  // namespace

void apply_verdicts(const std::vector<Verdict>& verdicts, symbols::Symbols& symbols, RaceReport& report) {
  std::vector<RaceFinding>& all = report.findings;
  for (size_t c = 0; c < all.size(); ++c) {
    const Verdict& v = verdicts[c];
    copy_verdict(v, report.control_ended, symbols, all[c]);
    all[c].root = all[root_of(verdicts, c)].id;
    if (v.of) all[c].of = v.status == Status::kTangle ? all[c].root : all[*v.of].id;
    if (v.head) all[c].tangle = all[*v.head].id;
    for (const size_t p : v.possibly) all[c].possibly.push_back(all[p].id);
  }
  number_findings(report);
}

RootsAndArtifacts roots_and_artifacts(const std::vector<RaceFinding>& findings) {
  RootsAndArtifacts all;
  std::map<uint32_t, const RaceFinding*> by_id;
  for (const RaceFinding& f : findings) by_id[f.id] = &f;
  const auto group_of = [&](uint32_t id) { return by_id[id] && by_id[id]->tangle ? by_id[id]->tangle : id; };
  std::map<uint32_t, size_t> locks;
  for (size_t i = 0; i < findings.size(); ++i) {
    const RaceFinding& f = findings[i];
    if (f.status != Status::kArtifact || !f.root) continue;
    const auto [lock, added] = locks.try_emplace(group_of(f.root), all.locks.size());
    if (added) all.locks.emplace_back(), all.findings.emplace_back();
    all.locks[lock->second].others.push_back(f.streams);
    all.findings[lock->second].push_back(i);
  }
  for (const auto& [group, lock] : locks) {
    std::set<std::pair<std::string_view, std::string_view>> variables;
    for (const RaceFinding& f : findings)
      if (group_of(f.id) == group) variables.insert({f.kind, f.variable});
    auto& locked = all.locks[lock].locked;
    for (const RaceFinding& f : findings)
      if (variables.count({f.kind, f.variable})) locked.insert(locked.end(), f.streams.begin(), f.streams.end());
  }
  return all;
}

void promote_staying(std::vector<RaceFinding>& all) {
  std::map<uint32_t, RaceFinding*> there;
  for (RaceFinding& f : all) there[f.id] = &f;
  // Its root, or the outermost artifact that stays on the way there; null if there is neither.
  const auto root_now = [&](RaceFinding& f) -> RaceFinding* {
    if (const auto root = there.find(f.root); root != there.end()) return root->second;
    RaceFinding* outermost = nullptr;
    std::set<uint32_t> seen;
    for (RaceFinding* at = &f; at && seen.insert(at->id).second;) {
      if (at->stays) outermost = at;
      const auto next = there.find(at->of);
      at = next == there.end() ? nullptr : next->second;
    }
    return outermost;
  };
  std::vector<std::pair<RaceFinding*, RaceFinding*>> moved;
  for (RaceFinding& f : all)
    if (f.status == Status::kArtifact)
      if (RaceFinding* root = root_now(f); root && root->id != f.root) moved.emplace_back(&f, root);
  for (const auto& [f, root] : moved) {
    f->root = root->id;
    if (f != root) continue;
    f->status = Status::kRoot;
    f->of = 0;
    f->notes.emplace_back("it follows from a race that is left out here, and stays if that is put under a lock alone");
  }
}

void narrow_scope(RaceReport& report) {
  std::set<uint32_t> explaining;
  for (const RaceFinding& f : report.findings)
    if (!f.outside) explaining.insert({f.of, f.root, f.tangle});
  explaining.erase(0);
  for (RaceFinding& f : report.findings) {
    if (explaining.count(f.id) || explaining.count(f.tangle)) f.outside = false;
    report.outside += f.outside;
  }
  if (report.all_modules) return;
  report.left_out = std::erase_if(report.findings, [](const RaceFinding& f) { return f.outside; });
}

void number_findings(RaceReport& report) {
  std::vector<RaceFinding>& all = report.findings;
  const auto rank = [](const RaceFinding& f) {
    return (f.outside ? 3 : 0) + (f.status == Status::kRoot ? 0 : f.status == Status::kTangle ? 1 : 2);
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const RaceFinding& a, const RaceFinding& b) { return rank(a) < rank(b); });
  std::map<uint32_t, uint32_t> ids;  // 0 stays 0, and so does one that is gone
  for (size_t i = 0; i < all.size(); ++i) ids[all[i].id] = static_cast<uint32_t>(i + 1);
  ids[0] = 0;
  std::set<uint32_t> tangles;
  report.roots = report.artifacts = report.undecided = 0;
  for (RaceFinding& f : all) {
    for (uint32_t* id : {&f.id, &f.of, &f.root, &f.tangle}) *id = ids.count(*id) ? ids[*id] : 0;
    for (uint32_t& id : f.possibly) id = ids.count(id) ? ids[id] : 0;
    report.roots += f.status == Status::kRoot;
    report.artifacts += f.status == Status::kArtifact;
    report.undecided += f.undecided;
    if (f.status == Status::kTangle) tangles.insert(f.tangle);
    f.followers = 0;
  }
  report.tangles = tangles.size();
  for (const RaceFinding& f : all)
    if (f.status == Status::kArtifact && f.root) ++all[f.root - 1].followers;
}

}  // namespace cdr::report
