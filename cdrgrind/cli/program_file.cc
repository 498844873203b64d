// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/program_file.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

#include "cdrgrind/cli/failure.h"

namespace cdr::cli {

namespace {

enum class Found { kNo, kNotExecutable, kYes };

Found look_at(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return Found::kNo;
  return S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0 ? Found::kYes : Found::kNotExecutable;
}

std::string search_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
  bool refused = false;
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    const Found found = look_at(candidate);
    if (found == Found::kYes) return candidate;
    refused |= found == Found::kNotExecutable;
  }
  if (refused) throw Failure(kNotExecutable, fmt::format("{}: cannot be executed", name));
  throw Failure(kNotFound, fmt::format("{}: not found in PATH", name));
}

// The interpreter named after "#!", or nothing.
std::optional<std::string> interpreter_in(const std::string& head) {
  if (head.compare(0, 2, "#!") != 0) return std::nullopt;
  std::istringstream line(head.substr(2, head.find('\n') - 2));
  std::string interpreter;
  line >> interpreter;
  return interpreter;
}

void check_elf(const std::string& path, const std::string& head) {
  Elf64_Ehdr header{};
  std::memcpy(&header, head.data(), std::min(head.size(), sizeof header));
  if (head.size() > EI_CLASS && header.e_ident[EI_CLASS] == ELFCLASS32)
    throw Failure(kBadInput, fmt::format("{}: a 32-bit program cannot be recorded; compile it for x86-64", path));
  if (head.size() >= sizeof header && header.e_machine != EM_X86_64)
    throw Failure(kBadInput, fmt::format("{}: not a program for x86-64: cannot be recorded", path));
}

void check_at_depth(const std::string& path, int scripts_left) {
  std::ifstream file(path, std::ios::binary);
  std::string head(512, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  if (head.compare(0, SELFMAG, ELFMAG) == 0) check_elf(path, head);
  if (const auto interpreter = interpreter_in(head); interpreter && scripts_left > 0)
    check_at_depth(*interpreter, scripts_left - 1);
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') == std::string::npos) return search_path(name);
  switch (look_at(name)) {
    case Found::kNo:
      throw Failure(kNotFound, fmt::format("{}: not found", name));
    case Found::kNotExecutable:
      throw Failure(kNotExecutable, fmt::format("{}: cannot be executed", name));
    case Found::kYes:
      break;
  }
  return name;
}

void check_recordable(const std::string& path) {
  constexpr int kScripts = 4;  // the kernel's own limit on scripts run by scripts
  check_at_depth(path, kScripts);
}

}  // namespace cdr::cli
