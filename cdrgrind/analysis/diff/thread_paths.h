// SPDX-License-Identifier: GPL-2.0-or-later
// The paths of all threads of a trace as sequences of marks: where they begin to differ from those of another trace.
//
// The trace is read once, part by part (path_part.h), for the hash of each thread's marks up to the end of each part;
// a beginning of any other length is hashed by loading its part once more. Of parts for which the recorder has counted
// (kept_counts) no more is read than that, until hashes are asked for.
#ifndef CDRGRIND_ANALYSIS_DIFF_THREAD_PATHS_H
#define CDRGRIND_ANALYSIS_DIFF_THREAD_PATHS_H

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/diff/path_part.h"

namespace cdr::diff {

// How many parts, from the first on, are the same in both files, byte for byte, with all that they refer to. Their
// words and other events need not be.
size_t equal_parts(const trace::TraceFile& a, const trace::TraceFile& b);
// Whether all events are the same in both files, byte for byte, with all that they refer to.
bool equal_events(const trace::TraceFile& a, const trace::TraceFile& b);

// Where mark n of a thread stands.
struct PathPoint {
  uint64_t block = 0;  // among the thread's blocks, from 0
  BlockId id;
  uint32_t mark = 0;  // of the block's
};

class ThreadPaths {
 public:
  // Both must outlive it.
  ThreadPaths(const trace::TraceFile& file, const BlockMarks& marks);

  // Those behind the parts that were read before, each once, by so many threads.
  void read(size_t begin, size_t end, unsigned jobs, const analysis::Progress& progress);
  // In place of what the other trace has read so far, if its parts are the same. Hashes of these are not needed any
  // more: any will do, if they are the same in both.
  void take_over(ThreadPaths& same);
  // Makes the hashes of these parts, if they are not there.
  void hash(size_t begin, size_t end, unsigned jobs);
  // The first part without hashes; kNone: all have them.
  static constexpr size_t kNone = ~size_t{0};
  size_t first_without_hash() const;
  // Of the parts before this one.
  uint64_t marks_before(ThreadId thread, size_t part) const;
  size_t parts() const { return file_.event_frames().size(); }

  // Threads, ascending.
  std::vector<uint32_t> threads() const;
  PathHash total(ThreadId thread) const;
  // Of the first `marks` marks.
  PathHash before(ThreadId thread, uint64_t marks);
  // Whether that hash is there without loading a part.
  bool is_kept(ThreadId thread, uint64_t marks) const { return kept(thread, marks).has_value(); }
  PathPoint point(ThreadId thread, uint64_t n);
  // How many marks there are up to the end of each part that the thread is in.
  std::vector<uint64_t> part_ends(ThreadId thread) const;
  // How often each block was executed.
  const std::vector<uint64_t>& executed() const { return executed_; }

 private:
  struct End {
    size_t part;
    PathHash until;
  };
  struct Summary {
    std::vector<std::pair<uint32_t, PathHash>> threads;
    bool has_hash = true;
    std::map<uint32_t, std::vector<PathHash>> checkpoints;  // by thread, from the part's beginning on
  };
  template <class F>
  void by_workers(size_t begin, size_t end, unsigned jobs, F f);
  void add_up();
  std::span<const End> ends(ThreadId thread) const;
  const PathPart& part(size_t number);
  std::optional<PathHash> kept(ThreadId thread, uint64_t marks) const;
  // Of the part with mark n: what is before it.
  PathHash part_with(ThreadId thread, uint64_t n, size_t& number) const;

  const trace::TraceFile& file_;
  const BlockMarks& marks_;
  trace::StretchIndex stretches_;
  std::vector<Summary> summaries_;             // by part
  std::map<uint32_t, std::vector<End>> ends_;  // by thread
  std::vector<uint64_t> executed_;
  std::unique_ptr<PathPart> loaded_;
  size_t loaded_number_ = 0;
};

// Where a thread first does something else.
struct Divergence {
  ThreadId thread;
  uint64_t marks = 0;                           // that are equal
  std::optional<PathPoint> old_next, new_next;  // the first that is not; none: there are no more
  std::optional<PathPoint> old_last, new_last;  // the last that is
};

// By threads, which are matched by their serials. Makes the hashes that it needs.
std::vector<Divergence> find_divergences(ThreadPaths& before, ThreadPaths& after, unsigned jobs = 1,
                                         const analysis::Progress& progress = {});

}  // namespace cdr::diff

#endif
