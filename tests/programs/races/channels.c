/* SPDX-License-Identifier: GPL-2.0-or-later
 * Threads that hand something over through the kernel: pipes, sockets, eventfds, epolls, connections, signals and their
 * actions, semaphores of System V, queues of messages, datagrams, locks of files. A variable is named
 * after its case; channels.expect has those that race. Of most there is a twin, `late_...', that stores when it has
 * sent. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
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

/* What an epoll is told to watch, its waiters know. */
static int adding, changing, other_epoll, old_epoll, quiet_epoll, full[2], silent[2];
static void watch(int epoll, int how, int fd, int events) {
  struct epoll_event e = {.events = (unsigned)events, .data.fd = fd};
  if (epoll_ctl(epoll, how, fd, &e)) _exit(3);
}
static void wait_for_event(int epoll) { struct epoll_event e; if (epoll_wait(epoll, &e, 1, -1) != 1) _exit(4); }
CASE(added, watch(adding, EPOLL_CTL_ADD, full[0], EPOLLIN), wait_for_event(adding))
CASE(changed, watch(changing, EPOLL_CTL_MOD, full[0], EPOLLIN), wait_for_event(changing))
static int elsewhere;
static void elsewhere_1(void) { elsewhere = 1; watch(other_epoll, EPOLL_CTL_ADD, full[0], EPOLLIN); }
static void elsewhere_2(void) { wait_for_event(old_epoll); elsewhere = 2; }
static int no_event;
static void no_event_1(void) { no_event = 1; watch(quiet_epoll, EPOLL_CTL_ADD, silent[0], EPOLLIN); done(2); }
static void no_event_2(void) {
  struct epoll_event e;
  await(2);
  if (epoll_wait(quiet_epoll, &e, 1, 0)) _exit(4);
  no_event = 2;
}

/* Of a byte that is seen, and left there. */
static int to_poll[2], to_select[2], to_epoll[2], polled_before[2], closed_unread[2], seeing;
static void wait_for_poll(int fd) { struct pollfd p = {fd, POLLIN, 0}; if (poll(&p, 1, -1) != 1) _exit(4); }
static void wait_for_select(int fd) {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(fd, &set);
  if (select(fd + 1, &set, 0, 0, 0) != 1) _exit(4);
}
CASE(polled, send_byte(to_poll[1]), wait_for_poll(to_poll[0]))
CASE(selected, send_byte(to_select[1]), wait_for_select(to_select[0]))
CASE(seen, send_byte(to_epoll[1]), wait_for_event(seeing))
static int hung_up;
static void hung_up_1(void) { hung_up = 1; close(closed_unread[1]); }
static void hung_up_2(void) { wait_for_poll(closed_unread[0]); hung_up = 2; }
static int other_polled;
static void other_polled_1(void) { other_polled = 1; send_byte(polled_before[1]); }
static void other_polled_2(void) { wait_for_poll(polled_before[0]); other_polled = 2; }

/* Who connects, before who accepts. */
struct door { int listener; socklen_t length; union { struct sockaddr_un local; struct sockaddr_in net; } name; };
static struct door local_door, any_door, other_door, old_door;
static void open_local(struct door *d, const char *path) {
  d->name.local = (struct sockaddr_un){.sun_family = AF_UNIX};
  strncpy(d->name.local.sun_path, path, sizeof d->name.local.sun_path - 1);
  d->length = sizeof d->name.local;
  unlink(path);
  d->listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(d->listener, (void *)&d->name, d->length) || listen(d->listener, 1)) _exit(5);
}
/* At all addresses, and told of one. */
static void open_any(struct door *d) {
  d->name.net = (struct sockaddr_in){.sin_family = AF_INET};
  d->length = sizeof d->name.net;
  d->listener = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(d->listener, (void *)&d->name, d->length)) return open_local(d, "channels.any");
  if (listen(d->listener, 1) || getsockname(d->listener, (void *)&d->name, &d->length)) _exit(5);
  d->name.net.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
}
static void knock(struct door *d) {
  if (connect(socket(d->name.local.sun_family, SOCK_STREAM, 0), (void *)&d->name, d->length)) _exit(3);
}
static void let_in(struct door *d) { if (accept(d->listener, 0, 0) < 0) _exit(4); }
CASE(let_in_locally, knock(&local_door), let_in(&local_door))
CASE(let_in_by_net, knock(&any_door), let_in(&any_door))
static int other_way;
static void other_way_1(void) { other_way = 1; knock(&other_door); }
static void other_way_2(void) { let_in(&old_door); other_way = 2; }

