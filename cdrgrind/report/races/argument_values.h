// SPDX-License-Identifier: GPL-2.0-or-later
// What the machine code says of a call's arguments and of places in the frame: a constant, or an argument of the
// function around it. Of integers that are passed in registers, in functions that keep the frame pointer in RBP.
#ifndef CDRGRIND_REPORT_RACES_ARGUMENT_VALUES_H
#define CDRGRIND_REPORT_RACES_ARGUMENT_VALUES_H

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "cdrgrind/analysis/races/policy/insn_effects.h"

namespace cdr::report {

struct ArgumentValue {
  enum class Kind : uint8_t {
    kUnknown,
    kConstant,  // value
    kArgument,  // value: the register that has it when the function is entered, as machine code numbers it
  };
  Kind kind = Kind::kUnknown;
  int64_t value = 0;
  bool operator==(const ArgumentValue&) const = default;
};

// Not thread-safe.
class ArgumentValues {
 public:
  // The entry of the function that an address belongs to; 0: none is known.
  using EntryOf = std::function<uint64_t(CodeAddr)>;
  ArgumentValues(races::CodeFacts& code, EntryOf entry_of)
      : code_(code), reader_(code), entry_of_(std::move(entry_of)) {}

  // So many bytes from the canonical frame address. Only if nothing else is ever stored there.
  ArgumentValue in_frame(CodeAddr entry, int64_t offset);
  // When the instruction is reached. Only if the code leads straight to it from where the register was set.
  ArgumentValue in_register(CodeAddr at, uint8_t reg);
  // The function that the instruction calls; 0: it calls none, or any.
  uint64_t called_by(CodeAddr call);
  // All that the function calls directly.
  std::vector<uint64_t> called_in(CodeAddr entry);
  // The addresses of its instructions.
  std::vector<uint64_t> insns_of(CodeAddr entry);
  // Where it has instructions that are full fences, and nothing else.
  std::vector<uint64_t> full_fences(CodeAddr entry);

 private:
  struct Insn {
    uint64_t addr = 0;
    races::InsnEffects effects;
    bool is_target = false;  // of a jump of the same function
  };
  struct Function {
    std::vector<Insn> insns;  // by address
    bool has_frame = false;   // RBP points to it
  };
  const Function& function(CodeAddr entry);
  ArgumentValue slot(const Function& f, int64_t displacement, int depth);
  ArgumentValue before(const Function& f, size_t insn, races::Registers reg, int depth);
  std::optional<size_t> insn_at(const Function& f, uint64_t addr) const;

  races::CodeFacts& code_;
  races::InsnReader reader_;
  EntryOf entry_of_;
  std::map<CodeAddr, Function> functions_;  // by entry
};

}  // namespace cdr::report

#endif
