// SPDX-License-Identifier: GPL-2.0-or-later
// SARIF 2.1.0 (OASIS, 2020): one result for each race, at the later access; the other access is a related location, and
// the two call stacks are the two thread flows of a code flow. Rule ids never change their meaning. A fingerprint has
// no lines in it, so a race stays the same when the file above it changes.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/config.h"
#include "cdrgrind/report/race_baseline.h"
#include "cdrgrind/report/race_report.h"
#include "cdrgrind/symbols/paths.h"

namespace cdr::report {

using Json = nlohmann::ordered_json;

namespace {

struct SarifRule {
  const char *id, *name, *text, *help;
};
constexpr SarifRule kSarifRules[] = {
    {"cdr-race", "DataRace", "Two threads access the same memory, one of them stores, and nothing orders them.",
     "Order the accesses: hold one lock around both, join before the second, or make both atomic."},
    {"cdr-race-mixed", "MixedAtomicRace", "One thread accesses memory atomically, another does not.",
     "Make both accesses atomic."},
    {"cdr-use-after-free", "UnorderedFree", "A thread frees a block, and nothing orders that with another's access.",
     "Free the block only when every thread that uses it is known to be done."},
    {"cdr-race-artifact", "ArtifactRace", "A race that can only happen because another race happened before it.",
     "Fix the race that it follows from first."},
};

size_t rule_of(const RaceFinding& f) {
  if (f.status == analysis::Verdict::Status::kArtifact) return 3;
  return f.after_free ? 2 : f.mixed ? 1 : 0;
}

class SarifRaces {
 public:
  explicit SarifRaces(const RaceSarifRun& run) : run_(run) {
    root_ = run.root.ends_with('/') ? run.root : run.root + "/";
  }

  Json results(const RaceReport& report) {
    Json list = Json::array();
    for (const RaceFinding& f : report.findings)
      if (f.status != analysis::Verdict::Status::kArtifact || run_.artifacts)
        list.push_back(result(f, report.with_baseline));
    return list;
  }
  std::string root_uri() const { return "file://" + uri_path(root_); }

 private:
  Json artifact(std::string_view file) const {
    if (file.starts_with(root_)) return {{"uri", uri_path(file.substr(root_.size()))}, {"uriBaseId", "SRCROOT"}};
    return {{"uri", (file.starts_with('/') ? "file://" : "") + uri_path(file)}};
  }
  Json physical(std::string_view file, uint32_t line, uint32_t column) const {
    Json p{{"artifactLocation", artifact(file)}};
    if (line) p["region"] = {{"startLine", line}};
    if (line && column) p["region"]["startColumn"] = column;
    return p;
  }
  static Json logical(std::string_view function) {
    return Json::array({{{"fullyQualifiedName", function}, {"kind", "function"}}});
  }
  Json location(const RaceFrame& f) const {
    Json l;
    if (!f.pos.file.empty() || !f.module.empty())
      l["physicalLocation"] = physical(f.pos.known() ? f.pos.file : f.module, f.pos.line, f.pos.column);
    if (!f.function.empty()) l["logicalLocations"] = logical(f.function);
    return l;
  }
  Json location(const RaceSide& s, const std::string& text) const {
    Json l{{"physicalLocation", physical(s.file, s.line, s.column)}};
    if (!s.function.empty()) l["logicalLocations"] = logical(s.function);
    l["message"] = {{"text", sarif_text(text)}};
    return l;
  }

  static std::string what(const RaceSide& s, const char* when) {
    const char* access = s.free ? "free" : s.write ? "write" : "read";
    std::string text = fmt::format("{}: {} by thread {}", when, access, s.thread);
    return s.locks.empty() ? text + ", no locks held" : text + fmt::format(", holding {}", fmt::join(s.locks, ", "));
  }

