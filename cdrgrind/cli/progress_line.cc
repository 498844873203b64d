// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "cdrgrind/report/common/output.h"

namespace cdr::cli {

namespace {
using std::chrono::steady_clock;
constexpr std::chrono::milliseconds kBeforeFirst(500);
constexpr std::chrono::milliseconds kBetween(200);
}  // namespace

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) != 0), next_(steady_clock::now() + kBeforeFirst) {}

ProgressLine::~ProgressLine() { clear(); }

analysis::Progress ProgressLine::progress() {
  if (!terminal_) return {};
  return [this](std::string_view part, uint64_t done, uint64_t all) { show(part, done, all); };
}

void ProgressLine::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

void ProgressLine::show(std::string_view part, uint64_t done, uint64_t all) {
  const auto now = steady_clock::now();
  if (now < next_) return;
  next_ = now + kBetween;
  shown_ = true;
  const std::string amount = all == 0 ? report::with_separators(done) : fmt::format("{} %", 100 * done / all);
  std::fputs(fmt::format("\r\033[Kcdrgrind: {} {}", part, amount).c_str(), stderr);
}

}  // namespace cdr::cli
