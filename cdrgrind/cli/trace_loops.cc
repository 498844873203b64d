// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/trace_loops.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "cdrgrind/analysis/loops/greedy.h"
#include "cdrgrind/analysis/loops/optimal.h"
#include "cdrgrind/analysis/sync/objects.h"
#include "cdrgrind/cli/command_watch.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/symbol_input.h"
#include "cdrgrind/report/loops/loop_nest.h"
#include "cdrgrind/report/loops/thread_loops.h"
#include "cdrgrind/report/loops/trace_symbols.h"
#include "cdrgrind/report/sync/sync_report.h"

namespace cdr::cli {

namespace {

loops::SequenceOf kind_of(const LoopsOptions& options) {
  static const std::map<std::string, loops::SequenceOf> kinds = {{"blocks", loops::SequenceOf::kBlocks},
                                                                 {"lines", loops::SequenceOf::kLines},
                                                                 {"calls", loops::SequenceOf::kCalls},
                                                                 {"paths", loops::SequenceOf::kPaths},
                                                                 {"sync", loops::SequenceOf::kSync}};
  return kinds.at(options.of);
}

// What threads that did the same did.
struct ThreadGroup {
  std::vector<ThreadId> threads;
  loops::TraceSequence read;
  std::unique_ptr<report::TraceSymbols> meanings;
  analysis::SymbolSequence sequence;
  loops::LoopNest nest;
};

std::vector<std::unique_ptr<ThreadGroup>> grouped(std::vector<loops::TraceSequence> sequences) {
  std::vector<std::unique_ptr<ThreadGroup>> groups;
  for (loops::TraceSequence& sequence : sequences) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& other) { return loops::same_sequence(other->read, sequence); });
    if (group == groups.end()) {
      group = groups.insert(group, std::make_unique<ThreadGroup>());
      (*group)->threads.push_back(sequence.thread);
      (*group)->read = std::move(sequence);
      continue;
    }
    (*group)->threads.push_back(sequence.thread);
    sequence = {};
  }
  return groups;
}

class TraceLoops {
 public:
  explicit TraceLoops(const LoopsOptions& options)
      : options_(options),
        file_(open_trace(options.shared.trace)),
        symbols_(symbols_of(file_, options.shared.symbols)),
        names_(file_.modules(), symbols_),
        blocks_(file_.blocks()),
        watch_(options.interrupt),
        scope_(note_of(options.shared.scope, options.shared.scope.all_modules(options.format == "json"))) {
    require_thread(file_, options.thread);
  }

  Status run() {
    const StopWatch watch;
    read();
    reading_ = watch.seconds();
    for (const auto& group : groups_) find(*group);
    finding_ = watch.seconds() - reading_;
    watch_.clear();
    write();
    return interrupted_status(scope_.missing);
  }

 private:
  void read() {
    std::optional<analysis::CodeOwners> owners;
    std::optional<analysis::ProgramPart> part;
    if (!scope_.all || options_.shared.scope.narrows()) {
      owners = report::chosen_owners(file_.blocks(), file_.modules(), options_.shared.scope, scope_.all, names_);
      part.emplace(file_.blocks(), file_.modules(), *owners);
    }
    const std::set<sync::SyncKey> hidden = objects_of_others();
    const auto others = [&](const Sync& s) { return hidden.contains(sync::key_of(s)); };
    analysis::WatchedPart watched(watch_.watch(), "reading", file_.event_count(), kEventsBetween);
    auto sequences = loops::read_trace_sequences(file_, kind_of(options_), ThreadId(options_.thread), kMostSymbols,
                                                 names_, blocks_, part ? &*part : nullptr, others, watched);
    if (watched.ended()) scope_.missing.push_back(only_first(*watched.end(), file_.event_count()));
    for (const loops::TraceSequence& sequence : sequences) scope_.left_out += sequence.left_out;
    groups_ = grouped(std::move(sequences));
    if (groups_.empty()) add_nothing();
  }
  // As `cdrgrind sync' leaves them out.
  std::set<sync::SyncKey> objects_of_others() {
    if (scope_.all || kind_of(options_) != loops::SequenceOf::kSync) return {};
    const report::ProgramScope program(file_.modules(), options_.shared.scope.program);
    report::SyncNames names(file_, program, symbols_);
    names.find_objects(sync::count_sync(file_, watch_.watch()));
    return names.of_others();
  }
  // A thread that executed nothing while it was recorded.
  void add_nothing() {
    groups_.push_back(std::make_unique<ThreadGroup>());
    groups_.front()->threads.emplace_back(std::max(options_.thread, 1u));
    groups_.front()->read.of = kind_of(options_);
  }

