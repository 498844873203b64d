// SPDX-License-Identifier: GPL-2.0-or-later
// Invariants of blocks in the stream: ids, modules, words, and where control goes from one to the next.
#ifndef CDRGRIND_TRACE_CHECK_CHECK_BLOCKS_H
#define CDRGRIND_TRACE_CHECK_CHECK_BLOCKS_H

#include <map>
#include <set>
#include <vector>

#include "cdrgrind/trace/check/check_report.h"

namespace cdr::trace {

class CheckBlocks final : public StreamCheck {
 public:
  CheckBlocks(const BlockTable& blocks, CheckReport& report) : blocks_(blocks), report_(report) {}
  void see(const Sight& s) override;

 private:
  struct LastBlock {
    BlockId last;         // 0: none, or something came between
    uint64_t target = 0;  // where its constant target leads
    bool syscall_due = false;
  };

  void ids(const Sight& s);
  void modules(const Sight& s);
  void module_of_block(const Sight& s);
  void words(const Sight& s);
  void partial(const Sight& s);
  void control(const Sight& s);
  void syscall(const Sight& s);

  const BlockTable& blocks_;
  CheckReport& report_;
  uint32_t blocks_seen_ = 0, superblocks_seen_ = 0, modules_seen_ = 0, stacks_seen_ = 0;
  std::set<ModuleId> mapped_, ever_mapped_;
  std::map<ThreadId, LastBlock> threads_;
};

}  // namespace cdr::trace

#endif
