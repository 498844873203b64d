// SPDX-License-Identifier: GPL-2.0-or-later
// What the memory order of an atomic access lets it do, and the fences around it: from debug information, from the
// constants that the machine code passes, and of fences from the source. docs/races.md, "Memory orders".
#ifndef CDRGRIND_REPORT_RACES_ATOMIC_ORDERS_H
#define CDRGRIND_REPORT_RACES_ATOMIC_ORDERS_H

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "cdrgrind/analysis/races/core/facts.h"
#include "cdrgrind/base/module_table.h"
#include "cdrgrind/report/races/argument_values.h"
#include "cdrgrind/report/races/source_fences.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// What is given must outlive it. Not thread-safe.
class AtomicOrders {
 public:
  AtomicOrders(const ModuleTable& modules, symbols::Symbols& symbols, races::CodeFacts& code);

  // The access's instruction, and the calls that lead to it, innermost first.
  races::AtomicOperation at(std::span<const CodeAddr> sites);

 private:
  using Sites = std::span<const CodeAddr>;
  struct Fences {
    bool acquire = false, release = false;
  };

  races::AtomicOperation operation(Sites sites);
  std::optional<races::AtomicOperation> by_orders(const symbols::OrderedCopy& copy, Sites sites);
  void add_fences(Sites sites, races::AtomicOperation& to);
  bool has_own_fences(ModuleId module) const;
  const Fences& fences_around(CodeAddr function);
  const Fences& fences_in(CodeAddr function);
  Fences find_fences(CodeAddr function);
  const std::vector<symbols::OrderedCopy>& copies(CodeAddr function);
  // Of a parameter of something in the function that the first site is in.
  std::optional<int64_t> constant(const symbols::OrderArgument& argument, Sites sites);
  std::optional<int64_t> passed(ArgumentValue value, Sites sites);
  bool leads_to(CodeAddr call, CodeAddr function);
  uint64_t entry_of(CodeAddr at) { return symbols_.function_of(at.module.value, at.addr).entry; }
  CodeAddr function_of(CodeAddr at) { return {at.module, entry_of(at)}; }

  const ModuleTable& modules_;
  symbols::Symbols& symbols_;
  ArgumentValues values_;
  SourceFences source_fences_;
  std::map<std::vector<CodeAddr>, races::AtomicOperation> known_;
  std::map<CodeAddr, std::vector<symbols::OrderedCopy>> copies_;  // by the function's entry
  std::map<CodeAddr, Fences> fences_around_, fences_in_;          // by the same
};

}  // namespace cdr::report

#endif
