// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/advise_facts.h"

#include <algorithm>

#include "cdrgrind/analysis/common/result_flow.h"
#include "cdrgrind/report/common/data_names.h"
#include "cdrgrind/report/common/source_place.h"

namespace cdr::report {

using advise::LibraryState;

namespace {

struct KnownFunction {
  std::string_view name;
  LibraryState state;
};
// Ascending by name.
constexpr KnownFunction kFunctions[] = {
    {"_IO_getc", LibraryState::kInput}, {"_IO_putc", LibraryState::kOutput},   {"calloc", LibraryState::kAllocator},
    {"drand48", LibraryState::kRandom}, {"fflush", LibraryState::kOutput},     {"fgetc", LibraryState::kInput},
    {"fgets", LibraryState::kInput},    {"fprintf", LibraryState::kOutput},    {"fputc", LibraryState::kOutput},
    {"fputs", LibraryState::kOutput},   {"fread", LibraryState::kInput},       {"free", LibraryState::kAllocator},
    {"fscanf", LibraryState::kInput},   {"fwrite", LibraryState::kOutput},     {"getc", LibraryState::kInput},
    {"getchar", LibraryState::kInput},  {"getline", LibraryState::kInput},     {"gets", LibraryState::kInput},
    {"lrand48", LibraryState::kRandom}, {"malloc", LibraryState::kAllocator},  {"mrand48", LibraryState::kRandom},
    {"printf", LibraryState::kOutput},  {"putc", LibraryState::kOutput},       {"putchar", LibraryState::kOutput},
    {"puts", LibraryState::kOutput},    {"rand", LibraryState::kRandom},       {"random", LibraryState::kRandom},
    {"read", LibraryState::kInput},     {"realloc", LibraryState::kAllocator}, {"scanf", LibraryState::kInput},
    {"strtok", LibraryState::kTokens},  {"vfprintf", LibraryState::kOutput},   {"vprintf", LibraryState::kOutput},
    {"write", LibraryState::kOutput},
};

// "puts" of "_IO_puts", "printf" of "__printf_chk", "fgets" of "fgets_unlocked".
std::string_view plain_name(std::string_view name) {
  if (const size_t at = name.find('@'); at != name.npos) name = name.substr(0, at);
  const auto drop_front = [&](std::string_view s) {
    if (name.starts_with(s)) name.remove_prefix(s.size());
  };
  const auto drop_back = [&](std::string_view s) {
    if (name.ends_with(s)) name.remove_suffix(s.size());
  };
  drop_front("_IO_");
  drop_front("__");
  drop_front("isoc99_");
  drop_back("_chk");
  drop_back("_unlocked");
  return name;
}

AddrRange page_of(uint64_t addr) {
  constexpr uint64_t kPage = 4096;
  return {addr / kPage * kPage, addr / kPage * kPage + kPage};
}

}  // namespace

LibraryState library_state(std::string_view function) {
  const std::string_view name = plain_name(function);
  const auto known = std::lower_bound(std::begin(kFunctions), std::end(kFunctions), name,
                                      [](const KnownFunction& f, std::string_view n) { return f.name < n; });
  return known != std::end(kFunctions) && known->name == name ? known->state : LibraryState::kUnknown;
}

AdviseFacts::AdviseFacts(const ModuleTable& modules, const ProgramScope& scope, symbols::Symbols& symbols)
    : modules_(modules), scope_(scope), symbols_(symbols), library_(modules.size() + 1), variables_(1) {
  for (const Module& m : modules) library_[m.id.value] = !scope.has(m.id) || (m.flags & kModulePreload);
}

AddrRange AdviseFacts::foreign_piece(uint64_t addr) {
  for (const symbols::ModuleSerial m : symbols_.modules_at(addr))
    if (scope_.has(ModuleId(m))) return {};
  return page_of(addr);
}

regions::StaticPiece AdviseFacts::piece_at(uint64_t addr) {
  regions::StaticPiece p;
  p.range = page_of(addr);
  for (const symbols::ModuleSerial m : symbols_.modules_at(addr)) {
    const auto name = symbols_.variable_at(m, addr);
    p.library = !scope_.has(ModuleId(m));
    if (!name || name->variable_size == 0) continue;
    p.range = {name->variable_address, name->variable_address + name->variable_size};
    const auto [id, is_new] = ids_.try_emplace(name->variable_address, static_cast<uint32_t>(variables_.size()));
    if (is_new) variables_.push_back({std::string(name->variable), name->variable_size});
    p.id = id->second;
    return p;
  }
  return p;
}

bool AdviseFacts::hands_on(CodeAddr call, CodeAddr callee) {
  const auto [known, is_new] = hand_on_.try_emplace(call, false);
  if (!is_new) return known->second;
  const auto [by_argument, is_new_callee] = gives_by_argument_.try_emplace(callee, false);
  if (is_new_callee && callee.module)
    by_argument->second =
        symbols_.function_of(callee.module.value, callee.addr).linkage_name.ends_with("posix_memalign");
  return known->second = call.module && returns_block(call, by_argument->second);
}

// Allocators of templates stand in the system's headers; that a block comes by an argument, and a pointer is returned,
// must do where no code says more.
bool AdviseFacts::returns_block(CodeAddr call, bool by_argument) {
  const auto entry_of = [&](uint64_t addr) { return symbols_.function_of(call.module.value, addr).entry; };
  const uint64_t entry = entry_of(call.addr);
  if (entry == 0) return false;
  if (by_argument)
    return symbols_.type(call.module.value, symbols_.returned_type(call.module.value, entry)).name.find('*') !=
           std::string_view::npos;
  if (of_the_system(source_place_of(std::span(&call, 1), modules_, symbols_).file)) return true;
  const analysis::ResultCode code = {
      [&](uint64_t addr, uint32_t size) { return symbols_.code_at(call.module.value, addr, size); },
      [&](uint64_t addr) { return entry_of(addr) == entry; }};
  const auto places = analysis::places_of_result(code, call.addr);
  return std::any_of(places.begin(), places.end(),
                     [](const auto& p) { return p.kind == analysis::ResultPlace::Kind::kReturned; });
}

LibraryState AdviseFacts::state_of(CodeAddr function) {
  const auto [known, is_new] = states_.try_emplace(function, LibraryState::kUnknown);
  if (is_new && function.module)
    known->second = library_state(symbols_.function_of(function.module.value, function.addr).linkage_name);
  return known->second;
}

}  // namespace cdr::report
