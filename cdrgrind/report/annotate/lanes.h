// SPDX-License-Identifier: GPL-2.0-or-later
// Arrows between source lines, drawn in the left margin of a listing. Every arrow has a vertical *lane*; lane
// 0 is the one next to the source. Arrows whose lines overlap have different lanes, shorter ones the inner
// lanes. Arrows for which there is no lane are left to the table below the listing, the frequent ones last.
//
//   ╭o─────   20   p = mklist(5);       o: the location class, stands at the source end
//   │  ╭oc─   21   q = mklist(5);       c: the endpoint's code, at both ends
//   ╰▶c┼──    22   m = sumlist(p);      ▶  the target end
//      ╰▶c    23   n = sumlist(q);
//
// An arrow from a line to itself has no lane but a mark of its own. Knows nothing of files.
#ifndef CDRGRIND_REPORT_ANNOTATE_LANES_H
#define CDRGRIND_REPORT_ANNOTATE_LANES_H

#include <cstdint>
#include <string>
#include <vector>

#include "cdrgrind/report/common/style.h"

namespace cdr::report {

struct Arrow {
  uint32_t from = 0, to = 0;  // lines
  uint8_t kind = 0;           // 0 RAW, 1 WAR, 2 WAW
  char location = 'o';        // class, '*' several
  char from_code = ' ';       // 'c', 'h', ' ' none, '*' several
  char to_code = ' ';
  uint64_t count = 0;

  uint32_t first() const { return from < to ? from : to; }
  uint32_t last() const { return from < to ? to : from; }
};

class Lanes {
 public:
  Lanes(std::vector<Arrow> arrows, unsigned max_lanes);

  unsigned count() const { return lanes_; }
  size_t left_to_table() const { return left_; }

  // The margin of a source line; of lines left out behind `after`, where only passing lanes are drawn.
  std::string margin(uint32_t number, const Style& style) const;
  std::string margin_between(uint32_t after, const Style& style) const;
  unsigned width() const { return lanes_ * 3 + (loops_.empty() ? 0 : 1); }

 private:
  struct Placed {
    Arrow arrow;
    unsigned lane;
  };
  class Pen;
  const Placed* at(unsigned lane, uint32_t line) const;
  void place(std::vector<Arrow> arrows, unsigned max_lanes);
  const Arrow* loop_at(uint32_t line) const;

  std::vector<Placed> placed_;  // by lane, then first line
  std::vector<Arrow> loops_;    // by line
  unsigned lanes_ = 0;
  size_t left_ = 0;
};

}  // namespace cdr::report

#endif
