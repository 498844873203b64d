// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/thread_texts.h"

#include <fmt/format.h>

#include "cdrgrind/report/common/output.h"

namespace cdr::report {

std::string threads_text(const std::vector<ThreadId>& threads) {
  std::string text;
  for (const ThreadId t : threads) text += fmt::format("{}{}", text.empty() ? "" : ", ", t.value);
  return text;
}

std::string hand_overs_text(const std::map<std::pair<ThreadId, ThreadId>, uint64_t>& pairs) {
  std::string text;
  for (const auto& [pair, count] : pairs)
    text += fmt::format("{}{} to {}: {}", text.empty() ? "" : ", ", pair.first.value, pair.second.value,
                        with_separators(count));
  return text;
}

}  // namespace cdr::report
