// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/diff/source_match.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {
namespace {

using Lines = std::vector<std::string_view>;

// More differences than this are not looked for: what is left is then without counterpart.
constexpr int kMostDifferences = 4000;

Lines lines_of(const symbols::SourceFile& file) {
  Lines lines;
  for (size_t i = 1; i <= file.line_count(); ++i) lines.push_back(trimmed(file.line(i)));
  return lines;
}

// The greedy algorithm of Myers (1986), section 4: reach[k] is how far in `a` a path of d differences comes on diagonal
// k = x - y; each step's array is kept for the way back.
class ShortestEdit {
 public:
  ShortestEdit(std::span<const std::string_view> a, std::span<const std::string_view> b)
      : a_(a), b_(b), n_(static_cast<int>(a.size())), m_(static_cast<int>(b.size())) {}

  // Calls found(x, y) for each pair of equal lines, from the last to the first; none if there are too many differences.
  template <class F>
  void run(F found) {
    const int most = std::min(n_ + m_, kMostDifferences);
    std::vector<std::vector<int>> steps;
    std::vector<int> reach(2 * static_cast<size_t>(most) + 3);
    const auto at = [most](int k) { return static_cast<size_t>(k + most + 1); };
    for (int d = 0; d <= most; ++d) {
      steps.emplace_back(reach.begin() + static_cast<long>(at(-d - 1)),
                         reach.begin() + static_cast<long>(at(d + 1)) + 1);
      for (int k = -d; k <= d; k += 2) {
        int x = down(k, d, reach[at(k - 1)], reach[at(k + 1)]) ? reach[at(k + 1)] : reach[at(k - 1)] + 1;
        while (x < n_ && x - k < m_ && a_[static_cast<size_t>(x)] == b_[static_cast<size_t>(x - k)]) ++x;
        reach[at(k)] = x;
        if (x >= n_ && x - k >= m_) return walk_back(steps, d, found);
      }
    }
  }

 private:
  static bool down(int k, int d, int left, int right) { return k == -d || (k != d && left < right); }

  template <class F>
  void walk_back(const std::vector<std::vector<int>>& steps, int d, F found) const {
    int x = n_, y = m_;
    for (; d >= 0; --d) {
      const std::vector<int>& reach = steps[static_cast<size_t>(d)];  // diagonals -d - 1 … d + 1
      const auto value = [&](int k) { return reach[static_cast<size_t>(k + d + 1)]; };
      const int k = x - y;
      const int from_k = down(k, d, value(k - 1), value(k + 1)) ? k + 1 : k - 1;
      const int from_x = d == 0 ? 0 : value(from_k), from_y = from_x - from_k;
      while (x > (d == 0 ? 0 : from_x) && y > (d == 0 ? 0 : from_y)) found(--x, --y);
      x = from_x;
      y = from_y;
    }
  }

  std::span<const std::string_view> a_, b_;
  int n_, m_;
};

// As many lines in place of as many.
void pair_replaced(std::vector<uint32_t>& match, size_t new_lines) {
  size_t i = 0, next = 0;
  while (i < match.size()) {
    if (match[i] != kNoLine) {
      next = match[i++] + 1;
      continue;
    }
    size_t end = i;
    while (end < match.size() && match[end] == kNoLine) ++end;
    const size_t new_end = end < match.size() ? match[end] : new_lines;
    if (new_end - next == end - i)
      for (size_t j = i; j < end; ++j) match[j] = static_cast<uint32_t>(next + j - i);
    i = end;
  }
}

// How many last components two paths have in common.
size_t common_end(std::string_view a, std::string_view b) {
  size_t parts = 0;
  while (!a.empty() && !b.empty()) {
    const size_t i = a.rfind('/') + 1, j = b.rfind('/') + 1;
    if (a.substr(i) != b.substr(j)) break;
    ++parts;
    a = a.substr(0, i == 0 ? 0 : i - 1);
    b = b.substr(0, j == 0 ? 0 : j - 1);
  }
  return parts;
}

}  // namespace

