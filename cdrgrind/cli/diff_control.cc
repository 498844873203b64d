// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/diff_control.h"

#include <algorithm>

#include "cdrgrind/analysis/diff/turn_order.h"
#include "cdrgrind/analysis/events/program_modules.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/progress_line.h"
#include "cdrgrind/cli/trace_position.h"
#include "cdrgrind/report/diff/path_marks.h"

namespace cdr::cli {
namespace {

using diff::BlockMarks;
using diff::ThreadPaths;
using report::DiffReport;
using report::PathStep;
using report::SourcePlace;

std::string_view executable_of(const trace::TraceFile& file) {
  const Module* const m = analysis::executable_of(file.modules());
  return m ? m->path : std::string_view();
}

std::multiset<std::string_view> files_in_scope(const DiffSide& side) {
  std::multiset<std::string_view> files;
  for (const Module& m : side.file.modules())
    if (side.scope.has(m.id)) files.insert(diff::identity_of(m));
  return files;
}

std::vector<std::string> compilers_of(DiffSide& side) {
  std::set<std::string> all;
  for (const Module& m : side.file.modules())
    if (side.scope.has(m.id))
      for (std::string& c : side.symbols.compilers(m.id.value)) all.insert(std::move(c));
  return {all.begin(), all.end()};
}

// Superblocks of the program's own code.
std::vector<bool> own_superblocks(DiffSide& side) {
  const BlockTable& blocks = side.file.blocks();
  std::vector<bool> own(blocks.superblock_count() + 1);
  for (uint32_t i = 1; i < own.size(); ++i) {
    const Superblock& sb = blocks.superblock(SuperblockId(i));
    own[i] = side.own.has(sb, {sb.module, sb.addr});
  }
  return own;
}

// What paths are compared by.
struct SideMarks {
  BlockMarks marks;
  std::optional<report::CallMarks> calls;  // none: by code
};

// Steps as people know them.
class StepNames {
 public:
  StepNames(DiffSide& side, const SideMarks& marks, const ThreadPaths& totals)
      : side_(side), marks_(marks), totals_(totals) {}

  // The last step that both have.
  PathStep last(const diff::PathPoint& point) {
    PathStep step;
    step.block = point.block;
    const Superblock& sb = superblock(point);
    step.enters = enters(point);
    step.at = place({sb.module, step.enters ? sb.addr : exit_addr(sb, exit(point))});
    return step;
  }
  // The first that is another. Of two blocks that begin alike the first `shared` instructions are the same.
  PathStep next(const diff::PathPoint& point, ThreadId thread, uint32_t shared) {
    PathStep step;
    step.block = point.block;
    const Superblock& sb = superblock(point);
    step.enters = enters(point);
    if (shared > 0) step.jumps = jumps(point, shared);
    TracePlace found = place_of(point.block, thread);
    step_event_ = found.index;
    add_stack(found, step);
    CodeAddr at = {sb.module, sb.addr};
    if (marks_.calls && !step.enters) at.addr = exit_addr(sb, exit(point));
    if (shared > 0 && exit(point).insns > shared) {
      at.addr = sb.insn_addr(shared);
    } else if (shared > 0 && point.block + 1 < blocks_of(thread)) {
      found = place_of(point.block + 1, thread);
      at.addr = found.ip;
      if (!found.stack.empty() && found.stack[0].name)
        at.module = side_.file.blocks().superblock_of(found.stack[0].name).module;
    }
    step.at = place(at);
    return step;
  }
  // Whether control, behind the first `shared` instructions of the block, goes elsewhere than to the next one.
  bool jumps(const diff::PathPoint& point, uint32_t shared) const {
    const Superblock& sb = superblock(point);
    const uint64_t behind = sb.insn_addr(shared - 1) + sb.insns[shared - 1].length;
    return (exit(point).insns > shared ? sb.insn_addr(shared) : exit(point).target) != behind;
  }
  // Where two blocks that begin alike part.
  PathStep branch(const diff::PathPoint& point, uint32_t shared) {
    PathStep step;
    step.block = point.block;
    const Superblock& sb = superblock(point);
    step.at = place({sb.module, sb.insn_addr(shared - 1)});
    return step;
  }
  const Exit& exit(const diff::PathPoint& point) const { return side_.file.blocks().exit_of(point.id); }
  // In its module's file.
  uint64_t offset(const diff::PathPoint& point) const {
    const Superblock& sb = superblock(point);
    return sb.addr - (sb.module ? side_.file.modules()[sb.module].bias : 0);
  }
  // Index of the event of the step that was asked for last.
  uint64_t event() const { return step_event_; }
  // What was read of the trace to find places: some ten MB.
  void forget_places() { seeker_.reset(); }

