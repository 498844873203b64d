// SPDX-License-Identifier: GPL-2.0-or-later
// Half-open ranges of guest addresses and addresses of code.
#ifndef CDRGRIND_BASE_RANGE_H
#define CDRGRIND_BASE_RANGE_H

#include <compare>
#include <cstdint>

#include "cdrgrind/base/id.h"

namespace cdr {

struct AddrRange {
  uint64_t begin = 0;
  uint64_t end = 0;

  constexpr bool contains(uint64_t addr) const { return begin <= addr && addr < end; }
  constexpr bool overlaps(const AddrRange& o) const { return begin < o.end && o.begin < end; }
  constexpr uint64_t size() const { return end - begin; }
  constexpr bool empty() const { return begin >= end; }
  constexpr auto operator<=>(const AddrRange&) const = default;
};

// A runtime code address together with the module mapped there at the time (0: none, e.g. JIT code).
struct CodeAddr {
  ModuleId module;
  uint64_t addr = 0;

  constexpr auto operator<=>(const CodeAddr&) const = default;
};

}  // namespace cdr

#endif
