// SPDX-License-Identifier: GPL-2.0-or-later
// Classes of ranks, and the merged nest.
#include "cdrgrind/analysis/mpi/classes.h"

#include "cdrgrind/analysis/mpi/merged_nest.h"
#include "tests/unit/analysis/mpi/calls.h"
#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::mpi;

namespace {

std::string text_of(const NestItems& items, const RankClasses& classes, const RankSet* around) {
  std::string text;
  for (const NestItem& item : items) {
    if (!text.empty()) text += ' ';
    if (around && item.ranks != *around) text += spelled(item.ranks) + ':';
    if (item.count)
      text += '(' + text_of(item.body, classes, around ? &item.ranks : nullptr) + ")^" + std::to_string(item.count);
    else
      text += classes.names.name(item.symbol);
  }
  return text;
}

// A pipeline: all but the first receive, all but the last send.
Program pipeline(uint32_t ranks, unsigned steps) {
  std::vector<RankLog> logs;
  for (uint32_t r = 0; r < ranks; ++r) {
    TestRank rank(r, ranks);
    for (unsigned i = 0; i < steps; ++i) {
      if (r > 0) rank.message(kTestRecv, r - 1, 1);
      if (r + 1 < ranks) rank.message(kTestSend, r + 1, 1);
    }
    logs.push_back(rank.log());
  }
  return alone(std::move(logs));
}

}  // namespace

TEST_CASE("rank sets are spelled with ranges and steps") {
  CHECK(spelled(RankSet{}).empty());
  CHECK(spelled(RankSet{3}) == "3");
  CHECK(spelled(RankSet{0, 1, 2, 7}) == "0-2,7");
  CHECK(spelled(RankSet{4, 8, 12, 16, 17}) == "4-16:4,17");
  CHECK(spelled(RankSet{0, 5}) == "0,5");
  CHECK(united({1, 3}, {2, 3, 4}) == RankSet{1, 2, 3, 4});
}

TEST_CASE("peers relative to the rank make the inner ranks of a pipeline alike") {
  const Program program = pipeline(8, 5);
  const RankClasses classes = classes_of(program, {});
  REQUIRE(classes.classes.size() == 3);
  CHECK(classes.classes[1].ranks == RankSet{1, 2, 3, 4, 5, 6});
  CHECK(text_of(classes.classes[1].nest, classes, nullptr) == "Init (Recv(-1, 8) Send(+1, 8))^5");
  const RankSet all{0, 1, 2, 3, 4, 5, 6, 7};
  CHECK(text_of(merged_nest(classes), classes, &all) == "Init (1-7:Recv(-1, 8) 0-6:Send(+1, 8))^5");
}

TEST_CASE("a ring is one class, and so are partners by exclusive or") {
  std::vector<RankLog> logs;
  for (uint32_t r = 0; r < 4; ++r) {
    TestRank rank(r, 4);
    rank.message(kTestSend, (r + 1) % 4, 1).message(kTestRecv, (r + 3) % 4, 1);
    for (uint32_t bit = 1; bit < 4; bit *= 2) rank.message(kTestIsend, r ^ bit, 1, 24).request(1).wait(1);
    logs.push_back(rank.log());
  }
  const RankClasses classes = classes_of(alone(std::move(logs)), {});
  REQUIRE(classes.classes.size() == 1);
  CHECK(text_of(classes.classes[0].nest, classes, nullptr) ==
        "Init Send(+1 mod 4, 8) Recv(+3 mod 4, 8) Isend(xor 1, 24) Wait Isend(+2 mod 4, 24) Wait");
}

TEST_CASE("a peer that is the same for most is written as itself") {
  std::vector<RankLog> logs;
  for (uint32_t r = 0; r < 6; ++r) {
    TestRank rank(r, 6);
    if (r > 0) rank.message(kTestSend, 0, 1);
    logs.push_back(rank.log());
  }
  const RankClasses classes = classes_of(alone(std::move(logs)), {});
  REQUIRE(classes.classes.size() == 2);
  CHECK(text_of(classes.classes[1].nest, classes, nullptr) == "Init Send(rank 0, 8)");
}
