// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/result_table.h"

#include "tests/unit/properties.h"

using namespace cdr::depend;
using cdr::CodeAddr;
using cdr::ModuleId;
using cdr::ThreadId;

namespace {

Row any_row() {
  const auto code = [] { return CodeAddr{ModuleId(*rc::gen::inRange(0u, 3u)), *rc::gen::arbitrary<uint64_t>()}; };
  Row r;
  r.key.ancestor = code();
  r.key.ancestor_hidden = *rc::gen::arbitrary<bool>();
  r.key.source = {code(), static_cast<EndpointCode>(*rc::gen::inRange(0, 3))};
  r.key.target = {code(), static_cast<EndpointCode>(*rc::gen::inRange(0, 3))};
  r.key.location = static_cast<LocationClass>(*rc::gen::inRange(0, 5));
  r.key.kind = static_cast<Kind>(*rc::gen::inRange(0, 3));
  r.key.source_thread = ThreadId(*rc::gen::inRange(1u, 5u));
  r.key.target_thread = ThreadId(*rc::gen::inRange(1u, 5u));
  r.count = *rc::gen::inRange<uint64_t>(1, 1u << 30);
  r.witness = {code(), code(), *rc::gen::arbitrary<uint64_t>(), *rc::gen::inRange(1u, 100u),
               *rc::gen::arbitrary<uint64_t>()};
  return r;
}

ResultTable any_table() {
  std::map<Key, Row> rows;
  const int n = *rc::gen::inRange(0, 20);
  for (int i = 0; i < n; ++i) {
    const Row r = any_row();
    rows[r.key] = r;
  }
  std::vector<Row> list;
  for (const auto& [k, r] : rows) list.insert(list.begin(), r);
  Stats s;
  s.accesses = *rc::gen::arbitrary<uint64_t>();
  s.imprecise = 3;
  return ResultTable(std::move(list), 8, s);
}

}  // namespace

TEST_CASE("a result table survives writing and reading", "[depend]") {
  rc::prop("any table", [] {
    const ResultTable table = any_table();
    cdr::ByteWriter w;
    write(table, w);
    cdr::ByteReader r(w.bytes());
    ResultTable back;
    RC_ASSERT(read(r, back));
    RC_ASSERT(r.at_end());
    RC_ASSERT(back == table);
    for (const Row& row : table.rows()) RC_ASSERT(*back.find(row.key) == row);
    cdr::ByteWriter again;
    write(back, again);
    RC_ASSERT(std::equal(w.bytes().begin(), w.bytes().end(), again.bytes().begin(), again.bytes().end()));
  });
}

TEST_CASE("a damaged result table is refused or read, never more", "[depend]") {
  rc::prop("cut or changed bytes", [] {
    cdr::ByteWriter w;
    write(any_table(), w);
    std::vector<uint8_t> bytes(w.bytes().begin(), w.bytes().end());
    bytes.resize(*rc::gen::inRange<size_t>(0, bytes.size() + 1));
    if (!bytes.empty()) bytes[*rc::gen::inRange<size_t>(0, bytes.size())] ^= *rc::gen::inRange<uint8_t>(0, 255);
    cdr::ByteReader r(bytes);
    ResultTable table;
    const bool fine = read(r, table);
    RC_ASSERT(fine == r.ok());
    if (!fine) RC_ASSERT(table == ResultTable());
  });
}

TEST_CASE("a table that ends behind its rows does not tell steps", "[depend]") {
  Row row;
  row.count = 1;
  row.witness.step = 0;
  cdr::ByteWriter w;
  write(ResultTable({row}, 1, {}), w);
  cdr::ByteReader r(w.bytes().first(w.bytes().size() - 1));
  ResultTable old;
  REQUIRE(read(r, old));
  CHECK(old.rows()[0] == row);
  row.witness.step = 7;
  CHECK(same_dependences(old, ResultTable({row}, 1, {})));
  Row later = row;
  later.witness.step = 8;
  CHECK_FALSE(same_dependences(ResultTable({later}, 1, {}), ResultTable({row}, 1, {})));
}

TEST_CASE("rows out of order or twice are refused", "[depend]") {
  Row a, b;
  a.key.ancestor.addr = 1;
  b.key.ancestor.addr = 2;
  a.count = b.count = 1;
  cdr::ByteWriter w;
  write(ResultTable({a, a}, 1, {}), w);
  ResultTable table;
  cdr::ByteReader r(w.bytes());
  CHECK_FALSE(read(r, table));
}

TEST_CASE("the shortest row is read, and bytes behind the rows are refused", "[depend]") {
  Row shortest;  // every member is one byte
  shortest.count = 1;
  cdr::ByteWriter w;
  write(ResultTable({shortest}, 1, {}), w);
  ResultTable table;
  cdr::ByteReader r(w.bytes());
  REQUIRE(read(r, table));
  CHECK(table.rows()[0] == shortest);
  w.u8(0);
  cdr::ByteReader longer(w.bytes());
  CHECK_FALSE(read(longer, table));
}
