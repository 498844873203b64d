! SPDX-License-Identifier: GPL-2.0-or-later
!
! As scratch.cc has them: arrays used as scratch, and results.
module held
  implicit none
  real(8) :: kept(8)
contains
  subroutine by_number(a, b, n, j)
    integer, intent(in) :: n, j
    real(8), intent(in) :: a(n)
    real(8), intent(out) :: b(n)
    real(8) :: t(8)
    integer :: i
    !> scratch
    do i = 1, n
      t(j) = a(i) * 2
      b(i) = t(j) + 1
    end do
  end subroutine
  subroutine in_nest(a, b, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(out) :: b(n)
    real(8) :: t(4)
    integer :: i, k
    !> scratch
    do i = 1, n
      do k = 1, 4
        t(k) = a(i) * k
      end do
      b(i) = sum(t)
    end do
  end subroutine
  subroutine of_module(a, b, n, j)
    integer, intent(in) :: n, j
    real(8), intent(in) :: a(n)
    real(8), intent(out) :: b(n)
    integer :: i
    !> scratch
    do i = 1, n
      kept(j) = a(i) * 2
      b(i) = kept(j) + 1
    end do
  end subroutine
  subroutine results(a, b, c, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(out) :: b(n), c(n, 4)
    integer :: i, k
    !> result
    do i = 1, n
      b(i) = 0
      if (i > 2) b(i) = &
        a(i) * 3
      c(i, :) = b(i)
      do k = 1, 4
        c(i, k) = c(i, k) + k
      end do
    end do
  end subroutine
  ! The sum's store stands behind the inner loop, and has its line.
  subroutine product_of(a, b, c, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n), b(n, n)
    real(8), intent(inout) :: c(n, n)
    integer :: i, j, l
    !> result
    do j = 1, n
      do i = 1, n
        do l = 1, n
          c(i, j) = c(i, j) + a(i, l) * b(l, j)
        end do
      end do
    end do
  end subroutine
end module
program scratch
  use held
  real(8) :: a(300), b(300), c(300, 4), x(20, 20), y(20, 20), z(20, 20)
  integer :: i
  do i = 1, 300
    a(i) = i
  end do
  call by_number(a, b, 300, 3)
  print *, sum(b)
  call in_nest(a, b, 300)
  print *, sum(b)
  call of_module(a, b, 300, 3)
  print *, sum(b), kept(3)
  call results(a, b, c, 300)
  print *, sum(b), sum(c)
  x = 2
  y = 3
  z = 1
  call product_of(x, y, z, 20)
  print *, sum(z)
end program
