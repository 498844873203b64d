// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/waits.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>

namespace cdr::mpi {
namespace {

class Replay {
 public:
  Replay(const Program& program, const Collectives& collectives, uint64_t eager)
      : program_(program),
        collectives_(collectives),
        eager_(eager),
        ranks_(program.ranks()),
        instances_(program.communicators()) {
    times_.begin.resize(ranks_.size());
    times_.end.resize(ranks_.size());
    for (uint32_t r = 0; r < ranks_.size(); ++r) {
      ranks_[r].ready.resize(program.log(r).posts.size());
      ready_.push_back(r);
      ranks_[r].queued = true;
    }
  }

  Times run() {
    for (;;) {
      while (!ready_.empty()) {
        const uint32_t r = ready_.front();
        ready_.pop_front();
        ranks_[r].queued = false;
        while (ranks_[r].at < program_.log(r).calls.size() && step(r, false)) {
        }
      }
      uint32_t stuck = 0;
      while (stuck < ranks_.size() && ranks_[stuck].at == program_.log(stuck).calls.size()) ++stuck;
      if (stuck == ranks_.size()) break;
      step(stuck, true);
      ++times_.forced;
      wake(stuck);
    }
    std::sort(times_.late.begin(), times_.late.end(),
              [](const Late& a, const Late& b) { return std::pair(a.rank, a.call) < std::pair(b.rank, b.call); });
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
    std::vector<std::optional<uint64_t>> ready;  // by post
  };
  struct Instance {
    uint32_t arrived = 0;
    uint64_t time = 0;  // of who came last
    uint32_t rank = 0, call = 0;
  };
  // What a call waits for, as far as it is known.
  struct Need {
    uint64_t time = 0;
    Late late;
    bool missing = false;

    void add(uint64_t at, LateKind kind, uint32_t peer, uint32_t peer_call) {
      if (at <= time) return;
      time = at;
      late.kind = kind, late.peer = peer, late.peer_call = peer_call;
    }
  };

  void wake(uint32_t r) {
    if (std::exchange(ranks_[r].queued, true)) return;
    ready_.push_back(r);
  }

  // Whether the call is over. `forced`: it does not wait for what is missing.
  bool step(uint32_t r, bool forced) {
    Rank& rank = ranks_[r];
    const auto number = static_cast<uint32_t>(rank.at);
    const Call& c = program_.log(r).calls[number];
    Thread& thread = rank.threads[c.thread];
    if (!rank.arrived) {
      thread.time += c.clock - std::min(c.clock, thread.clock);
      thread.clock = c.clock;
      times_.begin[r].push_back(thread.time);
      rank.arrived = true;
      arrive(r, c, number, thread.time);
    }
    Need need;
    need.time = thread.time;
    if (!c.open) collect(r, c, need);
    if (need.missing && !forced) return false;
    if (need.time > thread.time) {
      need.late.rank = r, need.late.call = number;
      need.late.instructions = need.time - thread.time;
      times_.total_waited += need.late.instructions;
      times_.late.push_back(need.late);
      thread.time = need.time;
    }
    times_.end[r].push_back(thread.time);
    times_.length = std::max(times_.length, thread.time);
    ++rank.at;
    rank.arrived = false;
    return true;
  }

  void arrive(uint32_t r, const Call& c, uint32_t number, uint64_t time) {
    for (uint32_t i = c.first_post; i < c.first_post + c.posts; ++i) {
      ranks_[r].ready[i] = time;
      if (const PostRef other = program_.partner({r, i})) wake(other.rank);
    }
    if (c.instance == kNone) return;
    const uint32_t comm = program_.comm_of(r, c.comm);
    Instance& instance = instance_of(comm, c.instance);
    ++instance.arrived;
    if (time >= instance.time) instance.time = time, instance.rank = r, instance.call = number;
    const auto& callers = program_.group(comm).callers;
    const int kind = kind_of(c.function);
    if (instance.arrived == callers.size() || kind == CDR_MPI_FROM_ROOT || kind == CDR_MPI_PREFIX)
      for (const uint32_t other : callers) wake(other);
  }

  Instance& instance_of(uint32_t comm, uint32_t number) {
    if (instances_[comm].size() <= number) instances_[comm].resize(number + 1);
    return instances_[comm][number];
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
      const auto& ready = ranks_[other.rank].ready[other.post];
      if (!ready)
        need.missing = true;
      else
        need.add(*ready, p.send ? LateKind::kReceiver : LateKind::kSender, other.rank, program_.post(other).call);
    }
    if (c.instance != kNone && !is_nonblocking(c.function)) collective(r, c, need);
  }
  bool waits(const Post& p) const { return p.synchronous || (!p.buffered && p.bytes > eager_); }

  void collective(uint32_t r, const Call& c, Need& need) {
    const int kind = kind_of(c.function);
    const Communicator& own = program_.log(r).communicators[c.comm];
    if (kind == CDR_MPI_NEIGHBOURS || (kind == CDR_MPI_TO_ROOT && c.root != own.rank)) return;
    const uint32_t comm = program_.comm_of(r, c.comm);
    if (kind == CDR_MPI_FROM_ROOT || kind == CDR_MPI_PREFIX) {
      for (const uint32_t other : collectives_.awaited(r, c)) {
        const auto call = collectives_.call_of(comm, c.instance, other);
        if (!call) continue;
        if (times_.begin[other].size() <= *call)
          need.missing = true;
        else
          need.add(times_.begin[other][*call], LateKind::kCollective, other, *call);
      }
      return;
    }
    // Those that never come are not waited for: the trace may have been cut.
    const Instance& instance = instance_of(comm, c.instance);
    if (instance.arrived < program_.group(comm).callers.size() && comes(comm, c.instance, instance.arrived))
      need.missing = true;
    else
      need.add(instance.time, LateKind::kCollective, instance.rank, instance.call);
  }
  // Whether more than `arrived` ranks ever come.
  bool comes(uint32_t comm, uint32_t instance, uint32_t arrived) const {
    uint32_t all = 0;
    for (const uint32_t r : program_.group(comm).callers) all += collectives_.call_of(comm, instance, r).has_value();
    return all > arrived;
  }

  const Program& program_;
  const Collectives& collectives_;
  uint64_t eager_;
  std::vector<Rank> ranks_;
  std::vector<std::vector<Instance>> instances_;  // by communicator and number
  std::deque<uint32_t> ready_;
  Times times_;
};

}  // namespace

Times replayed_times(const Program& program, const Collectives& collectives, uint64_t eager) {
  return Replay(program, collectives, eager).run();
}

}  // namespace cdr::mpi
