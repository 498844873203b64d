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
void ThreadPaths::take_over(const ThreadPaths& same) {
  ends_ = same.ends_;
  std::copy_n(same.executed_.begin(), std::min(executed_.size(), same.executed_.size()), executed_.begin());
}

// Reads parts, whichever is next. What it shares with others is not changed: stretches are its own.
class ThreadPaths::Worker {
 public:
  explicit Worker(const ThreadPaths& of)
      : of_(of), stretches_(of.file_.stretches(), of.file_.blocks()), executed_(of.executed_.size()) {}

  void run(std::atomic<size_t>& next, size_t begin, size_t end, std::vector<Summary>& to,
           const analysis::Progress& progress) {
    for (size_t p; (p = next++) < end;) {
      if (progress) progress("paths", p, end);
      const auto part = load_path_part(of_.file_, stretches_, of_.marks_, p);
      for (const uint32_t t : part->threads()) to[p - begin].threads.emplace_back(t, part->total(ThreadId(t)));
      part->count(executed_);
    }
  }
  const std::vector<uint64_t>& executed() const { return executed_; }

 private:
  const ThreadPaths& of_;
  trace::StretchIndex stretches_;
  std::vector<uint64_t> executed_;
};

void ThreadPaths::read(size_t begin, size_t end, unsigned jobs, const analysis::Progress& progress) {
  const size_t workers = std::min<size_t>(jobs, end - begin);
  std::vector<Summary> parts(end - begin);
  std::vector<std::unique_ptr<Worker>> all;
  for (size_t i = 0; i < workers; ++i) all.push_back(std::make_unique<Worker>(*this));
  std::atomic<size_t> next = begin;
  std::vector<std::future<void>> others;
  for (size_t i = 1; i < workers; ++i)
    others.push_back(std::async(std::launch::async, [&, i] { all[i]->run(next, begin, end, parts, {}); }));
  if (workers > 0) all[0]->run(next, begin, end, parts, progress);
  for (std::future<void>& o : others) o.get();
  for (const auto& w : all)
    for (size_t b = 0; b < executed_.size(); ++b) executed_[b] += w->executed()[b];
  for (size_t p = begin; p < end; ++p) add(p, parts[p - begin]);
}

void ThreadPaths::add(size_t number, const Summary& part) {
  for (const auto& [thread, total] : part.threads) {
    std::vector<End>& ends = ends_[thread];
    PathHash until = ends.empty() ? PathHash() : ends.back().until;
    until.add(total, 1);
    ends.push_back({number, until});
  }
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

PathHash ThreadPaths::before(ThreadId thread, uint64_t marks) {
  for (const End& e : ends(thread))
    if (e.until.marks == marks) return e.until;
  if (marks == 0) return {};
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

// How many marks, from the first on, are equal. At the ends of parts first: a part is loaded once or twice.
uint64_t equal_marks(ThreadPaths& before, ThreadPaths& after, ThreadId thread) {
  const auto same = [&](uint64_t n) { return before.before(thread, n).hash == after.before(thread, n).hash; };
  const uint64_t most = std::min(before.total(thread).marks, after.total(thread).marks);
  std::set<uint64_t> ends = {most};
  for (ThreadPaths* paths : {&before, &after})
    for (const uint64_t n : paths->part_ends(thread))
      if (n < most) ends.insert(n);
  const std::vector<uint64_t> places(ends.begin(), ends.end());
  const auto differs = std::partition_point(places.begin(), places.end(), same);
  uint64_t low = differs == places.begin() ? 0 : differs[-1];
  if (differs == places.end()) return low;
  for (uint64_t high = *differs; high - low > 1;) {
    uint64_t half = (high - low) / 2;
    if (half > kCheckpointMarks) half -= half % kCheckpointMarks;
    const uint64_t middle = low + half;
    (same(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

std::vector<Divergence> find_divergences(ThreadPaths& before, ThreadPaths& after) {
  std::set<uint32_t> threads;
  for (const ThreadPaths* paths : {&before, &after})
    for (const uint32_t t : paths->threads()) threads.insert(t);
  std::vector<Divergence> found;
  for (const uint32_t t : threads) {
    const ThreadId thread(t);
    const PathHash a = before.total(thread), b = after.total(thread);
    if (a.marks == b.marks && a.hash == b.hash) continue;
    Divergence d;
    d.thread = thread;
    d.marks = equal_marks(before, after, thread);
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
