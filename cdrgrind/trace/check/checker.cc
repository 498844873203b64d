// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/check/checker.h"

#include <algorithm>
#include <cassert>
#include <memory>

#include "cdrgrind/trace/check/check_blocks.h"
#include "cdrgrind/trace/check/check_dataflow.h"
#include "cdrgrind/trace/check/check_epochs.h"
#include "cdrgrind/trace/check/check_frames.h"
#include "cdrgrind/trace/check/check_memory.h"
#include "cdrgrind/trace/check/check_mpi.h"
#include "cdrgrind/trace/check/check_report.h"
#include "cdrgrind/trace/check/check_strands.h"
#include "cdrgrind/trace/check/check_tables.h"
#include "cdrgrind/trace/check/check_threads.h"
#include "cdrgrind/trace/check/check_totals.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::trace {
namespace {

constexpr Invariant kInvariants[] = {
    // tables
    {"insns-ascending", "instructions ascend without overlap inside the superblock's code"},
    {"prefixes-monotone", "exits are in order, and each counts what stands before it"},
    {"last-exit-always", "the last exit is the unconditional one, and only it"},
    {"slots-in-order", "slots are numbered by first access, none is left out"},
    {"guarded-slot-own", "a guarded access has a slot of its own and constant 0"},
    {"access-has-width", "an access touches at least one byte"},
    {"shim-without-accesses", "shim blocks have no accesses"},
    {"module-text-contains-block", "a superblock lies in the text of its module"},
    {"flow-from-earlier-loads", "what a summary puts out comes from loads that stand before it"},
    {"flow-writes-ascending", "the writes before an exit ascend without overlap"},
    {"flow-of-all-superblocks", "all superblocks of a complete trace have a summary, or none has"},
    // threads, turns, gaps, synchronisation
    {"thread-starts-first", "the first event is the start of thread 1"},
    {"forked-begins-in-gap", "a forked child tells what it inherits in a gap of the process"},
    {"thread-starts-once", "a thread starts once, before its other events"},
    {"thread-created-by-creator", "a thread's creator has announced it"},
    {"thread-ends-once", "a thread ends once"},
    {"no-event-after-end", "a thread that has ended has no events"},
    {"turn-before-thread-change", "the running thread changes by a Turn"},
    {"turn-changes-thread", "a Turn goes to another thread"},
    {"stack-one-thread", "a stack is used by one thread at a time"},
    {"gaps-alternate", "gaps of one scope begin and end in turn"},
    {"gap-has-no-blocks", "no Block or Partial in a gap"},
    {"enter-only-in-gap", "Enter stands in gaps only"},
    {"sync-nesting",
     "the enter and leave events of a thread are brackets of one operation; only a signal, code of "
     "the program inside the operation, or what unwinds it, nests them"},
    {"hides-alternate", "hide regions of a thread begin and end in turn"},
    {"no-sync-hidden", "no operation but those of a parallel runtime is entered in a hide region"},
    {"strands-in-runtime", "implicit tasks, tasks and their data begin where a thread is in the parallel runtime"},
    {"team-open", "a team begins once, and its implicit tasks begin while its region is open"},
    {"barriers-balance", "the implicit tasks of a team arrive at as many barriers, unless it is cancelled"},
    {"task-begins-once", "a task is created once, and begins once, after that"},
    {"mpi-nesting", "calls of MPI of a thread are brackets, one after the other, and what they tell stands inside"},
    {"mpi-words-whole", "what a call of MPI tells are keys, each with as many values as it says"},
    // blocks
    {"ids-in-first-appearance-order", "ids are serial numbers by first appearance in the stream"},
    {"module-before-block", "a block's module is mapped"},
    {"module-mapped-once", "a module is mapped once and unmapped at most once"},
    {"words-match-exit", "a block has the words that its exit says"},
    {"partial-names-last-exit", "a Partial names the superblock's last exit"},
    {"partial-ip-in-block", "a Partial stops at an instruction of its superblock"},
    {"jump-target-reached", "the next block of the thread is where a constant target says"},
    {"syscall-after-syscall-exit",
     "a Syscall follows a block that left by one, at its instruction, and such a block has one"},
    // frames
    {"brackets-balanced", "no root frame is closed; SignalLeave closes a signal's frame"},
    {"call-after-call-exit", "a Call follows a block with a call exit, and such a block has one"},
    {"return-after-return-exit", "a Return follows a block with a return exit that ends a frame"},
    {"pop-count-exact", "Pop closes just the frames that SP, or a signal's, has left"},
    {"call-sp-below-frames", "a frame's SP is below those of its callers"},
    {"call-ip-at-exit", "a Call's ip is the instruction at the exit"},
    {"call-pushes-at-sp", "a call stores the address it returns to where SP then points"},
    {"sp-tracks", "SP of calls, returns and stack switches is the one that the blocks lead to"},
    {"sp-told-after-gap", "after a gap of the process a thread's SP is told before its first block"},
    // memory
    {"alloc-not-overlapping", "heap blocks in use do not overlap"},
    {"free-was-allocated", "what is freed or resized was allocated, with that size"},
    {"ranges-not-empty", "a mapping is not empty"},
    // the end
    {"totals-as-counted", "the totals in END are those of the events"},
    // epochs
    {"epoch-begins-as-left", "an epoch of a compact trace begins with its threads as the events before it left them"},
};

}  // namespace

