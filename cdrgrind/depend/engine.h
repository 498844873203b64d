// SPDX-License-Identifier: GPL-2.0-or-later
// The dependence engine: event stream in, dependences as docs/dependences.md defines them out. Exact, in one
// pass and in bounded memory: what grows with the run (activations, readers) is folded together as soon as
// no future event can tell it apart, see sweep.h. The same stream gives the same table to the byte.
#ifndef CDRGRIND_DEPEND_ENGINE_H
#define CDRGRIND_DEPEND_ENGINE_H

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cdrgrind/base/block_table.h"
#include "cdrgrind/base/event.h"
#include "cdrgrind/base/module_table.h"
#include "cdrgrind/depend/count_observer.h"
#include "cdrgrind/depend/part_results.h"
#include "cdrgrind/depend/result_table.h"

namespace cdr::depend {

struct Options {
  uint32_t granularity = 1;  // bytes, a power of two, at most 64
  uint64_t memory_bytes = uint64_t{1} << 30;
  // Of so many engines that share the memory this is one; see part_results.h.
  uint32_t parts = 1, part = 0;
  uint32_t sweep_nodes = 64 * 1024;  // room for new activations between sweeps; small in tests of them
};

class Machine;

// Not thread-safe. The tables must outlive the engine.
class Engine final : public RunSink {
 public:
  Engine(const ModuleTable& modules, const BlockTable& blocks, const Options& options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void block(ThreadId thread, BlockId id, std::span<const uint64_t> words) override;
  void run(ThreadId thread, Steps run) override;
  void event(const Event& e) override;

  // The state so far; may be asked for repeatedly. Valid until the next call.
  const ResultTable& results();
  // The same as a trace keeps it: nothing depends on how many parts there were.
  ResultTable lasting_results();
  Stats stats() const;
  // The same of a part: its rows; and the hits of accesses to lines of several parts, since this was called last, rows
  // by the number that `to` gives them.
  std::vector<PartRow> part_rows();
  std::vector<CrossingHit> take_crossings(PartResults& to);

  // From now on `observer` is told what counts; on the host, of an engine that has all of the memory.
  void observe(CountObserver& observer);
  // What it is told of: of a row, which never changes, and of an instruction.
  Key key(RowIndex row) const;
  CodeAddr code(CodeIndex at) const;

 private:
  uint32_t granularity_;
  std::unique_ptr<Machine> machine_;
  ResultTable results_;
  std::vector<uint32_t> numbers_;  // by row, + 1; 0: not asked for
};

}  // namespace cdr::depend

#endif
