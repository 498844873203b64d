// SPDX-License-Identifier: GPL-2.0-or-later
// What the race analysis has to be told about code and data: it knows neither debug information nor files.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_FACTS_H
#define CDRGRIND_ANALYSIS_RACES_CORE_FACTS_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/module_table.h"
#include "cdrgrind/base/range.h"

namespace cdr::races {

enum class AtomicUse : uint8_t {
  kUsed,    // or not known
  kUnused,  // a counter that nobody looks at
  kStore,   // the instruction is a store of the source
};

// What the language lets an atomic operation do, by its memory order and by the fences around it.
struct AtomicOperation {
  bool known = false;      // else it is presumed to acquire and to release
  bool gets = true;        // what it reads may be the end of an edge
  bool gives = true;       // what it writes may be the beginning of one
  bool exchanges = false;  // a read-modify-write of the source, whatever the instruction is
  bool operator==(const AtomicOperation&) const = default;
};

// Whether a store's line in the source says that it is atomic.
enum class StoreSource : uint8_t { kNotRead, kPlain, kAtomic };

// A loop under `omp for' that the compiler shares out by itself.
struct LoopStatement {
  uint32_t number = 0;        // of the statement in the program; 0: the instruction belongs to none
  bool known = false;         // the instruction has a line
  bool head = false;          // it is the pragma's, or that of `for (...)'
  bool nests = false;         // there are loops in the loop
  bool in_chunks = false;     // of several iterations: a loop around it goes from one to the next
  bool is_collapsed = false;  // several loops of the source are one
  bool pragma = false;        // it is the pragma's alone
};

class CodeFacts {
 public:
  // The instruction belongs to a member of std::atomic and the like.
  virtual bool is_atomic_code(CodeAddr at) = 0;
  // The address lies in a variable, or a part of one, of an atomic type.
  virtual bool is_atomic_data(uint64_t addr) = 0;
  // What the source has at a store's instruction, or at the call that leads to it.
  virtual StoreSource source_of_store(CodeAddr at) = 0;
  // What becomes of the old value that the atomic instruction reads.
  virtual AtomicUse use_of_atomic(CodeAddr at, uint32_t length) = 0;
  // The source says that the load, or the store, is an atomic one, though the instruction is as any other.
  virtual bool is_atomic_in_source(CodeAddr /*at*/, bool /*store*/) { return false; }
  // What a directive of the source says of the atomic access.
  virtual AtomicOperation directive_operation(CodeAddr /*at*/) { return {}; }
  // What operation of the source the atomic access belongs to: the instruction, and the calls that lead to it,
  // innermost first.
  virtual AtomicOperation atomic_operation(std::span<const CodeAddr> /*sites*/) { return {}; }
  // The compiler put the call there for a construct of the source (a static loop, master): the line has no such call.
  virtual bool is_for_construct(CodeAddr /*call*/) { return false; }
  // The statement that the instruction belongs to, if it is a function's own, not of one that is inlined there.
  virtual LoopStatement loop_statement_at(CodeAddr /*at*/) { return {}; }
  // The number of the statement for which the compiler put a call there; 0: none.
  virtual uint32_t statement_of_call(CodeAddr /*call*/) { return 0; }
  // Of the static variables of a thread, in all modules together.
  virtual uint64_t thread_local_bytes() { return 0; }
  // Machine code, if it is known to be what ran; else nothing.
  virtual std::span<const uint8_t> code_at(CodeAddr at, uint32_t size) = 0;
  // Where the function begins that the instruction belongs to; 0: not known.
  virtual uint64_t function_begin(CodeAddr /*at*/) { return 0; }
  // The function that begins there, or the stub of it, yields or sleeps, and nothing else.
  virtual bool only_waits(CodeAddr function) = 0;
  // The same number for instructions of the same source line; 0: not known.
  virtual uint64_t line_number_of(CodeAddr at) = 0;
  // The static variable that holds the address; empty: none is known.
  virtual AddrRange variable_at(uint64_t addr) = 0;
  // Data of the module's file as mapped, without its code.
  virtual std::vector<AddrRange> data_of(const Module& m) = 0;
  // Variables of libraries that stand in this module's data, as std::cout.
  virtual std::vector<AddrRange> copied_by(const Module& m) = 0;
  // Variables of the module's that others may name, as environ.
  virtual std::vector<AddrRange> exported_by(const Module& /*m*/) { return {}; }

 protected:
  ~CodeFacts() = default;
};

}  // namespace cdr::races

#endif
