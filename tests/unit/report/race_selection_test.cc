// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/race_selection.h"

#include "cdrgrind/report/races/race_report.h"
#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::report;

namespace {

using Status = races::Verdict::Status;

RaceFinding finding(const std::string& variable, Status status = Status::kRoot) {
  RaceFinding f;
  static uint32_t ids = 0;
  f.id = ++ids;
  f.variable = variable;
  f.status = status;
  f.root = f.id;
  RaceFrame frame;
  frame.function = frame.linkage_name = variable == "suppressed" ? "of_library" : "of_program";
  f.kind = "global";
  f.first.stack = f.second.stack = {frame};
  f.places = {{{100, 0}, {200, 0}}};
  return f;
}

std::vector<std::string> variables(const RaceReport& report) {
  std::vector<std::string> all;
  for (const RaceFinding& f : report.findings) all.push_back(f.variable);
  return all;
}

std::string json_of(const RaceReport& report) {
  report::Output out;
  write_races_json(report, out);
  return out.text();
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("suppressions come first, then the baseline, then artifacts, then the scope") {
  RaceReport earlier;
  earlier.findings = {finding("known"), finding("suppressed")};
  RaceReport report;
  report.findings = {finding("known"), finding("suppressed"), finding("follows", Status::kArtifact), finding("outside"),
                     finding("new")};
  report.findings[3].outside = true;
  report.all_modules = false;
  RaceBaseline baseline;
  REQUIRE(baseline.read(json_of(earlier), "earlier").empty());
  Suppressions suppressions;
  REQUIRE(suppressions.read("{\n name\n cdrgrind:Race\n fun:of_library\n}\n", "file").empty());
  select_races({true, true}, suppressions, baseline, report);
  CHECK(variables(report) == Names{"new"});
  CHECK(report.suppressed == 1);  // though the baseline has it, too
  CHECK(report.known == 1);
  CHECK(report.left_out == 1);
  CHECK(report.roots == 1);
  CHECK(report.findings[0].id == 1);
}

TEST_CASE("what stays is a finding of its own when its root is left out") {
  RaceReport report;
  report.findings = {finding("suppressed"), finding("goes", Status::kArtifact), finding("stays", Status::kArtifact),
                     finding("stays behind it", Status::kArtifact), finding("goes behind it", Status::kArtifact)};
  const uint32_t root = report.findings[0].id;
  for (size_t i = 1; i < 5; ++i) {
    report.findings[i].root = root;
    report.findings[i].of = i < 3 ? root : report.findings[2].id;
  }
  report.findings[2].stays = report.findings[3].stays = true;
  Suppressions suppressions;
  RaceBaseline baseline;
  REQUIRE(suppressions.read("{\n name\n cdrgrind:Race\n fun:of_library\n}\n", "file").empty());
  select_races({}, suppressions, baseline, report);
  REQUIRE(variables(report) == Names{"stays", "goes", "stays behind it", "goes behind it"});
  CHECK(report.findings[0].status == Status::kRoot);
  CHECK(report.findings[0].of == 0);
  CHECK(report.findings[0].followers == 2);
  CHECK(report.findings[1].root == 0);
  CHECK(report.findings[2].root == 1);
  CHECK(report.findings[2].of == 1);
  CHECK(report.roots == 1);
}

TEST_CASE("nothing is taken away that was not asked for") {
  RaceReport report;
  report.findings = {finding("a"), finding("b", Status::kArtifact), finding("c")};
  report.findings[2].outside = true;
  Suppressions suppressions;
  RaceBaseline baseline;
  select_races({}, suppressions, baseline, report);
  CHECK(variables(report).size() == 3);
  CHECK(report.outside == 1);
  CHECK(report.left_out == 0);
  CHECK_FALSE(report.with_baseline);
}

TEST_CASE("races are judged together, if their data flow is known") {
  std::vector<RaceFinding> findings = {finding("a"), finding("b")};
  findings[1].places = {{{50, 1}, {150, 0}}, {{120, 0}, {300, 2}}};
  RacesToJudge both = races_to_judge(findings, true);
  CHECK(both.unjudged.empty());
  CHECK(both.classes.size() == 2);
  CHECK(both.classes[1].size() == 2);
  CHECK(both.streams.size() == 2);
  CHECK(races_to_judge(findings, false).unjudged.find("--cdr-dataflow=yes") != std::string::npos);
  findings[1].places.clear();
  CHECK(races_to_judge(findings, true).unjudged.find("no instance") != std::string::npos);
  CHECK(races_to_judge({}, false).unjudged.empty());
}
