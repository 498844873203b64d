// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/waits.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "cdrgrind/analysis/mpi/news.h"

namespace cdr::mpi {
namespace {

class Replay {
 public:
  Replay(const Program& program, const Collectives& collectives, uint64_t eager)
      : program_(program), collectives_(collectives), eager_(eager), news_(program, collectives) {
    times_.first_rank = program.begin();
    ranks_.resize(program.end() - program.begin());
    times_.begin.resize(ranks_.size());
    times_.end.resize(ranks_.size());
    for (uint32_t r = program.begin(); r < program.end(); ++r) {
      wake(r);
      for (uint32_t i = 0; i < program.log(r).posts.size(); ++i)
        if (const Post& p = program.log(r).posts[i]; p.send && waits(p)) news_.want_receiver({r, i});
    }
    news_.tell_wishes();
  }

  Times run() {
    for (;;) {
      advance();
      const uint32_t stuck = news_.exchange(first_stuck(), [&](uint32_t r) { wake(r); });
      if (stuck == kNone) break;
      if (stuck == kNews || !program_.here(stuck)) continue;
      step(stuck, true);
      ++times_.forced;
      wake(stuck);
    }
    std::sort(times_.late.begin(), times_.late.end(),
              [](const Late& a, const Late& b) { return std::pair(a.at.rank, a.call) < std::pair(b.at.rank, b.call); });
    return std::move(times_);
  }

 private:
  struct Thread {
    uint64_t time = 0, clock = 0;
  };
  struct Rank {
    size_t at = 0;         // the next call
    bool arrived = false;  // at it
    bool queued = false;
    std::map<uint32_t, Thread> threads;
  };
  // What a call waits for, as far as it is known.
  struct Need {
    uint64_t time = 0;
    Late late;
    bool missing = false;

    void add(const Moment* m, LateKind kind) {
      if (!m) {
        missing = true;
      } else if (m->time > time) {
        time = m->time;
        late.kind = kind, late.peer = m->at;
      }
    }
  };

  Rank& rank_of(uint32_t r) { return ranks_[r - times_.first_rank]; }
  void wake(uint32_t r) {
    if (std::exchange(rank_of(r).queued, true)) return;
    ready_.push_back(r);
  }

  // All ranks that can.
  void advance() {
    while (!ready_.empty()) {
      const uint32_t r = ready_.front();
      ready_.pop_front();
      rank_of(r).queued = false;
      while (rank_of(r).at < program_.log(r).calls.size() && step(r, false)) {
      }
    }
  }
  uint32_t first_stuck() const {
    for (size_t i = 0; i < ranks_.size(); ++i)
      if (const auto r = times_.first_rank + static_cast<uint32_t>(i); ranks_[i].at < program_.log(r).calls.size())
        return r;
    return kNone;
  }

  // Whether the call is over. `forced`: it does not wait for what is missing.
  bool step(uint32_t r, bool forced) {
    Rank& rank = rank_of(r);
    const auto number = static_cast<uint32_t>(rank.at);
    const Call& c = program_.log(r).calls[number];
    Thread& thread = rank.threads[c.thread];
    if (!rank.arrived) {
      thread.time += c.clock - std::min(c.clock, thread.clock);
      thread.clock = c.clock;
      times_.begin[r - times_.first_rank].push_back(thread.time);
      rank.arrived = true;
      arrive(r, c, thread.time);
    }
    Need need;
    need.time = thread.time;
    if (!c.open) collect(r, c, need);
    if (need.missing && !forced) return false;
    if (need.time > thread.time) {
      need.late.at = program_.spot(r, c), need.late.call = number;
      need.late.instructions = need.time - thread.time;
      times_.total_waited += need.late.instructions;
      times_.late.push_back(need.late);
      thread.time = need.time;
    }
    times_.end[r - times_.first_rank].push_back(thread.time);
    times_.length = std::max(times_.length, thread.time);
    ++rank.at;
    rank.arrived = false;
    return true;
  }

  void arrive(uint32_t r, const Call& c, uint64_t time) {
    for (uint32_t i = c.first_post; i < c.first_post + c.posts; ++i) {
      const PostRef other = program_.partner({r, i});
      if (!other) continue;
      if (program_.here(other.rank))
        wake(other.rank);
      else
        news_.is_ready({r, i}, {time, program_.spot(r, c)});
    }
    if (c.instance == kNone) return;
    const uint32_t comm = program_.comm_of(r, c.comm);
    if (!news_.has_come(r, c, {time, program_.spot(r, c)})) return;
    for (const uint32_t other : news_.callers_here(comm)) wake(other);
  }

  void collect(uint32_t r, const Call& c, Need& need) {
    for (const uint32_t i : program_.log(r).done_by(c)) {
      const Post& p = program_.log(r).posts[i];
      if (p.collective) {
        collective(r, program_.log(r).calls[p.call], need);
        continue;
      }
      const PostRef other = program_.partner({r, i});
      if (!other || (p.send && !waits(p))) continue;
      Moment own;
      need.add(ready_from(other, {r, i}, own), p.send ? LateKind::kReceiver : LateKind::kSender);
    }
    if (c.instance != kNone && !is_nonblocking(c.function)) collective(r, c, need);
  }
  bool waits(const Post& p) const { return p.synchronous || (!p.buffered && p.bytes > eager_); }

  // Since when the other end of `mine` is ready; null: not yet.
  const Moment* ready_from(PostRef other, PostRef mine, Moment& room) const {
    if (!program_.here(other.rank)) return news_.ready_at_other_end(mine);
    const uint32_t call = program_.post(other).call;
    const auto& begun = times_.begin[other.rank - times_.first_rank];
    if (begun.size() <= call) return nullptr;
    room = {begun[call], program_.spot(other)};
    return &room;
  }

  void collective(uint32_t r, const Call& c, Need& need) {
    const int kind = kind_of(c.function);
    const Communicator& own = program_.log(r).communicators[c.comm];
    if (kind == CDR_MPI_NEIGHBOURS || (kind == CDR_MPI_TO_ROOT && c.root != own.rank)) return;
    const uint32_t comm = program_.comm_of(r, c.comm);
    if (kind == CDR_MPI_FROM_ROOT || kind == CDR_MPI_PREFIX) {
      for (const uint32_t other : collectives_.awaited(r, c))
        if (collectives_.has_part(comm, c.instance, other))
          need.add(news_.part_of(comm, c.instance, other), LateKind::kCollective);
      return;
    }
    // Those that never come are not waited for: the trace may have been cut.
    need.add(news_.last_part(comm, c.instance), LateKind::kCollective);
  }

  const Program& program_;
  const Collectives& collectives_;
  uint64_t eager_;
  News news_;
  std::vector<Rank> ranks_;
  std::deque<uint32_t> ready_;
  Times times_;
};

}  // namespace

Times replayed_times(const Program& program, const Collectives& collectives, uint64_t eager) {
  return Replay(program, collectives, eager).run();
}

}  // namespace cdr::mpi
