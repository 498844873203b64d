// SPDX-License-Identifier: GPL-2.0-or-later
// The ranks of an MPI program together: the logs of this process's ranks, communicators known by all their members
// under one number, and which send went to which receive.
//
// Matching follows MPI's order (MPI 3.1, section 3.5): of the messages from one rank to another on a communicator with
// a tag the k-th sent goes to the k-th receive that takes it. A receive from anybody counts as from whom its status
// says; where that is not known, the first sent message that is left is taken for it. Messages are matched where the
// receiver's log is; who has the sender's tells of the send, and is told of its receive.
#ifndef CDRGRIND_ANALYSIS_MPI_PROGRAM_H
#define CDRGRIND_ANALYSIS_MPI_PROGRAM_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/mpi/processes.h"
#include "cdrgrind/analysis/mpi/rank_log.h"

namespace cdr::mpi {

// A post of a rank.
struct PostRef {
  uint32_t rank = kNone;
  uint32_t post = kNone;
  explicit operator bool() const { return rank != kNone; }
  auto operator<=>(const PostRef&) const = default;
};

// A call of a rank, as reports name it.
struct CallSpot {
  uint32_t rank = 0, function = 0, place = 0;
  auto operator<=>(const CallSpot&) const = default;
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.rank, s.function, s.place);
  }
};

struct CommGroup {
  bool inter = false;
  std::vector<uint32_t> callers;  // ranks that have it, ascending
};

struct MatrixCell {
  uint32_t from = 0, to = 0;
  uint64_t messages = 0, bytes = 0;
  uint64_t one_sided = 0, one_sided_bytes = 0;  // calls that reach into the other's window
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.from, s.to, s.messages, s.bytes, s.one_sided, s.one_sided_bytes);
  }
};

class Program {
 public:
  // `logs`: of this process's block of ranks, in order.
  Program(Processes& processes, uint32_t ranks, std::vector<RankLog> logs);

  Processes& processes() const { return processes_; }
  uint32_t ranks() const { return ranks_; }
  // Those of this process.
  uint32_t begin() const { return begin_; }
  uint32_t end() const { return begin_ + static_cast<uint32_t>(logs_.size()); }
  bool here(uint32_t rank) const { return rank >= begin() && rank < end(); }
  uint32_t owner(uint32_t rank) const { return blocks_.owner(rank); }

  // What follows knows of a rank, or a post, that is here.
  const RankLog& log(uint32_t rank) const { return logs_[rank - begin_]; }
  const Post& post(PostRef p) const { return log(p.rank).posts[p.post]; }
  CallSpot spot(uint32_t rank, const Call& c) const { return {rank, c.function, c.place}; }
  CallSpot spot(PostRef p) const { return spot(p.rank, log(p.rank).calls[post(p).call]); }
  // The other end of a message; none if there is none. It need not be here.
  PostRef partner(PostRef p) const { return partners_[p.rank - begin_][p.post]; }
  // In MPI_COMM_WORLD; -1: anybody, or not known.
  int64_t peer_of(uint32_t rank, const Post& p) const { return world_rank(rank, p.comm, p.peer); }

  // The number of a communicator for all.
  uint32_t comm_of(uint32_t rank, uint32_t local) const { return comm_ids_[rank - begin_][local]; }
  const CommGroup& group(uint32_t comm) const { return groups_[comm]; }
  uint32_t communicators() const { return static_cast<uint32_t>(groups_.size()); }

  // Of the receives that are here.
  uint64_t matched() const { return matched_; }
  uint64_t guessed() const { return guessed_; }  // of these, receives from whom nobody knows
  // Posts of messages without a partner that are here, by rank and order; not those that were cancelled.
  const std::vector<PostRef>& unmatched() const { return unmatched_; }
  // By sender, which is here, and receiver.
  const std::vector<MatrixCell>& matrix() const { return matrix_; }

 private:
  struct End;
  int64_t world_rank(uint32_t rank, uint32_t comm, int64_t peer) const;
  void number_communicators();
  void match();
  void match_rest(const std::vector<End>& sends, std::vector<PostRef>& receivers);
  void tell_senders(const std::vector<End>& sends, const std::vector<PostRef>& receivers);
  void count();

  Processes& processes_;
  uint32_t ranks_;
  Blocks blocks_;
  uint32_t begin_;
  std::vector<RankLog> logs_;
  std::vector<std::vector<uint32_t>> comm_ids_;
  std::vector<CommGroup> groups_;
  std::vector<std::vector<PostRef>> partners_;
  std::vector<PostRef> unmatched_;
  std::vector<MatrixCell> matrix_;
  uint64_t matched_ = 0, guessed_ = 0;
};

}  // namespace cdr::mpi

#endif
