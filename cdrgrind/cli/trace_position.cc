// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/trace_position.h"

#include <fmt/format.h>

#include <algorithm>

#include "cdrgrind/cli/failure.h"
#include "cdrgrind/report/common/symbol_names.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::cli {
namespace {

using trace::BlockWeight;
using trace::TracePosition;
using trace::Weight;

// The blocks that execute one of the addresses where a debugger would stop for the line.
std::vector<BlockWeight> blocks_of_line(const trace::TraceFile& file, const PlaceRequest& request,
                                        symbols::Symbols& symbols) {
  const auto stops = symbols.breakpoint_addresses(request.file, request.line);
  if (stops.empty()) {
    const auto next = symbols.next_line_with_code(request.file, request.line);
    throw Failure(kBadInput, fmt::format("{}:{}: no code of that line is known{}", request.file, request.line,
                                         next ? fmt::format("; the next line with code is {}", *next) : ""));
  }
  std::vector<BlockWeight> blocks;
  for (uint32_t id = 1; id <= file.blocks().block_count(); ++id) {
    const Superblock& sb = file.blocks().superblock_of(BlockId(id));
    uint32_t weight = 0;
    for (uint32_t i = 0; i < file.blocks().exit_of(BlockId(id)).insns_executed(); ++i)
      weight += static_cast<uint32_t>(
          std::count(stops.begin(), stops.end(), symbols::BreakpointAddress{sb.module.value, sb.insn_addr(i)}));
    if (weight > 0) blocks.push_back({BlockId(id), weight});
  }
  return blocks;
}

[[noreturn]] void fail_absent(const trace::TraceFile& file, const PlaceRequest& request, ThreadId thread,
                              const ThreadCounts& total) {
  if (total.events == 0) throw Failure(kBadInput, fmt::format("{}: there is no thread {}", file.name(), thread.value));
  if (request.sync != 0)
    throw Failure(kBadInput, fmt::format("{}: there are {} synchronisation events, and --at-sync={} was asked",
                                         file.name(), total.syncs, request.sync));
  if (request.block != 0)
    throw Failure(kBadInput, fmt::format("{}: there are {} blocks, and --at-block={} was asked", file.name(),
                                         total.blocks, request.block));
  throw Failure(kBadInput, fmt::format("{}: thread {} does not execute {}:{} {} times", file.name(), thread.value,
                                       request.file, request.line, request.execution));
}

// A frame that has not run yet gets its name from the block that it is about to run.
void name_top(TracePlace& place, BlockId next) {
  if (!place.stack.empty() && !place.stack[0].name) place.stack[0].name = next;
}

bool seek(trace::Seeker& seeker, const PlaceRequest& request, ThreadId thread, std::span<const BlockWeight> blocks,
          TracePosition& to) {
  if (request.sync != 0) return seeker.find(thread, Weight::kSyncs, request.sync - 1, to);
  if (request.block != 0) return seeker.find(thread, Weight::kBlocks, request.block - 1, to);
  return seeker.find_execution(thread, blocks, request.execution - 1, to);
}

TracePlace by_descent(trace::Seeker& seeker, const PlaceRequest& request, ThreadId thread,
                      std::span<const BlockWeight> blocks) {
  TracePosition at;
  if (!seek(seeker, request, thread, blocks, at)) fail_absent(seeker.file(), request, thread, seeker.total(thread));
  TracePlace found;
  found.index = seeker.index_of(at);
  found.before = at.before;
  const auto block = seeker.block_at(at);
  found.ip = block ? seeker.file().blocks().superblock_of(*block).addr : seeker.last_ip(at);
  found.stack = seeker.stack_at(at);
  name_top(found, block.value_or(BlockId()));
  if (!request.segment) return found;
  TracePosition behind;
  if (seeker.find(thread, Weight::kSyncs, at.before.syncs + (request.sync != 0), behind)) {
    found.end = seeker.index_of(behind);
  } else {
    seeker.find(thread, Weight::kEvents, seeker.total(thread).events - 1, behind);
    found.end = seeker.index_of(behind) + 1;
  }
  return found;
}

// Reads until the place was met, and on to the end of its segment if that is wanted.
class LinearSearch {
 public:
  LinearSearch(const trace::TraceFile& file, const PlaceRequest& request, std::span<const BlockWeight> blocks)
      : file_(file), request_(request), models_(file.blocks()), weights_(file.blocks().block_count() + 1) {
    for (const BlockWeight& b : blocks) weights_[b.block.value] = b.weight;
  }

