// SPDX-License-Identifier: GPL-2.0-or-later
// Objects by number, for analyses that count what accesses are about (analysis/events/live_objects.h): variables
// without their indices, blocks of the heap, places in frames. Everything that is asked about is remembered.
#ifndef CDRGRIND_REPORT_COMMON_NUMBERED_OBJECTS_H
#define CDRGRIND_REPORT_COMMON_NUMBERED_OBJECTS_H

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/events/live_objects.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/report/common/heap_names.h"
#include "cdrgrind/report/common/object_names.h"
#include "cdrgrind/report/common/source_place.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// What makes two of them the same object.
enum class SameObject : uint8_t {
  kByName,
  // The variable, of the heap the calls that allocated it without recursion, on the stack the function and the place
  // from the canonical frame address; and the members. Blocks without a type that the same calls allocated are one
  // object, whatever their sizes.
  kByPlace,
};

// A call that allocated something, or one that a compiler has put in line.
struct AllocatingCall {
  SourcePlace place;
  CodeAddr at;  // if the line is not known
  auto operator<=>(const AllocatingCall&) const = default;
};

struct NumberedObject {
  ObjectName name;            // of a variable in a frame without the function
  std::string_view function;  // of a variable in a frame, or of a place in one; empty: not known
  int64_t frame_offset = 0;   // of the variable, or of the place, from the canonical frame address
  // Of the heap: the program's calls, innermost first; between two calls by the same function nothing.
  std::vector<AllocatingCall> allocated;

  // As a report says it that speaks of `inside`: "p", or "p of count".
  ObjectName seen_from(std::string_view inside) const;
};

// Not thread-safe.
class NumberedObjects final : public analysis::ObjectNumbers {
 public:
  NumberedObjects(const ModuleTable& modules, symbols::Symbols& symbols, SameObject same)
      : modules_(modules), symbols_(symbols), same_(same), heap_(modules, symbols) {}

  uint32_t in_block(uint32_t allocation, const analysis::AllocatingCalls& calls, uint64_t size,
                    uint64_t offset) override;
  uint32_t in_frame(const analysis::FramePlace& place) override;
  uint32_t elsewhere(uint64_t addr, uint64_t pthread, CodeAddr by) override;

  const NumberedObject& object(uint32_t number) const { return objects_[number - 1]; }

 private:
  // Blocks of one size from the same calls.
  struct Blocks {
    uint64_t element = 0, typed_bytes = 0;  // 0: without a type
    FlatMap<uint64_t, uint32_t> by_offset;  // in an element
    uint32_t untyped = 0;                   // behind the last element
  };
  // A variable with a fixed place.
  struct Variable {
    uint64_t end = 0, element = 1;
    FlatMap<uint64_t, uint32_t> by_offset;  // in an element
  };
  struct PlaceHash {
    uint64_t operator()(const analysis::FramePlace& p) const {
      return mix64(static_cast<uint64_t>(p.from_base) + mix64(p.at.addr + mix64(p.function.addr)));
    }
  };
  // What an object is told from others by: the name, or the members; where it lies, and how far from there.
  struct Identity {
    std::string_view kind;
    std::string name;
    CodeAddr origin;
    int64_t place = 0;
    auto operator<=>(const Identity&) const = default;
  };
  // The calls that allocated blocks, and their number.
  using Origin = std::pair<const std::vector<AllocatingCall>, uint32_t>;
  // The sizes of the blocks that an object's name speaks of.
  struct Sizes {
    uint64_t least = 0, greatest = 0;
  };

  Blocks& blocks(uint32_t allocation, const analysis::AllocatingCalls& calls, uint64_t size);
  std::vector<AllocatingCall> without_recursion(const std::vector<CodeAddr>& calls);
  uint32_t new_in_block(uint32_t allocation, const analysis::AllocatingCalls& calls, uint64_t size, uint64_t offset);
  uint32_t in_variable(uint64_t begin, Variable& variable, uint64_t addr);
  uint32_t thread_local_at(uint64_t addr, uint64_t pthread);
  uint32_t by_instruction(CodeAddr by);
  uint32_t variable_number(std::string_view kind, const symbols::DataName& data);
  uint32_t unknown();
  uint32_t number_of(Identity identity, NumberedObject object);

  const ModuleTable& modules_;
  symbols::Symbols& symbols_;
  const SameObject same_;
  HeapNames heap_;
  std::vector<NumberedObject> objects_;
  std::map<Identity, uint32_t> numbers_;
  std::map<uint32_t, Sizes> sizes_;  // by number
  std::map<std::vector<AllocatingCall>, uint32_t> origin_numbers_;
  std::map<uint32_t, const Origin*> origins_;  // by allocation
  std::map<std::pair<uint32_t, uint64_t>, Blocks> blocks_;
  std::pair<uint32_t, uint64_t> recent_key_;
  Blocks* recent_ = nullptr;
  FlatMap<analysis::FramePlace, uint32_t, PlaceHash> frames_;
  std::map<uint64_t, Variable> variables_;      // by their begin
  FlatMap<uint64_t, uint32_t> nameless_;        // addresses at which there is no variable
  std::map<uint64_t, uint32_t> thread_locals_;  // by place below the control block; 0: none
  std::map<CodeAddr, uint32_t> by_instruction_;
};

}  // namespace cdr::report

#endif
