/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wrappers of the functions on threads. C11's thrd_* and std::thread come through these. */
#include "cdrgrind/preload/operation.h"

PTHREAD_2(join, THREAD_JOIN);
PTHREAD_2(tryjoinZunp, THREAD_JOIN);
PTHREAD_3(timedjoinZunp, THREAD_JOIN);
PTHREAD_4(clockjoinZunp, THREAD_JOIN);
PTHREAD_1(detach, THREAD_DETACH);
PTHREAD_1(cancel, THREAD_CANCEL);

/* The object, the pthread_t, is known when the thread has been made. */
static int wrap_create(Word* thread, Word attributes, Word routine, Word argument) {
  OrigFn fn = original();
  Operation operation = {0, CDR_SYNC_THREAD_CREATE, 0, 0};
  Word r;
  UNWOUND_BY(cdr_sync_unwound);
  enter(&operation, 0);
  CALL_FN_W_WWWW(r, fn, thread, attributes, routine, argument);
  if ((int)r == 0) operation.object = *thread;
  leave(&operation, 0, (int)r);
  return (int)r;
}
NAMES(wrap_create, pthreadZucreate);

/* Never leaves: the thread's end closes it. Its frame is unwound, and says nothing. */
static void wrap_exit(Word value) {
  OrigFn fn = original();
  VALGRIND_DO_CLIENT_REQUEST_STMT(CDR_REQ_SYNC_ENTER, CDR_SYNC_THREAD_EXIT, 0, 0, 0, 0);
  CALL_FN_v_W(fn, value);
}
NAMES(wrap_exit, pthreadZuexit);
