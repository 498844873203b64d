// SPDX-License-Identifier: GPL-2.0-or-later
//
// Code addresses to functions and the inlined calls in them, for one module.
// A node is one function as it stands in the code: a real one (no parent) or
// one inlined copy, whose parent is what it was inlined into.
// Invariant after seal(): segments are sorted, and each names the innermost
// node of the code from its begin to the next segment's.
#ifndef CDRGRIND_SYMBOLS_TABLES_CODE_TABLE_H
#define CDRGRIND_SYMBOLS_TABLES_CODE_TABLE_H

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cdrgrind/symbols/common/string_pool.h"

namespace cdr::symbols {

// A function of the source, however many copies of it there are.
struct FunctionRecord {
  StringId name = StringId::empty;  // qualified; empty if the linkage name is a mangled one
  StringId linkage_name = StringId::empty;
  StringId decl_file = StringId::empty;
  std::uint32_t decl_line = 0;
};

using FunctionIndex = std::uint32_t;  // into CodeTable's functions
using NodeIndex = std::uint32_t;      // 0 = none

struct CodeNode {
  NodeIndex parent = 0;
  FunctionIndex function = 0;
  StringId call_file = StringId::empty;
  std::uint32_t call_line = 0;
  std::uint16_t call_column = 0;
  std::uint16_t depth = 0;  // 0 = a real function
};

struct CodeRange {
  std::uint64_t begin = 0;  // address in the file
  std::uint64_t end = 0;
};

// Built once, then read-only.
class CodeTable {
 public:
  CodeTable() : nodes_(1) {}

  FunctionIndex add_function(const FunctionRecord& function);

  // Gives a function its linkage name, found elsewhere.
  void set_linkage_name(FunctionIndex function, StringId mangled);

  // A node without a parent needs an entry; 0 is returned, and nothing added,
  // when a real function with that entry is there already.
  NodeIndex add_real(FunctionIndex function, std::uint64_t entry);
  NodeIndex add_inlined(const CodeNode& node);
  void add_range(NodeIndex node, CodeRange range);
  void seal();

  // The innermost node at an address, or 0.
  NodeIndex innermost(std::uint64_t address) const;

  const CodeNode& node(NodeIndex index) const { return nodes_[index]; }
  const FunctionRecord& function(FunctionIndex index) const { return functions_[index]; }
  NodeIndex real_function(NodeIndex index) const;
  std::uint64_t entry(NodeIndex real) const;

 private:
  struct Range {
    CodeRange range;
    NodeIndex node;
  };
  struct Segment {
    std::uint64_t begin;
    NodeIndex node;
  };

  std::vector<FunctionRecord> functions_;
  std::vector<CodeNode> nodes_;
  std::unordered_map<std::uint64_t, NodeIndex> by_entry_;
  std::unordered_map<NodeIndex, std::uint64_t> entries_;
  std::vector<Range> ranges_;  // until seal()
  std::vector<Segment> segments_;
};

}  // namespace cdr::symbols

#endif
