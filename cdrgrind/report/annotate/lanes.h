// SPDX-License-Identifier: GPL-2.0-or-later
// Arrows between source lines, drawn in the left margin of a listing. Every arrow has a vertical *lane*; lane
// 0 is the one next to the source. Arrows whose lines overlap have different lanes, shorter ones the inner
// lanes. Where there are not lanes enough for that, arrows of a kind with a common end are a *bundle*, with one lane
// for all of them. Bundles for which there is no lane are left to the table below the listing, the frequent ones last.
//
//   ╭o─────   20   p = mklist(5);       o: the location class, stands at the source end
//   │  ╭oc─   21   q = mklist(5);       c: the endpoint's code, at both ends
//   ╰▶c┼──    22   m = sumlist(p);      ▶  the target end
//      ╰▶c    23   n = sumlist(q);
//
// The head of one that comes from an earlier iteration of a loop is ↻. An arrow from a line to itself has no lane but a
// mark of its own: ↻, or = if it is known not to be carried by a loop. Knows nothing of files.
#ifndef CDRGRIND_REPORT_ANNOTATE_LANES_H
#define CDRGRIND_REPORT_ANNOTATE_LANES_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cdrgrind/report/common/style.h"

namespace cdr::report {

enum class Carried : uint8_t { kUnknown, kNo, kYes };

struct Arrow {
  uint32_t from = 0, to = 0;  // lines
  uint8_t kind = 0;           // 0 RAW, 1 WAR, 2 WAW
  char location = 'o';        // class, '*' several
  char from_code = ' ';       // 'c', 'h', ' ' none, '*' several
  char to_code = ' ';
  uint64_t count = 0;
  Carried carried = Carried::kUnknown;  // by a loop: some of it
};

// Arrows of one kind with a common end: from one line to several, or from several to one; often just one arrow.
struct Bundle {
  uint8_t kind = 0;
  bool carried = false;
  uint32_t first = 0, last = 0;  // lines
  uint64_t count = 0;
  struct End {
    bool head = false;
    char letter = 'o', code = ' ';  // the location class, of an end that is no head; the endpoint's code
  };
  std::map<uint32_t, End> ends;  // by line

  void add(const Arrow& arrow);
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
    Bundle bundle;
    unsigned lane;
  };
  class Pen;
  const Placed* at(unsigned lane, uint32_t line) const;
  void place(std::vector<Bundle> bundles, unsigned max_lanes);
  const Arrow* loop_at(uint32_t line) const;

  std::vector<Placed> placed_;  // by lane, then first line
  std::vector<Arrow> loops_;    // by line
  unsigned lanes_ = 0;
  size_t left_ = 0;
};

}  // namespace cdr::report

#endif
