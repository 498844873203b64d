// SPDX-License-Identifier: GPL-2.0-or-later
// Who waited for whom, and deadlocks.
#include "cdrgrind/analysis/mpi/waits.h"

#include "cdrgrind/analysis/mpi/deadlock.h"
#include "tests/unit/analysis/mpi/calls.h"
#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::mpi;

namespace {

Times times_of(const Program& program, uint64_t eager = UINT64_MAX) {
  return replayed_times(program, Collectives(program), eager);
}
std::vector<Waiting> waiting_in(const Program& program) { return unfinished_calls(program, Collectives(program)); }

}  // namespace

TEST_CASE("a receive waits for a late sender, by the instructions of both") {
  TestRank a(0, 2), b(1, 2);
  a.work(100).message(kTestRecv, 1, 1);
  b.work(5000).message(kTestSend, 0, 1);
  const Times times = times_of(program_of({a, b}));
  REQUIRE(times.late.size() == 1);
  CHECK(times.late[0].kind == LateKind::kSender);
  CHECK(times.late[0].at.rank == 0);
  CHECK(times.late[0].peer.rank == 1);
  CHECK(times.late[0].instructions == 4900);
  CHECK(times.total_waited == 4900);
  CHECK(times.length == 5000);
}

TEST_CASE("a send waits for its receive if it is synchronous or large") {
  TestRank a(0, 2), b(1, 2);
  a.work(10).message(kTestSsend, 1, 1).message(kTestSend, 1, 2, 4000);
  b.work(1010).message(kTestRecv, 0, 1).work(500).message(kTestRecv, 0, 2);
  const Program program = program_of({a, b});
  Times times = times_of(program);
  REQUIRE(times.late.size() == 1);
  CHECK(times.late[0].kind == LateKind::kReceiver);
  CHECK(times.late[0].instructions == 1000);
  times = times_of(program, 1000);
  CHECK(times.total_waited == 1500);
}

TEST_CASE("waiting for one delays the next; a wait counts where it is, not where the receive was begun") {
  TestRank a(0, 3), b(1, 3), c(2, 3);
  a.work(1000).message(kTestSend, 1, 1);
  b.message(kTestRecv, 0, 1).work(10).message(kTestSend, 2, 1);
  c.message(kTestIrecv, 1, 1).request(1).work(400).wait(1, 1, 1);
  const Times times = times_of(program_of({a, b, c}));
  REQUIRE(times.late.size() == 2);
  CHECK(times.late[1].at.rank == 2);
  CHECK(times.late[1].call == 2);
  CHECK(times.late[1].instructions == 610);
}

TEST_CASE("all wait at a barrier for the last, and at a broadcast for the root") {
  TestRank a(0, 3), b(1, 3), c(2, 3);
  a.work(10).collective(kTestBarrier).work(100).collective(kTestBcast, 0);
  b.work(30).collective(kTestBarrier).collective(kTestBcast, 0);
  c.work(20).collective(kTestBarrier).work(150).collective(kTestBcast, 0);
  const Times times = times_of(program_of({a, b, c}));
  CHECK(times.total_waited == 20 + 10 + 100);
  REQUIRE(times.late.size() == 3);
  CHECK(times.late[1].at.rank == 1);
  CHECK(times.late[1].peer.rank == 0);
}

TEST_CASE("collectives that are not alike are told") {
  TestRank a(0, 2), b(1, 2);
  a.collective(kTestBarrier).collective(kTestBcast, 0);
  b.collective(kTestBarrier).collective(kTestBcast, 1);
  const Program program = program_of({a, b});
  const Collectives collectives(program);
  REQUIRE(collectives.mismatches().size() == 1);
  CHECK(collectives.mismatches()[0].at == CallSpot{0, kTestBcast, 0});
  CHECK(collectives.mismatches()[0].peer.rank == 1);
}

TEST_CASE("ranks that wait for each other are stuck, and who waits for one of them, too") {
  TestRank a(0, 4), b(1, 4), c(2, 4), d(3, 4);
  a.message(kTestRecv, 1, 1).stays();
  b.message(kTestRecv, 0, 1).stays();
  c.message(kTestRecv, CDR_MPI_ANY, 1).stays();
  d.work(5);
  const auto waiting = waiting_in(program_of({a, b, c, d}));
  REQUIRE(waiting.size() == 3);
  CHECK(waiting[0].for_ranks == std::vector<uint32_t>{1});
  CHECK(waiting[0].stuck);
  CHECK(waiting[1].stuck);
  CHECK(waiting[2].for_ranks == std::vector<uint32_t>{0, 1, 3});
  // Rank 3 has ended.
  CHECK(waiting[2].stuck);
}

TEST_CASE("who waits for a rank that goes on is not stuck") {
  TestRank a(0, 2), b(1, 2);
  a.message(kTestRecv, 1, 1).stays();
  b.message(kTestSend, 0, 1).message(kTestSend, 0, 2).stays();
  const auto waiting = waiting_in(program_of({a, b}));
  REQUIRE(waiting.size() == 2);
  CHECK(waiting[0].for_ranks.empty());  // its message has been sent
  CHECK_FALSE(waiting[0].stuck);
  CHECK_FALSE(waiting[1].stuck);
}
