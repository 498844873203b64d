// SPDX-License-Identifier: GPL-2.0-or-later
// What the race analysis asks about code and data, from the program's files and their debug information.
#ifndef CDRGRIND_REPORT_RACES_RACE_FACTS_H
#define CDRGRIND_REPORT_RACES_RACE_FACTS_H

#include <map>
#include <string>

#include "cdrgrind/analysis/races/core/facts.h"
#include "cdrgrind/analysis/races/policy/insn_effects.h"
#include "cdrgrind/report/races/atomic_orders.h"
#include "cdrgrind/report/races/atomic_stores.h"
#include "cdrgrind/report/races/loop_statements.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// Both arguments must outlive it. Not thread-safe.
class RaceFacts final : public races::CodeFacts {
 public:
  RaceFacts(const ModuleTable& modules, symbols::Symbols& symbols)
      : modules_(modules),
        symbols_(symbols),
        stores_(modules, symbols),
        loops_(modules, symbols),
        orders_(modules, symbols, *this) {}

  bool is_atomic_code(CodeAddr at) override;
  bool is_atomic_data(uint64_t addr) override;
  races::StoreSource source_of_store(CodeAddr at) override { return stores_.source_at(at); }
  bool is_atomic_in_source(CodeAddr at, bool store) override { return stores_.is_atomic_access(at, store); }
  races::AtomicOperation directive_operation(CodeAddr at) override { return stores_.directive_at(at); }
  races::AtomicOperation atomic_operation(std::span<const CodeAddr> sites) override { return orders_.at(sites); }
  bool is_for_construct(CodeAddr call) override;
  races::LoopStatement loop_statement_at(CodeAddr at) override { return loops_.at(at); }
  uint32_t statement_of_call(CodeAddr call) override;
  uint64_t thread_local_bytes() override;
  races::AtomicUse use_of_atomic(CodeAddr at, uint32_t length) override;
  std::span<const uint8_t> code_at(CodeAddr at, uint32_t size) override;
  uint64_t function_begin(CodeAddr at) override;
  bool only_waits(CodeAddr function) override;
  uint64_t line_number_of(CodeAddr at) override;
  AddrRange variable_at(uint64_t addr) override;
  std::vector<AddrRange> data_of(const Module& m) override;
  std::vector<AddrRange> copied_by(const Module& m) override;
  std::vector<AddrRange> exported_by(const Module& m) override;

 private:
  bool follows_call(CodeAddr call);
  bool may_use_flags(CodeAddr at);

  const ModuleTable& modules_;
  symbols::Symbols& symbols_;
  AtomicStores stores_;
  LoopStatements loops_;
  AtomicOrders orders_;
  races::InsnReader insns_{*this};
  std::map<CodeAddr, bool> atomic_code_, for_construct_;
  std::map<std::string_view, uint32_t> files_;
};

}  // namespace cdr::report

#endif
