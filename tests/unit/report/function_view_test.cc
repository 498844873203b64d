// SPDX-License-Identifier: GPL-2.0-or-later

#include "cdrgrind/report/annotate/function_view.h"

#include "cdrgrind/report/annotate/annotate.h"
#include "cdrgrind/report/annotate/dependence_table.h"
#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::report;
using analysis::DependenceRow;
using depend::EndpointCode;
using depend::Kind;

namespace {

DependenceRow row(uint32_t from, uint32_t to, uint64_t count, Kind kind = Kind::kRaw) {
  DependenceRow r;
  r.source = {{"/src/a.c", from}, EndpointCode::kOwn};
  r.target = {{"/src/a.c", to}, EndpointCode::kCall};
  r.kind = kind;
  r.ancestor = "main";
  r.count = count;
  return r;
}

FunctionView view(const std::vector<DependenceRow>& rows, uint32_t first = 10) {
  FunctionView f = {"main", "/src/a.c", first, first, {}};
  for (const DependenceRow& r : rows) f.rows.push_back(&r);
  return f;
}

}  // namespace

TEST_CASE("rows of the same lines and kind are one arrow") {
  std::vector<DependenceRow> rows = {row(20, 22, 5), row(20, 22, 7), row(20, 22, 1, Kind::kWaw)};
  rows[1].location = 's';
  rows[1].target.code = EndpointCode::kOwn;
  const auto arrows = arrows_of(view(rows));
  REQUIRE(arrows.size() == 2);
  CHECK(arrows[0].count == 12);
  CHECK(arrows[0].location == '*');
  CHECK(arrows[0].to_code == '*');
  CHECK(arrows[1].kind == 2);
  CHECK(arrows[1].to_code == 'c');
}

TEST_CASE("an arrow is carried if one of its rows is") {
  std::vector<DependenceRow> rows = {row(20, 22, 5), row(20, 22, 7), row(23, 24, 1)};
  rows[0].keys = {3};
  rows[1].keys = {4, 5};
  rows[2].keys = {6};
  CarriedMarks marks;
  marks.add(5, {"/src/a.c", 19, 2, 2});
  const auto arrows = arrows_of(view(rows), &marks);
  REQUIRE(arrows.size() == 2);
  CHECK(arrows[0].carried == Carried::kYes);
  CHECK(arrows[1].carried == Carried::kNo);
  CHECK(arrows_of(view(rows))[0].carried == Carried::kUnknown);
}

TEST_CASE("of a row's keys a loop is named once, with all their distances") {
  DependenceRow r = row(20, 22, 5);
  r.keys = {1, 2};
  CarriedMarks marks;
  marks.add(1, {"/src/a.c", 19, 4, 4});
  marks.add(2, {"/src/a.c", 19, 1, 2});
  marks.add(2, {"/src/a.c", 7, 1, 1});
  const auto by = marks.of(r);
  REQUIRE(by.size() == 2);
  CHECK(by[0].line == 7);
  CHECK(by[1].line == 19);
  CHECK(by[1].least == 1);
  CHECK(by[1].greatest == 4);
}

TEST_CASE("a row with an end in another file is no arrow") {
  std::vector<DependenceRow> rows = {row(20, 22, 5)};
  rows[0].source.at.file = "/src/b.h";
  CHECK(arrows_of(view(rows)).empty());
}

TEST_CASE("long stretches without ends are not shown, short ones are") {
  const std::vector<DependenceRow> rows = {row(20, 50, 1), row(26, 51, 1)};
  CHECK(shown_lines(view(rows, 18), 2, 1000) == std::vector<LineRange>{{18, 29}, {48, 54}});
  CHECK(shown_lines(view(rows, 18), 2, 40) == std::vector<LineRange>{{18, 29}});
}

TEST_CASE("the table has thousands separators, other files' names, and threads where they differ") {
  std::vector<DependenceRow> rows = {row(20, 22, 1234567), row(21, 22, 3, Kind::kWar)};
  rows[1].source.at.file = "/src/b.h";
  cdr::report::Output out;
  write_dependence_table(view(rows), {}, out);
  CHECK(out.text() ==
        "  kind  class    from    to        count\n"
        "  RAW   o          20    22 c  1,234,567\n"
        "  WAR   o      b.h:21    22 c          3\n");
  rows[0].source_thread = ThreadId(1);
  rows[0].target_thread = ThreadId(3);
  cdr::report::Output with_threads;
  write_dependence_table(view(rows), {}, with_threads);
  CHECK(with_threads.text().find("1,234,567  1 to 3\n") != std::string::npos);
}

TEST_CASE("where loops were looked at the table says which carry a row, and how far") {
  std::vector<DependenceRow> rows = {row(20, 22, 5), row(21, 22, 3)};
  rows[0].keys = {0};
  rows[1].keys = {1};
  CarriedMarks marks;
  marks.add(0, {"/src/a.c", 19, 1, 1});
  marks.add(0, {"/src/b.h", 4, 2, 8});
  AnnotateOptions options;
  options.carried = &marks;
  cdr::report::Output out;
  write_dependence_table(view(rows), options, out);
  CHECK(out.text() ==
        "  kind  class  from    to    count  from earlier\n"
        "  RAW   o        20    22 c      5  19 by 1, b.h:4 by 2 to 8\n"
        "  RAW   o        21    22 c      3\n");
}

TEST_CASE("a JSON row has exactly the schema's members") {
  std::vector<DependenceRow> rows = {row(20, 22, 5)};
  rows[0].source_thread = ThreadId(1);
  rows[0].target_thread = ThreadId(2);
  cdr::report::Output out;
  write_dependences_json({rows, {}}, "./a", out);
  CHECK(out.text() ==
        "{\"schema\":\"cdrgrind.dependences/1\",\"program\":\"./"
        "a\",\"scope\":{\"modules\":\"all\",\"functions\":[],\"files\":[],\"left_out\":0},\"dependences\":[\n"
        "{\"kind\":\"RAW\",\"class\":\"o\",\"ancestor\":\"main\",\"source\":{\"file\":\"/src/a.c\",\"line\":20,"
        "\"code\":\"\"},\"target\":{\"file\":\"/src/a.c\",\"line\":22,\"code\":\"c\"},\"count\":5,"
        "\"threads\":[1,2]}\n]}\n");
}
