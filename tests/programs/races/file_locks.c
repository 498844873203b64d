/* SPDX-License-Identifier: GPL-2.0-or-later
 * Threads that lock a file, one after the other: whole (flock), or bytes of it (fcntl). What is in order is so by the
 * lock alone. A variable is named after its case; file_locks.expect has those that race. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "order.h"

static int one, two, copied, copy, half_closed, half_copy, kept, kept_copy, replaced, other_file, unlocked, to_close;
static int any_of_file;

static int open_file(void) {
  const int fd = open("file_locks.file", O_RDWR | O_CREAT, 0600);
  if (fd < 0) _exit(2);
  return fd;
}
static void whole(int fd, int how) { if (flock(fd, how)) _exit(3); }
static void set(int fd, int command, short kind, int begin, int length, short from) {
  struct flock l = {.l_type = kind, .l_whence = from, .l_start = begin, .l_len = length};
  if (fcntl(fd, command, &l)) _exit(4);
}
static void bytes(int fd, short kind, int begin, int length) { set(fd, F_OFD_SETLKW, kind, begin, length, SEEK_SET); }
static void process_bytes(int fd, short kind) { set(fd, F_SETLKW, kind, 0, 0, SEEK_SET); }

/* The first thread stores and does `give'; the second does `take' and stores. */
#define CASE(name, give, take)                  \
  static int name;                              \
  static void name##_1(void) { name = 1; give; } \
  static void name##_2(void) { take; name = 2; }

/* --- flock --- */
/* An exclusive lock that becomes a shared one lets others in that share it, */
CASE(lowered, (whole(one, LOCK_EX), whole(one, LOCK_SH)), whole(two, LOCK_SH))
/* but says nothing of what is done under the shared one. */
static int under_shared;
static void under_shared_1(void) { whole(one, LOCK_EX), whole(one, LOCK_SH), under_shared = 1, whole(one, LOCK_UN); }
static void under_shared_2(void) { whole(two, LOCK_SH), under_shared = 2, whole(two, LOCK_UN); }
/* Who wants it alone comes behind these, also by making a shared lock an exclusive one, */
CASE(raised, (whole(one, LOCK_SH), whole(one, LOCK_UN)), (whole(two, LOCK_SH), whole(two, LOCK_EX)))
/* and not if it does not. */
CASE(not_raised, (whole(one, LOCK_SH), whole(one, LOCK_UN)), (whole(two, LOCK_SH), whole(two, LOCK_SH)))
/* One that becomes exclusive is given up first, even if there is no other to be got. */
static void fail_to_raise(int fd) { if (!flock(fd, LOCK_EX | LOCK_NB)) _exit(5); }
static int lost, late_lost;
static void lost_1(void) {
  whole(one, LOCK_SH), lost = 1;
  await(0), fail_to_raise(one), late_lost = 1, done(1);
}
static void lost_2(void) {
  whole(two, LOCK_SH), done(0), await(1);
  whole(two, LOCK_EX), lost = 2, late_lost = 2;
}
/* One description: nobody is kept out. */
CASE(of_one, (whole(one, LOCK_EX), whole(one, LOCK_UN)), (whole(one, LOCK_EX), whole(one, LOCK_UN)))
/* Nothing was locked. */
CASE(never_locked, whole(one, LOCK_UN), whole(two, LOCK_EX))

/* --- copies of a descriptor --- */
/* The last to be closed gives the lock back, */
CASE(closed_last, (whole(copied, LOCK_EX), close(copied), close(copy)), whole(two, LOCK_EX))
/* not the first; the lock is had by nobody else until then. */
static int closed_first;
static void closed_first_1(void) {
  whole(half_copy, LOCK_EX), close(half_closed), closed_first = 1, whole(half_copy, LOCK_UN);
}
static void closed_first_2(void) { whole(two, LOCK_EX), closed_first = 2, whole(two, LOCK_UN); }
static int closed_one;
static void closed_one_1(void) { closed_one = 1, close(unlocked); }
static void closed_one_2(void) { whole(two, LOCK_EX), closed_one = 2, whole(two, LOCK_UN); }
/* A copy unlocks, too. */
CASE(by_copy, (whole(kept, LOCK_EX), whole(kept_copy, LOCK_UN)), (whole(two, LOCK_EX), whole(two, LOCK_UN)))
/* What takes a descriptor's place closes it. */
CASE(replaced_by, (whole(replaced, LOCK_EX), dup2(other_file, replaced)), (whole(two, LOCK_EX), whole(two, LOCK_UN)))

/* --- bytes --- */
/* Some are given back; the close gives the others. */
CASE(some_given, (bytes(one, F_WRLCK, 0, 20), bytes(one, F_UNLCK, 0, 10)), bytes(two, F_WRLCK, 0, 10))
static int others_given, late_others_given;
static void others_given_1(void) {
  bytes(to_close, F_WRLCK, 100, 20);
  bytes(to_close, F_UNLCK, 100, 10);
  others_given = 1;
  close(to_close);
  late_others_given = 1;
}
static void others_given_2(void) { bytes(two, F_WRLCK, 110, 5), others_given = 2, late_others_given = 2; }
/* Of bytes that nobody asks for nothing is known. */
CASE(other_bytes, (bytes(one, F_WRLCK, 200, 10), bytes(one, F_UNLCK, 200, 10)), bytes(two, F_WRLCK, 210, 10))
/* Neighbours that were locked one by one are given back at once, or one in three parts. */
CASE(joined, (bytes(one, F_WRLCK, 300, 5), bytes(one, F_WRLCK, 305, 5), bytes(one, F_UNLCK, 300, 10)),
     bytes(two, F_WRLCK, 307, 1))
