// SPDX-License-Identifier: GPL-2.0-or-later
// What a parallel runtime makes of labels. Its words hold none: the number of a thread, the bounds of a chunk, whether
// a lock was got are inputs of the program. A strand depends on the branches that are open where it is made, as a
// callee does on those at its call, whichever thread runs it and whatever that thread was about; its registers begin
// with none. A task's data are copied from where its creator has them.
#ifndef CDRGRIND_ANALYSIS_SLICE_STRAND_CONTEXTS_H
#define CDRGRIND_ANALYSIS_SLICE_STRAND_CONTEXTS_H

#include <cstdint>

#include "cdrgrind/analysis/slice/label_sets.h"
#include "cdrgrind/analysis/strands/strand_machine.h"
#include "cdrgrind/base/event.h"

namespace cdr::slice {

// Of the branches that are open where something is made. What a strand waits for decides nothing in it.
struct MadeUnder {
  Labels labels = 0;
  void join(const MadeUnder&) {}
};

class StrandContexts final : strands::StrandClient<MadeUnder> {
 public:
  class Flow {
   public:
    // Of the branches that are open where the thread is.
    virtual Labels context(ThreadId t) = 0;
    // What the thread calls from now on depends on that alone.
    virtual void begin_strand(ThreadId on, Labels context) = 0;
    virtual void copy_labels(uint64_t from, AddrRange to) = 0;

   protected:
    ~Flow() = default;
  };
  explicit StrandContexts(Flow& flow) : flow_(flow), machine_(*this) {}
  StrandContexts(const StrandContexts&) = delete;
  StrandContexts& operator=(const StrandContexts&) = delete;

  // Events that are no blocks.
  void event(const Event& e, uint64_t index) { machine_.event(e, index); }
  bool in_runtime(ThreadId t) const { return machine_.in_runtime(t); }

 private:
  MadeUnder release(ThreadId by) override { return {flow_.context(by)}; }
  void acquire(ThreadId, const MadeUnder&) override {}
  // A part goes on in its implicit task.
  void begins(ThreadId on, const strands::Strand& s, const MadeUnder& from) override {
    if (s.kind != strands::StrandKind::kPart) flow_.begin_strand(on, from.labels);
  }
  MadeUnder ends(ThreadId, const strands::Strand&) override { return {}; }
  void copies(ThreadId, uint64_t from, AddrRange to) override { flow_.copy_labels(from, to); }

  Flow& flow_;
  strands::StrandMachine<MadeUnder> machine_;
};

}  // namespace cdr::slice

#endif
