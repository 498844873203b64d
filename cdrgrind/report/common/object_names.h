// SPDX-License-Identifier: GPL-2.0-or-later
// The names of data in dependences: variables with fixed places and thread-local ones without their indices, blocks
// of the heap (heap_names.h), variables and parameters in frames (frame_names.h). What debug information does not know
// has none.
#ifndef CDRGRIND_REPORT_COMMON_OBJECT_NAMES_H
#define CDRGRIND_REPORT_COMMON_OBJECT_NAMES_H

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/analysis/dependence/first_objects.h"
#include "cdrgrind/analysis/dependence/rows.h"
#include "cdrgrind/report/common/heap_names.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

struct ObjectName {
  std::string name;       // "grid[…].left", "block of 40 bytes at list.c:12", "p", "p of count"; empty: not known
  std::string_view kind;  // global, tls, heap, stack, unknown
  bool operator==(const ObjectName&) const = default;
};

// What has a place beside its thread's control block, by an instruction that names it so; else unknown.
ObjectName thread_local_object(CodeAddr by, const ModuleTable& modules, symbols::Symbols& symbols);

struct FirstOccurrence {
  analysis::FirstPlace place;
  uint64_t addr = 0;
};

// Of the keys of rows; what was not looked for is not known. Not thread-safe.
class ObjectNames {
 public:
  ObjectNames(const ModuleTable& modules, symbols::Symbols& symbols)
      : modules_(modules), symbols_(symbols), heap_(modules, symbols) {}

  void add(uint32_t key, const analysis::FirstObject& object) { objects_[key] = object; }
  // The first of all its keys' first places; none if one is not known.
  std::optional<FirstOccurrence> first(const analysis::DependenceRow& row) const;
  // Different ones, that of the most frequent key first.
  std::vector<ObjectName> of(const analysis::DependenceRow& row);

 private:
  ObjectName name_of(const analysis::FirstObject& object, std::string_view ancestor);
  ObjectName local(const analysis::FirstObject& object, std::string_view ancestor);

  const ModuleTable& modules_;
  symbols::Symbols& symbols_;
  HeapNames heap_;
  std::map<uint32_t, analysis::FirstObject> objects_;
};

}  // namespace cdr::report

#endif
