// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/predicted_executions.h"

#include "cdrgrind/encode/epoch.h"
#include "cdrgrind/trace/index/path_executions.h"
#include "cdrgrind/trace/read/path_pieces.h"

namespace cdr::trace {
namespace {

using Counted = PredictedExecutions::Counted;

bool read_counted(ByteReader& in, uint32_t most, std::vector<Counted>& to) {
  uint64_t id = 0;
  for (uint64_t left = in.bounded(in.left() / 2); left > 0; --left) {
    id += in.bounded(most);
    const uint64_t times = in.bounded(kMostPredictedSymbols);
    if (!in.ok() || id == 0 || id > most) return false;
    to.push_back({BlockId(static_cast<uint32_t>(id)), times});
  }
  return in.ok();
}

}  // namespace

bool PredictedExecutions::are_kept(const Columns& control) { return !control[kPathExecuted].empty(); }

bool PredictedExecutions::read(const Columns& control, size_t thread_count, const StretchIndex& stretches,
                               uint32_t limit, const BlockTable& blocks) {
  PathPieces pieces;
  if (!pieces.read(control, thread_count, limit, blocks)) return false;
  ByteReader in(control[kPathExecuted]);
  const std::vector<uint32_t> order = children_first(pieces.grammar);
  threads.assign(thread_count, {});
  for (uint32_t i = 0; i < thread_count; ++i) {
    if (!read_counted(in, blocks.block_count(), threads[i])) return false;
    const auto used = stretches_used(pieces.grammar, order, i * pieces.count, (i + 1) * pieces.count);
    for (uint32_t s = 1; s < used.size(); ++s)
      if (used[s] != 0)
        for (const BlockId id : stretches.blocks(s)) threads[i].push_back({id, used[s]});
  }
  return in.at_end();
}

}  // namespace cdr::trace
