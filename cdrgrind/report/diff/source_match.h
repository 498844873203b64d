// SPDX-License-Identifier: GPL-2.0-or-later
// Which file and line of one program are which of another, built from sources that have changed: files by their paths,
// by the longest ends that their paths have in common, or else by their lines; lines by the longest common subsequence,
// and where as many lines stand in place of as many, those for these. Blanks at the ends of lines do not matter.
#ifndef CDRGRIND_REPORT_DIFF_SOURCE_MATCH_H
#define CDRGRIND_REPORT_DIFF_SOURCE_MATCH_H

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/analysis/dependence/rows.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// For each line of `before` (from 0) the one of `after` that it has become, or kNoLine.
constexpr uint32_t kNoLine = ~0u;
std::vector<uint32_t> match_lines(const std::vector<std::string_view>& before,
                                  const std::vector<std::string_view>& after);

class SourceMatch {
 public:
  // The files of either that are asked about. Both must outlive it.
  SourceMatch(symbols::Symbols& before, const std::set<std::string_view>& old_files, symbols::Symbols& after,
              const std::set<std::string_view>& new_files);

  // Modules are named where code has no lines: the executables are the same.
  void add_modules(std::string_view old_path, std::string_view new_path) { modules_[old_path] = new_path; }
  // What the line is in the new program: line 0 if it has none there, the file "" if that has none.
  analysis::LineRef of(analysis::LineRef old_line);
  std::string_view file_of(std::string_view old_file) const;
  // Whether a line of the new program is one that the old one had.
  bool was_there(analysis::LineRef new_line) const;
  // Old files whose text is no longer to be had: their lines are taken for those with their numbers.
  const std::set<std::string_view>& lost() const { return lost_; }

 private:
  struct FileMatch {
    std::string_view file;
    bool by_number = true;
    std::vector<uint32_t> lines;
    std::set<uint32_t> new_lines;  // that they have become, from 0
  };
  void match_paths(const std::set<std::string_view>& old_files, const std::set<std::string_view>& new_files);
  void match_texts(const std::set<std::string_view>& old_files, const std::set<std::string_view>& new_files);
  void match_lines_of(std::string_view old_file, FileMatch& match);

  symbols::Symbols& before_;
  symbols::Symbols& after_;
  std::map<std::string_view, FileMatch> files_;          // by old path
  std::map<std::string_view, const FileMatch*> old_of_;  // by new path
  std::map<std::string_view, std::string_view> modules_;
  std::set<std::string_view> taken_;  // new paths
  std::set<std::string_view> lost_;
};

}  // namespace cdr::report

#endif
