// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/heap_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "cdrgrind/report/common/data_names.h"
#include "cdrgrind/report/common/source_place.h"

namespace cdr::report {

using analysis::ResultPlace;
using symbols::LocalName;
using Kind = ResultPlace::Kind;

namespace {

bool covers(const symbols::DataRange& range, uint64_t addr) { return range.begin <= addr && addr < range.end; }

// "ns::T<int>::T(int)" constructs.
bool is_constructor(std::string_view function) {
  const size_t end = std::min(function.find('('), function.size());
  size_t scope = std::string_view::npos;
  int depth = 0;
  for (size_t i = 0; i + 1 < end; ++i) {
    depth += function[i] == '<';
    depth -= function[i] == '>';
    if (depth == 0 && function[i] == ':' && function[i + 1] == ':') scope = i;
  }
  if (scope == std::string_view::npos) return false;
  const std::string_view name = function.substr(scope + 2, end - scope - 2);
  std::string_view of = function.substr(0, scope);
  of = of.substr(0, of.find('<'));
  const size_t outer = of.rfind("::");
  if (outer != std::string_view::npos) of = of.substr(outer + 2);
  return !name.empty() && name.substr(0, name.find('<')) == of;
}

}  // namespace

HeapName HeapNames::name(std::span<const CodeAddr> allocated, size_t direct, uint64_t size, uint64_t offset) {
  const std::string place = short_place(source_place_of(allocated, modules_, symbols_));
  const std::string at = place.empty() ? "" : " at " + place;
  const std::string block = fmt::format("block of {} bytes{}", size, at);
  const Known k = known(allocated.first(std::min(direct, allocated.size())));
  const symbols::TypeInfo type = k.type ? symbols_.type(k.module.value, k.type) : symbols::TypeInfo();
  const bool several = type.size != 0 && size >= 2 * type.size;
  const uint64_t typed = type.size == 0 ? 0 : several ? size / type.size * type.size : type.size;
  if (typed == 0 || typed > size || offset >= typed)
    return {block, fmt::format("{} + {}", block, offset), block, false, {}};
  const std::string where = k.is_global || place.empty() ? "" : ", block" + at;
  const std::string base(k.holder.empty() ? type.name : k.holder);
  symbols::TypePart part = symbols_.type_part(k.module.value, k.type, offset % type.size);
  part.path = without_insides(part.path);
  part.pattern = without_insides(part.pattern);
  const auto text = [&](const std::string& path, const std::string& index) {
    if (several) return base + "[" + index + "]" + path + where;
    if (k.holder.empty()) return base + path + where;
    if (path.starts_with('.')) return base + "->" + path.substr(1) + where;
    return (path.empty() ? "*" + base : "(*" + base + ")" + path) + where;
  };
  return {base + where,
          text(part.path, std::to_string(offset / type.size)),
          text(part.pattern, "…"),
          true,
          part.pattern,
          type.size,
          typed};
}

const HeapNames::Known& HeapNames::known(std::span<const CodeAddr> allocated) {
  const auto [k, is_new] = known_.try_emplace({allocated.begin(), allocated.end()});
  if (is_new) k->second = find(allocated);
  return k->second;
}

// From the innermost call outwards, as long as the result is only passed on.
HeapNames::Known HeapNames::find(std::span<const CodeAddr> allocated) {
  Known returned;  // by the type of a function that returns it, the innermost
  for (const CodeAddr call : allocated) {
    if (!modules_.has(call.module)) return returned;
    const ModuleId module = call.module;
    const uint64_t entry = entry_of(call);
    if (entry == 0) return returned;
    const analysis::ResultCode code = {
        [&](uint64_t addr, uint32_t size) { return symbols_.code_at(module.value, addr, size); },
        [&](uint64_t addr) {
          return entry_of({module, addr}) == entry;
        },
        entry};
    const std::vector<ResultPlace> places = analysis::places_of_result(code, call.addr);
    if (const Known k = by_places(call, places); k.type) {
      const bool better = !returned.type || (!k.holder.empty() && same_type(k, returned));
      return better ? k : returned;
    }
    const auto is_return = [](const ResultPlace& p) { return p.kind == Kind::kReturned; };
    if (std::none_of(places.begin(), places.end(), is_return)) return returned;
    if (!returned.type) returned = pointed_to(module, symbols_.returned_type(module.value, entry)).value_or(Known());
  }
  return returned;
}

// Numbers of types are a module's, and each unit has its own.
bool HeapNames::same_type(const Known& a, const Known& b) {
  const symbols::TypeInfo of_a = symbols_.type(a.module.value, a.type), of_b = symbols_.type(b.module.value, b.type);
  return of_a.name == of_b.name && of_a.size == of_b.size;
}

// A variable that others can name is better than one of the function.
HeapNames::Known HeapNames::by_places(CodeAddr call, const std::vector<ResultPlace>& places) {
  std::optional<Known> best;
  for (const ResultPlace& p : places) {
    std::optional<Known> k;
    if (p.kind == Kind::kArgument) k = constructed(call.module, p.addr);
    if (auto pointer = pointer_at(call, p)) {
      k = pointed_to(call.module, pointer->type);
      if (k) k->holder = std::move(pointer->name);
      if (k) k->is_global = pointer->is_global;
    }
    if (!k) continue;
    if (k->is_global) return *k;
    if (!best || (best->holder.empty() && !k->holder.empty())) best = k;
  }
  return best.value_or(Known());
}

std::optional<HeapNames::Known> HeapNames::pointed_to(ModuleId module, uint32_t pointer) {
  if (pointer == 0) return std::nullopt;
  const uint32_t type = symbols_.type(module.value, pointer).points_to;
  if (type == 0 || symbols_.type(module.value, type).size == 0) return std::nullopt;
  return Known{{}, false, module, type};
}

std::optional<HeapNames::Pointer> HeapNames::pointer_at(CodeAddr call, const ResultPlace& place) {
  switch (place.kind) {
    case Kind::kFixed:
      return fixed_pointer(call.module, place.addr);
    case Kind::kFrame:
    case Kind::kRegister:
      return local_pointer(call, place);
    case Kind::kBehind:
      return pointer_behind(call, place);
    default:
      return std::nullopt;
  }
}

std::optional<HeapNames::Pointer> HeapNames::fixed_pointer(ModuleId module, uint64_t addr) {
  const auto variable = symbols_.variable_at(module.value, addr);
  if (!variable) return std::nullopt;
  const uint32_t type = symbols_.type_of_variable(module.value, addr - variable->offset);
  const symbols::TypePart part = symbols_.type_part(module.value, type, variable->offset);
  if (part.offset != 0) return std::nullopt;
  // Of a member of a library's own only the type is told.
  if (part.path.find("._") != std::string::npos) return Pointer{{}, part.type, false};
  return Pointer{std::string(variable->variable) + part.path, part.type, true};
}

std::optional<HeapNames::Pointer> HeapNames::local_pointer(CodeAddr call, const ResultPlace& place) {
  constexpr int64_t kAboveFramePointer = 16;  // the canonical frame address
  const uint64_t entry = entry_of(call);
  const bool in_frame = place.kind == Kind::kFrame;
  if (in_frame && !has_frame_pointer(call.module, entry)) return std::nullopt;
  const LocalName* best = nullptr;
  const std::vector<LocalName> locals = symbols_.locals_of(call.module.value, entry);
  for (const LocalName& n : locals) {
    if (!covers(n.code, place.at) || !covers(n.scope, place.at)) continue;
    if (in_frame ? n.reg != LocalName::kInFrame || n.offset != place.offset - kAboveFramePointer : n.reg != place.reg)
      continue;
    if (!best || n.scope.end - n.scope.begin < best->scope.end - best->scope.begin) best = &n;
  }
  if (!best) return std::nullopt;
  Pointer p{{}, best->type, false};
  // Names that begin so are the libraries', of functions that were put in line.
  if (best->name != "this" && !best->name.starts_with('_') && best->path.find("._") == std::string_view::npos)
    p.name = fmt::format("{}{}", best->name, best->path);
  return p;
}

// Only within what each of them points to.
std::optional<HeapNames::Pointer> HeapNames::pointer_behind(CodeAddr call, ResultPlace place) {
  place.kind = place.first;
  std::optional<Pointer> p = pointer_at(call, place);
  for (const int64_t step : place.steps) {
    if (!p) return std::nullopt;
    const uint32_t type = symbols_.type(call.module.value, p->type).points_to;
    const uint64_t size = type ? symbols_.type(call.module.value, type).size : 0;
    if (step < 0 || static_cast<uint64_t>(step) >= size) return std::nullopt;
    const symbols::TypePart part = symbols_.type_part(call.module.value, type, static_cast<uint64_t>(step));
    if (part.offset != 0) return std::nullopt;
    p->type = part.type;
    p->is_global = false;
    if (p->name.empty() || part.path.find("._") != std::string::npos)
      p->name.clear();
    else if (part.path.starts_with('.'))
      p->name += "->" + part.path.substr(1);
    else
      p->name = "(*" + p->name + ")" + part.path;
  }
  return p;
}

std::optional<HeapNames::Known> HeapNames::constructed(ModuleId module, uint64_t callee) {
  const symbols::FunctionInfo function = symbols_.function_of(module.value, callee);
  if (function.entry != callee || !is_constructor(function.name)) return std::nullopt;
  for (const LocalName& n : symbols_.locals_of(module.value, callee))
    if (n.name == "this") return pointed_to(module, n.type);
  return std::nullopt;
}

// push %rbp; mov %rsp,%rbp, perhaps behind endbr64.
bool HeapNames::has_frame_pointer(ModuleId module, uint64_t entry) {
  constexpr uint8_t kMark[] = {0xf3, 0x0f, 0x1e, 0xfa}, kFrame[] = {0x55, 0x48, 0x89, 0xe5};
  const auto begins = [&](uint64_t addr, std::span<const uint8_t> with) {
    const auto code = symbols_.code_at(module.value, addr, with.size());
    return std::equal(code.begin(), code.end(), with.begin(), with.end());
  };
  return begins(begins(entry, kMark) ? entry + sizeof kMark : entry, kFrame);
}

uint64_t HeapNames::entry_of(CodeAddr at) { return symbols_.function_of(at.module.value, at.addr).entry; }

}  // namespace cdr::report
