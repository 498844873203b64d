// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/evidence/verdicts.h"

#include <algorithm>
#include <set>

#include "cdrgrind/analysis/races/core/instances.h"

namespace cdr::races {

namespace {

class ArtifactFilter {
 public:
  ArtifactFilter(const RaceClasses& classes, const EventControlTest& judge)
      : classes_(classes), judge_(judge), verdicts_(classes.size()), causes_(classes.size()) {}

  std::vector<Verdict> run() {
    for (size_t c = 0; c < classes_.size(); ++c) try_class(c);
    for (size_t c = 0; c < classes_.size(); ++c)
      if (reaches(c, c)) tangle(c);
    return std::move(verdicts_);
  }

 private:
  // One instance that is no artifact makes the class a root; but the others may put it into a tangle.
  void try_class(size_t c) {
    Verdict& v = verdicts_[c];
    bool all = true;
    for (const slice::RacePair& p : judged_instances(classes_[c])) {
      const slice::Judgement j = judge_(p, static_cast<uint32_t>(c));
      ++v.judged;
      all &= note(c, j);
      v.undecided |= j.undecided;
      v.no_flow |= j.no_flow;
      if (v.undecided) break;
    }
    if (v.undecided) causes_[c].clear();
    if (all && !v.undecided)
      v.status = Verdict::Status::kArtifact;
    else
      make_root(v);
  }

  bool is_artifact(size_t c, const slice::Judgement& j) const {
    return std::any_of(j.of.begin(), j.of.end(), [&](const slice::ArtifactOf& a) { return !a.weak && a.race != c; });
  }
  // False if the instance is no artifact of another class.
  bool note(size_t c, const slice::Judgement& j) {
    Verdict& v = verdicts_[c];
    for (const slice::ArtifactOf& a : j.of) {
      const size_t of = a.race;
      if (of == c) continue;
      if (a.weak) {
        if (std::find(v.possibly.begin(), v.possibly.end(), of) == v.possibly.end()) v.possibly.push_back(of);
        continue;
      }
      causes_[c].insert(of);
      if (v.of) continue;
      v.of = of;
      v.cause = a;
    }
    return is_artifact(c, j) && !j.undecided;
  }
  static void make_root(Verdict& v) { v.of.reset(); }

  bool reaches(size_t from, size_t to) const {
    std::set<size_t> seen;
    std::vector<size_t> open = {from};
    while (!open.empty()) {
      const size_t c = open.back();
      open.pop_back();
      for (const size_t cause : causes_[c]) {
        if (cause == to) return true;
        if (seen.insert(cause).second) open.push_back(cause);
      }
    }
    return false;
  }
  void tangle(size_t c) {
    Verdict& v = verdicts_[c];
    v.status = Verdict::Status::kTangle;
    v.of.reset();
    for (size_t other = 0; other < classes_.size(); ++other) {
      const bool inside = reaches(c, other) && reaches(other, c);
      if (inside && !v.head) v.head = other;
      if (!inside && !v.of && causes_[c].count(other)) v.of = other;
    }
  }

  const RaceClasses& classes_;
  const EventControlTest& judge_;
  std::vector<Verdict> verdicts_;
  std::vector<std::set<size_t>> causes_;  // by class
};

}  // namespace

std::vector<slice::RacePair> judged_instances(const std::vector<slice::RacePair>& of_class) {
  return InstanceSample::spread({of_class.front()}, {of_class.begin() + 1, of_class.end()});
}

std::vector<Verdict> verdicts_of(const RaceClasses& classes, const EventControlTest& judge) {
  return ArtifactFilter(classes, judge).run();
}

}  // namespace cdr::races
