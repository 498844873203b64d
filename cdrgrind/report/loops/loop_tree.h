// SPDX-License-Identifier: GPL-2.0-or-later
// Outermost loops of a trace as trees of source lines and calls, those first that most of the sequence is in. Loops
// with equal bodies are one entry.
//
//     of all  iterations  loop
//    45.00 %           5  loop_nest.c:18-23  work
//                           loop_nest.c:18-20  work
//                           loop_nest.c:12  sweep
//    21.00 %           3    loop_nest.c:13-14  sweep
//                             loop_nest.c:13-14  sweep
//                             loop_nest.c:8-10  touch
//                           loop_nest.c:13, 15, 22  work
//
// Neighbouring symbols of one function are one item: `13-14` are two lines, or one block that stands for both. What
// templates bring into the program from headers of the system is one item, too, with loops that it makes. Of a body the
// items with most symbols are shown, and the others counted where they stand. Loops in which less than one in a hundred
// symbols is are not opened.
#ifndef CDRGRIND_REPORT_LOOPS_LOOP_TREE_H
#define CDRGRIND_REPORT_LOOPS_LOOP_TREE_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/report/loops/loop_nest.h"

namespace cdr::report {

// Everything given must outlive it.
class LoopTree {
 public:
  static constexpr uint64_t kMost = 10;  // outermost loops, and items of a body, if it is not said

  LoopTree(const LoopReport& report, std::string_view units, const Style& style, Output& out);
  void write();

 private:
  // Outermost loops with equal bodies.
  struct Alike {
    const loops::Loop* first = nullptr;
    uint64_t iterations = 0;  // of all together
    uint32_t number = 0;
    uint32_t least = 0, most = 0;
  };
  // Part of a body: a loop, or neighbouring symbols of one function.
  struct Item {
    const loops::Loop* loop = nullptr;
    uint32_t begin = 0, end = 0;
  };

  std::vector<Alike> alike() const;
  // To one of the rows from there on, or to a new one.
  void add_to(std::vector<Alike>& all, size_t from, const loops::Loop& loop) const;
  uint64_t hash_of_body(const loops::Loop& loop) const;
  bool equal_bodies(const loops::Loop& a, const loops::Loop& b) const;

  void put_row(const Alike& loops);
  // `times`: how often the loop's body was executed in all; `depth` of the loop.
  void put_body(const loops::Loop& loop, uint64_t times, unsigned depth);
  void put_item(const Item& item, uint64_t times, unsigned depth);
  void put_left_out(uint64_t symbols, uint64_t loops, unsigned depth);
  std::string counted(uint64_t symbols) const;
  void put(uint64_t symbols, const std::string& iterations, unsigned depth, std::string_view text);
  void put_plain(unsigned depth, std::string_view text);

  // Whether it is one item, so that no more than a row is wanted.
  bool is_one_item(const loops::Loop& loop) const;
  bool is_all_of_system(const loops::Loop& loop) const;
  bool of_system(uint32_t at) const { return group_at(at) == kOfSystem; }
  uint32_t group_at(uint32_t at) const { return groups_[report_.sequence.symbols[at]]; }
  uint64_t weight_of(const Item& item) const;
  template <class Visitor>
  void for_each_item(const loops::Loop& body, Visitor visit) const;
  std::string text_of(const loops::Loop& loop) const;
  std::string text_of(const Item& item) const;
  std::string lines_of(const Item& item) const;

  const LoopReport& report_;
  const std::string_view units_;
  const Style& style_;
  Output& out_;
  const uint64_t most_;
  std::vector<SymbolText> texts_;  // by symbol
  std::vector<uint32_t> groups_;   // by symbol: those of one function have the same number; a call has its own

  static constexpr uint32_t kOfSystem = UINT32_MAX;
};

}  // namespace cdr::report

#endif
