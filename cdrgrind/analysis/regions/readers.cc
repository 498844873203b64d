// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/readers.h"

#include <algorithm>

namespace cdr::regions {

SiteReads* ReaderList::find_elsewhere(uint32_t site) {
  if (size_ < kIndexed) {
    for (uint32_t e = 0; e < count_; ++e)
      if (entries()[e].site == site) return &entries()[hint_ = e];
    return nullptr;
  }
  const uint32_t mask = (uint32_t{1} << slot_bits()) - 1;
  for (uint32_t s = slot_of(site); slots()[s]; s = (s + 1) & mask)
    if (entries()[slots()[s] - 1].site == site) return &entries()[hint_ = slots()[s] - 1];
  return nullptr;
}

// There is room.
void ReaderList::add(const SiteReads& reads) {
  entries()[count_] = reads;
  hint_ = count_++;
  if (size_ < kIndexed) return;
  const uint32_t mask = (uint32_t{1} << slot_bits()) - 1;
  uint32_t s = slot_of(reads.site);
  while (slots()[s]) s = (s + 1) & mask;
  slots()[s] = count_;
}

// Instead of one that has read before the last write.
bool ReaderList::replace(const SiteReads& reads) {
  if (size_ >= kIndexed) return false;
  SiteReads* const gone = std::find_if(begin(), end(), [](const SiteReads& r) { return r.last == 0; });
  if (gone == end()) return false;
  *gone = reads;
  hint_ = static_cast<uint32_t>(gone - begin());
  return true;
}

ReaderList* Readers::new_list(uint32_t size) {
  auto& free = free_lists_[size];
  void* memory = nullptr;
  if (!free.empty()) {
    memory = free.back();
    free.pop_back();
  } else if (const size_t bytes = ReaderList::bytes_of(size); bytes <= 4096) {
    memory = memory_.take((bytes + 15) / 16 * 16);
  } else {
    large_.emplace_back(new std::byte[bytes]);
    memory = large_.back().get();
  }
  auto* const list = new (memory) ReaderList(size);
  if (size >= ReaderList::kIndexed) std::fill_n(list->slots(), size_t{2} * ReaderList::room_of(size), 0u);
  return list;
}

void Readers::written(ReaderList& list, Cell& c) {
  if (list.size_ >= ReaderList::kIndexed) return clear(c);
  for (SiteReads& r : list) {
    free_chain(r);
    r.last = r.before = 0;
  }
  list.hint_ = 0;
}

void Readers::free_list(ReaderList* list) {
  for (SiteReads& r : *list) free_chain(r);
  free_lists_[list->size_].push_back(list);
}

uint32_t Readers::add_older(uint64_t time, uint32_t next) {
  uint32_t o = free_older_;
  if (o) {
    free_older_ = older(o).next;
  } else {
    o = made_older_++;
    if (o / kChunk == chunks_.size()) chunks_.emplace_back(new Older[kChunk]);
  }
  older(o) = {time, next};
  return o;
}

void Readers::make_list(Cell& c) {
  ReaderList* const list = new_list(0);
  list->add({c.last, c.before, c.reader, 0});
  c.reader = Cell::kMany;
  c.list = list;
  c.before = 0;
}

// One that has not read the cell yet.
void Readers::add_site(Cell& c, const SiteReads& reads) {
  ReaderList* const from = c.list;
  if (from->count_ == ReaderList::room_of(from->size_)) {
    if (from->replace(reads)) return;
    c.list = new_list(from->size_ + 1);
    for (const SiteReads& r : *from) c.list->add(r);  // all have read since
    free_lists_[from->size_].push_back(from);
  }
  c.list->add(reads);
}

void Readers::part(Cell& copy) {
  if (copy.reader != Cell::kMany) return;
  ReaderList* const from = copy.list;
  copy.list = new_list(from->size_);
  for (const SiteReads& r : *from) {
    std::vector<uint64_t> times;
    for (uint32_t o = r.older; o; o = older(o).next) times.push_back(older(o).time);
    uint32_t chain = 0;
    for (size_t i = times.size(); i-- > 0;) chain = add_older(times[i], chain);
    copy.list->add({r.last, r.before, r.site, chain});
  }
}

}  // namespace cdr::regions
