// SPDX-License-Identifier: GPL-2.0-or-later
// How high the stack pointer of one stack has been since any moment. Only local maxima matter: a fall of SP
// frees nothing. A maximum is recorded when SP falls after a rise, with a *version*, the number of maxima
// recorded so far on all stacks. Those that a later one exceeds are dropped, so the list falls and its
// length is at most the depth of the stack; both operations cost O(1) amortised.
//
//     SP     90  70  80  60  75      recorded: (1, 90) at 70; (2, 80) at 60; 75 is not recorded yet
//     peak_since(0) = 90, peak_since(1) = 80, peak_since(2) = 0;  pending() = 75
#ifndef CDRGRIND_DEPEND_SP_HISTORY_H
#define CDRGRIND_DEPEND_SP_HISTORY_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace cdr::depend {

class SpHistory {
 public:
  uint64_t now() const { return sp_; }
  // SP if it rose last: a maximum that is not recorded yet; else 0.
  uint64_t pending() const { return pending_; }

  void start(uint64_t sp) {
    sp_ = sp;
    pending_ = 0;
  }
  void set(uint64_t sp, uint32_t& version) {
    if (sp > sp_) {
      pending_ = sp;
    } else if (sp < sp_) {
      record(version);
    }
    sp_ = sp;
  }
  // What set() does where that is little: SP goes on rising or falling. False: nothing was done.
  bool go_on(uint64_t sp) {
    if (pending_ == 0 ? sp > sp_ : sp < sp_) return false;
    if (pending_ != 0) pending_ = sp;
    sp_ = sp;
    return true;
  }
  void record(uint32_t& version) {
    if (pending_ == 0) return;
    while (!peaks_.empty() && peaks_.back().sp <= pending_) peaks_.pop_back();
    peaks_.push_back({pending_, ++version});
    pending_ = 0;
  }
  // The greatest maximum recorded after `version`; 0 if none.
  uint64_t peak_since(uint32_t version) const {
    if (peaks_.empty() || peaks_.back().version <= version) return 0;
    const auto first = std::upper_bound(peaks_.begin(), peaks_.end(), version,
                                        [](uint32_t v, const Peak& p) { return v < p.version; });
    return first->sp;
  }
  void forget_peaks() { peaks_.clear(); }

 private:
  struct Peak {
    uint64_t sp;
    uint32_t version;
  };
  uint64_t sp_ = 0;
  uint64_t pending_ = 0;
  std::vector<Peak> peaks_;  // sp falls, version rises
};

}  // namespace cdr::depend

#endif
