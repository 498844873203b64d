// SPDX-License-Identifier: GPL-2.0-or-later
// The ranks of an MPI program together: their logs, communicators known by all their members under one number, and
// which send went to which receive.
//
// Matching follows MPI's order (MPI 3.1, section 3.5): of the messages from one rank to another on a communicator with
// a tag the k-th sent goes to the k-th receive that takes it. A receive from anybody counts as from whom its status
// says; where that is not known, the first sent message that is left is taken for it.
#ifndef CDRGRIND_ANALYSIS_MPI_PROGRAM_H
#define CDRGRIND_ANALYSIS_MPI_PROGRAM_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/mpi/rank_log.h"

namespace cdr::mpi {

// A post of a rank.
struct PostRef {
  uint32_t rank = kNone;
  uint32_t post = kNone;
  explicit operator bool() const { return rank != kNone; }
  auto operator<=>(const PostRef&) const = default;
};

struct CommGroup {
  std::vector<MemberRun> members;
  bool inter = false;
  std::vector<uint32_t> callers;  // ranks that have it, ascending
};

struct MatrixCell {
  uint32_t from = 0, to = 0;
  uint64_t messages = 0, bytes = 0;
};

class Program {
 public:
  // `logs` by rank, all of them.
  explicit Program(std::vector<RankLog> logs);

  uint32_t ranks() const { return static_cast<uint32_t>(logs_.size()); }
  const RankLog& log(uint32_t rank) const { return logs_[rank]; }
  const Post& post(PostRef p) const { return logs_[p.rank].posts[p.post]; }
  // The number of a communicator for all.
  uint32_t comm_of(uint32_t rank, uint32_t local) const { return comm_ids_[rank][local]; }
  const CommGroup& group(uint32_t comm) const { return groups_[comm]; }
  uint32_t communicators() const { return static_cast<uint32_t>(groups_.size()); }

  // The other end of a message; none if there is none.
  PostRef partner(PostRef p) const { return partners_[p.rank][p.post]; }
  // In MPI_COMM_WORLD; -1: anybody, or not known.
  int64_t peer_of(uint32_t rank, const Post& p) const;
  uint64_t matched() const { return matched_; }
  uint64_t guessed() const { return guessed_; }  // of these, receives from whom nobody knows
  // Posts of messages without a partner, by rank and order; not those that were cancelled.
  const std::vector<PostRef>& unmatched() const { return unmatched_; }
  // By sender and receiver.
  const std::vector<MatrixCell>& matrix() const { return matrix_; }

 private:
  void number_communicators();
  void match();
  void match_rest();
  void count();

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
