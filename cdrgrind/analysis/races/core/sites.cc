// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/sites.h"

namespace cdr::races {

SiteId Sites::site(const Site& s) {
  const auto [at, added] = site_ids_.try_emplace(s, static_cast<SiteId>(sites_.size()));
  if (added) sites_.push_back(s);
  return at->second;
}

StreamId Sites::stream(SiteId site, GenerationId generation, bool atomic, LockSetId locks) {
  const Stream s{site, generation, atomic, locks};
  if (locks) {
    const auto [found, fresh] = locked_ids_.try_emplace({key_of(s), locks}, static_cast<StreamId>(streams_.size()));
    if (fresh) streams_.push_back(s);
    return found->second;
  }
  const auto [id, added] = stream_ids_.insert(key_of(s));
  if (added) {
    *id = static_cast<StreamId>(streams_.size());
    streams_.push_back(s);
  }
  return *id;
}

// 31 bits of sites, 32 of generations
uint64_t Sites::key_of(const Stream& s) {
  return (uint64_t{s.site} << 33) | (uint64_t{s.generation} << 1) | (s.atomic ? 1 : 0);
}

void Sites::renumber(const std::vector<StreamId>& numbers) {
  std::vector<Stream> old(streams_.size());
  old.swap(streams_);
  for (size_t i = 0; i < old.size(); ++i) {
    streams_[numbers[i]] = old[i];
    if (old[i].locks)
      locked_ids_.at({key_of(old[i]), old[i].locks}) = numbers[i];
    else
      *stream_ids_.find(key_of(old[i])) = numbers[i];
  }
}

}  // namespace cdr::races
