// SPDX-License-Identifier: GPL-2.0-or-later
// The names of what instructions walk over (analysis/patterns/pattern_objects.h): what has the same name is one object.
#ifndef CDRGRIND_REPORT_PATTERNS_WALKED_OBJECTS_H
#define CDRGRIND_REPORT_PATTERNS_WALKED_OBJECTS_H

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/patterns/pattern_objects.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/report/common/heap_names.h"
#include "cdrgrind/report/common/object_names.h"

namespace cdr::report {

// Everything that is asked about is remembered. Not thread-safe.
class WalkedNames final : public patterns::ObjectNumbers {
 public:
  WalkedNames(const ModuleTable& modules, symbols::Symbols& symbols)
      : modules_(modules), symbols_(symbols), heap_(modules, symbols) {}

  uint32_t in_block(uint32_t allocation, const analysis::AllocatingCalls& calls, uint64_t size,
                    uint64_t offset) override;
  uint32_t in_frame(const analysis::FramePlace& place) override;
  uint32_t elsewhere(uint64_t addr, uint64_t pthread, CodeAddr by) override;

  const ObjectName& name(uint32_t number) const { return names_[number - 1]; }

 private:
  // Blocks of one size from the same calls.
  struct Blocks {
    uint64_t element = 0, typed_bytes = 0;  // 0: without a type
    FlatMap<uint64_t, uint32_t> by_offset;  // in an element
    uint32_t untyped = 0;                   // behind the last element
  };
  Blocks& blocks(uint32_t allocation, const analysis::AllocatingCalls& calls, uint64_t size);
  uint32_t number_of(ObjectName name);

  const ModuleTable& modules_;
  symbols::Symbols& symbols_;
  HeapNames heap_;
  std::vector<ObjectName> names_;
  std::map<std::pair<std::string, std::string_view>, uint32_t> numbers_;
  std::map<std::pair<uint32_t, uint64_t>, Blocks> blocks_;
  std::pair<uint32_t, uint64_t> recent_key_;
  Blocks* recent_ = nullptr;
  std::map<analysis::FramePlace, uint32_t> frames_;
  FlatMap<uint64_t, uint32_t> fixed_;                             // by address
  std::map<std::pair<uint64_t, CodeAddr>, uint32_t> of_threads_;  // by place below the control block, or 0
};

struct WalkedName {
  ObjectName object;
  uint64_t accesses = 0;
};

// Of one pattern: most accesses first.
struct NamedWalk {
  std::vector<WalkedName> objects;
  uint64_t others = 0;  // accesses to objects that were not told apart
};
NamedWalk named(const patterns::WalkedObjects& walk, const WalkedNames& names);

// "a[…]", "a[…] (80.0 %); b[…] (12.0 %); 3 others"; empty if nothing is known.
std::string walk_text(const NamedWalk& walk);

}  // namespace cdr::report

#endif
