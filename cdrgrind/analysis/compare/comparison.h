// SPDX-License-Identifier: GPL-2.0-or-later
// A trace beside what is known from the literature and from general compressors: the tables of Goel, Roychoudhury and
// Mitra (2003, section 3) for this trace, its frames by what they hold, and gzip, xz and zstd on the same raw trace.
// docs/compression.md says what each number means, and what was chosen where the paper leaves it open.
//
// Everything is computed from the trace's events in a few passes, in memory that does not grow with their number
// (but for memory touched, streams and, in xz, up to 700 MB).
#ifndef CDRGRIND_ANALYSIS_COMPARE_COMPARISON_H
#define CDRGRIND_ANALYSIS_COMPARE_COMPARISON_H

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/compare/file_sizes.h"
#include "cdrgrind/analysis/compare/plain_grammars.h"
#include "cdrgrind/analysis/compare/size_meter.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::compare {

// The streams of shared accesses, one for each instruction's access and thread, three ways (figure 4).
struct StreamGrammars {
  uint64_t streams = 0;
  GrammarSize seq;           // addresses
  GrammarSize rle_seq;       // runs of equal addresses
  GrammarSize diff_rle_seq;  // runs of equal differences

  StreamGrammars& operator+=(const StreamGrammars& o);
};

struct ThreadComparison {
  uint64_t blocks = 0;
  uint64_t accesses = 0;         // that happened
  uint64_t shared_accesses = 0;  // of these, to bytes that another thread touches, too
  uint64_t syncs = 0;            // synchronisation operations
  GrammarSize cor;               // whole program path: blocks and operations
  GrammarSize dor;               // shared accesses and operations
  uint64_t cor_counts = 0;       // bytes of synch_cnt on every edge
  uint64_t dor_counts = 0;
  StreamGrammars data;

  bool empty() const { return blocks == 0 && syncs == 0; }
  uint64_t raw_control() const { return 4 * blocks; }
  uint64_t raw_shared() const { return 4 * shared_accesses; }
  uint64_t raw_addresses() const { return 4 * accesses; }
  uint64_t data_bytes() const { return data.diff_rle_seq.bytes(true); }

  ThreadComparison& operator+=(const ThreadComparison& o);
};

// The total order of synchronisation operations as the paper's sizes suggest: 2 bytes for a barrier that all have
// reached, 7 for any other operation.
struct SyncOrder {
  uint64_t barriers = 0;
  uint64_t others = 0;
  uint64_t bytes() const { return 2 * barriers + 7 * others; }
};

// The address streams of the compact form against zstd -19 of their words.
struct StreamComparison {
  uint64_t streams = 0, words = 0;
  uint64_t zstd_together = 0;  // all streams one behind the other
  uint64_t zstd_apart = 0;     // each stream on its own, summed
  uint64_t long_streams = 0;   // of 4,096 words or more
  uint64_t larger = 0;         // of these, more than 1.05 times zstd's size when encoded alone
  double largest_ratio = 0;    // among the long ones

  uint64_t zstd() const { return std::min(zstd_together, zstd_apart); }
};

struct Comparison {
  std::vector<ThreadComparison> threads;  // by serial; entry 0 is not used
  SyncOrder order;
  uint32_t restarts = 0;      // of grammars, for want of memory
  CompressedSizes control;    // the blocks, thread by thread, 4 bytes each
  CompressedSizes addresses;  // the accesses, thread by thread, the lower 4 bytes of each address
  StreamComparison streams;
  FileSizes file;                // as it is
  FileSizes compact;             // of the compact form: the file's, or those of a plain file written in it
  bool rewritten = false;        // compact is not what the file is
  uint64_t grammar_control = 0;  // bytes of its CONTROL frames if all are grammars

  ThreadComparison all() const;
  // Bytes of synch_cnt on every symbol of the compact form's grammars, if it were stored; it follows when they are
  // read.
  uint64_t compact_counts() const;
  // The compact form's control frames over the better of xz and zstd on the same blocks; 0 if there are none.
  double control_ratio() const;
  double grammar_ratio() const;
  double stream_ratio() const;
};

struct ComparisonOptions {
  size_t grammar_memory = size_t{512} << 20;  // bytes, each time: for paths, for data, for each way of the streams
  size_t batch_bytes = size_t{256} << 20;     // raw bytes of threads or streams that are kept at a time
};

Comparison comparison_of(const trace::TraceFile& file, const analysis::Progress& progress = {},
                         const ComparisonOptions& options = {});

}  // namespace cdr::compare

#endif
