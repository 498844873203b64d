// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/engine.h"

#include "cdrgrind/depend/machine.h"

namespace cdr::depend {

Engine::Engine(const ModuleTable& modules, const BlockTable& blocks, const Options& options)
    : machine_(std::make_unique<Machine>(modules, blocks, options)) {}

Engine::~Engine() = default;

void Engine::block(ThreadId thread, BlockId id, std::span<const uint64_t> words) { machine_->block(thread, id, words); }

void Engine::run(ThreadId thread, Steps run) { machine_->run(thread, run); }

void Engine::event(const Event& e) { machine_->event(e); }

const ResultTable& Engine::results() {
  results_ = machine_->results();
  return results_;
}

Stats Engine::stats() const { return machine_->stats(); }

}  // namespace cdr::depend
