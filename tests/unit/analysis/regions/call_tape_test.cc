// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/call_tape.h"

#include "tests/unit/catch.h"

namespace cdr::regions {
namespace {

using Rank = CallMoment::Rank;

constexpr CodeAddr kCaller{ModuleId(1), 0x100}, kCallee{ModuleId(1), 0x200};

CallMoment moment(uint64_t access, uint64_t time, Rank rank = Rank::kWait) { return {access, 0, time, rank}; }

// Two calls one behind the other, of 1000 instructions each; the caller goes on for 3000 behind them.
struct TwoCalls {
  CallTape tape;
  std::vector<CallEnd> ends = std::vector<CallEnd>(2);

  TwoCalls() {
    const AccountIndex caller = tape.new_account();
    tape.returned(moment(10, 1000, Rank::kTape), {caller, 0, 1000, 1000, 0x110, kCaller, kCallee});
    tape.returned(moment(20, 2000, Rank::kTape), {caller, 0, 1000, 2000, 0x120, kCaller, kCallee});
    tape.ended(moment(50, 5000, Rank::kTape), {caller, kCaller, 5000});
    wait(0, moment(50, 5000), 0, 5000);
    wait(1, moment(50, 5000), 0, 5000);
  }
  void wait(uint32_t call, const CallMoment& at, uint64_t ip, uint64_t executed) {
    ends[call].waited = at;
    ends[call].ip = ip;
    ends[call].executed = executed;
  }
  CallerRun count(const std::vector<std::vector<CallEnd>>& parts) const { return tape.count(parts).at(kCaller); }
};

TEST_CASE("calls that nothing waits for run beside each other and the rest") {
  TwoCalls two;
  const CallerRun run = two.count({two.ends});
  CHECK(run.instructions == 5000);
  CHECK(run.left == 3000);
  CHECK(run.calls.at(0x110).beside == 1000);
  CHECK(run.calls.at(0x120).instructions == 1000);
  CHECK(run.calls.at(0x120).callee == kCallee);
}

TEST_CASE("of several parts the one that waits first counts") {
  TwoCalls one, other;
  one.wait(0, moment(40, 4000), 0x140, 4000);
  other.wait(0, moment(15, 1500), 0x130, 1500);
  const CallRun first = one.count({one.ends, other.ends}).calls.at(0x110);
  REQUIRE(first.waits.size() == 1);
  CHECK(first.waits.at(0x130).nearest == 500);
  CHECK(first.beside == 500);
  CHECK(one.count({other.ends, one.ends}).left == one.count({one.ends, other.ends}).left);
}

TEST_CASE("at one time waits come before what the tape has, and before waits for registers") {
  CHECK(moment(3, 7) < moment(3, 7, Rank::kTape));
  CHECK(moment(3, 7, Rank::kTape) < moment(3, 7, Rank::kRegister));
  CHECK(moment(3, 7, Rank::kRegister) < moment(4, 7));
  CHECK(moment(3, 7) < CallMoment());
}

TEST_CASE("output counts if it is written before the wait, whoever has seen it") {
  TwoCalls one, other;
  one.wait(0, moment(30, 3000), 0x130, 3000);
  other.ends[0].output = moment(25, 2500);
  CHECK(one.count({one.ends, other.ends}).calls.at(0x110).output);
  other.ends[0].output = moment(35, 3500);
  CHECK(!one.count({one.ends, other.ends}).calls.at(0x110).output);
}

TEST_CASE("what an activation has won is passed on to the one around it") {
  CallTape tape;
  const AccountIndex outer = tape.new_account(), inner = tape.new_account();
  tape.returned(moment(10, 1000, Rank::kTape), {inner, 0, 600, 1000, 0x110, kCallee, kCallee});
  tape.passed_on(moment(20, 2000, Rank::kTape), inner, outer);
  tape.ended(moment(50, 5000, Rank::kTape), {outer, kCaller, 5000});
  std::vector<std::vector<CallEnd>> parts(1, std::vector<CallEnd>(1));
  parts[0][0].waited = moment(15, 1500);
  parts[0][0].executed = 1500;
  // 500 instructions ran beside it.
  CHECK(tape.count(parts).at(kCaller).left == 4500);
}

}  // namespace
}  // namespace cdr::regions
