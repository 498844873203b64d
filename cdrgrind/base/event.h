// SPDX-License-Identifier: GPL-2.0-or-later
// The event stream: the contract between the recorder, the encoders, the dependence engine and every
// analysis. One stream for the process, in true order (Valgrind runs one thread at a time).
//
// Order and meaning
//  * ThreadStart(main) comes first. Every event belongs to `thread`, the thread that was running (or, for
//    ThreadStart and ThreadEnd, the one that starts or ends). When the running thread differs from the one
//    of the event before, a Turn to it comes first; so a decoder carries `thread` along.
//  * ModuleMapped(m) comes before the first block of m. A block's table entry is known before its first
//    Block, Partial or Enter event.
//  * Block: a superblock executed up to the exit that it took. Partial: a fault stopped it; `ip` is the
//    instruction that did not complete, see executed_before().
//  * Call, Return, Pop and SignalEnter/SignalLeave are exact brackets over the frames of the *present stack*
//    of the thread: Call and SignalEnter open one, Return and SignalLeave close one, Pop closes `count`.
//    They follow the block that caused them. Order after one block: StackSwitch, Pop, then Call or Return.
//      - A call with SP `sp` (after pushing): frames with frame.sp <= sp are popped first, then it opens one.
//      - A return to SP `sp`: the frames with frame.sp < sp are closed: n of them make Pop(n-1), Return; no
//        frame: no event (the block's exit kind still says that it was a return).
//      - Any other block after which SP is above frame.sp of the top: Pop of those with frame.sp < sp
//        (longjmp, unwinding).
//      - SignalEnter opens a frame with frame.sp = its SP + 8, so that the handler's return to the restorer does
//        not close it; frames with frame.sp <= that are popped first (left over by a handler that jumped out of
//        its stack). StackSwitch, Pop, SignalEnter; and SignalLeave, then StackSwitch back. SignalLeave closes
//        the newest signal frame of the present stack, after a Pop of those above it.
//    A thread's and a stack's root frame is never closed.
//  * StackSwitch: the thread goes on on another stack: its frames become the present ones. A stack seen for
//    the first time has one root frame. It may be that of another thread before, but of one at a time. A StackSwitch to
//    the present stack only tells other bounds of it. What a stack's frames hang from, docs/dependences.md says.
//  * SP of a thread is known at every instruction boundary: it starts at ThreadStart.sp and changes by the
//    blocks' SpChanges, SignalEnter.sp, SignalLeave.sp, StackPointer.sp.
//  * Frame names. A frame's function is given by blocks: the first block executed in it names it (by its
//    address); later a block with kBlockFunctionEntry renames it if the frame's block before it left by a
//    jump (is_jump). `hidden` follows the naming block's kBlockHidden.
//  * Gaps (recording off): Block and Partial are not in the stream, nor is a frame in which nothing happens but system
//    calls, mappings and modules until it ends: neither what opens it nor what closes it. All else is: frames are
//    told, outermost first, before the next other event of the thread, or before another one runs. In a gap an Enter
//    event names the top frame in place of the block, the last one that named it. GapEnd carries SP; after a gap of the
//    process a StackPointer tells that of each other thread when it runs again.
//  * SyncEnter stands before the operation, SyncLeave after it with its result; they nest per thread. One that
//    is left by an exception, a cancellation, the thread's exit or a jump has a SyncLeave with kSyncUnwound:
//    where it is unwound, or behind the Pop that closes its frame. ThreadExit has no SyncLeave.
//  * HideBegin and HideEnd take turns in a thread; its end closes the region. Between them no operation of the
//    thread is entered in the stream. Enter decides: an operation has both its events or none.
//  * Syscall stands at the end of the call, with the memory that it read and wrote.
//  * A forked child has a stream of its own, which begins as if recording had been off from the start of the process
//    to the fork (a gap), and as if only what still exists at the fork had happened. In this order:
//      - ThreadStart of the forking thread, the only one that lives on: it is thread 1 and has no creator; the
//        stack is its first one. GapBegin of the process; GapBegin of the thread if it is in a gap of its own.
//      - ModuleMapped for every module that the parent has ever named, so that ids are those of the parent's
//        trace, with ModuleUnmapped right behind for those that are gone. Map for each mapping, Alloc for each heap
//        block in use, by ascending address.
//      - The frames of the thread, outermost first: Call or SignalEnter (with the parent's sp and ip), then Enter with
//        the block that named the frame last; SyncEnter for an operation that is open, where it was entered. Its other
//        stacks with frames follow, each behind a StackSwitch: those that it left, by last use, then those that it
//        goes back to, up to where it runs. Stacks of other threads are not told: what happens there is a new stack.
//      - HideBegin, if the thread is in a hide region. GapEnd, unless the process is in a gap. The Syscall of the
//        fork, result 0, follows.
//    Superblocks, blocks and stacks are numbered anew, by first appearance.
#ifndef CDRGRIND_BASE_EVENT_H
#define CDRGRIND_BASE_EVENT_H

