/* SPDX-License-Identifier: GPL-2.0-or-later
 * Threads that hand something over through the kernel: pipes, sockets, eventfds, signal actions. A variable is named
 * after its case; channels.expect has those that race. Of most there is a twin, `late_...', that stores when it has
 * sent. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "order.h"

static char byte; /* nobody looks at it but the kernel */
static void send_byte(int fd) { if (write(fd, "x", 1) != 1) _exit(3); }
static void receive_byte(int fd) { char in; if (read(fd, &in, 1) != 1) _exit(4); }

/* What is stored before, what behind the sending. */
#define CASE(name, send, receive)                                  \
  static int name, late_##name;                                    \
  static void name##_1(void) { name = 1; send; late_##name = 1; }  \
  static void name##_2(void) { receive; name = 2; late_##name = 2; }

static int through_pipe[2], ending[2], first_byte[2], both_bytes[2], lent[2], duplicate[2], vectors[2], peeked_at[2];
CASE(piped, send_byte(through_pipe[1]), receive_byte(through_pipe[0]))

/* The first byte has been there before. */
static int other_byte;
static void other_byte_1(void) { other_byte = 1; send_byte(first_byte[1]); }
static void other_byte_2(void) { receive_byte(first_byte[0]); other_byte = 2; }
static int second_byte;
static void second_byte_1(void) { second_byte = 1; send_byte(both_bytes[1]); }
static void second_byte_2(void) { receive_byte(both_bytes[0]); receive_byte(both_bytes[0]); second_byte = 2; }

/* The kernel has read it before the other gets it. */
static char buffer;
static void buffer_1(void) { if (write(lent[1], &buffer, 1) != 1) _exit(3); }
static void buffer_2(void) { receive_byte(lent[0]); buffer = 2; }

static int ended;
static void ended_1(void) { ended = 1; close(ending[1]); }
static void ended_2(void) { char in; if (read(ending[0], &in, 1) != 0) _exit(4); ended = 2; }

CASE(duplicated, send_byte(dup(duplicate[1])), receive_byte(fcntl(duplicate[0], F_DUPFD, 90)))

static void send_vector(int fd) {
  struct iovec parts[2] = {{(char[]){'a', 'b'}, 2}, {(char[]){'c'}, 1}};
  if (writev(fd, parts, 2) != 3) _exit(3);
}
static void receive_all(int fd) { char in[3]; if (read(fd, in, 3) != 3) _exit(4); }
CASE(gathered, send_vector(vectors[1]), receive_all(vectors[0]))

static int fifo[2];
CASE(named, send_byte(fifo[1]), receive_byte(fifo[0]))

static int streams[2], datagrams[2], message_streams[2];
CASE(paired, send_byte(streams[0]), receive_byte(streams[1]))
CASE(message, send(datagrams[0], "four", 4, 0), recv(datagrams[1], &byte, 1, 0))

static void peek(int fd) { char in; if (recv(fd, &in, 1, MSG_PEEK) != 1) _exit(4); }
CASE(peeked, send_byte(peeked_at[0]), (peek(peeked_at[1]), peek(peeked_at[1])))

static void send_message(int fd) {
  struct iovec part = {(char[]){'m'}, 1};
  struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
  if (sendmsg(fd, &m, 0) != 1) _exit(3);
}
static void receive_message(int fd) {
  char in;
  struct iovec part = {&in, 1};
  struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
  if (recvmsg(fd, &m, 0) != 1) _exit(4);
}
CASE(by_message, send_message(message_streams[0]), receive_message(message_streams[1]))

/* A descriptor that came through a socket is the same pipe. */
static int passing[2], passed_pipe[2];
static void pass(int over, int fd) {
  struct iovec part = {(char[]){'f'}, 1};
  union { char room[CMSG_SPACE(sizeof(int))]; struct cmsghdr head; } control;
  struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  memset(&control, 0, sizeof control);
  control.head = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
  memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
  if (sendmsg(over, &m, 0) != 1) _exit(3);
}
static int get_passed(int over) {
  char in;
  int fd = -1;
  struct iovec part = {&in, 1};
  union { char room[CMSG_SPACE(sizeof(int))]; struct cmsghdr head; } control;
  struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  if (recvmsg(over, &m, 0) != 1) _exit(4);
  memcpy(&fd, CMSG_DATA(&control.head), sizeof fd);
  return fd;
}
CASE(passed, (pass(passing[0], passed_pipe[0]), send_byte(passed_pipe[1])), receive_byte(get_passed(passing[1])))

