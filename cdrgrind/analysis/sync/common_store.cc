// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/common_store.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "cdrgrind/analysis/events/visit.h"
#include "cdrgrind/trace/index/seeker.h"
#include "cdrgrind/trace/index/thread_cursor.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::sync {
namespace {

using Bytes = std::set<uint64_t>;

void add_stores(const Event& e, const trace::TraceFile& file, Bytes& to) {
  if (e.kind != EventKind::kBlock || (file.blocks().superblock_of(e.block).flags & kBlockShim)) return;
  analysis::visit_accesses(e, file.blocks(), [&](const analysis::Seen& seen) {
    if (!seen.store) return;
    for (uint64_t byte = 0; byte < seen.width; ++byte) to.insert(seen.addr + byte);
  });
}

// What all that were told have in common.
class CommonBytes {
 public:
  void meet(Bytes bytes) {
    if (!common_)
      common_ = std::move(bytes);
    else
      std::erase_if(*common_, [&](uint64_t byte) { return !bytes.contains(byte); });
  }
  bool any() const { return common_ && !common_->empty(); }

 private:
  std::optional<Bytes> common_;
};

Bytes stores_in(trace::Seeker& seeker, const EventSpan& span) {
  Bytes bytes;
  trace::TracePosition begin, end;
  if (seeker.at_index(span.begin, begin) || !seeker.before_index(span.thread, span.end, end)) return bytes;
  trace::ThreadCursor cursor(seeker, begin);
  for (Event e; cursor.next(e) && cursor.event() < end.before.events;) add_stores(e, seeker.file(), bytes);
  return bytes;
}

bool seek_common_store(const trace::TraceFile& file, const std::vector<EventSpan>& spans) {
  trace::Seeker seeker(file);
  CommonBytes common;
  for (const EventSpan& span : spans) {
    common.meet(stores_in(seeker, span));
    if (!common.any()) return false;
  }
  return common.any();
}

bool read_common_store(const trace::TraceFile& file, const std::vector<EventSpan>& spans) {
  std::vector<Bytes> stores(spans.size());
  uint64_t last = 0;
  for (const EventSpan& s : spans) last = std::max(last, s.end);
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e) && cursor.index() < last;)
    for (size_t i = 0; i < spans.size(); ++i)
      if (spans[i].thread == e.thread && spans[i].begin < cursor.index() && cursor.index() < spans[i].end)
        add_stores(e, file, stores[i]);
  CommonBytes common;
  for (Bytes& s : stores) common.meet(std::move(s));
  return common.any();
}

}  // namespace

bool has_common_store(const trace::TraceFile& file, const std::vector<EventSpan>& spans) {
  return file.epochs().empty() ? read_common_store(file, spans) : seek_common_store(file, spans);
}

}  // namespace cdr::sync
