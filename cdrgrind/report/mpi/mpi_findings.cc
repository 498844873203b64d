// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/mpi/mpi_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

using mpi::Call;
using mpi::Late;
using mpi::LateKind;
using mpi::Post;
using mpi::PostRef;

std::string short_place(const CallPlace& p) {
  if (p.file.empty()) return {};
  const std::string_view name = symbols::base_name(p.file);
  return p.line ? fmt::format("{}:{}", name, p.line) : std::string(name);
}

std::vector<LateLine> late_lines(const MpiReport& report, bool by_rank) {
  struct Group {
    LateLine line;
    std::set<uint32_t> ranks, peers;
  };
  using Key = std::tuple<LateKind, uint32_t, uint32_t, CallPlace, CallPlace, uint32_t, uint32_t>;
  std::map<Key, Group> groups;
  for (const Late& l : report.times.late) {
    const Call& call = report.program.log(l.rank).calls[l.call];
    const Call& other = report.program.log(l.peer).calls[l.peer_call];
    const CallPlace& place = report.places.of(l.rank, call);
    const CallPlace& peer_place = report.places.of(l.peer, other);
    Group& g =
        groups[{l.kind, call.function, other.function, place, peer_place, by_rank ? l.rank : 0, by_rank ? l.peer : 0}];
    g.line.kind = l.kind;
    g.line.function = mpi::function_name(call.function);
    g.line.peer_function = mpi::function_name(other.function);
    g.line.place = &place, g.line.peer_place = &peer_place;
    g.ranks.insert(l.rank), g.peers.insert(l.peer);
    ++g.line.waits;
    g.line.instructions += l.instructions;
  }
  std::vector<LateLine> lines;
  for (auto& [key, g] : groups) {
    g.line.ranks.assign(g.ranks.begin(), g.ranks.end());
    g.line.peers.assign(g.peers.begin(), g.peers.end());
    lines.push_back(std::move(g.line));
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const LateLine& a, const LateLine& b) { return a.instructions > b.instructions; });
  return lines;
}

std::string_view name_of(LateKind kind) {
  switch (kind) {
    case LateKind::kSender:
      return "sender";
    case LateKind::kReceiver:
      return "receiver";
    default:
      return "collective";
  }
}

std::string comm_text(const mpi::Program& program, uint32_t rank, uint32_t comm) {
  if (comm == mpi::kNone) return "unknown communicator";
  if (comm == mpi::kWorld) return "MPI_COMM_WORLD";
  if (comm == mpi::kSelf) return "MPI_COMM_SELF";
  return fmt::format("communicator c{} of {} ranks", comm - mpi::kSelf, program.log(rank).communicators[comm].size);
}

std::string post_text(const MpiReport& report, PostRef p) {
  const Post& post = report.program.post(p);
  const int64_t peer = report.program.peer_of(p.rank, post);
  const std::string whom = post.peer == CDR_MPI_ANY ? "anybody"
                           : peer < 0               ? "an unknown rank"
                                                    : fmt::format("rank {}", peer);
  const std::string tag = post.tag == CDR_MPI_ANY ? "any tag" : fmt::format("tag {}", post.tag);
  std::string text = fmt::format("{} {}, {}", post.send ? "send to" : "receive from", whom, tag);
  if (post.comm != mpi::kWorld) text += ", " + comm_text(report.program, p.rank, post.comm);
  return text;
}

std::string hint_of(const MpiReport& report, PostRef p) {
  const Post& post = report.program.post(p);
  const int64_t peer = report.program.peer_of(p.rank, post);
  if (peer < 0 || post.comm == mpi::kNone) return {};
  const uint32_t comm = report.program.comm_of(p.rank, post.comm);
  for (const PostRef other : report.program.unmatched()) {
    if (other.rank != static_cast<uint32_t>(peer)) continue;
    const Post& o = report.program.post(other);
    if (o.send == post.send || o.comm == mpi::kNone || report.program.comm_of(other.rank, o.comm) != comm) continue;
    if (report.program.peer_of(other.rank, o) != p.rank || o.tag == post.tag) continue;
    const Call& call = report.program.log(other.rank).calls[o.call];
    const std::string place = short_place(report.places.of(other.rank, call));
    return fmt::format("rank {} {} with tag {}{}", peer, post.send ? "receives" : "sends", o.tag,
                       place.empty() ? "" : " at " + place);
  }
  return {};
}

bool has_findings(const MpiReport& report) {
  return !report.program.unmatched().empty() || !report.collectives.mismatches().empty() ||
         std::any_of(report.waiting.begin(), report.waiting.end(), [](const mpi::Waiting& w) { return w.stuck; });
}

}  // namespace cdr::report
