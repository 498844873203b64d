// SPDX-License-Identifier: GPL-2.0-or-later
// newer FILE: a trace as a later version would write it, on standard output: with another file header.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "cdrgrind/format/frame.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream in(argv[1], std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (bytes.size() < cdr::kFileHeaderBytes) return 1;
  const auto header = cdr::encode_file_header(cdr::kFormatVersion + 1);
  bytes.replace(0, header.size(), reinterpret_cast<const char*>(header.data()), header.size());
  return std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() ? 0 : 1;
}
