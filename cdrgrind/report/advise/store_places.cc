// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/store_places.h"

#include <algorithm>
#include <iterator>

#include "cdrgrind/report/advise/counted_objects.h"

namespace cdr::report {
namespace {

// As the C library and compilers name them.
bool fills_memory(std::string_view name) {
  for (const std::string_view f : {"memset", "memcpy", "memmove", "mempcpy", "bzero", "strcpy", "strncpy", "strcat"})
    if (name.find(f) != name.npos) return true;
  return false;
}

bool is_operator(std::string_view function) { return function.find("operator") != function.npos; }

bool in_frame_alone(const regions::MachineInsn& m) {
  return std::any_of(m.operands.begin(), m.operands.end(), [](const regions::Operand& o) {
    return o.kind == regions::Operand::Kind::kMemory && o.reg == regions::kRegisterRsp &&
           o.index == regions::kNoRegister;
  });
}

}  // namespace

CodeStores::CodeStores(const advise::Advisor& with, symbols::Symbols& symbols) : with_(with), symbols_(symbols) {
  std::set<std::pair<uint32_t, uint64_t>> fills;
  for (uint32_t n = 1; n <= with.blocks.superblock_count(); ++n) {
    const Superblock& sb = with.blocks.superblock(SuperblockId(n));
    for (uint32_t i = 0; i < sb.insns.size(); ++i) ran_.insert(sb.insn_addr(i));
    for (const Access& a : sb.accesses) {
      if (!a.store()) continue;
      const uint64_t at = sb.insn_addr(a.insn);
      stores_.insert(at);
      if (regions::repeats_insn(sb, at)) fills.insert({sb.module.value, at});
    }
  }
  const auto& contexts = with.regions.contexts;
  for (regions::ContextIndex c = 1; c < contexts.size(); ++c) {
    const regions::Context& context = contexts[c];
    if (!context.parent || !context.function.module) continue;
    if (!called_[context.site].insert(context.function).second) continue;
    if (is_fill(context.function)) fills.insert({contexts[context.parent].function.module.value, context.site});
  }
  for (const auto& [module, at] : fills) fills_[module].push_back(at);
}

bool CodeStores::stores(CodeAddr at) const {
  if (ran_.contains(at.addr)) return stores_.contains(at.addr);
  const regions::MachineInsn& m = insn(at);
  return m.operands[0].kind == regions::Operand::Kind::kMemory && m.operation != regions::Operation::kCompare;
}

const std::set<CodeAddr>& CodeStores::called_at(uint64_t at) const {
  static const std::set<CodeAddr> kNone;
  const auto found = called_.find(at);
  return found == called_.end() ? kNone : found->second;
}

const std::vector<uint64_t>& CodeStores::fills(ModuleId module) const {
  static const std::vector<uint64_t> kNone;
  const auto found = fills_.find(module.value);
  return found == fills_.end() ? kNone : found->second;
}

std::string_view CodeStores::name_of(CodeAddr function) const {
  return symbols_.function_of(function.module.value, function.addr).name;
}

bool CodeStores::is_fill(CodeAddr function) const { return fills_memory(name_of(function)); }

bool CodeStores::returns_object(CodeAddr function) const {
  const uint32_t type = symbols_.returned_type(function.module.value, function.addr);
  return symbols_.type_part(function.module.value, type, 0).path.starts_with('.');
}

StorePlaces::StorePlaces(const regions::Loop& loop, const LoopPlace& lines, const CodeStores& code) {
  const auto add = [&](uint64_t addr, Store store) {
    const auto frames = lines.frames_within(addr);
    if (frames.empty() || frames[0].pos.line == 0) return;
    for (size_t i = 0; i < frames.size(); ++i) {
      // Of a lambda in the loop's text that is put in line, the text is within the loop's.
      if (i > 0 && (frames[i].pos.line == 0 || frames[i].pos.file != lines.place().file)) continue;
      if (i > 0 && frames[i].function.find("lambda") == std::string_view::npos &&
          frames[i].function.find("operator()") == std::string_view::npos)
        continue;
      Store one = store;
      one.at = {frames[i].pos.line, frames[i].pos.column};
      one.inlined = i + 1 < frames.size() ? frames[i + 1].function : std::string_view();
      stores_.push_back(std::move(one));
    }
  };
  const auto add_insn = [&](uint64_t addr) {
    const CodeAddr at{loop.header.module, addr};
    const regions::MachineInsn& m = code.insn(at);
    if (m.calls) {
      add(addr, call_at(at, code));
    } else if (!m.moves_stack && code.stores(at)) {
      Store store;
      store.in_frame = in_frame_alone(m);
      store.by_frame = std::any_of(m.operands.begin(), m.operands.end(), [](const auto& o) { return o.is_in_frame(); });
      add(addr, std::move(store));
    }
  };
  for (const uint64_t addr : loop.body) add_insn(addr);
  // Statements that compilers take out of the loop, for all iterations at once.
  for (const uint64_t addr : code.fills(loop.header.module))
    if (!loop.has(addr)) add_insn(addr);
}

StorePlaces::Store StorePlaces::call_at(CodeAddr at, const CodeStores& code) {
  Store store;
  store.calls = true;
  const auto& called = code.called_at(at.addr);
  const regions::MachineInsn& m = code.insn(at);
  store.unknown = called.empty() || m.operands[0].kind != regions::Operand::Kind::kImmediate;
  for (const CodeAddr& f : called) {
    const std::string_view name = code.name_of(f);
    store.unknown |= name.empty();
    store.assigns |= code.is_fill(f) || is_operator(name) || code.returns_object(f);
    const bool is_demangled = name.find('(') != name.npos;
    store.callees.push_back(is_demangled ? plain_function_name(name) : name);
  }
  return store;
}

bool StorePlaces::matches(const Store& s, const ChangedPlace& place, bool in_frame) {
  const bool by_function = !place.function.empty();
  if (!s.calls) {
    if (s.in_frame && !in_frame) return false;
    return !by_function || s.inlined.empty() || plain_function_name(s.inlined) == place.function;
  }
  if (!s.inlined.empty() && (by_function ? plain_function_name(s.inlined) == place.function : is_operator(s.inlined)))
    return true;
  if (s.unknown || s.assigns) return true;
  return by_function && std::any_of(s.callees.begin(), s.callees.end(),
                                    [&](std::string_view c) { return c.starts_with(place.function); });
}

bool StorePlaces::shows(const ChangedPlace& place, bool in_frame, bool by_line) const {
  return std::any_of(stores_.begin(), stores_.end(), [&](const Store& s) {
    const bool is_there = by_line || s.at.second == 0 || place.begin.second == 0
                              ? place.has(s.at.first)
                              : place.begin <= s.at && s.at < place.end;
    return is_there && matches(s, place, in_frame);
  });
}

std::map<uint32_t, size_t> StorePlaces::lines() const {
  std::map<uint32_t, size_t> found;
  for (const Store& s : stores_)
    if (!s.calls && !s.by_frame && s.inlined.empty()) ++found[s.at.first];
  return found;
}

}  // namespace cdr::report
