// SPDX-License-Identifier: GPL-2.0-or-later
// The program that libFuzzer drives: the target is named by CDR_FUZZ_TARGET in the environment, so that all
// targets are one program.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/targets.h"

namespace {

const cdr::fuzz::Target& chosen() {
  const char* name = std::getenv("CDR_FUZZ_TARGET");
  for (const auto& target : cdr::fuzz::kTargets)
    if (name && std::string_view(target.name) == name) return target;
  std::fprintf(stderr, "fuzz: CDR_FUZZ_TARGET names no target; there are:\n");
  for (const auto& target : cdr::fuzz::kTargets) std::fprintf(stderr, "  %s\n", target.name);
  std::exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const cdr::fuzz::Target& target = chosen();
  target.run({data, size});
  return 0;
}
