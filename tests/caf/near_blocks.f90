! images: 1 2 3
! flags: -O2
! Blocks of a coarray and of components that the library copies, so often that it uses each method of copying. The
! blocks begin and end at any byte of a cache line.
module near_blocks_m
    implicit none
    type parts
        integer(1), allocatable :: given(:), taken(:)
    end type
    integer(1), save :: h(20000)[*]
    type(parts), save :: a[*]
end module

program near_blocks
    use check_m, only: check, check_end
    use near_blocks_m
    implicit none
    integer, parameter :: n = 20000
    integer :: round
    allocate (a%given(n), a%taken(n))
    do round = 1, 140
        call step(1 + mod(this_image(), num_images()), this_image(), mod(7*round, 64) + 1, &
                  n - mod(5*round, 64) - merge(13000, 0, mod(round, 3) == 0), round)
    end do
    call check_end

contains

    ! Puts to and gets from image k, the next image.
    subroutine step(k, me, first, last, round)
        integer, intent(in) :: k, me, first, last, round
        integer :: before
        integer(1) :: got(n)
        before = 1 + mod(me + num_images() - 2, num_images())
        a%given = pattern(me, round)
        a%taken = -1
        h = -1
        got = -1
        sync all
        h(first:last)[k] = a%given(first:last)
        got(first:last) = a[k]%given(first:last)
        sync all
        call check(is_there(h, before, first, last, round), 'a put of a block')
        call check(is_there(got, k, first, last, round), 'a get of a component''s block')
        a%taken(first:last) = a[k]%given(first:last)
        call check(is_there(a%taken, k, first, last, round), 'a get into a component')
        sync all
        a[k]%taken(first:last) = got(last:first:-1)
        a[k]%taken(first:last) = a%given(first:last)
        sync all
        call check(is_there(a%taken, before, first, last, round), 'a put of a component''s block')
        got = -1
        got(first:last) = h(first:last)[k]
        call check(is_there(got, me, first, last, round), 'a get of a block')
        sync all
    end subroutine

    function pattern(image, round)
        integer, intent(in) :: image, round
        integer(1) :: pattern(n)
        integer :: i
        pattern = [(int(mod(i*image + round, 97), 1), i=1, n)]
    end function

    logical function is_there(block, image, first, last, round)
        integer(1), intent(in) :: block(n)
        integer, intent(in) :: image, first, last, round
        integer(1) :: expected(n)
        expected = -1
        expected(first:last) = sub(pattern(image, round), first, last)
        is_there = all(block == expected)
    end function

    function sub(block, first, last)
        integer(1), intent(in) :: block(n)
        integer, intent(in) :: first, last
        integer(1) :: sub(last - first + 1)
        sub = block(first:last)
    end function
end program
