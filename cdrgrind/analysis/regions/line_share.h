// SPDX-License-Identifier: GPL-2.0-or-later
// Several replays may share the memory among them, line by line: whose a line is, and where its part keeps it. A part's
// lines stand close together, so that all parts' tables are as large as one's. The first part follows the registers,
// and has half as many lines as the others.
#ifndef CDRGRIND_ANALYSIS_REGIONS_LINE_SHARE_H
#define CDRGRIND_ANALYSIS_REGIONS_LINE_SHARE_H

#include <array>
#include <cstdint>

namespace cdr::regions {

constexpr uint64_t kLineBytes = 64;

class LineShare {
 public:
  static constexpr unsigned kMostParts = 16;
  // Lines are dealt in groups, to each part as many of each.
  static constexpr uint64_t kGroup = 32;

  // `parts`: 1 to kMostParts.
  LineShare(unsigned parts, unsigned part) : parts_(parts) {
    const unsigned shares = 2 * parts - 1;
    for (unsigned slot = 0; slot < kGroup; ++slot) {
      const unsigned owner = (slot * shares / kGroup + 1) / 2;
      places_[slot] = owner == part ? static_cast<int8_t>(own_++) : int8_t{-1};
    }
  }

  bool is_all() const { return parts_ == 1; }
  bool has(uint64_t line) const { return places_[slot(line)] >= 0; }
  // Of an own line.
  uint64_t place_of(uint64_t line) const {
    return first_place(line / kGroup) + static_cast<uint8_t>(places_[slot(line)]);
  }
  // Of a group: the lines of it that are the part's have this place and those up to the next group's.
  uint64_t first_place(uint64_t group) const { return group * own_; }

 private:
  static uint64_t slot(uint64_t line) { return (line ^ (line / kGroup * 0x9e3779b97f4a7c15u >> 58)) % kGroup; }

  unsigned parts_;
  uint64_t own_ = 0;                     // lines of a group
  std::array<int8_t, kGroup> places_{};  // by slot: within the group; another part's: -1
};

}  // namespace cdr::regions

#endif
