// SPDX-License-Identifier: GPL-2.0-or-later
// Who wants to know of every target access that counts, and where in memory it was: what a table of counts cannot tell.
// Only engines on the host can have one; of those in the tool nothing of it is compiled.
#ifndef CDRGRIND_DEPEND_COUNT_OBSERVER_H
#define CDRGRIND_DEPEND_COUNT_OBSERVER_H

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "cdrgrind/depend/code_table.h"
#include "cdrgrind/depend/part_results.h"

namespace cdr::depend {

class CountObserver {
 public:
  // Called once for each access and row, in the order of the accesses. `addr`: the lowest byte of the access that has
  // the row's key, whatever the granularity; `at`: the instruction of the access.
  virtual void counted(RowIndex row, uint64_t addr, CodeIndex at) = 0;

 protected:
  ~CountObserver() = default;
};

// Where an engine keeps its observer.
class Observation {
 public:
  void set(CountObserver& observer) { observer_ = &observer; }
  bool any() const { return observer_ != nullptr; }
  // Of the access that comes next, where addresses are rounded.
  void set_first_byte(uint64_t addr) { first_byte_ = addr; }
  void tell(RowIndex row, uint64_t addr, CodeIndex at) const {
    observer_->counted(row, std::max(addr, first_byte_), at);
  }

 private:
  CountObserver* observer_ = nullptr;
  uint64_t first_byte_ = 0;  // 0: addresses are not rounded
};
struct NoObservation {
  static void set(CountObserver&) {}
  static constexpr bool any() { return false; }
  static void set_first_byte(uint64_t) {}
  static void tell(RowIndex, uint64_t, CodeIndex) {}
};

#ifdef CDRGRIND_TOOL
using EngineObservation = NoObservation;
#else
using EngineObservation = Observation;
#endif
constexpr bool kObservable = std::is_same_v<EngineObservation, Observation>;

}  // namespace cdr::depend

#endif
