// SPDX-License-Identifier: GPL-2.0-or-later
// Stretches: a thread's blocks in pieces that recur. A stretch ends
//  * before a block that was reached by a backward jump (calls and returns do not count as jumps),
//  * after kMaxStretch blocks,
//  * wherever the caller says so (synchronisation, signals, any event between two blocks).
//
// Stretches are the paths of a trie whose edges are blocks; each node remembers the child taken last and
// the cut made last, so that a block costs one comparison as long as the program does what it did the last
// time. Where it does something else, the children, a ring, are looked through: mostly there is one other, and it
// is where the thread goes on. Only the children of nodes with many are looked up in a table. Ids are serial from 1 in
// the order of first completion; they depend on the sequence of blocks only. One trie serves all threads.
//
// A stretch also says whether the call or return that is bound to follow its last block (encode/thread_model.h) comes
// at once. One after which it does not is *bare*: it has an id of its own.
#ifndef CDRGRIND_ENCODE_STRETCHES_H
#define CDRGRIND_ENCODE_STRETCHES_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cdrgrind/base/block_table.h"
#include "cdrgrind/base/flat_map.h"

namespace cdr {

constexpr uint32_t kMaxStretch = 64;

class Stretches {
 public:
  explicit Stretches(const BlockTable& blocks) : blocks_(blocks), nodes_(1) {}

  // The stretch that a thread is in; a new one is in none.
  struct Open {
    uint32_t node = 0;
    uint32_t depth = 0;  // blocks so far
  };

  // `id` is the thread's next block. Returns the stretch that ended before it, or 0.
  uint32_t advance(Open& open, BlockId id) {
    const Node& n = nodes_[open.node];
    if (n.child_block == id.value) [[likely]] {
      open = {n.child, open.depth + 1};
      return 0;
    }
    if (n.cut_block == id.value) {
      open = {n.cut_start, 1};
      return n.stretch;
    }
    const Step step = advance_slowly(open, id);
    open = step.open;
    return step.ended;
  }
  // Ends the stretch that the thread is in. Returns it, or 0 if there is none.
  uint32_t finish(Open& open, bool bare = false);

  // Of the last stretch completed.
  uint32_t count() const { return forgotten_ + static_cast<uint32_t>(ends_.size()); }
  // The blocks of stretch `id`, which is not forgotten, replace the content of `to`.
  void blocks_of(uint32_t id, std::vector<BlockId>& to) const;
  bool bare(uint32_t id) const { return ends_[id - 1 - forgotten_] & kBareBit; }

  // Stretches that complete from now on are new ones. No thread may be in a stretch.
  void forget();

  // Memory, as it grows; an upper bound.
  size_t bytes() const;

 private:
  struct Node {
    uint32_t block = 0;
    uint32_t parent = 0;
    uint32_t child_block = 0, child = 0;    // the child taken last
    uint32_t cut_block = 0, cut_start = 0;  // the block before which the stretch ended last, and its node
    uint32_t stretch = 0;                   // that ends here, or 0
    uint32_t sibling = 0;                   // the next child of the parent; behind the last one comes the first
  };
  struct BlockEnds {
    uint64_t addr = 0;  // of the superblock
    uint64_t exit = 0;  // of the instruction at the exit
    bool jumps = false;
  };

  struct Step {  // by value: the caller's Open stays in registers
    Open open;
    uint32_t ended;
  };
  Step advance_slowly(Open open, BlockId id);
  uint32_t start_of(BlockId id);
  uint32_t child_of(uint32_t node, BlockId id);
  uint32_t add_child(uint32_t node, BlockId id);
  uint32_t new_node(uint32_t parent, BlockId id);
  void list_children(uint32_t node);
  uint32_t ended_at(uint32_t node);
  uint32_t bare_at(uint32_t node);
  bool backward_jump(BlockId from, BlockId to);
  void learn_ends(BlockId id);

  const BlockTable& blocks_;
  std::vector<BlockEnds> block_ends_;  // by block id
  std::vector<Node> nodes_;            // 0 is the root
  std::vector<uint32_t> starts_;       // by block id: the child of the root, or 0
  FlatMap<uint64_t, uint32_t> many_;   // children of nodes with more than kFewChildren: node << 32 | block
  static constexpr uint32_t kFewChildren = 4;
  static constexpr uint32_t kBareBit = 1u << 31;
  std::vector<uint32_t> ends_;        // node of each stretch that is not forgotten; kBareBit if it is bare
  FlatMap<uint64_t, uint32_t> bare_;  // by node: the bare stretch that ends there
  uint32_t forgotten_ = 0;
};

}  // namespace cdr

#endif
