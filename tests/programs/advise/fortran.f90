! SPDX-License-Identifier: GPL-2.0-or-later
! Loops in Fortran with known answers, behind `!>' the directive that must come out, or none.
module steps
  implicit none
  integer, parameter :: n = 2000, m = 60
  real(8) :: a(n), b(n), grid(m, m)
contains

  subroutine smooth
    real(8) :: t
    integer :: i
    do i = 2, n - 1                                 !> !$omp parallel do private(t)
      T = a(i - 1) + a(i) + a(i + 1)
      b(i) = t / 3
    end do
  end subroutine

  subroutine add(total)
    real(8), intent(out) :: total
    integer :: i
    total = 0
    sum: do i = 1, n                                !> !$omp parallel do reduction(+:total)
      total = total + b(i)
    end do sum
  end subroutine

  subroutine largest(most)
    real(8), intent(out) :: most
    integer :: i
    most = 0
    do i = 1, n                                     !> !$omp parallel do reduction(max:most)
      if (b(i) > most) most = b(i)
    end do
  end subroutine

  subroutine chain
    integer :: i
!$omp simd
    do i = 2, n                                     !> none
      a(i) = a(i - 1) * 0.5 + 1
    end do
  end subroutine

  subroutine fill
    integer :: i, j
    do j = 1, m                                     !> !$omp parallel do private(i)
      do i = 1, m
        grid(i, j) = i * j
      end do
    end do
  end subroutine

  ! The counter's value is used behind the loop.
  subroutine first_free(free)
    integer, intent(out) :: free
    integer :: k
    do k = 1, n                                     !> !$omp parallel do lastprivate(k)
      a(k) = &
        k
    end do
    free = k
  end subroutine

  subroutine all_positive(all_are)
    logical, intent(out) :: all_are
    integer :: i
    all_are = .true.
    do i = 1, n                                     !> !$omp parallel do reduction(.and.:all_are)
      all_are = all_are .and. a(i) > 0
    end do
  end subroutine

end module

program main
  use steps
  implicit none
  real(8) :: total, most
  integer :: free
  logical :: all_are
  call first_free(free)
  call smooth
  call add(total)
  call largest(most)
  call fill
  call all_positive(all_are)
  call chain
  print *, total, most, grid(3, 4), free, all_are, a(n)
end program
