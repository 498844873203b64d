// SPDX-License-Identifier: GPL-2.0-or-later
// The program that libFuzzer drives: the target is named by CDR_FUZZ_TARGET in the environment, so that all
// targets are one program.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/mutation.h"
#include "tests/fuzz/targets.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

const cdr::fuzz::Target& chosen() {
  const char* name = std::getenv("CDR_FUZZ_TARGET");
  for (const auto& target : cdr::fuzz::kTargets)
    if (name && std::string_view(target.name) == name) return target;
  std::fprintf(stderr, "fuzz: CDR_FUZZ_TARGET names no target; there are:\n");
  for (const auto& target : cdr::fuzz::kTargets) std::fprintf(stderr, "  %s\n", target.name);
  std::exit(2);
}

const cdr::fuzz::Target& target() {
  static const cdr::fuzz::Target& known = chosen();
  return known;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  target().run({data, size});
  return 0;
}

// Traces are changed behind their checksums, and now and then as they are.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  constexpr unsigned kAsTheyAre = 8;
  if (!target().is_trace || seed % kAsTheyAre == 0) return LLVMFuzzerMutate(data, size, max_size);
  const auto made = cdr::fuzz::mutated({data, size}, seed, 1 + seed % 3);
  if (made.size() > max_size || made.size() <= cdr::kFileHeaderBytes) return LLVMFuzzerMutate(data, size, max_size);
  std::copy(made.begin(), made.end(), data);
  return made.size();
}
