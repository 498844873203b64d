// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/program.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace cdr::mpi {

// An end of a message. Those of one channel are in the order in which their rank made them ready.
struct Program::End {
  uint32_t comm = 0, from = 0, to = 0;
  int32_t tag = 0;
  uint32_t post = 0;  // of the sender, or of the receiver

  auto channel() const { return std::tuple(comm, from, to, tag); }
  auto operator<=>(const End&) const = default;
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.comm, s.from, s.to, s.tag, s.post);
  }
};

namespace {

// Members, the other group's if there is one, how many of these the rank has made before.
struct CommKey {
  std::vector<MemberRun> members, local;
  uint32_t made = 0;

  // Both sides of a communicator between two groups must give the same.
  CommKey() = default;
  explicit CommKey(const Communicator& c) : members(c.members), local(c.local) {
    if (local < members) std::swap(members, local);
  }
  auto operator<=>(const CommKey&) const = default;
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.members, s.local, s.made);
  }
};

// The communicators of a process's ranks: each in words once, in the order of their first appearance.
struct CommList {
  std::vector<std::pair<CommKey, bool>> comms;  // with: between two groups
  std::vector<std::vector<uint32_t>> of_ranks;  // in `comms`
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.comms, s.of_ranks);
  }
};

CommList comm_list_of(const std::vector<RankLog>& logs) {
  CommList list;
  std::map<CommKey, uint32_t> known;
  for (const RankLog& log : logs) {
    std::map<CommKey, uint32_t> made;
    std::vector<uint32_t>& own = list.of_ranks.emplace_back();
    for (const Communicator& c : log.communicators) {
      CommKey key(c);
      key.made = made[key]++;
      const auto [at, added] = known.try_emplace(key, static_cast<uint32_t>(list.comms.size()));
      if (added) list.comms.emplace_back(std::move(key), c.inter);
      own.push_back(at->second);
    }
  }
  return list;
}

// What the sender's process is told of a message that is matched.
struct Answer {
  uint32_t from = 0, post = 0, to = 0, receive = 0;
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.from, s.post, s.to, s.receive);
  }
};

}  // namespace

Program::Program(Processes& processes, uint32_t ranks, std::vector<RankLog> logs)
    : processes_(processes),
      ranks_(ranks),
      blocks_(ranks, processes.count()),
      begin_(blocks_.begin(processes.self())),
      logs_(std::move(logs)) {
  number_communicators();
  partners_.resize(logs_.size());
  for (size_t r = 0; r < logs_.size(); ++r) partners_[r].resize(logs_[r].posts.size());
  match();
  count();
}

// Members make communicators of the same members in the same order.
void Program::number_communicators() {
  ByteWriter mine;
  put(mine, comm_list_of(logs_));
  std::map<CommKey, uint32_t> ids;
  uint32_t rank = 0;
  for (const Bytes& bytes : told_by_all(processes_, mine)) {
    ByteReader from(bytes);
    CommList list;
    get(from, list);
    std::vector<uint32_t> id_of;
    for (auto& [key, inter] : list.comms) {
      const auto [known, added] = ids.try_emplace(std::move(key), static_cast<uint32_t>(groups_.size()));
      if (added) groups_.push_back({inter, {}});
      id_of.push_back(known->second);
    }
    for (std::vector<uint32_t>& own : list.of_ranks) {
      for (uint32_t& comm : own) {
        comm = id_of[comm];
        groups_[comm].callers.push_back(rank);
      }
      if (here(rank)) comm_ids_.push_back(std::move(own));
      ++rank;
    }
  }
}

int64_t Program::world_rank(uint32_t rank, uint32_t comm, int64_t peer) const {
  if (peer < 0 || comm >= log(rank).communicators.size()) return -1;
  const int64_t r = log(rank).communicators[comm].world_rank(peer);
  return r >= 0 && r < static_cast<int64_t>(ranks_) ? r : -1;
}

