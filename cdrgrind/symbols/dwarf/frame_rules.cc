// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/frame_rules.h"

#include <libdwarf/libdwarf.h>

#include <algorithm>
#include <numeric>

#include "cdrgrind/config.h"
#include "cdrgrind/symbols/elf/elf_image.h"

namespace cdr::symbols {

namespace {

// What changed with libdwarf 0.4.
#if HAVE_DWARF_INIT_PATH_8
using Register = Dwarf_Unsigned;
using Distance = Dwarf_Unsigned;
using Expression = Dwarf_Block;
void free_lists(Dwarf_Debug debug, Dwarf_Cie* cies, Dwarf_Signed cie_count, Dwarf_Fde* fdes, Dwarf_Signed fde_count) {
  dwarf_dealloc_fde_cie_list(debug, cies, cie_count, fdes, fde_count);
}
#else
using Register = Dwarf_Signed;
using Distance = Dwarf_Signed;
using Expression = Dwarf_Ptr;
void free_lists(Dwarf_Debug debug, Dwarf_Cie* cies, Dwarf_Signed cie_count, Dwarf_Fde* fdes, Dwarf_Signed fde_count) {
  dwarf_fde_cie_list_dealloc(debug, cies, cie_count, fdes, fde_count);
}
#endif

// Of one function or piece of code: for each, libdwarf begins anew.
constexpr std::size_t kMostRules = 1024;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 40;  // of a frame, against damaged files
constexpr std::int64_t kReturnAddress = 8;                  // bytes, right below the canonical frame address

bool continues(const FrameRule& before, const FrameRule& r) {
  return before.end == r.begin && before.reg == r.reg && before.distance == r.distance;
}

// Until `end` or a rule that is damaged.
std::vector<FrameRule> read_rules(Dwarf_Debug debug, Dwarf_Fde fde, std::uint64_t begin, std::uint64_t end) {
  std::vector<FrameRule> rules;
  std::uint64_t at = begin;
  for (std::size_t i = 0; i < kMostRules && at < end; ++i) {
    Dwarf_Small kind = 0;
    Register reg = 0, has_offset = 0;
    Distance distance = 0;
    Expression expression{};
    Dwarf_Addr row = 0, next = 0;
    Dwarf_Bool has_more = 0;
    DwarfError error(debug);
    if (dwarf_get_fde_info_for_cfa_reg3_b(fde, at, &kind, &has_offset, &reg, &distance, &expression, &row, &has_more,
                                          &next, error.out()) != DW_DLV_OK)
      break;
    const std::uint64_t rule_end = has_more && next > at ? std::min<std::uint64_t>(next, end) : end;
    const FrameRule r{at, rule_end, static_cast<std::uint64_t>(reg), static_cast<std::int64_t>(distance)};
    at = rule_end;
    if (kind != DW_EXPR_OFFSET || !has_offset || r.distance > kMostBytes || r.distance < -kMostBytes) continue;
    if (!rules.empty() && continues(rules.back(), r))
      rules.back().end = r.end;
    else
      rules.push_back(r);
  }
  return rules;
}

// So many bytes below the canonical frame address the registers end that are saved where `at` is.
std::int64_t saved_bytes(Dwarf_Debug debug, Dwarf_Fde fde, std::uint64_t at) {
  std::int64_t bytes = kReturnAddress;
  for (const Dwarf_Half column : {3, 6, 12, 13, 14, 15}) {  // that a call preserves
    Dwarf_Small kind = 0;
    Register reg = 0, has_offset = 0;
    Distance offset = 0;
    Expression expression{};
    Dwarf_Addr row = 0, next = 0;
    Dwarf_Bool has_more = 0;
    DwarfError error(debug);
    if (dwarf_get_fde_info_for_reg3_b(fde, column, at, &kind, &has_offset, &reg, &offset, &expression, &row, &has_more,
                                      &next, error.out()) == DW_DLV_OK &&
        kind == DW_EXPR_OFFSET && has_offset)
      bytes = std::max(bytes, -std::max(static_cast<std::int64_t>(offset), -kMostBytes));
  }
  return bytes;
}

FunctionFrame read_frame(Dwarf_Debug debug, Dwarf_Fde fde, std::uint64_t begin, std::uint64_t end) {
  FunctionFrame f;
  f.end = end;
  f.rules = read_rules(debug, fde, begin, end);
  // All are saved where the stack is deepest.
  const auto deepest = std::max_element(f.rules.begin(), f.rules.end(),
                                        [](const auto& a, const auto& b) { return a.distance < b.distance; });
  if (deepest != f.rules.end()) f.saved = saved_bytes(debug, fde, deepest->begin);
  return f;
}

// A distance by which a variable can be where it is told to be.
struct Candidate {
  std::uint64_t code = 0;       // bytes of all its pieces
  bool is_returned_to = false;  // from farther below
};
using Candidates = std::map<std::int64_t, Candidate>;  // by distance

std::uint64_t bytes_of(const Candidates& all) {
  return std::accumulate(all.begin(), all.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& c) { return sum + c.second.code; });
}

std::optional<std::int64_t> with_most_code(const Candidates& all) {
  const auto most = std::max_element(all.begin(), all.end(),
                                     [](const auto& a, const auto& b) { return a.second.code < b.second.code; });
  return most != all.end() ? std::optional(most->first) : std::nullopt;
}

// Of a function's own variable.
std::int64_t of_body(const Candidates& all, std::int64_t from) {
  // Only what calls nothing has variables below the stack pointer.
  if (from < 0) return all.rbegin()->first;
  // Calls move the stack pointer from where the body has it, and back.
  for (const auto& [distance, c] : all)
    if (c.is_returned_to) return distance;
  return *with_most_code(all);
}

}  // namespace

