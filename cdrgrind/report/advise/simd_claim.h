// SPDX-License-Identifier: GPL-2.0-or-later
// What `omp simd' says of a loop, and what of the run is in its way. Iterations are lanes: of each statement all lanes
// of a vector are executed together, and then the next statement's. So a dependence is kept if its source stands before
// its target in the body, or if it goes over at least `safelen' iterations.
#ifndef CDRGRIND_REPORT_ADVISE_SIMD_CLAIM_H
#define CDRGRIND_REPORT_ADVISE_SIMD_CLAIM_H

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cdr::report {

struct SimdClaim {
  uint64_t safelen = 0;         // 0: any number of lanes
  std::set<std::string> words;  // of the directive: variables in its clauses are each lane's own
};

// None: the directive says no simd, or a safelen that is no number.
std::optional<SimdClaim> simd_claim_of(std::string_view directive);

struct AdviceItem;
struct AdviceLoop;
struct AdviceRow;

struct SimdBreak {
  const AdviceItem* item = nullptr;
  const AdviceRow* row = nullptr;  // its first that is in the way
};
// Nothing if there is no claim (AdviceLoop::claims_simd).
std::vector<SimdBreak> simd_breaks(const AdviceLoop& loop);

}  // namespace cdr::report

#endif