/* Who sends a signal, before who awaits it, reads of it, or handles it; main has blocked all. */
static int signals_read, of_old_signal;
enum { kAwaited, kOther, kOld, kRead };
static sigset_t only(int number) { sigset_t set; sigemptyset(&set); sigaddset(&set, SIGRTMIN + number); return set; }
static void raise_it(int number) { if (kill(getpid(), SIGRTMIN + number)) _exit(3); }
static void await_it(int number) { sigset_t set = only(number); if (sigwaitinfo(&set, 0) < 0) _exit(4); }
static void read_it(int fd) { struct signalfd_siginfo s; if (read(fd, &s, sizeof s) != sizeof s) _exit(4); }
CASE(awaited, raise_it(kAwaited), await_it(kAwaited))
CASE(read_of, raise_it(kRead), read_it(signals_read))
static void of_old_signal_1(void) { of_old_signal = 1; raise_it(kOther); }
static void of_old_signal_2(void) { await_it(kOld); of_old_signal = 2; }

static int signalled, late_signalled;
static pthread_t to_signal; /* is there in hide regions alone */
static void on_signal(int unused) { (void)unused; signalled = 2; late_signalled = 2; }
static void signalled_1(void) {
  signalled = 1;
  await(3);
  CDRGRIND_HIDE_BEGIN;
  pthread_t to = to_signal;
  CDRGRIND_HIDE_END;
  pthread_kill(to, SIGUSR2);
  late_signalled = 1;
}
static void signalled_2(void) {
  sigset_t others;
  sigfillset(&others);
  sigdelset(&others, SIGUSR2);
  CDRGRIND_HIDE_BEGIN;
  to_signal = pthread_self();
  CDRGRIND_HIDE_END;
  done(3);
  sigsuspend(&others);
}

/* Who adds to a semaphore, before who takes of it. */
static int units, of_other_unit;
static void change(int semaphore, int by) {
  struct sembuf s = {(unsigned short)semaphore, (short)by, 0};
  if (semop(units, &s, 1)) _exit(3);
}
CASE(taken, change(0, 1), change(0, -1))
static void of_other_unit_1(void) { of_other_unit = 1; change(1, 1); }
static void of_other_unit_2(void) { change(2, -1); of_other_unit = 2; }

/* Queues of messages: System V's and POSIX', for which a pipe stands in where the system has none. */
static int queue, full_queue;
static void put(int to) { struct { long kind; char text; } m = {1, 'q'}; if (msgsnd(to, &m, 1, 0)) _exit(3); }
static void get(int from) { struct { long kind; char text; } m; if (msgrcv(from, &m, 1, 0, 0) != 1) _exit(4); }
CASE(queued, put(queue), get(queue))
static int other_queue;
static void other_queue_1(void) { other_queue = 1; put(queue); }
static void other_queue_2(void) { get(full_queue); other_queue = 2; }

static mqd_t mail = -1;
static int no_mail[2];
static void mail_one(void) {
  if (mail < 0) return send_byte(no_mail[1]);
  if (mq_send(mail, "m", 1, 0)) _exit(3);
}
static void get_mail(void) {
  char in[64];
  if (mail < 0) return receive_byte(no_mail[0]);
  if (mq_receive(mail, in, sizeof in, 0) != 1) _exit(4);
}
CASE(mailed, mail_one(), get_mail())

