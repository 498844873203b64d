/* SPDX-License-Identifier: GPL-2.0-or-later
 * Threads that hand something over by datagrams, where it takes care to know which socket gets what: sockets without a
 * name as yet, several of one name, some that are connected; and connections of sockets for packets. A variable is named
 * after its case, its twin `late_...' is stored to when something was sent; datagrams.expect has those that race. Status
 * 77 where there is no network. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "order.h"

struct place {
  struct sockaddr_storage name;
  socklen_t length;
};
static const struct sockaddr_in any_port = {.sin_family = AF_INET};
static struct sockaddr_in any_local_port;

static int made(int family, int type) {
  const int s = socket(family, type, 0);
  if (s < 0) _exit(2);
  return s;
}
static void have_name(int s, const void *name, socklen_t length) { if (bind(s, name, length)) _exit(3); }
static struct place place_of(int s) {
  struct place p = {.length = sizeof p.name};
  if (getsockname(s, (void *)&p.name, &p.length)) _exit(4);
  return p;
}
static void send_to(int s, const struct place *to) {
  if (sendto(s, "d", 1, 0, (const void *)&to->name, to->length) != 1) _exit(5);
}
static void get(int s) { char in; if (recv(s, &in, 1, 0) != 1) _exit(6); }
static struct place path(const char *text) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  struct place p = {.length = sizeof name};
  strncpy(name.sun_path, text, sizeof name.sun_path - 1);
  memcpy(&p.name, &name, sizeof name);
  unlink(text);
  return p;
}

#define CASE(name, send, receive)                                 \
  static int name, late_##name;                                   \
  static void name##_1(void) { name = 1; send; late_##name = 1; } \
  static void name##_2(void) { receive; name = 2; late_##name = 2; }

static int sender, path_sender;

/* Who waits for a datagram at a socket that is given its name meanwhile. */
static int unnamed, unnamed_path;
static struct place later_path;
static void give_name_and_send(void) {
  await(0), usleep(20000);
  have_name(unnamed, &any_local_port, sizeof any_local_port);
  const struct place p = place_of(unnamed);
  send_to(sender, &p);
}
CASE(named_late, give_name_and_send(), (done(0), get(unnamed)))
static void give_path_and_send(void) {
  await(1), usleep(20000);
  have_name(unnamed_path, &later_path.name, later_path.length);
  send_to(path_sender, &later_path);
}
CASE(path_late, give_path_and_send(), (done(1), get(unnamed_path)))

/* One that has a port since it sent: who answers may know it before the call that sent has returned. */
static int answers;
static struct place answers_at;
enum { kAskers = 50 };
static int question, answered[kAskers], late_answered;
static void answered_1(void) {
  for (int i = 0; i < kAskers; ++i) {
    const int asks = made(AF_INET, SOCK_DGRAM);
    question = 1, send_to(asks, &answers_at), get(asks), answered[i] = 1;
    close(asks);
  }
  late_answered = 1;
}
static void answered_2(void) {
  for (int i = 0; i < kAskers; ++i) {
    struct place from = {.length = sizeof from.name};
    char in;
    if (recvfrom(answers, &in, 1, 0, (void *)&from.name, &from.length) != 1) _exit(7);
    question = 2, answered[i] = 2;
    send_to(answers, &from);
  }
  late_answered = 2;
}

/* Two sockets of one port: the kernel gives a sender's datagrams to one of them, here the first. */
static int shares[2], to_first;
static struct place shared;
static void find_sender_to_first(void) {
  for (;;) {
    to_first = made(AF_INET, SOCK_DGRAM);
    send_to(to_first, &shared);
    struct pollfd both[2] = {{shares[0], POLLIN, 0}, {shares[1], POLLIN, 0}};
    poll(both, 2, -1);
    const int first = both[0].revents != 0;
    get(shares[!first]);
    if (first) return;
    close(to_first);
  }
}
CASE(of_one_port, send_to(to_first, &shared), get(shares[0]))
/* What goes to the second port's socket alone says nothing to who receives at another. */
static int elsewhere;
static struct place other_at;
static int other;
static void elsewhere_1(void) { elsewhere = 1; send_to(sender, &shared); }
static void elsewhere_2(void) { get(other), elsewhere = 2; }

/* One of a pair that has got another peer. */
static int pair[2], new_peer;
static struct place new_peer_at;
static void to_new_peer(void) { if (send(pair[0], "p", 1, 0) != 1) _exit(8); }
CASE(of_new_peer, to_new_peer(), get(new_peer))

