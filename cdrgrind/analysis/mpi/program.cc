// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/program.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace cdr::mpi {
namespace {

// An end of a message. Those of one channel are in the order in which their rank made them ready.
struct End {
  uint32_t comm = 0, from = 0, to = 0;
  int32_t tag = 0;
  PostRef post;

  auto channel() const { return std::tuple(comm, from, to, tag); }
  auto operator<=>(const End&) const = default;
};

using CommKey = std::tuple<std::vector<MemberRun>, std::vector<MemberRun>, uint32_t>;

// Both sides of a communicator between two groups must give the same.
CommKey key_of(const Communicator& c) {
  auto a = c.members, b = c.local;
  if (b < a) std::swap(a, b);
  return {std::move(a), std::move(b), 0};
}

}  // namespace

Program::Program(std::vector<RankLog> logs) : logs_(std::move(logs)) {
  number_communicators();
  partners_.resize(logs_.size());
  for (size_t r = 0; r < logs_.size(); ++r) partners_[r].resize(logs_[r].posts.size());
  match();
  match_rest();
  count();
}

// Members make communicators of the same members in the same order.
void Program::number_communicators() {
  std::map<CommKey, uint32_t> ids;
  comm_ids_.resize(logs_.size());
  for (uint32_t r = 0; r < logs_.size(); ++r) {
    std::map<CommKey, uint32_t> made;
    for (const Communicator& c : logs_[r].communicators) {
      CommKey key = key_of(c);
      std::get<2>(key) = made[key]++;
      const auto [known, added] = ids.try_emplace(std::move(key), static_cast<uint32_t>(groups_.size()));
      if (added) groups_.push_back({c.members, c.inter, {}});
      groups_[known->second].callers.push_back(r);
      comm_ids_[r].push_back(known->second);
    }
  }
}

int64_t Program::peer_of(uint32_t rank, const Post& p) const {
  if (p.peer < 0 || p.comm >= logs_[rank].communicators.size()) return -1;
  const int64_t peer = logs_[rank].communicators[p.comm].world_rank(p.peer);
  return peer >= 0 && peer < static_cast<int64_t>(logs_.size()) ? peer : -1;
}

void Program::match() {
  std::vector<End> sends, receives;
  for (uint32_t r = 0; r < logs_.size(); ++r)
    for (uint32_t i = 0; i < logs_[r].posts.size(); ++i) {
      const Post& p = logs_[r].posts[i];
      const int64_t peer = peer_of(r, p);
      if (p.collective || p.cancelled || peer < 0 || p.tag < 0) continue;
      const auto other = static_cast<uint32_t>(peer);
      const uint32_t comm = comm_ids_[r][p.comm];
      if (p.send)
        sends.push_back({comm, r, other, p.tag, {r, i}});
      else
        receives.push_back({comm, other, r, p.tag, {r, i}});
    }
  std::sort(sends.begin(), sends.end());
  std::sort(receives.begin(), receives.end());
  auto send = sends.begin();
  auto receive = receives.begin();
  while (send != sends.end() && receive != receives.end()) {
    if (send->channel() < receive->channel()) {
      ++send;
    } else if (receive->channel() < send->channel()) {
      ++receive;
    } else {
      partners_[send->post.rank][send->post.post] = receive->post;
      partners_[receive->post.rank][receive->post.post] = send->post;
      ++send, ++receive, ++matched_;
    }
  }
}

// Receives that have completed, from whom or with what tag nobody has said.
void Program::match_rest() {
  std::map<std::pair<uint32_t, uint32_t>, std::vector<PostRef>> left;  // sends, by communicator and receiver
  for (uint32_t r = 0; r < logs_.size(); ++r)
    for (uint32_t i = 0; i < logs_[r].posts.size(); ++i) {
      const Post& p = logs_[r].posts[i];
      if (!p.send || p.collective || partners_[r][i]) continue;
      if (const int64_t to = peer_of(r, p); to >= 0)
        left[{comm_ids_[r][p.comm], static_cast<uint32_t>(to)}].push_back({r, i});
    }
  for (uint32_t r = 0; r < logs_.size(); ++r)
    for (uint32_t i = 0; i < logs_[r].posts.size(); ++i) {
      const Post& p = logs_[r].posts[i];
      if (p.send || p.collective || p.done == kNone || partners_[r][i] || p.comm == kNone) continue;
      if (p.peer != CDR_MPI_ANY && p.tag != CDR_MPI_ANY) continue;
      const auto sends = left.find({comm_ids_[r][p.comm], r});
      if (sends == left.end()) continue;
      const auto fits = [&](PostRef s) {
        return !partners_[s.rank][s.post] && (p.peer == CDR_MPI_ANY || peer_of(r, p) == s.rank) &&
               (p.tag == CDR_MPI_ANY || post(s).tag == p.tag);
      };
      const auto found = std::find_if(sends->second.begin(), sends->second.end(), fits);
      if (found == sends->second.end()) continue;
      partners_[r][i] = *found;
      partners_[found->rank][found->post] = {r, i};
      ++matched_, ++guessed_;
    }
}

void Program::count() {
  std::map<std::pair<uint32_t, uint32_t>, MatrixCell> cells;
  for (uint32_t r = 0; r < logs_.size(); ++r)
    for (uint32_t i = 0; i < logs_[r].posts.size(); ++i) {
      const Post& p = logs_[r].posts[i];
      if (p.collective) continue;
      if (!partners_[r][i] && !p.cancelled) unmatched_.push_back({r, i});
      const int64_t to = p.send ? peer_of(r, p) : -1;
      if (to < 0) continue;
      MatrixCell& cell = cells[{r, static_cast<uint32_t>(to)}];
      cell.from = r, cell.to = static_cast<uint32_t>(to);
      ++cell.messages;
      cell.bytes += p.bytes;
    }
  for (const auto& [key, cell] : cells) matrix_.push_back(cell);
}

}  // namespace cdr::mpi
