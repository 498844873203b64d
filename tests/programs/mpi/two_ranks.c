/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Two ranks on stand_in.c's library: a message that is received, one that is not, work before the first. */
int MPI_Init(int*, char***), MPI_Finalize(void);
int MPI_Send(const void*, int, int, int, int, int), MPI_Recv(void*, int, int, int, int, int, int*);

enum { INT = 0x4c000405, WORLD = 0x44000000 };
static volatile int work;

int main(int argc, char** argv) {
  int x = 0, status[5];
  MPI_Init(&argc, &argv);
  if (argc > 1 && argv[1][0] == '1') {
    MPI_Recv(&x, 1, INT, 0, 7, WORLD, status);
    MPI_Recv(&x, 1, INT, 0, 9, WORLD, status);
  } else {
    for (int i = 0; i < 1000; ++i) work += i;
    MPI_Send(&x, 1, INT, 1, 7, WORLD);
    MPI_Send(&x, 1, INT, 1, 8, WORLD);
  }
  MPI_Finalize();
  return 0;
}
