// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/columns.h"

#include "cdrgrind/base/bytes.h"
#include "cdrgrind/format/byte_model.h"
#include "cdrgrind/format/frame.h"
#include "cdrgrind/trace/read/expansion.h"

namespace cdr::trace {
bool Columns::read(std::span<const uint8_t> payload, uint64_t limit) {
  columns_.clear();
  ByteReader in(payload);
  struct Sizes {
    uint64_t bytes, stored;
  };
  std::vector<Sizes> sizes(in.bounded(payload.size() / 2));
  for (Sizes& s : sizes) {
    s.bytes = in.bounded(limit);
    s.stored = in.bounded(payload.size());
    if (s.stored > 0 && s.bytes / kMaxRatio > s.stored) in.fail();
    if (!in.ok()) return false;
    limit -= s.bytes;
  }
  for (const Sizes& s : sizes) {
    const auto stored = in.raw(s.stored > 0 ? s.stored : s.bytes);
    if (!in.ok()) return false;
    auto& column = columns_.emplace_back();
    if (s.stored == 0)
      column.assign(stored.begin(), stored.end());
    else if (!(is_modelled(stored) ? read_modelled(stored, s.bytes, column) : expand(stored, s.bytes, column)))
      return false;
  }
  return in.at_end();
}

}  // namespace cdr::trace
