// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/deadlock.h"

#include <algorithm>

namespace cdr::mpi {
namespace {

class Standing {
 public:
  Standing(const Program& program, const Collectives& collectives) : program_(program), collectives_(collectives) {}

  bool look(uint32_t rank, Waiting& w) const {
    const RankLog& log = program_.log(rank);
    const auto open = std::find_if(log.calls.rbegin(), log.calls.rend(), [](const Call& c) { return c.open; });
    if (open == log.calls.rend() || kind_of(open->function) == CDR_MPI_ABORT) return false;
    const Call& c = *open;
    w.at = program_.spot(rank, c);
    w.any = c.any_of;
    for (const uint32_t i : log.done_by(c)) add_post(rank, i, w);
    const int kind = kind_of(c.function);
    if ((kind == CDR_MPI_PROBE || kind == CDR_MPI_MATCHED_PROBE) && c.comm != kNone) add_peer(rank, c.comm, c.peer, w);
    if (c.instance != kNone && !is_nonblocking(c.function)) add_collective(rank, c, w);
    std::sort(w.for_ranks.begin(), w.for_ranks.end());
    w.for_ranks.erase(std::unique(w.for_ranks.begin(), w.for_ranks.end()), w.for_ranks.end());
    return true;
  }

 private:
  void add_post(uint32_t rank, uint32_t i, Waiting& w) const {
    const Post& p = program_.log(rank).posts[i];
    if (p.collective) return add_collective(rank, program_.log(rank).calls[p.call], w);
    if (!program_.partner({rank, i})) add_peer(rank, p.comm, p.peer, w);
  }
  void add_peer(uint32_t rank, uint32_t comm, int64_t peer, Waiting& w) const {
    if (comm >= program_.log(rank).communicators.size()) return;
    const Communicator& c = program_.log(rank).communicators[comm];
    if (peer != CDR_MPI_ANY) return add(c.world_rank(peer), w);
    w.any = true;
    for (const uint32_t r : program_.group(program_.comm_of(rank, comm)).callers)
      if (r != rank) add(r, w);
  }
  void add_collective(uint32_t rank, const Call& c, Waiting& w) const {
    for (const uint32_t r : collectives_.awaited(rank, c))
      if (!collectives_.has_part(program_.comm_of(rank, c.comm), c.instance, r)) add(r, w);
  }
  void add(int64_t rank, Waiting& w) const {
    if (rank >= 0 && rank < program_.ranks()) w.for_ranks.push_back(static_cast<uint32_t>(rank));
  }

  const Program& program_;
  const Collectives& collectives_;
};

void free_those_who_go_on(std::vector<Waiting>& waiting, std::vector<uint8_t>& goes_on) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Waiting& w : waiting) {
      if (!w.stuck) continue;
      const auto free = [&](uint32_t r) { return r < goes_on.size() && goes_on[r]; };
      const bool helped = w.any ? std::any_of(w.for_ranks.begin(), w.for_ranks.end(), free)
                                : std::all_of(w.for_ranks.begin(), w.for_ranks.end(), free);
      if (!helped) continue;
      w.stuck = false;
      goes_on[w.at.rank] = 1;
      changed = true;
    }
  }
}

}  // namespace

std::vector<Waiting> unfinished_calls(const Program& program, const Collectives& collectives) {
  const Standing standing(program, collectives);
  std::vector<Waiting> waiting;
  // Ranks that go on, as far as is known: those that are neither in a call nor at their end.
  std::vector<uint8_t> goes_on;
  for (uint32_t r = program.begin(); r < program.end(); ++r) {
    Waiting w;
    if (standing.look(r, w)) {
      goes_on.push_back(w.for_ranks.empty() && !program.log(r).finalized);
      w.stuck = !w.for_ranks.empty();
      waiting.push_back(std::move(w));
    } else {
      goes_on.push_back(!program.log(r).finalized && !program.log(r).complete);
    }
  }
  join_at_first(program.processes(), goes_on);
  join_at_first(program.processes(), waiting);
  free_those_who_go_on(waiting, goes_on);
  return waiting;
}

}  // namespace cdr::mpi
