// SPDX-License-Identifier: GPL-2.0-or-later
// What a replay of ranks (waits.h) knows of the other ranks: from when on messages from and to other processes are
// there, and who has come to collectives. What ranks here do goes to the processes that wait for it, when all exchange
// their news: of a message its moment, of a collective how many have come and who came last, or, where a single rank is
// waited for, its part.
#ifndef CDRGRIND_ANALYSIS_MPI_NEWS_H
#define CDRGRIND_ANALYSIS_MPI_NEWS_H

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/mpi/collectives.h"

namespace cdr::mpi {

// Something is done, at this time of the replay.
struct Moment {
  uint64_t time = 0;
  CallSpot at;
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.time, s.at);
  }
};

constexpr uint32_t kNews = kNone - 1;

class News {
 public:
  News(const Program& program, const Collectives& collectives);

  // Before the replay: of this send, which is here, it must be known when its receive is ready.
  void want_receiver(PostRef send);
  void tell_wishes();

  // A post that is here, with its other end elsewhere.
  void is_ready(PostRef mine, const Moment& m);
  // Null: not yet.
  const Moment* ready_at_other_end(PostRef mine) const;

  // The rank, which is here, begins the collective. Whether ranks here may wait for that.
  bool has_come(uint32_t rank, const Call& c, const Moment& m);
  // Null: not yet. Of single ranks only those are known for whom somebody may wait.
  const Moment* part_of(uint32_t comm, uint32_t instance, uint32_t rank) const;
  // The last of all that ever come; null: not all have.
  const Moment* last_part(uint32_t comm, uint32_t instance) const;
  std::span<const uint32_t> callers_here(uint32_t comm) const;

  // All processes tell each other. kNews: somebody had something to tell, and `wake` was called for the ranks here that
  // may go on. Otherwise the lowest of the ranks given, kNone if there is none.
  uint32_t exchange(uint32_t first_stuck, const std::function<void(uint32_t)>& wake);

 private:
  using CollectiveKey = std::pair<uint32_t, uint32_t>;  // communicator, number
  struct Coming {
    uint32_t arrived = 0;
    Moment last;
    void add(const Coming& other);
    template <class S>
    static auto fields(S& s) {
      return std::tie(s.arrived, s.last);
    }
  };
  struct Part {
    uint32_t comm = 0, instance = 0;
    Moment moment;
    template <class S>
    static auto fields(S& s) {
      return std::tie(s.comm, s.instance, s.moment);
    }
  };
  struct Ready {
    uint32_t rank = 0, post = 0;  // whom it is for
    Moment moment;
    template <class S>
    static auto fields(S& s) {
      return std::tie(s.rank, s.post, s.moment);
    }
  };
  // For one process.
  struct Letter {
    bool news = false;  // its writer has some for somebody
    uint32_t first_stuck = kNone;
    std::vector<Ready> ready;
    std::vector<std::pair<CollectiveKey, Coming>> coming;
    std::vector<Part> parts;
    template <class S>
    static auto fields(S& s) {
      return std::tie(s.news, s.first_stuck, s.ready, s.coming, s.parts);
    }
  };

  static uint64_t key_of(PostRef p) { return uint64_t{p.rank} << 32 | p.post; }
  bool told_alone(uint32_t rank, const Call& c) const;
  bool add(const CollectiveKey& key, const Coming& coming);
  void read(const Letter& letter, const std::function<void(uint32_t)>& wake);

  const Program& program_;
  const Collectives& collectives_;
  std::vector<std::vector<uint32_t>> processes_;               // by communicator: others that have ranks in it
  std::unordered_set<uint64_t> wanted_;                        // receives that are here
  std::unordered_map<uint64_t, Moment> ready_;                 // the other ends, by the post that is here
  std::vector<std::vector<Coming>> coming_;                    // by communicator and number
  std::map<CollectiveKey, std::map<uint32_t, Moment>> parts_;  // by rank

  std::map<CollectiveKey, Coming> coming_here_;  // since the last exchange
  std::vector<Letter> letters_;                  // to each process
};

}  // namespace cdr::mpi

#endif