static int local_listener, local_client, local_server;
CASE(connected, send_byte(local_client), receive_byte(local_server))
CASE(answered, send_byte(local_server), receive_byte(local_client))
static int net_listener, net_client, net_server;
CASE(by_net, send_byte(net_client), receive_byte(net_server))
CASE(net_answered, send_byte(net_server), receive_byte(net_client))
static int shut;
static void shut_1(void) { shut = 1; shutdown(net_client, SHUT_WR); }
static void shut_2(void) { char in; if (read(net_server, &in, 1) != 0) _exit(4); shut = 2; }

static int counter, old_counter, semaphore;
static void add(int fd) { uint64_t one = 1; if (write(fd, &one, sizeof one) != sizeof one) _exit(3); }
static void take(int fd) { uint64_t sum; if (read(fd, &sum, sizeof sum) != sizeof sum) _exit(4); }
CASE(counted, add(counter), take(counter))
CASE(posted, add(semaphore), take(semaphore))
/* What is read had been added before. */
static int not_counted;
static void not_counted_1(void) { not_counted = 1; await(0); add(old_counter); }
static void not_counted_2(void) { take(old_counter); done(0); not_counted = 2; }

/* The first of two threads tells the second, unseen, that the handler is there. */
static int handled, late_handled;
static void handler(int unused) { (void)unused; handled = 2; late_handled = 2; }
static void handled_1(void) {
  handled = 1;
  sigaction(SIGUSR1, &(struct sigaction){.sa_handler = handler}, 0);
  late_handled = 1;
  done(1);
}
static void handled_2(void) { await(1); pthread_kill(pthread_self(), SIGUSR1); }

static void connect_locally(const char *path) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  strncpy(name.sun_path, path, sizeof name.sun_path - 1);
  local_listener = socket(AF_UNIX, SOCK_STREAM, 0);
  local_client = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(local_listener, (void *)&name, sizeof name) || listen(local_listener, 1)) _exit(5);
  if (connect(local_client, (void *)&name, sizeof name)) _exit(5);
  local_server = accept(local_listener, 0, 0);
  unlink(path);
}
/* Where there is no network, not even within the machine, a pair of sockets takes its place. */
static void connect_by_net(void) {
  struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof name;
  net_listener = socket(AF_INET, SOCK_STREAM, 0);
  net_client = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(net_listener, (void *)&name, sizeof name)) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) _exit(5);
    net_client = pair[0], net_server = pair[1];
    return;
  }
  if (listen(net_listener, 1)) _exit(5);
  if (getsockname(net_listener, (void *)&name, &length) || connect(net_client, (void *)&name, length)) _exit(5);
  net_server = accept(net_listener, 0, 0);
}

int main(void) {
  prepare();
  int *const pipes[] = {through_pipe, ending, first_byte, both_bytes, lent, duplicate, vectors, passed_pipe};
  for (unsigned i = 0; i < sizeof pipes / sizeof *pipes; ++i)
    if (pipe(pipes[i])) return 2;
  send_byte(first_byte[1]);
  send_byte(both_bytes[1]);
  if (mkfifo("channels.fifo", 0600)) return 2;
  fifo[0] = open("channels.fifo", O_RDWR);
  fifo[1] = open("channels.fifo", O_WRONLY);
  unlink("channels.fifo");
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, streams) || socketpair(AF_UNIX, SOCK_DGRAM, 0, datagrams)) return 2;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, message_streams) || socketpair(AF_UNIX, SOCK_STREAM, 0, passing)) return 2;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, peeked_at)) return 2;
  connect_locally("channels.socket");
  connect_by_net();
  counter = eventfd(0, 0);
  old_counter = eventfd(1, 0);
  semaphore = eventfd(0, EFD_SEMAPHORE);
  together(piped_1, piped_2);
  together(other_byte_1, other_byte_2);
  together(second_byte_1, second_byte_2);
  together(buffer_1, buffer_2);
  together(ended_1, ended_2);
  together(duplicated_1, duplicated_2);
  together(gathered_1, gathered_2);
  together(named_1, named_2);
  together(paired_1, paired_2);
  together(message_1, message_2);
  together(peeked_1, peeked_2);
  together(by_message_1, by_message_2);
  together(passed_1, passed_2);
  together(connected_1, connected_2);
  together(answered_1, answered_2);
  together(by_net_1, by_net_2);
  together(net_answered_1, net_answered_2);
  together(shut_1, shut_2);
  together(counted_1, counted_2);
  together(posted_1, posted_2);
  together(not_counted_1, not_counted_2);
  together(handled_1, handled_2);
  return 0;
}
