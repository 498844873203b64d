/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * In the place of MPI's library, of MPICH's kind (its soname is libmpich.so.12): as much as the wrappers ask of it, and
 * nothing is sent. Which rank this is, of two, stands in STAND_IN_RANK. For tests that want calls of MPI, but no MPI. */
#include <stdlib.h>

static int rank(void) {
  const char* text = getenv("STAND_IN_RANK");
  return text ? atoi(text) : 0;
}

int MPI_Init(int* argc, char*** argv) {
  (void)argc, (void)argv;
  return 0;
}
int MPI_Finalize(void) { return 0; }
int MPI_Send(const void* from, int n, int type, int to, int tag, int comm) {
  (void)from, (void)n, (void)type, (void)to, (void)tag, (void)comm;
  return 0;
}
int MPI_Recv(void* to, int n, int type, int from, int tag, int comm, int* status) {
  (void)to, (void)n, (void)type, (void)comm;
  status[2] = from, status[3] = tag;
  return 0;
}

int PMPI_Type_size(int type, int* bytes) {
  (void)type;
  *bytes = 4;
  return 0;
}
int PMPI_Comm_rank(int comm, int* to) {
  (void)comm;
  *to = rank();
  return 0;
}
int PMPI_Comm_size(int comm, int* to) {
  (void)comm;
  *to = 2;
  return 0;
}
int PMPI_Comm_test_inter(int comm, int* to) {
  (void)comm;
  *to = 0;
  return 0;
}
int PMPI_Comm_group(int comm, int* group) {
  *group = comm;
  return 0;
}
int PMPI_Comm_remote_group(int comm, int* group) { return PMPI_Comm_group(comm, group); }
int PMPI_Group_size(int group, int* to) { return PMPI_Comm_size(group, to); }
int PMPI_Group_translate_ranks(int group, int n, const int* ranks, int other, int* to) {
  (void)group, (void)other;
  for (int i = 0; i < n; ++i) to[i] = ranks[i];
  return 0;
}
int PMPI_Group_free(int* group) {
  *group = 0;
  return 0;
}