/* Several at once, to different sockets. */
static int second;
static struct place second_at;
static void send_two(void) {
  struct iovec part = {(char[]){'m'}, 1};
  struct mmsghdr two[2] = {
      {.msg_hdr = {.msg_name = &answers_at.name, .msg_namelen = answers_at.length, .msg_iov = &part, .msg_iovlen = 1}},
      {.msg_hdr = {.msg_name = &second_at.name, .msg_namelen = second_at.length, .msg_iov = &part, .msg_iovlen = 1}}};
  if (sendmmsg(sender, two, 2, 0) != 2) _exit(9);
}
CASE(second_of_two, send_two(), get(second))
CASE(first_of_two, send_two(), get(answers))

/* The kernel has read what was sent before anybody gets it. */
static char sent;
static void sent_1(void) {
  if (sendto(to_first, &sent, 1, 0, (const void *)&shared.name, shared.length) != 1) _exit(5);
  done(2);
}
static void sent_2(void) { await(2), get(shares[0]), sent = 2; }

/* A socket in the place of one that is gone, at the same path. */
static int old_server, server;
static struct place server_at;
CASE(in_its_place, send_to(path_sender, &server_at), get(server))

/* Packets by a connection. */
static int door, caller, called;
static void send_packet(void) { if (send(caller, "p", 1, 0) != 1) _exit(10); }
CASE(packet, send_packet(), get(called))

static void prepare_sockets(void) {
  any_local_port = any_port;
  any_local_port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sender = made(AF_INET, SOCK_DGRAM), path_sender = made(AF_UNIX, SOCK_DGRAM);
  unnamed = made(AF_INET, SOCK_DGRAM), unnamed_path = made(AF_UNIX, SOCK_DGRAM);
  later_path = path("datagrams.later");
  answers = made(AF_INET, SOCK_DGRAM);
  if (bind(answers, (void *)&any_local_port, sizeof any_local_port)) _exit(77);
  answers_at = place_of(answers);
  second = made(AF_INET, SOCK_DGRAM), other = made(AF_INET, SOCK_DGRAM);
  have_name(second, &any_local_port, sizeof any_local_port), have_name(other, &any_local_port, sizeof any_local_port);
  second_at = place_of(second), other_at = place_of(other);
  send_to(sender, &other_at);
  const int yes = 1;
  for (int i = 0; i < 2; ++i) {
    shares[i] = made(AF_INET, SOCK_DGRAM);
    if (setsockopt(shares[i], SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes)) _exit(77);
    if (i == 0)
      have_name(shares[i], &any_local_port, sizeof any_local_port), shared = place_of(shares[i]);
    else
      have_name(shares[i], &shared.name, shared.length);
  }
  find_sender_to_first();
}
static void prepare_pairs(void) {
  new_peer_at = path("datagrams.peer");
  new_peer = made(AF_UNIX, SOCK_DGRAM);
  have_name(new_peer, &new_peer_at.name, new_peer_at.length);
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair)) _exit(2);
  if (connect(pair[0], (void *)&new_peer_at.name, new_peer_at.length)) _exit(11);
  server_at = path("datagrams.server");
  old_server = made(AF_UNIX, SOCK_DGRAM), server = made(AF_UNIX, SOCK_DGRAM);
  have_name(old_server, &server_at.name, server_at.length);
  close(old_server), unlink("datagrams.server");
  have_name(server, &server_at.name, server_at.length);
  const struct place door_at = path("datagrams.door");
  door = made(AF_UNIX, SOCK_SEQPACKET), caller = made(AF_UNIX, SOCK_SEQPACKET);
  have_name(door, &door_at.name, door_at.length);
  if (listen(door, 1) || connect(caller, (const void *)&door_at.name, door_at.length)) _exit(12);
  called = accept(door, 0, 0);
}

int main(void) {
  prepare();
  prepare_sockets();
  prepare_pairs();
  together(named_late_1, named_late_2);
  together(path_late_1, path_late_2);
  together(answered_1, answered_2);
  together(of_one_port_1, of_one_port_2);
  together(elsewhere_1, elsewhere_2);
  together(of_new_peer_1, of_new_peer_2);
  together(second_of_two_1, second_of_two_2);
  get(answers);
  together(first_of_two_1, first_of_two_2);
  together(sent_1, sent_2);
  together(in_its_place_1, in_its_place_2);
  together(packet_1, packet_2);
  const char *const paths[] = {"datagrams.later", "datagrams.peer", "datagrams.server", "datagrams.door"};
  for (unsigned i = 0; i < sizeof paths / sizeof *paths; ++i) unlink(paths[i]);
  return 0;
}
