// SPDX-License-Identifier: GPL-2.0-or-later
// Machine code that was mapped, also where it was not executed. The analysis reads no files: callers do.
#ifndef CDRGRIND_ANALYSIS_SLICE_CODE_BYTES_H
#define CDRGRIND_ANALYSIS_SLICE_CODE_BYTES_H

#include <cstdint>
#include <span>

#include "cdrgrind/base/id.h"

namespace cdr::slice {

// Where the caller goes on. Nowhere: the program ends, or an exception is thrown. Elsewhere: another function does.
enum class AfterCall : uint8_t { kBehind, kNowhere, kElsewhere };

class CodeBytes {
 public:
  // Up to `size` bytes at `addr` of the module; empty if they are not known to be what was mapped.
  virtual std::span<const uint8_t> code_at(ModuleId module, uint64_t addr, uint32_t size) = 0;
  // Of a call in the module: of the function at `target`, 0 if it is computed; to `behind`, 0 if something goes on
  // there. What is not known goes on behind.
  virtual AfterCall after_call(ModuleId /*module*/, uint64_t /*target*/, uint64_t /*behind*/) {
    return AfterCall::kBehind;
  }

 protected:
  ~CodeBytes() = default;
};

// Nothing is known.
class NoCode final : public CodeBytes {
 public:
  std::span<const uint8_t> code_at(ModuleId, uint64_t, uint32_t) override { return {}; }
};

}  // namespace cdr::slice

#endif
