// SPDX-License-Identifier: GPL-2.0-or-later
// Where each digram of a grammar occurs: an open-addressing table of symbol nodes, keyed by the node's symbol and
// exponent and its successor's. Deletion shifts back, so there are no tombstones. A slot keeps the hash, so that
// other nodes are hardly ever looked at and growing looks at none.
#ifndef CDRGRIND_ENCODE_DIGRAM_TABLE_H
#define CDRGRIND_ENCODE_DIGRAM_TABLE_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/base/memory_need.h"

namespace cdr {

struct SymbolNode {
  uint32_t symbol = 0;
  uint32_t count = 0;
  uint32_t prev = 0;
  uint32_t next = 0;
};

class DigramTable {
  struct Slot {
    uint32_t node = 0;
    uint32_t hash = 0;
  };

 public:
  // A place in the table: where a digram stands, or belongs. Until the table changes.
  class Spot {
   public:
    uint32_t node() const { return node_; }  // under which it stands; 0: it does not

   private:
    friend class DigramTable;
    uint32_t index_, hash_, node_;
  };
  Spot locate(const SymbolNode* nodes, const SymbolNode& a, const SymbolNode& b) {
    if (size_ >= most_) [[unlikely]]
      grow();
    const Slot* const slots = slots_.data();
    const uint32_t mask = mask_, hash = hash_of(a, b);
    Spot s;
    s.hash_ = hash;
    for (s.index_ = hash & mask;; s.index_ = (s.index_ + 1) & mask) {
      const Slot found = slots[s.index_];
      s.node_ = found.node;
      if (found.node == 0) return s;
      if (found.hash != hash) continue;
      const SymbolNode& m = nodes[found.node];
      if (equal(m, a) && equal(nodes[m.next], b)) return s;
    }
  }
  // It stands under `n` from now on.
  void insert(Spot s, uint32_t n) {
    slots_[s.index_] = {n, s.hash_};
    ++size_;
  }

  // The same, but not before put_held(), or never if drop_held() comes first. Till then nothing may be done but to
  // locate other digrams.
  void hold(Spot s, uint32_t n) {
    if (held_ != 0) {
      put_held();
      while (slots_[s.index_].node != 0) s.index_ = (s.index_ + 1) & mask_;
    }
    held_ = n;
    held_index_ = s.index_;
    held_hash_ = s.hash_;
    ++size_;
  }
  uint32_t held() const { return held_; }  // 0: none
  void put_held() {
    if (held_ == 0) return;
    slots_[held_index_] = {held_, held_hash_};
    held_ = 0;
  }
  void drop_held() {
    held_ = 0;
    --size_;
  }

  // The node under which the digram at `n` stands; `n` itself if it was put in now.
  uint32_t find_or_insert(const SymbolNode* nodes, uint32_t n) {
    const Spot s = locate(nodes, nodes[n], nodes[nodes[n].next]);
    if (s.node() != 0) return s.node();
    insert(s, n);
    return n;
  }
  // Removes the digram at `n` if it stands under this very node.
  void erase(const SymbolNode* nodes, uint32_t n) {
    if (slots_.empty()) return;
    const size_t i = slot_of(n, hash_of(nodes, n));
    if (slots_[i].node != 0) close_hole(i);
  }
  // The digram at `from` stands at `to` from now on, which is equal.
  void move(const SymbolNode* nodes, uint32_t from, uint32_t to) {
    const size_t i = slot_of(from, hash_of(nodes, from));
    if (slots_[i].node != 0) slots_[i].node = to;
  }
  // Whether the digram at `n` stands under this very node.
  bool has(const SymbolNode* nodes, uint32_t n) const {
    return !slots_.empty() && slots_[slot_of(n, hash_of(nodes, n))].node == n;
  }

  size_t size() const { return size_; }
  // Memory, as it grows.
  size_t bytes() const { return grown_table_bytes(size_, slots_.size(), sizeof(Slot)); }

 private:
  static uint32_t hash_of(const SymbolNode* nodes, uint32_t n) { return hash_of(nodes[n], nodes[nodes[n].next]); }
  static uint32_t hash_of(const SymbolNode& a, const SymbolNode& b) {
    const uint64_t left = uint64_t{a.count} << 32 | a.symbol;
    const uint64_t right = uint64_t{b.count} << 32 | b.symbol;
    const unsigned __int128 product =
        static_cast<unsigned __int128>(left ^ 0x9e3779b97f4a7c15) * (right ^ 0xc4ceb9fe1a85ec53);
    const uint64_t folded = static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
    return static_cast<uint32_t>(folded ^ folded >> 32);
  }
  static bool equal(const SymbolNode& a, const SymbolNode& b) {
    return ((a.symbol ^ b.symbol) | (a.count ^ b.count)) == 0;
  }
  // The slot that holds `n`, or an empty one.
  size_t slot_of(uint32_t n, uint32_t hash) const {
    const size_t mask = mask_;
    const Slot* const slots = slots_.data();
    size_t i = hash & mask;
    while (slots[i].node != 0 && slots[i].node != n) i = (i + 1) & mask;
    return i;
  }
  void close_hole(size_t hole) {
    const size_t mask = mask_;
    for (size_t i = (hole + 1) & mask; slots_[i].node != 0; i = (i + 1) & mask) {
      if (((i - slots_[i].hash) & mask) < ((i - hole) & mask)) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole] = {};
    --size_;
  }
  void grow() {
    put_held();
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    mask_ = static_cast<uint32_t>(slots_.size() - 1);
    most_ = slots_.size() / 4 * 3;
    for (const Slot& s : old) {
      if (s.node == 0) continue;
      size_t i = s.hash & (slots_.size() - 1);
      while (slots_[i].node != 0) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = s;
    }
  }

  std::vector<Slot> slots_;  // a power of two of them; node 0 is empty
  uint32_t mask_ = 0;        // their number less one
  uint32_t held_ = 0, held_index_ = 0, held_hash_ = 0;
  size_t size_ = 0;  // with the one that is held
  size_t most_ = 0;  // before it grows
};

}  // namespace cdr

#endif
