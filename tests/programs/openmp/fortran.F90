! SPDX-License-Identifier: GPL-2.0-or-later
! Cases in Fortran of which it is known whether they have a race, as in iterations.c: with WRONG defined a clause or a
! directive is missing. All of one chunk, or of one thread, too. A case is a subroutine.
module cases
  implicit none
  integer, parameter :: n = 24
  real(8) :: from(n), to(n), table(n, n)
  integer :: hits(0:3), total
contains

  subroutine static_loop
    integer :: i
!$omp parallel do
    do i = 2, n
#ifdef WRONG
      to(i) = to(i - 1) + 1
#else
      to(i) = from(i - 1) + 1
#endif
    end do
  end subroutine

  subroutine in_chunks
    integer :: i
!$omp parallel
!$omp do schedule(static, 3)
    do i = 2, n
#ifdef WRONG
      to(i) = to(i - 1) * 2
#else
      to(i) = from(i - 1) * 2
#endif
    end do
!$omp end do
!$omp end parallel
  end subroutine

  subroutine dynamic_loop
    integer :: i
!$omp parallel do schedule(dynamic, 4)
    do i = 2, n
#ifdef WRONG
      to(i) = to(i - 1) - 1
#else
      to(i) = from(i - 1) - 1
#endif
    enddo
  end subroutine

  subroutine private_copy
    integer :: i
    real(8) :: t
#ifdef WRONG
!$omp parallel do
#else
!$omp parallel do private(t)
#endif
    do i = 1, n
      t = from(i)
      to(i) = t + 1
    end do
  end subroutine

  subroutine sum_of_all
    integer :: i
    real(8) :: s
    s = 0
#ifdef WRONG
!$omp parallel do shared(s) &
!$omp& firstprivate(total)
#else
!$omp parallel do reduction(+:s) &
!$omp& firstprivate(total)
#endif
    do i = 1, n
      s = s + from(i)
    end do
    total = total + int(s)
  end subroutine

  subroutine collapsed
    integer :: i, j
!$omp parallel do collapse(2)
    do j = 2, n
      do i = 1, n
#ifdef WRONG
        table(i, j) = table(i, j - 1) + 1
#else
        table(i, j) = from(i) + 1
#endif
      end do
    end do
  end subroutine

  subroutine rows
    integer :: i, j
!$omp parallel do private(i)
    do j = 2, n
      do i = 1, n
#ifdef WRONG
        table(i, j) = table(i, j - 1) * 3
#else
        table(i, j) = table(i, j) * 3
#endif
      end do
    end do
!$omp end parallel do
  end subroutine

  subroutine histogram
    integer :: i
    hits = 0
!$omp parallel do
    do i = 1, n
#ifndef WRONG
!$omp atomic
#endif
      hits(mod(i, 4)) = hits(mod(i, 4)) + 1
    end do
  end subroutine

  subroutine one_at_a_time
    integer :: i
!$omp parallel do
    do i = 1, n
#ifndef WRONG
!$omp critical
#endif
      total = total + i
#ifndef WRONG
!$omp end critical
#endif
    end do
  end subroutine

  subroutine last_value
    integer :: i
    real(8) :: last
#ifdef WRONG
!$omp parallel do shared(last)
#else
!$omp parallel do lastprivate(last)
#endif
    do i = 1, n
      last = from(i)
      to(i) = last
    end do
    total = total + int(last)
  end subroutine

  subroutine labelled
    integer :: i
!$omp parallel do
    do 10 i = 2, n
#ifdef WRONG
      to(i) = to(i - 1) + 2
#else
      to(i) = from(i - 1) + 2
#endif
10  continue
  end subroutine

  subroutine both_tasks
    integer :: first, second
!$omp parallel
!$omp single
!$omp task shared(first)
    first = 1
!$omp end task
!$omp task shared(second)
    second = 2
!$omp end task
#ifndef WRONG
!$omp taskwait
#endif
    total = total + first + second
!$omp end single
!$omp end parallel
  end subroutine

end module

program main
  use cases
  from = 1
  to = 0
  table = 0
  total = 0
  call static_loop
  call in_chunks
  call dynamic_loop
  call private_copy
  call sum_of_all
  call collapsed
  call rows
  call histogram
  call one_at_a_time
  call last_value
  call labelled
  call both_tasks
  print *, total
end program
