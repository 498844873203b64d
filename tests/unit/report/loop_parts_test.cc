// SPDX-License-Identifier: GPL-2.0-or-later
// Loops that are one in the source are one in the report.
#include "cdrgrind/report/advise/loop_parts.h"

#include "tests/unit/catch.h"

namespace cdr::report {
namespace {

using advise::Class;
using advise::Verdict;

AdviceLoop loop(uint32_t number, const char* statement, std::set<uint32_t> columns, Verdict verdict,
                uint64_t instructions) {
  AdviceLoop l;
  l.number = number;
  l.statement = statement;
  l.head_columns = std::move(columns);
  l.verdict = verdict;
  l.instructions = instructions;
  l.header.addr = 0x1000 + number;
  l.place.line = 7;
  l.instances = 1;
  l.iterations = instructions / 10;
  l.speed_up = verdict == Verdict::kSequential ? 1 : 8;
  return l;
}

AdviceItem item(const char* name, Class carried_as) {
  AdviceItem i;
  i.name = i.variable = name;
  i.carried_as = carried_as;
  return i;
}

AdviseReport report_of(std::vector<AdviceLoop> loops) {
  AdviseReport r;
  r.instructions = 10'000;
  r.loops = std::move(loops);
  return r;
}

TEST_CASE("parts have the worst verdict of them, and what each carries") {
  AdviceLoop a = loop(1, "s", {5}, Verdict::kParallel, 1000), b = loop(2, "s", {5}, Verdict::kSequential, 600);
  a.items = {item("x", Class::kReduction)};
  b.items = {item("x", Class::kRecurrence), item("y", Class::kPrivate)};
  AdviseReport r = report_of({a, b});
  join_parts(r);
  REQUIRE(r.loops.size() == 1);
  const AdviceLoop& all = r.loops[0];
  CHECK(all.verdict == Verdict::kSequential);
  CHECK(all.instructions == 1600);
  CHECK(all.speed_up == 1);
  REQUIRE(all.items.size() == 2);
  CHECK(all.items[0].name == "x");
  CHECK(all.items[0].carried_as == Class::kRecurrence);
  REQUIRE(all.parts.size() == 2);
  CHECK(all.parts[0].instructions == 1000);
  CHECK(all.parts[0].verdict == Verdict::kParallel);
  CHECK(all.parts[1].verdict == Verdict::kSequential);
}

TEST_CASE("loops of other statements, and others in the same line, stay apart") {
  AdviseReport r = report_of({loop(1, "s", {5}, Verdict::kParallel, 100), loop(2, "s", {30}, Verdict::kSequential, 90),
                              loop(3, "t", {5}, Verdict::kSequential, 80), loop(4, "s", {}, Verdict::kUnseen, 70)});
  join_parts(r);
  REQUIRE(r.loops.size() == 4);
  for (const AdviceLoop& l : r.loops) CHECK(l.parts.empty());
}

TEST_CASE("code without a head is a part if it stands in the statement, as deep, and not in or around another part") {
  const auto joined = [](uint32_t parent, uint32_t depth) {
    AdviceLoop headless = loop(3, "s", {5}, Verdict::kPipeline, 50);
    headless.has_head = false;
    headless.parent = parent;
    headless.depth = depth;
    std::vector<AdviceLoop> loops = {loop(1, "s", {5}, Verdict::kParallel, 100),
                                     loop(2, "t", {5}, Verdict::kParallel, 90), headless};
    forget_doubtful(loops);
    AdviseReport r = report_of(loops);
    join_parts(r);
    return r.loops.size() == 2;
  };
  CHECK(joined(0, 1));
  CHECK(joined(2, 1));
  CHECK(!joined(2, 2));
  CHECK(!joined(1, 1));
}

TEST_CASE("a part that was not seen with two iterations says nothing") {
  AdviceLoop unseen = loop(1, "s", {5}, Verdict::kUnseen, 1000);
  unseen.speed_up = 1;
  AdviseReport r = report_of({unseen, loop(2, "s", {5}, Verdict::kParallel, 100)});
  join_parts(r);
  REQUIRE(r.loops.size() == 1);
  CHECK(r.loops[0].verdict == Verdict::kParallel);
}

TEST_CASE("a part within another is not counted twice, and children have the loop for parent") {
  AdviceLoop outer = loop(1, "s", {5}, Verdict::kPipeline, 1000), inner = loop(2, "s", {5}, Verdict::kParallel, 900);
  AdviceLoop child = loop(3, "t", {9}, Verdict::kParallel, 500);
  inner.parent = 1;
  child.parent = 2;
  AdviseReport r = report_of({outer, inner, child});
  join_parts(r);
  REQUIRE(r.loops.size() == 2);
  const AdviceLoop &all = r.loops[r.loops[0].number == 3], &within = r.loops[r.loops[0].number != 3];
  CHECK(all.instructions == 1000);
  CHECK(all.verdict == Verdict::kPipeline);
  CHECK(all.parent == 0);
  CHECK(within.parent == all.number);
}

TEST_CASE("what a nest carries whose loops were exchanged, other loops in it may carry") {
  AdviceLoop outer = loop(1, "s", {5}, Verdict::kPipeline, 1000), inner = loop(2, "s", {5}, Verdict::kParallel, 900);
  AdviceLoop part = loop(3, "s", {5}, Verdict::kParallel, 800), within = loop(4, "t", {9}, Verdict::kParallel, 700);
  AdviceLoop elsewhere = loop(5, "t", {9}, Verdict::kParallel, 700);
  elsewhere.statement = "u";
  inner.parent = 1;
  within.parent = 3;
  outer.items = {item("m", Class::kRecurrence), item("i", Class::kInduction)};
  AdviseReport r = report_of({outer, inner, part, within, elsewhere});
  join_parts(r);
  REQUIRE(r.loops.size() == 3);
  for (const AdviceLoop& l : r.loops) {
    CHECK((l.verdict == Verdict::kParallel) == (l.number == 5));
    if (l.number == 4) CHECK(l.items.size() == 1);
  }
}

TEST_CASE("a loop around another of the same statement that is entered elsewhere has exchanged none") {
  AdviceLoop outer = loop(1, "s", {5}, Verdict::kPipeline, 1000), inner = loop(2, "s", {5}, Verdict::kParallel, 900);
  AdviceLoop within = loop(4, "t", {9}, Verdict::kParallel, 700);
  outer.irregular = true;
  inner.parent = 1;
  within.parent = 2;
  outer.items = {item("m", Class::kRecurrence)};
  AdviseReport r = report_of({outer, inner, within});
  join_parts(r);
  REQUIRE(r.loops.size() == 2);
  for (const AdviceLoop& l : r.loops) CHECK((l.verdict == Verdict::kParallel) == (l.number == 4));
}

TEST_CASE("what one part leaves to another is carried") {
  AdviceLoop l = loop(1, "s", {5}, Verdict::kParallel, 1000);
  l.pragma = "#pragma";
  AdviceItem left = item("a", Class::kRecurrence);
  left.rows.emplace_back().between = true;
  add_between(l, left);
  add_between(l, left);
  CHECK(l.verdict == Verdict::kSequential);
  CHECK(l.pragma.empty());
  REQUIRE(l.items.size() == 1);
  CHECK(l.items[0].rows.size() == 1);
}

TEST_CASE("names that the source assigns are unseen if no part whose lines have them saw them") {
  AdviceLoop a = loop(1, "s", {5}, Verdict::kParallel, 1000), b = loop(2, "s", {5}, Verdict::kParallel, 500);
  a.assigned = {"t", "u"};
  a.unseen = {"u"};
  b.assigned = {"t", "v"};
  b.unseen = {"t", "v"};
  AdviseReport r = report_of({a, b});
  join_parts(r);
  REQUIRE(r.loops.size() == 1);
  CHECK(r.loops[0].unseen == std::vector<std::string>{"u", "v"});
}

TEST_CASE("what copies or fills is known by its name") {
  for (const char* name : {"memcpy@plt", "__memmove_avx_unaligned_erms", "memset", "__memset_chk", "mempcpy"})
    CHECK(copies_or_fills(name));
  for (const char* name : {"strcpy", "memcmp", "main", "", "malloc@plt"}) CHECK(!copies_or_fills(name));
}

}  // namespace
}  // namespace cdr::report
