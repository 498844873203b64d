// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/diff/path_part.h"

#include <algorithm>
#include <map>

#include "cdrgrind/analysis/diff/predicted_part.h"
#include "cdrgrind/analysis/diff/stretch_hashes.h"
#include "cdrgrind/trace/index/epoch_index.h"
#include "cdrgrind/trace/index/path_executions.h"
#include "cdrgrind/trace/index/predicted_executions.h"
#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/path_pieces.h"

namespace cdr::diff {
namespace {

class EpochPart final : public PathPart {
 public:
  EpochPart(const trace::TraceFile& file, const trace::StretchIndex& stretches, const BlockMarks& marks, size_t number)
      : epoch_(file, stretches, number), paths_(epoch_.paths()), marks_(marks), hashes_(stretches, marks) {
    sums_.build(paths_.grammar(), [&](uint32_t t) { return weigh(t); });
  }

  std::vector<uint32_t> threads() const override { return paths_.threads(); }
  PathHash total(ThreadId thread) const override {
    const auto string = paths_.string_of(thread);
    return string ? sums_.total(*string) : PathHash();
  }
  MarkPlace find(ThreadId thread, uint64_t n) const override {
    MarkPlace place;
    trace::Way way;
    const auto key = [](const PathHash& h) { return h.marks; };
    const auto weight = [&](uint32_t t) { return weigh(t); };
    sums_.find(paths_.grammar(), *paths_.string_of(thread), key, weight, n, way, place.before);
    const uint32_t terminal = trace::symbol_at(paths_.grammar(), way.back().symbol).symbol;
    for (const BlockId id : paths_.stretches().blocks(stretch_of(terminal))) {
      const PathHash of_block = marks_.hash(id);
      if (n < of_block.marks) {
        place.block = id;
        break;
      }
      n -= of_block.marks;
      place.before.add(of_block, 1);
    }
    place.mark = static_cast<uint32_t>(n);
    return place;
  }
  void count(std::vector<uint64_t>& by_block) const override {
    const trace::PathExecutions executions(paths_, marks_.blocks());
    for (uint32_t s = 0; s < paths_.threads().size(); ++s) {
      const std::vector<uint64_t> own = executions.of(s);
      for (size_t b = 0; b < own.size(); ++b) by_block[b] += own[b];
    }
  }

 private:
  PathHash weigh(uint32_t terminal) const {
    return is_stretch(terminal) ? hashes_.of(stretch_of(terminal)) : PathHash();
  }

  trace::EpochIndex epoch_;
  const trace::PathIndex& paths_;
  const BlockMarks& marks_;
  StretchHashes hashes_;
  trace::GrammarSums<PathHash> sums_;
};

class FramePart final : public PathPart {
 public:
  FramePart(const trace::TraceFile& file, const BlockMarks& marks, size_t number) : marks_(marks) {
    const FrameHeader& frame = file.frames()[file.event_frames()[number]].header;
    trace::Cursor cursor(file);
    cursor.seek(frame.first_event);
    Event e;
    for (uint64_t left = frame.event_count; left > 0 && cursor.next(e); --left)
      if (e.kind == EventKind::kBlock) add(e);
  }

  std::vector<uint32_t> threads() const override {
    std::vector<uint32_t> all;
    for (const auto& [thread, path] : paths_) all.push_back(thread);
    return all;
  }
  PathHash total(ThreadId thread) const override {
    const auto found = paths_.find(thread.value);
    return found == paths_.end() ? PathHash() : found->second.back().until;
  }
  MarkPlace find(ThreadId thread, uint64_t n) const override {
    const std::vector<Step>& path = paths_.at(thread.value);
    const auto at = std::partition_point(path.begin(), path.end(), [n](const Step& s) { return s.until.marks <= n; });
    MarkPlace place;
    if (at != path.begin()) place.before = at[-1].until;
    place.block = at->block;
    place.mark = static_cast<uint32_t>(n - place.before.marks);
    return place;
  }
  void count(std::vector<uint64_t>& by_block) const override {
    for (const auto& [thread, path] : paths_)
      for (const Step& s : path) ++by_block[s.block.value];
  }

 private:
  struct Step {
    BlockId block;
    PathHash until;
  };
  void add(const Event& e) {
    std::vector<Step>& path = paths_[e.thread.value];
    PathHash until = path.empty() ? PathHash() : path.back().until;
    until.add(marks_.hash(e.block), 1);
    path.push_back({e.block, until});
  }

  const BlockMarks& marks_;
  std::map<uint32_t, std::vector<Step>> paths_;
};

}  // namespace

PathHash PathPart::before(ThreadId thread, uint64_t marks, const BlockMarks& of) const {
  const MarkPlace place = find(thread, marks);
  PathHash sum = place.before;
  for (uint32_t i = 0; i < place.mark; ++i) sum.add_mark(of.of(place.block)[i]);
  return sum;
}

std::optional<PartCounts> kept_counts(const trace::TraceFile& file, const trace::StretchIndex& stretches,
                                      const BlockMarks& marks, size_t number) {
  if (file.epochs().empty()) return std::nullopt;
  const auto executions = trace::PredictedExecutions::of_epoch(file, stretches, number, file.control(number));
  if (!executions) return std::nullopt;
  PartCounts counts;
  for (const auto& of_thread : executions->threads) {
    PathHash sum;
    for (const auto& [block, times] : of_thread.blocks) {
      sum.blocks += times;
      sum.marks += times * marks.of(block).size();
      counts.executed.emplace_back(block, times);
    }
    sum.power = power_of_base(sum.marks);
    counts.threads.emplace_back(of_thread.serial, sum);
  }
  return counts;
}

std::unique_ptr<PathPart> load_path_part(const trace::TraceFile& file, const trace::StretchIndex& stretches,
                                         const BlockMarks& marks, size_t number, const MarksBefore& before) {
  if (file.epochs().empty()) return std::make_unique<FramePart>(file, marks, number);
  trace::Columns control = file.control(number);
  if (trace::is_predicted(control))
    return std::make_unique<PredictedPart>(file, stretches, marks, number, std::move(control), before);
  return std::make_unique<EpochPart>(file, stretches, marks, number);
}

}  // namespace cdr::diff
