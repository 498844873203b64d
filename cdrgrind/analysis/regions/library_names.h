// SPDX-License-Identifier: GPL-2.0-or-later
// What libraries keep for their functions: known by the functions' names.
#ifndef CDRGRIND_ANALYSIS_REGIONS_LIBRARY_NAMES_H
#define CDRGRIND_ANALYSIS_REGIONS_LIBRARY_NAMES_H

#include <cstdint>
#include <optional>

#include "cdrgrind/analysis/regions/machine_insn.h"
#include "cdrgrind/base/range.h"

namespace cdr::regions {

enum class LibraryState : uint8_t {
  kUnknown,
  kOutput,
  kInput,
  kRandom,
  kTokens,  // where the last call came to
  kAllocator,
  kOwn,      // each thread its own, or changed by atomic operations alone
  kBuffer,   // the last result
  kProcess,  // of the whole process
};
// Whether several threads may go on with it at once as it is.
constexpr bool is_for_everybody(LibraryState s) { return s == LibraryState::kAllocator || s == LibraryState::kOwn; }

// What a function returns of its two arguments: the greater (kMax), the less (kMin), or neither (kOther).
struct Choice {
  Operation operation = Operation::kOther;
  bool by_reference = false;
  bool operator==(const Choice&) const = default;
};

// What a function returns of its first argument, a place in a container: the next place, the one before, or the one as
// many further on, or back, as its second argument says; or that place itself, as memset does, which is no step.
enum class Walk : uint8_t { kNone, kForwards, kBackwards, kByDistance, kStays };

class LibraryNames {
 public:
  virtual LibraryState state_of(CodeAddr function) = 0;
  // None of what only finds the function that is called.
  virtual std::optional<Choice> choice_of(CodeAddr function) = 0;
  // The same.
  virtual std::optional<Walk> walk_of(CodeAddr function) = 0;
  // Whether the function moves the iterator that its first argument points to, as its type does and nobody else: what
  // it leaves follows from what was there and from the container's links.
  virtual bool moves_iterator(CodeAddr function) = 0;
  // Whether the function in which a call stands hands the block that the callee has allocated on to its own caller.
  virtual bool hands_on(CodeAddr call, CodeAddr callee) = 0;

 protected:
  ~LibraryNames() = default;
};

}  // namespace cdr::regions

#endif
