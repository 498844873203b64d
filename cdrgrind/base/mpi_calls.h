/* SPDX-License-Identifier: GPL-2.0-or-later
 * The functions of MPI that are recorded, and how a call's arguments and results stand in the trace (docs/mpi.md).
 * Plain C, shared by the preload and the rest.
 *
 * Invariant: numbers and keys are part of the trace format. */
#ifndef CDRGRIND_BASE_MPI_CALLS_H
#define CDRGRIND_BASE_MPI_CALLS_H

/* X(number, name, its Fortran name without underscore, kind, parameters)
 *
 * A letter for each parameter:
 *   b n t   send buffer (or the only one), count, type     B N T   receive buffer, count, type
 *   v       an array of counts, one for each rank          p g     peer and tag         P G   of the receiving half
 *   r       root       c     communicator                  C       new communicator     F     one that is given up
 *   D       new communicator that is a copy, complete only with the request
 *   q       new request                                    Q       one request          m M   their number, an array
 *   i f     index that completed, flag                     o I     how many completed, which
 *   s S     status, an array of them                       x X     message, new message
 *   w W V   window, new window, one that is given up       -       anything else */
#define CDR_MPI_CALLS(X)                                                                     \
  X(1, Init, init, INIT, "--")                                                               \
  X(2, Init_thread, init_thread, INIT, "----")                                               \
  X(3, Finalize, finalize, FINALIZE, "")                                                     \
  X(4, Abort, abort, ABORT, "c-")                                                            \
  X(10, Send, send, SEND, "bntpgc")                                                          \
  X(11, Bsend, bsend, SEND, "bntpgc")                                                        \
  X(12, Ssend, ssend, SYNC_SEND, "bntpgc")                                                   \
  X(13, Rsend, rsend, SEND, "bntpgc")                                                        \
  X(14, Recv, recv, RECEIVE, "bntpgcs")                                                      \
  X(15, Sendrecv, sendrecv, SEND_RECEIVE, "bntpgBNTPGcs")                                    \
  X(16, Sendrecv_replace, sendrecv_replace, SEND_RECEIVE, "bntpgPGcs")                       \
  X(17, Isend, isend, SEND, "bntpgcq")                                                       \
  X(18, Ibsend, ibsend, SEND, "bntpgcq")                                                     \
  X(19, Issend, issend, SYNC_SEND, "bntpgcq")                                                \
  X(20, Irsend, irsend, SEND, "bntpgcq")                                                     \
  X(21, Irecv, irecv, RECEIVE, "bntpgcq")                                                    \
  X(22, Send_init, send_init, SEND, "bntpgcq")                                               \
  X(23, Bsend_init, bsend_init, SEND, "bntpgcq")                                             \
  X(24, Ssend_init, ssend_init, SYNC_SEND, "bntpgcq")                                        \
  X(25, Rsend_init, rsend_init, SEND, "bntpgcq")                                             \
  X(26, Recv_init, recv_init, RECEIVE, "bntpgcq")                                            \
  X(27, Start, start, START, "Q")                                                            \
  X(28, Startall, startall, START, "mM")                                                     \
  X(29, Probe, probe, PROBE, "pgcs")                                                         \
  X(30, Iprobe, iprobe, PROBE, "pgcfs")                                                      \
  X(31, Mprobe, mprobe, MATCHED_PROBE, "pgcXs")                                              \
  X(32, Improbe, improbe, MATCHED_PROBE, "pgcfXs")                                           \
  X(33, Mrecv, mrecv, MATCHED_RECEIVE, "bntxs")                                              \
  X(34, Imrecv, imrecv, MATCHED_RECEIVE, "bntxq")                                            \
  X(40, Wait, wait, WAIT, "Qs")                                                              \
  X(41, Waitall, waitall, WAIT, "mMS")                                                       \
  X(42, Waitany, waitany, WAIT, "mMis")                                                      \
  X(43, Waitsome, waitsome, WAIT, "mMoIS")                                                   \
  X(44, Test, test, TEST, "Qfs")                                                             \
  X(45, Testall, testall, TEST, "mMfS")                                                      \
  X(46, Testany, testany, TEST, "mMifs")                                                     \
  X(47, Testsome, testsome, TEST, "mMoIS")                                                   \
  X(48, Request_free, request_free, REQUEST_FREE, "Q")                                       \
  X(49, Cancel, cancel, CANCEL, "Q")                                                         \
  X(50, Barrier, barrier, COLLECTIVE, "c")                                                   \
  X(51, Bcast, bcast, FROM_ROOT, "bntrc")                                                    \
  X(52, Reduce, reduce, TO_ROOT, "bBnt-rc")                                                  \
  X(53, Allreduce, allreduce, COLLECTIVE, "bBnt-c")                                          \
  X(54, Gather, gather, TO_ROOT, "bntBNTrc")                                                 \
  X(55, Gatherv, gatherv, TO_ROOT, "bntB---rc")                                              \
  X(56, Scatter, scatter, FROM_ROOT, "bntBNTrc")                                             \
  X(57, Scatterv, scatterv, FROM_ROOT, "----BNTrc")                                          \
  X(58, Allgather, allgather, COLLECTIVE, "bntBNTc")                                         \
  X(59, Allgatherv, allgatherv, COLLECTIVE, "bntB---c")                                      \
  X(60, Alltoall, alltoall, COLLECTIVE, "bntBNTc")                                           \
  X(61, Alltoallv, alltoallv, COLLECTIVE, "bv-tB---c")                                       \
  X(62, Alltoallw, alltoallw, COLLECTIVE, "b---B---c")                                       \
  X(63, Reduce_scatter, reduce_scatter, COLLECTIVE, "-Bvt-c")                                \
  X(64, Reduce_scatter_block, reduce_scatter_block, COLLECTIVE, "-Bnt-c")                    \
  X(65, Scan, scan, PREFIX, "-Bnt-c")                                                        \
  X(66, Exscan, exscan, PREFIX, "-Bnt-c")                                                    \
  X(70, Ibarrier, ibarrier, COLLECTIVE, "cq")                                                \
  X(71, Ibcast, ibcast, FROM_ROOT, "bntrcq")                                                 \
  X(72, Ireduce, ireduce, TO_ROOT, "-Bnt-rcq")                                               \
  X(73, Iallreduce, iallreduce, COLLECTIVE, "-Bnt-cq")                                       \
  X(74, Igather, igather, TO_ROOT, "bntBNTrcq")                                              \
  X(75, Igatherv, igatherv, TO_ROOT, "bntB---rcq")                                           \
  X(76, Iscatter, iscatter, FROM_ROOT, "bntBNTrcq")                                          \
  X(77, Iscatterv, iscatterv, FROM_ROOT, "----BNTrcq")                                       \
  X(78, Iallgather, iallgather, COLLECTIVE, "bntBNTcq")                                      \
  X(79, Iallgatherv, iallgatherv, COLLECTIVE, "bntB---cq")                                   \
  X(80, Ialltoall, ialltoall, COLLECTIVE, "bntBNTcq")                                        \
  X(81, Ialltoallv, ialltoallv, COLLECTIVE, "bv-tB---cq")                                    \
  X(82, Ialltoallw, ialltoallw, COLLECTIVE, "b---B---cq")                                    \
  X(83, Ireduce_scatter, ireduce_scatter, COLLECTIVE, "-Bvt-cq")                             \
  X(84, Ireduce_scatter_block, ireduce_scatter_block, COLLECTIVE, "-Bnt-cq")                 \
  X(85, Iscan, iscan, PREFIX, "-Bnt-cq")                                                     \
  X(86, Iexscan, iexscan, PREFIX, "-Bnt-cq")                                                 \
  X(90, Neighbor_allgather, neighbor_allgather, NEIGHBOURS, "bntBNTc")                       \
  X(91, Neighbor_allgatherv, neighbor_allgatherv, NEIGHBOURS, "bntB---c")                    \
  X(92, Neighbor_alltoall, neighbor_alltoall, NEIGHBOURS, "bntBNTc")                         \
  X(93, Neighbor_alltoallv, neighbor_alltoallv, NEIGHBOURS, "b---B---c")                     \
  X(94, Neighbor_alltoallw, neighbor_alltoallw, NEIGHBOURS, "b---B---c")                     \
  X(95, Ineighbor_allgather, ineighbor_allgather, NEIGHBOURS, "bntBNTcq")                    \
  X(96, Ineighbor_allgatherv, ineighbor_allgatherv, NEIGHBOURS, "bntB---cq")                 \
  X(97, Ineighbor_alltoall, ineighbor_alltoall, NEIGHBOURS, "bntBNTcq")                      \
  X(98, Ineighbor_alltoallv, ineighbor_alltoallv, NEIGHBOURS, "b---B---cq")                  \
  X(99, Ineighbor_alltoallw, ineighbor_alltoallw, NEIGHBOURS, "b---B---cq")                  \
  X(100, Comm_dup, comm_dup, COMMUNICATOR, "cC")                                             \
  X(101, Comm_dup_with_info, comm_dup_with_info, COMMUNICATOR, "c-C")                        \
  X(102, Comm_idup, comm_idup, COMMUNICATOR, "cDq")                                          \
  X(103, Comm_create, comm_create, COMMUNICATOR, "c-C")                                      \
  X(104, Comm_create_group, comm_create_group, COMMUNICATOR, "c--C")                         \
  X(105, Comm_split, comm_split, COMMUNICATOR, "c--C")                                       \
  X(106, Comm_split_type, comm_split_type, COMMUNICATOR, "c---C")                            \
  X(107, Cart_create, cart_create, COMMUNICATOR, "c----C")                                   \
  X(108, Cart_sub, cart_sub, COMMUNICATOR, "c-C")                                            \
  X(109, Graph_create, graph_create, COMMUNICATOR, "c----C")                                 \
  X(110, Dist_graph_create, dist_graph_create, COMMUNICATOR, "c-------C")                    \
  X(111, Dist_graph_create_adjacent, dist_graph_create_adjacent, COMMUNICATOR, "c--------C") \
  X(112, Intercomm_create, intercomm_create, COMMUNICATOR, "c----C")                         \
  X(113, Intercomm_merge, intercomm_merge, COMMUNICATOR, "c-C")                              \
  X(114, Comm_free, comm_free, COMMUNICATOR_FREE, "F")                                       \
  X(115, Comm_disconnect, comm_disconnect, COMMUNICATOR_FREE, "F")                           \
  X(116, Comm_spawn, comm_spawn, COMMUNICATOR, "----rcC-")                                   \
  X(117, Comm_spawn_multiple, comm_spawn_multiple, COMMUNICATOR, "-----rcC-")                \
  X(118, Comm_accept, comm_accept, COMMUNICATOR, "--rcC")                                    \
  X(119, Comm_connect, comm_connect, COMMUNICATOR, "--rcC")                                  \
  X(130, Win_create, win_create, WINDOW, "----cW")                                           \
  X(131, Win_allocate, win_allocate, WINDOW, "---c-W")                                       \
  X(132, Win_allocate_shared, win_allocate_shared, WINDOW, "---c-W")                         \
  X(133, Win_create_dynamic, win_create_dynamic, WINDOW, "-cW")                              \
  X(134, Win_free, win_free, WINDOW, "V")                                                    \
  X(135, Win_fence, win_fence, WINDOW, "-w")                                                 \
  X(136, Win_start, win_start, WINDOW_ACCESS, "--w")                                         \
  X(137, Win_complete, win_complete, WINDOW_ACCESS, "w")                                     \
  X(138, Win_post, win_post, WINDOW_ACCESS, "--w")                                           \
  X(139, Win_wait, win_wait, WINDOW_ACCESS, "w")                                             \
  X(140, Win_test, win_test, WINDOW_ACCESS, "wf")                                            \
  X(141, Win_lock, win_lock, WINDOW_ACCESS, "-p-w")                                          \
  X(142, Win_unlock, win_unlock, WINDOW_ACCESS, "pw")                                        \
  X(143, Win_lock_all, win_lock_all, WINDOW_ACCESS, "-w")                                    \
  X(144, Win_unlock_all, win_unlock_all, WINDOW_ACCESS, "w")                                 \
  X(145, Win_flush, win_flush, WINDOW_ACCESS, "pw")                                          \
  X(146, Win_flush_all, win_flush_all, WINDOW_ACCESS, "w")                                   \
  X(147, Win_flush_local, win_flush_local, WINDOW_ACCESS, "pw")                              \
  X(148, Win_flush_local_all, win_flush_local_all, WINDOW_ACCESS, "w")                       \
  X(149, Put, put, ONE_SIDED, "bntp---w")                                                    \
  X(150, Get, get, ONE_SIDED, "bntp---w")                                                    \
  X(151, Accumulate, accumulate, ONE_SIDED, "bntp----w")                                     \
  X(152, Get_accumulate, get_accumulate, ONE_SIDED, "bnt---p----w")                          \
  X(153, Fetch_and_op, fetch_and_op, ONE_SIDED, "---p--w")                                   \
  X(154, Compare_and_swap, compare_and_swap, ONE_SIDED, "----p-w")                           \
  X(155, Rput, rput, ONE_SIDED, "bntp---wq")                                                 \
  X(156, Rget, rget, ONE_SIDED, "bntp---wq")                                                 \
  X(157, Raccumulate, raccumulate, ONE_SIDED, "bntp----wq")
