// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/arrows.h"

#include <algorithm>
#include <map>

namespace cdr::mpi {
namespace {

// What a sender's process is told of the other end.
struct Head {
  uint32_t rank = 0, post = 0;  // of the send
  uint32_t thread = 0;
  uint64_t time = 0;
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.rank, s.post, s.thread, s.time);
  }
};

std::map<PostRef, Head> heads_of(const Program& program, const Times& times) {
  std::vector<ByteWriter> to(program.processes().count());
  for (uint32_t r = program.begin(); r < program.end(); ++r)
    for (uint32_t i = 0; i < program.log(r).posts.size(); ++i) {
      const Post& p = program.log(r).posts[i];
      const PostRef send = program.partner({r, i});
      if (p.send || !send) continue;
      const uint32_t call = p.done == kNone ? p.call : p.done;
      put(to[program.owner(send.rank)],
          Head{send.rank, send.post, program.log(r).calls[call].thread, times.end_of(r, call)});
    }
  std::map<PostRef, Head> heads;
  for (const Bytes& bytes : program.processes().exchange(std::move(to)))
    for (ByteReader from(bytes); !from.at_end();) {
      Head h;
      get(from, h);
      heads.emplace(PostRef{h.rank, h.post}, h);
    }
  return heads;
}

}  // namespace

std::vector<std::vector<Arrow>> arrows_of(const Program& program, const Times& times) {
  const std::map<PostRef, Head> heads = heads_of(program, times);
  std::vector<std::vector<Arrow>> arrows(program.end() - program.begin());
  for (const auto& [send, head] : heads) {
    const uint32_t call = program.post(send).call;
    arrows[send.rank - program.begin()].push_back({send.rank, program.partner(send).rank,
                                                   program.log(send.rank).calls[call].thread, head.thread,
                                                   times.begin_of(send.rank, call), head.time});
  }
  return arrows;
}

}  // namespace cdr::mpi
