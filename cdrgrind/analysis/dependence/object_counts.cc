// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/dependence/object_counts.h"

#include <algorithm>

#include "cdrgrind/trace/read/cursor.h"

namespace cdr::analysis {

namespace {

class Counter final : public depend::CountObserver {
 public:
  Counter(const trace::TraceFile& file, const depend::Engine& engine, const depend::ResultTable& table,
          std::span<const DependenceRow> rows, const std::vector<bool>& libraries, ObjectNumbers& numbers)
      : engine_(engine),
        table_(table),
        objects_(file.modules(), file.blocks(), libraries, numbers),
        row_of_(table.rows().size()),
        counts_(rows.size()) {
    for (uint32_t r = 0; r < rows.size(); ++r)
      for (const uint32_t key : rows[r].keys) row_of_[key] = r + 1;
  }

  // Before the engine has it.
  void event(const Event& e) {
    thread_ = e.thread;
    objects_.event(e);
  }

  void counted(depend::RowIndex row, uint64_t addr, depend::CodeIndex at) override {
    if (row >= keys_.size()) meet(row);
    Key& key = keys_[row];
    if (key.row == 0) return;
    counts_[key.row - 1].add(objects_.at(addr, thread_, engine_.code(at), key.recent));
  }

  std::vector<ObjectCounts> take() { return std::move(counts_); }

 private:
  struct Key {
    uint32_t row = 0;  // + 1; 0: nobody asks for it
    LiveObjects::Recent recent;
  };

  // Rows of the engine are met in the order in which they are made, but for those that count later.
  void meet(depend::RowIndex row) {
    for (auto r = static_cast<depend::RowIndex>(keys_.size()); r <= row; ++r) {
      const depend::Row* const known = table_.find(engine_.key(r));
      keys_.emplace_back().row = known ? row_of_[static_cast<size_t>(known - table_.rows().data())] : 0;
    }
  }

  const depend::Engine& engine_;
  const depend::ResultTable& table_;
  LiveObjects objects_;
  ThreadId thread_;
  std::vector<uint32_t> row_of_;  // by key of the table
  std::vector<Key> keys_;         // by row of the engine
  std::vector<ObjectCounts> counts_;
};

// Witnesses of older recorders may be others.
bool same_counts(const depend::ResultTable& a, const depend::ResultTable& b) {
  return std::equal(a.rows().begin(), a.rows().end(), b.rows().begin(), b.rows().end(),
                    [](const depend::Row& x, const depend::Row& y) { return x.key == y.key && x.count == y.count; });
}

}  // namespace

void ObjectCounts::add(uint32_t object) {
  for (Object& o : objects) {
    if (o.number != object) continue;
    ++o.count;
    return;
  }
  if (objects.size() < kMostObjects)
    objects.push_back({object, 1});
  else
    ++others;
}

CountedObjects count_objects(const trace::TraceFile& file, const depend::Options& options,
                             const depend::ResultTable& table, std::span<const DependenceRow> rows,
                             const std::vector<bool>& libraries, ObjectNumbers& numbers, WatchedPart& part) {
  depend::Engine engine(file.modules(), file.blocks(), options);
  Counter counter(file, engine, table, rows, libraries, numbers);
  engine.observe(counter);
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) {
    if (!part.goes_on(cursor.index())) return {};
    counter.event(e);
    dispatch(e, engine);
  }
  return {counter.take(), same_counts(engine.results(), table)};
}

}  // namespace cdr::analysis
