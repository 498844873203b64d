// SPDX-License-Identifier: GPL-2.0-or-later
// Who made an access: an access of a superblock, in a calling context. Contexts are nodes of a tree: who called, from
// where, which function. A library that the program calls is one context, whatever it calls itself.
// Of a function that calls itself deeper than kDeepestRecursion, the same call is the same context from then on: so
// there are not as many as activations, and what lies deeper is not told apart.
#ifndef CDRGRIND_ANALYSIS_REGIONS_CONTEXTS_H
#define CDRGRIND_ANALYSIS_REGIONS_CONTEXTS_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/base/event.h"
#include "cdrgrind/base/flat_map.h"

namespace cdr::regions {

// Indices; 0 is none.
using ContextIndex = uint32_t;
using SiteIndex = uint32_t;

struct Context {
  ContextIndex parent = 0;
  uint64_t site = 0;  // of the call, in the parent
  CodeAddr function;  // its entry
  uint32_t depth = 0;
  StackId stack;
  bool library = false;
  // Sets of registers (machine_insn.h): what it has read as its caller left it; what its caller has read as it left
  // it; what was still there when its caller returned.
  uint32_t arguments = 0, results = 0, passed_on = 0;
};

struct Site {
  static constexpr uint16_t kRegisters = 0xffff;  // what the block does to registers
  static constexpr uint16_t kWhole = 0xfffe;      // a system call, or a library function
  ContextIndex context = 0;
  SuperblockId superblock;
  uint16_t access = kWhole;
  bool linkage = false;
  uint8_t changing = 0;  // a load: in how many loops around it, from the outermost on, what it read had been stored
  SiteIndex from = 0;    // a load: who stored what it read last
  uint64_t ip = 0;       // kWhole only

  bool is_access() const { return access < kWhole; }
};

// Whether the superblock's instruction there repeats itself (`rep`).
inline bool repeats_insn(const Superblock& sb, uint64_t ip) {
  return std::any_of(sb.exits.begin(), sb.exits.end(),
                     [&](const Exit& e) { return e.target == ip && exit_addr(sb, e) == ip; });
}

class Contexts {
 public:
  explicit Contexts(const BlockTable& blocks) : blocks_(blocks), contexts_(1), sites_(1) {}

  ContextIndex root(StackId stack, CodeAddr function, bool library) {
    return child_of(0, stack.value, function, library, stack);
  }
  ContextIndex child(ContextIndex parent, uint64_t site, CodeAddr function, bool library) {
    return child_of(parent, site, function, library, contexts_[parent].stack);
  }
  // 0 if it was not called there.
  ContextIndex known_child(ContextIndex parent, uint64_t site, CodeAddr function) const;
  const Context& operator[](ContextIndex c) const { return contexts_[c]; }
  Context& operator[](ContextIndex c) { return contexts_[c]; }
  // Indices are smaller.
  ContextIndex size() const { return static_cast<ContextIndex>(contexts_.size()); }

  // The sites of the superblock's accesses follow each other, behind them that of its registers.
  SiteIndex sites_of(ContextIndex context, SuperblockId superblock);
  // 0 if it was not executed there.
  SiteIndex known_sites_of(ContextIndex context, SuperblockId superblock) const;
  // Of a library, or of a system call.
  SiteIndex whole(ContextIndex context, uint64_t ip);
  Site& site(SiteIndex s) { return sites_[s]; }
  const Site& site(SiteIndex s) const { return sites_[s]; }
  // Indices are smaller.
  SiteIndex site_count() const { return static_cast<SiteIndex>(sites_.size()); }
  // The same of an access's.
  bool repeats_insn(SiteIndex s) const;
  // The instruction.
  uint64_t ip_of(SiteIndex s) const;

  struct Endpoint {
    uint64_t ip = 0;
    bool call = false;
  };
  // The site as seen from a context at `depth` that it is in.
  Endpoint seen_from(SiteIndex s, uint32_t depth) const {
    ContextIndex c = sites_[s].context;
    if (contexts_[c].depth <= depth) return {ip_of(s), false};
    while (contexts_[c].depth > depth + 1) c = contexts_[c].parent;
    return {contexts_[c].site, true};
  }

 private:
  struct Key {
    uint64_t parent_and_module, site, function;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    uint64_t operator()(const Key& k) const { return mix64(k.parent_and_module ^ mix64(k.site ^ mix64(k.function))); }
  };
  static constexpr unsigned kDeepestRecursion = 8;

  ContextIndex recursion(ContextIndex parent, uint64_t site, CodeAddr function) const;
  ContextIndex child_of(ContextIndex parent, uint64_t site, CodeAddr function, bool library, StackId stack);

  const BlockTable& blocks_;
  std::vector<Context> contexts_;
  std::vector<Site> sites_;
  FlatMap<Key, ContextIndex, KeyHash> children_;
  FlatMap<uint64_t, SiteIndex> of_blocks_;   // by context and superblock
  FlatMap<Key, SiteIndex, KeyHash> wholes_;  // by context and instruction
};

}  // namespace cdr::regions

#endif
