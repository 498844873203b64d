! SPDX-License-Identifier: GPL-2.0-or-later
! Where Fortran's variables may be, with known answers, behind `!>' the directive that must come out, or none: without a
! declaration, in a module, in COMMON, in the unit around; results of functions, pointers, complex numbers.
module held
  implicit none
  integer, parameter :: n = 1000, m = 40
  real(8) :: total, twice, x(n)
  integer :: many
contains

  function product_of(a, b)
    real(8), intent(in) :: a(n), b(n)
    real(8) :: product_of
    integer :: i
    product_of = 0
    do i = 1, n                                     !> !$omp parallel do reduction(+:product_of)
      product_of = product_of + a(i) * b(i)
    end do
  end function

  pure subroutine scale_all(a)
    real(8), intent(inout) :: a(:)
    integer :: i
    do i = 1, n                                     !> none
      a(i) = a(i) * 2
    end do
  end subroutine

  subroutine in_module
    integer :: i
    do i = 1, n                                     !> !$omp parallel do private(twice)
      twice = 2 * x(i)
      x(i) = twice * twice
    end do
    do i = 1, n                                     !> !$omp parallel do reduction(+:total)
      total = total + x(i)
    end do
    do i = 1, n                                     !> !$omp parallel do reduction(+:many)
      if (x(i) > 10) many = many + 1
    end do
  end subroutine

  subroutine rows(most)
    integer, intent(out) :: most
    real(8), target :: a(m, m)
    real(8), pointer :: row(:)
    real(8) :: copy(m), sums(m)
    integer :: i, j
    a = 1
    do j = 1, m                                     !> !$omp parallel do private(row) private(i)
      row => a(:, j)
      do i = 1, m
        row(i) = row(i) + i * j
      end do
    end do
    do j = 1, m                                     !> !$omp parallel do private(i) private(copy)
      do i = 1, m
        copy(i) = a(i, j)
      end do
      sums(j) = copy(1) * copy(m)
    end do
    most = 0
    do j = 1, m                                     !> !$omp parallel do reduction(max:most)
      most = max(most, int(sums(j)))
    end do
  end subroutine

  ! Of what is private here, more is read.
  subroutine with_factor
    real(8) :: pair(2)
    integer :: i
    pair = 3
    do i = 1, n                                     !> none
      pair(1) = x(i)
      x(i) = pair(1) * pair(2)
    end do
  end subroutine

  subroutine told(i, j, r)
    integer, intent(in) :: i, j
    real(8), intent(out) :: r
    r = i * 0.1d0 + j
  end subroutine

  subroutine by_reference(last)
    real(8), intent(out) :: last
    real(8) :: u(m, m)
    integer :: i, j
    do j = 1, m                                     !> !$omp parallel do private(i)
      do i = 1, m
        call told(i, j, u(i, j))
      end do
    end do
    last = u(m, m)
  end subroutine

end module

subroutine in_common
  common /shared/ y(1000), t
  do i = 1, 1000                                    !> !$omp parallel do private(t)
    t = i
    y(i) = t + t
  end do
  do i = 1, 1000                                    !> !$omp parallel do private(s)
    s = y(i)
    y(i) = s + s
  end do
end subroutine

! What an internal procedure does, it does to the host's own.
subroutine by_host
  use held
  integer :: i
  real(8) :: s
  do i = 1, n                                       !> none
    call step
    x(i) = x(i) + s
  end do
contains
  subroutine step
    s = i * 2
  end subroutine
end subroutine

subroutine in_block
  use held
  integer :: i
  do i = 1, n                                       !> none
    block
      real(8), save :: s
      s = x(i)
      x(i) = s + s
    end block
  end do
end subroutine

! Optimised, there is nothing of v.
subroutine in_registers
  use held
  integer :: i
  real(8) :: v(3)
  do i = 1, n - 2                                   !> !$omp parallel do private(v)
    v(1:3) = x(i) * [1, 2, 3]
    x(i) = v(1) * v(2) + v(3)
  end do
end subroutine

subroutine printed
  use held
  integer :: i
  do i = 1, 5                                       !> none
    print *, x(i)
  end do
end subroutine

program main
  use held
  implicit none
  complex(8) :: z
  real(4) :: y(1000), t
  real(8) :: last
  integer :: i, most
  common /shared/ y, t
  do i = 1, n                                       !> !$omp parallel do lastprivate(i)
    x(i) = i
  end do
  call show
  call in_module
  call in_common
  call scale_all(x)
  call rows(most)
  call by_reference(last)
  call with_factor
  call by_host
  call in_block
  call in_registers
  call printed
  z = 0
  do i = 1, n                                       !> !$omp parallel do reduction(+:z) lastprivate(i)
    z = z + cmplx(i, -y(i), 8)
  end do
  print *, total, many, product_of(x, x), z, most, last
contains
  subroutine show
    print *, i
  end subroutine
end program