std::optional<std::int64_t> body_distance(const FunctionFrame& frame, std::int64_t from, std::uint64_t size) {
  if (size > kMostBytes || from > kMostBytes || from < -kMostBytes) return std::nullopt;
  const std::int64_t to = from + std::max<std::int64_t>(1, static_cast<std::int64_t>(size));
  Candidates as_local, as_argument;
  std::int64_t before = 0;
  for (const FrameRule& r : frame.rules) {
    if (r.reg != kStackPointer) continue;
    const bool is_local = to <= r.distance - frame.saved, is_argument = from >= r.distance && r.distance >= frame.saved;
    if (is_local || is_argument) {
      Candidate& c = (is_local ? as_local : as_argument)[r.distance];
      c.code += r.end - r.begin;
      c.is_returned_to |= before > r.distance;
    }
    before = r.distance;
  }
  if (as_local.empty() || bytes_of(as_argument) > bytes_of(as_local)) return with_most_code(as_argument);
  return of_body(as_local, from);
}

// The frame descriptions (FDEs) of one of the two sections.
class FrameRules::Section {
 public:
  using Read = int (*)(Dwarf_Debug, Dwarf_Cie**, Dwarf_Signed*, Dwarf_Fde**, Dwarf_Signed*, Dwarf_Error*);

  Section(Dwarf_Debug debug, Read read) : debug_(debug) {
    DwarfError error(debug_);
    is_read_ = read(debug_, &cies_, &cie_count_, &fdes_, &fde_count_, error.out()) == DW_DLV_OK;
  }
  ~Section() {
    if (is_read_) free_lists(debug_, cies_, cie_count_, fdes_, fde_count_);
  }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  // Calls `use(fde, begin, end)` with the one that has the address; whether there is one.
  template <class Use>
  bool find(std::uint64_t address, Use use) const {
    if (!is_read_ || fde_count_ <= 0) return false;
    Dwarf_Fde fde = nullptr;
    Dwarf_Addr first = 0, last = 0;
    DwarfError error(debug_);
    if (dwarf_get_fde_at_pc(fdes_, address, &fde, &first, &last, error.out()) != DW_DLV_OK) return false;
    if (last < first || last + 1 == 0) return false;
    use(fde, first, last + 1);
    return true;
  }

 private:
  Dwarf_Debug debug_;
  bool is_read_ = false;
  Dwarf_Cie* cies_ = nullptr;
  Dwarf_Fde* fdes_ = nullptr;
  Dwarf_Signed cie_count_ = 0, fde_count_ = 0;
};

FrameRules::FrameRules(const DwarfFile& file) : file_(file) {}

FrameRules::~FrameRules() = default;

// A separate debug file has a header of .eh_frame without the bytes, which libdwarf would take from elsewhere.
const FunctionFrame* FrameRules::function_at(std::uint64_t address) {
  const auto after = functions_.upper_bound(address);
  if (after != functions_.begin() && address < std::prev(after)->second.end) return &std::prev(after)->second;
  if (sections_.empty()) {
    if (!read_debug_section(file_.path(), ".eh_frame").empty())
      sections_.push_back(std::make_unique<Section>(file_.raw(), dwarf_get_fde_list_eh));
    sections_.push_back(std::make_unique<Section>(file_.raw(), dwarf_get_fde_list));
  }
  const FunctionFrame* found = nullptr;
  for (const auto& section : sections_) {
    const auto keep = [&](Dwarf_Fde fde, std::uint64_t begin, std::uint64_t end) {
      found = &(functions_[begin] = read_frame(file_.raw(), fde, begin, end));
    };
    if (section->find(address, keep)) break;
  }
  return found;
}

std::vector<FrameRule> FrameRules::within(std::uint64_t begin, std::uint64_t end) {
  std::vector<FrameRule> found;
  for (std::uint64_t at = begin; at < end && found.size() < kMostRules;) {
    const FunctionFrame* const f = function_at(at);
    if (!f) break;
    for (const FrameRule& r : f->rules)
      if (r.begin < end && at < r.end)
        found.push_back({std::max(r.begin, at), std::min(r.end, end), r.reg, r.distance});
    at = f->end;
  }
  return found;
}

}  // namespace cdr::symbols
