// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/atomic_orders.h"

#include <algorithm>
#include <string_view>

#include "cdrgrind/analysis/races/policy/runtime_code.h"
#include "cdrgrind/report/races/atomic_functions.h"

namespace cdr::report {

namespace {

using races::AtomicOperation;
using symbols::OrderArgument;
using symbols::OrderedCopy;

// Wrappers that pass an order on, and functions whose fences count.
constexpr size_t kMostSites = 6;

// The values of memory_order.
enum : int64_t { kRelaxed, kConsume, kAcquire, kRelease, kAcquireRelease, kSequential };

bool acquires(int64_t order) {
  return order == kConsume || order == kAcquire || order == kAcquireRelease || order == kSequential;
}
bool releases(int64_t order) { return order == kRelease || order == kAcquireRelease || order == kSequential; }

bool is_fence(const OrderedCopy& c) { return c.linkage_name.find("atomic_thread_fence") != std::string_view::npos; }

bool has(const OrderedCopy& c, uint64_t addr) {
  return std::any_of(c.code.begin(), c.code.end(),
                     [&](const symbols::DataRange& r) { return addr >= r.begin && addr < r.end; });
}

// Of functions that take no order.
std::optional<AtomicOperation> by_name(std::string_view function) {
  if (is_atomic_constructor(function) || is_count_reader(function)) return AtomicOperation{true, false, false, false};
  if (is_atomic_operator(function) || is_count_function(function)) return AtomicOperation{true, true, true, false};
  return std::nullopt;
}

}  // namespace

AtomicOrders::AtomicOrders(const ModuleTable& modules, symbols::Symbols& symbols, races::CodeFacts& code)
    : modules_(modules),
      symbols_(symbols),
      values_(code, [this](CodeAddr at) { return entry_of(at); }),
      source_fences_(symbols) {}

AtomicOperation AtomicOrders::at(Sites sites) {
  sites = sites.first(std::min(sites.size(), kMostSites));
  if (sites.empty()) return {};
  const auto [known, is_new] = known_.try_emplace({sites.begin(), sites.end()});
  if (is_new) known->second = operation(sites);
  return known->second;
}

// What is inlined into another function hands on what that was given: the innermost that is known counts.
AtomicOperation AtomicOrders::operation(Sites sites) {
  const CodeAddr at = sites.front();
  const auto chain = symbols_.inline_chain(at.module.value, at.addr);
  const auto& all = copies(function_of(at));
  AtomicOperation o;
  bool exchanges = false;
  for (size_t i = 0; i < chain.size() && is_atomic_function(chain[i].function) && !o.known; ++i) {
    exchanges |= is_exchange_function(chain[i].function);
    const auto copy = std::find_if(all.begin(), all.end(), [&](const OrderedCopy& c) {
      return c.depth == chain.size() - 1 - i && (c.depth == 0 || has(c, at.addr));
    });
    auto found = copy != all.end() ? by_orders(*copy, sites) : by_name(chain[i].function);
    if (found) o = *found;
  }
  o.exchanges = exchanges;
  if (o.known) add_fences(sites, o);
  return o;
}

// compare_exchange has two, for success and failure. Which of them happened is not known, so it may acquire by either.
std::optional<AtomicOperation> AtomicOrders::by_orders(const OrderedCopy& copy, Sites sites) {
  AtomicOperation o{true, false, false, false};
  for (size_t i = 0; i < copy.arguments.size(); ++i) {
    const auto order = constant(copy.arguments[i], sites);
    if (!order || *order < kRelaxed || *order > kSequential) return std::nullopt;
    o.gets |= acquires(*order);
    o.gives |= i == 0 && releases(*order);
  }
  return o;
}

std::optional<int64_t> AtomicOrders::constant(const OrderArgument& argument, Sites sites) {
  using Place = OrderArgument::Place;
  using Kind = ArgumentValue::Kind;
  if (argument.place == Place::kConstant) return argument.value;
  if (argument.place == Place::kInFrame)
    return passed(values_.in_frame(function_of(sites.front()), argument.value), sites);
  if (argument.place == Place::kInRegister) return passed({Kind::kArgument, argument.value}, sites);
  return std::nullopt;
}

// Calls with the address in a register, and tail calls in between, lead elsewhere as far as is known.
std::optional<int64_t> AtomicOrders::passed(ArgumentValue value, Sites sites) {
  using Kind = ArgumentValue::Kind;
  for (size_t i = 1; value.kind == Kind::kArgument && i < sites.size(); ++i) {
    if (!leads_to(sites[i], function_of(sites[i - 1]))) return std::nullopt;
    value = values_.in_register(sites[i], static_cast<uint8_t>(value.value));
  }
  return value.kind == Kind::kConstant ? std::optional(value.value) : std::nullopt;
}

// At once, or by a stub of the linkage table.
bool AtomicOrders::leads_to(CodeAddr call, CodeAddr function) {
  const uint64_t called = values_.called_by(call);
  if (called == 0 || function.addr == 0) return false;
  if (called == function.addr && call.module == function.module) return true;
  const auto stub = symbols_.function_of(call.module.value, called);
  const auto target = symbols_.function_of(function.module.value, function.addr);
  return !target.linkage_name.empty() && stub.linkage_name.starts_with(target.linkage_name) &&
         stub.linkage_name.substr(target.linkage_name.size()) == "@plt";
}

// Most fences leave no instruction behind, so a trace does not tell when they were passed. A fence in one of the
// functions that are open, or in one that these call, is taken for one behind every load and before every store.
void AtomicOrders::add_fences(Sites sites, AtomicOperation& to) {
  for (const CodeAddr site : sites) {
    if (to.gets && to.gives) return;
    const Fences& fences = fences_around(function_of(site));
    to.gets |= fences.acquire;
    to.gives |= fences.release;
  }
}

// What starts threads, or calls back, has its fences for itself: glibc 2.41 has some below start_thread.
bool AtomicOrders::has_own_fences(ModuleId module) const {
  const Module& m = modules_[module];
  return races::is_runtime_library(m) || races::is_parallel_runtime(m);
}

const AtomicOrders::Fences& AtomicOrders::fences_around(CodeAddr function) {
  const auto [known, is_new] = fences_around_.try_emplace(function);
  if (!is_new || function.addr == 0 || has_own_fences(function.module)) return known->second;
  Fences all = fences_in(function);
  for (const uint64_t called : values_.called_in(function)) {
    const Fences& f = fences_in({function.module, called});
    all.acquire |= f.acquire;
    all.release |= f.release;
  }
  return known->second = all;
}

const AtomicOrders::Fences& AtomicOrders::fences_in(CodeAddr function) {
  const auto [known, is_new] = fences_in_.try_emplace(function);
  if (is_new) known->second = find_fences(function);
  return known->second;
}

AtomicOrders::Fences AtomicOrders::find_fences(CodeAddr function) {
  Fences found;
  const auto& all = copies(function);
  for (const OrderedCopy& c : all) {
    if (!is_fence(c)) continue;
    for (const OrderArgument& a : c.arguments) {
      const auto order = constant(a, {&function, 1});
      found.acquire |= !order || acquires(*order);
      found.release |= !order || releases(*order);
    }
  }
  for (const uint64_t at : values_.full_fences(function))
    if (std::none_of(all.begin(), all.end(), [&](const OrderedCopy& c) { return is_fence(c) && has(c, at); }))
      found.acquire = found.release = true;
  for (const FenceCall& c : source_fences_.around(function.module, values_.insns_of(function))) {
    found.acquire |= c.acquires;
    found.release |= c.releases;
  }
  return found;
}

const std::vector<OrderedCopy>& AtomicOrders::copies(CodeAddr function) {
  const auto [known, is_new] = copies_.try_emplace(function);
  if (is_new && function.addr != 0) known->second = symbols_.ordered_copies(function.module.value, function.addr);
  return known->second;
}

}  // namespace cdr::report
