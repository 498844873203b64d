// SPDX-License-Identifier: GPL-2.0-or-later
// Threads' paths as terminals of one grammar: blocks are cut into stretches, and equal neighbours become one run.
#ifndef CDRGRIND_ENCODE_PATH_CUTTER_H
#define CDRGRIND_ENCODE_PATH_CUTTER_H

#include <cstdint>

#include "cdrgrind/encode/path_terminals.h"
#include "cdrgrind/encode/sequitur.h"
#include "cdrgrind/encode/stretches.h"

namespace cdr {

class PathCutter {
 public:
  static constexpr uint32_t kMaxRun = ~0u;

  // Of a thread.
  struct Path {
    Stretches::Open open;
    uint32_t string = 0;    // + 1; 0: nothing has been appended
    uint32_t terminal = 0;  // of the open run
    uint32_t count = 0;     // of the open run; 0: none
  };

  explicit PathCutter(const BlockTable& blocks) : stretches_(blocks) {}
  Stretches& stretches() { return stretches_; }
  const Stretches& stretches() const { return stretches_; }
  Sequitur& strings() { return strings_; }
  const Sequitur& strings() const { return strings_; }

  // `named`: the block gives its frame a name, or another one, which cannot be seen from what stands around it.
  void block(Path& p, BlockId id, bool named) {
    if (named && p.open.node == 0) emit(p, kNameTerminal);
    if (const uint32_t ended = stretches_.advance(p.open, id)) {
      emit(p, terminal_of_stretch(ended));
      if (named) emit(p, kNameTerminal);
    }
  }
  // `bare`: what is bound to follow the last block does not come at once.
  void end_stretch(Path& p, bool bare = false) {
    if (const uint32_t stretch = stretches_.finish(p.open, bare)) emit(p, terminal_of_stretch(stretch));
  }
  // No stretch is open, or it has been advanced beyond.
  void emit(Path& p, uint32_t terminal) {
    if (p.terminal == terminal && p.count > 0 && p.count < kMaxRun) [[likely]]
      ++p.count;
    else
      emit_next(p, terminal);
  }
  void close_run(Path& p);

 private:
  void emit_next(Path& p, uint32_t terminal);

  Stretches stretches_;
  Sequitur strings_;
};

}  // namespace cdr

#endif
