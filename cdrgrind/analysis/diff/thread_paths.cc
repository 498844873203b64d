// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/diff/thread_paths.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <set>

namespace cdr::diff {
namespace {

// Whether paths depend on the frames of this type.
bool tells_paths(FrameType type) {
  switch (type) {
    case FrameType::kModule:
    case FrameType::kBlocks:
    case FrameType::kExits:
    case FrameType::kEvents:
    case FrameType::kStretches:
    case FrameType::kTurn:
    case FrameType::kControl:
      return true;
    default:
      return false;
  }
}

bool same_content(const FrameHeader& a, const FrameHeader& b) {
  return a.type == b.type && a.first_event == b.first_event && a.event_count == b.event_count &&
         a.payload_bytes == b.payload_bytes && a.raw_bytes == b.raw_bytes && a.payload_checksum == b.payload_checksum;
}

// Whether the frame is a part of the run, and not of what is said about it.
bool tells_events(FrameType type) {
  switch (type) {
    case FrameType::kRun:
    case FrameType::kMeta:
    case FrameType::kDepend:
    case FrameType::kPack:
    case FrameType::kIndex:
    case FrameType::kEnd:
      return false;
    default:
      return true;
  }
}

std::vector<const FrameHeader*> frames_of(const trace::TraceFile& file, bool (*which)(FrameType)) {
  std::vector<const FrameHeader*> frames;
  for (const trace::Frame& f : file.frames())
    if (which(f.header.type)) frames.push_back(&f.header);
  return frames;
}

}  // namespace

size_t equal_parts(const trace::TraceFile& a, const trace::TraceFile& b) {
  const auto left = frames_of(a, tells_paths), right = frames_of(b, tells_paths);
  size_t parts = 0;
  for (size_t i = 0; i < std::min(left.size(), right.size()) && same_content(*left[i], *right[i]); ++i)
    parts += has_events(left[i]->type);
  return parts;
}

bool equal_events(const trace::TraceFile& a, const trace::TraceFile& b) {
  const auto left = frames_of(a, tells_events), right = frames_of(b, tells_events);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const FrameHeader* x, const FrameHeader* y) { return same_content(*x, *y); });
}

ThreadPaths::ThreadPaths(const trace::TraceFile& file, const BlockMarks& marks)
    : file_(file), marks_(marks), stretches_(file.stretches(), file.blocks()), executed_(marks.blocks() + 1) {}

// Blocks that only the other trace knows were not executed yet.
void ThreadPaths::take_over(ThreadPaths& same) {
  for (Summary& s : same.summaries_) s.has_hash = true;
  summaries_ = same.summaries_;
  std::copy_n(same.executed_.begin(), std::min(executed_.size(), same.executed_.size()), executed_.begin());
  add_up();
}

// f(part, stretches, worker) for these parts, whichever is next; worker 0 is the caller's thread. What workers share is
// not changed: stretches are their own.
template <class F>
void ThreadPaths::by_workers(size_t begin, size_t end, unsigned jobs, F f) {
  std::atomic<size_t> next = begin;
  const auto work = [&](unsigned worker) {
    std::optional<trace::StretchIndex> own;
    if (worker > 0) own.emplace(file_.stretches(), file_.blocks());
    for (size_t p; (p = next++) < end;) f(p, own ? *own : stretches_, worker);
  };
  std::vector<std::future<void>> others;
  for (unsigned i = 1; i < std::min<size_t>(jobs, end - begin); ++i)
    others.push_back(std::async(std::launch::async, work, i));
  if (begin < end) work(0);
  for (std::future<void>& o : others) o.get();
}

void ThreadPaths::read(size_t begin, size_t end, unsigned jobs, const analysis::Progress& progress) {
  if (summaries_.size() < end) summaries_.resize(end);
  std::vector<std::vector<uint64_t>> executed(std::max(1u, jobs), std::vector<uint64_t>(executed_.size()));
  by_workers(begin, end, jobs, [&](size_t p, const trace::StretchIndex& stretches, unsigned worker) {
    if (progress && worker == 0) progress("paths", p, end);
    Summary& to = summaries_[p];
    if (auto counts = kept_counts(file_, stretches, marks_, p)) {
      to = {std::move(counts->threads), false, {}};
      for (const auto& [block, times] : counts->executed) executed[worker][block.value] += times;
      return;
    }
    const auto part = load_path_part(file_, stretches, marks_, p);
    for (const uint32_t t : part->threads()) to.threads.emplace_back(t, part->total(ThreadId(t)));
    part->count(executed[worker]);
  });
  for (const std::vector<uint64_t>& by_block : executed)
    for (size_t b = 0; b < executed_.size(); ++b) executed_[b] += by_block[b];
  add_up();
}

