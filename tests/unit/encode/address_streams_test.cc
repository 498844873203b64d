// SPDX-License-Identifier: GPL-2.0-or-later
// Which form a stream takes. That all forms read back what was written, recording_test and the trace's tests say.
#include "cdrgrind/encode/address_streams.h"

#include <functional>
#include <vector>

#include "tests/unit/catch.h"
#include "tests/unit/trace/memory_trace.h"

namespace cdr {
namespace {

// Of a stream with so many runs of `length` equal differences: the differences are diff(0), diff(1), …
StreamForm form_of(uint32_t runs, uint32_t length, const std::function<uint64_t(uint64_t)>& diff) {
  const test::Tables tables = test::two_blocks();
  AddressStreams streams(tables.blocks);
  uint64_t word = 1 << 20;
  const auto add = [&] { streams.add(ThreadId(1), BlockId(1), {&word, 1}, 0); };
  add();
  for (uint32_t r = 0; r < runs; ++r)
    for (uint32_t i = 0; i < length; ++i) {
      word += diff(r);
      add();
    }
  const auto forms = streams.columns()[kAddrForms];
  REQUIRE(forms.size() == 1);
  return static_cast<StreamForm>(forms.bytes()[0] & kStreamFormBits);
}

uint64_t never_again(uint64_t r) { return 8 + 3 * r; }

TEST_CASE("a stream with few runs has them in columns", "[encode]") {
  CHECK(form_of(kFewRuns, 1, never_again) == StreamForm::kFew);
  CHECK(form_of(kFewRuns + 2, 1, never_again) == StreamForm::kGrammar);
}

TEST_CASE("short runs that do not repeat leave the grammar soon, long ones later", "[encode]") {
  CHECK(form_of(31, 1, never_again) == StreamForm::kGrammar);
  CHECK(form_of(40, 1, never_again) == StreamForm::kResidual);
  CHECK(form_of(120, 10, never_again) == StreamForm::kGrammar);
  CHECK(form_of(200, 10, never_again) == StreamForm::kResidual);
}

TEST_CASE("runs that repeat stay in the grammar", "[encode]") {
  CHECK(form_of(5000, 1, [](uint64_t r) { return r % 7; }) == StreamForm::kGrammar);
  CHECK(form_of(5000, 3, [](uint64_t r) { return 8 + r % 20; }) == StreamForm::kGrammar);
}

TEST_CASE("runs of which every fifth is new stay in the grammar if they are long", "[encode]") {
  const auto diff = [](uint64_t r) { return r < 64 || r % 5 != 0 ? r % 4 : 1000 + 3 * r; };
  CHECK(form_of(1000, 2, diff) == StreamForm::kResidual);
  CHECK(form_of(1000, 8, diff) == StreamForm::kGrammar);
}

}  // namespace
}  // namespace cdr