  // Outermost call first: SARIF wants the order in which it happened.
  Json flow(const RaceSide& s, const char* when) const {
    Json steps = Json::array();
    for (auto f = s.stack.rbegin(); f != s.stack.rend(); ++f) {
      Json at = location(*f);
      const bool last = std::next(f) == s.stack.rend();
      at["message"] = {{"text", last ? sarif_text(what(s, when)) : "calls"}};
      Json step{{"location", std::move(at)}, {"nestingLevel", f - s.stack.rbegin()}};
      if (last) step["importance"] = "essential";
      steps.push_back(std::move(step));
    }
    if (steps.empty()) steps.push_back({{"location", location(s, what(s, when))}});
    return {{"id", fmt::format("thread {}", s.thread)},
            {"message", {{"text", sarif_text(what(s, when))}}},
            {"locations", steps}};
  }

  std::string fingerprint(const RaceFinding& f) {
    const std::string identity = race_identity(f, false);
    uint64_t h = 0x9e3779b97f4a7c15;
    for (const char c : identity) h = mix64(h ^ static_cast<unsigned char>(c));
    return fmt::format("{:016x}:{}", h, ++seen_[identity]);
  }

  Json result(const RaceFinding& f, bool with_baseline) {
    const size_t rule = rule_of(f);
    const bool note = f.status == analysis::Verdict::Status::kArtifact;
    std::string text =
        fmt::format("Data race on {}: {} by thread {}, and {} by thread {} at {}:{}, {}.", all_variables(f),
                    f.second.free    ? "freed"
                    : f.second.write ? "written"
                                     : "read",
                    f.second.thread,
                    f.first.free    ? "freed"
                    : f.first.write ? "written"
                                    : "read",
                    f.first.thread, symbols::base_name(f.first.file), f.first.line, counted(f.instances, "instance"));
    for (const std::string& n : all_notes(f)) text += " Note: " + n + ".";
    Json r{{"ruleId", kSarifRules[rule].id},
           {"ruleIndex", rule},
           {"level", note ? "note" : "warning"},
           {"message", {{"text", sarif_text(text)}}},
           {"locations", Json::array({location(f.second, what(f.second, "later"))})}};
    Json other = location(f.first, what(f.first, "earlier"));
    other["id"] = 1;
    r["relatedLocations"] = Json::array({other});
    r["codeFlows"] = Json::array({{{"threadFlows", Json::array({flow(f.first, "earlier"), flow(f.second, "later")})}}});
    r["partialFingerprints"] = {{"cdrgrindRace/v1", fingerprint(f)}};
    if (with_baseline) r["baselineState"] = "new";
    r["properties"] = {{"variable", f.variable},
                       {"id", f.id},
                       {"status", status_name(f)},
                       {"instances", f.instances},
                       {"schedulable", f.schedulable}};
    if (f.variables.size() > 1) r["properties"]["variables"] = f.variables;
    return r;
  }

  const RaceSarifRun& run_;
  std::string root_;
  std::map<std::string, unsigned> seen_;
};

Json driver() {
  Json rules = Json::array();
  for (const SarifRule& r : kSarifRules)
    rules.push_back({{"id", r.id},
                     {"name", r.name},
                     {"shortDescription", {{"text", r.text}}},
                     {"help", {{"text", r.help}}},
                     {"defaultConfiguration", {{"level", rules.size() == 3 ? "note" : "warning"}}}});
  return {{"name", "cdrgrind"}, {"version", PACKAGE_VERSION}, {"semanticVersion", PACKAGE_VERSION}, {"rules", rules}};
}

Json invocation(const RaceReport& report, const RaceSarifRun& run) {
  Json i{{"commandLine", run.command_line}, {"executionSuccessful", true}};
  for (const std::string& sentence : sentences_of(report.binaries))
    i["toolExecutionNotifications"].push_back({{"level", "warning"}, {"message", {{"text", sentence}}}});
  return i;
}

}  // namespace

void write_races_sarif(const RaceReport& report, const RaceSarifRun& run, Output& out) {
  SarifRaces races(run);
  Json results = races.results(report);
  const Json document{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       Json::array({{{"tool", {{"driver", driver()}}},
                     {"invocations", Json::array({invocation(report, run)})},
                     {"originalUriBaseIds", {{"SRCROOT", {{"uri", races.root_uri()}}}}},
                     {"columnKind", "unicodeCodePoints"},
                     {"results", std::move(results)}}})}};
  out.put(json_text(document, 1)).put('\n');
}

}  // namespace cdr::report
