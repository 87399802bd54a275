! images: 1 2 3 4 5 8
! Allocate and deallocate: stat= and errmsg= of errors, move_alloc, automatic deallocation, source=, reallocation, many
! coarrays at the same time, order of deallocation, large and empty coarrays.
module allocation_m
    use, intrinsic :: iso_fortran_env, only: int64, error_unit
    use check_m, only: check, check_end, neighbour
    use values_m, only: value, expect
    implicit none
    integer :: k_
    integer, parameter :: k(20) = [(k_, k_ = 1, 20)]
contains
    subroutine exhaustion
        real(8), allocatable :: huge_one(:)[:], small(:)[:]
        character(200) :: message
        integer :: state
        state = 0
        message = 'untouched'
        allocate (huge_one(2_int64**50)[*], stat=state, errmsg=message)
        call check(state /= 0, 'stat of an allocation of 8 PiB')
        call check(message /= 'untouched' .and. message /= '', 'errmsg of an allocation of 8 PiB')
        call check(.not. allocated(huge_one), 'not allocated after the error')
        message = 'untouched'
        state = 77
        allocate (small(10)[*], stat=state, errmsg=message)
        call check(state, 0, 'stat of an allocation after exhaustion')
        call check(message == 'untouched', 'errmsg of an allocation that succeeds')
        small = value(this_image(), k(:10), 1.0d0)
        sync all
        small(1:1) = small(10:10)[neighbour(1)]
        call expect(small(1), value(neighbour(1), 10, 1.0d0), 'coarray allocated after exhaustion')
        allocate (small(5)[*], stat=state, errmsg=message)
        call check(state /= 0, 'stat of a second allocation')
        call check(message /= 'untouched', 'errmsg of a second allocation')
        call check(size(small), 10, 'size after a second allocation')
        deallocate (small, stat=state)
        call check(state, 0, 'stat of a deallocation')
        deallocate (small, stat=state, errmsg=message)
        call check(state /= 0, 'stat of a second deallocation')
    end subroutine

    ! The coarray is freed at the return; otherwise the caller's rounds would exhaust the memory.
    subroutine automatic(n)
        integer(int64), intent(in) :: n
        integer(1), allocatable :: a(:)[:]
        integer(1) :: x
        allocate (a(n)[*])
        a(1) = value(this_image(), 1, x)
        a(n) = value(this_image(), 2, x)
        sync all
        x = a(n)[neighbour(1)]
        call expect(x, value(neighbour(1), 2, x), 'last element of a local coarray')
    end subroutine

    subroutine moved
        integer(2), allocatable :: a(:)[:], b(:)[:]
        integer(2) :: y(20)
        allocate (a(20)[*])
        a = value(this_image(), k, 1_2)
        call move_alloc(a, b)
        call check(.not. allocated(a), 'source of move_alloc')
        call check(allocated(b), 'target of move_alloc')
        sync all
        y = b(:)[neighbour(-1)]
        call expect(y, value(neighbour(-1), k, 1_2), 'get after move_alloc')
        allocate (a(3)[*])
        a = 5_2
        sync all
        b(2:3)[neighbour(1)] = a(1:2)[neighbour(-1)]
        sync all
        call expect(b(1:4), [value(this_image(), 1, 1_2), 5_2, 5_2, value(this_image(), 4, 1_2)], &
            'put after move_alloc')
        sync all
        call move_alloc(b, a)
        call check(size(a), 20, 'target that was allocated')
        call check(.not. allocated(b), 'source of the second move_alloc')
    end subroutine

    ! Many coarrays at the same time, freed in another order than allocated, with values that reveal overlaps.
    subroutine many
        integer(int64), allocatable :: a(:)[:], b(:)[:], c(:)[:], d(:, :)[:], e[:], f(:)[:]
        integer :: round, n
        do round = 1, 100
            n = 1 + mod(round * 37, 300)
            allocate (a(n)[*], b(2 * n)[*])
            allocate (c(301 - n)[*])
            allocate (d(n, 3)[*], e[*])
            call fill(a, 1, size(a))
            call fill(b, 2, size(b))
            call fill(c, 3, size(c))
            call fill(d, 4, 3 * n)
            e = value(this_image(), 5, 1_int64)
            deallocate (b)
            allocate (f(n + 5)[*])
            call fill(f, 6, size(f))
            deallocate (d)
            allocate (b(n + 7)[*])
            call fill(b, 7, size(b))
            sync all
            call compare(a, 1)
            call compare(b, 7)
            call compare(c, 3)
            call compare(f, 6)
            call expect([e[neighbour(-1)]], [value(neighbour(-1), 5, 1_int64)], 'scalar of many')
            deallocate (c, a, f, b, e)
        end do
    end subroutine

    subroutine fill(x, k0, n)
        integer(int64), intent(out) :: x(*)
        integer, intent(in) :: k0
        integer, intent(in) :: n
        integer :: i
        do i = 1, n
            x(i) = value(this_image(), 1000 * k0 + i, 1_int64)
        end do
    end subroutine

    subroutine compare(x, k0)
        integer(int64), allocatable, intent(in) :: x(:)[:] ! gfortran 15 and 16 cannot get from assumed shape
        integer, intent(in) :: k0
        integer(int64) :: y(size(x))
        integer :: i
        y = x(:)[neighbour(-1)]
        call expect(y, value(neighbour(-1), [(1000 * k0 + i, i = 1, size(x))], 1_int64), 'a coarray of many')
        call expect(x, value(this_image(), [(1000 * k0 + i, i = 1, size(x))], 1_int64), 'a coarray of many, this image')
    end subroutine
end module

program allocation
    use allocation_m
    implicit none
    integer(8), allocatable :: a(:, :)[:], empty(:)[:], s[:]
    integer(8) :: x
    integer :: i
    call exhaustion
    do i = 1, 200
        call automatic(int(8000000 + i * 1000, int64))
    end do
    call moved
    call many
    allocate (empty(0)[*])
    call check(size(empty), 0, 'empty coarray')
    sync all
    empty(:)[neighbour(1)] = empty
    deallocate (empty)
    allocate (a(-3:2, 4)[*], source=17_8)
    call expect(a, 17_8, 'source=')
    call check(lbound(a, 1), -3, 'lower bound')
    allocate (s[*], source=value(this_image(), 1, 1_8))
    sync all
    x = s[neighbour(1)]
    call expect(x, value(neighbour(1), 1, 1_8), 'source= of a scalar')
    deallocate (s, a)
    call check(.not. allocated(s) .and. .not. allocated(a), 'deallocate')
    call check_end
end program
