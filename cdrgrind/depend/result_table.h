// SPDX-License-Identifier: GPL-2.0-or-later
// What the dependence engine found: dependence keys with their counts, and how they are stored in a trace.
// docs/dependences.md defines every word used here. A table is a value: sorted rows, equal tables write equal
// bytes. Knows nothing of lines and names: those are the host's.
#ifndef CDRGRIND_DEPEND_RESULT_TABLE_H
#define CDRGRIND_DEPEND_RESULT_TABLE_H

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/bytes.h"
#include "cdrgrind/base/id.h"
#include "cdrgrind/base/range.h"

namespace cdr::depend {

// The values of the enumerations are part of the trace format.
enum class Kind : uint8_t { kRaw = 0, kWar = 1, kWaw = 2 };
constexpr uint8_t kKindCount = 3;

enum class LocationClass : uint8_t { kLinkage = 0, kRecycled = 1, kFalse = 2, kStack = 3, kOther = 4 };
constexpr uint8_t kLocationClassCount = 5;
constexpr char letter(LocationClass c) { return "lrfso"[static_cast<uint8_t>(c)]; }

enum class EndpointCode : uint8_t { kOwn = 0, kCall = 1, kHidden = 2 };
constexpr uint8_t kEndpointCodeCount = 3;
constexpr char letter(EndpointCode c) { return " ch"[static_cast<uint8_t>(c)]; }

struct Endpoint {
  CodeAddr at;  // an instruction of the ancestor: its access (kOwn) or its call
  EndpointCode code = EndpointCode::kOwn;
  auto operator<=>(const Endpoint&) const = default;
};

// Rows are sorted by the members in this order.
struct Key {
  CodeAddr ancestor;  // the block that named the ancestor; {0, 0}: a frame that executed nothing
  bool ancestor_hidden = false;
  Endpoint source;
  Endpoint target;
  LocationClass location = LocationClass::kOther;
  Kind kind = Kind::kRaw;
  ThreadId source_thread;
  ThreadId target_thread;
  auto operator<=>(const Key&) const = default;
};

// The first dependence seen under a key. Of a byte with several readers the source may be another one with the same
// key: which of them is met first depends on what the tables have forgotten by then. So tables in traces have none.
struct Witness {
  CodeAddr source;  // the instruction that made the source access; {0, 0}: not known, for one that has been folded too
  CodeAddr target;
  uint64_t addr = 0;   // the lowest byte of the target access that has the key
  uint32_t width = 0;  // bytes of the target access, rounded to the granularity
  uint64_t step = 0;   // blocks, whole or partial, and system calls up to the target's own; 0: not known
  auto operator<=>(const Witness&) const = default;
};

struct Row {
  Key key;
  uint64_t count = 0;
  Witness witness;
  auto operator<=>(const Row&) const = default;
};

struct Stats {
  uint64_t accesses = 0;  // accesses seen
  uint64_t cells = 0;     // cells of the memory table at the end
  uint64_t nodes = 0;     // nodes of the activation tree at the end
  uint64_t sweeps = 0;
  uint64_t bytes = 0;  // used by all tables at the end
  uint64_t peak_bytes = 0;
  uint64_t imprecise = 0;  // accesses and readers dropped because of the memory cap
  bool operator==(const Stats&) const = default;
};

class ResultTable {
 public:
  ResultTable() = default;
  // Sorts; the keys differ.
  ResultTable(std::vector<Row> rows, uint32_t granularity, const Stats& stats);

  std::span<const Row> rows() const { return rows_; }
  const Row* find(const Key& key) const;
  uint32_t granularity() const { return granularity_; }
  const Stats& stats() const { return stats_; }
  bool operator==(const ResultTable&) const = default;

 private:
  std::vector<Row> rows_;
  uint32_t granularity_ = 1;
  Stats stats_;
};

// All but the sources of witnesses, and their steps where one table does not know them.
bool same_dependences(const ResultTable& a, const ResultTable& b);

// The payload of the trace's DEPEND frame. `read` checks everything; on false the table is unchanged.
void write(const ResultTable& table, ByteWriter& to);
bool read(ByteReader& from, ResultTable& to);

}  // namespace cdr::depend

#endif