CASE(split, (bytes(one, F_WRLCK, 400, 9), bytes(one, F_UNLCK, 403, 3), bytes(one, F_UNLCK, 400, 9)),
     bytes(two, F_RDLCK, 408, 1))
static int not_split_off;
static void not_split_off_1(void) {
  bytes(one, F_WRLCK, 500, 9);
  bytes(one, F_UNLCK, 503, 3);
  not_split_off = 1;
  bytes(one, F_UNLCK, 500, 9);
}
static void not_split_off_2(void) { bytes(two, F_WRLCK, 503, 3), not_split_off = 2, bytes(two, F_UNLCK, 503, 3); }
/* Part of an exclusive lock becomes a shared one. */
CASE(part_lowered, (bytes(one, F_WRLCK, 600, 9), bytes(one, F_RDLCK, 600, 3)), bytes(two, F_RDLCK, 602, 1))
/* Those who share are not kept apart. */
CASE(both_share, (bytes(one, F_RDLCK, 700, 9), bytes(one, F_UNLCK, 700, 9)), bytes(two, F_RDLCK, 700, 9))
/* From the end of the file, and backwards. */
CASE(from_end, (set(one, F_OFD_SETLKW, F_WRLCK, -10, 5, SEEK_END), set(one, F_OFD_SETLKW, F_UNLCK, -5, -5, SEEK_END)),
     bytes(two, F_WRLCK, 994, 1))
/* Many parts, many owners: still in order. */
static void part_by_part(int fd) {
  bytes(fd, F_WRLCK, 0, 0);
  for (int i = 0; i < 100; ++i) bytes(fd, F_UNLCK, 2 * i, 1);
}
CASE(in_parts, part_by_part(one), bytes(two, F_WRLCK, 190, 1))
static void by_new_owner(void) {
  const int fd = open_file();
  whole(fd, LOCK_EX), whole(fd, LOCK_UN), close(fd);
}
static int by_many;
static void by_many_1(void) {
  for (int i = 0; i < 20; ++i) by_new_owner();
  by_many = 1, by_new_owner();
}
static void by_many_2(void) { whole(two, LOCK_SH), by_many = 2; }
/* flock and fcntl do not know of each other. */
CASE(two_kinds, (whole(one, LOCK_EX), whole(one, LOCK_UN)), bytes(two, F_WRLCK, 0, 0))

/* --- the process's --- */
/* Its threads have them all at once. */
CASE(process_only, (process_bytes(one, F_WRLCK), process_bytes(one, F_UNLCK)), process_bytes(two, F_WRLCK))
/* They keep a description out, */
CASE(process_given, (process_bytes(one, F_WRLCK), process_bytes(one, F_UNLCK)), bytes(two, F_WRLCK, 0, 0))
CASE(process_taken, (bytes(one, F_WRLCK, 0, 0), bytes(one, F_UNLCK, 0, 0)), process_bytes(two, F_WRLCK))
/* until any descriptor of the file is closed. */
static int process_closed, late_process_closed;
static void process_closed_1(void) {
  process_bytes(one, F_WRLCK), process_closed = 1, close(any_of_file), late_process_closed = 1;
}
static void process_closed_2(void) {
  bytes(two, F_WRLCK, 0, 0), process_closed = 2, late_process_closed = 2;
}

static void start_again(void) {
  close(one), close(two);
  one = open_file(), two = open_file();
}
#define RUN(name) (start_again(), in_turn(name##_1, name##_2))

int main(void) {
  prepare();
  one = open_file(), two = open_file();
  if (ftruncate(one, 1000)) return 2;
  copied = open_file(), copy = dup(copied);
  half_closed = open_file(), half_copy = fcntl(half_closed, F_DUPFD, 50);
  kept = open_file(), kept_copy = dup(kept);
  replaced = open_file(), other_file = open("/dev/null", O_RDONLY);
  unlocked = open_file(), to_close = open_file(), any_of_file = open_file();
  RUN(lowered);
  RUN(under_shared);
  RUN(raised);
  RUN(not_raised);
  start_again();
  together(lost_1, lost_2);
  RUN(of_one);
  RUN(never_locked);
  RUN(closed_last);
  RUN(closed_first);
  RUN(closed_one);
  RUN(by_copy);
  RUN(replaced_by);
  RUN(some_given);
  RUN(others_given);
  RUN(other_bytes);
  RUN(joined);
  RUN(split);
  RUN(not_split_off);
  RUN(part_lowered);
  RUN(both_share);
  RUN(from_end);
  RUN(in_parts);
  RUN(by_many);
  RUN(two_kinds);
  RUN(process_only);
  RUN(process_given);
  RUN(process_taken);
  RUN(process_closed);
  unlink("file_locks.file");
  return 0;
}
