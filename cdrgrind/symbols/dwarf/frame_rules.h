// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where the canonical frame address is, by code, as the call frame information of a file tells it (.eh_frame, else
// .debug_frame): so many bytes above a register. Read when something of it is first asked for.
#ifndef CDRGRIND_SYMBOLS_DWARF_FRAME_RULES_H
#define CDRGRIND_SYMBOLS_DWARF_FRAME_RULES_H

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "cdrgrind/symbols/dwarf/dwarf_file.h"

namespace cdr::symbols {

// DWARF's numbers of registers.
constexpr std::uint64_t kFramePointer = 6;
constexpr std::uint64_t kStackPointer = 7;

// In the code [begin, end) the canonical frame address is `reg` + `distance`.
struct FrameRule {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t reg = 0;
  std::int64_t distance = 0;
};

// What is told of a function, or of a part of one.
struct FunctionFrame {
  std::uint64_t end = 0;         // of its code
  std::vector<FrameRule> rules;  // by code, neighbours that are the same joined; none where it is of another kind
  std::int64_t saved = 8;        // bytes right below the frame address: the return address and saved registers
};

// How far the frame address is from the stack pointer in the function's body, by which compilers tell places: prologue,
// epilogue and calls with arguments on the stack move it. Of a variable with `size` bytes at `from` bytes from it: it
// lies below what is saved or, an argument, above the frame. Nothing if it does nowhere.
std::optional<std::int64_t> body_distance(const FunctionFrame& frame, std::int64_t from, std::uint64_t size);

// Not thread-safe.
class FrameRules {
 public:
  // `file` must outlive it.
  explicit FrameRules(const DwarfFile& file);
  ~FrameRules();
  FrameRules(const FrameRules&) = delete;
  FrameRules& operator=(const FrameRules&) = delete;

  // Of the function with the address; null where nothing is known.
  const FunctionFrame* function_at(std::uint64_t address);
  // What there is of the code [begin, end), cut there; up to the first address of which nothing is known.
  std::vector<FrameRule> within(std::uint64_t begin, std::uint64_t end);

 private:
  class Section;

  const DwarfFile& file_;
  std::vector<std::unique_ptr<Section>> sections_;    // once asked
  std::map<std::uint64_t, FunctionFrame> functions_;  // those that were asked for, by begin
};

}  // namespace cdr::symbols

#endif
