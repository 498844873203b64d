// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/command_runs.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "cdrgrind/cli/failure.h"

extern char** environ;

namespace cdr::cli {

namespace {

constexpr int kNotStarted = 127;

// A file without a name that is gone with its descriptor; no other process inherits it.
class KeptOutput {
 public:
  explicit KeptOutput(const char* name) : fd_(memfd_create(name, MFD_CLOEXEC)) {}
  ~KeptOutput() {
    if (fd_ >= 0) close(fd_);
  }
  KeptOutput(const KeptOutput&) = delete;

  int fd() const { return fd_; }
  std::string text() const {
    std::string text;
    lseek(fd_, 0, SEEK_SET);
    char piece[1 << 16];
    for (ssize_t n; (n = ::read(fd_, piece, sizeof piece)) > 0;) text.append(piece, static_cast<size_t>(n));
    return text;
  }

 private:
  int fd_;
};

// In the new process, which ends with this one, however that ends. Other threads may have held any lock: nothing but
// system calls.
[[noreturn]] void become(char* const* argv, const char* input, int output, int messages, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kNotStarted);
  const int in = open(input, O_RDONLY);
  if (in >= 0 && dup2(in, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
      dup2(messages, STDERR_FILENO) >= 0) {
    if (in > STDERR_FILENO) close(in);
    execve("/proc/self/exe", argv, environ);
  }
  _exit(kNotStarted);
}

}  // namespace

CommandRuns::CommandRuns(std::vector<std::vector<std::string>> commands, std::string input, unsigned at_a_time)
    : input_(std::move(input)), done_(commands.size()) {
  for (auto& words : commands) runs_.push_back({std::move(words), -1, {}, {}});
  const size_t workers = std::min<size_t>(std::max(1u, at_a_time), runs_.size());
  for (size_t i = 0; i < workers; ++i) workers_.emplace_back([this] { work(); });
}

CommandRuns::~CommandRuns() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    for (const pid_t pid : running_) kill(pid, SIGKILL);
  }
  for (std::thread& t : workers_) t.join();
}

CommandRun& CommandRuns::result(size_t i) {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return done_[i]; });
  if (runs_[i].status < 0) throw Failure(kBadInput, "cannot start 'cdrgrind " + runs_[i].words[0] + "'");
  return runs_[i];
}

void CommandRuns::work() {
  for (;;) {
    size_t i;
    {
      const std::lock_guard lock(mutex_);
      if (stopped_ || next_ == runs_.size()) return;
      i = next_++;
    }
    run(runs_[i]);
    const std::lock_guard lock(mutex_);
    done_[i] = true;
    ended_.notify_all();
  }
}

void CommandRuns::run(CommandRun& run) {
  const KeptOutput output("output"), messages("messages");
  if (output.fd() < 0 || messages.fd() < 0) return;
  std::string name = "cdrgrind";
  std::vector<char*> argv = {name.data()};
  for (std::string& word : run.words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const char* const input = input_.empty() ? "/dev/null" : input_.c_str();
  const pid_t parent = getpid();
  pid_t pid = 0;
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    pid = fork();
    if (pid == 0) become(argv.data(), input, output.fd(), messages.fd(), parent);
    if (pid < 0) return;
    running_.insert(pid);
  }
  // Not reaped before it is out of the set: its number cannot be another's when it is killed.
  siginfo_t info;
  while (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  int status = 0;
  {
    const std::lock_guard lock(mutex_);
    running_.erase(pid);
  }
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotStarted) return;
  run.output = output.text();
  run.messages = messages.text();
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace cdr::cli