void ThreadPaths::hash(size_t begin, size_t end, unsigned jobs) {
  end = std::min(end, summaries_.size());
  begin = std::min(begin, end);
  by_workers(begin, end, jobs, [&](size_t p, const trace::StretchIndex& stretches, unsigned) {
    if (summaries_[p].has_hash) return;
    const auto before = [&](ThreadId t) { return marks_before(t, p); };
    const auto part = load_path_part(file_, stretches, marks_, p, before);
    Summary found;
    for (const uint32_t t : part->threads()) {
      found.threads.emplace_back(t, part->total(ThreadId(t)));
      if (auto some = part->checkpoints(ThreadId(t)); !some.empty()) found.checkpoints.emplace(t, std::move(some));
    }
    summaries_[p] = std::move(found);
  });
  add_up();
}

void ThreadPaths::add_up() {
  ends_.clear();
  for (size_t p = 0; p < summaries_.size(); ++p)
    for (const auto& [thread, total] : summaries_[p].threads) {
      std::vector<End>& ends = ends_[thread];
      PathHash until = ends.empty() ? PathHash() : ends.back().until;
      until.add(total, 1);
      ends.push_back({p, until});
    }
}

size_t ThreadPaths::first_without_hash() const {
  const auto found = std::find_if(summaries_.begin(), summaries_.end(), [](const Summary& s) { return !s.has_hash; });
  return found == summaries_.end() ? kNone : static_cast<size_t>(found - summaries_.begin());
}

uint64_t ThreadPaths::marks_before(ThreadId thread, size_t part) const {
  const auto all = ends(thread);
  const auto at = std::partition_point(all.begin(), all.end(), [part](const End& e) { return e.part < part; });
  return at == all.begin() ? 0 : at[-1].until.marks;
}

std::vector<uint32_t> ThreadPaths::threads() const {
  std::vector<uint32_t> all;
  for (const auto& [thread, ends] : ends_) all.push_back(thread);
  return all;
}

std::span<const ThreadPaths::End> ThreadPaths::ends(ThreadId thread) const {
  const auto found = ends_.find(thread.value);
  return found == ends_.end() ? std::span<const End>() : std::span<const End>(found->second);
}

PathHash ThreadPaths::total(ThreadId thread) const {
  const auto all = ends(thread);
  return all.empty() ? PathHash() : all.back().until;
}

std::vector<uint64_t> ThreadPaths::part_ends(ThreadId thread) const {
  std::vector<uint64_t> all;
  for (const End& e : ends(thread)) all.push_back(e.until.marks);
  return all;
}

const PathPart& ThreadPaths::part(size_t number) {
  if (!loaded_ || loaded_number_ != number) {
    loaded_.reset();
    loaded_ = load_path_part(file_, stretches_, marks_, number);
    loaded_number_ = number;
  }
  return *loaded_;
}

PathHash ThreadPaths::part_with(ThreadId thread, uint64_t n, size_t& number) const {
  const auto all = ends(thread);
  const auto at = std::partition_point(all.begin(), all.end(), [n](const End& e) { return e.until.marks <= n; });
  number = at->part;
  return at == all.begin() ? PathHash() : at[-1].until;
}

std::optional<PathHash> ThreadPaths::kept(ThreadId thread, uint64_t marks) const {
  if (marks == 0) return PathHash();
  const auto all = ends(thread);
  const auto end = std::partition_point(all.begin(), all.end(), [&](const End& e) { return e.until.marks < marks; });
  if (end == all.end()) return std::nullopt;
  if (end->until.marks == marks) return end->until;
  const auto& of_part = summaries_[end->part].checkpoints;
  const auto of_thread = of_part.find(thread.value);
  if (of_thread == of_part.end()) return std::nullopt;
  PathHash sum = end == all.begin() ? PathHash() : end[-1].until;
  const uint64_t rest = marks - sum.marks;
  const auto at = std::partition_point(of_thread->second.begin(), of_thread->second.end(),
                                       [rest](const PathHash& h) { return h.marks < rest; });
  if (at == of_thread->second.end() || at->marks != rest) return std::nullopt;
  sum.add(*at, 1);
  return sum;
}

PathHash ThreadPaths::before(ThreadId thread, uint64_t marks) {
  if (const auto known = kept(thread, marks)) return *known;
  size_t number = 0;
  PathHash sum = part_with(thread, marks, number);
  sum.add(part(number).before(thread, marks - sum.marks, marks_), 1);
  return sum;
}

PathPoint ThreadPaths::point(ThreadId thread, uint64_t n) {
  size_t number = 0;
  const PathHash before = part_with(thread, n, number);
  const MarkPlace place = part(number).find(thread, n - before.marks);
  return {before.blocks + place.before.blocks, place.block, place.mark};
}

