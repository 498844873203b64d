// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/report_scope.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

namespace {

using analysis::CodeOwner;

bool fits(const std::string& pattern, std::string_view text) {
  return fnmatch(pattern.c_str(), std::string(text).c_str(), 0) == 0;
}

CodeOwner owner_of(const Superblock& sb, const ProgramScope& scope, SymbolNames& names) {
  if (sb.flags & kBlockDynamicLinker) return CodeOwner::kLinker;
  if (!scope.has(sb.module)) return CodeOwner::kLibrary;
  const CodeAddr at = {sb.module, sb.addr};
  return names.line_of(at).line == 0 && is_start_function(names.function_of(at)) ? CodeOwner::kStart
                                                                                 : CodeOwner::kProgram;
}

}  // namespace

bool is_start_function(std::string_view name) {
  constexpr std::string_view kNames[] = {"_start",
                                         "_init",
                                         "_fini",
                                         "frame_dummy",
                                         "register_tm_clones",
                                         "deregister_tm_clones",
                                         "__do_global_dtors_aux",
                                         "__libc_csu_init",
                                         "__libc_csu_fini",
                                         "_dl_relocate_static_pie"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

bool is_file(std::string_view path, const std::string& wanted) {
  if (path == wanted) return true;
  std::string_view tail = wanted;
  while (tail.starts_with("./")) tail.remove_prefix(2);
  if (path.size() > tail.size() && path.ends_with(tail) && path[path.size() - tail.size() - 1] == '/') return true;
  return fits(wanted, path) || fits(wanted, symbols::base_name(path));
}

bool is_function(std::string_view name, const std::string& pattern) {
  return name == pattern || fits(pattern, name) || fits(pattern, name.substr(0, name.find('(')));
}

bool ScopeOptions::has(std::string_view file, std::string_view function) const {
  const auto any = [](const std::vector<std::string>& patterns, auto is) {
    return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), is);
  };
  return any(files, [&](const std::string& p) { return is_file(file, p); }) &&
         any(functions, [&](const std::string& p) { return is_function(function, p); });
}

analysis::CodeOwners code_owners(const BlockTable& blocks, const ProgramScope& scope, SymbolNames& names) {
  analysis::CodeOwners owners{{CodeOwner::kLibrary}, scope.libraries()};
  bool has_main = false;
  for (uint32_t i = 1; i <= blocks.superblock_count(); ++i) {
    const Superblock& sb = blocks.superblock(SuperblockId(i));
    owners.superblocks.push_back(owner_of(sb, scope, names));
    has_main |= owners.superblocks.back() == CodeOwner::kProgram && (sb.flags & kBlockFunctionEntry) &&
                names.function_of({sb.module, sb.addr}) == "main";
  }
  if (!has_main)
    std::replace(owners.superblocks.begin(), owners.superblocks.end(), CodeOwner::kStart, CodeOwner::kProgram);
  return owners;
}

analysis::CodeOwners chosen_owners(const BlockTable& blocks, const ModuleTable& modules, const ScopeOptions& options,
                                   bool all, SymbolNames& names) {
  analysis::CodeOwners owners = code_owners(blocks, ProgramScope(modules, options.program), names);
  for (uint32_t i = 1; i <= blocks.superblock_count(); ++i) {
    const Superblock& sb = blocks.superblock(SuperblockId(i));
    const CodeAddr at = {sb.module, sb.addr};
    CodeOwner& owner = owners.superblocks[i];
    if (all && !(sb.flags & kBlockShim)) owner = CodeOwner::kProgram;
    if (owner == CodeOwner::kProgram && options.narrows() &&
        !options.has(names.line_of(at).file, names.function_of(at)))
      owner = CodeOwner::kLibrary;
  }
  return owners;
}

ScopeNote note_of(const ScopeOptions& options, bool all) { return {all, options.functions, options.files, 0, {}}; }

void put_scope(const ScopeNote& note, JsonWriter& to) {
  to.key("scope").object().members("modules", note.all ? "all" : "program");
  to.list("functions", note.functions).list("files", note.files).members("left_out", note.left_out).end();
  if (!note.missing.empty()) to.list("incomplete", note.missing);
}

void put_missing(const std::vector<std::string>& missing, Output& out) {
  for (const std::string& what : missing) out.print("{:<14} {}\n", "Incomplete:", what);
}

std::string left_out_text(const ScopeNote& note, std::string_view one, std::string_view several) {
  if (note.left_out == 0) return {};
  const bool narrowed = !note.functions.empty() || !note.files.empty();
  std::string text = fmt::format("{} {}", with_separators(note.left_out), note.left_out == 1 ? one : several);
  if (!note.all) text += narrowed ? " of others than the program, or elsewhere" : " of others than the program";
  if (note.all) text += " elsewhere";
  if (!note.all) text += fmt::format(" (--scope=all shows {})", note.left_out == 1 ? "it" : "them");
  return text;
}

}  // namespace cdr::report
