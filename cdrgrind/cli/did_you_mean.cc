// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/did_you_mean.h"

#include <algorithm>

namespace cdr::cli {

namespace {

// Optimal string alignment, row by row.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i)
    for (size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
  constexpr size_t kLongest = 64;
  std::string best;
  if (word.size() > kLongest) return best;
  size_t least = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& k : known)
    if (const size_t d = distance(word, k); d < least && d < k.size()) {
      least = d;
      best = k;
    }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string meant = nearest_word(word, known);
  return meant.empty() ? meant : "; did you mean '" + meant + "'?";
}

}  // namespace cdr::cli
