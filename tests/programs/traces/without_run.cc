// SPDX-License-Identifier: GPL-2.0-or-later
// without_run FILE: the bytes of a trace, those of its RUN frame replaced by zeros: what must be equal in
// all runs of a program that does the same.
#include <cstdio>
#include <exception>
#include <vector>

#include "cdrgrind/trace/read/trace_file.h"

namespace {

std::vector<char> read_all(const char* path) {
  std::vector<char> bytes;
  if (std::FILE* f = std::fopen(path, "rb")) {
    char part[65536];
    for (size_t n; (n = std::fread(part, 1, sizeof part, f)) > 0;) bytes.insert(bytes.end(), part, part + n);
    std::fclose(f);
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  std::vector<char> bytes = read_all(argv[1]);
  const auto file = cdr::trace::TraceFile::open(argv[1]);
  const cdr::trace::Frame* run = file.find(cdr::FrameType::kRun);
  const auto begin = bytes.begin() + static_cast<ptrdiff_t>(run->offset);
  std::fill_n(begin, cdr::kFrameHeaderBytes + run->header.payload_bytes, '\0');
  return std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
