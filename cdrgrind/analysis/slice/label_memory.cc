// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/slice/label_memory.h"

namespace cdr::slice {

LabelMemory::Page* LabelMemory::find(uint64_t number) const {
  if (number == last_number_) return last_page_;
  const auto found = pages_.find(number);
  last_number_ = number;
  last_page_ = found == pages_.end() ? nullptr : found->second.get();
  return last_page_;
}

bool LabelMemory::any_in(AddrRange range) const {
  if (lines_ == 0) return false;
  if (range.end / kPage - range.begin / kPage > pages_.size())
    return std::any_of(pages_.begin(), pages_.end(), [&](const auto& page) {
      return range.overlaps({page.first * kPage, (page.first + 1) * kPage});
    });
  for (uint64_t line = range.begin / kLine, last = (range.end - 1) / kLine; line <= last;) {
    const uint64_t number = line / kLinesOfPage, end = std::min(last + 1, (number + 1) * kLinesOfPage);
    if (const Page* const page = find(number)) {
      const uint64_t from = page->held >> line % kLinesOfPage, n = end - line;
      if ((n == kLinesOfPage ? from : from & ((uint64_t{1} << n) - 1)) != 0) return true;
    }
    line = end;
  }
  return false;
}

void LabelMemory::set(uint64_t addr, uint64_t width, Labels labels) {
  for (uint64_t end = addr + width; addr < end;) {
    const uint64_t line = addr / kLine, stop = std::min(end, (line + 1) * kLine);
    set_in_line(line, addr % kLine, stop - line * kLine, labels);
    addr = stop;
  }
}

void LabelMemory::set_in_line(uint64_t line, uint64_t begin, uint64_t end, Labels labels) {
  Page* page = find(line / kLinesOfPage);
  const uint64_t i = line % kLinesOfPage, bit = uint64_t{1} << i;
  const bool held = page && (page->held & bit);
  if (!held && labels == 0) return;
  if (!page) {
    page = (pages_[line / kLinesOfPage] = std::make_unique<Page>()).get();
    last_number_ = line / kLinesOfPage;
    last_page_ = page;
  }
  if (held && !(page->mixed & bit) && page->labels[i] == labels) return;
  if (begin == 0 && end == kLine) {
    if (page->mixed & bit) unused_.push_back(page->labels[i]);
    page->mixed &= ~bit;
    page->labels[i] = labels;
    if (!held) hold(line, *page, bit);
    if (labels == 0) drop(line, *page, bit);
    return;
  }
  if (!held) hold(line, *page, bit), page->labels[i] = 0;
  if (!(page->mixed & bit)) {
    page->labels[i] = new_line(page->labels[i]);
    page->mixed |= bit;
  }
  Line& bytes = mixed_[page->labels[i]];
  std::fill(bytes.begin() + static_cast<ptrdiff_t>(begin), bytes.begin() + static_cast<ptrdiff_t>(end), labels);
  if (begin == 0 || end == kLine || labels == 0) tidy(line, *page, bit);
}

void LabelMemory::hold(uint64_t line, Page& page, uint64_t bit) {
  page.held |= bit;
  ++lines_;
  ++filter_[filter_of(line)];
}

void LabelMemory::drop(uint64_t line, Page& page, uint64_t bit) {
  page.held &= ~bit;
  --lines_;
  --filter_[filter_of(line)];
  if (page.held != 0) return;
  pages_.erase(line / kLinesOfPage);
  last_number_ = ~uint64_t{0};
  last_page_ = nullptr;
}

// All bytes may be the same by now.
void LabelMemory::tidy(uint64_t line, Page& page, uint64_t bit) {
  uint32_t& labels = page.labels[line % kLinesOfPage];
  const Line& bytes = mixed_[labels];
  if (!std::all_of(bytes.begin(), bytes.end(), [&](Labels l) { return l == bytes[0]; })) return;
  unused_.push_back(labels);
  labels = bytes[0];
  page.mixed &= ~bit;
  if (labels == 0) drop(line, page, bit);
}

uint32_t LabelMemory::new_line(Labels labels) {
  if (unused_.empty()) {
    unused_.push_back(static_cast<uint32_t>(mixed_.size()));
    mixed_.emplace_back();
  }
  const uint32_t number = unused_.back();
  unused_.pop_back();
  mixed_[number].fill(labels);
  return number;
}

std::vector<uint64_t> LabelMemory::pages_in(AddrRange range) const {
  std::vector<uint64_t> numbers;
  if (range.empty() || lines_ == 0) return numbers;
  const uint64_t first = range.begin / kPage, last = (range.end - 1) / kPage;
  if (last - first < pages_.size()) {
    for (uint64_t n = first; n <= last; ++n)
      if (pages_.count(n)) numbers.push_back(n);
  } else {
    for (const auto& [n, page] : pages_)
      if (first <= n && n <= last) numbers.push_back(n);
  }
  return numbers;
}

void LabelMemory::clear(AddrRange range) {
  for (const uint64_t n : pages_in(range)) {
    const uint64_t begin = std::max(range.begin, n * kPage), end = std::min(range.end, (n + 1) * kPage);
    set(begin, end - begin, 0);
  }
}

void LabelMemory::copy(uint64_t from, AddrRange to) {
  std::vector<std::pair<uint64_t, Labels>> held;  // by offset
  const AddrRange source{from, from + to.size()};
  for (const uint64_t n : pages_in(source)) {
    const Page& page = *pages_.at(n);
    for (uint64_t a = std::max(source.begin, n * kPage); a < std::min(source.end, (n + 1) * kPage); ++a) {
      if (const Labels labels = of_byte(page, a)) held.emplace_back(a - from, labels);
    }
  }
  clear(to);
  for (const auto& [offset, labels] : held) set(to.begin + offset, 1, labels);
}

void LabelMemory::clear() {
  pages_.clear();
  mixed_.clear();
  unused_.clear();
  std::fill(filter_.begin(), filter_.end(), 0);
  lines_ = 0;
  last_number_ = ~uint64_t{0};
  last_page_ = nullptr;
}

}  // namespace cdr::slice
