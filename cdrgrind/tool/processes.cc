// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/processes.h"

#include "cdrgrind/tool/files.h"

namespace cdr::tool {
namespace {

// The kernel's numbers that Valgrind's headers leave out.
constexpr UWord kSeqPacket = 5, kCloseOnExec = 02000000;
constexpr int kSocketLevel = 1;
constexpr UWord kPeek = 2, kDontWait = 0x40, kNoSignal = 0x4000, kDescriptorsCloseOnExec = 0x40000000;
constexpr UWord kWaitAll = 0x40000000;
constexpr UWord kMemfdCloseOnExec = 1;
constexpr UWord kFutexWait = 0, kFutexWake = 1, kAllSleepers = 0x7fffffff;
constexpr UWord kSetName = 15, kFileSizeSignal = 25;
constexpr Int kCoreLimit = 4;
constexpr UWord kLockOpenFile = 37;  // F_OFD_SETLK
constexpr short kWriteLock = 1;      // F_WRLCK

SysRes call(UWord number, UWord a = 0, UWord b = 0, UWord c = 0, UWord d = 0) {
  return VG_(do_syscall)(number, a, b, c, d, 0, 0, 0, 0);
}

template <class T>
UWord address(T* p) {
  return reinterpret_cast<UWord>(p);
}

// A byte that carries two descriptors.
struct Packet {
  vki_cmsghdr header = {sizeof(vki_cmsghdr) + 2 * sizeof(Int), kSocketLevel, VKI_SCM_RIGHTS};
  Int fds[2] = {kNoDescriptor, kNoDescriptor};
};

struct Message {
  Packet packet;
  char byte = 0;
  vki_iovec part = {&byte, 1};
  vki_msghdr header = {nullptr, 0, &part, 1, &packet, sizeof packet, 0};
  Message() = default;
  Message(const Message&) = delete;
};

}  // namespace

void close_descriptor(Int& fd) {
  if (fd >= 0) VG_(close)(fd);
  fd = kNoDescriptor;
}

Int fork_process(UWord signal) {
  const SysRes r = call(__NR_clone, signal);
  return sr_isError(r) ? -1 : static_cast<Int>(sr_Res(r));
}

void await_process(Int pid) {
  SysRes r;
  do r = call(__NR_wait4, static_cast<UWord>(pid), 0, kWaitAll);
  while (sr_isError(r) && sr_Err(r) == VKI_EINTR);
}

void leave_process() {
  call(__NR_exit_group, 0);
  __builtin_unreachable();
}

void kill_process(Int pid) { call(__NR_kill, static_cast<UWord>(pid), VKI_SIGKILL); }

namespace {

void ignore_signal(UWord signal) {
  vki_sigaction_toK_t action = {};
  action.ksa_handler = VKI_SIG_IGN;
  call(__NR_rt_sigaction, signal, address(&action), 0, sizeof(vki_sigset_t));
}

void close_others(std::initializer_list<Int> mine) {
  Int open[512];
  for (;;) {
    const SysRes r = VG_(open)("/proc/self/fd", VKI_O_RDONLY, 0);
    if (sr_isError(r)) return;
    const auto folder = static_cast<Int>(sr_Res(r));
    HChar entries[16384];
    size_t found = 0;
    const SysRes got = call(__NR_getdents64, static_cast<UWord>(folder), address(entries), sizeof entries);
    const UWord bytes = sr_isError(got) ? 0 : sr_Res(got);
    for (UWord at = 0; at < bytes && found < 512;) {
      const auto length = *reinterpret_cast<const UShort*>(entries + at + 16);
      const HChar* const name = entries + at + 19;
      const auto fd = static_cast<Int>(VG_(strtoll10)(name, nullptr));
      bool keep = name[0] < '0' || name[0] > '9' || fd == folder;
      for (const Int m : mine) keep |= fd == m;
      if (!keep) open[found++] = fd;
      at += length;
    }
    VG_(close)(folder);
    if (found == 0) return;
    for (size_t i = 0; i < found; ++i) VG_(close)(open[i]);
  }
}

}  // namespace

void name_process(const HChar* name) { call(__NR_prctl, kSetName, address(name)); }

void disturb_nobody(const HChar* name, std::initializer_list<Int> mine) {
  call(__NR_setsid);
  name_process(name);
  for (const UWord s :
       {UWord{VKI_SIGINT}, UWord{VKI_SIGHUP}, UWord{VKI_SIGTERM}, UWord{VKI_SIGQUIT}, UWord{VKI_SIGPIPE},
        UWord{VKI_SIGCHLD}, UWord{VKI_SIGUSR1}, UWord{VKI_SIGUSR2}, kFileSizeSignal})
    ignore_signal(s);
  const vki_rlimit none = {0, 0};
  VG_(setrlimit)(kCoreLimit, &none);
  call(__NR_chdir, address("/"));
  close_others(mine);
}

// The letter behind the name in /proc/<pid>/stat, which stands in parentheses and may hold any.
ProcessState state_of_process(Int pid, const HChar* name) {
  HChar path[64], text[512];
  VG_(sprintf)(path, "/proc/%d/stat", pid);
  read_text(path, text);
  const HChar* const begin = VG_(strchr)(text, '(');
  const HChar* const end = VG_(strrchr)(text, ')');
  const SizeT length = VG_(strlen)(name);
  const bool named = begin && end == begin + 1 + length && VG_(strncmp)(begin + 1, name, length) == 0;
  const HChar letter = named ? end[2] : 'X';
  if (letter == 'Z' || letter == 'X' || letter == 'x') return ProcessState::kGone;
  return letter == 'T' || letter == 't' ? ProcessState::kStopped : ProcessState::kAble;
}

uint64_t processor_time(Int pid) {
  constexpr UWord kProcessScheduled = 2;  // of the clocks of one process
  const auto clock = static_cast<UWord>(static_cast<Word>(~pid) << 3) | kProcessScheduled;
  struct vki_timespec t;
  if (sr_isError(call(__NR_clock_gettime, clock, address(&t)))) return 0;
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(t.tv_nsec);
}

uint32_t processors() {
  uint64_t mask[128] = {};
  const SysRes r = call(__NR_sched_getaffinity, 0, sizeof mask, address(mask));
  if (sr_isError(r)) return 1;
  uint32_t n = 0;
  for (const uint64_t word : mask) n += static_cast<uint32_t>(__builtin_popcountll(word));
  return n;
}

bool socket_pair(Int (&ends)[2]) {
  return !sr_isError(call(__NR_socketpair, VKI_AF_UNIX, kSeqPacket | kCloseOnExec, 0, address(ends)));
}

bool send_descriptors(Int socket, const Int (&fds)[2]) {
  Message m;
  m.packet.fds[0] = fds[0];
  m.packet.fds[1] = fds[1];
  return !sr_isError(call(__NR_sendmsg, static_cast<UWord>(socket), address(&m.header), kDontWait | kNoSignal));
}

bool receive_descriptors(Int socket, Int (&fds)[2]) {
  Message m;
  const SysRes r = call(__NR_recvmsg, static_cast<UWord>(socket), address(&m.header), kDescriptorsCloseOnExec);
  if (sr_isError(r) || sr_Res(r) != 1 || m.header.msg_controllen < sizeof m.packet.header + sizeof m.packet.fds)
    return false;
  fds[0] = m.packet.fds[0];
  fds[1] = m.packet.fds[1];
  return true;
}

bool peer_is_gone(Int socket) {
  char byte;
  const SysRes r =
      VG_(do_syscall)(__NR_recvfrom, static_cast<UWord>(socket), address(&byte), 1, kPeek | kDontWait, 0, 0, 0, 0);
  if (!sr_isError(r)) return sr_Res(r) == 0;
  return sr_Err(r) != VKI_EAGAIN && sr_Err(r) != VKI_EINTR;
}

bool lock_file(Int fd) {
  vki_flock lock = {};  // from 0 to the end
  lock.l_type = kWriteLock;
  const SysRes r = call(__NR_fcntl, static_cast<UWord>(fd), kLockOpenFile, address(&lock));
  return !sr_isError(r) || (sr_Err(r) != VKI_EAGAIN && sr_Err(r) != VKI_EACCES);
}

void empty_file(Int fd) { call(__NR_ftruncate, static_cast<UWord>(fd), 0); }

namespace {

uint64_t pending_signals() {
  uint64_t pending = 0;
  call(__NR_rt_sigpending, address(&pending), sizeof pending);
  return pending;
}

}  // namespace

HeldSignal::HeldSignal(UWord signal) : bit_(uint64_t{1} << (signal - 1)) {
  vki_sigset_t more = {};
  more.sig[0] = bit_;
  VG_(sigprocmask)(VKI_SIG_BLOCK, &more, &mask_);
  pending_ = (pending_signals() & bit_) != 0;
}

HeldSignal::~HeldSignal() { VG_(sigprocmask)(VKI_SIG_SETMASK, &mask_, nullptr); }

void HeldSignal::take_back() {
  if (pending_ || !(pending_signals() & bit_)) return;
  const vki_timespec now = {};
  call(__NR_rt_sigtimedwait, address(&bit_), 0, address(&now), sizeof bit_);
}

// A limit on the size of files is one on such memory too, and going beyond is a signal.
Int shared_memory(uint64_t bytes) {
  if (!within_size_limit(bytes)) return kNoDescriptor;
  const SysRes r = call(__NR_memfd_create, address("cdrgrind"), kMemfdCloseOnExec);
  if (sr_isError(r)) return kNoDescriptor;
  auto fd = static_cast<Int>(sr_Res(r));
  if (sr_isError(call(__NR_ftruncate, static_cast<UWord>(fd), bytes))) close_descriptor(fd);
  return fd;
}

void sleep_on(const uint32_t* word, uint32_t value, uint32_t milliseconds) {
  struct vki_timespec t;
  t.tv_sec = milliseconds / 1000;
  t.tv_nsec = static_cast<long>(milliseconds % 1000) * 1'000'000;
  call(__NR_futex, address(word), kFutexWait, value, address(&t));
}

void wake(const uint32_t* word) { call(__NR_futex, address(word), kFutexWake, kAllSleepers); }

}  // namespace cdr::tool
