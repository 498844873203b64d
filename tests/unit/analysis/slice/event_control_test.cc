// SPDX-License-Identifier: GPL-2.0-or-later
// Runs written by hand: thread 1 stores to S (and to A), thread 2 loads S, then A at an address made of it, or not.
#include "cdrgrind/analysis/slice/event_control.h"

#include "cdrgrind/base/dataflow_builder.h"
#include "cdrgrind/encode/stretches.h"
#include "tests/unit/catch.h"
#include "tests/unit/trace/control_forms.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;
using namespace cdr::slice;
using namespace cdr::test;

namespace {

constexpr uint64_t kS = 0x601000, kA = 0x602100, kOther = 0x602200;
constexpr uint64_t kStretch = kMaxStretch;  // blocks

// A program of straight pieces, each a superblock of one block; pieces fall through to the next one.
class Program {
 public:
  // One access: a load into rax, or a store of rax; at a constant address, or at one made of rbx.
  struct Piece {
    bool store = false;
    uint64_t addr = 0;  // 0: from rbx
    bool value_weak = false;
    uint16_t to = kStateRax;  // the load's register
  };

  uint32_t add(const Piece& p) {
    SuperblockParts sb =
        straight(kText + 0x10 * (blocks_ + 1), 1, ExitKind::kFallThrough, kText + 0x10 * (blocks_ + 2));
    sb.accesses = {{static_cast<int64_t>(p.addr), 0, static_cast<uint16_t>(p.addr == 0), 4,
                    static_cast<uint8_t>(p.store ? kAccessStore : 0)}};
    sb.exits[0].accesses = 1;
    sb.exits[0].words = p.addr == 0;
    DataflowBuilder b;
    if (p.addr == 0) b.slot(b.read(kStateRbx, 8));
    DataflowBuilder::Set value = p.store ? b.read(kStateRax, 8) : b.load(0);
    if (p.value_weak) value = b.weaken(value);
    if (!p.store) b.write(p.to, 8, value);
    b.access(p.store ? value : DataflowBuilder::kEmpty, DataflowBuilder::kEmpty);
    b.exit(DataflowBuilder::kEmpty);
    flows_.add(b.finish());
    tables_.blocks.add_block(tables_.blocks.add_superblock(sb.view()), 0);
    return ++blocks_;
  }

  // An execution of the piece; the place of its access.
  AccessPosition run(uint32_t thread, uint32_t piece, uint64_t addr = 0) {
    if (thread != running_) events_.emplace_back(event_of(EventKind::kTurn, thread));
    running_ = thread;
    const std::vector<uint64_t> words = {addr};
    events_.emplace_back(
        block_of(thread, piece, addr ? std::span<const uint64_t>(words) : std::span<const uint64_t>()));
    return {events_.size() - 1, 0};
  }

  Program() {
    Module m;
    m.path = "/bin/small";
    m.text = {kText, kText + 0x1000};
    tables_.modules.add(m);
    for (uint32_t t = 1; t <= 2; ++t) {
      Event e = event_of(EventKind::kThreadStart, t);
      e.stack = StackId(t);
      e.range = {kStackEnd - 0x1000 * t, kStackEnd - 0x1000 * (t - 1)};
      e.sp = e.range.end - 0x100;
      events_.emplace_back(e);
    }
    running_ = 2;
  }

  // Of two races the one is judged, the other may explain it.
  Judgement judge(const RacePair& candidate, const RacePair& race, const EventControlOptions& o = {}) {
    return judge(open_bytes(record(tables_, events_)), candidate, race, o);
  }
  // Of a compact trace, passing over what is repeated.
  Judgement judge_walking(const RacePair& candidate, const RacePair& race) {
    const trace::TraceFile file = open_bytes(record(tables_, events_, compact_in_form(0)));
    trace::Seeker seeker(file);
    return judge(file, candidate, race, {.seeker = &seeker});
  }
  const std::vector<std::vector<FlowStep>>& reasons() const { return reasons_; }
  void forget_flows() { flows_ = DataflowTable(); }

