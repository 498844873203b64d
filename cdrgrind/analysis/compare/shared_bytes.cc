// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/compare/shared_bytes.h"

#include <algorithm>

namespace cdr::compare {
namespace {

// Calls f(page, begin, end) for each page that the range lies on; the offsets are within the page.
template <class F>
void for_each_page(uint64_t addr, uint64_t size, uint64_t page_bytes, F f) {
  while (size > 0) {
    const uint64_t begin = addr % page_bytes;
    const uint64_t n = std::min(size, page_bytes - begin);
    f(addr / page_bytes, begin, begin + n);
    addr += n;
    size -= n;
  }
}

// The bits of [begin, end) that lie in word `w` of a bitmap.
uint64_t mask_in_word(uint64_t w, uint64_t begin, uint64_t end) {
  const uint64_t first = std::max(begin, 64 * w) - 64 * w, last = std::min(end, 64 * w + 64) - 64 * w;
  const uint64_t below_last = last == 64 ? ~uint64_t{0} : (uint64_t{1} << last) - 1;
  return below_last & (~uint64_t{0} << first);
}

}  // namespace

SharedBytes::Bits& SharedBytes::visit(uint32_t thread, uint64_t page) {
  Remembered& r = remembered_[(page ^ thread) % remembered_.size()];
  if (r.page == page && r.thread == thread) return visits_[r.visit].bits;
  Page& p = pages_[page];
  uint32_t v = p.visits;
  while (v != 0 && visits_[v - 1].thread != thread) v = visits_[v - 1].next;
  if (v == 0) {
    visits_.push_back({thread, p.visits, {}});
    p.visits = v = static_cast<uint32_t>(visits_.size());
  }
  r = {page, thread, v - 1};
  return visits_[v - 1].bits;
}

void SharedBytes::touch(ThreadId thread, uint64_t addr, uint64_t size) {
  for_each_page(addr, size, kPage, [&](uint64_t page, uint64_t begin, uint64_t end) {
    Bits& bits = visit(thread.value, page);
    for (uint64_t w = begin / 64; 64 * w < end; ++w) bits[w] |= mask_in_word(w, begin, end);
  });
}

void SharedBytes::seal() {
  FlatMap<uint64_t, Page> sealed;
  pages_.for_each([&](uint64_t page, Page p) {
    Bits once = {}, twice = {};
    for (uint32_t v = p.visits; v != 0; v = visits_[v - 1].next)
      for (size_t w = 0; w < once.size(); ++w) {
        twice[w] |= once[w] & visits_[v - 1].bits[w];
        once[w] |= visits_[v - 1].bits[w];
      }
    if (twice == Bits{}) return;
    shared_.push_back(twice);
    sealed[page].visits = static_cast<uint32_t>(shared_.size());
  });
  pages_ = std::move(sealed);
  visits_ = {};
}

bool SharedBytes::shared(uint64_t addr, uint64_t size) const {
  bool any = false;
  for_each_page(addr, size, kPage, [&](uint64_t page, uint64_t begin, uint64_t end) {
    const Page* p = pages_.find(page);
    if (!p) return;
    const Bits& bits = shared_[p->visits - 1];
    for (uint64_t w = begin / 64; 64 * w < end; ++w) any |= (bits[w] & mask_in_word(w, begin, end)) != 0;
  });
  return any;
}

}  // namespace cdr::compare
