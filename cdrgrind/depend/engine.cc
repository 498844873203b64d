// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/engine.h"

#include "cdrgrind/depend/machine.h"

namespace cdr::depend {

Engine::Engine(const ModuleTable& modules, const BlockTable& blocks, const Options& options)
    : granularity_(options.granularity), machine_(std::make_unique<Machine>(modules, blocks, options)) {}

Engine::~Engine() = default;

void Engine::block(ThreadId thread, BlockId id, std::span<const uint64_t> words) { machine_->block(thread, id, words); }

void Engine::run(ThreadId thread, Steps run) { machine_->run(thread, run); }

void Engine::event(const Event& e) { machine_->event(e); }

const ResultTable& Engine::results() {
  results_ = machine_->results();
  return results_;
}

ResultTable Engine::lasting_results() {
  PartResults all;
  all.add(part_rows());
  return all.table(granularity_, stats());
}

std::vector<PartRow> Engine::part_rows() { return machine_->rows(); }

std::vector<CrossingHit> Engine::take_crossings(PartResults& to) {
  std::vector<CrossingHit> hits;
  hits.swap(machine_->crossing_hits());
  for (CrossingHit& h : hits) {
    if (h.row >= numbers_.size()) numbers_.resize(h.row + 1);
    uint32_t& number = numbers_[h.row];
    if (number == 0) number = to.number_of(machine_->key(h.row)) + 1;
    h.row = number - 1;
  }
  return hits;
}

void Engine::observe(CountObserver& observer) { machine_->observe(observer); }

Key Engine::key(RowIndex row) const { return machine_->key(row); }

CodeAddr Engine::code(CodeIndex at) const { return machine_->code(at); }

Stats Engine::stats() const { return machine_->stats(); }

}  // namespace cdr::depend
