// SPDX-License-Identifier: GPL-2.0-or-later

#include "cdrgrind/cli/plugin_dir.h"

#include <filesystem>

#include "cdrgrind/config.h"

namespace cdr {

namespace fs = std::filesystem;

namespace {

bool has_tool(const fs::path& dir) {
  std::error_code ignored;
  return fs::exists(dir / "cdrgrind-amd64-linux", ignored);
}

// BUILD of BUILD/cdrgrind/cli/cdrgrind, or empty.
fs::path build_top(const fs::path& executable) {
  const fs::path place = "cdrgrind/cli/cdrgrind";
  const fs::path top = executable.parent_path().parent_path().parent_path();
  return top / place == executable ? top : fs::path();
}

}  // namespace

std::string find_plugin_dir(const std::string& executable) {
  const fs::path program = executable;
  if (const fs::path top = build_top(program); !top.empty() && has_tool(top / "vglib")) return top / "vglib";
  const fs::path near = (program.parent_path() / CDRGRIND_PLUGIN_REL).lexically_normal();
  if (has_tool(near)) return near;
  const fs::path configured = CDRGRIND_PLUGIN_DIR;
  return has_tool(configured) ? configured.string() : std::string();
}

std::string find_plugin_dir() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return find_plugin_dir(error ? std::string() : program.string());
}

}  // namespace cdr
