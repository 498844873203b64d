// SPDX-License-Identifier: GPL-2.0-or-later
// What the dependence engine takes to follow the events, without the question: see floor_engine.cc.
#ifndef CDRGRIND_TESTS_BENCH_FLOOR_ENGINE_H
#define CDRGRIND_TESTS_BENCH_FLOOR_ENGINE_H

#include <cstdint>
#include <memory>

#include "cdrgrind/base/event.h"

std::shared_ptr<cdr::RunSink> make_floor_engine(const cdr::ModuleTable& modules, const cdr::BlockTable& blocks,
                                                uint32_t granularity, uint64_t memory_bytes);

#endif
