// SPDX-License-Identifier: GPL-2.0-or-later

#include "cdrgrind/analysis/dependence/rows.h"

#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::analysis;
using depend::EndpointCode;
using depend::Kind;
using depend::LocationClass;

namespace {

// Two addresses a line; module 1 has lines.
class Names final : public CodeNames {
 public:
  LineRef line_of(CodeAddr at) override {
    if (at.module != ModuleId(1)) return {"/lib/libc.so", 0};
    return {"/src/a.c", static_cast<uint32_t>(at.addr / 2)};
  }
  std::string_view function_of(CodeAddr) override { return "main"; }
};

depend::Row key(uint64_t source, uint64_t target, uint64_t count) {
  depend::Row row;
  row.key.ancestor = {ModuleId(1), 2};
  row.key.source.at = {ModuleId(1), source};
  row.key.target.at = {ModuleId(1), target};
  row.key.source_thread = row.key.target_thread = ThreadId(1);
  row.count = count;
  return row;
}

DependenceRows rows_of(const std::vector<depend::Row>& table, const RowFilter& filter = {}) {
  Names names;
  return rows_by_line(table, names, filter);
}

}  // namespace

TEST_CASE("a row sums the keys of its lines") {
  const auto result = rows_of({key(40, 44, 2), key(41, 44, 3), key(41, 45, 4), key(41, 46, 5)});
  REQUIRE(result.rows.size() == 2);
  CHECK(result.rows[0].source.at.line == 20);
  CHECK(result.rows[0].target.at.line == 22);
  CHECK(result.rows[0].count == 9);
  CHECK(result.rows[1].count == 5);
}

TEST_CASE("codes, classes and kinds keep rows apart") {
  auto call = key(40, 44, 1), stack = key(40, 44, 1), war = key(40, 44, 1);
  call.key.source.code = EndpointCode::kCall;
  stack.key.location = LocationClass::kStack;
  war.key.kind = Kind::kWar;
  CHECK(rows_of({key(40, 44, 1), call, stack, war}).rows.size() == 4);
}

TEST_CASE("threads with themselves are one row, pairs of different ones another") {
  auto second = key(40, 44, 1), across = key(40, 44, 1);
  second.key.source_thread = second.key.target_thread = ThreadId(2);
  across.key.target_thread = ThreadId(2);
  const auto result = rows_of({key(40, 44, 1), second, across});
  REQUIRE(result.rows.size() == 2);
  CHECK(result.rows[0].count == 2);
  CHECK(!result.rows[0].source_thread);
  CHECK(result.rows[1].source_thread == ThreadId(1));
  CHECK(result.rows[1].target_thread == ThreadId(2));
}

TEST_CASE("what is left out by default is counted") {
  auto false_one = key(40, 44, 2), hidden_end = key(40, 44, 3), hidden_ancestor = key(40, 44, 4);
  false_one.key.location = LocationClass::kFalse;
  hidden_end.key.target.code = EndpointCode::kHidden;
  hidden_ancestor.key.ancestor_hidden = true;
  const auto result = rows_of({key(40, 44, 1), false_one, hidden_end, hidden_ancestor});
  REQUIRE(result.rows.size() == 1);
  CHECK(result.rows[0].count == 1);
  CHECK(result.left_out.by_class.at('f') == RowCount{1, 2});
  CHECK(result.left_out.hidden_end == RowCount{1, 3});
  CHECK(result.left_out.hidden_ancestor == RowCount{1, 4});
}

TEST_CASE("all classes with hidden ends leave nothing out") {
  auto false_one = key(40, 44, 2), hidden_end = key(40, 44, 3), hidden_ancestor = key(40, 44, 4);
  false_one.key.location = LocationClass::kFalse;
  hidden_end.key.target.code = EndpointCode::kHidden;
  hidden_ancestor.key.ancestor_hidden = true;
  RowFilter filter;
  filter.classes = {'f', 'l', 'o', 'r', 's'};
  filter.hidden = true;
  const auto result = rows_of({key(40, 44, 1), false_one, hidden_end, hidden_ancestor}, filter);
  CHECK(result.rows.size() == 3);
  CHECK(result.left_out == LeftOut{});
}

TEST_CASE("the threshold applies to rows, not to keys") {
  RowFilter filter;
  filter.threshold = 4;
  const auto result = rows_of({key(40, 44, 2), key(41, 44, 2), key(60, 64, 3)}, filter);
  CHECK(result.rows.size() == 1);
  CHECK(result.left_out.below_threshold == RowCount{1, 3});
}

TEST_CASE("rows are sorted by source, then target") {
  const auto result = rows_of({key(60, 20, 1), key(40, 44, 1), key(40, 20, 1)});
  REQUIRE(result.rows.size() == 3);
  CHECK(result.rows[0].target.at.line == 10);
  CHECK(result.rows[1].target.at.line == 22);
  CHECK(result.rows[2].source.at.line == 30);
}

TEST_CASE("the rows with the highest counts keep their order") {
  auto result = rows_of({key(40, 44, 2), key(42, 44, 9), key(44, 48, 1), key(46, 48, 2), key(48, 50, 7)});
  keep_most(result, 3);
  REQUIRE(result.rows.size() == 3);
  CHECK(result.rows[0].count == 2);
  CHECK(result.rows[0].source.at.line == 20);
  CHECK(result.rows[1].count == 9);
  CHECK(result.rows[2].count == 7);
  CHECK(result.left_out.beyond_most == RowCount{2, 3});
  keep_most(result, 3);
  CHECK(result.left_out.beyond_most == RowCount{2, 3});
}
