! images: 1 2 3
! Repeated gets of few elements by the same statements: the library learns the accessors of gfortran 15 and 16
! meanwhile, and the sizes change from small to large (src/caf/gfortran/accessor/get.c).
module little_gets_coarrays
    implicit none
    type pair
        integer :: first
        real :: second(3)
    end type
    integer, parameter :: n_line = 2000, turns = 40
    integer, save :: line(n_line)[*], number[*], grid(20, 20)[*]
    type(pair), save :: one[*]
end module

program little_gets
    use little_gets_coarrays
    implicit none
    integer, allocatable :: spread_out(:)[:]
    integer :: next, i, errors = 0

    allocate (spread_out(n_line)[*])
    next = mod(this_image(), num_images()) + 1
    line = [(1000000 * this_image() + i, i = 1, n_line)]
    spread_out = -line
    grid = reshape(line(:400), [20, 20])
    sync all
    call scalars()
    call one_extent_after_the_other()
    call two_at_once()
    call kept()
    call little_and_large()
    call of_this_image()
    sync all
    if (errors > 0) error stop 1

contains

    subroutine expect(what, right)
        character(len=*), intent(in) :: what
        logical, intent(in) :: right
        if (right) return
        errors = errors + 1
        print '(a,i0,3a,i0)', 'image ', this_image(), ': ', what, ', turn ', i
    end subroutine

    integer function of(k)
        integer, intent(in) :: k
        of = 1000000 * next + k
    end function

    ! The data changes between two gets.
    subroutine scalars()
        integer :: x
        real :: y
        do i = 1, turns
            number = 100 * this_image() + i
            one%first = number + 1
            one%second = [number + 2, number + 3, number + 4]
            sync all
            x = number[next]
            call expect('scalar', x == 100 * next + i)
            x = one[next]%first
            call expect('first component', x == 100 * next + i + 1)
            y = one[next]%second(2)
            call expect('element of the second', nint(y) == 100 * next + i + 3)
            x = line(7)[next]
            call expect('element', x == of(7))
            x = line(i)[next]
            call expect('element i', x == of(i))
            x = spread_out(i)[next]
            call expect('element i, allocatable', x == -of(i))
            sync all
        end do
    end subroutine

    subroutine one_extent_after_the_other()
        integer, allocatable :: x(:)
        integer :: z(4, 3), n, k, rows, columns
        do i = 1, 4 * turns
            n = merge(i / 4, mod(7 * i, 12), i < 3 * turns)
            x = line(i:i + n - 1)[next]
            call expect('size', size(x) == n)
            call expect('values', all(x == [(of(k), k = i, i + n - 1)]))
            x = spread_out(i:i + 2 * n - 2:2)[next]
            call expect('size, stride', size(x) == n)
            call expect('values, stride', all(x == [(-of(k), k = i, i + 2 * n - 2, 2)]))
            rows = mod(n, 5)
            columns = mod(i, 4)
            z(:rows, :columns) = grid(:rows, :columns)[next]
            do n = 1, columns
                call expect('values of rank 2', all(z(:rows, n) == [(of(k + 20 * (n - 1)), k = 1, rows)]))
            end do
        end do
    end subroutine

    ! Several results exist at the same time.
    subroutine two_at_once()
        integer :: n, k
        do i = 1, turns
            n = 3 + mod(i, 2)
            call expect('sum of two', sum(line(1:n)[next] + spread_out(2:n + 1)[next]) == -n)
            call expect('arguments', difference(line(1:n)[next], line(2:n + 1)[next]) == n)
            call expect('in a constructor', all([line(1:n)[next], line(5:n + 4)[next]] == &
                                                [(of(k), k = 1, n), (of(k), k = 5, n + 4)]))
        end do
    end subroutine

    integer function difference(x, y)
        integer, intent(in) :: x(:), y(:)
        difference = sum(y - x)
    end function

    ! A value remains unchanged during other gets.
    subroutine kept()
        integer :: n
        integer, allocatable :: x(:), y(:)
        do i = 1, turns
            n = 2 + mod(i, 3)
            call keep((line(1:n)[next]), n)
            allocate (x, source=line(1:n)[next])
            allocate (y, source=line(2:n + 1)[next])
            call expect('sources', all(y - x == 1))
            deallocate (x)
            allocate (x, source=line(4:n + 3)[next])
            call expect('sources after that', all(x - y == 2))
            deallocate (x, y)
        end do
    end subroutine

    subroutine keep(b, n)
        integer, intent(in) :: b(:), n
        integer, allocatable :: x(:)
        x = line(11:10 + n)[next]
        call expect('an argument''s value', all(b - x == -10))
    end subroutine

    ! Gets few elements so often that the library expects few, then many, and few again.
    subroutine little_and_large()
        integer :: n, k
        integer, allocatable :: x(:)
        do i = 1, 3 * turns
            n = merge(n_line - 3 + mod(i, 3), 5, i > turns .and. i <= 2 * turns)
            x = line(1:n)[next]
            call expect('size, little and large', size(x) == n)
            call expect('values, little and large', all(x == [(of(k), k = 1, n)]))
        end do
    end subroutine

    ! Source and destination overlap.
    subroutine of_this_image()
        integer :: n, me
        me = this_image()
        sync all
        do i = 1, turns
            n = 3 + mod(i, 4)
            line(2:n + 1) = line(1:n)[me]
            line(1:n) = line(2:n + 1)[me]
            line(2:n + 1)[me] = line(1:n)
            line(1:n)[me] = line(2:n + 1)
        end do
        call expect('moved', line(1) == 1000000 * me + 1)
    end subroutine
end program
