// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/memory.h"

#include <string_view>
#include <vector>

#include "cdrgrind/base/event.h"
#include "cdrgrind/tool/channels.h"
#include "cdrgrind/tool/modules.h"
#include "cdrgrind/tool/options.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/recorder.h"
#include "cdrgrind/tool/threads.h"

namespace cdr::tool {
namespace {

struct Span {
  Addr addr;
  SizeT size;
  bool store;
};

struct Pending {  // the call that a thread is in
  bool active = false;
  Addr awaited = 0;  // the word that it waits on
  std::vector<Span> spans;
};

constinit std::vector<Pending> pending;  // by Valgrind's thread id

Pending& at(::ThreadId tid) {
  if (pending.size() <= tid) pending.resize(tid + 1);
  return pending[tid];
}

uint64_t map_flags(bool r, bool w, bool x) { return (r ? kMapRead : 0) | (w ? kMapWrite : 0) | (x ? kMapExec : 0); }

struct StartupMap {
  Addr addr;
  SizeT size;
  uint64_t flags;
};
constinit std::vector<StartupMap> startup_maps;

void record_map(Addr a, SizeT size, uint64_t flags) {
  note_mappings_changed();
  if (!running_thread()) {
    startup_maps.push_back({a, size, flags});
    return;
  }
  settle_thread_state();
  record_buffer.append(RecordKind::kMap, running_thread(), {a, a + size, flags});
}

void record_unmap(Addr a, SizeT size) {
  note_mappings_changed();
  if (!running_thread()) return;
  settle_thread_state();
  record_buffer.append(RecordKind::kUnmap, running_thread(), {a, a + size});
}

void on_map(Addr a, SizeT size, Bool r, Bool w, Bool x, ULong) { record_map(a, size, map_flags(r, w, x)); }
void on_brk(Addr a, SizeT size, ::ThreadId) { record_map(a, size, kMapRead | kMapWrite | kMapHeap); }
void on_remap(Addr from, Addr to, SizeT size) {
  if (from != to) record_map(to, size, kMapRead | kMapWrite);
}
void on_protect(Addr, SizeT, Bool, Bool, Bool) { note_mappings_changed(); }

void on_read(CorePart part, ::ThreadId tid, const HChar*, Addr a, SizeT size) {
  if (part == Vg_CoreSysCall && size) at(tid).spans.push_back({a, size, false});
}

void on_read_text(CorePart part, ::ThreadId tid, const HChar*, Addr a) {
  if (part != Vg_CoreSysCall || !VG_(am_is_valid_for_client)(a, 1, VKI_PROT_READ)) return;
  SizeT n = 0;
  const auto* text = reinterpret_cast<const HChar*>(a);
  while (((a + n) & 0xfff) != 0 || n == 0 || VG_(am_is_valid_for_client)(a + n, 1, VKI_PROT_READ))
    if (text[n++] == 0) break;
  at(tid).spans.push_back({a, n, false});
}

void on_write(CorePart part, ::ThreadId tid, Addr a, SizeT size) {
  if (part == Vg_CoreSysCall && size) at(tid).spans.push_back({a, size, true});
}

bool memory_counts() { return options.data != DataMode::kNone || options.deps != DepsMode::kNo; }

// The word that a futex call waits on, if it does: how threads wait where there is nothing to wrap. Whatever else such
// calls look at is the kernel's queues' alone.
Addr awaited_word(UInt number, const UWord* args) {
  constexpr UWord kFlags = 128 | 256;  // private, clock
  constexpr UWord kWait = 0, kWaitBits = 9;
  const UWord operation = args[1] & ~kFlags;
  return number == __NR_futex && (operation == kWait || operation == kWaitBits) ? args[0] : 0;
}

void record_syscall(::ThreadId tid, UInt number, int64_t result) {
  Pending& p = at(tid);
  std::vector<uint64_t> words;
  constexpr size_t kMost = 4096;  // spans in one record
  if (number == __NR_futex) p.spans.clear();
  if (p.awaited) p.spans.push_back({p.awaited, sizeof(uint32_t), false});
  for (const Span& s : p.spans) {
    if (!memory_counts() || words.size() >= 3 * kMost) break;
    if (!VG_(am_is_valid_for_client)(s.addr, s.size, VKI_PROT_NONE)) continue;
    words.insert(words.end(), {s.addr, s.size, s.store ? 1u : 0u});
  }
  const uint64_t head[] = {number, static_cast<uint64_t>(result)};
  record_buffer.append(RecordKind::kSyscall, serial_of(tid), head, words);
  p = Pending();
}

// Set once by every process, to a number that is another in every run and that nobody looks at.
bool result_is_noise(UInt number) { return number == __NR_set_tid_address; }

// A successful exec ends this program without a further word.
bool may_end_program(UInt number) { return number == __NR_execve || number == __NR_execveat; }

std::string_view client_text(Addr a) {
  constexpr SizeT kLongest = 4096;  // PATH_MAX
  if (!VG_(am_is_valid_for_client)(a, 1, VKI_PROT_READ)) return {};
  const auto* text = reinterpret_cast<const HChar*>(a);
  SizeT n = 0;
  while (n < kLongest && (((a + n) & 0xfff) != 0 || VG_(am_is_valid_for_client)(a + n, 1, VKI_PROT_READ)) && text[n])
    ++n;
  return {text, n};
}

void before_syscall(::ThreadId tid, UInt number, UWord* args, UInt) {
  if (may_end_program(number)) {
    settle_thread_state();
    before_exec(client_text(args[number == __NR_execveat ? 1 : 0]));
  }
  if (number == __NR_clone) warn_of_thread_limit(args[0]);
  Pending& p = at(tid);
  p.spans.clear();
  p.awaited = awaited_word(number, args);
  p.active = true;
  channel_call_begins(tid, number, args);
}

void after_syscall(::ThreadId tid, UInt number, UWord* args, UInt, SysRes result) {
  if (!serial_of(tid) || !at(tid).active) return;
  settle_thread_state();
  channel_call_returns(tid);
  if (may_end_program(number) && sr_isError(result)) exec_failed(sr_Err(result));
  const auto value = sr_isError(result)        ? -static_cast<int64_t>(sr_Err(result))
                     : result_is_noise(number) ? 0
                                               : static_cast<int64_t>(sr_Res(result));
  // What is sent is read before it is given to anybody, what is received written when it has been got.
  const bool sends = sends_by_channel(tid);
  if (!sends) channel_call_ends(tid, number, args, value);
  record_syscall(tid, number, value);
  if (sends) channel_call_ends(tid, number, args, value);
  update_modules();
}

}  // namespace

void forget_other_syscalls(::ThreadId tid) {
  for (size_t other = 0; other < pending.size(); ++other)
    if (other != tid) pending[other] = Pending();
  forget_other_channel_calls(tid);
}

void record_sigreturn(::ThreadId tid) {
  if (at(tid).active) record_syscall(tid, __NR_rt_sigreturn, 0);
}

void record_startup_maps() {
  for (const StartupMap& m : startup_maps)
    record_buffer.append(RecordKind::kMap, running_thread(), {m.addr, m.addr + m.size, m.flags});
  startup_maps.clear();
}

void register_memory_callbacks() {
  VG_(track_new_mem_startup)(on_map);
  VG_(track_new_mem_mmap)(on_map);
  VG_(track_new_mem_brk)(on_brk);
  VG_(track_copy_mem_remap)(on_remap);
  VG_(track_change_mem_mprotect)(on_protect);
  VG_(track_die_mem_brk)(record_unmap);
  VG_(track_die_mem_munmap)(record_unmap);
  VG_(track_pre_mem_read)(on_read);
  VG_(track_pre_mem_read_asciiz)(on_read_text);
  VG_(track_post_mem_write)(on_write);
  VG_(needs_syscall_wrapper)(before_syscall, after_syscall);
  VG_(track_register_stack)([](Addr start, Addr end) {
    record_buffer.append(RecordKind::kStackRange, running_thread(), {start, end});
  });
}

}  // namespace cdr::tool
