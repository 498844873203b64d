// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/evidence/verdicts.h"

#include <algorithm>
#include <set>

#include "cdrgrind/analysis/races/core/instances.h"

namespace cdr::races {

namespace {

class ArtifactFilter {
 public:
  ArtifactFilter(const std::vector<std::vector<slice::RacePair>>& classes, const EventControlTest& judge,
                 uint64_t steps)
      : classes_(classes), judge_(judge), steps_(steps), verdicts_(classes.size()), causes_(classes.size()) {
    for (size_t c = 0; c < classes.size(); ++c)
      for (const slice::RacePair& p : sample(classes[c])) {
        instances_.push_back(p);
        class_of_.push_back(c);
      }
  }

  std::vector<Verdict> run() {
    for (size_t c = 0; c < classes_.size(); ++c) try_class(c);
    for (size_t c = 0; c < classes_.size(); ++c)
      if (reaches(c, c)) tangle(c);
    return std::move(verdicts_);
  }

 private:
  static std::vector<slice::RacePair> sample(const std::vector<slice::RacePair>& all) {
    return InstanceSample::spread({all.front()}, {all.begin() + 1, all.end()});
  }

  // One instance that is no artifact makes the class a root; but the others may put it into a tangle.
  void try_class(size_t c) {
    Verdict& v = verdicts_[c];
    bool all = true;
    uint64_t steps = 0;
    for (const slice::RacePair& p : sample(classes_[c])) {
      v.undecided |= steps >= steps_;
      if (v.undecided) break;
      const slice::Judgement j = judge_(p, instances_);
      steps += j.steps;
      ++v.judged;
      all &= note(c, j);
      v.undecided |= j.undecided;
      v.no_flow |= j.no_flow;
    }
    if (v.undecided) causes_[c].clear();
    if (all && !v.undecided)
      v.status = Verdict::Status::kArtifact;
    else
      make_root(v);
  }

  bool is_artifact(size_t c, const slice::Judgement& j) const {
    return std::any_of(j.of.begin(), j.of.end(),
                       [&](const slice::ArtifactOf& a) { return !a.weak && class_of_[a.race] != c; });
  }
  // False if the instance is no artifact of another class.
  bool note(size_t c, const slice::Judgement& j) {
    Verdict& v = verdicts_[c];
    for (const slice::ArtifactOf& a : j.of) {
      const size_t of = class_of_[a.race];
      if (of == c) continue;
      if (a.weak) {
        if (std::find(v.possibly.begin(), v.possibly.end(), of) == v.possibly.end()) v.possibly.push_back(of);
        continue;
      }
      causes_[c].insert(of);
      if (v.of) continue;
      v.of = of;
      v.reason = a.reason;
    }
    return is_artifact(c, j) && !j.undecided;
  }
  static void make_root(Verdict& v) {
    v.of.reset();
    v.reason.clear();
  }

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

  const std::vector<std::vector<slice::RacePair>>& classes_;
  const EventControlTest& judge_;
  uint64_t steps_;  // of a class
  std::vector<Verdict> verdicts_;
  std::vector<std::set<size_t>> causes_;  // by class
  std::vector<slice::RacePair> instances_;
  std::vector<size_t> class_of_;  // by instance
};

}  // namespace

std::vector<Verdict> verdicts_of(const std::vector<std::vector<slice::RacePair>>& classes,
                                 const EventControlTest& judge, uint64_t steps) {
  return ArtifactFilter(classes, judge, steps).run();
}

}  // namespace cdr::races
