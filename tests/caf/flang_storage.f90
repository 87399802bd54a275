! compilers: flang23
! images: 1 2 3 4 5 7 8
! Coarrays with flang: static coarrays, whose data flang keeps in the variable; coarrays of modules, which constructors
! allocate before the main program starts; allocatable coarrays; bounds and cosubscripts. Coarrays that are deallocated
! automatically are freed.
module statics
implicit none
integer, save :: in_module(4)[*]
integer(8), save :: beside = -1
end module

program storage
use check_m
use statics
implicit none
integer :: me, n
integer, save :: before(2) = [11, 12], small[*], after(2) = [13, 14]
real(8), save :: whole(3, 2)[2, *]

me = this_image()
n = num_images()
call check_statics
call check_bounds
call check_types
call check_stat
call check_moved
call check_growth
call check_end
contains

subroutine check_statics
    integer :: i
    small = me * 7
    whole = reshape([(me * 100 + i * 0.5d0, i = 1, 6)], [3, 2])
    in_module = [(me + i, i = 1, 4)]
    sync all
    call check(all(before == [11, 12]) .and. all(after == [13, 14]), 'neighbours of a static coarray keep their values')
    call check(beside == -1, 'a neighbour in a module')
    call check(small == me * 7, 'a static scalar')
    call check(all(whole == reshape([(me * 100 + i * 0.5d0, i = 1, 6)], [3, 2])), 'a static array')
    call check(all(in_module == [(me + i, i = 1, 4)]), 'a static array of a module')
    call co_sum(in_module)
    call check(all(in_module == [(n * (n + 1) / 2 + n * i, i = 1, 4)]), 'co_sum of a static array')
end subroutine

subroutine check_bounds
    real, allocatable :: a(:, :)[:, :, :]
    integer, allocatable :: one[:]
    integer :: i, subscripts(3), last
    last = (n + 5) / 6
    allocate (a(-1:3, 2)[0:1, -3:-1, 5:*], one[-2:*])
    call check(all(lcobound(a) == [0, -3, 5]), 'lcobound')
    call check(all([ucobound(a, 1), ucobound(a, 2), ucobound(a, 3)] == [1, -1, 4 + last]), 'ucobound')
    call check(all(coshape(a) == [2, 3, last]), 'coshape')
    call check(lbound(a, 1) == -1 .and. ubound(a, 1) == 3, 'bounds')
    subscripts = this_image(a)
    call check(all(subscripts == [mod(me - 1, 2), mod((me - 1) / 2, 3) - 3, (me - 1) / 6 + 5]), 'this_image(a)')
    do i = 1, 3
        call check(this_image(a, i) == subscripts(i), 'this_image(a, dim)')
    end do
    call check(image_index(a, subscripts) == me, 'image_index of this image')
    call check(image_index(a, [0, -3, 4]) == 0, 'image_index below the bounds')
    call check(image_index(a, [2, -3, 5]) == 0, 'image_index above the bounds')
    call check(image_index(a, [1, -1, 4 + last]) == merge(n, 0, 6 * last == n), 'image_index of the last')
    call check(lcobound(one, 1) == -2 .and. ucobound(one, 1) == n - 3, 'cobounds of one codimension')
    call check(this_image(one, 1) == me - 3, 'this_image of one codimension')
    do i = 0, n + 1
        call check(image_index(one, [i - 3]) == merge(i, 0, i >= 1 .and. i <= n), 'image_index of one codimension')
    end do
end subroutine

subroutine check_types
    integer(1), allocatable :: tiny(:)[:]
    complex(8), allocatable :: z(:, :)[:]
    character(7), allocatable :: text(:)[:]
    logical, allocatable :: flag[:]
    integer, allocatable :: nothing(:)[:], big(:)[:]
    type pair
        real(8) :: x
        integer(1) :: i
    end type
    type(pair), allocatable :: pairs(:)[:]
    integer :: i
    allocate (tiny(5)[*], z(3, 3)[*], text(2)[*], flag[*], nothing(0)[*], pairs(4)[*], big(100000)[*])
    tiny = int(me - 100, 1)
    z = cmplx(me, -me, 8)
    text = ['image  ', achar(iachar('a') + me) // '      ']
    flag = mod(me, 2) == 0
    pairs = pair(me / 4d0, int(me, 1))
    big = [(ieor(i, me), i = 1, 100000)]
    sync all
    call check(size(tiny) == 5 .and. all(tiny == me - 100), 'integer(1)')
    call check(all(z == cmplx(me, -me, 8)), 'complex')
    call check(text(1) == 'image' .and. text(2)(1:1) == achar(iachar('a') + me), 'character')
    call check(flag .eqv. mod(me, 2) == 0, 'logical')
    call check(size(nothing) == 0, 'no elements')
    call check(all(pairs%x == me / 4d0) .and. all(pairs%i == me), 'a derived type')
    call check(all(big == [(ieor(i, me), i = 1, 100000)]), 'many elements')
    deallocate (tiny, z)
    call check(.not. allocated(tiny) .and. .not. allocated(z) .and. allocated(text), 'deallocate')
    allocate (tiny(3)[*])
    tiny = int(me, 1)
    call check(all(pairs%i == me) .and. all(tiny == me), 'allocated again')
end subroutine

subroutine check_stat
    integer, allocatable :: a(:)[:]
    integer :: stat
    character(60) :: message
    allocate (a(10)[*])
    a = me
    stat = 77
    message = 'as before'
    deallocate (a, stat=stat, errmsg=message)
    call check(stat == 0 .and. message == 'as before' .and. .not. allocated(a), 'deallocate with stat=')
    deallocate (a, stat=stat)
    call check(stat /= 0, 'deallocate of an unallocated coarray has a stat')
end subroutine

subroutine check_moved
    integer, allocatable :: from(:)[:], to(:)[:]
    integer :: turn
    allocate (from(6)[*])
    from = [me, 2, 3, 4, 5, -me]
    call move_alloc(from, to)
    call check(.not. allocated(from) .and. allocated(to), 'move_alloc moves')
    call check(all(to == [me, 2, 3, 4, 5, -me]), 'move_alloc moves the data')
    do turn = 1, 40
        allocate (from(2000000)[*])
        from(2000000) = me + turn
        call move_alloc(from, to)
        call check(to(2000000) == me + turn, 'move_alloc to an allocated coarray')
    end do
end subroutine

! Allocates more in total than the heap holds at the same time.
subroutine check_growth
    integer :: turn
    do turn = 1, 40
        call once(turn)
    end do
end subroutine

subroutine once(turn)
    integer, intent(in) :: turn
    integer(8), allocatable :: a(:)[:]
    allocate (a(1000000)[*])
    a(1) = turn
    a(1000000) = me
    call check(a(1) + a(1000000) == turn + me, 'a local coarray')
end subroutine
end program