 private:
  Judgement judge(const trace::TraceFile& file, const RacePair& candidate, const RacePair& race,
                  const EventControlOptions& o) {
    NoCode code;
    const std::vector<RacePair> races = {candidate, race};
    std::vector<uint64_t> insns;
    for (const RacePair& p : races)
      for (const AccessPosition& at : {p.first, p.second})
        insns.push_back(kText + 0x10 * events_[at.event].event.block.value);
    ListedRaces ends(races, insns);
    EventControl control(file, flows_, code, ends, {candidate}, o);
    Judgement j = control.judge(candidate, 0);
    reasons_ = control.reasons(j.of);
    return j;
  }

  Tables tables_;
  DataflowTable flows_;
  std::vector<std::vector<FlowStep>> reasons_;  // of the last judgement
  std::vector<OwnedEvent> events_;
  uint32_t blocks_ = 0, running_ = 0;
};

// Figure 7 of the paper: S decides which element the second thread reads. Thread 2's load of S goes to rbx.
struct Figure7 : Program {
  RacePair s, a;
  explicit Figure7(bool weak = false, bool uses = true) {
    const uint32_t store_s = add({.store = true, .addr = kS}), store_a = add({.store = true, .addr = kA});
    const uint32_t load_s = add({.addr = kS, .value_weak = weak, .to = uses ? kStateRbx : kStateRcx});
    const uint32_t load_a = add({});
    s.first = run(1, store_s);
    a.first = run(1, store_a);
    s.second = run(2, load_s);
    a.second = run(2, load_a, kA);
  }
};

}  // namespace

TEST_CASE("a race on what an address is made of explains the race at that address, not the other way round") {
  Figure7 p;
  const Judgement j = p.judge(p.a, p.s);
  REQUIRE(j.of.size() == 1);
  CHECK_FALSE(j.undecided);
  CHECK_FALSE(j.of[0].weak);
  const std::vector<FlowStep> reason = p.reasons()[0];
  REQUIRE(reason.size() == 2);
  CHECK(reason[0].kind == FlowStep::Kind::kAddress);
  CHECK(reason[0].at == p.a.second);
  CHECK(reason[1].kind == FlowStep::Kind::kLoad);
  CHECK(reason[1].at == p.s.second);
  CHECK(p.judge(p.s, p.a).of.empty());
}

TEST_CASE("a value that goes elsewhere explains nothing") {
  Figure7 p(false, false);
  CHECK(p.judge(p.a, p.s).of.empty());
}

TEST_CASE("weak flow makes no artifact, but is told") {
  Figure7 p(true);
  const Judgement j = p.judge(p.a, p.s);
  REQUIRE(j.of.size() == 1);
  CHECK(j.of[0].weak);
}

TEST_CASE("a store that comes before the flag's is not led to by the flag") {
  Program p;
  const uint32_t store_a = p.add({.store = true, .addr = kA}), store_s = p.add({.store = true, .addr = kS});
  const uint32_t load_s = p.add({.addr = kS, .to = kStateRbx}), load_a = p.add({});
  RacePair s, a;
  a.first = p.run(1, store_a);
  s.first = p.run(1, store_s);
  s.second = p.run(2, load_s);
  a.second = p.run(2, load_a, kA);
  CHECK(p.judge(a, s).of.empty());
}

TEST_CASE("the slice goes to the byte: a store beside what is read is not in it") {
  for (const uint64_t beside : {0, 2, 4}) {
    Program p;
    const uint32_t store_s = p.add({.store = true, .addr = kS + beside}), store_a = p.add({.store = true, .addr = kA});
    const uint32_t load_s = p.add({.addr = kS, .to = kStateRbx}), load_a = p.add({});
    const uint32_t load_other = p.add({.addr = kOther, .to = kStateRcx});
    RacePair s, a;
    s.first = p.run(1, store_s);
    a.first = p.run(1, store_a);
    p.run(2, load_s);
    s.second = p.run(2, load_other);
    a.second = p.run(2, load_a, kA);
    INFO(beside);
    CHECK(p.judge(a, s).of.size() == (beside < 4 ? 1 : 0));
  }
}

