! SPDX-License-Identifier: GPL-2.0-or-later
! A ring of messages in Fortran: the calls have lines here.
program ring
  implicit none
  include 'mpif.h'
  integer :: rank, ranks, error, i, x, y, status(MPI_STATUS_SIZE), requests(2)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  x = rank
  do i = 1, 4
    call MPI_Irecv(y, 1, MPI_INTEGER, mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, requests(1), error)
    call MPI_Isend(x, 1, MPI_INTEGER, mod(rank + 1, ranks), 1, MPI_COMM_WORLD, requests(2), error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
  end do
  if (rank == 0) call MPI_Send(x, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, error)
  if (rank == 1) call MPI_Recv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, status, error)
  call MPI_Finalize(error)
end program
