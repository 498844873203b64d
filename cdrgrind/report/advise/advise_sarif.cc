// SPDX-License-Identifier: GPL-2.0-or-later
// SARIF 2.1.0 (OASIS, 2020): a note for each loop that has a line in the source, with what it carries as related
// locations; the line for OpenMP is a fix that editors can put in. And a note for each call that others could run
// beside. Rule ids never change their meaning.
#include "cdrgrind/report/advise/advise_report.h"
#include "cdrgrind/report/common/bare_name.h"
#include "cdrgrind/report/common/escape.h"
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/common/sarif.h"

namespace cdr::report {
namespace {

using advise::Verdict;

constexpr const char* kNote = "note";
constexpr SarifRule kAdviceRules[] = {
    {"cdr-loop-parallel", "ParallelLoop", "The loop's iterations could run at the same time.", kNote},
    {"cdr-loop-ordered", "OrderedLoop", "The loop is parallel but for the order of its output.", kNote},
    {"cdr-loop-tasks", "TaskLoop", "The loop walks a structure; the bodies could be tasks.", kNote},
    {"cdr-loop-pipeline", "PipelineLoop", "Iterations depend on others, but could overlap.", kNote},
    {"cdr-loop-sequential", "SequentialLoop", "Iterations depend on those before them.", kNote},
    {"cdr-loop-unseen", "UnseenLoop", "The loop never had two iterations in these runs.", kNote},
    {"cdr-loop-threads", "ThreadLoop", "The loop starts threads, or keeps locks across iterations.", kNote},
    {"cdr-call-spawn", "SpawnCall", "What follows the call could run beside it.", kNote},
    {"cdr-loop-shared", "SharedLoop", "The loop is parallel already.", kNote},
};
constexpr Verdict kRuleVerdicts[] = {Verdict::kParallel,   Verdict::kOrdered, Verdict::kTasks, Verdict::kPipeline,
                                     Verdict::kSequential, Verdict::kUnseen,  Verdict::kNone};
constexpr size_t kSpawnRule = std::size(kRuleVerdicts), kSharedRule = kSpawnRule + 1;
static_assert(std::size(kAdviceRules) == kSharedRule + 1);

size_t rule_of(const AdviceLoop& l) {
  if (l.is_shared()) return kSharedRule;
  size_t rule = 0;
  while (kRuleVerdicts[rule] != l.verdict) ++rule;
  return rule;
}

void put_artifact(std::string_view file, JsonWriter& to) {
  to.key("artifactLocation").object();
  put_sarif_uri(file, to);
  to.end();
}

void put_physical(std::string_view file, uint32_t first, uint32_t last, JsonWriter& to) {
  to.key("physicalLocation").object();
  put_artifact(file, to);
  to.key("region").object().members("startLine", first);
  if (last > first) to.members("endLine", last);
  to.end().end();
}

void begin_result(size_t rule, const std::string& message, JsonWriter& to) {
  to.object().members("ruleId", kAdviceRules[rule].id, "ruleIndex", rule, "level", kNote);
  put_sarif_message(message, to);
}

void put_place_of(const SourcePlace& p, uint32_t line, uint32_t last, JsonWriter& to) {
  to.key("locations").array().object();
  put_physical(p.file, line, last, to);
  put_sarif_function(p.function, to);
  to.end().end();
}

std::string sentence_of(const AdviceLoop& l, uint64_t threads) {
  std::string text = kAdviceRules[rule_of(l)].text;
  if (l.is_shared())
    text += " " + team_sentence(*l.team);
  else if (l.beside)
    text += fmt::format(" {} of it runs {}.", percent_text(l.beside, l.instructions), region_text(*l.team));
  if (l.loaded_index) text += " In these runs: an index is loaded.";
  for (const SimdBreak& b : simd_breaks(l)) text += fmt::format(" Under simd lanes would get {} wrong.", b.item->name);
  if (!l.called_at.empty())
    text += fmt::format(" It stands in {}, {}.", brief_name(l.called_at[0].callee), short_place(l.place));
  for (const AdviceItem& i : l.items)
    if (i.carried_as >= advise::Class::kOutput) text += fmt::format(" {}: {}.", name_of(i.carried_as), i.name);
  if (l.is_shared()) return text;
  if (l.verdict >= Verdict::kParallel && l.verdict <= Verdict::kPipeline && l.beside < l.instructions)
    text += fmt::format(" With {} threads {:.1f} times as fast, the whole run {:.1f} times.", threads, l.speed_up,
                        l.of_run);
  for (const AdviceItem& i : l.items)
    if (l.verdict == Verdict::kParallel && !i.edit.empty()) text += fmt::format(" {}: {}.", i.name, i.edit);
  if (l.verdict == Verdict::kParallel && !l.counter_edit.empty())
    text += fmt::format(" {}: {}.", l.counter_name, l.counter_edit);
  if (l.verdict == Verdict::kParallel && !l.other_copy.empty())
    text += fmt::format(" No line: this loop of the source is also {}.", l.other_copy);
  return text;
}

void put_related(const AdviceLoop& l, JsonWriter& to) {
  to.key("relatedLocations").array();
  uint32_t id = 0;
  for (const AdviceItem& i : l.items) {
    if (i.rows.empty() || !i.rows[0].source.line || !i.rows[0].target.line) continue;
    for (const AdviceEnd* e : {&i.rows[0].source, &i.rows[0].target}) {
      to.object().members("id", ++id);
      put_physical(l.place.file, e->line, e->line, to);
      const char* end = e == &i.rows[0].source ? "from here" : "to here";
      put_sarif_message(fmt::format("{}, {}: {}", i.name, name_of(i.carried_as), end), to);
      to.end();
    }
  }
  to.end();
}

void put_fix(const AdviceLoop& l, JsonWriter& to) {
  to.key("fixes").array().object();
  put_sarif_text("description", sarif_text(l.pragma), to);
  to.key("artifactChanges").array().object();
  put_artifact(l.place.file, to);
  to.key("replacements").array().object().key("deletedRegion").object();
  to.members("startLine", l.place.line, "startColumn", 1, "endColumn", 1).end();
  put_sarif_text("insertedContent", l.pragma + "\n", to);
  to.end().end().end().end().end().end();
}

void put_loop(const AdviceLoop& l, uint64_t threads, JsonWriter& to) {
  begin_result(rule_of(l), sentence_of(l, threads), to);
  if (l.called_at.empty())
    put_place_of(l.place, l.place.line, l.last_line, to);
  else
    put_place_of(l.called_at[0].place, l.called_at[0].place.line, l.called_at[0].place.line, to);
  put_related(l, to);
  if (!l.pragma.empty()) put_fix(l, to);
  to.end();
}

void put_call(const AdviceCaller& caller, const AdviceCall& c, JsonWriter& to) {
  std::string text = fmt::format("What follows could run beside this call of {}; ", c.callee);
  text += c.wait_ip ? fmt::format("wait before line {}.", c.wait_line) : std::string("wait at the end.");
  if (c.output) text += " Both write output: so only if it may come in any order.";
  begin_result(kSpawnRule, text, to);
  put_place_of(caller.place, c.line, c.line, to);
  to.end();
}

}  // namespace

void write_advice_sarif(const AdviseReport& report, Output& out) {
  JsonWriter to(out, JsonWriter::Layout::kIndented);
  begin_sarif(kAdviceRules, to);
  to.key("results").array();
  for (size_t i = 0; i < report.loops.size() && i < report.most; ++i)
    if (report.loops[i].place.line) put_loop(report.loops[i], report.threads, to);
  for (size_t i = 0; i < report.callers.size() && i < report.most; ++i)
    for (const AdviceCall& c : report.callers[i].calls)
      if (c.is_spawn() && c.line && !report.callers[i].place.file.empty()) put_call(report.callers[i], c, to);
  to.end();
  end_sarif(to);
  out.put('\n');
}

}  // namespace cdr::report
