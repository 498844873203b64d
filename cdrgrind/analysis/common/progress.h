// SPDX-License-Identifier: GPL-2.0-or-later
// How far a long computation is: called now and then with the name of the part under way; `all` is 0 if it is not
// known. May be empty.
#ifndef CDRGRIND_ANALYSIS_COMMON_PROGRESS_H
#define CDRGRIND_ANALYSIS_COMMON_PROGRESS_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace cdr::analysis {

using Progress = std::function<void(std::string_view part, uint64_t done, uint64_t all)>;

// For work that can end early, with what it has by then. Both may be empty.
struct Watch {
  Progress progress;
  std::function<bool()> stopped;  // whether the part under way shall end; the next one goes on
};

// Events after which it is told again how far a part is.
constexpr uint32_t kEventsBetween = 1 << 14;

// One part of such work.
class WatchedPart {
 public:
  // Tells and asks at the first step, and then every so many.
  WatchedPart(const Watch& watch, std::string_view part, uint64_t all, uint32_t every = 256)
      : watch_(watch), part_(part), all_(all), every_(every) {}

  // A step: false if the part shall end.
  bool goes_on(uint64_t done) {
    if (left_-- != 0) return true;
    left_ = every_ - 1;
    if (watch_.progress) watch_.progress(part_, done, all_);
    if (!ended_ && watch_.stopped && watch_.stopped()) {
      ended_ = true;
      done_ = done;
    }
    if (ended_) left_ = 0;
    return !ended_;
  }
  bool ended() const { return ended_; }
  // How far it was then.
  std::optional<uint64_t> end() const { return ended_ ? std::optional(done_) : std::nullopt; }

 private:
  const Watch& watch_;
  std::string_view part_;
  uint64_t all_;
  uint32_t every_, left_ = 0;
  bool ended_ = false;
  uint64_t done_ = 0;
};

}  // namespace cdr::analysis

#endif