  TracePlace run(ThreadId thread) {
    trace::Cursor cursor(file_);
    for (Event e; cursor.next(e);) {
      if (e.thread != thread || e.kind == EventKind::kTurn) continue;
      const bool sync = e.kind == EventKind::kSyncEnter || e.kind == EventKind::kSyncLeave;
      if (met_ && sync) {
        found_.end = cursor.index();
        return found_;
      }
      if (!met_ && is_it(e, sync)) meet(e, cursor.index());
      if (met_ && !request_.segment) return found_;
      if (met_) found_.end = cursor.index() + 1;
      apply(e, sync);
    }
    if (!met_) fail_absent(file_, request_, thread, counts_);
    return found_;
  }

 private:
  bool is_it(const Event& e, bool sync) const {
    if (request_.sync != 0) return sync && counts_.syncs + 1 == request_.sync;
    if (e.kind != EventKind::kBlock) return false;
    if (request_.block != 0) return counts_.blocks + 1 == request_.block;
    return executions_ + weights_[e.block.value] >= request_.execution;
  }
  void meet(const Event& e, uint64_t index) {
    met_ = true;
    found_.index = index;
    found_.before = counts_;
    found_.ip = e.kind == EventKind::kBlock ? file_.blocks().superblock_of(e.block).addr : model_.last_ip();
    const auto state = model_.state();
    size_t stacks = 0;  // handlers on two alternate stacks that interrupt each other are not followed for ever
    for (const StackModel* on = &state.stacks[state.stack]; on && ++stacks <= state.stacks.size();)
      on = add_frames(state, *on);
    name_top(found_, e.kind == EventKind::kBlock ? e.block : BlockId());
  }
  // The stack that a handler among them interrupted, null if none did: its frames come next.
  const StackModel* add_frames(const ThreadModel::State& state, const StackModel& on) {
    for (size_t i = on.frames.size(); i-- > 0;) {
      const FrameModel& f = on.frames[i];
      found_.stack.push_back({f.ip, f.name, f.sp});
      if (f.interrupted) return state.find(f.interrupted);
    }
    return nullptr;
  }
  void apply(const Event& e, bool sync) {
    ++counts_.events;
    counts_.syncs += sync;
    if (e.kind == EventKind::kBlock) {
      ++counts_.blocks;
      counts_.insns += file_.blocks().exit_of(e.block).insns_executed();
      executions_ += weights_[e.block.value];
      model_.block(models_[e.block], e.block, e.words);
    } else if (model_.is_expected(e)) {
      model_.follow_expected();
    } else {
      model_.event(e, models_);
    }
  }

  const trace::TraceFile& file_;
  const PlaceRequest& request_;
  BlockModels models_;
  ThreadModel model_;
  std::vector<uint32_t> weights_;
  ThreadCounts counts_;
  uint64_t executions_ = 0;
  bool met_ = false;
  TracePlace found_;
};

}  // namespace

TracePlace find_place(const trace::TraceFile& file, trace::Seeker* seeker, const PlaceRequest& request, ThreadId thread,
                      symbols::Symbols& symbols) {
  const auto blocks = request.line != 0 ? blocks_of_line(file, request, symbols) : std::vector<BlockWeight>();
  return seeker ? by_descent(*seeker, request, thread, blocks) : LinearSearch(file, request, blocks).run(thread);
}

void write_place(const TracePlace& place, const trace::TraceFile& file, ThreadId thread, symbols::Symbols& symbols,
                 report::Output& out) {
  report::SymbolNames names(file.modules(), symbols);
  out.put(fmt::format(
      "# thread {}, event {}; before it the thread had {} events, {} blocks, {} instructions, {} "
      "synchronisation events\n",
      thread.value, place.index, place.before.events, place.before.blocks, place.before.insns, place.before.syncs));
  uint64_t ip = place.ip;
  for (size_t i = 0; i < place.stack.size(); ++i) {
    const trace::StackFrame& f = place.stack[i];
    std::string where = "?";
    if (f.name) {
      const Superblock& sb = file.blocks().superblock_of(f.name);
      const auto line = names.line_of({sb.module, ip});
      where = report::visible(fmt::format("{} ({}:{})", names.function_of({sb.module, sb.addr}), line.file, line.line));
    }
    out.put(fmt::format("#{} {:#x} {}\n", i, ip, where));
    ip = f.call_ip;
  }
}

}  // namespace cdr::cli
