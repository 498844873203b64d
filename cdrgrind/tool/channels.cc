// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/channels.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/base/event.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/tool/listeners.h"
#include "cdrgrind/tool/locked_files.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/thread_switch.h"
#include "cdrgrind/tool/threads.h"

namespace cdr::tool {
namespace {

// Of Linux on amd64.
constexpr int kSocketStream = 1, kSocketDatagram = 2, kSocketPackets = 5, kSocketTypes = 0xf;
constexpr uint32_t kFileType = 0170000, kFifoType = 0010000;
constexpr UWord kAccessMode = 3;
constexpr UWord kDuplicate = 0, kDuplicateCloseOnExec = 1030;
constexpr UWord kSemaphore = 1;  // EFD_SEMAPHORE
constexpr UWord kStays = 2;      // MSG_PEEK
constexpr UWord kShutRead = 0;
constexpr int64_t kInProgress = -115;
constexpr UWord kAdd = 1, kModify = 3;                                   // EPOLL_CTL_ADD, _MOD
constexpr uint32_t kReadable = 1, kHungUp = 0x10, kPeerHungUp = 0x2000;  // of poll and epoll
constexpr UInt kEpollPwait2 = 441;                                       // Valgrind 3.19 has no name for it

// What is sent by a descriptor, and what is received: objects of the operations, 0 where there is none.
struct Ends {
  uint64_t sends = 0, receives = 0;
};
struct Numbered {
  uint64_t object = 0, identity = 0;
};

constinit FlatMap<uint64_t, Ends> ends_by_identity;        // empty Ends: it is connecting
constinit FlatMap<uint64_t, uint64_t> numbers;             // of channels, by what they are
constinit FlatMap<WordPair, UWord, WordPairHash> watched;  // descriptors, by an epoll's object and what it says of them
constinit FlatMap<uint64_t, bool> sent_signals;            // that anybody has sent
constinit FlatMap<uint64_t, uint32_t> created;             // threads, by the kernel's number
constinit FlatMap<uint64_t, Numbered> numbered;            // eventfds, epolls, signalfds, by descriptor
constinit bool has_datagram_sockets = false;

struct [[gnu::packed]] EpollEvent {
  uint32_t events;
  uint64_t data;
};

struct OpenCall {
  SyncOp op = SyncOp::kNone;
  uint64_t object = 0;
  bool stays = false;
  bool by_descriptor = false;       // of a channel that has bytes or messages
  std::vector<uint64_t> also = {};  // objects to which it gives, too
};
constinit std::vector<OpenCall> open_calls;  // by thread
// Of locks of files, by the call at hand: objects of what it gives before it gets anything, and of what it gets
// besides.
constinit std::vector<uint64_t> given_first, got_last;

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
  T value = T();
  if (readable) __builtin_memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

// The name of a socket, or of its peer; empty: it has none.
struct NameBytes {
  alignas(8) char bytes[128] = {};
  size_t length = 0;
  std::string_view text() const { return {bytes, length}; }
};
NameBytes bytes_of_name(Int fd, UWord call) {
  NameBytes name;
  int length = sizeof name.bytes;
  const SysRes r = VG_(do_syscall)(call, static_cast<UWord>(fd), reinterpret_cast<UWord>(name.bytes),
                                   reinterpret_cast<UWord>(&length), 0, 0, 0, 0, 0);
  constexpr int kFamilyBytes = 2;
  const bool known = !sr_isError(r) && length > kFamilyBytes && length <= static_cast<int>(sizeof name.bytes);
  name.length = known ? static_cast<size_t>(length) : 0;
  return name;
}

// The same as a number; 0: it has none.
struct SocketName {
  int family = 0;
  uint64_t hash = 0;
};
SocketName name_of(Int fd, UWord call) {
  const NameBytes name = bytes_of_name(fd, call);
  if (!name.length) return {};
  SocketName out;
  out.family = static_cast<unsigned char>(name.bytes[0]) | static_cast<unsigned char>(name.bytes[1]) << 8;
  out.hash = 1;
  for (const char c : name.text()) out.hash = mix64(out.hash ^ static_cast<unsigned char>(c));
  return out;
}
// 0: no socket.
int socket_type(Int fd) {
  int type = 0, length = sizeof type;
  constexpr UWord kSocketLevel = 1, kTypeOption = 3;
  const SysRes r = VG_(do_syscall)(__NR_getsockopt, static_cast<UWord>(fd), kSocketLevel, kTypeOption,
                                   reinterpret_cast<UWord>(&type), reinterpret_cast<UWord>(&length), 0, 0, 0);
  return sr_isError(r) ? 0 : type;
}
bool has_connections(Int fd) {
  const int type = socket_type(fd);
  return type == kSocketStream || type == kSocketPackets;
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
  if (!has_connections(fd)) return {};
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

// They share an inode.
void add_numbered(Int fd, ChannelKind kind) {
  numbered[static_cast<uint64_t>(fd)] = {object_for(kind, numbers.size()), identity_of(fd)};
}

void duplicated(UWord from, int64_t to) {
  descriptor_copied(from, static_cast<UWord>(to));
  const Numbered* const known = numbered.find(from);
  if (!known) return void(numbered.erase(static_cast<uint64_t>(to)));
  const Numbered copy = *known;
  numbered[static_cast<uint64_t>(to)] = copy;
}

void add_listener(Int fd) {
  const uint64_t identity = identity_of(fd);
  if (identity) note_listener(Listens::kForConnections, identity, bytes_of_name(fd, __NR_getsockname).text());
}

// A socket for datagrams gets its name by bind, by the first that it sends, or by connect.
struct Socket {
  Int fd = 0;
  uint64_t identity = 0;
};
constinit std::vector<Socket> without_name;

void add_datagram_socket(Int fd, UWord family, UWord type) {
  const bool known = family == kUnixFamily || family == kInternetFamily || family == kInternet6Family;
  if (!known || (type & kSocketTypes) != kSocketDatagram) return;
  const Socket s = {fd, identity_of(fd)};
  if (!s.identity) return;
  has_datagram_sockets = true;
  note_listener(Listens::kForDatagrams, s.identity, {});
  without_name.push_back(s);
}

void note_name(Int fd) {
  const uint64_t identity = identity_of(fd);
  if (!identity || socket_type(fd) != kSocketDatagram) return;
  has_datagram_sockets = true;
  if (note_listener(Listens::kForDatagrams, identity, bytes_of_name(fd, __NR_getsockname).text()))
    std::erase_if(without_name, [&](const Socket& s) { return s.identity == identity; });
}

// The call that gives one may not have returned.
void note_new_names() {
  std::erase_if(without_name, [](const Socket& s) {
    return identity_of(s.fd) != s.identity ||
           note_listener(Listens::kForDatagrams, s.identity, bytes_of_name(s.fd, __NR_getsockname).text());
  });
}

Ends ends_of(UWord fd) {
  if (ends_by_identity.empty() && numbered.empty()) return {};
  const uint64_t identity = identity_of(static_cast<Int>(fd));
  if (!identity) return {};
  if (const Numbered* const n = numbered.find(fd)) {
    if (n->identity == identity) return {n->object, n->object};
    numbered.erase(fd);
  }
  const Ends* const known = ends_by_identity.find(identity);
  if (!known || known->sends) return known ? *known : Ends();
  add_connection(static_cast<Int>(fd));
  return *ends_by_identity.find(identity);
}

// Of that kind only; 0: none.
uint64_t numbered_at(UWord fd, ChannelKind kind) {
  if (!numbered.find(fd)) return 0;
  const uint64_t object = ends_of(fd).receives;
  return channel_kind(object) == kind ? object : 0;
}
// Whether it is by writing and reading that something is handed over.
bool is_written(uint64_t object) {
  return channel_kind(object) != ChannelKind::kEpoll && channel_kind(object) != ChannelKind::kSent;
}

uint64_t object_of_listener(uint64_t identity) {
  return identity ? object_for(ChannelKind::kShared, mix64(identity)) : 0;
}
// Of connections to that socket.
uint64_t accepts(UWord fd) {
  const uint64_t identity = identity_of(static_cast<Int>(fd));
  return object_of_listener(is_listener(Listens::kForConnections, identity) ? identity : 0);
}
std::string_view name_at(UWord name, UWord length) {
  constexpr UWord kLongest = 128;
  if (length > kLongest || !VG_(am_is_valid_for_client)(name, length, VKI_PROT_READ)) return {};
  return {reinterpret_cast<const char*>(name), length};
}
using Objects = std::vector<uint64_t>;

Objects connects_to(UWord name, UWord length) {
  Objects to;
  for (const uint64_t identity : listeners_at(Listens::kForConnections, name_at(name, length)))
    to.push_back(object_of_listener(identity));
  return to;
}

// Datagrams, by the sockets that may get them: those of the name, or of the socket's peer.
uint64_t object_of_address(uint64_t identity) { return object_for(ChannelKind::kAddress, identity); }
void sends_to(UWord fd, UWord name, UWord length, Objects& to) {
  if (!has_datagram_sockets) return;
  NameBytes peer;
  std::string_view text;
  if (name && length) {
    text = name_at(name, length);
  } else {
    if (!is_listener(Listens::kForDatagrams, identity_of(static_cast<Int>(fd)))) return;
    peer = bytes_of_name(static_cast<Int>(fd), __NR_getpeername);
    text = peer.text();
  }
  note_new_names();
  for (const uint64_t identity : listeners_at(Listens::kForDatagrams, text)) to.push_back(object_of_address(identity));
}
uint64_t receives_at(UWord fd) {
  if (!has_datagram_sockets) return 0;
  const uint64_t identity = identity_of(static_cast<Int>(fd));
  return is_listener(Listens::kForDatagrams, identity) ? object_of_address(identity) : 0;
}

bool can_write(UWord fd) {
  constexpr UWord kGetFlags = 3, kReadOnly = 0;
  const SysRes r = VG_(do_syscall)(__NR_fcntl, fd, kGetFlags, 0, 0, 0, 0, 0, 0);
  return !sr_isError(r) && (sr_Res(r) & kAccessMode) != kReadOnly;
}

// --- what calls do ---

// Signals by which it cancels threads and changes their user.
bool is_of_c_library(UWord signal) { return signal == 32 || signal == 33; }

OpenCall give(Objects to) {
  if (to.empty()) return {};
  const uint64_t object = to.back();
  to.pop_back();
  return {.op = SyncOp::kChannelSend, .object = object, .also = std::move(to)};
}
OpenCall send_to(UWord fd, UWord name, UWord length) {
  Objects to;
  sends_to(fd, name, length, to);
  return give(std::move(to));
}
OpenCall send_by(UWord fd, UWord name = 0, UWord length = 0) {
  const uint64_t object = ends_of(fd).sends;
  if (!object) return send_to(fd, name, length);
  return {SyncOp::kChannelSend, is_written(object) ? object : 0, false, true};
}
OpenCall receive_by(UWord fd, UWord flags = 0) {
  const uint64_t object = ends_of(fd).receives;
  if (!object)
    if (const uint64_t address = receives_at(fd)) return {SyncOp::kChannelReceive, address};
  return {SyncOp::kChannelReceive, is_written(object) ? object : 0, (flags & kStays) != 0, true};
}

OpenCall signal_to(uint64_t signal, cdr::ThreadId to) {
  constexpr uint64_t kSignals = 64;
  if (signal == 0 || signal > kSignals || is_of_c_library(signal)) return {};
  const uint64_t object = sent_signal(signal, to);
  sent_signals[object] = true;
  return {SyncOp::kChannelSend, object};
}
OpenCall signal_to_process(UWord process, uint64_t signal) {
  const bool is_own = static_cast<Int>(process) == VG_(getpid)();
  return is_own ? signal_to(signal, cdr::ThreadId()) : OpenCall();
}
OpenCall signal_to_thread(UWord lwp, uint64_t signal) {
  const cdr::ThreadId to = serial_of(VG_(lwpid_to_vgtid)(static_cast<Int>(lwp)));
  if (to) return signal_to(signal, to);
  // One that has not begun.
  const uint32_t* const serial = created.find(lwp);
  return serial ? signal_to(signal, cdr::ThreadId(*serial)) : OpenCall();
}

// Semaphores of System V. Of several at once the first one that is added to, or else the first one that is taken of.
struct UnitChange {
  unsigned short semaphore;
  short by, flags;
};
OpenCall change_units(UWord set, UWord changes, UWord count) {
  constexpr UWord kMost = 500;
  constexpr unsigned kSetShift = 16;
  OpenCall taken;
  for (UWord i = 0; i < count && i < kMost; ++i) {
    const auto change = read_at<UnitChange>(changes + i * sizeof(UnitChange));
    const uint64_t object = object_for(ChannelKind::kUnits, set << kSetShift | change.semaphore);
    if (change.by > 0) return {SyncOp::kChannelSend, object};
    if (change.by < 0 && !taken.object) taken = {SyncOp::kChannelReceive, object};
  }
  return taken;
}

// What begins struct msghdr.
struct MessageName {
  UWord name;
  uint32_t length;
};
OpenCall send_message_by(UWord fd, UWord message) {
  const auto to = read_at<MessageName>(message);
  return send_by(fd, to.name, to.length);
}
// Of struct mmsghdr.
constexpr UWord kHeaderBytes = 64, kLengthOffset = 56;
OpenCall send_messages_by(UWord fd, UWord messages, UWord count) {
  constexpr UWord kMost = 1024;
  if (ends_of(fd).sends || count == 0) return send_by(fd);
  Objects to;
  for (UWord i = 0; i < count && i < kMost; ++i) {
    const auto name = read_at<MessageName>(messages + i * kHeaderBytes);
    sends_to(fd, name.name, name.length, to);
  }
  std::sort(to.begin(), to.end());
  to.erase(std::unique(to.begin(), to.end()), to.end());
  return give(std::move(to));
}

OpenCall queue(SyncOp op, uint64_t what) { return {op, what ? object_for(ChannelKind::kQueue, what) : 0}; }

// --- locks of files ---

uint64_t object_of_grant(uint64_t grant) { return object_for(ChannelKind::kLock, grant); }

// What begins struct flock.
struct LockedBytes {
  short kind, from;
  int64_t begin, length;
};
struct Place {
  uint64_t begin, end;
};
Place place_of(Int fd, const LockedBytes& l) {
  constexpr short kFromHere = 1, kFromEnd = 2;
  int64_t begin = l.begin, end = 0;
  struct vg_stat about;
  if (l.from == kFromHere) begin += static_cast<int64_t>(VG_(lseek)(fd, 0, kFromHere));
  if (l.from == kFromEnd && VG_(fstat)(fd, &about) == 0) begin += static_cast<int64_t>(about.size);
  if (l.length >= 0)
    end = begin + l.length;
  else
    end = begin, begin += l.length;
  return {static_cast<uint64_t>(begin), l.length == 0 ? UINT64_MAX : static_cast<uint64_t>(end)};
}

// Without an identity: it is no lock.
FileLock lock_by_flock(UWord fd, UWord operation) {
  using Kind = FileLock::Kind;
  constexpr UWord kShared = 1, kExclusive = 2, kUnlock = 8;
  FileLock lock = {.of = FileLock::Of::kWhole, .fd = fd};
  lock.kind = operation & kUnlock ? Kind::kNone : operation & kExclusive ? Kind::kExclusive : Kind::kShared;
  if (operation & (kShared | kExclusive | kUnlock)) lock.identity = identity_of(static_cast<Int>(fd));
  return lock;
}
FileLock lock_by_fcntl(UWord fd, UWord command, UWord about) {
  using Kind = FileLock::Kind;
  constexpr UWord kOfProcess = 6, kOfProcessWait = 7, kOfDescription = 37, kOfDescriptionWait = 38;  // F_SETLK, F_OFD_
  constexpr short kKinds = 3;  // F_RDLCK, F_WRLCK, F_UNLCK
  const bool of_process = command == kOfProcess || command == kOfProcessWait;
  if (!of_process && command != kOfDescription && command != kOfDescriptionWait) return {};
  const auto l = read_at<LockedBytes>(about);
  if (l.kind < 0 || l.kind >= kKinds) return {};
  const Place place = place_of(static_cast<Int>(fd), l);
  return {.of = of_process ? FileLock::Of::kProcess : FileLock::Of::kBytes,
          .kind = static_cast<Kind>(l.kind),
          .fd = fd,
          .identity = identity_of(static_cast<Int>(fd)),
          .begin = place.begin,
          .end = place.end};
}
FileLock lock_of(UInt number, const UWord* a) {
  return number == __NR_flock ? lock_by_flock(a[0], a[1]) : lock_by_fcntl(a[0], a[1], a[2]);
}

Objects objects_of(const Grants& given) {
  Objects out;
  for (const uint64_t grant : given) out.push_back(object_of_grant(grant));
  return out;
}
OpenCall lock_by(const FileLock& lock) {
  if (!lock.identity) return {};
  Grants given;
  lock_begins(lock, given);
  const Objects first = objects_of(given);
  if (lock.kind == FileLock::Kind::kNone) return give(first);
  given_first.insert(given_first.end(), first.begin(), first.end());
  return {SyncOp::kChannelReceive, object_of_grant(first_grant(lock))};
}
void note_lock(const FileLock& lock) {
  if (!lock.identity || lock.kind == FileLock::Kind::kNone) return;
  Grants got;
  lock_ends(lock, got);
  got_last = objects_of(got);
}

// The end of a descriptor. Most are none of a channel, and need not be asked how they were opened.
OpenCall close_by(UWord fd) {
  Grants given;
  descriptor_closed(fd, any_file_locked() ? identity_of(static_cast<Int>(fd)) : 0, given);
  const uint64_t end = ends_of(fd).sends;
  // From now on another one may get the number.
  numbered.erase(fd);
  if (!end || !is_written(end)) return give(objects_of(given));
  return can_write(fd) ? OpenCall{SyncOp::kChannelSend, end, false, true} : OpenCall();
}

OpenCall operation_of(UInt number, const UWord* a) {
  switch (number) {
    case __NR_write:
    case __NR_writev:
    case __NR_sendfile:
      return send_by(a[0]);
    case __NR_sendto:
      return send_by(a[0], a[4], a[5]);
    case __NR_sendmsg:
      return send_message_by(a[0], a[1]);
    case __NR_sendmmsg:
      return send_messages_by(a[0], a[1], a[2]);
    case __NR_read:
    case __NR_readv:
      return receive_by(a[0]);
    case __NR_recvfrom:
    case __NR_recvmmsg:
      return receive_by(a[0], a[3]);
    case __NR_recvmsg:
      return receive_by(a[0], a[2]);
    case __NR_close:
      return close_by(a[0]);
    case __NR_dup2:
    case __NR_dup3:
      return a[0] == a[1] ? OpenCall() : close_by(a[1]);
    case __NR_connect:
      return give(connects_to(a[1], a[2]));
    case __NR_accept:
    case __NR_accept4:
      return {SyncOp::kChannelReceive, accepts(a[0])};
    case __NR_epoll_ctl:
      return a[1] == kAdd || a[1] == kModify ? OpenCall{SyncOp::kChannelSend, numbered_at(a[0], ChannelKind::kEpoll)}
                                             : OpenCall();
    case __NR_epoll_wait:
    case __NR_epoll_pwait:
    case kEpollPwait2:
      return {SyncOp::kChannelReceive, numbered_at(a[0], ChannelKind::kEpoll)};
    case __NR_shutdown:
      return a[1] != kShutRead && ends_of(a[0]).sends ? send_by(a[0]) : OpenCall();
    case __NR_msgsnd:
      return queue(SyncOp::kChannelSend, a[0] + 1);
    case __NR_msgrcv:
      return queue(SyncOp::kChannelReceive, a[0] + 1);
    case __NR_mq_timedsend:
      return queue(SyncOp::kChannelSend, identity_of(static_cast<Int>(a[0])));
    case __NR_mq_timedreceive:
      return queue(SyncOp::kChannelReceive, identity_of(static_cast<Int>(a[0])));
    case __NR_fcntl:
    case __NR_flock:
      return lock_by(lock_of(number, a));
    case __NR_kill:
    case __NR_rt_sigqueueinfo:
      return signal_to_process(a[0], a[1]);
    case __NR_tkill:
      return signal_to_thread(a[0], a[1]);
    case __NR_tgkill:
    case __NR_rt_tgsigqueueinfo:
      return signal_to_thread(a[1], a[2]);
    case __NR_semop:
    case __NR_semtimedop:
      return change_units(a[0], a[1], a[2]);
    case __NR_rt_sigaction:
      return a[1] && !is_of_c_library(a[0]) ? OpenCall{SyncOp::kChannelSend, channel_object(ChannelKind::kSignal, a[0])}
                                            : OpenCall();
    default:
      return {};
  }
}

// By what the calls return.
int64_t bytes_of_messages(UWord messages, int64_t count) {
  int64_t bytes = 0;
  for (int64_t i = 0; i < count; ++i)
    bytes += read_at<uint32_t>(messages + static_cast<UWord>(i) * kHeaderBytes + kLengthOffset);
  return bytes;
}

// How many bytes, or messages, went over.
int64_t units_of(UInt number, const UWord* a, const OpenCall& call, int64_t result) {
  const bool ends = number == __NR_close || number == __NR_dup2 || number == __NR_dup3 || number == __NR_shutdown;
  if (ends || number == __NR_rt_sigaction) return 0;
  if (!call.by_descriptor) return 1;
  const bool several = number == __NR_sendmmsg || number == __NR_recvmmsg;
  if (channel_kind(call.object) == ChannelKind::kMessages) return several ? result : 1;
  return several ? bytes_of_messages(a[1], result) : result;
}

void enter(::ThreadId tid, const OpenCall& call) {
  record_buffer.append(RecordKind::kSyncEnter, serial_of(tid),
                       {static_cast<uint64_t>(call.op), call.object, call.stays, 0});
}

void leave(::ThreadId tid, OpenCall& call, uint64_t units, int64_t result, bool failed) {
  const uint64_t flags = failed ? kSyncFailed : 0;
  record_buffer.append(
      RecordKind::kSyncLeave, serial_of(tid),
      {static_cast<uint64_t>(call.op), call.object, call.stays, units, static_cast<uint64_t>(result), flags});
  call = OpenCall();
}

// A connection may be made when its call has returned; a wait for events may find none.
bool has_failed(UInt number, uint64_t object, int64_t result) {
  if (number == __NR_connect && result == kInProgress) return false;
  const bool no_event = result == 0 && number != __NR_epoll_ctl && channel_kind(object) == ChannelKind::kEpoll;
  return result < 0 || no_event;
}

bool hides(::ThreadId tid) { return thread_extra(tid).hide_depth || thread_extra(tid).in_runtime; }

// --- what calls tell besides ---

void send_now(::ThreadId tid, uint64_t object) {
  OpenCall call = {SyncOp::kChannelSend, object};
  enter(tid, call);
  leave(tid, call, 1, 0, false);
}

void receive_now(::ThreadId tid, uint64_t object, uint64_t units) {
  OpenCall call = {SyncOp::kChannelReceive, object, true};
  enter(tid, call);
  leave(tid, call, units, static_cast<int64_t>(units), false);
}

// Of those that cannot be asked, such as eventfds, too.
bool has_bytes(UWord fd) {
  constexpr UWord kBytesThere = 0x541b;  // FIONREAD
  int there = 0;
  const SysRes r = VG_(do_syscall)(__NR_ioctl, fd, kBytesThere, reinterpret_cast<UWord>(&there), 0, 0, 0, 0, 0);
  return sr_isError(r) || there > 0;
}

// The thread has learned that the next byte is there, or that none comes any more.
void saw_ready(::ThreadId tid, UWord fd, uint32_t events) {
  if (!(events & (kReadable | kHungUp | kPeerHungUp))) return;
  const uint64_t object = receive_by(fd).object;
  if (!object) return;
  const bool comes = (events & kReadable) && has_bytes(fd);
  if (comes) receive_now(tid, object, 1);
  if (!comes || (events & (kHungUp | kPeerHungUp))) receive_now(tid, object, 0);
}

struct PollEntry {
  int fd;
  short wanted;
  unsigned short events;
};
void saw_polled(::ThreadId tid, UWord entries, UWord count) {
  for (UWord i = 0; i < count; ++i) {
    const auto e = read_at<PollEntry>(entries + i * sizeof(PollEntry));
    if (e.fd >= 0) saw_ready(tid, static_cast<UWord>(e.fd), e.events);
  }
}

// Of select: the set has a bit for each descriptor that is ready.
void saw_selected(::ThreadId tid, UWord descriptors, UWord set) {
  constexpr UWord kBits = 8;
  for (UWord first = 0; set && first < descriptors; first += kBits) {
    const unsigned ready = read_at<uint8_t>(set + first / kBits);
    for (UWord bit = 0; ready >> bit; ++bit)
      if (ready >> bit & 1) saw_ready(tid, first + bit, kReadable);
  }
}

void saw_events(::ThreadId tid, UWord epoll, UWord events, int64_t count) {
  const uint64_t object = numbered_at(epoll, ChannelKind::kEpoll);
  for (int64_t i = 0; object && i < count; ++i) {
    const auto e = read_at<EpollEvent>(events + static_cast<UWord>(i) * sizeof(EpollEvent));
    if (const UWord* const fd = watched.find({object, e.data})) saw_ready(tid, *fd, e.events);
  }
}

void got_signal(::ThreadId tid, uint64_t signal) {
  for (const cdr::ThreadId to : {serial_of(tid), cdr::ThreadId()})
    if (const uint64_t object = sent_signal(signal, to); sent_signals.find(object)) receive_now(tid, object, 1);
}

void read_signals(::ThreadId tid, UWord fd, UWord into, int64_t bytes) {
  constexpr UWord kSignalBytes = 128;  // struct signalfd_siginfo, which the number begins
  if (!numbered_at(fd, ChannelKind::kSent)) return;
  for (UWord at = 0; at + kSignalBytes <= static_cast<UWord>(bytes); at += kSignalBytes)
    got_signal(tid, read_at<uint32_t>(into + at));
}

// `result` is no error.
void note_told(::ThreadId tid, UInt number, const UWord* a, int64_t result) {
  switch (number) {
    case __NR_poll:
    case __NR_ppoll:
      return saw_polled(tid, a[0], result > 0 ? a[1] : 0);
    case __NR_select:
    case __NR_pselect6:
      return saw_selected(tid, result > 0 ? a[0] : 0, a[1]);
    case __NR_epoll_wait:
    case __NR_epoll_pwait:
    case kEpollPwait2:
      return saw_events(tid, a[0], a[1], result);
    case __NR_rt_sigtimedwait:
      return got_signal(tid, static_cast<uint64_t>(result));
    case __NR_read:
      return read_signals(tid, a[0], a[1], result);
    default:
      return;
  }
}

// What the call has made.
void note_made(::ThreadId tid, UInt number, const UWord* a, int64_t result) {
  switch (number) {
    case __NR_clone:
      if (a[0] & VKI_CLONE_THREAD) created[static_cast<uint64_t>(result)] = thread_extra(tid).created.value;
      return;
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
      return note_name(static_cast<Int>(a[0]));
    case __NR_bind:
      return note_name(static_cast<Int>(a[0]));
    case __NR_socket:
      return add_datagram_socket(static_cast<Int>(result), a[0], a[1]);
    case __NR_flock:
      return note_lock(lock_of(number, a));
    case __NR_listen:
      return add_listener(static_cast<Int>(a[0]));
    case __NR_epoll_create:
    case __NR_epoll_create1:
      return add_numbered(static_cast<Int>(result), ChannelKind::kEpoll);
    case __NR_epoll_ctl: {
      const uint64_t object = a[1] == kAdd || a[1] == kModify ? numbered_at(a[0], ChannelKind::kEpoll) : 0;
      if (object) watched[{object, read_at<EpollEvent>(a[3]).data}] = a[2];
      return;
    }
    case __NR_signalfd:
    case __NR_signalfd4:
      return add_numbered(static_cast<Int>(result), ChannelKind::kSent);
    case __NR_eventfd:
      return add_numbered(static_cast<Int>(result), ChannelKind::kCounter);
    case __NR_eventfd2:
      return add_numbered(static_cast<Int>(result), a[1] & kSemaphore ? ChannelKind::kShared : ChannelKind::kCounter);
    case __NR_dup:
    case __NR_dup2:
    case __NR_dup3:
      return duplicated(a[0], result);
    case __NR_fcntl:
      if (a[1] == kDuplicate || a[1] == kDuplicateCloseOnExec) duplicated(a[0], result);
      return note_lock(lock_of(number, a));
    case __NR_creat:
    case __NR_open:
    case __NR_openat: {
      uint32_t mode = 0;
      const uint64_t identity = identity_of(static_cast<Int>(result), &mode);
      descriptor_opened(static_cast<UWord>(result), identity);
      if (identity && (mode & kFileType) == kFifoType) add_pipe(static_cast<Int>(result));
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
  if (call.object) leave(tid, call, 0, -VKI_EINTR, true);
  given_first.clear();
  call = operation_of(number, args);
  if (hides(tid)) return void(call = OpenCall());
  if (!call.object && given_first.empty()) return;
  settle_thread_state();
  for (const uint64_t object : given_first) send_now(tid, object);
  if (!call.object) return void(call = OpenCall());
  for (const uint64_t object : call.also) send_now(tid, object);
  enter(tid, call);
  test_switch(tid, SwitchAt::kEnter);
}

void channel_call_returns(::ThreadId tid) {
  if (open_call(tid).object) test_switch(tid, SwitchAt::kLeave);
}

void channel_call_ends(::ThreadId tid, UInt number, const UWord* args, int64_t result) {
  got_last.clear();
  if (result >= 0 || (number == __NR_connect && result == kInProgress)) note_made(tid, number, args, result);
  OpenCall& call = open_call(tid);
  if (call.object) {
    const bool failed = has_failed(number, call.object, result);
    const int64_t units = failed ? 0 : units_of(number, args, call, result);
    const Objects also = std::move(call.also);
    leave(tid, call, static_cast<uint64_t>(units), result, failed);
    // Now with what the call has read.
    if (!failed)
      for (const uint64_t object : also) send_now(tid, object);
  }
  if (result < 0 || hides(tid)) return;
  for (const uint64_t object : got_last) receive_now(tid, object, 1);
  note_told(tid, number, args, result);
}

bool sends_by_channel(::ThreadId tid) { return open_call(tid).op == SyncOp::kChannelSend; }

void forget_other_channel_calls(::ThreadId tid) {
  for (size_t other = 0; other < open_calls.size(); ++other)
    if (other != tid) open_calls[other] = OpenCall();
}

}  // namespace cdr::tool