std::vector<uint32_t> match_lines(const Lines& before, const Lines& after) {
  std::vector<uint32_t> match(before.size(), kNoLine);
  size_t head = 0, tail = 0;
  const size_t least = std::min(before.size(), after.size());
  while (head < least && before[head] == after[head]) match[head] = static_cast<uint32_t>(head), ++head;
  while (tail < least - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
    ++tail;
    match[before.size() - tail] = static_cast<uint32_t>(after.size() - tail);
  }
  const std::span<const std::string_view> a = before, b = after;
  ShortestEdit edit(a.subspan(head, a.size() - head - tail), b.subspan(head, b.size() - head - tail));
  edit.run([&](int x, int y) {
    match[head + static_cast<size_t>(x)] = static_cast<uint32_t>(head + static_cast<size_t>(y));
  });
  pair_replaced(match, after.size());
  return match;
}

SourceMatch::SourceMatch(symbols::Symbols& before, const std::set<std::string_view>& old_files, symbols::Symbols& after,
                         const std::set<std::string_view>& new_files)
    : before_(before), after_(after) {
  match_paths(old_files, new_files);
  match_texts(old_files, new_files);
  for (auto& [file, match] : files_) {
    match_lines_of(file, match);
    match.new_lines = {match.lines.begin(), match.lines.end()};
    old_of_[match.file] = &match;
  }
}

void SourceMatch::match_paths(const std::set<std::string_view>& old_files,
                              const std::set<std::string_view>& new_files) {
  for (const std::string_view file : old_files)
    if (new_files.contains(file)) files_[file].file = file, taken_.insert(file);
  for (const std::string_view file : old_files) {
    if (files_.contains(file)) continue;
    std::string_view best;
    size_t most = 0;
    for (const std::string_view other : new_files)
      if (const size_t n = common_end(file, other); !taken_.contains(other) && n > most) best = other, most = n;
    if (most > 0) files_[file].file = best, taken_.insert(best);
  }
}

// Files that have another name: at least half of the lines must be the same.
void SourceMatch::match_texts(const std::set<std::string_view>& old_files,
                              const std::set<std::string_view>& new_files) {
  for (const std::string_view file : old_files) {
    const symbols::SourceFile* text = files_.contains(file) ? nullptr : before_.source(file);
    if (!text) continue;
    const Lines lines = lines_of(*text);
    for (const std::string_view other : new_files) {
      const symbols::SourceFile* other_text = taken_.contains(other) ? nullptr : after_.source(other);
      if (!other_text) continue;
      const Lines other_lines = lines_of(*other_text);
      const std::vector<uint32_t> match = match_lines(lines, other_lines);
      size_t equal = 0;
      for (size_t i = 0; i < match.size(); ++i) equal += match[i] != kNoLine && lines[i] == other_lines[match[i]];
      if (2 * equal < lines.size()) continue;
      files_[file].file = other;
      taken_.insert(other);
      break;
    }
  }
}

void SourceMatch::match_lines_of(std::string_view old_file, FileMatch& match) {
  const symbols::SourceFile* before = before_.source(old_file);
  const symbols::SourceFile* after = after_.source(match.file);
  if (!before || !after) {
    lost_.insert(old_file);
    return;
  }
  std::error_code ignored;
  if (std::filesystem::equivalent(before->path(), after->path(), ignored)) {
    if (before->newer_than_program()) lost_.insert(old_file);
    return;
  }
  match.by_number = false;
  match.lines = match_lines(lines_of(*before), lines_of(*after));
}

std::string_view SourceMatch::file_of(std::string_view old_file) const {
  const auto found = files_.find(old_file);
  return found == files_.end() ? std::string_view() : found->second.file;
}

bool SourceMatch::was_there(analysis::LineRef new_line) const {
  const auto found = old_of_.find(new_line.file);
  if (found == old_of_.end() || new_line.line == 0) return false;
  return found->second->by_number || found->second->new_lines.contains(new_line.line - 1);
}

analysis::LineRef SourceMatch::of(analysis::LineRef old_line) {
  if (old_line.line == 0) {
    const auto module = modules_.find(old_line.file);
    return module == modules_.end() ? old_line : analysis::LineRef{module->second, 0};
  }
  const auto found = files_.find(old_line.file);
  if (found == files_.end()) return {};
  const FileMatch& match = found->second;
  if (match.by_number) return {match.file, old_line.line};
  if (old_line.line > match.lines.size()) return {match.file, 0};
  const uint32_t line = match.lines[old_line.line - 1];
  return {match.file, line == kNoLine ? 0 : line + 1};
}

}  // namespace cdr::report
