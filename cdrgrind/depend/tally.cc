// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/tally.h"

namespace cdr::depend {

std::vector<Row> Tally::rows(const CodeTable& codes) const {
  std::vector<Row> rows;
  rows.reserve(rows_.size());
  for (const Entry& e : rows_) {
    Row r;
    r.key.ancestor = codes[e.key.ancestor];
    r.key.ancestor_hidden = e.key.ancestor_hidden;
    r.key.source = {codes[e.key.source], static_cast<EndpointCode>(e.key.codes % 4)};
    r.key.target = {codes[e.key.target], static_cast<EndpointCode>(e.key.codes / 4)};
    r.key.location = static_cast<LocationClass>(e.key.location);
    r.key.kind = static_cast<Kind>(e.key.kind);
    r.key.source_thread = ThreadId(e.key.source_thread);
    r.key.target_thread = ThreadId(e.key.target_thread);
    r.count = e.count;
    r.witness = {codes[e.witness.source], codes[e.witness.target], e.witness.addr, e.witness.width};
    rows.push_back(r);
  }
  return rows;
}

}  // namespace cdr::depend
