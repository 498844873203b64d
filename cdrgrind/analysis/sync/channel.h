// SPDX-License-Identifier: GPL-2.0-or-later
// What a channel (base/event.h, ChannelKind) passes on: who receives bytes or messages gets what those threads knew
// that sent these, and of the end of what is sent, what those knew that ended it.
//
// Which bytes are whose follows from how many went over, in the order in which calls ended. Calls that overlapped may
// have been carried out in any order: those who sent at the same time are one, and who received while others did so
// gets all that they may have got. So a receiver may get more than the kernel gave it, never less.
#ifndef CDRGRIND_ANALYSIS_SYNC_CHANNEL_H
#define CDRGRIND_ANALYSIS_SYNC_CHANNEL_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "cdrgrind/base/event.h"

namespace cdr::sync {

template <class Release>
class Channel {
 public:
  explicit Channel(ChannelKind kind = ChannelKind::kShared) : kind_(kind) {}

  // A number for the others.
  uint64_t begin_send(Release what) {
    sending_.push_back({++tickets_, false, std::move(what)});
    return tickets_;
  }
  // Whether somebody received it while it was being sent.
  bool was_received(uint64_t ticket) const {
    const auto s = find(sending_, ticket);
    return s != sending_.end() && s->received;
  }
  // `units`: bytes or messages; 0: the end of what is sent.
  void end_send(uint64_t ticket, uint64_t units, const Release& what) {
    erase(sending_, ticket);
    if (units == 0 || gives_all(kind_))
      ended_.join(what);
    else
      group_.join(what);
    group_units_ += gives_all(kind_) ? 0 : units;
    close_group();
  }
  void give_up_send(uint64_t ticket) {
    erase(sending_, ticket);
    close_group();
  }

  uint64_t begin_receive() {
    receiving_.push_back({++tickets_, received_});
    return tickets_;
  }
  // 0 units: there is nothing any more. `stays`: it is still there for the next one.
  Release end_receive(uint64_t ticket, uint64_t units, bool stays) {
    const auto r = find(receiving_, ticket);
    const uint64_t from = r == receiving_.end() ? received_ : r->from;
    const bool alone = receiving_.size() < 2;
    const bool all = kind_ == ChannelKind::kCounter || gives_all(kind_) || !alone;
    const uint64_t to = all ? UINT64_MAX : received_ + units;
    Release got;
    uint64_t begin = gone_;
    for (const Sent& s : sent_) {
      if (begin < to && s.end > from) got.join(s.what);
      begin = s.end;
    }
    if (to > end_) got.join(group_);
    if (to > end_ + group_units_ || units == 0) take_what_is_being_sent(got);
    if (units == 0 || gives_all(kind_)) got.join(ended_);
    if (!stays) receive(units);
    give_up_receive(ticket);
    return got;
  }
  void give_up_receive(uint64_t ticket) {
    erase(receiving_, ticket);
    forget();
  }

 private:
  struct Sending {
    uint64_t ticket;
    bool received;
    Release what;
  };
  struct Receiving {
    uint64_t ticket, from;
  };
  struct Sent {
    uint64_t end;  // of its units, counted from the first of the channel
    Release what;
  };
  static constexpr size_t kMostSent = 4096;

  template <class T>
  static auto find(T& all, uint64_t ticket) {
    return std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.ticket == ticket; });
  }
  template <class T>
  static void erase(T& all, uint64_t ticket) {
    std::erase_if(all, [&](const auto& one) { return one.ticket == ticket; });
  }
  // When nobody sends any more.
  void close_group() {
    if (!sending_.empty() || group_units_ == 0) return;
    end_ += std::exchange(group_units_, 0);
    sent_.push_back({end_, std::exchange(group_, Release())});
    // What was sent to another process, nobody receives here.
    if (sent_.size() <= kMostSent) return;
    sent_[1].what.join(sent_[0].what);
    sent_.pop_front();
  }
  void take_what_is_being_sent(Release& got) {
    for (Sending& s : sending_) {
      got.join(s.what);
      s.received = true;
    }
  }
  void receive(uint64_t units) {
    received_ = kind_ == ChannelKind::kCounter ? end_ : received_ + units;
    // More than was sent: another process sends, too.
    if (sending_.empty() && group_units_ == 0) received_ = std::min(received_, end_);
  }
  void forget() {
    uint64_t least = received_;
    for (const Receiving& r : receiving_) least = std::min(least, r.from);
    while (!sent_.empty() && sent_.front().end <= least) {
      gone_ = sent_.front().end;
      sent_.pop_front();
    }
  }

  ChannelKind kind_;
  uint64_t tickets_ = 0;
  std::vector<Sending> sending_;
  std::vector<Receiving> receiving_;
  std::deque<Sent> sent_;
  uint64_t gone_ = 0, end_ = 0, received_ = 0;  // units
  Release group_;                               // of calls that overlapped one that is under way
  uint64_t group_units_ = 0;
  Release ended_;
};

}  // namespace cdr::sync

#endif