#define CDR_MPI_CALL_COUNT 158 /* one more than the highest number */
#define CDR_MPI_PARAMETERS 12  /* no function has more */

enum {
  CDR_MPI_INIT = 1,
  CDR_MPI_FINALIZE,
  CDR_MPI_ABORT,
  CDR_MPI_SEND,
  CDR_MPI_SYNC_SEND, /* completes only when it is received */
  CDR_MPI_RECEIVE,
  CDR_MPI_SEND_RECEIVE,
  CDR_MPI_START, /* of persistent requests */
  CDR_MPI_PROBE,
  CDR_MPI_MATCHED_PROBE,
  CDR_MPI_MATCHED_RECEIVE,
  CDR_MPI_WAIT,
  CDR_MPI_TEST,
  CDR_MPI_REQUEST_FREE,
  CDR_MPI_CANCEL,
  CDR_MPI_COLLECTIVE, /* everybody waits for everybody */
  CDR_MPI_FROM_ROOT,
  CDR_MPI_TO_ROOT,
  CDR_MPI_PREFIX, /* rank k waits for those below */
  CDR_MPI_NEIGHBOURS,
  CDR_MPI_COMMUNICATOR,
  CDR_MPI_COMMUNICATOR_FREE,
  CDR_MPI_WINDOW,        /* collective over the window's communicator */
  CDR_MPI_WINDOW_ACCESS, /* begins, ends or orders calls of the next kind */
  CDR_MPI_ONE_SIDED      /* reaches into the window of another rank */
};

