/* SPDX-License-Identifier: GPL-2.0-or-later
 * Starts processes in the way that is asked: forks WAY. What they print depends on the way alone. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static int* shared_block; /* allocated before the fork, freed after it by both */
static volatile int work[64];

/* Enough blocks for a trace, and dependences in both processes. */
static int compute(int rounds) {
  for (int r = 0; r < rounds; r++)
    for (int i = 1; i < 64; i++) work[i] = work[i - 1] + i;
  return work[63];
}

static void say(const char* text) {
  fprintf(stdout, "%s\n", text);
  fflush(stdout);
}

static void wait_and_say(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) printf("child: exit %d\n", WEXITSTATUS(status));
  if (WIFSIGNALED(status)) printf("child: signal %d\n", WTERMSIG(status));
  fflush(stdout);
}

static void fork_from_below(int depth, int status) {
  if (depth > 0) {
    fork_from_below(depth - 1, status);
    compute(10);
    return;
  }
  const pid_t child = fork();
  if (child == 0) {
    say("in the child");
    compute(200);
    free(shared_block);
    if (status < 0) return; /* goes on as the parent does */
    exit(status);
  }
  wait_and_say(child);
}

static void way_fork(void) {
  fork_from_below(5, 3);
  free(shared_block);
}

/* Child and parent return through all the frames. */
static void way_return(void) {
  fork_from_below(5, -1);
  say("returned");
}

static void way_grandchild(void) {
  const pid_t child = fork();
  if (child == 0) {
    compute(300);
    fork_from_below(2, 5);
    _exit(4);
  }
  wait_and_say(child);
}

static void way_exec(void) {
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/echo", "echo", "executed", (char*)NULL);
    _exit(126);
  }
  wait_and_say(child);
}

/* execvp goes along PATH; the last folder has it. */
static void way_path(void) {
  setenv("PATH", "/nowhere:/etc:/usr/sbin:/nowhere/else:/bin", 1);
  char* const args[] = {"echo", "found", NULL};
  const pid_t child = fork();
  if (child == 0) {
    compute(400); /* so that it has a file before */
    execvp("echo", args);
    _exit(126);
  }
  wait_and_say(child);
}

static void way_not_found(void) {
  char* const args[] = {"no-such-program", NULL};
  execvp(args[0], args);
  printf("%s\n", strerror(errno));
  execv("/etc/passwd", args);
  printf("%s\n", strerror(errno));
  compute(10);
}

/* This very process becomes another program, after a failure. */
static void way_become(void) {
  char* const args[] = {"echo", "became", NULL};
  execv("/no/such/program", args);
  printf("%s\n", strerror(errno));
  fflush(stdout);
  execv("/bin/echo", args);
}

/* Three programs in one process: each has a trace. */
static void way_again(const char* self, int times) {
  char number[12];
  snprintf(number, sizeof number, "%d", times - 1);
  printf("%d to go\n", times);
  fflush(stdout);
  if (times > 0) execl(self, self, "again", number, (char*)NULL);
}

static void way_system(void) { printf("system: %d\n", WEXITSTATUS(system("echo by the shell; exit 7"))); }

static void way_popen(void) {
  char line[80];
  FILE* const from = popen("echo through a pipe; echo twice", "r");
  while (fgets(line, sizeof line, from)) fputs(line, stdout);
  printf("pclose: %d\n", WEXITSTATUS(pclose(from)));
}

static void way_spawn(void) {
  char* const args[] = {"echo", "spawned", NULL};
  pid_t child = 0;
  const int result = posix_spawn(&child, "/bin/echo", NULL, NULL, args, environ);
  wait_and_say(child); /* the child writes, too: what the parent says comes after */
  printf("posix_spawn: %d\n", result);
  fflush(stdout);
}

static void way_vfork(void) {
  const pid_t child = vfork();
  if (child == 0) {
    execl("/bin/echo", "echo", "after vfork", (char*)NULL);
    _exit(126);
  }
  wait_and_say(child);
  const pid_t other = vfork();
  if (other == 0) _exit(9);
  wait_and_say(other);
}

