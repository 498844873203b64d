// SPDX-License-Identifier: GPL-2.0-or-later
// The dependences of a stream that parts of the engine compute elsewhere, put together from their messages.
#ifndef CDRGRIND_DRAIN_PARTS_DEPENDENCES_H
#define CDRGRIND_DRAIN_PARTS_DEPENDENCES_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/depend/part_results.h"
#include "cdrgrind/drain/part_message.h"

namespace cdr::drain {

class PartsDependences {
 public:
  explicit PartsDependences(uint32_t parts) : parts_(parts) {}

  // What a part has sent, however it is cut.
  void take(uint32_t part, std::span<const uint8_t> bytes);
  // The part has told its end.
  bool ended(uint32_t part) const { return parts_[part].ended; }
  // Some part did not keep up.
  bool left() const { return left_; }
  // When all have ended, and none has left.
  depend::ResultTable table(uint32_t granularity) const { return results_.table(granularity, stats_); }

 private:
  struct Part {
    std::vector<uint8_t> bytes;                               // of a message that is not whole
    std::vector<uint32_t> numbers;                            // of its keys
    std::vector<std::vector<depend::CrossingHit>> stretches;  // that others have not told yet
    bool ended = false;
  };

  // The message at the beginning of these bytes; how many it has, 0: it is not whole.
  size_t take_message(Part& part, std::span<const uint8_t> bytes);
  void take_stretch(Part& part, std::span<const depend::Key> keys, std::vector<depend::CrossingHit> hits);

  std::vector<Part> parts_;
  depend::PartResults results_;
  depend::Stats stats_;
  bool left_ = false;
};

}  // namespace cdr::drain

#endif
