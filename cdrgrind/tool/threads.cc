// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/threads.h"

#include <cstddef>
#include <vector>

#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/tool/memory.h"
#include "cdrgrind/tool/modules.h"
#include "cdrgrind/tool/names.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/startup_bytes.h"
#include "cdrgrind/tool/superblocks.h"

namespace cdr::tool {
namespace {

struct PendingSignal {
  bool pending = false;
  int number = 0;
  Addr ip = 0;
  bool alternate = false;
};

struct ClientThread {
  cdr::ThreadId serial;
  cdr::ThreadId creator;
  bool started = false;
  PendingSignal signal;
  ThreadExtra extra;
};

constexpr ::ThreadId kNoThread = 0;

constinit std::vector<ClientThread> threads;  // by Valgrind's id
constinit uint32_t last_serial = 0;
constinit ::ThreadId running = kNoThread;
constinit uint64_t turns = 0;
constinit uint32_t starting = 0;
constinit bool in_code = false;
constinit FlatMap<uint64_t, uint32_t> by_pthread;

ClientThread& at(::ThreadId tid) {
  if (threads.size() <= tid) threads.resize(tid + 1);
  return threads[tid];
}

bool recordable(::ThreadId tid) { return tid != kNoThread && at(tid).started; }

void append(RecordKind kind, ::ThreadId tid, std::initializer_list<uint64_t> payload) {
  record_buffer.append(kind, at(tid).serial, payload);
}

// The words of a block that did not complete lie at the write pointer; the guest's IP says how far it came.
void record_partial() {
  const auto words = record_buffer.unfinished();
  if (words[0] == 0 || !recordable(running)) return;
  const uint32_t id = drain::id_of(words[0]);
  const Addr ip = VG_(get_IP)(running);
  const int count = words_of_record(id, ip);
  std::vector<uint64_t> payload = {id, ip};
  if (count >= 0) payload.insert(payload.end(), words.begin() + 1, words.begin() + 1 + count);
  record_buffer.discard_unfinished();
  if (count >= 0) record_buffer.append(RecordKind::kPartial, at(running).serial, payload);
}

// The frame of a signal's handler is complete when the thread runs next, or the next signal arrives.
void record_signal_entry(::ThreadId tid) {
  PendingSignal& s = at(tid).signal;
  if (!s.pending) return;
  s.pending = false;
  uint64_t begin = 0, end = 0;
  if (s.alternate) {
    begin = VG_(thread_get_altstack_min)(tid);
    end = begin + VG_(thread_get_altstack_size)(tid);
  }
  append(RecordKind::kSignalEnter, tid, {static_cast<uint64_t>(s.number), s.ip, VG_(get_SP)(tid), begin, end});
}

void on_create(::ThreadId parent, ::ThreadId child) {
  ClientThread& t = at(child);
  t = ClientThread();
  t.serial = cdr::ThreadId(++last_serial);
  ++starting;
  if (!recordable(parent)) return;
  t.creator = at(parent).serial;
  at(parent).extra.created = t.serial;
  // A thread of the runtime's own.
  t.extra.in_runtime = at(parent).extra.in_runtime;
  settle_thread_state();
  append(RecordKind::kThreadCreate, parent, {t.serial.value});
}

uint64_t pthread_of(::ThreadId tid) {
  // The FS base of a thread is its pthread_t.
  UWord fs = 0;
  VG_(get_shadow_regs_area)(tid, reinterpret_cast<UChar*>(&fs), 0, offsetof(VexGuestAMD64State, guest_FS_CONST),
                            sizeof fs);
  return fs;
}

// The part of a thread's stack that its frames can use: what is above its first SP holds TLS and arguments.
AddrRange stack_of(::ThreadId tid, Addr sp) {
  const Addr top = VG_(thread_get_stack_max)(tid) + 1;
  const SizeT size = VG_(thread_get_stack_size)(tid);
  const Addr end = at(tid).creator ? sp + 16 : top;  // clone leaves two words for the child to pop
  return {top - size, end};
}

void on_first_insn(::ThreadId tid) {
  ClientThread& t = at(tid);
  settle_thread_state();
  t.started = true;
  if (starting) --starting;
  ++turns;
  const Addr sp = VG_(get_SP)(tid);
  const AddrRange stack = stack_of(tid, sp);
  const uint64_t pthread = pthread_of(tid);
  name_thread(pthread, t.serial);
  append(RecordKind::kThreadStart, tid, {stack.begin, stack.end, sp, pthread, t.creator.value});
  const bool first = running == kNoThread;
  running = tid;
  if (first) fix_startup_bytes(sp);
  if (first) note_program_entry(sp);
  if (first) record_startup_maps();
  update_modules();
}

void on_exit(::ThreadId tid) {
  if (!recordable(tid)) return;
  settle_thread_state();
  append(RecordKind::kThreadEnd, tid, {});
  at(tid).started = false;
}

void on_run(::ThreadId tid, ULong) {
  in_code = true;
  if (!recordable(tid)) return;
  const bool same = tid == running && record_buffer.last_thread() == at(tid).serial;
  if (same && !at(tid).signal.pending && record_buffer.unfinished()[0] == 0) return;
  settle_thread_state();
  record_signal_entry(tid);
  running = tid;
  if (same) return;
  ++turns;
  append(RecordKind::kTurn, tid, {VG_(get_SP)(tid)});
}

void on_stop(::ThreadId, ULong) { in_code = false; }

void on_signal(::ThreadId tid, Int number, Bool alternate) {
  if (!recordable(tid)) return;
  settle_thread_state();
  record_signal_entry(tid);
  at(tid).signal = {true, number, VG_(get_IP)(tid), alternate != 0};
}

void on_signal_return(::ThreadId tid, Int) {
  if (!recordable(tid)) return;
  settle_thread_state();
  record_sigreturn(tid);
  append(RecordKind::kSignalLeave, tid, {VG_(get_SP)(tid), VG_(get_IP)(tid)});
}

}  // namespace

cdr::ThreadId serial_of(::ThreadId tid) { return recordable(tid) ? at(tid).serial : cdr::ThreadId(); }
cdr::ThreadId running_thread() {
  const ::ThreadId now = VG_(get_running_tid)();
  return serial_of(recordable(now) ? now : running);
}
uint64_t turns_begun() { return turns; }
uint32_t threads_starting() { return starting; }
bool in_client_code() { return in_code; }
ThreadExtra& thread_extra(::ThreadId tid) { return at(tid).extra; }

void warn_of_thread_limit(UWord clone_flags) {
  const bool thread = (clone_flags & VKI_CLONE_VM) && !(clone_flags & VKI_CLONE_VFORK);
  const UInt room = VG_N_THREADS - 1;  // the first id stands for none
  if (!thread || static_cast<UInt>(VG_(count_living_threads)()) < room) return;
  VG_(umsg)
  ("cdrgrind: error: %u threads live, and Valgrind has no room for one more: record with --max-threads=N, "
   "more than live at a time\n",
   room);
}

cdr::ThreadId thread_of_pthread(uint64_t pthread) {
  const uint32_t* serial = by_pthread.find(pthread);
  return cdr::ThreadId(serial ? *serial : 0);
}

void name_thread(uint64_t pthread, cdr::ThreadId serial) {
  if (!pthread) return;
  uint32_t& latest = by_pthread[pthread];
  if (latest < serial.value) latest = serial.value;
}

void name_main_thread(::ThreadId tid) {
  static constinit bool named = false;
  if (named || at(tid).creator) return;
  name_thread(pthread_of(tid), at(tid).serial);
  named = true;
}

void keep_forking_thread(::ThreadId tid, const drain::Process& child) {
  const uint32_t in_parent = at(tid).serial.value;
  for (size_t other = 0; other < threads.size(); ++other)
    if (other != tid) threads[other] = ClientThread();
  last_serial = 1;
  starting = 0;
  at(tid).serial = cdr::ThreadId(last_serial);
  at(tid).creator = at(tid).extra.created = at(tid).extra.other = cdr::ThreadId();
  if (at(tid).extra.mpi_call) at(tid).extra.in_runtime = at(tid).extra.mpi_outer;
  at(tid).extra.mpi_call = 0;
  running = tid;
  by_pthread.clear();
  const uint64_t pthread = pthread_of(tid);
  name_thread(pthread, at(tid).serial);
  std::vector<uint64_t> payload = {in_parent, pthread};
  drain::pack_process(child, payload);
  record_buffer.append(RecordKind::kForked, at(tid).serial, payload);
}

void settle_thread_state() { record_partial(); }

void register_thread_callbacks() {
  VG_(track_pre_thread_ll_create)(on_create);
  VG_(track_pre_thread_first_insn)(on_first_insn);
  VG_(track_pre_thread_ll_exit)(on_exit);
  VG_(track_start_client_code)(on_run);
  VG_(track_stop_client_code)(on_stop);
  VG_(track_pre_deliver_signal)(on_signal);
  VG_(track_post_deliver_signal)(on_signal_return);
}

}  // namespace cdr::tool
