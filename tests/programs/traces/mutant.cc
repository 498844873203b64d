// SPDX-License-Identifier: GPL-2.0-or-later
// mutant TRACE SEED CHANGES: the trace with so many changes behind its checksums (tests/fuzz/mutation.h), on standard
// output; what was changed, on the other one. The same seed makes the same file.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/fuzz/mutation.h"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  std::ifstream in(argv[1], std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::string told;
  const auto made =
      cdr::fuzz::mutated({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()},
                         std::strtoull(argv[2], nullptr, 10), static_cast<unsigned>(std::atoi(argv[3])), &told);
  std::fprintf(stderr, "%s\n", told.c_str());
  return std::fwrite(made.data(), 1, made.size(), stdout) == made.size() ? 0 : 1;
}
