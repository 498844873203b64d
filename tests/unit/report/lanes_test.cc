// SPDX-License-Identifier: GPL-2.0-or-later

#include "cdrgrind/report/annotate/lanes.h"

#include "tests/unit/catch.h"

using namespace cdr::report;

namespace {

const Style kPlain = {80, false, false};
const Style kUtf8 = {80, false, true};

std::string draw(const Lanes& lanes, uint32_t first, uint32_t last, const Style& style) {
  std::string text;
  for (uint32_t line = first; line <= last; ++line) text += lanes.margin(line, style) + "\n";
  return text;
}

Arrow arrow(uint32_t from, uint32_t to, uint8_t kind = 0) { return {from, to, kind, 'o', ' ', ' ', 1}; }

}  // namespace

TEST_CASE("an arrow runs from its source line to its target line") {
  const Lanes lanes({{20, 22, 0, 'o', 'c', ' ', 5}}, 8);
  CHECK(lanes.count() == 1);
  CHECK(draw(lanes, 19, 23, kUtf8) == "   \n╭oc\n│  \n╰▶─\n   \n");
  CHECK(draw(lanes, 20, 22, kPlain) == "+oc\n|  \n+>-\n");
}

TEST_CASE("an arrow upwards has its head at the upper line") {
  const Lanes lanes({arrow(22, 20)}, 8);
  CHECK(draw(lanes, 20, 22, kPlain) == "+>-\n|  \n+o-\n");
}

TEST_CASE("the shorter of two overlapping arrows is nearer to the source") {
  const Lanes lanes({arrow(1, 9), arrow(3, 4)}, 8);
  CHECK(lanes.count() == 2);
  CHECK(draw(lanes, 1, 4, kUtf8) == "╭o────\n│     \n│  ╭o─\n│  ╰▶─\n");
}

TEST_CASE("arrows that do not overlap share a lane, those that touch do not") {
  CHECK(Lanes({arrow(1, 2), arrow(3, 4)}, 8).count() == 1);
  CHECK(Lanes({arrow(1, 2), arrow(2, 4)}, 8).count() == 2);
}

TEST_CASE("crossing lanes and joined ends are drawn as such") {
  const Lanes lanes({arrow(1, 3), arrow(2, 4), arrow(2, 5, 2)}, 8);
  CHECK(draw(lanes, 1, 5, kUtf8) ==
        "      ╭o─\n"
        "╓o─┬o─┼──\n"
        "║  │  ╰▶─\n"
        "║  ╰▶────\n"
        "╙▶───────\n");
}

TEST_CASE("an arrow from a line to itself is a mark without a lane") {
  const Lanes lanes({arrow(7, 7)}, 8);
  CHECK(lanes.count() == 0);
  CHECK(draw(lanes, 6, 8, kUtf8) == " \n↻\n \n");
  CHECK(draw(lanes, 7, 7, kPlain) == "@\n");
}

TEST_CASE("where lanes run out arrows of a kind with a common end share one") {
  // What line 2 stores lines 4, 6 and 7 read; lines 3 and 5 store what line 8 reads.
  const std::vector<Arrow> arrows = {arrow(2, 4), arrow(2, 6), arrow(2, 7), arrow(3, 8), {5, 8, 0, 's', 'c', ' ', 1}};
  const Lanes wide(arrows, 5);
  CHECK(wide.count() == 4);
  CHECK(wide.left_to_table() == 0);
  const Lanes narrow(arrows, 2);
  CHECK(narrow.count() == 2);
  CHECK(narrow.left_to_table() == 0);
  CHECK(draw(narrow, 1, 9, kUtf8) ==
        "      \n"
        "   ╭o─\n"
        "╭o─┼──\n"
        "│  ├▶─\n"
        "├sc┼──\n"
        "│  ├▶─\n"
        "│  ╰▶─\n"
        "╰▶────\n"
        "      \n");
  CHECK(draw(narrow, 2, 5, kPlain) == "   +o-\n+o-+--\n|  +>-\n+sc+--\n");
}

TEST_CASE("the common end of different arrows has a star for what differs") {
  std::vector<Arrow> arrows = {arrow(1, 4), {2, 4, 0, 'o', ' ', 'c', 1}, arrow(1, 3, 1), arrow(2, 3, 1)};
  arrows[3].location = 's';
  const Lanes lanes(arrows, 2);
  CHECK(lanes.left_to_table() == 0);
  CHECK(draw(lanes, 4, 4, kPlain) == "+>*---\n");
  CHECK(draw(lanes, 3, 3, kPlain) == "|  +>-\n");
}

TEST_CASE("sixty lines with many dependences have room for all arrows") {
  std::vector<Arrow> arrows;  // each line reads what up to five lines before it have stored
  for (uint32_t to = 2; to <= 60; ++to)
    for (uint32_t from = to > 5 ? to - 5 : 1; from < to; ++from) arrows.push_back(arrow(from, to));
  CHECK(Lanes(arrows, 11).left_to_table() == 0);
}

TEST_CASE("what a loop carries has another head and does not share a lane with the rest") {
  std::vector<Arrow> arrows = {arrow(1, 3), arrow(2, 3), arrow(4, 4), arrow(5, 5)};
  arrows[1].carried = arrows[2].carried = Carried::kYes;
  arrows[0].carried = arrows[3].carried = Carried::kNo;
  const Lanes lanes(arrows, 8);
  CHECK(lanes.count() == 2);
  CHECK(draw(lanes, 1, 5, kUtf8) == "╭o─────\n│  ╭o──\n╰▶─┴↻──\n      ↻\n      =\n");
}

TEST_CASE("of a line's dependences on itself one that a loop carries is shown") {
  std::vector<Arrow> arrows = {arrow(4, 4, 0), arrow(4, 4, 1)};
  arrows[0].carried = Carried::kNo;
  arrows[1].carried = Carried::kYes;
  CHECK(draw(Lanes(arrows, 8), 4, 4, kUtf8) == "↻\n");
}

TEST_CASE("where lanes run out the frequent arrows keep theirs and the others are counted") {
  std::vector<Arrow> arrows;
  for (uint32_t i = 0; i < 10; ++i) arrows.push_back({1 + i, 50 - i, 0, 'o', ' ', ' ', 100 + i});
  const Lanes lanes(arrows, 3);
  CHECK(lanes.count() == 3);
  CHECK(lanes.left_to_table() == 7);
  CHECK(lanes.margin(10, kPlain) == "|  |  +o-");
}

TEST_CASE("between two shown lines only lanes that go on are drawn") {
  const Lanes lanes({arrow(1, 3), arrow(2, 9)}, 8);
  CHECK(lanes.margin_between(3, kPlain) == "|     ");
}

TEST_CASE("kinds differ in colour") {
  const Style style = {80, true, false};
  CHECK(Lanes({arrow(1, 2, 0)}, 8).margin(1, style).find("\033[31m") != std::string::npos);
  CHECK(Lanes({arrow(1, 2, 1)}, 8).margin(1, style).find("\033[32m") != std::string::npos);
}