#include <cstdint>
#include <span>
#include <string_view>

#include "cdrgrind/base/block_table.h"
#include "cdrgrind/base/id.h"
#include "cdrgrind/base/module_table.h"
#include "cdrgrind/base/range.h"

namespace cdr {

// Values are part of the trace format.
enum class EventKind : uint8_t {
  kNone = 0,
  kBlock = 1,            // block, words
  kPartial = 2,          // block (its superblock is meant, the exit is the last), words, ip
  kCall = 3,             // sp (after the push), ip: address of the call instruction
  kReturn = 4,           // sp (after the pop)
  kPop = 5,              // count
  kStackSwitch = 6,      // stack, range (its bounds as known now), sp
  kSignalEnter = 7,      // count: signal number, ip: interrupted instruction, sp: at the handler's entry
  kSignalLeave = 8,      // sp, ip: where the thread goes on
  kStackPointer = 9,     // sp: changed by other means than those above
  kGapBegin = 10,        // gap of `thread`, or of the process if count == 0 (count 1: of the thread)
  kGapEnd = 11,          // the same, sp of the thread
  kEnter = 12,           // block: names the top frame, in a gap only
  kSyncEnter = 13,       // sync
  kSyncLeave = 14,       // sync
  kAlloc = 15,           // addr, size: a heap block begins (malloc, new, realloc that moved …)
  kFree = 16,            // addr, size
  kResize = 17,          // addr, size (old), value (new size): a realloc in place
  kThreadCreate = 18,    // child: `thread` is about to start it
  kThreadStart = 19,     // stack, range (of the stack), sp, value: pthread_t, child: its creator (0 for main)
  kThreadEnd = 20,       // -
  kTurn = 21,            // -
  kSyscall = 22,         // value: number, ip: site, result, memory
  kMap = 23,             // range, value: MapFlags; fresh memory
  kUnmap = 24,           // range
  kModuleMapped = 25,    // module
  kModuleUnmapped = 26,  // module
  kMark = 27,            // text
  kHideBegin = 28,       // -: this thread's synchronisation is not logged until
  kHideEnd = 29,         // -
  // A call of MPI (docs/mpi.md); between enter and leave the thread is in the library, or in code that that calls.
  kMpiEnter = 30,  // count: number of the function (mpi_calls.h), value: the address that the call returns to
  kMpiWords = 31,  // count: arguments or results, words: keys and values (mpi_calls.h); several add up
  kMpiLeave = 32,  // count: number of the function, result: what it returned
};
constexpr uint8_t kEventKindCount = 33;

constexpr bool is_mpi(EventKind kind) { return kind >= EventKind::kMpiEnter && kind <= EventKind::kMpiLeave; }

enum class SyncOp : uint8_t {
  kNone = 0,
  kThreadCreate = 1,  // leave: value = serial of the child
  kThreadJoin = 2,    // object = pthread_t, value = serial of the joined thread (leave; 0 unknown)
  kThreadDetach = 3,  // object = pthread_t, value = serial
  kThreadExit = 4,    // enter only
  kMutexInit = 5,
  kMutexDestroy = 6,
  kMutexLock = 7,  // of a FILE: object2 = its lock; so of the next and of kMutexUnlock
  kMutexTryLock = 8,
  kMutexTimedLock = 9,
  kMutexUnlock = 10,
  kCondInit = 11,
  kCondDestroy = 12,
  kCondWait = 13,  // object = condition, object2 = mutex
  kCondTimedWait = 14,
  kCondSignal = 15,
  kCondBroadcast = 16,
  kBarrierInit = 17,  // value = count of threads
  kBarrierDestroy = 18,
  kBarrierWait = 19,  // leave: value = 1 for the serial thread
  kSemInit = 20,      // value = initial count
  kSemDestroy = 21,
  kSemWait = 22,
  kSemTryWait = 23,
  kSemPost = 24,
  kRwInit = 25,
  kRwDestroy = 26,
  kRwReadLock = 27,
  kRwTryReadLock = 28,
  kRwTimedReadLock = 29,
  kRwWriteLock = 30,
  kRwTryWriteLock = 31,
  kRwTimedWriteLock = 32,
  kRwUnlock = 33,
  kSpinInit = 34,
  kSpinDestroy = 35,
  kSpinLock = 36,
  kSpinTryLock = 37,
  kSpinUnlock = 38,
  kSemTimedWait = 39,
  kThreadCancel = 40,  // object = pthread_t, value = serial
  kOnce = 41,          // leave: value = 1 if this call ran the routine
  kOnceRun = 42,       // inside Once, around the routine; its leave is the release
  kGuardAcquire = 43,  // leave: value = 1 if this thread must initialise
  kGuardRelease = 44,  // enter is the release, as that of GuardAbort
  kGuardAbort = 45,
  kHappensBefore = 46,  // enter and leave, nothing between, as for HappensAfter
  kHappensAfter = 47,
  // Of a parallel runtime (OpenMP), docs/openmp.md. Between enter and leave of one the thread is in the runtime, but
  // for the program's code that it calls: kImplicitTask, kTaskData, kTask.
  kParallel = 48,      // object = number of the team, object2 = its function, value = threads that were asked for,
                       // kLeague: a league of teams, each of one thread; object2 = 0: in the function that asks
  kImplicitTask = 49,  // object = team, object2 = address of its first frame, value = number of the thread in the team
  kTeamBarrier = 50,   // leave: result = 1 if it was cancelled
  kWorkBegin = 51,     // object, object2 = first iteration and end, or count of sections, value = see work_of();
                       // leave: object2, value = the thread's part, result = increment, number of the section, 1 for
                       // who executes a single, 0 if there is nothing for the thread
  kWorkNext = 52,      // leave as that of kWorkBegin
  kWorkEnd = 53,       // value = 1: no barrier; the release of a copyprivate
  kExclusiveBegin = 54,  // object = lock, value = ExclusiveKind; leave: result = 1 if it was got
  kExclusiveEnd = 55,
  kTaskCreate =
      56,          // object = its function, object2 = what the runtime copies its data from, 0: none, value = TaskFlags
  kTaskData = 57,  // inside kTaskCreate, around the copying of its data: object = number of the task, object2 = where
                   // the data are, value = their size; its leave is the release, result = a detached one's event
  kTask = 58,      // object = number of the task, object2 = address of its first frame
  kTaskDepend = 59,  // inside kTaskCreate or kTaskwait: object = address, value = DependKind; enter and leave at once
  kTaskwait = 60,
  kTaskgroupBegin = 61,
  kTaskgroupEnd = 62,
  kThreadNumber = 63,  // the program has asked which thread of the team it is; value = 1: for private copies by thread
  kDoacrossPost = 64,  // object = number of the iteration in the loop's space; enter is the release
  kDoacrossWait = 65,  // object = number of the iteration that is waited for
  kTaskFulfil = 66,    // object = the event's handle; enter is the release
  // 67 to 69 are not used.
  kChannelSend = 70,  // object: see channel_kind(); enter is the release; leave: value = bytes or messages, 0 for the
                      // end of what is sent
  kChannelReceive = 71,  // object, object2 = 1: what is received stays there; leave: value as for kChannelSend, 0 if
                         // the other side has ended
};
constexpr uint8_t kSyncOpCount = 72;

constexpr bool is_team_op(SyncOp op) { return op >= SyncOp::kParallel && op <= SyncOp::kTaskFulfil; }
// Code of the program that a parallel runtime calls.
constexpr bool is_team_callback(SyncOp op) {
  return op == SyncOp::kImplicitTask || op == SyncOp::kTaskData || op == SyncOp::kTask;
}

constexpr uint64_t kLeague = uint64_t{1} << 32;  // in the value of kParallel
constexpr bool is_channel_op(SyncOp op) { return op == SyncOp::kChannelSend || op == SyncOp::kChannelReceive; }
// Whether what a thread does between its enter and its leave is the library's.
constexpr bool is_of_library(SyncOp op) {
  const bool is_program = op == SyncOp::kOnceRun || op == SyncOp::kImplicitTask || op == SyncOp::kTask;
  return op != SyncOp::kNone && !is_program && !is_channel_op(op);
}
// What threads hand something over by, through the kernel.
enum class ChannelKind : uint8_t {
  kNone = 0,
  kPipe = 1,      // or FIFO: bytes in order
  kSocket = 2,    // one direction of a stream: bytes in order
  kMessages = 3,  // one direction of a socket of messages
  kCounter = 4,   // an eventfd: who reads gets all since the last read
  kShared = 5,    // who receives gets all that was ever sent: what was sent by whom cannot be told
  kSignal = 6,    // the action of the signal of this number: its handler gets what the last sigaction sent
  kEpoll = 7,     // what an epoll is told to watch: who waits for events gets all that was ever sent
  kSent = 8,      // a signal, see sent_signal(): who handles or awaits it gets all that was ever sent
  kUnits = 9,     // a semaphore of System V: who takes of it gets all that was ever sent
  kQueue = 10,    // a queue of messages, System V's or POSIX': who receives gets all that was ever sent
  kLock = 11,     // bytes of a file that one owner had locked: who gets a lock of them gets all that was ever sent
  kAddress = 12,  // of a socket for datagrams: who receives there gets all that was ever sent there
};
// Who receives gets all that was ever sent.
constexpr bool gives_all(ChannelKind k) {
  return k == ChannelKind::kShared || (k >= ChannelKind::kEpoll && k <= ChannelKind::kAddress);
}
constexpr unsigned kChannelKindShift = 56;
constexpr uint64_t channel_object(ChannelKind kind, uint64_t number) {
  return static_cast<uint64_t>(kind) << kChannelKindShift | number;
}
constexpr ChannelKind channel_kind(uint64_t object) { return static_cast<ChannelKind>(object >> kChannelKindShift); }
constexpr uint64_t channel_number(uint64_t object) { return object & ((uint64_t{1} << kChannelKindShift) - 1); }
// A signal sent to one thread; none: to the process.
constexpr unsigned kSignalThreadShift = 8;
constexpr uint64_t sent_signal(uint64_t signal, ThreadId to) {
  return channel_object(ChannelKind::kSent, signal | uint64_t{to.value} << kSignalThreadShift);
}
constexpr uint64_t number_of_signal(uint64_t sent) { return sent & ((1u << kSignalThreadShift) - 1); }
constexpr ThreadId receiver_of_signal(uint64_t sent) {
  return ThreadId(static_cast<uint32_t>(channel_number(sent) >> kSignalThreadShift));
}

enum class WorkKind : uint8_t { kNone = 0, kLoop = 1, kSections = 2, kSingle = 3, kCopySingle = 4 };
enum class WorkSchedule : uint8_t { kNone = 0, kStatic = 1, kDynamic = 2, kGuided = 3, kRuntime = 4 };
struct Work {
  WorkKind kind = WorkKind::kNone;
  WorkSchedule schedule = WorkSchedule::kNone;
  bool ordered = false;
  uint64_t chunk = 0;  // as the program asks for it
};
constexpr Work work_of(uint64_t value) {
  return {static_cast<WorkKind>(value & 15), static_cast<WorkSchedule>(value >> 4 & 7), (value >> 7 & 1) != 0,
          value >> 8};
}
enum class ExclusiveKind : uint8_t {
  kCritical = 0,
  kNamedCritical = 1,
  kAtomic = 2,
  kLock = 3,
  kNestLock = 4,
  kOrdered = 5,
};
enum TaskFlags : uint8_t {
  kTaskUndeferred = 1,  // its if clause is false
  kTaskFinal = 2,
  kTaskLoop = 4,     // a taskloop: any number of tasks
  kTaskNoGroup = 8,  // of a taskloop
  kTaskDetached = 16,
  kTaskOfTarget = 32,  // of a target construct with nowait: deferred outside of a team, too
};
enum class DependKind : uint8_t { kIn = 1, kOut = 2, kMutexInOutSet = 3, kInOutSet = 4 };

enum SyncFlags : uint8_t {
  kSyncFailed = 1,   // leave: the operation returned an error (value of `result`)
  kSyncUnwound = 2,  // leave: left by an exception, a cancellation or the thread's exit
};

struct Sync {
  SyncOp op = SyncOp::kNone;
  uint8_t flags = 0;
  uint64_t object = 0;
  uint64_t object2 = 0;
  uint64_t value = 0;
  int64_t result = 0;  // leave: what the function returned
  bool operator==(const Sync&) const = default;
};

enum MapFlags : uint8_t { kMapRead = 1, kMapWrite = 2, kMapExec = 4, kMapHeap = 8 /* brk */ };

struct MemorySpan {
  uint64_t addr = 0;
  uint64_t size = 0;
  bool store = false;
  bool operator==(const MemorySpan&) const = default;
};

// One event. Which members mean something stands beside each kind; the others are zero. Spans and text are
// valid during the call, or until the cursor's next step.
struct Event {
  EventKind kind = EventKind::kNone;
  ThreadId thread;
  BlockId block;
  std::span<const uint64_t> words;
  uint64_t ip = 0;
  uint64_t sp = 0;
  uint32_t count = 0;
  StackId stack;
  AddrRange range;
  ThreadId child;
  uint64_t addr = 0;
  uint64_t size = 0;
  uint64_t value = 0;
  int64_t result = 0;
  Sync sync;
  ModuleId module;
  std::span<const MemorySpan> memory;
  std::string_view text;
};

// An event of a run: a Block, or the Call or Return that follows from the Block before it. `ip` of such a Call is the
// instruction at that block's exit. Consumers that need it look at the step before: it lies there in memory.
struct RunStep {
  BlockId block;       // none: a Call or Return
  uint32_t count = 0;  // of a block's words; else EventKind
  union {
    const uint64_t* words = nullptr;
    uint64_t sp;  // of the Call or Return
  };

