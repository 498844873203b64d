// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/output_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cdrgrind/cli/failure.h"
#include "tests/unit/catch.h"

namespace fs = std::filesystem;
using namespace cdr::cli;

namespace {

// A folder of its own, removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = fs::temp_directory_path() / "cdrgrind-test-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  std::string operator/(const char* name) const { return path_ / name; }
  auto count() const { return std::distance(fs::directory_iterator(path_), fs::directory_iterator()); }

 private:
  fs::path path_;
};

void put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void write(OutputFile& to, const std::string& text) {
  to.write({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

// Locks a file as a recorder does, as long as it lives.
class Lock {
 public:
  explicit Lock(const std::string& path) : fd_(::open(path.c_str(), O_WRONLY)) {
    struct flock all = {};
    all.l_type = F_WRLCK;
    taken_ = ::fcntl(fd_, F_OFD_SETLK, &all) == 0;
  }
  ~Lock() { close(fd_); }
  bool taken() const { return taken_; }

 private:
  int fd_;
  bool taken_;
};

template <class F>
std::string failure_of(F f) {
  try {
    f();
  } catch (const Failure& e) {
    return e.what();
  }
  return "";
}

// A process that gets `signal` while it writes; how it ended.
template <class Prepare>
int ended_by(int signal, const std::string& path, Prepare prepare) {
  const pid_t child = fork();
  if (child == 0) {
    ::signal(signal, SIG_DFL);  // not the tests' own handler
    prepare();
    OutputFile file(path, {});
    write(file, "half");
    raise(signal);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

}  // namespace

TEST_CASE("what is written becomes visible as a whole, or not at all") {
  Folder folder;
  const std::string path = folder / "out";
  put(path, "old");
  {
    OutputFile file(path, {});
    write(file, "new");
    CHECK(text_of(path) == "old");
    CHECK(text_of(file.written_path()) == "new");
  }
  CHECK(text_of(path) == "old");
  CHECK(folder.count() == 1);
  OutputFile file(path, {});
  write(file, "new");
  file.put_in_place();
  CHECK(text_of(path) == "new");
  CHECK(folder.count() == 1);
}

TEST_CASE("a signal leaves no unfinished file") {
  Folder folder;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    const int status = ended_by(signal, folder / "out", [] {});
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == signal);
    CHECK(folder.count() == 0);
  }
  const int status = ended_by(SIGHUP, folder / "out", [] { signal(SIGHUP, SIG_IGN); });
  CHECK(WIFEXITED(status));  // nohup
}

TEST_CASE("what takes the target's place meanwhile is not replaced") {
  Folder folder;
  const std::string path = folder / "out";
  OutputFile file(path, {});
  write(file, "new");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  CHECK_THROWS_AS(file.put_in_place(), Failure);
  CHECK(fs::is_fifo(path));
}

TEST_CASE("a recording and a file that takes its place keep away from each other") {
  Folder folder;
  const std::string path = folder / "out";
  put(path, "old");
  {
    const Lock recording(path);
    REQUIRE(recording.taken());
    CHECK(failure_of([&] { OutputFile(path, {}); }) ==
          path + ": is still being written by a recording; name another file");
    CHECK(folder.count() == 1);
  }
  OutputFile file(path, {});
  write(file, "new");
  CHECK_FALSE(Lock(path).taken());
  file.put_in_place();
  CHECK(Lock(path).taken());
}

TEST_CASE("a file without a name is written to") {
  Folder folder;
  const std::string path = folder / "out";
  put(path, "something longer");
  const int fd = ::open(path.c_str(), O_RDWR);
  fs::remove(path);
  const std::string nameless = "/proc/self/fd/" + std::to_string(fd);
  OutputFile file(nameless, {});
  write(file, "new");
  file.put_in_place();
  CHECK(text_of(nameless) == "new");
  CHECK(folder.count() == 0);
  close(fd);
}

TEST_CASE("links are followed to a name that need not exist") {
  Folder folder;
  fs::create_directory(folder / "far");
  fs::create_symlink("far/file", folder / "link");
  fs::create_symlink("link", folder / "twice");
  CHECK(followed(folder / "twice") == fs::canonical(folder / "far") / "file");
  CHECK(followed(folder / "far/../twice") == fs::canonical(folder / "far") / "file");
  CHECK(followed(folder / "file") == fs::canonical(folder / "") / "file");
}
