// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/sites.h"

namespace cdr::analysis {

SiteId Sites::site(const Site& s) {
  const auto [at, added] = site_ids_.try_emplace(s, static_cast<SiteId>(sites_.size()));
  if (added) sites_.push_back(s);
  return at->second;
}

StreamId Sites::stream(SiteId site, GenerationId generation, bool atomic) {
  // 31 bits of sites, 32 of generations
  const uint64_t key = (uint64_t{site} << 33) | (uint64_t{generation} << 1) | (atomic ? 1 : 0);
  const auto [id, added] = stream_ids_.insert(key);
  if (added) {
    *id = static_cast<StreamId>(streams_.size());
    streams_.push_back({site, generation, atomic});
  }
  return *id;
}

}  // namespace cdr::analysis
