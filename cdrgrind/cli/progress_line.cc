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
  if (part != part_) {
    part_ = part;
    begin_ = now;
  }
  if (now < next_) return;
  next_ = now + kBetween;
  shown_ = true;
  const std::string amount = all == 0 ? report::with_separators(done) : fmt::format("{} %", 100 * done / all);
  const std::string left = time_left(std::chrono::duration_cast<std::chrono::milliseconds>(now - begin_), done, all);
  std::fputs(fmt::format("\r\033[Kcdrgrind: {} {}{}{}", part, amount, left.empty() ? "" : ", ", left).c_str(), stderr);
}

std::string time_left(std::chrono::milliseconds elapsed, uint64_t done, uint64_t all) {
  constexpr std::chrono::milliseconds kTooShort(1000);
  if (elapsed < kTooShort || done == 0 || done > all) return {};
  const double rest =
      static_cast<double>(elapsed.count()) * static_cast<double>(all - done) / static_cast<double>(done);
  const auto seconds = static_cast<uint64_t>(rest / 1000) + 1;
  if (seconds < 100) return fmt::format("{} s left", seconds);
  const uint64_t minutes = (seconds + 30) / 60;
  return minutes < 100 ? fmt::format("{} min left", minutes) : fmt::format("{} h left", (minutes + 30) / 60);
}

}  // namespace cdr::cli
