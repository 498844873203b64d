// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/object_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "cdrgrind/report/common/data_names.h"
#include "cdrgrind/report/common/frame_names.h"

namespace cdr::report {

using analysis::FirstObject;

ObjectName thread_local_object(CodeAddr by, const ModuleTable& modules, symbols::Symbols& symbols) {
  if (const auto data = thread_local_data_of(by, modules, symbols)) return {data->pattern, "tls"};
  return {{}, "unknown"};
}

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

std::optional<FirstOccurrence> ObjectNames::first(const analysis::DependenceRow& row) const {
  std::optional<FirstOccurrence> first;
  const auto order = [](const analysis::FirstPlace& p) { return std::pair(p.event, p.instructions); };
  for (const uint32_t key : row.keys) {
    const auto object = objects_.find(key);
    if (object == objects_.end() || !object->second.place) return std::nullopt;
    const analysis::FirstPlace& place = *object->second.place;
    if (!first || order(place) < order(first->place)) first = {place, object->second.addr};
  }
  return first;
}

ObjectName ObjectNames::name_of(const FirstObject& o, std::string_view ancestor) {
  if (o.kind == FirstObject::Kind::kHeap) return {heap_.name(o.allocated, o.direct, o.size, o.offset).pattern, "heap"};
  if (o.kind == FirstObject::Kind::kFrame) return local(o, ancestor);
  if (const auto data = thread_local_data_at(o.addr, o.pthread, modules_, symbols_)) return {data->pattern, "tls"};
  if (const auto data = static_data_at(o.addr, symbols_)) return {data->pattern, "global"};
  return thread_local_object(o.by, modules_, symbols_);
}

ObjectName ObjectNames::local(const FirstObject& o, std::string_view ancestor) {
  const auto name = frame_name(o.frame, symbols_);
  if (!name) return {{}, "stack"};
  return {name->function == ancestor ? name->pattern : fmt::format("{} of {}", name->pattern, name->function), "stack"};
}

}  // namespace cdr::report
