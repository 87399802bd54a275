! images: 1 2 3 5
! Sections without elements, among them vector subscripts without elements, which gfortran describes like a triplet: no
! data moves, and neighbouring elements do not change.
program form_empty
    use check_m, only: check, check_end, neighbour
    implicit none
    integer, parameter :: top = -1900000000
    type t
        integer, allocatable :: v(:)
    end type
    ! with constants instead, gfortran 15 and 16 crash
    integer, save :: v2_9(2) = [2, 9]
    integer, save :: g(10, 10)[*]
    integer, allocatable :: a(:, :)[:]
    type(t), save :: c[*]
    integer :: l(3), l2(3, 3), before(10, 10), i, to, none(0), three(3)

    to = neighbour(1)
    before = reshape([(top + 1000 * this_image() + i, i = 1, 100)], [10, 10])
    allocate (a(0:9, -1:8)[*])
    g = before
    a = before
    allocate (c%v(5), source=top)
    three = [3, 1, 7]
    l = 5
    l2 = 6
    sync all
    call everything(none, 0)
    call everything(three(1:i_zero()), i_zero())
    sync all
    call check(all(g == before), 'static coarray')
    call check(all(a == before), 'allocatable coarray')
    call check(all(c%v == top), 'component')
    call check(all(l == 5) .and. all(l2 == 6), 'variables here')
    sync all
    g(three, v2_9)[to] = 4
    sync all
    call check(count(g /= before), 6, 'with elements')
    call check_end
contains
    integer function i_zero()
        i_zero = this_image() - this_image()
    end function

    subroutine everything(vector, n)
        integer, intent(in) :: n, vector(n)
        integer, allocatable :: v(:)    ! gfortran 15 and 16 accept no vectors with bounds that are not constants
        v = vector
        l(1:n) = g(v, 1)[to]
        l(1:n) = a(v, 1)[to]
        l(1:n) = g(5:4, 1)[to]
        l2(1:n, :) = g(v, 1:3)[to]
        l2(1:n, :) = a(v, 1:3)[to]
        l2(:, 1:n) = g(three, v)[to]
        g(v, 1)[to] = l(1:n)
        g(v, 1:3)[to] = l2(1:n, :)
        g(v, 1:3)[to] = 3
        g(three, v)[to] = 3
        g(v, 4)[to] = 3
        a(v, 4)[to] = 3
        g(5:4, :)[to] = 3
        a(:, 5:4)[to] = 3
        l(1:n) = c[to]%v(v)
        c[to]%v(v) = 3
        c[to]%v(5:4) = l(1:n)
        c[to]%v(v) = l(1:n)
    end subroutine
end program
