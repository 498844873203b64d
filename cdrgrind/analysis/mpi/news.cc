// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/news.h"

#include <algorithm>

namespace cdr::mpi {

void News::Coming::add(const Coming& other) {
  const bool later = other.last.time > last.time || (other.last.time == last.time && other.last.at.rank < last.at.rank);
  if (arrived == 0 || later) last = other.last;
  arrived += other.arrived;
}

News::News(const Program& program, const Collectives& collectives)
    : program_(program),
      collectives_(collectives),
      processes_(program.communicators()),
      coming_(program.communicators()),
      letters_(program.processes().count()) {
  for (uint32_t comm = 0; comm < program.communicators(); ++comm) {
    const auto here = callers_here(comm);
    if (here.empty() || here.size() == program.group(comm).callers.size()) continue;
    for (const uint32_t r : program.group(comm).callers)
      if (!program.here(r) && (processes_[comm].empty() || processes_[comm].back() != program.owner(r)))
        processes_[comm].push_back(program.owner(r));
  }
}

std::span<const uint32_t> News::callers_here(uint32_t comm) const {
  const auto& callers = program_.group(comm).callers;
  const auto begin = std::lower_bound(callers.begin(), callers.end(), program_.begin());
  return {begin, std::lower_bound(begin, callers.end(), program_.end())};
}

void News::want_receiver(PostRef send) {
  const PostRef other = program_.partner(send);
  if (!other || program_.here(other.rank)) return;
  letters_[program_.owner(other.rank)].ready.push_back({other.rank, other.post, {}});
}

void News::tell_wishes() {
  std::vector<ByteWriter> to(letters_.size());
  for (size_t p = 0; p < to.size(); ++p) put(to[p], std::exchange(letters_[p].ready, {}));
  for (const Bytes& bytes : program_.processes().exchange(std::move(to))) {
    ByteReader from(bytes);
    std::vector<Ready> wishes;
    get(from, wishes);
    for (const Ready& w : wishes) wanted_.insert(key_of({w.rank, w.post}));
  }
}

void News::is_ready(PostRef mine, const Moment& m) {
  if (!program_.post(mine).send && !wanted_.contains(key_of(mine))) return;
  const PostRef other = program_.partner(mine);
  letters_[program_.owner(other.rank)].ready.push_back({other.rank, other.post, m});
}

const Moment* News::ready_at_other_end(PostRef mine) const {
  const auto found = ready_.find(key_of(mine));
  return found == ready_.end() ? nullptr : &found->second;
}

// Whether somebody may wait for this rank alone.
bool News::told_alone(uint32_t rank, const Call& c) const {
  const int kind = kind_of(c.function);
  const Communicator& comm = program_.log(rank).communicators[c.comm];
  return kind == CDR_MPI_PREFIX || (kind == CDR_MPI_FROM_ROOT && !comm.inter && c.root == comm.rank) ||
         collectives_.mixed(program_.comm_of(rank, c.comm));
}

bool News::add(const CollectiveKey& key, const Coming& coming) {
  auto& of_comm = coming_[key.first];
  if (of_comm.size() <= key.second) of_comm.resize(key.second + 1);
  of_comm[key.second].add(coming);
  return last_part(key.first, key.second) != nullptr;
}

bool News::has_come(uint32_t rank, const Call& c, const Moment& m) {
  const CollectiveKey key(program_.comm_of(rank, c.comm), c.instance);
  const bool alone = told_alone(rank, c);
  if (alone) parts_[key][rank] = m;
  for (const uint32_t process : processes_[key.first])
    if (alone) letters_[process].parts.push_back({key.first, key.second, m});
  if (!processes_[key.first].empty()) coming_here_[key].add({1, m});
  return add(key, {1, m}) || alone;
}

const Moment* News::part_of(uint32_t comm, uint32_t instance, uint32_t rank) const {
  const auto of_all = parts_.find({comm, instance});
  if (of_all == parts_.end()) return nullptr;
  const auto found = of_all->second.find(rank);
  return found == of_all->second.end() ? nullptr : &found->second;
}

const Moment* News::last_part(uint32_t comm, uint32_t instance) const {
  if (coming_[comm].size() <= instance) return nullptr;
  const Coming& coming = coming_[comm][instance];
  return coming.arrived < collectives_.parts(comm, instance) ? nullptr : &coming.last;
}

uint32_t News::exchange(uint32_t first_stuck, const std::function<void(uint32_t)>& wake) {
  if (program_.processes().count() == 1) return first_stuck;
  for (const auto& [key, coming] : coming_here_)
    for (const uint32_t process : processes_[key.first]) letters_[process].coming.emplace_back(key, coming);
  coming_here_.clear();
  const bool news = std::any_of(letters_.begin(), letters_.end(), [](const Letter& l) {
    return !l.ready.empty() || !l.coming.empty() || !l.parts.empty();
  });
  std::vector<ByteWriter> to(letters_.size());
  for (size_t p = 0; p < to.size(); ++p) {
    letters_[p].news = news, letters_[p].first_stuck = first_stuck;
    put(to[p], std::exchange(letters_[p], {}));
  }
  bool any = false;
  uint32_t lowest = kNone;
  for (const Bytes& bytes : program_.processes().exchange(std::move(to))) {
    ByteReader from(bytes);
    Letter letter;
    get(from, letter);
    any |= letter.news;
    lowest = std::min(lowest, letter.first_stuck);
    read(letter, wake);
  }
  return any ? kNews : lowest;
}

void News::read(const Letter& letter, const std::function<void(uint32_t)>& wake) {
  for (const Ready& r : letter.ready) {
    ready_[key_of({r.rank, r.post})] = r.moment;
    wake(r.rank);
  }
  std::set<uint32_t> comms;
  for (const auto& [key, coming] : letter.coming)
    if (add(key, coming)) comms.insert(key.first);
  for (const Part& p : letter.parts) {
    parts_[{p.comm, p.instance}][p.moment.at.rank] = p.moment;
    comms.insert(p.comm);
  }
  for (const uint32_t comm : comms)
    for (const uint32_t r : callers_here(comm)) wake(r);
}

}  // namespace cdr::mpi