/* Datagrams: to an address, to that of the peer, to a path, back to where one came from. */
struct place {
  int socket;
  struct sockaddr_storage name;
  socklen_t length;
};
static struct place by_port, full_port, by_path;
static int sender, connected_sender, asks;
static void send_to(const struct place *to) {
  if (sendto(sender, "d", 1, 0, (const void *)&to->name, to->length) != 1) _exit(3);
}
static void receive_at(const struct place *at) { if (recv(at->socket, &byte, 1, 0) != 1) _exit(4); }
CASE(sent_to, send_to(&by_port), receive_at(&by_port))
CASE(sent_on, send_byte(connected_sender), receive_at(&by_port))
static int path_sender;
static void send_to_path(void) {
  if (sendto(path_sender, "p", 1, 0, (const void *)&by_path.name, by_path.length) != 1) _exit(3);
}
CASE(sent_to_path, send_to_path(), receive_message(by_path.socket))
static void ask(void) {
  if (sendto(asks, "?", 1, 0, (const void *)&by_port.name, by_port.length) != 1) _exit(3);
  if (recv(asks, &byte, 1, 0) != 1) _exit(4);
}
static void say(void) {
  struct place from = {.length = sizeof from.name};
  char in;
  if (recvfrom(by_port.socket, &in, 1, 0, (void *)&from.name, &from.length) != 1) _exit(4);
  struct iovec part = {(char[]){'!'}, 1};
  struct msghdr m = {.msg_name = &from.name, .msg_namelen = from.length, .msg_iov = &part, .msg_iovlen = 1};
  if (sendmsg(by_port.socket, &m, 0) != 1) _exit(3);
}
static int said, late_said;
static void said_1(void) { said = 1; say(); late_said = 1; }
static void said_2(void) { ask(); said = 2; late_said = 2; }
static int other_port;
static void other_port_1(void) { other_port = 1; send_to(&by_port); }
static void other_port_2(void) { receive_at(&full_port); other_port = 2; }

/* Locks of a file, one after the other, of two descriptions. */
static int file[2], closed_file, other_file;
static void lock_bytes(int fd, short kind) {
  struct flock l = {.l_type = kind, .l_whence = SEEK_SET};
  if (fcntl(fd, F_OFD_SETLKW, &l)) _exit(6);
}
static void lock_whole(int fd, int how) { if (flock(fd, how)) _exit(6); }
#define LOCKED(name, lock, unlock, lock_again)                           \
  static int name, late_##name;                                          \
  static void name##_1(void) { lock; name = 1; unlock; late_##name = 1; } \
  static void name##_2(void) { lock_again; name = 2; late_##name = 2; }
LOCKED(bytes_locked, lock_bytes(file[0], F_WRLCK), lock_bytes(file[0], F_UNLCK),
       (lock_bytes(file[1], F_RDLCK), lock_bytes(file[1], F_UNLCK)))
LOCKED(whole_locked, lock_whole(file[0], LOCK_EX), lock_whole(file[0], LOCK_UN),
       (lock_whole(file[1], LOCK_SH), lock_whole(file[1], LOCK_UN)))
LOCKED(closed_locked, lock_whole(closed_file, LOCK_EX), close(closed_file), lock_whole(file[1], LOCK_EX))
static int other_lock;
static void other_lock_1(void) { lock_bytes(file[0], F_WRLCK); other_lock = 1; lock_bytes(file[0], F_UNLCK); }
static void other_lock_2(void) { lock_bytes(other_file, F_WRLCK); other_lock = 2; }

static void prepare_queues(void) {
  struct mq_attr few = {.mq_maxmsg = 2, .mq_msgsize = 64};
  queue = msgget(IPC_PRIVATE, 0600);
  full_queue = msgget(IPC_PRIVATE, 0600);
  if (queue < 0 || full_queue < 0 || pipe(no_mail)) _exit(2);
  put(full_queue);
  mail = mq_open("/cdrgrind-channels", O_RDWR | O_CREAT, 0600, &few);
  if (mail >= 0) mq_unlink("/cdrgrind-channels");
}
static void prepare_locks(void) {
  for (int i = 0; i < 2; ++i) file[i] = open("channels.lock", O_RDWR | O_CREAT, 0600);
  closed_file = open("channels.lock", O_RDWR);
  other_file = open("channels.other_lock", O_RDWR | O_CREAT, 0600);
  unlink("channels.lock");
  unlink("channels.other_lock");
}
/* Where there is no network paths stand in. */
static void open_place(struct place *p, int net, const char *path) {
  p->socket = socket(net ? AF_INET : AF_UNIX, SOCK_DGRAM, 0);
  if (net) {
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    p->length = sizeof name;
    if (!bind(p->socket, (void *)&name, sizeof name)) {
      if (getsockname(p->socket, (void *)&p->name, &p->length)) _exit(5);
      return;
    }
    close(p->socket);
    p->socket = socket(AF_UNIX, SOCK_DGRAM, 0);
  }
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  strncpy(name.sun_path, path, sizeof name.sun_path - 1);
  unlink(path);
  p->length = sizeof name;
  memcpy(&p->name, &name, sizeof name);
  if (bind(p->socket, (void *)&name, sizeof name)) _exit(5);
}
static void prepare_places(void) {
  struct place asker;
  open_place(&by_port, 1, "channels.port");
  open_place(&full_port, 1, "channels.full_port");
  open_place(&by_path, 0, "channels.path");
  open_place(&asker, 1, "channels.asker");
  const int family = by_port.name.ss_family;
  asks = asker.socket;
  sender = socket(family, SOCK_DGRAM, 0);
  path_sender = socket(AF_UNIX, SOCK_DGRAM, 0);
  connected_sender = socket(family, SOCK_DGRAM, 0);
  if (connect(connected_sender, (const void *)&by_port.name, by_port.length)) _exit(5);
  send_to(&full_port);
}