/* Arguments and results are words: a key with, 8 bits higher, how many values follow it, then these. */
enum {
  CDR_MPI_COMM = 1, /* handle */
  CDR_MPI_PEER,     /* rank in the communicator, or CDR_MPI_ANY and its like */
  CDR_MPI_TAG,
  CDR_MPI_BYTES, /* what this rank sends, or has room for */
  CDR_MPI_RECEIVE_PEER,
  CDR_MPI_RECEIVE_TAG,
  CDR_MPI_RECEIVE_BYTES,
  CDR_MPI_ROOT,
  CDR_MPI_REQUESTS, /* handles: given, or made */
  CDR_MPI_NEW_COMM, /* handle */
  CDR_MPI_SELF,     /* rank in the communicator that was made, size, 1 if its members are the remote group */
  CDR_MPI_MEMBERS,  /* ranks in MPI_COMM_WORLD, in triples: first, step, how many */
  CDR_MPI_DONE,     /* in triples: index of a request that completed, source, tag */
  CDR_MPI_FLAG,
  CDR_MPI_STATUS, /* source, tag */
  CDR_MPI_MESSAGE,
  CDR_MPI_WINDOW_HANDLE,
  CDR_MPI_LOCAL_MEMBERS, /* of a communicator between two groups, besides the remote ones: as CDR_MPI_MEMBERS */
  CDR_MPI_LIBRARY        /* CDR_MPI_OPEN_MPI …; handles of MPI_COMM_WORLD and MPI_COMM_SELF */
};
enum { CDR_MPI_IS_ARGUMENT = 0, CDR_MPI_IS_RESULT = 1 };
enum { CDR_MPI_OPEN_MPI = 1, CDR_MPI_MPICH = 2 };
/* Values of peers, roots and tags, whatever the library calls them. */
#define CDR_MPI_ANY (-1)
#define CDR_MPI_PROC_NULL (-2)
#define CDR_MPI_ROOT_HERE (-3)

#endif
