// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/newest_trace.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "cdrgrind/cli/failure.h"
#include "cdrgrind/format/frame.h"
#include "cdrgrind/report/common/escape.h"

namespace cdr::cli {

namespace fs = std::filesystem;

bool is_trace(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  std::array<char, kFileMagic.size()> begin{};
  std::ifstream in(path, std::ios::binary);
  return in.read(begin.data(), begin.size()) && std::memcmp(begin.data(), kFileMagic.data(), begin.size()) == 0;
}

std::string trace_or_newest(const std::string& named) {
  if (!named.empty()) return named;
  std::vector<std::pair<fs::file_time_type, std::string>> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(".", error))
    if (std::error_code e; entry.is_regular_file(e))
      files.emplace_back(entry.last_write_time(e), entry.path().filename());
  std::sort(files.rbegin(), files.rend());
  for (const auto& [time, name] : files) {
    if (!is_trace(name)) continue;
    std::fprintf(stderr, "cdrgrind: reading %s\n", report::visible(name).c_str());
    return name;
  }
  throw Failure(kWrongUse, "no FILE, and no trace in this folder; 'cdrgrind record' makes one");
}

}  // namespace cdr::cli
