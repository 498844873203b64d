// SPDX-License-Identifier: GPL-2.0-or-later
// What the analysis of loops asks about data and libraries: variables with fixed places, and which functions of the C
// library keep something for themselves.
#ifndef CDRGRIND_REPORT_ADVISE_ADVISE_FACTS_H
#define CDRGRIND_REPORT_ADVISE_ADVISE_FACTS_H

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/analysis/advise/advice.h"
#include "cdrgrind/analysis/regions/memories.h"
#include "cdrgrind/analysis/slice/code_bytes.h"
#include "cdrgrind/report/advise/library_functions.h"
#include "cdrgrind/report/advise/only_ends.h"
#include "cdrgrind/report/common/plain_sources.h"
#include "cdrgrind/report/common/program_scope.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// The arguments must outlive it.
class AdviseFacts final : public regions::StaticData,
                          public advise::LibraryNames,
                          public advise::LoopText,
                          public slice::CodeBytes {
 public:
  AdviseFacts(const ModuleTable& modules, const ProgramScope& scope, symbols::Symbols& symbols);

  regions::StaticPiece piece_at(uint64_t addr) override;
  AddrRange foreign_piece(uint64_t addr) override;
  std::vector<uint32_t> number_by_address() override;
  advise::LibraryState state_of(CodeAddr function) override;
  std::optional<regions::Choice> choice_of(CodeAddr function) override;
  std::optional<regions::Walk> walk_of(CodeAddr function) override;
  bool moves_iterator(CodeAddr function) override;
  // That the program calls.
  LibraryFunction function_of(CodeAddr function);
  bool hands_on(CodeAddr call, CodeAddr callee) override;
  bool leaves_in_body(CodeAddr header, CodeAddr branch) override;
  bool is_only_end(ModuleId module, std::span<const uint64_t> body, uint64_t branch) override {
    return only_ends_.has(module, body, branch);
  }
  std::span<const uint8_t> code_at(ModuleId module, uint64_t addr, uint32_t size) override {
    return symbols_.code_at(module.value, addr, size);
  }
  slice::AfterCall after_call(ModuleId module, uint64_t target, uint64_t behind) override;
  // By module: what is not the program's.
  const std::vector<bool>& library() const { return library_; }

  struct Variable {
    std::string name;
    uint64_t size = 0;
    std::string type;
    bool has_members = false;
    symbols::TypeTraits traits = {};
    bool is_member = false;  // static data of a class
  };
  // Of a piece's number.
  const Variable& variable(uint32_t id) const { return variables_[id]; }

 private:
  std::string_view linkage_name(CodeAddr function);
  std::optional<std::string_view> name_of(CodeAddr function);
  bool returns_block(CodeAddr call, bool by_argument);

  const ModuleTable& modules_;
  const ProgramScope& scope_;
  symbols::Symbols& symbols_;
  std::vector<bool> library_;
  std::vector<Variable> variables_;
  std::map<uint64_t, uint32_t> ids_;  // by address of the variable
  std::map<CodeAddr, advise::LibraryState> states_;
  std::map<CodeAddr, bool> gives_by_argument_;  // by function
  std::map<CodeAddr, bool> hand_on_;            // by call
  PlainSources plain_;
  OnlyEnds only_ends_{symbols_, plain_};
};

}  // namespace cdr::report

#endif
