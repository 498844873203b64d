// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/valgrind_launcher.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/program_file.h"
#include "cdrgrind/config.h"

namespace cdr::cli {

namespace {

std::string find_launcher() {
  try {
    return find_program("valgrind");
  } catch (const Failure&) {
  }
  try {
    return find_program(CDRGRIND_VALGRIND_BIN);
  } catch (const Failure&) {
  }
  throw Failure(kBadInput,
                "no Valgrind in PATH nor at " CDRGRIND_VALGRIND_BIN "; install Valgrind " CDRGRIND_VALGRIND_VERSION);
}

// The first line that a command prints, without a shell in between.
std::string first_line_of(const std::string& program, const char* argument) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl(program.c_str(), program.c_str(), argument, static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);
  std::array<char, 256> line{};
  FILE* from = fdopen(ends[0], "r");
  const bool got = child > 0 && from && std::fgets(line.data(), line.size(), from);
  if (from) std::fclose(from);
  if (child > 0) waitpid(child, nullptr, 0);
  std::string text = got ? line.data() : "";
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

// A distribution's suffix does not matter to a tool: 3.19.0-Debian, 3.19.0.GIT.
bool is_version_built_for(const std::string& version) {
  const std::string built_for = CDRGRIND_VALGRIND_VERSION;
  const char next = version.c_str()[std::min(built_for.size(), version.size())];
  return version.compare(0, built_for.size(), built_for) == 0 && (next < '0' || next > '9');
}

}  // namespace

std::string program_beside(const std::string& launcher) {
  const std::string program = launcher + ".bin";
  return access(program.c_str(), X_OK) == 0 ? program : launcher;
}

std::string version_of_valgrind(const std::string& launcher) {
  const std::string prefix = "valgrind-";
  const std::string line = first_line_of(launcher, "--version");
  return line.compare(0, prefix.size(), prefix) == 0 ? line.substr(prefix.size()) : std::string();
}

std::string find_valgrind() {
  const std::string valgrind = program_beside(find_launcher());
  const std::string version = version_of_valgrind(valgrind);
  if (version.empty()) throw Failure(kBadInput, fmt::format("{}: does not tell its version", valgrind));
  if (!is_version_built_for(version))
    throw Failure(kBadInput, fmt::format("{} is Valgrind {}, and cdrgrind was built for {}; build it again, or put "
                                         "Valgrind {} into PATH",
                                         valgrind, version, CDRGRIND_VALGRIND_VERSION, CDRGRIND_VALGRIND_VERSION));
  return valgrind;
}

}  // namespace cdr::cli
