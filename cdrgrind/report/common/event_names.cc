// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/event_names.h"

#include <array>

#include "cdrgrind/base/mpi_calls.h"

namespace cdr::report {

namespace {

constexpr std::array<std::string_view, kEventKindCount> kEvents = {
    "none",          "block",         "partial",         "call",          "return",     "pop",
    "stack-switch",  "signal-enter",  "signal-leave",    "stack-pointer", "gap-begin",  "gap-end",
    "enter",         "sync-enter",    "sync-leave",      "alloc",         "free",       "resize",
    "thread-create", "thread-start",  "thread-end",      "turn",          "syscall",    "map",
    "unmap",         "module-mapped", "module-unmapped", "mark",          "hide-begin", "hide-end",
    "mpi-enter",     "mpi-words",     "mpi-leave"};

// clang-format off: a row for each group
constexpr std::array<std::string_view, kSyncOpCount> kSyncOps = {"none",
                                                                 "thread-create",
                                                                 "thread-join",
                                                                 "thread-detach",
                                                                 "thread-exit",
                                                                 "mutex-init",
                                                                 "mutex-destroy",
                                                                 "mutex-lock",
                                                                 "mutex-try-lock",
                                                                 "mutex-timed-lock",
                                                                 "mutex-unlock",
                                                                 "cond-init",
                                                                 "cond-destroy",
                                                                 "cond-wait",
                                                                 "cond-timed-wait",
                                                                 "cond-signal",
                                                                 "cond-broadcast",
                                                                 "barrier-init",
                                                                 "barrier-destroy",
                                                                 "barrier-wait",
                                                                 "sem-init",
                                                                 "sem-destroy",
                                                                 "sem-wait",
                                                                 "sem-try-wait",
                                                                 "sem-post",
                                                                 "rw-init",
                                                                 "rw-destroy",
                                                                 "rw-read-lock",
                                                                 "rw-try-read-lock",
                                                                 "rw-timed-read-lock",
                                                                 "rw-write-lock",
                                                                 "rw-try-write-lock",
                                                                 "rw-timed-write-lock",
                                                                 "rw-unlock",
                                                                 "spin-init",
                                                                 "spin-destroy",
                                                                 "spin-lock",
                                                                 "spin-try-lock",
                                                                 "spin-unlock",
                                                                 "sem-timed-wait",
                                                                 "thread-cancel",
                                                                 "once",
                                                                 "once-run",
                                                                 "guard-acquire",
                                                                 "guard-release",
                                                                 "guard-abort",
                                                                 "happens-before",
                                                                 "happens-after",
                                                                 "omp-parallel",
                                                                 "omp-implicit-task",
                                                                 "omp-barrier",
                                                                 "omp-work-begin",
                                                                 "omp-work-next",
                                                                 "omp-work-end",
                                                                 "omp-exclusive-begin",
                                                                 "omp-exclusive-end",
                                                                 "omp-task-create",
                                                                 "omp-task-data",
                                                                 "omp-task",
                                                                 "omp-task-depend",
                                                                 "omp-taskwait",
                                                                 "omp-taskgroup-begin",
                                                                 "omp-taskgroup-end",
                                                                 "omp-thread-number",
                                                                 "omp-doacross-post",
                                                                 "omp-doacross-wait",
                                                                 "omp-task-fulfil",
                                                                 "",
                                                                 "",
                                                                 "",
                                                                 "channel-send",
                                                                 "channel-receive"};
// clang-format on

// Linux on amd64, from 1.
constexpr std::string_view kSignals[] = {"HUP",  "INT",    "QUIT", "ILL",   "TRAP", "ABRT", "BUS",  "FPE",
                                         "KILL", "USR1",   "SEGV", "USR2",  "PIPE", "ALRM", "TERM", "STKFLT",
                                         "CHLD", "CONT",   "STOP", "TSTP",  "TTIN", "TTOU", "URG",  "XCPU",
                                         "XFSZ", "VTALRM", "PROF", "WINCH", "IO",   "PWR",  "SYS"};
constexpr std::string_view kChannels[] = {
    "channel",       "pipe",      "socket",          "messages",    "eventfd",
    "connection",    "signal",    "epoll",           "sent signal", "System V semaphore",
    "message queue", "file lock", "datagram address"};

constexpr std::array<std::string_view, kExitKindCount> kExits = {
    "fall-through", "branch",         "indirect-jump", "call",  "indirect-call", "return",
    "syscall",      "client-request", "yield",         "fault", "undecodable",   "other"};

constexpr std::array<std::string_view, kExitGuardCount> kGuards = {"always", "condition", "repeat", "alignment",
                                                                   "retry"};

constexpr FlagName kBlockFlags[] = {
    {kBlockFunctionEntry, "entry"},   {kBlockHidden, "hidden"},     {kBlockShim, "shim"}, {kBlockPlt, "plt"},
    {kBlockRedirected, "redirected"}, {kBlockDynamicLinker, "ldso"}};
constexpr FlagName kAccessFlags[] = {
    {kAccessGuarded, "guarded"}, {kAccessAtomic, "atomic"}, {kAccessModify, "modify"}, {kAccessLinkage, "linkage"}};
constexpr FlagName kMapFlags[] = {{kMapRead, "read"}, {kMapWrite, "write"}, {kMapExec, "exec"}, {kMapHeap, "heap"}};
constexpr FlagName kModuleFlags[] = {{kModuleDynamicLinker, "ldso"}, {kModulePreload, "preload"}};
constexpr FlagName kSyncFlags[] = {{kSyncFailed, "failed"}, {kSyncUnwound, "unwound"}};

struct Group {
  std::string_view name;
  std::initializer_list<EventKind> kinds;
};

const Group kGroups[] = {
    {"block", {EventKind::kBlock, EventKind::kPartial, EventKind::kEnter}},
    {"access", {}},
    {"call", {EventKind::kCall, EventKind::kReturn, EventKind::kPop}},
    {"stack", {EventKind::kStackSwitch, EventKind::kStackPointer}},
    {"signal", {EventKind::kSignalEnter, EventKind::kSignalLeave}},
    {"gap", {EventKind::kGapBegin, EventKind::kGapEnd}},
    {"sync", {EventKind::kSyncEnter, EventKind::kSyncLeave}},
    {"heap", {EventKind::kAlloc, EventKind::kFree, EventKind::kResize}},
    {"thread", {EventKind::kThreadCreate, EventKind::kThreadStart, EventKind::kThreadEnd, EventKind::kTurn}},
    {"syscall", {EventKind::kSyscall}},
    {"map", {EventKind::kMap, EventKind::kUnmap}},
    {"module", {EventKind::kModuleMapped, EventKind::kModuleUnmapped}},
    {"mark", {EventKind::kMark}},
    {"hide", {EventKind::kHideBegin, EventKind::kHideEnd}},
    {"mpi", {EventKind::kMpiEnter, EventKind::kMpiWords, EventKind::kMpiLeave}},
};

#define CDR_MPI_NAME(number, Name, name, kind, parameters) \
  case number:                                             \
    return "MPI_" #Name;

template <size_t N, class E>
std::string_view name_in(const std::array<std::string_view, N>& names, E value) {
  const auto i = static_cast<size_t>(value);
  return i < N ? names[i] : "unknown";
}

}  // namespace

std::string_view name_of(EventKind k) { return name_in(kEvents, k); }
std::string_view mpi_function_name(uint32_t number) {
  switch (number) {
    CDR_MPI_CALLS(CDR_MPI_NAME)
    default:
      return "unknown";
  }
}
std::string_view name_of(SyncOp op) { return name_in(kSyncOps, op); }
std::string_view name_of(ChannelKind k) {
  const auto i = static_cast<size_t>(k);
  return kChannels[i < std::size(kChannels) ? i : 0];
}
std::string signal_name(uint64_t number) {
  if (number > 0 && number <= std::size(kSignals)) return "SIG" + std::string(kSignals[number - 1]);
  return "signal " + std::to_string(number);
}
std::string_view name_of(ExitKind k) { return name_in(kExits, k); }
std::string_view name_of(ExitGuard g) { return name_in(kGuards, g); }

std::span<const FlagName> block_flag_names() { return kBlockFlags; }
std::span<const FlagName> access_flag_names() { return kAccessFlags; }
std::span<const FlagName> map_flag_names() { return kMapFlags; }
std::span<const FlagName> module_flag_names() { return kModuleFlags; }
std::span<const FlagName> sync_flag_names() { return kSyncFlags; }

EventSet all_events() { return {~uint64_t{0}, true}; }

bool add_events(EventSet& set, std::string_view name) {
  if (name == "access") return set.accesses = true;
  for (const Group& g : kGroups)
    if (g.name == name) {
      for (const EventKind k : g.kinds) set.add(k);
      return true;
    }
  for (uint8_t i = 1; i < kEventKindCount; ++i)
    if (kEvents[i] == name) {
      set.add(static_cast<EventKind>(i));
      return true;
    }
  return false;
}

std::vector<std::string> event_group_names() {
  std::vector<std::string> names;
  for (const Group& g : kGroups) names.emplace_back(g.name);
  return names;
}

}  // namespace cdr::report
