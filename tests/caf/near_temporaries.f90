! images: 1 2 4
! flags: -O3
! Gets in expressions whose shape gfortran knows: 15 and 16 allocate their temporaries before the get. Between the gets,
! puts change the sections that the plugin gives instead of the temporaries.
module near_temporaries_m
    implicit none
    integer, save :: h(40)[*], grid(6, 8)[*]
    integer :: global(40) = 0
    integer, allocatable :: allocated(:)
contains
    subroutine dummies(x, y, n, k)
        integer, intent(in) :: n, k
        integer, intent(inout) :: x(:), y(n)
        x(1:n) = y + h(1:n)[k]
        y = x(1:n) - h(1:n)[k] + h(n:1:-1)[k]
    end subroutine

    ! Changes the other image's memory between the elements of an elemental reference.
    impure elemental function change(x, k) result(y)
        integer, intent(in) :: x, k
        integer :: y, old(10)
        y = x
        old = h(1:10)[k]
        h(1:10)[k] = old + 1
    end function
end module

program near_temporaries
    use check_m, only: check, check_end, neighbour
    use near_temporaries_m
    implicit none
    integer :: me, next, n, i, k, x(40), y(40), a(6, 8), b(10)
    integer, pointer :: p(:)
    integer, target :: t(40)
    me = this_image()
    next = neighbour(1)
    allocate (allocated(40))
    p => t
    do k = 1, 2 ! this image, and another image if there are several
        next = merge(me, next, k == 1)
        do n = 0, 40, 8
            h = [(100*me + i, i=1, 40)]
            sync all
            x = -1
            y = [(i, i=1, 40)]
            call dummies(x, y(1:n), n, next)
            call check(all(x(1:n) == [(100*next + 2*i, i=1, n)]) .and. all(x(n + 1:) == -1), "to an assumed shape")
            call check(all(y(1:n) == [(100*next + i + n + 1 - i, i=1, n)]), "two gets in an expression")
            sync all
        end do
        next = neighbour(1)
    end do

    h = [(100*me + i, i=1, 40)]
    sync all
    if (me == 1) then
        n = 30
        y = 5
        t = 5
        do i = 1, 3
            global(1:n) = y(1:n) + h(1:n)[next]
            h(1:n)[next] = global(1:n) + 1
            allocated(1:n) = h(1:n)[next]
            h(2:n)[next] = allocated(1:n - 1) - y(1:n - 1) - 1
            p(1:n) = p(1:n) + h(1:n)[next]
            global(1:n) = h(1:n)[next]
            h(1:n)[next] = global(1:n) + 1
        end do
        call check(allocated(30) == 100*next + 30 - 2 + 2 + 6, "an allocatable array")
        call check(p(30) == 5 + 3*(100*next + 30) - (1 + 2 + 3) + (0 + 1 + 2), "a pointer's target")
    end if
    sync all
    if (me == next .or. neighbour(-1) == 1) call check(h(30) == 100*me + 30 - 3 + 3, "puts between the gets")

    grid = reshape([(100*me + i, i=1, 48)], [6, 8])
    a = 1
    sync all
    n = 5
    a(:, 2:n) = a(:, 2:n) + grid(:, 3:n + 1)[next]
    call check(all(a(:, 2:n) == reshape([(100*next + 14 + i, i=0, 23)], [6, 4])), "columns")
    a(1:n, 1:n) = a(n:1:-1, 1:n)*0 + grid(1:n, 1:n)[next]
    call check(all(a(1:n, 1:n) == reshape([((100*next + 6*i + k, k=1, 5), i=0, 4)], [5, 5])), "a part of columns")
    sync all

    h = 0
    sync all
    if (me == 1) then
        b = change(h(1:10)[next], next)
        call check(all(b == 0), "a get is complete before the statement's functions change its source")
        b = change(h(1:10)[next], next)
        call check(all(b == 10), "the same again")
    end if
    call check_end
end program