void Program::match() {
  std::vector<End> sends, receives;
  std::vector<ByteWriter> to(processes_.count());
  for (uint32_t r = begin(); r < end(); ++r)
    for (uint32_t i = 0; i < log(r).posts.size(); ++i) {
      const Post& p = log(r).posts[i];
      const int64_t peer = peer_of(r, p);
      if (p.collective || p.cancelled || peer < 0) continue;
      const auto other = static_cast<uint32_t>(peer);
      if (!p.send) {
        if (p.tag >= 0) receives.push_back({comm_of(r, p.comm), other, r, p.tag, i});
        continue;
      }
      const End send{comm_of(r, p.comm), r, other, p.tag, i};
      here(other) ? sends.push_back(send) : put(to[owner(other)], send);
    }
  for (const Bytes& bytes : processes_.exchange(std::move(to)))
    for (ByteReader from(bytes); !from.at_end();) get(from, sends.emplace_back());
  std::sort(sends.begin(), sends.end());
  std::sort(receives.begin(), receives.end());
  std::vector<PostRef> receivers(sends.size());
  size_t s = 0, r = 0;
  while (s < sends.size() && r < receives.size()) {
    const End &send = sends[s], &receive = receives[r];
    if (send.channel() < receive.channel()) {
      ++s;
    } else if (receive.channel() < send.channel()) {
      ++r;
    } else {
      partners_[receive.to - begin_][receive.post] = {send.from, send.post};
      receivers[s] = {receive.to, receive.post};
      ++s, ++r, ++matched_;
    }
  }
  match_rest(sends, receivers);
  tell_senders(sends, receivers);
}

// Receives that have completed, from whom or with what tag nobody has said.
void Program::match_rest(const std::vector<End>& sends, std::vector<PostRef>& receivers) {
  std::map<std::pair<uint32_t, uint32_t>, std::vector<size_t>> left;  // sends, by communicator and receiver
  for (size_t i = 0; i < sends.size(); ++i)
    if (!receivers[i]) left[{sends[i].comm, sends[i].to}].push_back(i);
  for (auto& [key, list] : left)
    std::sort(list.begin(), list.end(), [&](size_t a, size_t b) {
      return std::pair(sends[a].from, sends[a].post) < std::pair(sends[b].from, sends[b].post);
    });
  for (uint32_t r = begin(); r < end(); ++r)
    for (uint32_t i = 0; i < log(r).posts.size(); ++i) {
      const Post& p = log(r).posts[i];
      PostRef& partner = partners_[r - begin_][i];
      if (p.send || p.collective || p.done == kNone || partner || p.comm == kNone) continue;
      if (p.peer != CDR_MPI_ANY && p.tag != CDR_MPI_ANY) continue;
      const auto list = left.find({comm_of(r, p.comm), r});
      if (list == left.end()) continue;
      const auto fits = [&](size_t s) {
        return !receivers[s] && (p.peer == CDR_MPI_ANY || peer_of(r, p) == sends[s].from) &&
               (p.tag == CDR_MPI_ANY || sends[s].tag == p.tag);
      };
      const auto found = std::find_if(list->second.begin(), list->second.end(), fits);
      if (found == list->second.end()) continue;
      partner = {sends[*found].from, sends[*found].post};
      receivers[*found] = {r, i};
      ++matched_, ++guessed_;
    }
}

void Program::tell_senders(const std::vector<End>& sends, const std::vector<PostRef>& receivers) {
  std::vector<ByteWriter> to(processes_.count());
  for (size_t i = 0; i < sends.size(); ++i) {
    if (!receivers[i]) continue;
    if (here(sends[i].from))
      partners_[sends[i].from - begin_][sends[i].post] = receivers[i];
    else
      put(to[owner(sends[i].from)], Answer{sends[i].from, sends[i].post, receivers[i].rank, receivers[i].post});
  }
  for (const Bytes& bytes : processes_.exchange(std::move(to)))
    for (ByteReader from(bytes); !from.at_end();) {
      Answer a;
      get(from, a);
      partners_[a.from - begin_][a.post] = {a.to, a.receive};
    }
}

void Program::count() {
  std::map<std::pair<uint32_t, uint32_t>, MatrixCell> cells;
  const auto cell = [&](uint32_t from, int64_t to) -> MatrixCell& {
    MatrixCell& c = cells[{from, static_cast<uint32_t>(to)}];
    c.from = from, c.to = static_cast<uint32_t>(to);
    return c;
  };
  for (uint32_t r = begin(); r < end(); ++r) {
    for (uint32_t i = 0; i < log(r).posts.size(); ++i) {
      const Post& p = log(r).posts[i];
      if (p.collective) continue;
      if (!partner({r, i}) && !p.cancelled) unmatched_.push_back({r, i});
      const int64_t to = p.send ? peer_of(r, p) : -1;
      if (to < 0) continue;
      ++cell(r, to).messages;
      cell(r, to).bytes += p.bytes;
    }
    for (const Call& c : log(r).calls) {
      const int64_t to = kind_of(c.function) == CDR_MPI_ONE_SIDED ? world_rank(r, c.comm, c.peer) : -1;
      if (to < 0) continue;
      ++cell(r, to).one_sided;
      cell(r, to).one_sided_bytes += c.bytes;
    }
  }
  for (const auto& [key, c] : cells) matrix_.push_back(c);
}

}  // namespace cdr::mpi
