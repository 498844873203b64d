// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/annotate/summary.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "cdrgrind/report/annotate/object_shares.h"
#include "cdrgrind/report/annotate/shown_functions.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

namespace {

using analysis::DependenceRow;

struct FunctionSum {
  std::string_view name;
  std::array<uint64_t, 3> counts{};  // by kind
  uint64_t between_calls = 0;        // RAW of which an end is in a call
  const DependenceRow* most = nullptr;

  uint64_t of(depend::Kind k) const { return counts[static_cast<size_t>(k)]; }
};

void add(const DependenceRow& row, FunctionSum& f) {
  f.name = row.ancestor;
  f.counts[static_cast<size_t>(row.kind)] += row.count;
  if (row.kind != depend::Kind::kRaw) return;
  const bool call = row.source.code != depend::EndpointCode::kOwn || row.target.code != depend::EndpointCode::kOwn;
  if (call) f.between_calls += row.count;
  if (!f.most || f.most->count < row.count) f.most = &row;
}

std::vector<FunctionSum> sums_of(const std::vector<FunctionView>& shown) {
  std::map<std::string_view, FunctionSum> functions;
  for (const FunctionView& view : shown)
    for (const DependenceRow* row : view.rows) add(*row, functions[row->ancestor]);
  std::vector<FunctionSum> sorted;
  for (auto& [name, f] : functions) sorted.push_back(f);
  const auto key = [](const FunctionSum& f) {
    return std::tuple(~f.of(depend::Kind::kRaw), ~(f.of(depend::Kind::kWar) + f.of(depend::Kind::kWaw)), f.name);
  };
  std::sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  return sorted;
}

// "list.c:12 to 14, first->next": of the most frequent one.
std::string most_text(const DependenceRow& row, const AnnotateOptions& options) {
  std::string text = std::string(symbols::base_name(row.source.at.file));
  text += fmt::format(":{} to ", row.source.at.line);
  if (row.target.at.file != row.source.at.file) text += std::string(symbols::base_name(row.target.at.file)) + ":";
  text += std::to_string(row.target.at.line);
  if (!options.objects) return text;
  std::string name;
  if (options.shares)
    name = options.shares->most_frequent(row);
  else if (const std::vector<ObjectName> names = options.objects->of(row); !names.empty())
    name = names.front().name;
  return name.empty() ? text : text + ", " + name;
}

}  // namespace

void write_summary(const analysis::DependenceRows& rows, SymbolNames& names, const AnnotateOptions& options,
                   Output& out) {
  for (const auto& [key, value] : options.header) out.print("{:<13} {}\n", key + ":", visible(value));
  if (!options.header.empty()) out.put('\n');
  out.put(section("Functions by dependences", options.style));
  const ShownFunctions shown = shown_functions(rows.rows, names, options);
  const std::vector<FunctionSum> functions = sums_of(shown.functions);
  if (!functions.empty())
    out.print("{:>14} {:>14} {:>14} {:>14}  function, its most frequent RAW\n", "RAW", "of calls", "WAR", "WAW");
  for (const FunctionSum& f : functions) {
    out.print("{:>14} {:>14} {:>14} {:>14}  {}", with_separators(f.of(depend::Kind::kRaw)),
              with_separators(f.between_calls), with_separators(f.of(depend::Kind::kWar)),
              with_separators(f.of(depend::Kind::kWaw)), visible(f.name));
    if (f.most) out.print("  ({})", visible(most_text(*f.most, options)));
    out.put('\n');
  }
  if (functions.empty()) out.put("None.\n");
  if (const std::string left = left_out_text(options.scope, "dependence", "dependences"); !left.empty())
    out.print("\nLeft out: {}\n", left);
  write_hidden(shown, out);
}

}  // namespace cdr::report
