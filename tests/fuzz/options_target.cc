// SPDX-License-Identifier: GPL-2.0-or-later
// Command lines, and what is parsed out of their words.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/record_command.h"
#include "cdrgrind/symbols/common/demangle.h"
#include "cdrgrind/symbols/common/paths.h"
#include "cdrgrind/symbols/common/string_pool.h"
#include "tests/fuzz/targets.h"

namespace cdr::fuzz {
namespace {

using Words = std::vector<std::string>;

Words words_of(Bytes input) {
  Words words(1);
  for (const uint8_t byte : input) {
    if (byte == 0)
      words.emplace_back();
    else
      words.back() += static_cast<char>(byte);
  }
  return words;
}

// What is parsed is not run: that needs files.
void parse(cli::Action (*add)(cli::CommandLine&), const Words& words) {
  const cli::Command command = {"command", "", add};
  Words line = {command.name};
  line.insert(line.end(), words.begin(), words.end());
  try {
    cli::CommandParser({&command, 1}).parse(line);
  } catch (const cli::Failure&) {
  }
}

void parse_record(const Words& words) {
  try {
    const cli::RecordArguments arguments = cli::parse_record(words);
    cli::as_shell_line("VALGRIND_LIB", "/lib", cli::valgrind_command("/valgrind", arguments));
  } catch (const cli::Failure&) {
  }
}

void paths(const Words& words) {
  const std::string &first = words.front(), &last = words.back();
  const std::string normal = symbols::normal_path(first);
  if (symbols::normal_path(normal) != normal) std::abort();
  symbols::map_path(last, {{first, last}, {"/", first}, {last, "/"}});
  symbols::path_matches(first, last);
  symbols::join_path(symbols::folder_of(first), symbols::base_name(last));
  for (const std::string& word : words) cli::split_list(word);
}

void names(const Words& words) {
  symbols::StringPool pool;
  symbols::Demangler demangler(pool);
  for (const std::string& word : words) demangler.name(pool.intern(word));
}

}  // namespace

void options(Bytes input) {
  const Words words = words_of(input);
  for (const auto add : {cli::add_annotate, cli::add_dump, cli::add_stats, cli::add_verify}) parse(add, words);
  parse_record(words);
  paths(words);
  names(words);
}

}  // namespace cdr::fuzz
