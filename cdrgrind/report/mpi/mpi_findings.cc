// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/mpi/mpi_findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

using mpi::LateKind;
using mpi::UnmatchedPost;

std::string short_place(const CallPlace& p) {
  if (p.file.empty()) return {};
  const std::string_view name = symbols::base_name(p.file);
  return p.line ? fmt::format("{}:{}", name, p.line) : std::string(name);
}

std::string_view function_of(const mpi::CallSpot& spot) { return mpi::function_name(spot.function); }
const CallPlace& place_of(const MpiReport& report, const mpi::CallSpot& spot) { return report.places[spot.place]; }

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

std::string comm_text(const UnmatchedPost& post) {
  if (post.local_comm == mpi::kNone) return "unknown communicator";
  if (post.local_comm == mpi::kWorld) return "MPI_COMM_WORLD";
  if (post.local_comm == mpi::kSelf) return "MPI_COMM_SELF";
  return fmt::format("communicator c{} of {} ranks", post.local_comm - mpi::kSelf, post.comm_size);
}

std::string post_text(const UnmatchedPost& post) {
  const std::string whom = post.from_anybody ? "anybody"
                           : post.peer < 0   ? "an unknown rank"
                                             : fmt::format("rank {}", post.peer);
  const std::string tag = post.tag == CDR_MPI_ANY ? "any tag" : fmt::format("tag {}", post.tag);
  std::string text = fmt::format("{} {}, {}", post.send ? "send to" : "receive from", whom, tag);
  if (post.local_comm != mpi::kWorld) text += ", " + comm_text(post);
  return text;
}

Hints::Hints(const MpiReport& report) : report_(report) {
  for (const UnmatchedPost& post : report.summary.unmatched) by_rank_[post.at.rank].push_back(&post);
}

std::string Hints::of(const UnmatchedPost& post) const {
  if (post.peer < 0 || post.comm == mpi::kNone) return {};
  const auto others = by_rank_.find(static_cast<uint32_t>(post.peer));
  if (others == by_rank_.end()) return {};
  for (const UnmatchedPost* other : others->second) {
    if (other->send == post.send || other->comm != post.comm || other->peer != post.at.rank || other->tag == post.tag)
      continue;
    const std::string place = short_place(place_of(report_, other->at));
    return fmt::format("rank {} {} with tag {}{}", post.peer, post.send ? "receives" : "sends", other->tag,
                       place.empty() ? "" : " at " + place);
  }
  return {};
}

bool has_findings(const MpiReport& report) {
  return !report.summary.unmatched.empty() || !report.mismatches.empty() ||
         std::any_of(report.waiting.begin(), report.waiting.end(), [](const mpi::Waiting& w) { return w.stuck; });
}

}  // namespace cdr::report
