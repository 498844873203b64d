// SPDX-License-Identifier: GPL-2.0-or-later
// SARIF 2.1.0 (OASIS, 2020): one result for each race, at the later access; the other access is a related location, and
// the two call stacks are the two thread flows of a code flow. Rule ids never change their meaning. A fingerprint has
// no lines in it, so a race stays the same when the file above it changes.
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/common/sarif.h"
#include "cdrgrind/report/races/race_baseline.h"
#include "cdrgrind/report/races/race_report.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

namespace {

constexpr SarifRule kRaceRules[] = {
    {"cdr-race", "DataRace", "Two threads access the same memory, one of them stores, and nothing orders them.",
     "warning", "Order the accesses: hold one lock around both, join before the second, or make both atomic."},
    {"cdr-race-mixed", "MixedAtomicRace", "One thread accesses memory atomically, another does not.", "warning",
     "Make both accesses atomic."},
    {"cdr-use-after-free", "UnorderedFree", "A thread frees a block, and nothing orders that with another's access.",
     "warning", "Free the block only when every thread that uses it is known to be done."},
    {"cdr-race-artifact", "ArtifactRace", "A race that can only happen because another race happened before it.",
     "note", "Fix the race that it follows from first."},
    {"cdr-use-after-return", "UseAfterReturn",
     "A task uses a variable of a function's frame, and nothing keeps the function from returning before.", "warning",
     "Wait for the task before the function returns, or give it a copy (firstprivate)."},
};

constexpr size_t kArtifactRule = 3, kAfterReturnRule = 4;

size_t rule_of(const RaceFinding& f) {
  if (f.status == races::Verdict::Status::kArtifact) return kArtifactRule;
  if (f.after_return) return kAfterReturnRule;
  return f.after_free ? 2 : f.mixed ? 1 : 0;
}

class SarifRaces {
 public:
  SarifRaces(const RaceSarifRun& run, JsonWriter& to) : run_(run), to_(to) {
    root_ = run.root.ends_with('/') ? run.root : run.root + "/";
  }

  void put_results(const RaceReport& report) {
    to_.key("results").array();
    for (const RaceFinding& f : report.findings)
      if (!is_behind_head(f) && (f.status != races::Verdict::Status::kArtifact || run_.artifacts))
        put_result(f, report);
    to_.end();
  }
  std::string root_uri() const { return "file://" + uri_path(root_); }

 private:
  void put_physical(std::string_view file, uint32_t line, uint32_t column) {
    to_.key("physicalLocation").object().key("artifactLocation").object();
    if (file.starts_with(root_))
      to_.members("uri", uri_path(file.substr(root_.size())), "uriBaseId", "SRCROOT");
    else
      put_sarif_uri(file, to_);
    to_.end();
    if (line) to_.key("region").object().members("startLine", line);
    if (line && column) to_.members("startColumn", column);
    if (line) to_.end();
    to_.end();
  }
  // The object is left open.
  void put_location(const RaceSide& s, const std::string& text) {
    to_.object();
    put_physical(s.file, s.line, s.column);
    put_sarif_function(s.function, to_);
    put_sarif_message(text, to_);
  }

  static std::string what(const RaceSide& s, const char* when) {
    std::string text = fmt::format("{}: {} by thread {}", when, access_name(s), s.thread);
    return s.locks.empty() ? text + ", no locks held" : text + fmt::format(", holding {}", fmt::join(s.locks, ", "));
  }

  // Outermost call first: SARIF wants the order in which it happened.
  void put_flow(const RaceSide& s, const char* when) {
    to_.object().members("id", fmt::format("thread {}", s.thread));
    put_sarif_message(what(s, when), to_);
    to_.key("locations").array();
    for (auto f = s.stack.rbegin(); f != s.stack.rend(); ++f) {
      const bool last = std::next(f) == s.stack.rend();
      to_.object().key("location").object();
      if (!f->pos.file.empty() || !f->module.empty())
        put_physical(f->pos.known() ? f->pos.file : f->module, f->pos.line, f->pos.column);
      put_sarif_function(f->function, to_);
      put_sarif_message(last ? what(s, when) : "calls", to_);
      to_.end().members("nestingLevel", f - s.stack.rbegin());
      if (last) to_.members("importance", "essential");
      to_.end();
    }
    if (s.stack.empty()) {
      to_.object().key("location");
      put_location(s, what(s, when));
      to_.end().end();
    }
    to_.end().end();
  }

