// SPDX-License-Identifier: GPL-2.0-or-later
// What one rank of an MPI program did: its calls, the messages that it was ready to send or to receive (*posts*), which
// calls completed these, its communicators. Handles are gone: requests are posts, communicators numbers of this rank's.
// Knows nothing of other ranks.
#ifndef CDRGRIND_ANALYSIS_MPI_RANK_LOG_H
#define CDRGRIND_ANALYSIS_MPI_RANK_LOG_H

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "cdrgrind/analysis/mpi/mpi_events.h"
#include "cdrgrind/base/mpi_calls.h"

namespace cdr::mpi {

// CDR_MPI_SEND … of a function.
int kind_of(uint32_t function);
// Whether its request completes later, in another call.
bool is_nonblocking(uint32_t function);

// Ranks of a group in MPI_COMM_WORLD: `count` from `first` on, each `step` more.
struct MemberRun {
  int64_t first = 0, step = 0, count = 0;
  auto operator<=>(const MemberRun&) const = default;
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.first, s.step, s.count);
  }
};

struct Communicator {
  std::vector<MemberRun> members;  // of the remote group, if `inter`
  std::vector<MemberRun> local;    // then those of the own one
  int64_t rank = -1;               // this one's
  int64_t size = 0;
  bool inter = false;

  // In MPI_COMM_WORLD; -1 if there is no such member.
  int64_t world_rank(int64_t member) const;
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.members, s.local, s.rank, s.size, s.inter);
  }
};
constexpr uint32_t kNone = UINT32_MAX;
constexpr uint32_t kWorld = 0, kSelf = 1;  // numbers of communicators

struct Post {
  uint32_t call = 0;      // that made it ready: of persistent ones the start
  uint32_t done = kNone;  // the call that completed it
  uint32_t comm = kNone;
  int32_t peer = 0;  // in the communicator; CDR_MPI_ANY only if nobody has told from whom it came
  int32_t tag = 0;
  uint64_t bytes = 0;
  bool send = false;
  bool synchronous = false;
  bool buffered = false;
  bool collective = false;  // of a collective that is under way; then none of the above but comm
  bool cancelled = false;
  bool from_any = false;  // asked for
  uint32_t instance = 0;  // of a collective: how many on the communicator came before

  template <class S>
  static auto fields(S& s) {
    return std::tie(s.call, s.done, s.comm, s.peer, s.tag, s.bytes, s.send, s.synchronous, s.buffered, s.collective,
                    s.cancelled, s.from_any, s.instance);
  }
};

struct Call {
  uint32_t function = 0;
  uint32_t thread = 0;
  uint64_t site = 0;   // the address that it returns to
  uint32_t place = 0;  // where that stands in the source, in a list of the reader's; 0: not known
  uint64_t clock = 0;
  uint32_t comm = kNone;
  uint32_t new_comm = kNone;
  int64_t peer = CDR_MPI_PROC_NULL, receive_peer = CDR_MPI_PROC_NULL, root = CDR_MPI_PROC_NULL;
  int64_t tag = 0, receive_tag = 0;
  uint64_t bytes = 0, receive_bytes = 0;
  uint32_t requests = 0;               // that it was given
  uint32_t first_post = 0, posts = 0;  // that it made
  uint32_t first_done = 0, done = 0;   // in RankLog::completions: what it completed, or waits for if it is open
  uint32_t instance = kNone;           // of a collective: how many on its communicator came before
  bool has_bytes = false, has_peer = false, has_receive = false, has_root = false;
  bool open = false;
  bool in_vain = false;  // a test or probe that found nothing
  bool any_of = false;   // open: one of the posts would do

  template <class S>
  static auto fields(S& s) {
    return std::tie(s.function, s.thread, s.site, s.place, s.clock, s.comm, s.new_comm, s.peer, s.receive_peer, s.root,
                    s.tag, s.receive_tag, s.bytes, s.receive_bytes, s.requests, s.first_post, s.posts, s.first_done,
                    s.done, s.instance, s.has_bytes, s.has_peer, s.has_receive, s.has_root, s.open, s.in_vain,
                    s.any_of);
  }
};

struct RankLog {
  int64_t rank = -1, ranks = 0;  // in MPI_COMM_WORLD
  int library = 0;               // CDR_MPI_OPEN_MPI …
  bool complete = false;         // the trace has its end
  bool finalized = false;
  uint64_t instructions = 0;                // at the last call
  std::vector<Communicator> communicators;  // [kWorld], [kSelf], others as they were made
  std::vector<Call> calls;
  std::vector<Post> posts;
  std::vector<uint32_t> completions;  // posts
  uint64_t in_vain = 0;               // tests and probes that found nothing

  std::span<const uint32_t> done_by(const Call& c) const { return {completions.data() + c.first_done, c.done}; }
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.rank, s.ranks, s.library, s.complete, s.finalized, s.instructions, s.communicators, s.calls,
                    s.posts, s.completions, s.in_vain);
  }
};

RankLog rank_log_of(const std::vector<RawCall>& calls);

}  // namespace cdr::mpi

#endif
