// SPDX-License-Identifier: GPL-2.0-or-later
// Where the C library manages threads: its code while a program's call creates, joins, detaches or cancels one, and
// what it executes in a thread, or for a signal, called by no code of the program. What it looks at and keeps for that,
// in its own data, is no flow of the program's.
#ifndef CDRGRIND_ANALYSIS_SLICE_MANAGED_THREADS_H
#define CDRGRIND_ANALYSIS_SLICE_MANAGED_THREADS_H

#include <cstdint>
#include <vector>

#include "cdrgrind/base/event.h"

namespace cdr::slice {

struct CLibrary {
  std::vector<bool> code;       // by module; the dynamic linker is among them
  std::vector<AddrRange> data;  // sorted, disjoint
  bool has(ModuleId m) const { return m.value < code.size() && code[m.value]; }
};

class ManagedThreads {
 public:
  explicit ManagedThreads(const CLibrary& library) : library_(library) {}

  // Every event that is no block's.
  void event(const Event& e);
  // Of those that manage threads; none: the thread is in no such.
  SyncOp operation(ThreadId t) const { return t.value < threads_.size() ? threads_[t.value].operation : SyncOp::kNone; }
  const CLibrary& library() const { return library_; }
  // The program has a part in it.
  static bool is_of_program(const Superblock& sb, const CLibrary& library) {
    return !library.has(sb.module) && !(sb.flags & kBlockShim);
  }
  // Whether the library's code stores there for itself: in its data, threads' control blocks and new stacks, its
  // frames.
  bool is_own(ThreadId t, uint64_t addr) const;

 private:
  struct Thread {
    SyncOp operation = SyncOp::kNone;
    uint64_t sp = 0;        // after the last call or return
    uint64_t sp_of_op = 0;  // when the operation began
  };
  Thread& thread(ThreadId t) {
    if (t.value >= threads_.size()) threads_.resize(t.value + 1);
    return threads_[t.value];
  }
  void forget(AddrRange r);

  const CLibrary& library_;
  std::vector<Thread> threads_;  // by serial
  std::vector<AddrRange> own_;   // mapped while a thread was created, and control blocks
};

}  // namespace cdr::slice

#endif
