/* SPDX-License-Identifier: GPL-2.0-or-later
 * waits MILLIONS [fork]: says that it is ready, waits for a line, executes so many millions of blocks (and a child
 * does), says that it is done, waits for the end of its input. Status 3. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long turns;

static void run(long millions) {
  for (turns = 0; turns < millions * 1000000; turns++) {
  }
}

static void say(const char* what) {
  puts(what);
  fflush(stdout);
}

int main(int argc, char** argv) {
  const long millions = argc > 1 ? atol(argv[1]) : 1;
  int status = 0;
  say("ready");
  if (getchar() == EOF) return 4;
  run(millions);
  if (argc > 2) {
    const pid_t child = fork();
    if (child == 0) {
      run(millions);
      _exit(5);
    }
    run(millions); /* both at once */
    waitpid(child, &status, 0);
    printf("child: %d\n", WEXITSTATUS(status));
  }
  say("done");
  while (getchar() != EOF) {
  }
  return 3;
}
