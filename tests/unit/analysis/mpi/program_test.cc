// SPDX-License-Identifier: GPL-2.0-or-later
// Matching of messages.
#include "cdrgrind/analysis/mpi/program.h"

#include "tests/unit/analysis/mpi/calls.h"
#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::mpi;

namespace {

// The call that the other end of a rank's n-th post belongs to; none.
uint32_t partner_call(const Program& program, uint32_t rank, uint32_t post) {
  const PostRef other = program.partner({rank, post});
  return other ? program.post(other).call : kNone;
}

}  // namespace

TEST_CASE("the k-th message with a tag goes to the k-th receive that takes it") {
  TestRank a(0, 2), b(1, 2);
  a.message(kTestSend, 1, 5).message(kTestSend, 1, 6).message(kTestSend, 1, 5);
  b.message(kTestRecv, 0, 6).message(kTestRecv, 0, 5).message(kTestRecv, 0, 5);
  const Program program = program_of({a, b});
  CHECK(program.matched() == 3);
  CHECK(program.unmatched().empty());
  CHECK(partner_call(program, 0, 0) == 2);
  CHECK(partner_call(program, 0, 1) == 1);
  CHECK(partner_call(program, 0, 2) == 3);
}

TEST_CASE("a receive from anybody is from whom its status says, also when a wait says it") {
  TestRank a(0, 3), b(1, 3), c(2, 3);
  a.message(kTestIrecv, CDR_MPI_ANY, CDR_MPI_ANY).request(7).message(kTestRecv, CDR_MPI_ANY, 1).status(1, 1);
  a.wait(7, 2, 4);
  b.message(kTestSend, 0, 1);
  c.message(kTestSend, 0, 4);
  const Program program = program_of({a, b, c});
  CHECK(program.matched() == 2);
  CHECK(program.guessed() == 0);
  CHECK(program.partner({0, 0}) == PostRef{2, 0});
  CHECK(program.partner({0, 1}) == PostRef{1, 0});
}

TEST_CASE("another tag or communicator is no match") {
  TestRank a(0, 2), b(1, 2);
  a.dup(300).message(kTestSend, 1, 6).message(kTestSend, 1, 7, 8, 300);
  b.dup(400).message(kTestRecv, 0, 8).message(kTestRecv, 0, 7);
  const Program program = program_of({a, b});
  CHECK(program.matched() == 0);
  CHECK(program.unmatched().size() == 4);
}

TEST_CASE("communicators of the same members are told apart by the order in which they are made") {
  TestRank a(0, 2), b(1, 2);
  a.dup(300).dup(301).message(kTestSend, 1, 1, 8, 301);
  b.dup(900).dup(800).message(kTestRecv, 0, 1, 8, 800);
  const Program program = program_of({a, b});
  CHECK(program.matched() == 1);
  CHECK(program.comm_of(0, 3) == program.comm_of(1, 3));
  CHECK(program.comm_of(0, 2) != program.comm_of(1, 3));
}

TEST_CASE("a handle that the library gives twice is two requests, and persistent ones send at each start") {
  TestRank a(0, 2), b(1, 2);
  a.message(kTestIsend, 1, 1).request(5).message(kTestIsend, 1, 2).request(5).wait(5).wait(5);
  a.message(kTestSendInit, 1, 3).request(9);
  for (int i = 0; i < 2; ++i) a.call(kTestStart, {CDR_MPI_REQUESTS | 1 << 8, 9}).wait(9);
  b.message(kTestRecv, 0, 2).message(kTestRecv, 0, 1).message(kTestRecv, 0, 3).message(kTestRecv, 0, 3);
  const Program program = program_of({a, b});
  CHECK(program.matched() == 4);
  CHECK(program.unmatched().empty());
  for (const Post& p : program.log(0).posts) CHECK(p.done != kNone);
  REQUIRE(program.matrix().size() == 1);
  CHECK(program.matrix()[0].messages == 4);
  CHECK(program.matrix()[0].bytes == 32);
}