/* Twice forked, in a session of its own; the parent waits for the end of the pipe. */
static void way_daemon(void) {
  int ends[2];
  char text[16] = "";
  if (pipe(ends) != 0) return;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    setsid();
    if (fork() != 0) _exit(0);
    umask(0);
    if (chdir("/") != 0) _exit(1);
    close(STDIN_FILENO);
    compute(400);
    if (write(ends[1], "daemon", 6) != 6) _exit(1);
    _exit(0);
  }
  close(ends[1]);
  wait_and_say(child);
  ssize_t n, all = 0;
  while ((n = read(ends[0], text + all, sizeof text - 1 - (size_t)all)) > 0) all += n;
  say(text);
}

static void way_killed_child(void) {
  const pid_t child = fork();
  if (child == 0) {
    compute(300);
    abort();
  }
  wait_and_say(child);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int stop;

static void* count(void* unused) {
  (void)unused;
  while (!stop) {
    pthread_mutex_lock(&mutex);
    compute(1);
    pthread_mutex_unlock(&mutex);
    usleep(100);
  }
  return NULL;
}

static void* fork_in_thread(void* unused) {
  (void)unused;
  fork_from_below(3, 6);
  return NULL;
}

static void* thread_of_child(void* result) {
  *(int*)result = 42;
  return NULL;
}

/* Others run while one thread forks; the child starts threads of its own. */
static void way_threads(void) {
  pthread_t counting[2], forking, own;
  for (int i = 0; i < 2; i++) pthread_create(&counting[i], NULL, count, NULL);
  pthread_create(&forking, NULL, fork_in_thread, NULL);
  pthread_join(forking, NULL);
  const pid_t child = fork();
  if (child == 0) {
    int result = 0;
    pthread_create(&own, NULL, thread_of_child, &result);
    pthread_join(own, NULL);
    compute(200);
    _exit(result);
  }
  wait_and_say(child);
  stop = 1;
  for (int i = 0; i < 2; i++) pthread_join(counting[i], NULL);
}

static void* exec_in_thread(void* unused) {
  (void)unused;
  execl("/bin/echo", "echo", "from a thread", (char*)NULL);
  return NULL;
}

static void way_exec_thread(void) {
  pthread_t counting, executing;
  pthread_create(&counting, NULL, count, NULL);
  pthread_create(&executing, NULL, exec_in_thread, NULL);
  pthread_join(executing, NULL);
}

static void fork_in_handler(int number) {
  (void)number;
  fork_from_below(2, 8);
}

/* In a handler on a stack of its own, which interrupted a function on the other. */
static void way_handler(void) {
  static char room[64 * 1024];
  const stack_t alternate = {.ss_sp = room, .ss_size = sizeof room};
  struct sigaction action = {.sa_handler = fork_in_handler, .sa_flags = SA_ONSTACK};
  sigaltstack(&alternate, NULL);
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  compute(10);
}

static sem_t semaphore;
static pthread_t waiting;

static void* signal_the_waiting(void* unused) {
  usleep(100000);
  pthread_kill(waiting, SIGUSR1);
  return unused;
}

static void fork_and_post(int number) {
  (void)number;
  fork_from_below(2, -1);
  sem_post(&semaphore);
}

/* The handler interrupts an operation, which both processes then leave. */
static void way_operation(void) {
  struct sigaction action = {.sa_handler = fork_and_post, .sa_flags = SA_RESTART};
  pthread_t other;
  sigaction(SIGUSR1, &action, NULL);
  sem_init(&semaphore, 0, 0);
  waiting = pthread_self();
  pthread_create(&other, NULL, signal_the_waiting, NULL);
  while (sem_wait(&semaphore) != 0) {
  }
  say("posted");
}

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "";
  shared_block = malloc(40);
  compute(10);
  const struct {
    const char* name;
    void (*go)(void);
  } ways[] = {{"fork", way_fork},           {"return", way_return},      {"grandchild", way_grandchild},
              {"exec", way_exec},           {"path", way_path},          {"not-found", way_not_found},
              {"become", way_become},       {"system", way_system},      {"popen", way_popen},
              {"spawn", way_spawn},         {"vfork", way_vfork},        {"daemon", way_daemon},
              {"killed", way_killed_child}, {"threads", way_threads},    {"exec-thread", way_exec_thread},
              {"handler", way_handler},     {"operation", way_operation}};
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
    if (strcmp(way, ways[i].name) == 0) ways[i].go();
  if (strcmp(way, "again") == 0) way_again(argv[0], argc > 2 ? atoi(argv[2]) : 2);
  say("end");
  return 2;
}
