! images: 1 2 3 4 5 8
! Ranks 1 to 14, with a corank that makes 15 in all: elements, rows along the first and the last dimension, the whole
! array, and a section that strides in every dimension.
module ranks_m
    use check_m, only: check_end, neighbour
    use values_m, only: value, expect
    implicit none
    integer :: k_
contains
    subroutine rank_4
        real(8), allocatable :: a(:, :, :, :)[:], s(:, :, :, :)
        integer, parameter :: k(4, 3, 5, 2) = reshape([(k_, k_ = 1, 120)], [4, 3, 5, 2])
        real(8), save :: x
        real(8) :: left(4, 3, 5, 2), e(4, 3, 5, 2)
        allocate (a(4, 3, 5, 2)[*])
        left = value(neighbour(-1), k, x)
        a = value(this_image(), k, x)
        sync all
        s = a(:, :, :, :)[neighbour(-1)]
        call expect(s, left, 'get of rank 4')
        s(:, :, 2:4, :) = a(:, 3:1:-1, 1:5:2, 2:1:-1)[neighbour(-1)]
        e = left
        e(:, :, 2:4, :) = left(:, 3:1:-1, 1:5:2, 2:1:-1)
        call expect(s, e, 'strided get of rank 4')
        e(1:2, 1, 1:2, 1) = left(2:3, 2, 4:5, 2)
        s(1:2, 1, 1:2, 1) = a(2:3, 2, 4:5, 2)[neighbour(-1)]
        call expect(s, e, 'get of a plane of rank 4')
        sync all
        a(4:1:-3, :, 5, :)[neighbour(1)] = value(this_image(), 1000 + k(1:2, :, 5, :), x)
        sync all
        e = value(this_image(), k, x)
        e(4:1:-3, :, 5, :) = value(neighbour(-1), 1000 + k(1:2, :, 5, :), x)
        call expect(a, e, 'strided put of rank 4')
    end subroutine

    subroutine rank_5
        integer(2), save :: a(2, 3, 2, 3, 4)[0:*]
        integer, parameter :: k(2, 3, 2, 3, 4) = reshape([(k_, k_ = 1, 144)], [2, 3, 2, 3, 4])
        integer(2), save :: x
        integer(2) :: e(2, 3, 2, 3, 4), y(4), z(2, 3, 2, 3, 4)
        integer :: left, right
        left = neighbour(-1)
        right = neighbour(1)
        a = value(this_image(), k, x)
        sync all
        y = a(2, 3, 1, 2, :)[left - 1]
        call expect(y, value(left, k(2, 3, 1, 2, :), x), 'get of a row of rank 5')
        z = a(2:1:-1, :, :, 3:1:-1, :)[left - 1]
        call expect(z, value(left, k(2:1:-1, :, :, 3:1:-1, :), x), 'backward get of rank 5')
        sync all
        e = a
        a(1, :, 2, ::2, 2:4)[right - 1] = value(this_image(), 200 + k(1, :, 1, 1:2, 1:3), x)
        sync all
        e(1, :, 2, ::2, 2:4) = value(left, 200 + k(1, :, 1, 1:2, 1:3), x)
        call expect(a, e, 'strided put of rank 5')
    end subroutine

    subroutine rank_6
        complex(4), save :: a(2, 2, 3, 2, 2, 3)[2, *]
        integer, parameter :: k(2, 2, 3, 2, 2, 3) = reshape([(k_, k_ = 1, 144)], [2, 2, 3, 2, 2, 3])
        complex(4), save :: x
        complex(4) :: e(2, 2, 3, 2, 2, 3), z(2, 3, 3)
        integer :: left, right
        left = neighbour(-1)
        right = neighbour(1)
        a = value(this_image(), k, x)
        sync all
        z = a(2, :, :, 1, 2, 3:1:-1)[2 - modulo(left, 2), (left + 1) / 2]
        call expect(z, value(left, k(2, :, :, 1, 2, 3:1:-1), x), 'get of rank 6')
        sync all
        e = a
        a(:, 2, ::2, :, 1, :)[2 - modulo(right, 2), (right + 1) / 2] = &
            value(this_image(), 200 + k(:, 1, 1:2, :, 1, :), x)
        sync all
        e(:, 2, ::2, :, 1, :) = value(left, 200 + k(:, 1, 1:2, :, 1, :), x)
        call expect(a, e, 'strided put of rank 6')
    end subroutine

    subroutine rank_7
        integer(8), allocatable :: a(:, :, :, :, :, :, :)[:], b(:, :, :, :, :, :, :)[:]
        integer, parameter :: s(7) = [2, 3, 2, 2, 3, 2, 2], k(2, 3, 2, 2, 3, 2, 2) = reshape([(k_, k_ = 1, 288)], s)
        integer(8), save :: x
        integer(8) :: e(2, 3, 2, 2, 3, 2, 2), y(2)
        integer :: left, right, me
        me = this_image()
        left = neighbour(-1)
        right = neighbour(1)
        allocate (a(2, 3, 2, 2, 0:2, 2, 2)[*], b(2, 3, 2, 2, 3, 2, -1:0)[*])
        a = value(me, k, x)
        b = value(me, 300 + k, x)
        sync all
        y = a(1, 2, 2, 1, 0, 2, :)[left]
        call expect(y, value(left, k(1, 2, 2, 1, 1, 2, :), x), 'get of a row of rank 7')
        e = b
        b(:, 1:3:2, :, 2:1:-1, 3, :, :)[right] = a(:, 2:3, :, :, 1, :, 2:1:-1)[left]
        sync all
        e(:, 1:3:2, :, 2:1:-1, 3, :, :) = value(neighbour(-2), k(:, 2:3, :, :, 2, :, 2:1:-1), x)
        call expect(b, e, 'get to put of rank 7')
        sync all
        b(:, :, :, :, :, :, :)[right] = a
        sync all
        call expect(b, value(left, k, x), 'put of rank 7')
    end subroutine

    subroutine rank_14
        integer(2), save :: a(1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 2, 2)[*]
        integer, parameter :: s(14) = [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 2, 2]
        integer :: k(1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 2, 2)
        integer(2), save :: x
        integer(2) :: y(2, 2, 2), z(2)
        k = reshape([(k_, k_ = 1, 256)], s)
        a = value(this_image(), k, x)
        sync all
        z = a(1, 2, 1, 1, 1, 2, 1, 1, 1, 2, 1, 2, 1, :)[neighbour(-1)]
        call expect(z, value(neighbour(-1), k(1, 2, 1, 1, 1, 2, 1, 1, 1, 2, 1, 2, 1, :), x), 'get of a row of rank 14')
        y = a(1, 1, 1, :, 1, 1, 1, 2:1:-1, 1, 1, 1, 1, :, 1)[neighbour(-1)]
        call expect(y, value(neighbour(-1), k(1, 1, 1, :, 1, 1, 1, 2:1:-1, 1, 1, 1, 1, :, 1), x), &
            'get of a cube of rank 14')
        sync all
        a(1, :, 1, 2, 1, 1, 1, 2, 1, :, 1, 1, 2:1:-1, 2)[neighbour(1)] = y
        sync all
        call expect(a(1, :, 1, 2, 1, 1, 1, 2, 1, :, 1, 1, 2:1:-1, 2), &
            value(neighbour(-2), k(1, 1, 1, :, 1, 1, 1, 2:1:-1, 1, 1, 1, 1, :, 1), x), 'put of a cube of rank 14')
        call expect(a(1, 1, 1, :, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), &
            value(this_image(), k(1, 1, 1, :, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), x), 'the rest of rank 14')
        sync all
        a(:, :, :, :, :, :, :, :, :, :, :, :, :, :)[neighbour(1)] = value(this_image(), 300 + k, x)
        sync all
        call expect(a, value(neighbour(-1), 300 + k, x), 'put of rank 14')
    end subroutine
end module

program ranks
    use ranks_m
    use check_m, only: check_end
    implicit none
    call rank_4
    call rank_5
    call rank_6
    call rank_7
    call rank_14
    call check_end
end program
