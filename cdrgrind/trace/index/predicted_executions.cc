// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/predicted_executions.h"

#include "cdrgrind/encode/epoch.h"
#include "cdrgrind/trace/index/path_executions.h"
#include "cdrgrind/trace/read/path_pieces.h"
#include "cdrgrind/trace/read/path_threads.h"

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

// False if the columns are damaged.
bool read_executions(const TraceFile& file, const StretchIndex& stretches, size_t number, const Columns& control,
                     PredictedExecutions& to) {
  std::vector<uint32_t> serials;
  PathPieces pieces;
  if (!read_path_threads(control, file.serial_limit(), serials)) return false;
  if (!pieces.read(control, serials.size(), file.epochs()[number].stretches, file.blocks())) return false;
  ByteReader in(control[kPathExecuted]);
  const std::vector<uint32_t> order = children_first(pieces.grammar);
  for (uint32_t i = 0; i < serials.size(); ++i) {
    auto& of_thread = to.threads.emplace_back(serials[i], std::vector<Counted>());
    if (!read_counted(in, file.blocks().block_count(), of_thread.blocks)) return false;
    const auto used = stretches_used(pieces.grammar, order, i * pieces.count, (i + 1) * pieces.count);
    for (uint32_t s = 1; s < used.size(); ++s)
      if (used[s] != 0)
        for (const BlockId id : stretches.blocks(s)) of_thread.blocks.push_back({id, used[s]});
  }
  return in.at_end();
}

}  // namespace

std::optional<PredictedExecutions> PredictedExecutions::of_epoch(const TraceFile& file, const StretchIndex& stretches,
                                                                 size_t number, const Columns& control) {
  const Frame& frame = file.frames()[file.epochs()[number].control];
  if (!is_predicted(control) || control[kPathExecuted].empty()) return std::nullopt;
  return file.reading(frame, [&] {
    PredictedExecutions found;
    if (!read_executions(file, stretches, number, control, found))
      file.fail(Problem::kDamaged, frame.offset, "the control paths are damaged (try 'cdrgrind verify')");
    return found;
  });
}

}  // namespace cdr::trace