  EventKind kind() const { return block ? EventKind::kBlock : static_cast<EventKind>(count); }
};
// Steps of one thread, with nothing between them; the first is no Call.
using Steps = std::span<const RunStep>;

// A consumer of the stream. `modules` and `blocks` (given at construction, as a rule) are complete for every
// id that was passed on. Implementations call nothing but memory and their own output.
class EventSink {
 public:
  // The hot path, kind kBlock. `words` holds exactly exit.words values.
  virtual void block(ThreadId thread, BlockId id, std::span<const uint64_t> words) = 0;
  // All other kinds.
  virtual void event(const Event& e) = 0;

 protected:
  ~EventSink() = default;
};

// One that takes runs, too.
class RunSink : public EventSink {
 public:
  virtual void run(ThreadId thread, Steps run) = 0;

 protected:
  ~RunSink() = default;
};

// A block, as a step.
inline RunStep step_of(BlockId block, std::span<const uint64_t> words) {
  RunStep s;
  s.block = block;
  s.count = static_cast<uint32_t>(words.size());
  s.words = words.data();
  return s;
}
// Of a step that is no block.
inline Event event_of_step(const BlockTable& blocks, ThreadId thread, const RunStep& step) {
  Event e;
  e.kind = step.kind();
  e.thread = thread;
  e.sp = step.sp;
  if (e.kind == EventKind::kCall) {
    const BlockId before = (&step)[-1].block;
    e.ip = exit_addr(blocks.superblock_of(before), blocks.exit_of(before));
  }
  return e;
}

// The run's events one by one.
inline void dispatch(const BlockTable& blocks, ThreadId thread, Steps run, EventSink& to) {
  for (const RunStep& s : run)
    if (s.block)
      to.block(thread, s.block, {s.words, s.count});
    else
      to.event(event_of_step(blocks, thread, s));
}

inline void dispatch(const Event& e, EventSink& to) {
  if (e.kind == EventKind::kBlock)
    to.block(e.thread, e.block, e.words);
  else
    to.event(e);
}

}  // namespace cdr

#endif
