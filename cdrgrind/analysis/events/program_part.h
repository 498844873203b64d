// SPDX-License-Identifier: GPL-2.0-or-later
// Whose each block is, while the stream is read: the program's own, that of libraries which work for it, or neither.
// A library works for the program where a call of the program's is open on the stack, other than those of the code that
// starts every program: it calls main, and what comes before and after main is nobody's. Constructors, destructors and
// functions of threads are the program's. The dynamic linker binds for nobody, also where the program calls through it.
#ifndef CDRGRIND_ANALYSIS_EVENTS_PROGRAM_PART_H
#define CDRGRIND_ANALYSIS_EVENTS_PROGRAM_PART_H

#include <cstdint>
#include <set>
#include <vector>

#include "cdrgrind/analysis/events/call_stacks.h"
#include "cdrgrind/base/event.h"

namespace cdr::analysis {

enum class CodeOwner : uint8_t {
  kLibrary,  // the recorder's wrappers, too
  kLinker,   // the dynamic linker
  kStart,    // what the compiler links to every program: _start and the like
  kProgram,
};

// Who owns code, made once for a trace.
struct CodeOwners {
  std::vector<CodeOwner> superblocks;  // by SuperblockId; entry 0 is not used
  std::vector<bool> libraries;         // by module: not the program's
};

enum class Whose : uint8_t { kOwn, kForProgram, kOthers };

// Not thread-safe. Everything given must outlive it.
class ProgramPart {
 public:
  ProgramPart(const BlockTable& blocks, const ModuleTable& modules, const CodeOwners& owners)
      : blocks_(blocks), owners_(owners), shim_(shim_modules(modules)), stacks_(blocks, owners.libraries, shim_) {}
  ProgramPart(const ProgramPart&) = delete;
  ProgramPart& operator=(const ProgramPart&) = delete;

  // Every event; the answer is meant for Block and Partial. Another event's is kOthers, whoever's it is: what a block
  // did last, as its system call, belongs to whom the block does.
  Whose see(const Event& e);
  // Of the thread's last block, if it works for the program: the program's call.
  CodeAddr call(ThreadId t) { return stacks_.top(t).from; }
  // What tells whose the thread's next blocks are, as long as calls that are open now are not left: if it is the same
  // after some blocks and calls, these would come out the same again.
  struct Standing {
    CallFrame top;
    bool jumped;
    ModuleId module;
    CodeOwner last;
    bool operator==(const Standing&) const = default;
  };
  Standing standing(ThreadId t) {
    return {stacks_.top(t), stacks_.jumped(t), stacks_.module(t),
            t.value < last_.size() ? last_[t.value] : CodeOwner::kLibrary};
  }
  // Whether any code of the program stands on the thread's stack, or did in its last block.
  bool in_program(ThreadId t) { return t.value < last_.size() && (last_[t.value] == CodeOwner::kProgram || called(t)); }

 private:
  bool called(ThreadId t) {
    const CodeAddr from = call(t);
    return from != CodeAddr() && !start_calls_.contains(from);
  }

  const BlockTable& blocks_;
  const CodeOwners& owners_;
  const std::vector<bool> shim_;
  CallStacks stacks_;
  std::vector<CodeOwner> last_;  // by thread: of its last block
  std::set<CodeAddr> start_calls_;
};

}  // namespace cdr::analysis

#endif