namespace {

// A little less, if the hashes of that many marks are there in both without loading a part.
uint64_t kept_before(const ThreadPaths& before, const ThreadPaths& after, ThreadId thread, uint64_t marks) {
  const uint64_t less = marks - marks % kCheckpointMarks;
  return less > 0 && before.is_kept(thread, less) && after.is_kept(thread, less) ? less : marks;
}

// Of the first `most` marks of both, how many, from the first on, are equal. At the ends of parts first: a part is
// loaded once or twice.
uint64_t equal_marks(ThreadPaths& before, ThreadPaths& after, ThreadId thread, uint64_t most) {
  const auto same = [&](uint64_t n) { return before.before(thread, n).hash == after.before(thread, n).hash; };
  if (same(most)) return most;
  std::set<uint64_t> ends = {most};
  for (ThreadPaths* paths : {&before, &after})
    for (const uint64_t n : paths->part_ends(thread))
      if (n < most) ends.insert(kept_before(before, after, thread, n));
  const std::vector<uint64_t> places(ends.begin(), ends.end());
  const auto differs = std::partition_point(places.begin(), places.end(), same);
  uint64_t low = differs == places.begin() ? 0 : differs[-1];
  if (differs == places.end()) return low;
  for (uint64_t high = *differs; high - low > 1;) {
    uint64_t middle = low + (high - low) / 2;
    if (high - low > 4 * kCheckpointMarks) middle -= middle % kCheckpointMarks;
    (same(middle) ? low : high) = middle;
  }
  return low;
}

// Hashes the parts of both, from the first on, until each thread is known to part, or there are no more.
class Search {
 public:
  Search(ThreadPaths& before, ThreadPaths& after, std::set<uint32_t> threads)
      : before_(before), after_(after), open_(std::move(threads)) {}

  void run(unsigned jobs, const analysis::Progress& progress) {
    const size_t parts = std::max(before_.parts(), after_.parts());
    for (;;) {
      const size_t known = std::min(before_.first_without_hash(), after_.first_without_hash());
      std::erase_if(open_, [&](uint32_t t) { return !goes_on(ThreadId(t), known) || differs(ThreadId(t), known); });
      if (open_.empty() || known >= parts) return;
      if (progress) progress("paths that part", known, parts);
      const unsigned half = std::max(1u, jobs / 2);
      const size_t end = known + half;
      std::future<void> other =
          std::async(jobs > 1 ? std::launch::async : std::launch::deferred, [&] { after_.hash(known, end, half); });
      before_.hash(known, end, half);
      other.get();
    }
  }
  // The marks of both of which something is known not to be equal; none: they are equal as far as both go.
  uint64_t most(ThreadId thread) const {
    const auto found = differ_.find(thread.value);
    return found == differ_.end() ? std::min(before_.total(thread).marks, after_.total(thread).marks) : found->second;
  }

 private:
  // In parts from `known` on.
  bool goes_on(ThreadId t, size_t known) const {
    return before_.total(t).marks > before_.marks_before(t, known) ||
           after_.total(t).marks > after_.marks_before(t, known);
  }
  bool differs(ThreadId t, size_t known) {
    const uint64_t n =
        kept_before(before_, after_, t, std::min(before_.marks_before(t, known), after_.marks_before(t, known)));
    if (n == 0 || before_.before(t, n).hash == after_.before(t, n).hash) return false;
    differ_.emplace(t.value, n);
    return true;
  }

  ThreadPaths &before_, &after_;
  std::set<uint32_t> open_;
  std::map<uint32_t, uint64_t> differ_;
};

}  // namespace

std::vector<Divergence> find_divergences(ThreadPaths& before, ThreadPaths& after, unsigned jobs,
                                         const analysis::Progress& progress) {
  std::set<uint32_t> threads;
  for (const ThreadPaths* paths : {&before, &after})
    for (const uint32_t t : paths->threads()) threads.insert(t);
  Search search(before, after, threads);
  search.run(jobs, progress);
  std::vector<Divergence> found;
  for (const uint32_t t : threads) {
    const ThreadId thread(t);
    const PathHash a = before.total(thread), b = after.total(thread);
    const uint64_t most = search.most(thread);
    Divergence d;
    d.thread = thread;
    d.marks = equal_marks(before, after, thread, most);
    if (d.marks == a.marks && d.marks == b.marks) continue;
    if (d.marks < a.marks) d.old_next = before.point(thread, d.marks);
    if (d.marks < b.marks) d.new_next = after.point(thread, d.marks);
    if (d.marks > 0) {
      d.old_last = before.point(thread, d.marks - 1);
      d.new_last = after.point(thread, d.marks - 1);
    }
    found.push_back(d);
  }
  return found;
}

}  // namespace cdr::diff
