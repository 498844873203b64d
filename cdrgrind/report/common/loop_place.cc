// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/loop_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "cdrgrind/report/common/fortran_source.h"
#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/statement_text.h"

namespace cdr::report {
namespace {

bool begins_loop(std::string_view line, bool is_fortran) {
  if (is_fortran) return is_fortran_loop(line);
  if (is_directive(line)) return false;
  const std::string code = plain_code(line);
  const auto words = words_of(code);
  return words.contains("for") || (words.contains("while") && code.find("} while") == code.npos);
}

// Of the processor, direct or by a register or memory.
bool is_call(std::span<const uint8_t> code) {
  constexpr uint8_t kRepne = 0xf2, kNoTrack = 0x3e, kCall = 0xe8, kGroup5 = 0xff;
  const auto is_prefix = [](uint8_t b) { return b == kRepne || b == kNoTrack || (b & 0xf0) == 0x40; };
  while (!code.empty() && is_prefix(code[0])) code = code.subspan(1);
  return code.size() > 1 && (code[0] == kCall || (code[0] == kGroup5 && (code[1] >> 3 & 7) == 2));
}

// The line where a loop begins in whose head the line stands; 0: in none's.
uint32_t begin_of_head(const symbols::SourceFile& source, uint32_t line, bool is_fortran) {
  if (begins_loop(source.line(line), is_fortran)) return line;
  if (is_fortran) return 0;
  constexpr uint32_t kMostUp = 4;
  int open = 0;  // parentheses at its beginning that close behind it, less those that open
  for (uint32_t at = line - 1; at > 0 && line - at <= kMostUp; --at) {
    const std::string code = plain_code(source.line(at));
    open += static_cast<int>(std::count(code.begin(), code.end(), '(') - std::count(code.begin(), code.end(), ')'));
    if (begins_loop(code, false)) return open > 0 ? at : 0;
  }
  return 0;
}

bool goes_back(const regions::Loop& l, size_t at) {
  return std::find(l.next[at].begin(), l.next[at].end(), l.header.addr) != l.next[at].end();
}

}  // namespace

// The innermost level of inlining in which both are, outermost first, of the same function.
size_t LoopPlace::common_level(const Chain& a, const Chain& b) {
  size_t level = 0;
  while (level + 1 < std::min(a.size(), b.size()) && a[level].pos == b[level].pos &&
         a[level + 1].function == b[level + 1].function)
    ++level;
  return level;
}

LoopPlace::LoopPlace(const regions::Loop& loop, const ModuleTable& modules, symbols::Symbols& symbols)
    : symbols_(symbols), module_(loop.header.module) {
  place_ = source_place_of(std::span(&loop.header, 1), modules, symbols);
  last_line_ = place_.line;
  set_lines(loop);
}

symbols::SourcePos LoopPlace::pos_of(uint64_t addr) {
  const Chain chain = chain_of(addr);
  if (narrowed_ && !is_beside(chain)) return {};
  if (chain.size() <= level_) return symbols_.line_of(module_.value, addr);
  return chain[level_].pos;
}

LoopPlace::Chain LoopPlace::chain_of(uint64_t addr) const {
  Chain c = symbols_.inline_chain(module_.value, addr);
  std::reverse(c.begin(), c.end());
  return c;
}

std::string LoopPlace::inlined_by() const {
  std::string calls;
  for (size_t i = 0; i + 1 < around_.size(); ++i)
    calls += fmt::format("{}:{}:{}:{}>", around_[i].function, around_[i].pos.file, around_[i].pos.line,
                         around_[i].pos.column);
  return calls;
}

std::vector<symbols::InlineFrame> LoopPlace::inlining_calls() const {
  if (around_.empty()) return {};
  return {around_.rbegin() + 1, around_.rend()};
}

bool LoopPlace::is_beside(const Chain& c) const {
  return !c.empty() && !around_.empty() && c[0].function == around_[0].function && common_level(c, around_) == level_;
}

bool LoopPlace::has_beside(uint64_t addr) const { return is_beside(chain_of(addr)); }

std::vector<symbols::InlineFrame> LoopPlace::frames_within(uint64_t addr) const {
  Chain c = chain_of(addr);
  if (!is_beside(c)) return {};
  c.erase(c.begin(), c.begin() + static_cast<std::ptrdiff_t>(level_));
  return c;
}

void LoopPlace::set_lines(const regions::Loop& l) {
  const Chain first = chain_of(l.header.addr);
  if (first.empty()) return;
  level_ = first.size() - 1;
  for (const uint64_t addr : l.body) {
    const Chain c = chain_of(addr);
    if (c.empty()) continue;
    level_ = std::min(level_, common_level(c, first));
  }
  const size_t outer = level_;
  if (set_place(l, first) || may_begin_otherwise()) return;
  const Chain ways = frames_of_ways(l);
  narrowed_ = true;
  for (level_ = ways.size(); level_-- > outer + 1;)
    if (set_place(l, ways)) return;
  narrowed_ = false;
  level_ = outer;
  set_place(l, first);
}

// Whether the source is not there, or shows what makes a loop that has no head.
bool LoopPlace::may_begin_otherwise() const {
  const symbols::SourceFile* const source = symbols_.source(place_.file);
  if (!source || place_.line == 0) return true;
  for (uint32_t line = place_.line > 1 ? place_.line - 1 : 1; line <= last_line_; ++line) {
    const std::string code = plain_code(source->line(line));
    if (const auto words = words_of(code); words.contains("do") || words.contains("goto")) return true;
  }
  return false;
}

// Those that all branches have in common that leave it or go back.
LoopPlace::Chain LoopPlace::frames_of_ways(const regions::Loop& l) const {
  Chain common;
  const auto look_at = [&](uint64_t addr) {
    const Chain c = chain_of(addr);
    if (common.empty())
      common = c;
    else if (!c.empty())
      common.resize(common_level(c, common) + 1);
  };
  for (const uint64_t addr : l.exits_at) look_at(addr);
  for (size_t i = 0; i < l.body.size(); ++i)
    if (goes_back(l, i)) look_at(l.body[i]);
  return common;
}

// For the level. False if no loop begins in the source there.
bool LoopPlace::set_place(const regions::Loop& l, const Chain& frames) {
  // The header may be of what is inlined in the loop.
  place_ = {frames[level_].pos.file, 0, frames[level_].function};
  head_columns_.clear();
  // Clang has code of no line.
  for (size_t i = 0; place_.file.empty() && i < l.body.size(); ++i) {
    const Chain c = chain_of(l.body[i]);
    if (c.size() > level_) place_.file = c[level_].pos.file;
  }
  last_line_ = 0;
  around_.assign(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(level_) + 1);
  for (const uint64_t addr : l.body) {
    const uint32_t line = line_of(addr);
    if (line == 0) continue;
    place_.line = place_.line ? std::min(place_.line, line) : line;
    last_line_ = std::max(last_line_, line);
  }
  const uint32_t head = line_of_head(l);
  if (head) place_.line = head;
  if (place_.line == 0) return false;
  for (const uint64_t addr : l.exits_at)
    if (const symbols::SourcePos pos = pos_of(addr); pos.line == place_.line) head_columns_.insert(pos.column);
  return head != 0;
}

// Optimised loops have instructions of what stands before them, and share some with others. Of lines where a loop
// begins it is the one for which most speaks: where the loop is left, where it goes back, and least of all its header.
// If it is not where it goes back, it is the first of the others: inner loops may be what it is left by. What calls
// stands in none that begins behind it.
uint32_t LoopPlace::line_of_head(const regions::Loop& l) {
  const symbols::SourceFile* source = symbols_.source(place_.file);
  if (!source) return 0;
  const bool is_fortran = fortran_form(place_.file).has_value();
  // By line: what speaks for it.
  struct Found {
    bool header = false, back = false, left = false;
    int weight() const { return 2 * header + 3 * back + 4 * left; }
  };
  std::map<uint32_t, Found> lines;
  const auto look_at = [&](uint64_t addr, bool Found::*kind) {
    const uint32_t line = line_of(addr), head = line ? begin_of_head(*source, line, is_fortran) : 0;
    if (head) lines[head].*kind = true;
  };
  look_at(l.header.addr, &Found::header);
  for (const uint64_t addr : l.exits_at) look_at(addr, &Found::left);
  for (size_t i = 0; i < l.body.size(); ++i)
    if (goes_back(l, i)) look_at(l.body[i], &Found::back);
  if (lines.empty()) return 0;
  const uint32_t call = lines.size() > 1 ? first_call(l) : 0;
  if (call != 0 && lines.begin()->first <= call) lines.erase(lines.upper_bound(call), lines.end());
  const auto most = std::max_element(
      lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.second.weight() < b.second.weight(); });
  if (most->second.back) return most->first;
  return std::find_if(lines.begin(), lines.end(), [](const auto& f) { return f.second.header || f.second.left; })
      ->first;
}

// The first line of those that call; 0: none does.
uint32_t LoopPlace::first_call(const regions::Loop& l) {
  uint32_t first = 0;
  for (const uint64_t addr : l.body) {
    constexpr uint32_t kLongest = 8;
    if (!is_call(symbols_.code_at(module_.value, addr, kLongest))) continue;
    if (const uint32_t line = line_of(addr); line != 0 && (first == 0 || line < first)) first = line;
  }
  return first;
}

}  // namespace cdr::report