TEST_CASE("what another thread leaves in a register of the same name is not what is read") {
  Program p;
  const uint32_t store_s = p.add({.store = true, .addr = kS}), store_a = p.add({.store = true, .addr = kA});
  const uint32_t load_s = p.add({.addr = kS, .to = kStateRbx}), load_a = p.add({});
  RacePair s, a;
  s.first = p.run(2, store_s);
  a.first = p.run(2, store_a);
  s.second = p.run(1, load_s);
  a.second = p.run(2, load_a, kA);
  CHECK(p.judge(a, s).of.empty());
}

TEST_CASE("what is passed over is what it is in single events: registers that it writes hold what they are given") {
  for (const bool overwrites : {false, true}) {
    Program p;
    const uint32_t store_s = p.add({.store = true, .addr = kS}), store_a = p.add({.store = true, .addr = kA});
    const uint32_t load_s = p.add({.addr = kS, .to = kStateRbx}), load_a = p.add({});
    const uint32_t other = p.add({.addr = kOther, .to = overwrites ? kStateRbx : kStateRcx});
    RacePair s, a;
    s.first = p.run(1, store_s);
    a.first = p.run(1, store_a);
    for (uint64_t i = 1; i < kStretch; ++i) p.run(2, other);
    s.second = p.run(2, load_s);
    for (uint64_t i = 0; i < 8 * kStretch; ++i) p.run(2, other);
    a.second = p.run(2, load_a, kA);
    INFO(overwrites);
    CHECK(p.judge(a, s).of.size() == (overwrites ? 0 : 1));
    CHECK(p.judge_walking(a, s).of.size() == (overwrites ? 0 : 1));
  }
}

// From place to place, one further in each round, of two stretches: registers hold the same at its end.
TEST_CASE("what is followed once for all is over in memory, too") {
  constexpr uint64_t kPlaces = kStretch - 1;
  for (const uint64_t rounds : {kPlaces - 1, kPlaces, uint64_t{500}}) {
    Program p;
    const uint32_t store_s = p.add({.store = true, .addr = kS}), store_a = p.add({.store = true, .addr = kA});
    std::vector<uint32_t> round;
    for (uint64_t i = kPlaces; i-- > 0;) {
      round.push_back(p.add({.addr = kS + 8 * i}));
      round.push_back(p.add({.store = true, .addr = kS + 8 * (i + 1)}));
    }
    for (int i = 0; i < 2; ++i) round.push_back(p.add({.addr = kOther}));
    const uint32_t load_last = p.add({.addr = kS + 8 * kPlaces, .to = kStateRbx}), load_a = p.add({});
    RacePair s, a;
    s.first = p.run(1, store_s);
    a.first = p.run(1, store_a);
    for (uint64_t i = 0; i < rounds; ++i)
      for (const uint32_t piece : round) s.second = p.run(2, piece);
    p.run(2, load_last);
    a.second = p.run(2, load_a, kA);
    s.second = {s.first.event + 2 + 2 * kPlaces - 1, 0};  // the load of the first place, in the first round
    INFO(rounds);
    CHECK(p.judge(a, s).of.size() == (rounds < kPlaces ? 0 : 1));
    CHECK(p.judge_walking(a, s).of.size() == (rounds < kPlaces ? 0 : 1));
  }
}

TEST_CASE("without summaries, or when there are too many sets, nothing is decided") {
  Figure7 p;
  CHECK_FALSE(p.judge(p.a, p.s).undecided);
  const Judgement limited = p.judge(p.a, p.s, {.sets = 1});
  CHECK(limited.undecided);
  CHECK_FALSE(limited.no_flow);
  p.forget_flows();
  CHECK(p.judge(p.a, p.s).undecided);
  CHECK(p.judge(p.a, p.s).no_flow);
}
