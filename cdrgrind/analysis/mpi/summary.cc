// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/summary.h"

#include <algorithm>

namespace cdr::mpi {
namespace {

UnmatchedPost unmatched_post(const Program& program, PostRef p) {
  const Post& post = program.post(p);
  UnmatchedPost u;
  u.at = program.spot(p);
  u.send = post.send;
  u.from_anybody = post.peer == CDR_MPI_ANY;
  u.peer = program.peer_of(p.rank, post);
  u.tag = post.tag;
  u.bytes = post.bytes;
  if (post.comm == kNone) return u;
  u.local_comm = post.comm;
  u.comm = program.comm_of(p.rank, post.comm);
  u.comm_size = program.log(p.rank).communicators[post.comm].size;
  return u;
}

void merge(Summary& a, Summary b) {
  a.library = std::max(a.library, b.library);  // of all but rank 0 none
  a.calls += b.calls, a.in_vain += b.in_vain;
  a.matched += b.matched, a.guessed += b.guessed;
  a.length = std::max(a.length, b.length);
  a.waited += b.waited, a.forced += b.forced;
  a.matrix.insert(a.matrix.end(), b.matrix.begin(), b.matrix.end());
  a.unmatched.insert(a.unmatched.end(), b.unmatched.begin(), b.unmatched.end());
}

}  // namespace

Summary summary_of(const Program& program, const Times& times) {
  Summary own;
  for (uint32_t r = program.begin(); r < program.end(); ++r) {
    if (r == 0) own.library = program.log(r).library;
    own.calls += program.log(r).calls.size();
    own.in_vain += program.log(r).in_vain;
  }
  own.matched = program.matched(), own.guessed = program.guessed();
  own.length = times.length, own.waited = times.total_waited, own.forced = times.forced;
  own.matrix = program.matrix();
  for (const PostRef p : program.unmatched()) own.unmatched.push_back(unmatched_post(program, p));
  merge_at_first(program.processes(), own, merge);
  return own;
}

}  // namespace cdr::mpi
