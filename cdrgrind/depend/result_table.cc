// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/result_table.h"

#include <algorithm>

namespace cdr::depend {
namespace {

// Addresses are written as differences to the row before, column by column.
struct Columns {
  uint64_t ancestor = 0, source = 0, target = 0, witness_source = 0, witness_target = 0, location = 0;
};

void write_code(ByteWriter& to, const CodeAddr& c, uint64_t& before) {
  to.varint(c.module.value);
  to.next_delta(c.addr, before);
}

CodeAddr read_code(ByteReader& from, uint64_t& before) {
  CodeAddr c;
  c.module = ModuleId(static_cast<uint32_t>(from.bounded(UINT32_MAX)));
  c.addr = before = from.delta(before);
  return c;
}

// hidden ancestor, source code, target code, class, kind
uint64_t pack(const Key& k) {
  uint64_t v = static_cast<uint64_t>(k.kind);
  v = v * kLocationClassCount + static_cast<uint64_t>(k.location);
  v = v * kEndpointCodeCount + static_cast<uint64_t>(k.target.code);
  v = v * kEndpointCodeCount + static_cast<uint64_t>(k.source.code);
  return v * 2 + (k.ancestor_hidden ? 1 : 0);
}

void unpack(uint64_t v, Key& k) {
  k.ancestor_hidden = v % 2;
  v /= 2;
  k.source.code = static_cast<EndpointCode>(v % kEndpointCodeCount);
  v /= kEndpointCodeCount;
  k.target.code = static_cast<EndpointCode>(v % kEndpointCodeCount);
  v /= kEndpointCodeCount;
  k.location = static_cast<LocationClass>(v % kLocationClassCount);
  k.kind = static_cast<Kind>(v / kLocationClassCount);
}

constexpr uint64_t kPackedCount = 2 * kEndpointCodeCount * kEndpointCodeCount * kLocationClassCount * kKindCount;

void write_row(ByteWriter& to, const Row& r, Columns& c) {
  write_code(to, r.key.ancestor, c.ancestor);
  write_code(to, r.key.source.at, c.source);
  write_code(to, r.key.target.at, c.target);
  to.varint(pack(r.key));
  to.varint(r.key.source_thread.value);
  to.varint(r.key.target_thread.value);
  to.varint(r.count);
  write_code(to, r.witness.source, c.witness_source);
  write_code(to, r.witness.target, c.witness_target);
  to.delta(r.witness.addr, c.location);
  c.location = r.witness.addr;
  to.varint(r.witness.width);
}

Row read_row(ByteReader& from, Columns& c) {
  Row r;
  r.key.ancestor = read_code(from, c.ancestor);
  r.key.source.at = read_code(from, c.source);
  r.key.target.at = read_code(from, c.target);
  unpack(from.bounded(kPackedCount - 1), r.key);
  r.key.source_thread = ThreadId(static_cast<uint32_t>(from.bounded(UINT32_MAX)));
  r.key.target_thread = ThreadId(static_cast<uint32_t>(from.bounded(UINT32_MAX)));
  r.count = from.varint();
  r.witness.source = read_code(from, c.witness_source);
  r.witness.target = read_code(from, c.witness_target);
  r.witness.addr = c.location = from.delta(c.location);
  r.witness.width = static_cast<uint32_t>(from.bounded(UINT32_MAX));
  return r;
}

void write_stats(ByteWriter& to, const Stats& s) {
  for (uint64_t v : {s.accesses, s.cells, s.nodes, s.sweeps, s.bytes, s.peak_bytes, s.imprecise}) to.varint(v);
}

Stats read_stats(ByteReader& from) {
  Stats s;
  for (uint64_t* v : {&s.accesses, &s.cells, &s.nodes, &s.sweeps, &s.bytes, &s.peak_bytes, &s.imprecise})
    *v = from.varint();
  return s;
}

constexpr size_t kLeastRowBytes = 16;  // one byte per field

void write_steps(std::span<const Row> rows, ByteWriter& to) {
  uint64_t before = 0;
  for (const Row& r : rows) to.next_delta(r.witness.step, before);
}

// Tables of older recorders end before them.
void read_steps(ByteReader& from, std::vector<Row>& rows) {
  if (!from.ok() || from.at_end()) return;
  uint64_t before = 0;
  for (Row& r : rows) r.witness.step = before = from.delta(before);
}

}  // namespace

ResultTable::ResultTable(std::vector<Row> rows, uint32_t granularity, const Stats& stats)
    : rows_(std::move(rows)), granularity_(granularity), stats_(stats) {
  std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.key < b.key; });
}

const Row* ResultTable::find(const Key& key) const {
  const auto at =
      std::lower_bound(rows_.begin(), rows_.end(), key, [](const Row& r, const Key& k) { return r.key < k; });
  return at != rows_.end() && at->key == key ? &*at : nullptr;
}

bool same_dependences(const ResultTable& a, const ResultTable& b) {
  return std::equal(a.rows().begin(), a.rows().end(), b.rows().begin(), b.rows().end(), [](const Row& x, const Row& y) {
    return x.key == y.key && x.count == y.count && x.witness.target == y.witness.target &&
           x.witness.addr == y.witness.addr && x.witness.width == y.witness.width &&
           (x.witness.step == y.witness.step || x.witness.step == 0 || y.witness.step == 0);
  });
}

void write(const ResultTable& table, ByteWriter& to) {
  to.varint(table.granularity());
  write_stats(to, table.stats());
  to.varint(table.rows().size());
  Columns columns;
  for (const Row& r : table.rows()) write_row(to, r, columns);
  write_steps(table.rows(), to);
}

bool read(ByteReader& from, ResultTable& to) {
  const auto granularity = static_cast<uint32_t>(from.bounded(64));
  if (granularity == 0 || (granularity & (granularity - 1)) != 0) from.fail();
  const Stats stats = read_stats(from);
  const uint64_t count = from.bounded(from.left() / kLeastRowBytes);
  std::vector<Row> rows;
  rows.reserve(from.ok() ? count : 0);
  Columns columns;
  for (uint64_t i = 0; i < count && from.ok(); ++i) {
    rows.push_back(read_row(from, columns));
    if (rows.back().count == 0) from.fail();
    if (i > 0 && !(rows[i - 1].key < rows[i].key)) from.fail();
  }
  read_steps(from, rows);
  if (!from.at_end()) from.fail();
  if (!from.ok()) return false;
  to = ResultTable(std::move(rows), granularity, stats);
  return true;
}

}  // namespace cdr::depend
