// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/evidence/verdicts.h"

#include <map>
#include <set>

#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::races;
using namespace cdr::slice;

namespace {

RacePair at(uint64_t event) { return {{event, 0}, {event + 1, 0}}; }

// Instance `event` follows from those in `causes[event]`.
using Causes = std::map<uint64_t, std::set<uint64_t>>;

std::vector<Verdict> judged(const RaceClasses& classes, const Causes& causes, bool weak = false) {
  const auto class_of = [&](uint64_t event) {
    for (uint32_t c = 0; c < classes.size(); ++c)
      for (const RacePair& p : classes[c])
        if (p.first.event == event) return c;
    return ~uint32_t{0};
  };
  return verdicts_of(classes, [&](const RacePair& p, uint32_t) {
    Judgement j;
    if (const auto found = causes.find(p.first.event); found != causes.end())
      for (auto cause = found->second.rbegin(); cause != found->second.rend(); ++cause)
        j.of.push_back({class_of(*cause), weak, {*cause, 0}, {}, 0});
    return j;
  });
}

}  // namespace

TEST_CASE("a class is an artifact only if all its instances are") {
  const auto all = judged({{at(10)}, {at(20), at(30)}}, {{20, {10}}, {30, {10}}});
  CHECK(all[0].status == Verdict::Status::kRoot);
  CHECK(all[1].status == Verdict::Status::kArtifact);
  CHECK(all[1].of == 0);
  CHECK(all[1].judged == 2);
  const auto some = judged({{at(10)}, {at(20), at(30)}}, {{20, {10}}});
  CHECK(some[1].status == Verdict::Status::kRoot);
  CHECK_FALSE(some[1].of.has_value());
}

TEST_CASE("weak flow makes no artifact") {
  const auto v = judged({{at(10)}, {at(20)}}, {{20, {10}}}, true);
  CHECK(v[1].status == Verdict::Status::kRoot);
  CHECK(v[1].possibly == std::vector<size_t>{0});
}

TEST_CASE("artifacts that explain each other are a tangle with its earliest at the head") {
  // 0 is the root; 1 and 2 follow from each other's earlier instances.
  const auto v =
      judged({{at(10)}, {at(20), at(40)}, {at(30), at(50)}}, {{20, {10}}, {40, {30}}, {30, {20}}, {50, {40}}});
  CHECK(v[0].status == Verdict::Status::kRoot);
  CHECK(v[1].status == Verdict::Status::kTangle);
  CHECK(v[2].status == Verdict::Status::kTangle);
  CHECK(v[1].head == 1);
  CHECK(v[2].head == 1);
  CHECK(v[1].of == 0);
}

TEST_CASE("a chain of artifacts is no tangle") {
  const auto v = judged({{at(10)}, {at(20)}, {at(30)}}, {{20, {10}}, {30, {10, 20}}});
  CHECK(v[1].status == Verdict::Status::kArtifact);
  CHECK(v[2].status == Verdict::Status::kArtifact);
  CHECK(v[2].of == 1);
}

TEST_CASE("no more than 65 instances of a class are judged") {
  std::vector<RacePair> many;
  Causes causes;
  for (uint64_t i = 100; i < 1100; ++i) {
    many.push_back(at(i));
    causes[i] = {10};
  }
  const auto v = judged({{at(10)}, many}, causes);
  CHECK(v[1].judged == 65);
  CHECK(v[1].status == Verdict::Status::kArtifact);
}

TEST_CASE("a class of which an instance is undecided is a root") {
  const auto judge = [](const RacePair& p, uint32_t) {
    Judgement j;
    j.undecided = p.first.event == 30;
    if (p.first.event != 10 && !j.undecided) j.of.push_back({0, false, {10, 0}, {}, 0});
    return j;
  };
  const auto v = verdicts_of({{at(10)}, {at(20), at(30), at(40)}, {at(50)}}, judge);
  CHECK(v[1].judged == 2);
  CHECK(v[1].undecided);
  CHECK(v[1].status == Verdict::Status::kRoot);
  CHECK_FALSE(v[1].of.has_value());
  CHECK_FALSE(v[2].undecided);
  CHECK(v[2].status == Verdict::Status::kArtifact);
}
