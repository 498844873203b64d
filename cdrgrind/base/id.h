// SPDX-License-Identifier: GPL-2.0-or-later
// Strong ids. One small template; 0 means "none"; mixing two kinds does not compile.
#ifndef CDRGRIND_BASE_ID_H
#define CDRGRIND_BASE_ID_H

#include <compare>
#include <cstdint>

namespace cdr {

template <class Tag>
struct Id {
  uint32_t value = 0;

  constexpr Id() = default;
  constexpr explicit Id(uint32_t v) : value(v) {}
  constexpr explicit operator bool() const { return value != 0; }
  constexpr auto operator<=>(const Id&) const = default;
};

using ThreadId = Id<struct ThreadTag>;          // serial number: main is 1, never reused
using StackId = Id<struct StackTag>;            // a range of memory used as a stack
using ModuleId = Id<struct ModuleTag>;          // one mapping of one object file
using SuperblockId = Id<struct SuperblockTag>;  // straight-line code with several exits
using BlockId = Id<struct BlockTag>;            // a superblock up to the exit that it took

}  // namespace cdr

#endif