static void prepare_to_wait(void) {
  int *const pipes[] = {full, silent, to_poll, to_select, to_epoll, polled_before, closed_unread};
  for (unsigned i = 0; i < sizeof pipes / sizeof *pipes; ++i)
    if (pipe(pipes[i])) _exit(2);
  send_byte(full[1]);
  send_byte(polled_before[1]);
  int *const epolls[] = {&adding, &changing, &other_epoll, &old_epoll, &quiet_epoll, &seeing};
  for (unsigned i = 0; i < sizeof epolls / sizeof *epolls; ++i) *epolls[i] = epoll_create1(0);
  watch(changing, EPOLL_CTL_ADD, full[0], 0);
  watch(old_epoll, EPOLL_CTL_ADD, full[0], EPOLLIN);
  watch(seeing, EPOLL_CTL_ADD, to_epoll[0], EPOLLIN);
}
static void prepare_doors(void) {
  open_local(&local_door, "channels.local");
  open_local(&other_door, "channels.other");
  open_local(&old_door, "channels.old");
  open_any(&any_door);
  knock(&old_door);
}
static void prepare_signals(void) {
  sigset_t all, read = only(kRead);
  sigfillset(&all);
  sigaction(SIGUSR2, &(struct sigaction){.sa_handler = on_signal}, 0);
  sigprocmask(SIG_BLOCK, &all, 0);
  signals_read = signalfd(-1, &read, 0);
  raise_it(kOld);
}
static void prepare_units(void) {
  units = semget(IPC_PRIVATE, 3, 0600);
  if (units < 0) _exit(2);
  change(2, 1);
}

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
  prepare_to_wait();
  together(added_1, added_2);
  together(changed_1, changed_2);
  together(elsewhere_1, elsewhere_2);
  together(no_event_1, no_event_2);
  together(polled_1, polled_2);
  together(selected_1, selected_2);
  together(seen_1, seen_2);
  together(hung_up_1, hung_up_2);
  together(other_polled_1, other_polled_2);
  prepare_doors();
  together(let_in_locally_1, let_in_locally_2);
  together(let_in_by_net_1, let_in_by_net_2);
  together(other_way_1, other_way_2);
  prepare_signals();
  together(awaited_1, awaited_2);
  together(read_of_1, read_of_2);
  together(of_old_signal_1, of_old_signal_2);
  together(signalled_1, signalled_2);
  prepare_units();
  together(taken_1, taken_2);
  together(of_other_unit_1, of_other_unit_2);
  semctl(units, 0, IPC_RMID);
  prepare_queues();
  together(queued_1, queued_2);
  together(other_queue_1, other_queue_2);
  together(mailed_1, mailed_2);
  msgctl(queue, IPC_RMID, 0);
  msgctl(full_queue, IPC_RMID, 0);
  prepare_places();
  together(sent_to_1, sent_to_2);
  together(sent_on_1, sent_on_2);
  together(sent_to_path_1, sent_to_path_2);
  together(said_1, said_2);
  together(other_port_1, other_port_2);
  const char *const paths[] = {"channels.port", "channels.full_port", "channels.path", "channels.asker"};
  for (unsigned i = 0; i < sizeof paths / sizeof *paths; ++i) unlink(paths[i]);
  prepare_locks();
  in_turn(bytes_locked_1, bytes_locked_2);
  in_turn(whole_locked_1, whole_locked_2);
  in_turn(closed_locked_1, closed_locked_2);
  in_turn(other_lock_1, other_lock_2);
  return 0;
}