std::span<const Invariant> invariants() { return kInvariants; }

void CheckReport::add(std::string_view invariant, uint64_t event, std::string seen) {
  assert(std::any_of(std::begin(kInvariants), std::end(kInvariants),
                     [&](const Invariant& i) { return i.name == invariant; }));
  ++result_.violations;
  if (counts_[invariant]++ < examples_each_) result_.examples.push_back({invariant, event, std::move(seen)});
}

CheckResult check(const TraceFile& file, const std::function<bool(uint64_t event)>& goes_on) {
  constexpr size_t kExamplesEach = 10;
  CheckReport report(kExamplesEach);
  check_tables(file.modules(), file.blocks(), report);
  check_dataflow(file, report);
  std::vector<std::unique_ptr<StreamCheck>> checks;
  checks.push_back(std::make_unique<CheckThreads>(file.run().parent_pid != 0, report));
  checks.push_back(std::make_unique<CheckStrands>(file.run().parent_pid != 0, report));
  checks.push_back(std::make_unique<CheckMpi>(file.run().parent_pid != 0, report));
  checks.push_back(std::make_unique<CheckBlocks>(file.blocks(), report));
  checks.push_back(std::make_unique<CheckFrames>(file.blocks(), report));
  checks.push_back(std::make_unique<CheckMemory>(report));
  CheckTotals totals(file.blocks());
  if (!file.epochs().empty()) checks.push_back(std::make_unique<CheckEpochs>(file, report));

  Replay replay(file.blocks());
  Cursor cursor(file, EventDecoder::Words::kAny);
  BlockId before;  // of the event before; none: it is no block
  ThreadId thread;
  for (Event e; cursor.next(e);) {
    if (!goes_on(cursor.index())) return std::move(report.result());
    const Sight sight{e, cursor.index(), replay};
    const uint64_t violations = report.result().violations;
    for (const auto& c : checks) c->see(sight);
    totals.see(sight);
    replay.apply(e);
    ++report.result().events;
    const BlockId block = e.kind == EventKind::kBlock ? e.block : BlockId();
    const bool again = block && block == before && e.thread == thread && report.result().violations == violations;
    before = block;
    thread = e.thread;
    const uint64_t times = again ? cursor.repeats() : 0;
    if (times == 0 || !all_accesses_happen(e, file.blocks())) continue;
    for (const auto& c : checks) c->again(sight, times);
    totals.again(sight, times);
    report.result().events += times;
    cursor.pass(times);
  }
  if (file.end()) totals.compare(*file.end(), report);
  check_indices(file);
  return std::move(report.result());
}

}  // namespace cdr::trace