  std::string fingerprint(const RaceFinding& f) {
    const std::string identity = race_identity(f, false);
    uint64_t h = 0x9e3779b97f4a7c15;
    for (const char c : identity) h = mix64(h ^ static_cast<unsigned char>(c));
    return fmt::format("{:016x}:{}", h, ++seen_[identity]);
  }

  static std::string sentence(const RaceFinding& f) {
    std::string text =
        fmt::format("{} {}: {} by thread {}, and {} by thread {} at {}:{}, {}.",
                    f.after_return ? "Use after return of"
                    : f.ordered    ? "Use after free of"
                                   : "Data race on",
                    all_variables(f), done_to(f.second), f.second.thread, done_to(f.first), f.first.thread,
                    symbols::base_name(f.first.file), f.first.line, counted(f.instances, "instance"));
    for (const std::string& n : all_notes(f)) text += " Note: " + n + ".";
    return text;
  }

  void put_result(const RaceFinding& f, const RaceReport& report) {
    const size_t rule = rule_of(f);
    const SarifRule& r = kRaceRules[rule];
    to_.object().members("ruleId", r.id, "ruleIndex", rule, "level", r.level);
    put_sarif_message(sentence(f), to_);
    to_.key("locations").array();
    put_location(f.second, what(f.second, "later"));
    to_.end().end().key("relatedLocations").array();
    put_location(f.first, what(f.first, "earlier"));
    to_.members("id", 1).end();
    put_tangle(f, report);
    to_.end().key("codeFlows").array().object().key("threadFlows").array();
    put_flow(f.first, "earlier");
    put_flow(f.second, "later");
    to_.end().end().end();
    to_.key("partialFingerprints").object().members("cdrgrindRace/v1", fingerprint(f)).end();
    if (report.with_baseline) to_.members("baselineState", "new");
    put_properties(f);
    to_.end();
  }
  // The others that it stands for.
  void put_tangle(const RaceFinding& f, const RaceReport& report) {
    unsigned id = 1;
    for (const RaceFinding& other : report.findings) {
      if (!f.tangle || other.tangle != f.tangle || !is_behind_head(other)) continue;
      for (const RaceSide* s : {&other.first, &other.second}) {
        put_location(*s, fmt::format("one tangle with the race on {}: {} by thread {}", all_variables(other),
                                     done_to(*s), s->thread));
        to_.members("id", ++id).end();
      }
    }
  }
  void put_properties(const RaceFinding& f) {
    to_.key("properties").object().members("variable", f.variable, "id", f.id, "status", status_name(f));
    to_.members("instances", f.instances, "schedulable", f.schedulable);
    if (f.variables.size() > 1) to_.list("variables", f.variables);
    to_.end();
  }

  const RaceSarifRun& run_;
  JsonWriter& to_;
  std::string root_;
  std::map<std::string, unsigned> seen_;
};

void put_invocation(const RaceReport& report, const RaceSarifRun& run, JsonWriter& to) {
  to.key("invocations").array().object();
  to.members("commandLine", run.command_line, "executionSuccessful", report.missing.empty());
  std::vector<std::string> sentences = sentences_of(report.binaries);
  for (const std::string& what : report.missing) sentences.push_back("incomplete: " + what);
  if (!sentences.empty()) {
    to.key("toolExecutionNotifications").array();
    for (const std::string& sentence : sentences) {
      to.object().members("level", "warning");
      put_sarif_text("message", sentence, to);
      to.end();
    }
    to.end();
  }
  to.end().end();
}

}  // namespace

void write_races_sarif(const RaceReport& report, const RaceSarifRun& run, Output& out) {
  JsonWriter to(out, JsonWriter::Layout::kIndented);
  SarifRaces races(run, to);
  begin_sarif(kRaceRules, to);
  put_invocation(report, run, to);
  to.key("originalUriBaseIds").object().key("SRCROOT").object().members("uri", races.root_uri()).end().end();
  races.put_results(report);
  end_sarif(to);
  out.put('\n');
}

}  // namespace cdr::report
