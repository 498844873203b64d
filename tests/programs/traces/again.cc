// SPDX-License-Identifier: GPL-2.0-or-later
// again FILE: a trace's events, read and encoded again, on standard output.
#include <cstdio>
#include <exception>

#include "cdrgrind/trace/read/reencode.h"

namespace {

struct ToStdout final : cdr::Output {
  bool write(std::span<const uint8_t> bytes) override {
    return std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
  }
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  ToStdout out;
  cdr::trace::reencode(cdr::trace::TraceFile::open(argv[1]), out);
  return std::fflush(stdout) == 0 ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
