// SPDX-License-Identifier: GPL-2.0-or-later

#include "cdrgrind/cli/plugin_dir.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cdrgrind/config.h"
#include "tests/unit/catch.h"

namespace fs = std::filesystem;

namespace {

// A folder of its own, removed at the end.
class TemporaryDir {
 public:
  TemporaryDir() {
    std::string name = fs::temp_directory_path() / "cdrgrind-test-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~TemporaryDir() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void put_tool(const fs::path& dir) {
  fs::create_directories(dir);
  std::ofstream(dir / "cdrgrind-amd64-linux") << "tool";
}

}  // namespace

TEST_CASE("a program in the build tree uses vglib") {
  TemporaryDir top;
  put_tool(top.path() / "vglib");
  CHECK(cdr::find_plugin_dir(top.path() / "cdrgrind/cli/cdrgrind") == top.path() / "vglib");
}

TEST_CASE("a program outside a build tree does not use a vglib nearby") {
  TemporaryDir top;
  put_tool(top.path() / "vglib");
  CHECK(cdr::find_plugin_dir(top.path() / "usr/bin/cdrgrind") != top.path() / "vglib");
}

TEST_CASE("an installation that was moved as a whole finds its own tool") {
  TemporaryDir top;
  const fs::path bin = top.path() / "a/b/c/d/bin";
  const fs::path plugin = (bin / CDRGRIND_PLUGIN_REL).lexically_normal();
  put_tool(plugin);
  CHECK(cdr::find_plugin_dir(bin / "cdrgrind") == plugin);
}
