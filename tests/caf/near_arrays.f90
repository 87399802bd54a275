! images: 1 2 4
! flags: -O3
! Temporaries that gfortran 15 and 16 make for each array in a get or put. The plugin replaces them by the other image's
! memory, but never by this image's own memory. Also dummy arguments in vectorised loops, and components.
module near_arrays_m
    implicit none
    type :: box
        integer :: n
        real(8), allocatable :: v(:)
        real(8) :: w(3)
    end type
    type :: plain
        integer :: a
        real(8) :: b(3)
    end type
    type(box), save :: boxes[*]
    type(plain), save :: plains(4)[*]
    integer, save :: fixed(20)[*]
    integer, volatile, save :: watched[*]
contains
    ! The compiler may assume that the dummy arguments differ, although they may be the same variable.
    subroutine shift(x, k)
        integer, intent(inout) :: x(20)[*]
        integer, intent(in) :: k
        integer :: i
        do i = 2, 20
            x(i)[k] = x(i - 1) + 1
        end do
    end subroutine

    subroutine shift_allocatable(h, k)
        integer, allocatable, intent(inout) :: h(:)[:]
        integer, intent(in) :: k
        integer :: i
        do i = 2, size(h)
            h(i) = h(i - 1)[k] + 1
        end do
    end subroutine

    subroutine section(h, a, n, k)
        integer, allocatable, intent(inout) :: h(:)[:]
        integer, intent(in) :: n, k
        integer, intent(out) :: a(n)
        a = h(1:n)[k]
    end subroutine
end module

program near_arrays
    use check_m, only: check, check_end
    use near_arrays_m
    implicit none
    integer, parameter :: n = 20
    integer, allocatable :: h(:)[:], grid(:, :)[:]
    real, allocatable :: reals(:)[:]
    integer :: me, next, previous, i, a(n), b(5, 4)
    type(plain) :: p
    me = this_image()
    next = merge(1, me + 1, me == num_images())
    previous = merge(num_images(), me - 1, me == 1)
    allocate (h(n)[*], grid(5, 6)[*], reals(n)[*], boxes%v(n))

    h = [(i, i=1, n)]
    h(2:n) = h(1:n - 1)[me]
    call check(all(h == [1, (i, i=1, n - 1)]), "a get of this image's own part that overlaps")
    h = [(i, i=1, n)]
    h(2:n)[me] = h(1:n - 1)
    call check(all(h == [1, (i, i=1, n - 1)]), "a put to this image's own part that overlaps")
    h = [(i, i=1, n)]
    h(2:n)[me] = h(1:n - 1) + 1
    call check(all(h == [1, (i + 1, i=1, n - 1)]), "an expression of this image's own part that overlaps")
    h(1) = 0
    call shift_allocatable(h, me)
    call check(all(h == [(i, i=0, n - 1)]), "an allocatable dummy of two names")
    fixed = 0
    call shift(fixed, me)
    call check(all(fixed == [(i, i=0, n - 1)]), "a dummy of two names")

    sync all
    h = [(1000*me + i, i=1, n)]
    fixed = 0
    sync all
    a = 0
    call section(h, a, n, next)
    call check(all(a == [(1000*next + i, i=1, n)]), "a section")
    call section(h, a, 0, next)
    a(1:5) = h(3:7)[next]*2 + h(1:5)[previous]
    call check(all(a(1:5) == [(2000*next + 2*i + 4 + 1000*previous + i, i=1, 5)]), "two gets in an expression")
    call check(sum(h(:)[next]) == sum([(1000*next + i, i=1, n)]), "the sum of an array that is got")
    fixed(2:n)[next] = h(1:n - 1)*2 - 1
    sync all
    call check(all(fixed == [0, (2000*previous + 2*i - 1, i=1, n - 1)]), "an expression that is put")

    grid = me
    sync all
    b = 0
    b = grid(:, 2:5)[next]
    call check(all(b == next), "columns that are got")
    sync all
    do i = 1, 4
        b(:, i) = 10*me + i
    end do
    grid(:, 3:6)[next] = b
    grid(2:4, 1)[next] = -b(2:4, 1)
    grid(1, 1:2)[next] = [7, 8]
    sync all
    call check(all(grid(:, 3:6) == spread(10*previous + [1, 2, 3, 4], 1, 5)), "columns that are put")
    call check(all(grid(2:4, 1) == -10*previous - 1) .and. all(grid(1, 1:2) == [7, 8]), "a part of a column, of a row")

    reals = 0
    sync all
    do i = 1, n
        reals(i)[next] = i*me
    end do
    sync all
    call check(all(nint(reals) == [(i*previous, i=1, n)]), "elements of another type")

    boxes%n = me
    boxes%w = [1d0, 2d0, 3d0]*me
    boxes%v = [(real(me*i, 8), i=1, n)]
    plains%a = me
    sync all
    call check(boxes[next]%n == next, "a component")
    call check(nint(boxes[next]%w(2)) == 2*next, "an element of a component")
    call check(nint(boxes[next]%v(4)) == 4*next, "an element of an allocatable component")
    p = plains(2)[next]
    call check(p%a == next, "a derived type that is got")
    sync all
    p%a = -me
    plains(3)[next] = p
    boxes[next]%v(5) = me
    watched[next] = me
    sync all
    call check(plains(3)%a == -previous .and. nint(boxes%v(5)) == previous .and. watched == previous, &
               "a derived type and a component that are put")
    call check_end()
end program
