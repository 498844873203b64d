/* SPDX-License-Identifier: GPL-2.0-or-later
 * Everything about itself in which a process could see that there is another one: children, signals, descriptors,
 * group and session. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t signals;

static void count(int number) { signals += number != 0; }

static void children(void) {
  char path[64], text[256] = "";
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE* const f = fopen(path, "r");
  if (f) {
    if (!fgets(text, sizeof text, f)) text[0] = 0;
    fclose(f);
  }
  printf("children: '%s'\n", text);
  errno = 0;
  const pid_t waited = waitpid(-1, NULL, WNOHANG | __WALL);
  printf("wait: %d, %s\n", (int)waited, strerror(errno));
}

/* Valgrind's own are high ones; how many there are is its business, and the recorder's. */
static void descriptors(void) {
  DIR* const folder = opendir("/proc/self/fd");
  int low = 0;
  for (struct dirent* e; (e = readdir(folder));) low += e->d_name[0] != '.' && atoi(e->d_name) < 1000;
  closedir(folder);
  printf("descriptors: %d\n", low);
}

int main(void) {
  struct sigaction action = {.sa_handler = count};
  for (int s = 1; s < 32; s++)
    if (s != SIGKILL && s != SIGSTOP) sigaction(s, &action, NULL);
  children();
  descriptors();
  printf("group: %d, session: %d\n", getpgrp() == getpgid(getppid()), getsid(0) == getsid(getppid()));
  const pid_t child = fork();
  if (child == 0) {
    children();
    descriptors();
    fflush(stdout);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  children();
  sigset_t pending;
  sigpending(&pending);
  int waiting = 0;
  for (int s = 1; s < 32; s++) waiting += sigismember(&pending, s) == 1;
  printf("signals: %d, pending: %d\n", (int)signals, waiting);
  return 0;
}
