// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/channels.h"

#include <vector>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/base/event.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/thread_switch.h"
#include "cdrgrind/tool/threads.h"

namespace cdr::tool {
namespace {

// Of Linux on amd64.
constexpr int kSocketStream = 1, kSocketTypes = 0xf;
constexpr int kUnixFamily = 1, kInternetFamily = 2, kInternet6Family = 10;
constexpr uint32_t kFileType = 0170000, kFifoType = 0010000;
constexpr UWord kAccessMode = 3;
constexpr UWord kDuplicate = 0, kDuplicateCloseOnExec = 1030;
constexpr UWord kSemaphore = 1;  // EFD_SEMAPHORE
constexpr UWord kStays = 2;      // MSG_PEEK
constexpr UWord kShutRead = 0;
constexpr int64_t kInProgress = -115;

// What is sent by a descriptor, and what is received: objects of the operations, 0 where there is none.
struct Ends {
  uint64_t sends = 0, receives = 0;
};
struct Counter {
  uint64_t object = 0, identity = 0;
};

constinit FlatMap<uint64_t, Ends> ends_by_identity;  // empty Ends: it is connecting
constinit FlatMap<uint64_t, uint64_t> numbers;       // of channels, by what they are
constinit FlatMap<uint64_t, Counter> counters;       // eventfds, by descriptor

struct OpenCall {
  SyncOp op = SyncOp::kNone;
  uint64_t object = 0;
  bool stays = false;
};
constinit std::vector<OpenCall> open_calls;  // by thread

OpenCall& open_call(::ThreadId tid) {
  if (tid >= open_calls.size()) open_calls.resize(tid + 1);
  return open_calls[tid];
}

uint64_t object_for(ChannelKind kind, uint64_t what) {
  uint64_t& number = numbers[mix64(what ^ mix64(static_cast<uint64_t>(kind)))];
  if (number == 0) number = numbers.size();
  return channel_object(kind, number);
}

// 0: no descriptor.
uint64_t identity_of(Int fd, uint32_t* mode = nullptr) {
  struct vg_stat about;
  if (VG_(fstat)(fd, &about) != 0) return 0;
  if (mode) *mode = about.mode;
  return mix64(about.ino ^ mix64(about.dev));
}

template <class T>
T read_at(UWord address) {
  const bool readable = VG_(am_is_valid_for_client)(address, sizeof(T), VKI_PROT_READ);
  return readable ? *reinterpret_cast<const T*>(address) : T();
}

// The name of a socket, or of its peer, as a number; 0: it has none.
struct SocketName {
  int family = 0;
  uint64_t hash = 0;
};
SocketName name_of(Int fd, UWord call) {
  alignas(8) unsigned char name[128] = {};
  int length = sizeof name;
  const SysRes r = VG_(do_syscall)(call, static_cast<UWord>(fd), reinterpret_cast<UWord>(name),
                                   reinterpret_cast<UWord>(&length), 0, 0, 0, 0, 0);
  constexpr int kFamilyBytes = 2;
  if (sr_isError(r) || length <= kFamilyBytes || length > static_cast<int>(sizeof name)) return {};
  SocketName out;
  out.family = name[0] | name[1] << 8;
  out.hash = 1;
  for (int i = 0; i < length; ++i) out.hash = mix64(out.hash ^ name[i]);
  return out;
}
bool is_stream(Int fd) {
  int type = 0, length = sizeof type;
  constexpr UWord kSocketLevel = 1, kTypeOption = 3;
  const SysRes r = VG_(do_syscall)(__NR_getsockopt, static_cast<UWord>(fd), kSocketLevel, kTypeOption,
                                   reinterpret_cast<UWord>(&type), reinterpret_cast<UWord>(&length), 0, 0, 0);
  return !sr_isError(r) && type == kSocketStream;
}

// --- what descriptors are ---

void add_pipe(Int fd) {
  const uint64_t identity = identity_of(fd);
  if (!identity) return;
  const uint64_t object = object_for(ChannelKind::kPipe, identity);
  ends_by_identity[identity] = {object, object};
}

void add_pair(Int a, Int b, int type) {
  const uint64_t first = identity_of(a), second = identity_of(b);
  if (!first || !second) return;
  const ChannelKind kind = type == kSocketStream ? ChannelKind::kSocket : ChannelKind::kMessages;
  const Ends ends = {object_for(kind, second), object_for(kind, first)};
  ends_by_identity[first] = ends;
  ends_by_identity[second] = {ends.receives, ends.sends};
}

// Streams of the internet are told by the names of both ends; what was sent by one socket of a listening UNIX socket
// from what was sent by another cannot be told.
Ends ends_of_connection(Int fd) {
  if (!is_stream(fd)) return {};
  const SocketName own = name_of(fd, __NR_getsockname), peer = name_of(fd, __NR_getpeername);
  if (own.family == kUnixFamily || peer.family == kUnixFamily) {
    const bool connected = peer.hash != 0;
    const uint64_t path = connected ? peer.hash : own.hash;
    if (!path) return {};
    const uint64_t to_server = object_for(ChannelKind::kShared, path),
                   to_client = object_for(ChannelKind::kShared, ~path);
    return connected ? Ends{to_server, to_client} : Ends{to_client, to_server};
  }
  if (!own.hash || !peer.hash || (own.family != kInternetFamily && own.family != kInternet6Family)) return {};
  return {object_for(ChannelKind::kSocket, mix64(own.hash) ^ peer.hash),
          object_for(ChannelKind::kSocket, mix64(peer.hash) ^ own.hash)};
}

void add_connection(Int fd) {
  const uint64_t identity = identity_of(fd);
  const Ends ends = ends_of_connection(fd);
  if (identity && ends.sends) ends_by_identity[identity] = ends;
}

void add_counter(Int fd, bool semaphore) {
  const uint64_t object = object_for(semaphore ? ChannelKind::kShared : ChannelKind::kCounter, numbers.size());
  counters[static_cast<uint64_t>(fd)] = {object, identity_of(fd)};
}

void duplicated(UWord from, int64_t to) {
  if (const Counter* const known = counters.find(from)) {
    const Counter copy = *known;
    counters[static_cast<uint64_t>(to)] = copy;
  }
}

Ends ends_of(UWord fd) {
  if (ends_by_identity.empty() && counters.empty()) return {};
  const uint64_t identity = identity_of(static_cast<Int>(fd));
  if (!identity) return {};
  if (const Counter* const c = counters.find(fd)) {
    if (c->identity == identity) return {c->object, c->object};
    counters.erase(fd);
  }
  const Ends* const known = ends_by_identity.find(identity);
  if (!known || known->sends) return known ? *known : Ends();
  add_connection(static_cast<Int>(fd));
  return *ends_by_identity.find(identity);
}

bool can_write(UWord fd) {
  constexpr UWord kGetFlags = 3, kReadOnly = 0;
  const SysRes r = VG_(do_syscall)(__NR_fcntl, fd, kGetFlags, 0, 0, 0, 0, 0, 0);
  return !sr_isError(r) && (sr_Res(r) & kAccessMode) != kReadOnly;
}

// --- what calls do ---

// Signals by which it cancels threads and changes their user.
bool is_of_c_library(UWord signal) { return signal == 32 || signal == 33; }

OpenCall send_by(UWord fd) { return {SyncOp::kChannelSend, ends_of(fd).sends}; }
OpenCall receive_by(UWord fd, UWord flags = 0) {
  return {SyncOp::kChannelReceive, ends_of(fd).receives, (flags & kStays) != 0};
}

OpenCall operation_of(UInt number, const UWord* a) {
  switch (number) {
    case __NR_write:
    case __NR_writev:
    case __NR_sendto:
    case __NR_sendmsg:
    case __NR_sendmmsg:
    case __NR_sendfile:
      return send_by(a[0]);
    case __NR_read:
    case __NR_readv:
      return receive_by(a[0]);
    case __NR_recvfrom:
    case __NR_recvmmsg:
      return receive_by(a[0], a[3]);
    case __NR_recvmsg:
      return receive_by(a[0], a[2]);
    case __NR_close: {
      // Most descriptors are none of a channel, and need not be asked how they were opened.
      const OpenCall end = send_by(a[0]);
      return end.object && can_write(a[0]) ? end : OpenCall();
    }
    case __NR_shutdown:
      return a[1] != kShutRead ? send_by(a[0]) : OpenCall();
    case __NR_rt_sigaction:
      return a[1] && !is_of_c_library(a[0]) ? OpenCall{SyncOp::kChannelSend, channel_object(ChannelKind::kSignal, a[0])}
                                            : OpenCall();
    default:
      return {};
  }
}

// Of struct mmsghdr, by what its calls return.
int64_t bytes_of_messages(UWord messages, int64_t count) {
  constexpr UWord kHeaderBytes = 64, kLengthOffset = 56;
  int64_t bytes = 0;
  for (int64_t i = 0; i < count; ++i)
    bytes += read_at<uint32_t>(messages + static_cast<UWord>(i) * kHeaderBytes + kLengthOffset);
  return bytes;
}

// How many bytes, or messages, went over.
int64_t units_of(UInt number, const UWord* a, uint64_t object, int64_t result) {
  const bool several = number == __NR_sendmmsg || number == __NR_recvmmsg;
  if (number == __NR_close || number == __NR_shutdown || number == __NR_rt_sigaction) return 0;
  if (channel_kind(object) == ChannelKind::kMessages) return several ? result : 1;
  return several ? bytes_of_messages(a[1], result) : result;
}

void leave(::ThreadId tid, OpenCall& call, uint64_t units, int64_t result) {
  const uint64_t failed = result < 0 ? kSyncFailed : 0;
  record_buffer.append(
      RecordKind::kSyncLeave, serial_of(tid),
      {static_cast<uint64_t>(call.op), call.object, call.stays, units, static_cast<uint64_t>(result), failed});
  call = OpenCall();
}

bool hides(::ThreadId tid) { return thread_extra(tid).hide_depth || thread_extra(tid).in_runtime; }

// What the call has made.
void note_made(UInt number, const UWord* a, int64_t result) {
  switch (number) {
    case __NR_pipe:
    case __NR_pipe2:
      return add_pipe(read_at<int>(a[0]));
    case __NR_socketpair:
      return add_pair(read_at<int>(a[3]), read_at<int>(a[3] + sizeof(int)), static_cast<int>(a[1]) & kSocketTypes);
    case __NR_accept:
    case __NR_accept4:
      return add_connection(static_cast<Int>(result));
    case __NR_connect:
      ends_by_identity[identity_of(static_cast<Int>(a[0]))] = {};
      return;
    case __NR_eventfd:
      return add_counter(static_cast<Int>(result), false);
    case __NR_eventfd2:
      return add_counter(static_cast<Int>(result), a[1] & kSemaphore);
    case __NR_dup:
    case __NR_dup2:
    case __NR_dup3:
      return duplicated(a[0], result);
    case __NR_fcntl:
      if (a[1] == kDuplicate || a[1] == kDuplicateCloseOnExec) duplicated(a[0], result);
      return;
    case __NR_open:
    case __NR_openat: {
      uint32_t mode = 0;
      if (identity_of(static_cast<Int>(result), &mode) && (mode & kFileType) == kFifoType)
        add_pipe(static_cast<Int>(result));
      return;
    }
    default:
      return;
  }
}

}  // namespace

void channel_call_begins(::ThreadId tid, UInt number, const UWord* args) {
  OpenCall& call = open_call(tid);
  // A call that a signal ended without a word.
  if (call.object) leave(tid, call, 0, -VKI_EINTR);
  call = operation_of(number, args);
  if (!call.object || hides(tid)) return void(call = OpenCall());
  settle_thread_state();
  record_buffer.append(RecordKind::kSyncEnter, serial_of(tid),
                       {static_cast<uint64_t>(call.op), call.object, call.stays, 0});
  test_switch(tid, SwitchAt::kEnter);
}

void channel_call_returns(::ThreadId tid) {
  if (open_call(tid).object) test_switch(tid, SwitchAt::kLeave);
}

void channel_call_ends(::ThreadId tid, UInt number, const UWord* args, int64_t result) {
  if (result >= 0 || (number == __NR_connect && result == kInProgress)) note_made(number, args, result);
  OpenCall& call = open_call(tid);
  if (!call.object) return;
  const int64_t units = result < 0 ? 0 : units_of(number, args, call.object, result);
  leave(tid, call, static_cast<uint64_t>(units), result);
}

bool sends_by_channel(::ThreadId tid) { return open_call(tid).op == SyncOp::kChannelSend; }

void forget_other_channel_calls(::ThreadId tid) {
  for (size_t other = 0; other < open_calls.size(); ++other)
    if (other != tid) open_calls[other] = OpenCall();
}

}  // namespace cdr::tool
