// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/simd_claim.h"

#include <algorithm>

#include "cdrgrind/report/advise/advise_report.h"
#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {
namespace {

// The compiler's order of a body's statements is the source's.
bool is_in_the_way(const AdviceRow& row, uint64_t safelen) {
  return row.source.ip >= row.target.ip && (safelen == 0 || row.distances.least < safelen);
}

bool may_be(const AdviceItem& i, const SimdClaim& claim) {
  if (!i.of_all_iterations || claim.words.contains(i.variable)) return false;
  return i.carried_as != advise::Class::kInduction || !i.edit.empty();
}

}  // namespace

std::optional<SimdClaim> simd_claim_of(std::string_view directive) {
  const auto words = words_of(directive);
  if (!words.contains("simd")) return std::nullopt;
  SimdClaim claim;
  claim.words.insert(words.begin(), words.end());
  const size_t clause = directive.find("safelen");
  if (clause == directive.npos) return claim;
  const size_t open = directive.find('(', clause), close = directive.find(')', clause);
  if (open == directive.npos || close == directive.npos || close < open) return std::nullopt;
  const std::string_view number = trimmed(directive.substr(open + 1, close - open - 1));
  constexpr size_t kMostDigits = 9;
  if (number.empty() || number.size() > kMostDigits || number.find_first_not_of("0123456789") != number.npos)
    return std::nullopt;
  claim.safelen = std::stoull(std::string(number));
  return claim;
}

std::vector<SimdBreak> simd_breaks(const AdviceLoop& loop) {
  std::vector<SimdBreak> breaks;
  if (!loop.claims_simd()) return breaks;
  for (const AdviceItem& i : loop.items) {
    if (!may_be(i, *loop.simd)) continue;
    const auto row = std::find_if(i.rows.begin(), i.rows.end(),
                                  [&](const AdviceRow& r) { return is_in_the_way(r, loop.simd->safelen); });
    if (row != i.rows.end()) breaks.push_back({&i, &*row});
  }
  return breaks;
}

}  // namespace cdr::report
