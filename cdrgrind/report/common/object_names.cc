// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/object_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "cdrgrind/report/common/data_names.h"
#include "cdrgrind/report/common/source_place.h"

namespace cdr::report {

using analysis::FirstObject;
using symbols::LocalName;

namespace {

bool holds(const symbols::DataRange& range, uint64_t addr) { return range.begin <= addr && addr < range.end; }

// The innermost block's that has its place there.
const LocalName* local_at(const std::vector<LocalName>& locals, const FirstObject& o) {
  const LocalName* best = nullptr;
  for (const LocalName& n : locals) {
    if (n.reg != LocalName::kInFrame || !holds(n.code, o.at.addr) || !holds(n.scope, o.at.addr)) continue;
    if (o.from_base < n.offset || o.from_base >= n.offset + static_cast<int64_t>(std::max<uint64_t>(n.size, 1)))
      continue;
    if (!best || n.scope.end - n.scope.begin < best->scope.end - best->scope.begin) best = &n;
  }
  return best;
}

}  // namespace

std::vector<ObjectName> ObjectNames::of(const analysis::DependenceRow& row) {
  std::vector<ObjectName> names;
  for (const uint32_t key : row.keys) {
    const auto object = objects_.find(key);
    if (object == objects_.end()) continue;
    ObjectName name = name_of(object->second, row.ancestor);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

ObjectName ObjectNames::name_of(const FirstObject& o, std::string_view ancestor) {
  if (o.kind == FirstObject::Kind::kHeap) return heap(o);
  if (o.kind == FirstObject::Kind::kFrame) return local(o, ancestor);
  if (const auto data = static_data_at(o.addr, symbols_)) return {data->pattern, "global"};
  return {{}, "unknown"};
}

ObjectName ObjectNames::heap(const FirstObject& o) {
  const std::string place = short_place(source_place_of(o.allocated, modules_, symbols_));
  return {fmt::format("block of {} bytes{}", o.size, place.empty() ? "" : " at " + place), "heap"};
}

ObjectName ObjectNames::local(const FirstObject& o, std::string_view ancestor) {
  const symbols::FunctionInfo function = symbols_.function_of(o.function.module.value, o.function.addr);
  if (function.entry == 0) return {{}, "stack"};
  const std::vector<LocalName> locals = symbols_.locals_of(o.function.module.value, function.entry);
  const LocalName* const n = local_at(locals, o);
  if (!n) return {{}, "stack"};
  const std::string name(n->name);
  return {function.name == ancestor ? name : fmt::format("{} of {}", name, function.name), "stack"};
}

}  // namespace cdr::report
