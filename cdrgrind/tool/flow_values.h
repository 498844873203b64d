// SPDX-License-Identifier: GPL-2.0-or-later
// What the bytes of a result depend on, for VEX's operations that keep parts apart: conversions, lanes of vectors,
// scalar arithmetic in the lowest lane. All others mix everything.
#ifndef CDRGRIND_TOOL_FLOW_VALUES_H
#define CDRGRIND_TOOL_FLOW_VALUES_H

#include <array>
#include <cstdint>
#include <span>

#include "cdrgrind/base/dataflow_builder.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

struct FlowValue {
  static constexpr uint32_t kMostBytes = 32;
  uint32_t size = 0;
  std::array<DataflowBuilder::Origin, kMostBytes> bytes;

  std::span<const DataflowBuilder::Origin> view() const { return {bytes.data(), size}; }
  // All bytes of one set.
  static FlowValue uniform(uint32_t size, DataflowBuilder::Set s) {
    FlowValue v;
    v.size = size;
    for (uint32_t i = 0; i < size; ++i) v.bytes[i] = s;
    return v;
  }
};

// The result, of `size` bytes, of an operation on `args` (one to four).
FlowValue flow_of_operation(IROp op, uint32_t size, std::span<const FlowValue* const> args, DataflowBuilder& builder);

// Whether equal operands make a constant.
bool cancels(IROp op);

}  // namespace cdr::tool

#endif
