// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/diff/predicted_part.h"

#include <algorithm>

#include "cdrgrind/analysis/diff/turn_order.h"
#include "cdrgrind/encode/epoch.h"
#include "cdrgrind/trace/index/predicted_walk.h"
#include "cdrgrind/trace/read/path_threads.h"

namespace cdr::diff {
namespace {

// Calls stretch(stretch, count), which returns the events of one, for those of a string. Returns the string's events.
template <class F>
uint64_t read_piece(const Grammar& g, uint32_t string, F stretch) {
  uint64_t events = 0;
  unfold(g, string, [&](uint32_t terminal, uint32_t count) {
    if (is_stretch(terminal))
      events += stretch(stretch_of(terminal), count) * count;
    else if (terminal != kNameTerminal)
      events += count;
  });
  return events;
}

}  // namespace

// Hashes of all, and how often each block is executed. The powers of the hashes are made when they are needed.
class PredictedPart::Totals {
 public:
  Totals(const PredictedPart& part, Sums& to) : p_(part), to_(to) {}

  void block(uint32_t i, const trace::PredictedStep& step) { add(to_.paths[i], block_of(step.symbol), 1); }
  uint64_t piece(uint32_t i, const Grammar& g, uint32_t string) {
    return read_piece(g, string, [&](uint32_t s, uint32_t count) { return stretch(i, s, count); });
  }
  void event(uint32_t, const trace::PredictedStep&) {}
  void end_piece(uint32_t) {}
  static bool wants_more() { return true; }

 private:
  uint64_t stretch(uint32_t i, uint32_t stretch, uint32_t count) {
    Path& path = to_.paths[i];
    const PathHash h = p_.hashes_.of(stretch);
    const auto blocks = p_.stretches_.blocks(stretch);
    for (const BlockId id : blocks) to_.executed[id.value] += count;
    for (uint64_t left = count; left > 0;) {
      uint64_t copies = left;
      if (path.to_checkpoint != 0 && h.marks != 0) copies = std::min(left, (path.to_checkpoint - 1) / h.marks);
      if (copies > 0) {
        path.until.power = power_of_base(path.until.marks);
        path.until.add(h, copies);
        if (path.to_checkpoint != 0) path.to_checkpoint -= copies * h.marks;
        left -= copies;
        continue;
      }
      // The one in which a checkpoint lies.
      for (const BlockId id : blocks) add(path, id, 0);
      --left;
    }
    return p_.stretches_.counts(stretch).events;
  }
  void add(Path& path, BlockId id, uint64_t times) {
    to_.executed[id.value] += times;
    ++path.until.blocks;
    for (const uint64_t mark : p_.marks_.of(id)) {
      path.until.hash = hash_sum(hash_product(path.until.hash, kHashBase), mark);
      ++path.until.marks;
      if (path.to_checkpoint != 0 && --path.to_checkpoint == 0) keep(path);
    }
  }
  static void keep(Path& path) {
    path.to_checkpoint = kCheckpointMarks;
    path.checkpoints.push_back(path.until);
    path.checkpoints.back().power = power_of_base(path.until.marks);
  }

  const PredictedPart& p_;
  Sums& to_;
};

// The blocks of one thread around a mark.
class PredictedPart::Window {
 public:
  Window(const PredictedPart& part, uint32_t thread, uint64_t begin, uint64_t end)
      : p_(part), thread_(thread), begin_(begin), end_(end) {}

  void block(uint32_t i, const trace::PredictedStep& step) {
    if (i == thread_) add(block_of(step.symbol));
  }
  uint64_t piece(uint32_t i, const Grammar& g, uint32_t string) {
    return read_piece(g, string, [&](uint32_t s, uint32_t count) { return stretch(i, s, count); });
  }
  void event(uint32_t, const trace::PredictedStep&) {}
  void end_piece(uint32_t) {}
  bool wants_more() const { return until_.marks < end_; }

 private:
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
                             const BlockMarks& marks, size_t number, trace::Columns control, MarksBefore before)
    : file_(file),
      stretches_(stretches),
      marks_(marks),
      number_(number),
      control_(std::move(control)),
      turns_(turns_of(file, file.epochs()[number])),
      before_(std::move(before)),
      hashes_(stretches, marks) {
  if (!trace::read_path_threads(control_, file.serial_limit(), threads_)) threads_.clear();
}

template <class Sink>
void PredictedPart::walk(Sink& sink) const {
  const trace::Epoch& epoch = file_.epochs()[number_];
  if (!trace::PredictedWalk(stretches_, sink).run(control_, turns_, threads_, epoch.stretches))
    file_.fail(trace::Problem::kDamaged, file_.frames()[epoch.control].offset,
               "the control paths are damaged (try 'cdrgrind verify')");
}

const PredictedPart::Sums& PredictedPart::sums() const {
  if (sums_) return *sums_;
  Sums& to = sums_.emplace();
  to.executed.resize(marks_.blocks() + 1);
  to.paths.resize(threads_.size());
  if (before_)
    for (size_t i = 0; i < threads_.size(); ++i)
      to.paths[i].to_checkpoint = kCheckpointMarks - before_(ThreadId(threads_[i])) % kCheckpointMarks;
  Totals totals(*this, to);
  walk(totals);
  for (Path& path : to.paths) path.until.power = power_of_base(path.until.marks);
  return to;
}

size_t PredictedPart::index_of(ThreadId thread) const {
  const auto at = std::lower_bound(threads_.begin(), threads_.end(), thread.value);
  return static_cast<size_t>((at != threads_.end() && *at == thread.value ? at : threads_.end()) - threads_.begin());
}

PathHash PredictedPart::total(ThreadId thread) const {
  const size_t i = index_of(thread);
  return i == threads_.size() ? PathHash() : sums().paths[i].until;
}

std::vector<PathHash> PredictedPart::checkpoints(ThreadId thread) const {
  const size_t i = index_of(thread);
  return i == threads_.size() ? std::vector<PathHash>() : sums().paths[i].checkpoints;
}

void PredictedPart::count(std::vector<uint64_t>& by_block) const {
  for (size_t b = 0; b < by_block.size(); ++b) by_block[b] += sums().executed[b];
}

MarkPlace PredictedPart::find(ThreadId thread, uint64_t n) const {
  const auto holds = [&] {
    return window_thread_ == thread && !window_.empty() && window_.front().before.marks <= n &&
           n < window_.back().before.marks + marks_.of(window_.back().block).size();
  };
  if (!holds()) {
    window_.clear();
    window_thread_ = thread;
    const auto index = static_cast<uint32_t>(index_of(thread));
    Window window(*this, index, n - std::min(n, kCheckpointMarks), n + kCheckpointMarks);
    walk(window);
  }
  const auto behind =
      std::partition_point(window_.begin(), window_.end(), [n](const Step& s) { return s.before.marks <= n; });
  const Step& step = behind[-1];
  return {step.before, step.block, static_cast<uint32_t>(n - step.before.marks)};
}

}  // namespace cdr::diff
