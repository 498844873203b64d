// SPDX-License-Identifier: GPL-2.0-or-later
// The labels that come to an access, carried forward, are the races in its backward slice.
#include <algorithm>
#include <map>
#include <string>

#include "cdrgrind/analysis/slice/label_flow.h"
#include "cdrgrind/analysis/slice/run_jumps.h"
#include "cdrgrind/analysis/walk/event_walk.h"
#include "cdrgrind/trace/read/cursor.h"
#include "tests/unit/analysis/slice/backward_slice.h"
#include "tests/unit/analysis/slice/random_program.h"
#include "tests/unit/catch.h"
#include "tests/unit/trace/control_forms.h"

using namespace cdr;
using namespace cdr::slice;
using namespace cdr::test;

namespace {

using Found = BackwardSlice::Found;

struct Counts {
  uint64_t known = 0, weak = 0, other = 0;
};

void compare(uint32_t seed, Counts& counts) {
  const RandomProgram p(seed);
  const trace::TraceFile file = open_bytes(record(p.tables, p.events));
  NoCode code;
  const RunJumps jumps(file);
  FunctionGraphs graphs(file.blocks(), jumps, code);

  // Each access is an end of a race of its own.
  std::vector<RacePair> races;
  std::vector<AccessPosition> judged;
  for (const auto& a : p.accesses) {
    races.push_back({a.at, a.at});
    judged.push_back(a.at);
  }
  ListedRaces ends(races);
  LabelTable table(1 << 20);
  const CLibrary library;  // none
  LabelFlow<LabelTable> flow(file.blocks(), p.flows, graphs, ends, table, library);
  flow.judge(judged);
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) flow.event(e, cursor.index());

  const ExecutionLog log(file, p.flows);
  for (const JudgedAccess& y : flow.judged()) {
    const BackwardSlice slice(log, graphs, y.at);
    const Labels labels = table.unite(y.address, y.branches);
    std::vector<Found> found(races.size(), Found::kNot);
    table.sets().for_each(table.weak(labels), [&](LabelId l) { found[ends[l].race] = Found::kWeak; });
    table.sets().for_each(table.known(labels), [&](LabelId l) { found[ends[l].race] = Found::kKnown; });
    for (size_t r = 0; r < races.size(); ++r) {
      const Found want = slice.find(races[r].first);
      if (found[r] != want)
        FAIL("seed " << seed << " access " << y.at.event << '.' << y.at.access << " from " << races[r].first.event
                     << '.' << races[r].first.access << ": " << static_cast<int>(found[r]) << ", not "
                     << static_cast<int>(want));
      ++(want == Found::kKnown ? counts.known : want == Found::kWeak ? counts.weak : counts.other);
    }
  }
}

// Each of some instructions is a race of its own, whoever executes it and when.
class InsnRaces final : public RaceEnds {
 public:
  explicit InsnRaces(uint32_t every) : every_(every) {}
  bool may_be_end(CodeAddr ip) const override { return ip.addr / 4 % every_ == 0; }
  void labels_of(const Touch& t, std::vector<LabelId>& to) override {
    if (!may_be_end(t.ip)) return;
    const auto [label, added] = known_.try_emplace({t.ip.addr, t.thread});
    if (added) label->second = new_label(static_cast<uint32_t>(t.ip.addr), t.thread, 1, t);
    to.push_back(label->second);
  }
  bool are_alike(ThreadId, uint64_t, uint64_t) const override { return true; }
  void restart() override {}
  bool are_partners(LabelId, LabelId) override { return false; }

 private:
  uint32_t every_;
  std::map<std::pair<uint64_t, ThreadId>, LabelId> known_;
};

struct Ways {
  uint64_t passed = 0, stood_for = 0, labelled = 0;  // events; accesses judged that have labels
};

template <class Table>
class Follower final : public analysis::EventReader {
 public:
  Follower(LabelFlow<Table>& flow, Ways& ways) : flow_(flow), ways_(ways) {}
  void event(const Event& e, uint64_t index) override { flow_.event(e, index); }
  bool pass(analysis::EventWalk& walk, const analysis::Passage& p) override {
    const bool passed = flow_.pass(walk, p);
    if (passed) ways_.passed += p.end() - p.begin;
    return passed;
  }
  bool goes_on(uint64_t) override { return flow_.goes_on(); }
  uint32_t may_stand_for(analysis::EventWalk&, const analysis::Passage& p) override {
    const uint32_t some = flow_.may_stand_for(p);
    if (some > 0 && some != kAskAgain) ways_.stood_for += (some - 1) * p.events;
    return some;
  }

 private:
  LabelFlow<Table>& flow_;
  Ways& ways_;
};

constexpr size_t kJudged = 37;  // every so many accesses