 private:
  const Superblock& superblock(const diff::PathPoint& point) const {
    return side_.file.blocks().superblock_of(point.id);
  }
  bool enters(const diff::PathPoint& point) const {
    return marks_.calls && report::enters(side_.file.blocks(), point.id, point.mark, *marks_.calls);
  }
  uint64_t blocks_of(ThreadId thread) const { return totals_.total(thread).blocks; }
  TracePlace place_of(uint64_t block, ThreadId thread) {
    PlaceRequest request;
    request.block = block + 1;
    if (!seeker_ && !side_.file.epochs().empty()) seeker_.emplace(side_.file, 1);
    return find_place(side_.file, seeker_ ? &*seeker_ : nullptr, request, thread, side_.symbols);
  }
  SourcePlace place(CodeAddr at) {
    const analysis::LineRef line = side_.names.line_of(at);
    return {line.file, line.line, side_.names.function_of(at)};
  }
  void add_stack(const TracePlace& found, PathStep& to) {
    for (size_t i = 0; i + 1 < found.stack.size(); ++i) {
      const trace::StackFrame& caller = found.stack[i + 1];
      if (!caller.name || found.stack[i].call_ip == 0) continue;
      const ModuleId module = side_.file.blocks().superblock_of(caller.name).module;
      const SourcePlace at = place({module, found.stack[i].call_ip});
      if (side_.scope.has(module) && at.line != 0) to.stack.push_back(at);
    }
  }

