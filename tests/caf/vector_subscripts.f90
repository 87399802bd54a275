! images: 1 2 3 4 5 8
! Vector subscripts that are allocatable, or components, in gets and puts; accesses use their current values. Several of
! them in one access, of length zero, for components on another image, on both sides.
program vector_subscripts
    use check_m, only: check, check_end, neighbour
    implicit none
    type :: box
        integer, allocatable :: v(:)
    end type
    integer, save :: line(50)[*], grid(20, 10)[*]
    integer(8), allocatable :: long(:)[:]
    integer(8) :: wide(6)
    type(box), save :: o[*]
    type(box) :: mine
    integer, allocatable :: u(:), v(:), w(:), none(:)
    integer :: i, j, turn, k, before, got(6), often(60), table(2, 3)

    allocate (long(50)[*])
    allocate (o%v(50))
    k = neighbour(1)
    before = neighbour(-1)
    do turn = 1, 20
        line = [(1000 * this_image() + i + turn, i = 1, 50)]
        long = line
        o%v = line
        grid = reshape([((1000 * this_image() + 20 * j + i + turn, i = 1, 20), j = 1, 10)], [20, 10])
        v = [(1 + modulo(7 * i + turn, 50), i = 1, 6)]
        w = [3 + modulo(turn, 5), 1, 9]
        mine%v = v
        sync all
        got = line(v)[k]
        call check(all(got == 1000 * k + v + turn), 'get of a vector')
        got = line(mine%v)[k]
        call check(all(got == 1000 * k + v + turn), 'get of a vector that is a component')
        wide = long(v)[k]
        call check(all(wide == 1000 * k + v + turn), 'get from an allocatable coarray')
        got = o[k]%v(v)
        call check(all(got == 1000 * k + v + turn), 'get of a component')
        v = [(1 + modulo(7 * i + turn, 50), i = 1, 60)]
        often = line(v)[k]
        call check(all(often == 1000 * k + v + turn), 'get of more elements than there are')
#if __GNUC__ > 14 /* older ones crash at it */
        none = line(v)[k]
        call check(all(none == often), 'get of more elements into new memory')
#endif
        v = v(:6)
        u = [20, 1 + modulo(3 * turn, 20)]
        table = grid(u, w)[k]
        call check(all(table == reshape([((1000 * k + 20 * w(j) + u(i) + turn, i = 1, 2), j = 1, 3)], [2, 3])), &
            'get of two vectors')
        none = [integer ::]
        got = -1
        got(1:size(none)) = line(none)[k]
        call check(all(got == -1), 'get of no elements')
        sync all
        v = [(1 + modulo(7 * i + turn, 50), i = 1, 6)]
        line(v)[k] = [(-100 * this_image() - i, i = 1, 6)]
        long(v)[k] = [(-100_8 * this_image() - i, i = 1, 6)]
        v = 1    ! changes the current values
        sync all
        v = [(1 + modulo(7 * i + turn, 50), i = 1, 6)]
        call check(all(line(v) == [(-100 * before - i, i = 1, 6)]), 'put to a vector')
        call check(all(long(v) == [(-100 * before - i, i = 1, 6)]), 'put to an allocatable coarray')
        call check(count(line > 0), 44, 'elements beside a vector')
        sync all
    end do
    call check_end
end program
