// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/advise_facts.h"

#include <algorithm>

#include "cdrgrind/analysis/common/result_flow.h"
#include "cdrgrind/report/advise/early_exits.h"
#include "cdrgrind/report/common/data_names.h"
#include "cdrgrind/report/common/fortran_source.h"
#include "cdrgrind/report/common/source_place.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

using advise::LibraryState;

namespace {

AddrRange page_of(uint64_t addr) {
  constexpr uint64_t kPage = 4096;
  return {addr / kPage * kPage, addr / kPage * kPage + kPage};
}

// The function around which Valgrind's kind of name says that this one is: _vgw00000ZU_libcZdsoZa_calloc.
std::string_view wrapped_name(std::string_view name) {
  constexpr std::string_view kEncoded = "ZU_";
  const size_t soname = name.starts_with("_vgw") ? name.find(kEncoded) : name.npos;
  const size_t end = soname == name.npos ? name.npos : name.find('_', soname + kEncoded.size());
  return end == name.npos ? name : name.substr(end + 1);
}

}  // namespace

AdviseFacts::AdviseFacts(const ModuleTable& modules, const ProgramScope& scope, symbols::Symbols& symbols)
    : modules_(modules),
      scope_(scope),
      symbols_(symbols),
      library_(modules.size() + 1),
      variables_(1),
      plain_(symbols) {
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
    if (is_new)
      variables_.push_back({std::string(name->variable), name->variable_size, std::string(name->variable_type),
                            name->name.substr(name->variable.size()).starts_with('.'), name->traits, name->is_member});
    p.id = id->second;
    return p;
  }
  return p;
}

std::vector<uint32_t> AdviseFacts::number_by_address() {
  std::vector<uint32_t> numbers(variables_.size());
  std::vector<Variable> ordered(1);
  for (auto& [addr, id] : ids_) {
    numbers[id] = static_cast<uint32_t>(ordered.size());
    ordered.push_back(std::move(variables_[id]));
    id = numbers[id];
  }
  variables_ = std::move(ordered);
  return numbers;
}

bool AdviseFacts::hands_on(CodeAddr call, CodeAddr callee) {
  const auto [known, is_new] = hand_on_.try_emplace(call, false);
  if (!is_new) return known->second;
  const auto [by_argument, is_new_callee] = gives_by_argument_.try_emplace(callee, false);
  if (is_new_callee && callee.module)
    by_argument->second = symbols_.linkage_name_of(callee.module.value, callee.addr).ends_with("posix_memalign");
  return known->second = call.module && returns_block(call, by_argument->second);
}

// A function that is inlined in the loop returns to it.
bool AdviseFacts::leaves_in_body(CodeAddr header, CodeAddr branch) {
  const auto depth = [&](CodeAddr at) { return symbols_.inline_chain(at.module.value, at.addr).size(); };
  if (depth(branch) > depth(header)) return false;
  const symbols::SourcePos pos = symbols_.line_of(branch.module.value, branch.addr);
  return pos.known() && !fortran_form(pos.file) && leaves_loop(plain_.of(pos.file), pos.line);
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

// The last instruction of a function is no call that returns.
slice::AfterCall AdviseFacts::after_call(ModuleId module, uint64_t target, uint64_t behind) {
  const std::string_view name = target ? symbols_.linkage_name_of(module.value, target) : std::string_view();
  if (jumps_away(name)) return slice::AfterCall::kElsewhere;
  const bool ends = never_returns(name) || (behind != 0 && symbols_.function_ends_at(module.value, behind));
  return ends ? slice::AfterCall::kNowhere : slice::AfterCall::kBehind;
}

std::string_view AdviseFacts::linkage_name(CodeAddr function) {
  const std::string_view name = symbols_.linkage_name_of(function.module.value, function.addr);
  return modules_[function.module].flags & kModulePreload ? wrapped_name(name) : name;
}

LibraryFunction AdviseFacts::function_of(CodeAddr function) {
  const std::string_view name = linkage_name(function);
  LibraryFunction found = library_function(name);
  if (found.state == LibraryState::kUnknown &&
      sets_errno_alone(symbols::base_name(modules_[function.module].path), name))
    found.state = LibraryState::kOwn;
  return found;
}

// None of what only finds the function that is called.
std::optional<std::string_view> AdviseFacts::name_of(CodeAddr function) {
  if (!function.module) return std::string_view();
  const std::string_view name = linkage_name(function);
  return name.starts_with("_dl_runtime_resolve") ? std::nullopt : std::optional(name);
}

std::optional<regions::Choice> AdviseFacts::choice_of(CodeAddr function) {
  const auto name = name_of(function);
  return name ? std::optional(library_choice(*name)) : std::nullopt;
}

std::optional<regions::Walk> AdviseFacts::walk_of(CodeAddr function) {
  const auto name = name_of(function);
  return name ? std::optional(library_walk(*name)) : std::nullopt;
}

bool AdviseFacts::moves_iterator(CodeAddr function) {
  const auto name = name_of(function);
  return name && library_moves_iterator(*name);
}

LibraryState AdviseFacts::state_of(CodeAddr function) {
  const auto [known, is_new] = states_.try_emplace(function, LibraryState::kUnknown);
  if (is_new && function.module) known->second = function_of(function).state;
  return known->second;
}

}  // namespace cdr::report