  DiffSide& side_;
  const SideMarks& marks_;
  const ThreadPaths& totals_;
  std::optional<trace::Seeker> seeker_;
  uint64_t step_event_ = 0;
};

// How many instructions two different blocks have in common, if they begin at one place.
uint32_t shared_insns(const StepNames& before, const StepNames& after, const diff::Divergence& d) {
  if (!d.old_next || !d.new_next || before.offset(*d.old_next) != after.offset(*d.new_next)) return 0;
  return std::min(before.exit(*d.old_next).insns, after.exit(*d.new_next).insns);
}

void add_divergences(StepNames& before, StepNames& after, const std::vector<diff::Divergence>& found,
                     const std::optional<diff::OtherTurn>& other, bool by_code, DiffReport& to) {
  const auto shared = [&](const diff::Divergence& d) { return by_code ? shared_insns(before, after, d) : 0; };
  const size_t first = to.divergences.size();
  for (const diff::Divergence& d : found) {
    report::PathDivergence& row = to.divergences.emplace_back();
    row.thread = d.thread.value;
    row.equal = d.marks;
    if (d.old_last) row.old_last = before.last(*d.old_last);
    if (d.new_last) row.new_last = after.last(*d.new_last);
    if (const uint32_t insns = shared(d)) {
      row.old_last = before.branch(*d.old_next, insns);
      row.new_last = after.branch(*d.new_next, insns);
    }
  }
  // One trace at a time.
  auto row = to.divergences.begin() + static_cast<ptrdiff_t>(first);
  for (const diff::Divergence& d : found) {
    if (d.old_next) row->old_next = before.next(*d.old_next, d.thread, shared(d));
    row++->schedule |= d.old_next && other && before.event() > other->old_event;
  }
  before.forget_places();
  row = to.divergences.begin() + static_cast<ptrdiff_t>(first);
  for (const diff::Divergence& d : found) {
    if (d.new_next) row->new_next = after.next(*d.new_next, d.thread, shared(d));
    row->schedule |= d.new_next && other && after.event() > other->new_event;
    if (row->old_next && row->new_next && row->old_next->jumps == row->new_next->jumps)
      row->old_next->jumps = row->new_next->jumps = std::nullopt;  // to two places
    ++row;
  }
}

// A run, what its paths are compared by, and these.
struct SidePaths {
  DiffSide& side;
  SideMarks marks;
  ThreadPaths paths{side.file, marks.marks};
};

void compare_paths(SidePaths& before, SidePaths& after, unsigned jobs, DiffReport& to) {
  ProgressLine line;
  const std::vector<diff::Divergence> found = find_divergences(before.paths, after.paths, jobs, line.progress());
  line.clear();
  if (found.empty()) return;
  StepNames old_names(before.side, before.marks, before.paths), new_names(after.side, after.marks, after.paths);
  add_divergences(old_names, new_names, found, diff::first_other_turn(before.side.file, after.side.file),
                  !before.marks.calls, to);
}

struct Counted {
  report::ExecutedCode before, after;
};

std::unique_ptr<report::SourceMatch> match_sources(DiffSide& before, DiffSide& after, const Counted& code,
                                                   DiffReport& to) {
  auto match = std::make_unique<report::SourceMatch>(before.symbols, report::files_of(code.before), after.symbols,
                                                     report::files_of(code.after));
  match->add_modules(executable_of(before.file), executable_of(after.file));
  if (!to.same_binary)
    for (const std::string_view file : match->lost()) to.lost_sources.emplace_back(file);
  return match;
}

Counted named(DiffSide& before, const ThreadPaths& old_paths, DiffSide& after, const ThreadPaths& new_paths) {
  return {executed_code(before.file.blocks(), old_paths.executed(), before.own, before.names),
          executed_code(after.file.blocks(), new_paths.executed(), after.own, after.names)};
}

void keep_wanted(const ControlOptions& options, DiffReport& to) {
  if (!options.counts) to.counts.clear();
  if (options.paths) return;
  to.only_old.clear();
  to.only_new.clear();
}

void read_rest(ThreadPaths& before, ThreadPaths& after, size_t first, unsigned jobs) {
  ProgressLine line;
  before.read(first, before.parts(), jobs, line.progress());
  after.read(first, after.parts(), jobs, line.progress());
  line.clear();
}

// By code: how often blocks are executed, and paths, in one pass.
std::unique_ptr<report::SourceMatch> compare_code_paths(DiffSide& before, DiffSide& after,
                                                        const ControlOptions& options, DiffReport& to) {
  const auto marks_of = [](DiffSide& side) {
    return SideMarks{diff::marks_of_code(side.file.blocks(), side.file.modules(), own_superblocks(side)), {}};
  };
  SidePaths a{before, marks_of(before)}, b{after, marks_of(after)};
  const size_t equal = diff::equal_parts(before.file, after.file);
  a.paths.read(0, equal, options.jobs, ProgressLine().progress());
  b.paths.take_over(a.paths);
  read_rest(a.paths, b.paths, equal, options.jobs);
  const Counted code = named(before, a.paths, after, b.paths);
  auto match = match_sources(before, after, code, to);
  compare_code(code.before, code.after, *match, to);
  if (options.paths) compare_paths(a, b, options.jobs, to);
  return match;
}

// By names: which functions are inlined must be known before.
std::unique_ptr<report::SourceMatch> compare_calls(DiffSide& before, DiffSide& after, const ControlOptions& options,
                                                   DiffReport& to) {
  const BlockMarks old_none(before.file.blocks().block_count()), new_none(after.file.blocks().block_count());
  ThreadPaths old_counts(before.file, old_none), new_counts(after.file, new_none);
  read_rest(old_counts, new_counts, 0, options.jobs);
  const Counted code = named(before, old_counts, after, new_counts);
  auto match = match_sources(before, after, code, to);
  compare_code(code.before, code.after, *match, to);
  if (!options.paths) return match;
  std::set<std::string_view> inlined;
  add_inlined(code.before, inlined);
  add_inlined(code.after, inlined);
  const auto marks_of = [&](DiffSide& side, bool old_run) {
    const report::CallMarks with = {side.own, side.names, inlined, *match, old_run, to.same_build};
    return SideMarks{marks_of_calls(side.file.blocks(), with), with};
  };
  SidePaths a{before, marks_of(before, true)}, b{after, marks_of(after, false)};
  read_rest(a.paths, b.paths, 0, options.jobs);
  compare_paths(a, b, options.jobs, to);
  return match;
}

}  // namespace

DiffSide::DiffSide(const trace::TraceFile& trace, const symbols::SymbolOptions& options,
                   const std::vector<std::string>& program, bool all_modules)
    : file(trace),
      symbols(symbols_of(trace, options)),
      scope(trace.modules(), all_modules ? std::vector<std::string>{"*"} : program),
      names(trace.modules(), symbols),
      own(trace.blocks(), {scope, all_modules}, names) {}

void compare_builds(DiffSide& before, DiffSide& after, DiffReport& to) {
  to.same_binary = files_in_scope(before) == files_in_scope(after);
  to.before.compilers = compilers_of(before);
  to.after.compilers = compilers_of(after);
  to.same_build = to.same_binary || to.before.compilers == to.after.compilers;
}

std::unique_ptr<report::SourceMatch> compare_control(DiffSide& before, DiffSide& after, const ControlOptions& options,
                                                     DiffReport& to) {
  auto match =
      to.same_binary ? compare_code_paths(before, after, options, to) : compare_calls(before, after, options, to);
  keep_wanted(options, to);
  return match;
}

}  // namespace cdr::cli
