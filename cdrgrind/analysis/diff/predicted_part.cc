// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/diff/predicted_part.h"

#include <algorithm>

#include "cdrgrind/analysis/diff/turn_order.h"
#include "cdrgrind/encode/epoch.h"
#include "cdrgrind/trace/index/predicted_walk.h"
#include "cdrgrind/trace/read/path_threads.h"

namespace cdr::diff {

// Hashes of all, and how often each block is executed. The powers of the hashes are made when they are needed.
class PredictedPart::Totals {
 public:
  explicit Totals(PredictedPart& part) : p_(part) {}

  void block(uint32_t i, const trace::PredictedStep& step) {
    const BlockId id = block_of(step.symbol);
    ++p_.executed_[id.value];
    Path& path = p_.paths_[i];
    ++path.until.blocks;
    for (const uint64_t mark : p_.marks_.of(id)) {
      path.until.hash = hash_sum(hash_product(path.until.hash, kHashBase), mark);
      if (++path.until.marks % kCheckpointMarks == 0) keep(path);
    }
  }
  uint64_t stretch(uint32_t i, uint32_t stretch, uint32_t count) {
    Path& path = p_.paths_[i];
    path.until.power = power_of_base(path.until.marks);
    path.until.add(p_.hashes_.of(stretch), count);
    for (const BlockId id : p_.stretches_.blocks(stretch)) p_.executed_[id.value] += count;
    if (path.until.marks % kCheckpointMarks == 0) keep(path);
    return p_.stretches_.counts(stretch).events;
  }
  void terminal(uint32_t, uint32_t, uint32_t) {}
  void event(uint32_t, const trace::PredictedStep&) {}
  void end_piece(uint32_t) {}
  bool follows(BlockId id) const { return p_.stretches_.model(id).then != EventKind::kNone; }
  void finish() {
    for (Path& path : p_.paths_) path.until.power = power_of_base(path.until.marks);
  }

 private:
  static void keep(Path& path) {
    if (!path.checkpoints.empty() && path.checkpoints.back().marks == path.until.marks) return;
    path.checkpoints.push_back(path.until);
    path.checkpoints.back().power = power_of_base(path.until.marks);
  }

  PredictedPart& p_;
};

// The blocks of one thread around a mark.
class PredictedPart::Window {
 public:
  Window(const PredictedPart& part, uint32_t thread, uint64_t begin, uint64_t end)
      : p_(part), thread_(thread), begin_(begin), end_(end) {}

  void block(uint32_t i, const trace::PredictedStep& step) {
    if (i == thread_) add(block_of(step.symbol));
  }
  uint64_t stretch(uint32_t i, uint32_t stretch, uint32_t count) {
    const uint64_t events = p_.stretches_.counts(stretch).events;
    if (i != thread_) return events;
    const PathHash h = p_.hashes_.of(stretch);
    // Copies that end before the window, and those behind it, are passed over.
    uint64_t copies =
        h.marks == 0 || until_.marks >= begin_ ? 0 : std::min<uint64_t>(count, (begin_ - until_.marks) / h.marks);
    if (h.marks == 0 || until_.marks >= end_) copies = count;
    until_.add(h, copies);
    for (; copies < count && until_.marks < end_; ++copies)
      for (const BlockId id : p_.stretches_.blocks(stretch)) add(id);
    until_.add(h, count - copies);
    return events;
  }
  void terminal(uint32_t, uint32_t, uint32_t) {}
  void event(uint32_t, const trace::PredictedStep&) {}
  void end_piece(uint32_t) {}
  bool follows(BlockId id) const { return p_.stretches_.model(id).then != EventKind::kNone; }

 private:
  void add(BlockId id) {
    if (until_.marks >= end_) return;
    const auto marks = p_.marks_.of(id);
    if (!marks.empty() && until_.marks + marks.size() > begin_) {
      until_.power = power_of_base(until_.marks);
      p_.window_.push_back({until_, id});
    }
    ++until_.blocks;
    for (const uint64_t mark : marks) {
      until_.hash = hash_sum(hash_product(until_.hash, kHashBase), mark);
      ++until_.marks;
    }
  }

  const PredictedPart& p_;
  const uint32_t thread_;
  const uint64_t begin_, end_;  // marks
  PathHash until_;
};

PredictedPart::PredictedPart(const trace::TraceFile& file, const trace::StretchIndex& stretches,
                             const BlockMarks& marks, size_t number, trace::Columns control)
    : file_(file),
      stretches_(stretches),
      marks_(marks),
      number_(number),
      control_(std::move(control)),
      turns_(turns_of(file, file.epochs()[number])),
      executed_(marks.blocks() + 1),
      hashes_(stretches, marks) {
  if (!trace::read_path_threads(control_, file.serial_limit(), threads_)) threads_.clear();
  paths_.resize(threads_.size());
  Totals totals(*this);
  walk(totals);
  totals.finish();
}

template <class Sink>
void PredictedPart::walk(Sink& sink) const {
  const trace::Epoch& epoch = file_.epochs()[number_];
  if (!trace::PredictedWalk(file_.blocks(), sink).run(control_, turns_, threads_, epoch.stretches))
    file_.fail(trace::Problem::kDamaged, file_.frames()[epoch.control].offset,
               "the control paths are damaged (try 'cdrgrind verify')");
}

const PredictedPart::Path* PredictedPart::path_of(ThreadId thread) const {
  const auto at = std::lower_bound(threads_.begin(), threads_.end(), thread.value);
  return at == threads_.end() || *at != thread.value ? nullptr : &paths_[static_cast<size_t>(at - threads_.begin())];
}

PathHash PredictedPart::total(ThreadId thread) const {
  const Path* path = path_of(thread);
  return path ? path->until : PathHash();
}

void PredictedPart::count(std::vector<uint64_t>& by_block) const {
  for (size_t b = 0; b < executed_.size(); ++b) by_block[b] += executed_[b];
}

const PathHash* PredictedPart::checkpoint(ThreadId thread, uint64_t marks) const {
  const Path* path = path_of(thread);
  if (!path) return nullptr;
  const auto at = std::lower_bound(path->checkpoints.begin(), path->checkpoints.end(), marks,
                                   [](const PathHash& h, uint64_t m) { return h.marks < m; });
  return at == path->checkpoints.end() || at->marks != marks ? nullptr : &*at;
}

MarkPlace PredictedPart::find(ThreadId thread, uint64_t n) const {
  const auto holds = [&] {
    return window_thread_ == thread && !window_.empty() && window_.front().before.marks <= n &&
           n < window_.back().before.marks + marks_.of(window_.back().block).size();
  };
  if (!holds()) {
    window_.clear();
    window_thread_ = thread;
    const auto index = static_cast<uint32_t>(path_of(thread) - paths_.data());
    Window window(*this, index, n - std::min(n, kCheckpointMarks), n + kCheckpointMarks);
    walk(window);
  }
  const auto behind =
      std::partition_point(window_.begin(), window_.end(), [n](const Step& s) { return s.before.marks <= n; });
  const Step& step = behind[-1];
  return {step.before, step.block, static_cast<uint32_t>(n - step.before.marks)};
}

}  // namespace cdr::diff
