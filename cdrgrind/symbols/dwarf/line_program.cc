// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/line_program.h"

#include <libdwarf/dwarf.h>

#include <array>
#include <optional>

#include "cdrgrind/symbols/common/byte_reader.h"

namespace cdr::symbols {

namespace {

constexpr std::uint64_t kLongUnit = 0xffffffff;  // 64-bit DWARF: the true length follows

struct ProgramHeader {
  std::uint64_t min_instruction = 1;
  bool default_is_stmt = true;
  std::int64_t line_base = 0;
  std::uint64_t line_range = 0;
  std::uint64_t opcode_base = 0;
  std::array<std::uint8_t, 256> operands{};  // of each standard opcode
};

// The header's fields up to the tables, which are jumped over. Leaves in `unit`
// the program's own bytes.
std::optional<ProgramHeader> read_header(ByteReader& unit, bool is_long) {
  ProgramHeader header;
  const auto version = unit.fixed(2);
  if (!version || *version < 2 || *version > 5) return std::nullopt;
  if (*version >= 5) unit.fixed(2);  // sizes of addresses and of segment selectors
  auto fields = unit.part(unit.fixed(is_long ? 8 : 4).value_or(~std::uint64_t{0}));
  if (!fields) return std::nullopt;
  header.min_instruction = fields->fixed(1).value_or(1);
  if (*version >= 4) fields->fixed(1);  // operations of an instruction: 1 but for VLIW
  header.default_is_stmt = fields->fixed(1).value_or(1) != 0;
  header.line_base = static_cast<std::int8_t>(fields->fixed(1).value_or(0));
  header.line_range = fields->fixed(1).value_or(0);
  header.opcode_base = fields->fixed(1).value_or(0);
  for (std::uint64_t opcode = 1; opcode < header.opcode_base; ++opcode) {
    header.operands[opcode] = static_cast<std::uint8_t>(fields->fixed(1).value_or(0));
  }
  if (header.line_range == 0 || header.opcode_base == 0) return std::nullopt;
  return header;
}

// The state machine of §6.2.2.
class Machine {
 public:
  Machine(const ProgramHeader& header, const std::function<void(const std::vector<ProgramRow>&)>& sequence)
      : header_(header), sequence_(sequence) {
    reset();
  }

  bool run(ByteReader program) {
    while (!program.at_end()) {
      const std::uint64_t opcode = *program.fixed(1);
      bool fine = true;
      if (opcode >= header_.opcode_base) {
        special(opcode);
      } else if (opcode == 0) {
        fine = extended(program);
      } else {
        fine = standard(opcode, program);
      }
      if (!fine) return false;
    }
    return rows_.empty();
  }

 private:
  void reset() {
    row_ = {};
    row_.is_stmt = header_.default_is_stmt;
  }

  void advance(std::uint64_t steps) { row_.address += steps * header_.min_instruction; }

  void special(std::uint64_t opcode) {
    const std::uint64_t adjusted = opcode - header_.opcode_base;
    advance(adjusted / header_.line_range);
    row_.line +=
        static_cast<std::uint64_t>(header_.line_base + static_cast<std::int64_t>(adjusted % header_.line_range));
    rows_.push_back(row_);
  }

  bool extended(ByteReader& program) {
    auto content = program.part(program.unsigned_leb128().value_or(~std::uint64_t{0}));
    if (!content) return false;
    const auto opcode = content->fixed(1);
    if (!opcode) return false;
    if (*opcode == DW_LNE_end_sequence) {
      row_.is_end = true;
      rows_.push_back(row_);
      sequence_(rows_);
      rows_.clear();
      reset();
    } else if (*opcode == DW_LNE_set_address) {
      const auto address = content->fixed(content->left());
      if (!address) return false;
      row_.address = *address;
    }
    return true;
  }

  bool standard(std::uint64_t opcode, ByteReader& program) {
    std::optional<std::uint64_t> operand = 0;
    switch (opcode) {
      case DW_LNS_copy:
        rows_.push_back(row_);
        break;
      case DW_LNS_advance_pc:
        advance((operand = program.unsigned_leb128()).value_or(0));
        break;
      case DW_LNS_advance_line: {
        const auto step = program.signed_leb128();
        if (!step) return false;
        row_.line += static_cast<std::uint64_t>(*step);
        break;
      }
      case DW_LNS_set_file:
        row_.file = (operand = program.unsigned_leb128()).value_or(0);
        break;
      case DW_LNS_set_column:
        row_.column = (operand = program.unsigned_leb128()).value_or(0);
        break;
      case DW_LNS_negate_stmt:
        row_.is_stmt = !row_.is_stmt;
        break;
      case DW_LNS_const_add_pc:
        advance((255 - header_.opcode_base) / header_.line_range);
        break;
      case DW_LNS_fixed_advance_pc:
        row_.address += (operand = program.fixed(2)).value_or(0);
        break;
      default:
        for (int i = 0; i < header_.operands[opcode] && operand; ++i) operand = program.unsigned_leb128();
    }
    return operand.has_value();
  }

  const ProgramHeader& header_;
  const std::function<void(const std::vector<ProgramRow>&)>& sequence_;
  ProgramRow row_;
  std::vector<ProgramRow> rows_;
};

}  // namespace

bool run_line_program(std::span<const std::uint8_t> section, std::uint64_t offset,
                      const std::function<void(const std::vector<ProgramRow>&)>& sequence) {
  if (offset >= section.size()) return false;
  ByteReader bytes(section.subspan(offset));
  std::uint64_t length = bytes.fixed(4).value_or(0);
  const bool is_long = length == kLongUnit;
  if (is_long) length = bytes.fixed(8).value_or(0);
  auto unit = bytes.part(length);
  if (!unit) return false;
  const auto header = read_header(*unit, is_long);
  return header && Machine(*header, sequence).run(*unit);
}

}  // namespace cdr::symbols