// Of each access judged, if it was come to: what is told of it.
template <class Table, class Tell>
std::vector<std::string> followed(const trace::TraceFile& file, const RandomProgram& p, uint32_t every, Table& table,
                                  trace::Seeker* seeker, Ways& ways, Tell tell) {
  NoCode code;
  const RunJumps jumps(file);
  FunctionGraphs graphs(file.blocks(), jumps, code);
  InsnRaces ends(every);
  const CLibrary library;  // none
  LabelFlow<Table> flow(file.blocks(), p.flows, graphs, ends, table, library);
  std::vector<AccessPosition> judged;
  for (size_t i = every; i < p.accesses.size(); i += kJudged) judged.push_back(p.accesses[i].at);
  flow.judge(judged);
  Follower<Table> follower(flow, ways);
  const analysis::WalkedBlocks none(file.blocks());
  if (seeker)
    analysis::EventWalk(*seeker, none).run(follower, file.event_count());
  else
    analysis::AllEvents(file).run(follower, file.event_count());
  std::vector<std::string> all;
  for (const JudgedAccess& y : flow.judged()) {
    std::string one = std::to_string(y.at.event) + " " + std::to_string(y.ip.addr) + tell(y.address) + tell(y.branches);
    for (const auto& b : y.open) one += " " + std::to_string(b.ip.addr) + tell(b.labels);
    all.push_back(one);
    ways.labelled += (y.address | y.branches) != 0;
  }
  return all;
}

std::vector<std::string> followed_sets(const trace::TraceFile& file, const RandomProgram& p, uint32_t every,
                                       trace::Seeker* seeker, Ways& ways) {
  LabelTable table(1 << 20);
  return followed(file, p, every, table, seeker, ways, [&](Labels l) {
    std::string text = " known";
    table.sets().for_each(table.known(l), [&](LabelId id) { text += " " + std::to_string(id); });
    text += " weak";
    table.sets().for_each(table.weak(l), [&](LabelId id) { text += " " + std::to_string(id); });
    return text;
  });
}

std::vector<std::string> followed_trail(const trace::TraceFile& file, const RandomProgram& p, uint32_t every,
                                        trace::Seeker* seeker, Ways& ways) {
  LabelTrail trail(1);
  return followed(file, p, every, trail, seeker, ways, [&](Labels l) {
    std::string text = " steps";
    for (const FlowStep& s : trail.steps(l))
      text += " " + std::to_string(static_cast<int>(s.kind)) + "." + std::to_string(s.ip);
    return text;
  });
}

}  // namespace

TEST_CASE("labels are the same where what threads repeat is passed over, or followed once") {
  Ways all;
  for (uint32_t seed = 1; seed <= 100; ++seed) {
    const RandomProgram p(seed, RandomProgram::Loops::kRepeat);
    const trace::TraceFile file = open_bytes(
        record(p.tables, p.events, compact_in_form(seed % 4 ? 4 * seed : 4 * seed + 3, seed % 2 ? 100 : 100000)));
    for (const uint32_t every : {5, 30, 100}) {
      INFO("seed " << seed << ", every " << every << " instructions");
      trace::Seeker seeker(file);
      Ways none;
      CHECK(followed_sets(file, p, every, &seeker, all) == followed_sets(file, p, every, nullptr, none));
      CHECK(followed_trail(file, p, every, &seeker, all) == followed_trail(file, p, every, nullptr, none));
    }
  }
  CHECK(all.passed > 1000);
  CHECK(all.stood_for > 1000);
  CHECK(all.labelled > 1000);
}

TEST_CASE("labels carried forward are those of the backward slices, in random programs") {
  Counts counts;
  for (uint32_t seed = 1; seed <= 60; ++seed) compare(seed, counts);
  // All of it happens.
  CHECK(counts.known > 1000);
  CHECK(counts.weak > 1000);
  CHECK(counts.other > 1000);
}

TEST_CASE("the targets of dynamic jumps are those of all events, from the grammars of paths, too") {
  size_t targets = 0;
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    const RandomProgram p(seed);
    const RunJumps all(open_bytes(record(p.tables, p.events)));
    for (const uint64_t form : {0, 1, 2, 3}) {
      const RunJumps some(open_bytes(record(p.tables, p.events, compact_in_form(form, seed % 2 ? 7 : 1000))));
      for (uint32_t id = 1; id <= p.tables.blocks.superblock_count(); ++id) {
        std::vector<uint64_t> a(all.jump_targets(SuperblockId(id)).begin(), all.jump_targets(SuperblockId(id)).end());
        std::vector<uint64_t> b(some.jump_targets(SuperblockId(id)).begin(), some.jump_targets(SuperblockId(id)).end());
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        CHECK(a == b);
        targets += a.size();
      }
    }
  }
  CHECK(targets > 20);
}

// `make soak' asks for it by name.
TEST_CASE("labels carried forward are those of the backward slices, in many random programs", "[.][soak]") {
  Counts counts;
  for (uint32_t seed = 1000; seed < 1300; ++seed) compare(seed, counts);
}
