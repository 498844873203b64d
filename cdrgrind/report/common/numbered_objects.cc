// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/numbered_objects.h"

#include <fmt/format.h>

#include <algorithm>

#include "cdrgrind/report/common/data_names.h"
#include "cdrgrind/report/common/frame_names.h"

namespace cdr::report {

namespace {

// Of equal names the places differ; a thread-local variable has one for each thread, so that of its declaration counts.
int64_t place_of(const symbols::DataName& data) {
  return data.variable_address ? static_cast<int64_t>(data.variable_address) : data.decl.line;
}

}  // namespace

ObjectName NumberedObject::seen_from(std::string_view inside) const {
  if (name.name.empty() || function.empty() || function == inside) return name;
  return {fmt::format("{} of {}", name.name, function), name.kind};
}

uint32_t NumberedObjects::in_block(uint32_t allocation, const analysis::AllocatingCalls& calls, uint64_t size,
                                   uint64_t offset) {
  Blocks& b = blocks(allocation, calls, size);
  const bool typed = offset < b.typed_bytes;
  uint32_t& number = typed ? b.by_offset[offset % b.element] : b.untyped;
  if (number == 0) number = new_in_block(allocation, calls, size, offset);
  return number;
}

NumberedObjects::Blocks& NumberedObjects::blocks(uint32_t allocation, const analysis::AllocatingCalls& calls,
                                                 uint64_t size) {
  const std::pair key(allocation, size);
  if (recent_ && key == recent_key_) return *recent_;
  const auto [known, is_new] = blocks_.try_emplace(key);
  if (is_new) {
    const HeapName name = heap_.name(calls.calls, calls.direct, size, 0);
    known->second.element = name.element;
    known->second.typed_bytes = name.typed_bytes;
  }
  recent_key_ = key;
  recent_ = &known->second;
  return *recent_;
}

// From the outermost on, functions that are put in line like others. What a function calls that is already there takes
// the place of what it called before.
std::vector<AllocatingCall> NumberedObjects::without_recursion(const std::vector<CodeAddr>& calls) {
  std::vector<AllocatingCall> path;
  const auto add = [&](const AllocatingCall& call) {
    const auto same = [&](const AllocatingCall& c) {
      return !c.place.function.empty() && c.place.function == call.place.function && c.place.file == call.place.file;
    };
    path.erase(std::find_if(path.begin(), path.end(), same), path.end());
    path.push_back(call);
  };
  for (auto c = calls.rbegin(); c != calls.rend(); ++c) {
    const std::string_view module = modules_.has(c->module) ? std::string_view(modules_[c->module].path) : "";
    const auto chain = symbols_.inline_chain(c->module.value, c->addr);
    for (auto f = chain.rbegin(); f != chain.rend(); ++f)
      add({{f->pos.known() ? f->pos.file : module, f->pos.line, f->function}, f->pos.known() ? CodeAddr() : *c});
    if (chain.empty()) add({{module, 0, {}}, *c});
  }
  std::reverse(path.begin(), path.end());
  return path;
}

// The name of an object is right for all its blocks: of several elements the largest block's, without a type one that
// tells between which sizes they are.
uint32_t NumberedObjects::new_in_block(uint32_t allocation, const analysis::AllocatingCalls& calls, uint64_t size,
                                       uint64_t offset) {
  const HeapName name = heap_.name(calls.calls, calls.direct, size, offset);
  NumberedObject object{{name.pattern, "heap"}, {}, 0, {}};
  if (same_ == SameObject::kByName) return number_of({"heap", name.pattern, {}, 0}, std::move(object));
  const Origin*& origin = origins_[allocation];
  if (!origin) {
    const auto next = static_cast<uint32_t>(origin_numbers_.size() + 1);
    origin = &*origin_numbers_.try_emplace(without_recursion(calls.calls), next).first;
  }
  object.allocated = origin->first;
  const std::string member = name.typed ? "typed" + name.member : "";
  const uint32_t number = number_of({"heap", member, {ModuleId(), origin->second}, 0}, object);
  const auto [known, is_new] = sizes_.try_emplace(number, Sizes{size, size});
  Sizes& sizes = known->second;
  if (is_new) return number;
  if (name.typed && size > sizes.greatest) objects_[number - 1].name = object.name;
  sizes = {std::min(sizes.least, size), std::max(sizes.greatest, size)};
  if (name.typed || sizes.least == sizes.greatest) return number;
  const std::string place = short_place(source_place_of(calls.calls, modules_, symbols_));
  objects_[number - 1].name.name =
      fmt::format("blocks of {} to {} bytes{}", sizes.least, sizes.greatest, place.empty() ? "" : " at " + place);
  return number;
}

uint32_t NumberedObjects::in_frame(const analysis::FramePlace& place) {
  uint32_t& number = frames_[place];
  if (number != 0) return number;
  const ModuleId module = place.function.module;
  const symbols::FunctionInfo function = symbols_.function_of(module.value, place.function.addr);
  NumberedObject object{{{}, "stack"}, function.name, place.from_base, {}};
  if (const auto name = frame_name(place, symbols_)) {
    object.name.name = name->pattern;
    object.frame_offset = name->offset;
  }
  if (same_ == SameObject::kByName) return number = number_of({"stack", object.seen_from({}).name, {}, 0}, object);
  const CodeAddr entry = function.entry ? CodeAddr{module, function.entry} : place.function;
  return number = number_of({"stack", object.name.name, entry, object.frame_offset}, object);
}

uint32_t NumberedObjects::elsewhere(uint64_t addr, uint64_t pthread, CodeAddr by) {
  constexpr uint64_t kNear = 1 << 20;
  if (addr < pthread && pthread - addr < kNear)
    if (const uint32_t number = thread_local_at(addr, pthread)) return number;
  if (nameless_.find(addr)) return by_instruction(by);
  auto next = variables_.upper_bound(addr);
  if (next != variables_.begin() && addr < std::prev(next)->second.end) {
    --next;
    return in_variable(next->first, next->second, addr);
  }
  const auto data = static_data_at(addr, symbols_);
  if (!data) {
    constexpr size_t kMost = size_t{1} << 20;
    if (nameless_.size() >= kMost) nameless_ = {};
    nameless_[addr] = 1;
    return by_instruction(by);
  }
  const uint64_t begin = data->variable_address;
  Variable& v = variables_[begin];  // a symbol without a size grows
  v.end = begin + std::max(data->variable_size, data->offset + 1);
  v.element = data->element;
  return in_variable(begin, v, addr);
}

uint32_t NumberedObjects::in_variable(uint64_t begin, Variable& variable, uint64_t addr) {
  const auto [number, is_new] = variable.by_offset.insert((addr - begin) % variable.element);
  if (!is_new) return *number;
  const auto data = static_data_at(addr, symbols_);
  if (!data) return *number = unknown();
  return *number = variable_number("global", *data);
}

uint32_t NumberedObjects::thread_local_at(uint64_t addr, uint64_t pthread) {
  const auto [number, is_new] = thread_locals_.try_emplace(pthread - addr, 0);
  if (is_new)
    if (const auto data = thread_local_data_at(addr, pthread, modules_, symbols_))
      number->second = variable_number("tls", *data);
  return number->second;
}

uint32_t NumberedObjects::by_instruction(CodeAddr by) {
  uint32_t& number = by_instruction_[by];
  if (number != 0) return number;
  const auto data = thread_local_data_of(by, modules_, symbols_);
  return number = data ? variable_number("tls", *data) : unknown();
}

uint32_t NumberedObjects::unknown() { return number_of({"unknown", "", {}, 0}, {{{}, "unknown"}, {}, 0, {}}); }

uint32_t NumberedObjects::variable_number(std::string_view kind, const symbols::DataName& data) {
  return number_of({kind, data.pattern, {}, same_ == SameObject::kByPlace ? place_of(data) : 0},
                   {{data.pattern, kind}, {}, 0, {}});
}

uint32_t NumberedObjects::number_of(Identity identity, NumberedObject object) {
  const auto [known, is_new] = numbers_.try_emplace(std::move(identity), static_cast<uint32_t>(objects_.size() + 1));
  if (is_new) objects_.push_back(std::move(object));
  return known->second;
}

}  // namespace cdr::report