  void find(ThreadGroup& group) {
    group.meanings = std::make_unique<report::TraceSymbols>(group.read, blocks_, names_);
    group.sequence = {std::move(group.read.symbols), group.meanings->names()};
    group.nest.length = static_cast<uint32_t>(group.sequence.symbols.size());
    const std::string who = report::spelled_threads(group.threads);
    if (interrupted_) return scope_.missing.push_back(fmt::format("loops of {}", who));
    group.nest = find_loops(options_, group.sequence.symbols, watch_.watch());
    interrupted_ = !group.nest.complete;
    if (interrupted_) scope_.missing.push_back(fmt::format("some loops of {}", who));
  }

  report::LoopReport report_of(const ThreadGroup& group, const report::BinaryNotes& binaries) const {
    report::LoopReport report{input(),  options_.algorithm, options_.order, options_.strict,
                              reading_, finding_,           group.sequence, group.nest};
    report.place_of = [&group](const loops::Loop& loop) {
      return group.meanings->place_of(loop, group.sequence.symbols);
    };
    report.text_of = [&group](uint32_t symbol) { return group.meanings->text_of(symbol); };
    report.binaries = binaries;
    report.scope = scope_;
    report.most = options_.most;
    report.threads = group.threads;
    return report;
  }
  // A document says of which thread it is, if it is of one.
  std::string input() const {
    if (options_.format == "text") return file_.name();
    return fmt::format("{}, {} of {}", file_.name(), options_.of, report::spelled_threads(groups_.front()->threads));
  }

  void write() {
    const report::BinaryNotes binaries = symbols_.binaries();
    warn_of_binaries(binaries, options_.format);
    std::vector<report::LoopReport> reports;
    for (const auto& group : groups_) reports.push_back(report_of(*group, binaries));
    report::Output out(STDOUT_FILENO);
    if (options_.format == "nest")
      write_lines(reports, out);
    else if (options_.format == "json")
      write_loops_json(reports, out);
    else if (options_.format == "dot")
      write_loops_dot(reports, out);
    else
      write_thread_loops(reports, options_.of == "sync" ? "operations" : options_.of,
                         style_of_stdout(options_.shared.color), out);
    out.flush();
  }
  // One for each thread.
  static void write_lines(const std::vector<report::LoopReport>& reports, report::Output& out) {
    std::map<ThreadId, const report::LoopReport*> by_thread;
    for (const report::LoopReport& report : reports)
      for (const ThreadId t : report.threads) by_thread[t] = &report;
    for (const auto& [thread, report] : by_thread) write_loop_line(*report, out);
  }

  const LoopsOptions& options_;
  const trace::TraceFile file_;
  symbols::Symbols symbols_;
  report::SymbolNames names_;
  paths::BasicBlocks blocks_;
  CommandWatch watch_;
  report::ScopeNote scope_;
  std::vector<std::unique_ptr<ThreadGroup>> groups_;  // in the order of their first threads
  bool interrupted_ = false;                          // loops of later threads are not looked for
  double reading_ = 0, finding_ = 0;
};

}  // namespace

loops::LoopNest find_loops(const LoopsOptions& options, const analysis::SymbolArray& text,
                           const analysis::Watch& watch) {
  if (options.algorithm == "greedy") return loops::greedy_nest(text, watch);
  const auto order = options.order == "span" ? loops::LoopOrder::kSpan : loops::LoopOrder::kBody;
  return loops::optimal_nest(text, {order, options.strict}, watch);
}

Status run_trace_loops(const LoopsOptions& options) { return TraceLoops(options).run(); }

}  // namespace cdr::cli
