// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/simd_claim.h"

#include "cdrgrind/report/advise/advise_report.h"
#include "tests/unit/catch.h"

namespace cdr::report {
namespace {

AdviceItem item(const char* name, uint64_t from, uint64_t to, uint64_t distance) {
  AdviceItem i;
  i.name = i.variable = name;
  i.of_all_iterations = true;
  AdviceRow row;
  row.source.ip = from;
  row.target.ip = to;
  row.count = 1;
  row.distances.add(distance);
  i.rows.push_back(row);
  return i;
}

AdviceLoop loop(const char* directive) {
  AdviceLoop l;
  l.simd = simd_claim_of(directive);
  return l;
}

TEST_CASE("a directive claims simd, with so many lanes as it says") {
  CHECK_FALSE(simd_claim_of("#pragma omp parallel for"));
  REQUIRE(simd_claim_of("#pragma omp for simd"));
  CHECK(simd_claim_of("#pragma omp for simd")->safelen == 0);
  CHECK(simd_claim_of("simd safelen( 16 ) private(t)")->safelen == 16);
  CHECK_FALSE(simd_claim_of("#pragma omp simd safelen(N)"));
  CHECK_FALSE(simd_claim_of("#pragma omp simd safelen("));
  CHECK_FALSE(simd_claim_of("#pragma omp simd safelen(99999999999999999999)"));
}

TEST_CASE("in the way are dependences backwards over less than safelen iterations") {
  AdviceLoop l = loop("#pragma omp simd safelen(4)");
  l.items = {item("forward", 10, 20, 1), item("far", 20, 10, 4), item("near", 20, 10, 3), item("same", 10, 10, 1)};
  const auto breaks = simd_breaks(l);
  REQUIRE(breaks.size() == 2);
  CHECK(breaks[0].item->name == "near");
  CHECK(breaks[0].row->distances.least == 3);
  CHECK(breaks[1].item->name == "same");
  l.vectorised = 4;
  CHECK(simd_breaks(l).empty());
}

TEST_CASE("what each lane has of its own is not in the way") {
  AdviceLoop l = loop("#pragma omp simd reduction(+ : s)");
  l.items = {item("s", 20, 10, 1), item("own", 20, 10, 1), item("i", 20, 10, 1), item("k", 20, 10, 1)};
  l.items[1].of_all_iterations = false;
  l.items[2].carried_as = l.items[3].carried_as = advise::Class::kInduction;
  l.items[3].edit = "compute it from the loop's counter";
  const auto breaks = simd_breaks(l);
  REQUIRE(breaks.size() == 1);
  CHECK(breaks[0].item->name == "k");
  CHECK(simd_breaks(AdviceLoop()).empty());
}

}  // namespace
}  // namespace cdr::report
