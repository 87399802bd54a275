! compilers: flang22 flang23
! images: 1 2 3 4 5 7 8 16
! Collective subroutines with flang: types and kinds, sections, result_image, stat and errmsg.
program collectives
use check_m
implicit none
type point
    real(8) :: x
    integer(1) :: c
    character(3) :: name
end type
integer :: me, n

me = this_image()
n = num_images()
call check_integers
call check_reals
call check_sections
call check_large
call check_characters
call check_broadcasts
call check_errors
sync memory
call check_end
contains

subroutine check_integers
    integer(1) :: i1
    integer(2) :: i2
    integer :: i4
    integer(8) :: i8, low
    integer(16) :: i16
    i1 = int(me - 8, 1)
    i2 = int(-1000 * me, 2)
    i4 = me
    i8 = me * 10000000000_8
    i16 = me * 10_16 ** 30
    call co_sum(i1)
    call check(i1 == n * (n + 1) / 2 - 8 * n, 'co_sum of integer(1)')
    call co_min(i2)
    call check(i2 == -1000 * n, 'co_min of integer(2)')
    call co_max(i4, result_image=n)
    if (me == n) call check(i4 == n, 'co_max of integer(4) on one image')
    call co_sum(i8)
    call check(i8 == n * (n + 1_8) / 2 * 10000000000_8, 'co_sum of integer(8)')
    low = ieor(-huge(low) - 1, int(me, 8))
    call co_min(low)
    call check(low == -huge(low) - 1 + 1, 'co_min of integer(8) with the top bit set')
    call co_max(i16)
    call check(i16 == n * 10_16 ** 30, 'co_max of integer(16)')
end subroutine

subroutine check_reals
    real :: r(3)
    real(8) :: d
    real(10) :: x
    complex :: c
    complex(8) :: z(2)
    r = [1.0, -1.0, 0.5] * me
    d = -me * 1d200
    x = me * 1e3000_10
    c = cmplx(me, -2 * me)
    z = cmplx(me, 1, 8)
    call co_max(r)
    call check(all(r == [real(n), -1.0, 0.5 * n]), 'co_max of reals')
    call co_min(d)
    call check(d == -n * 1d200, 'co_min of real(8)')
    call co_max(x)
    call check(x == n * 1e3000_10, 'co_max of real(10)')
    call co_sum(c)
    call check(c == cmplx(n * (n + 1) / 2, -n * (n + 1)), 'co_sum of complex')
    call co_sum(z, result_image=1)
    if (me == 1) call check(all(z == cmplx(n * (n + 1) / 2, n, 8)), 'co_sum of complex(8) on one image')
end subroutine

subroutine check_sections
    integer :: a(10, 6), i, j
    a = reshape([((me * (i + 10 * j), i = 1, 10), j = 0, 5)], [10, 6])
    call co_sum(a(2:10:3, 6:1:-2))
    do j = 1, 6
        do i = 1, 10
            if (mod(i, 3) == 2 .and. mod(j, 2) == 0) then
                call check(a(i, j) == n * (n + 1) / 2 * (i + 10 * (j - 1)), 'co_sum of a section')
            else
                call check(a(i, j) == me * (i + 10 * (j - 1)), 'beside a section')
            end if
        end do
    end do
    call co_sum(a(3:2, :))
    a = me
    call co_broadcast(a(1:10:9, 3), source_image=n)
    call check(all(a(1:10:9, 3) == n) .and. all(a(2:9, 3) == me), 'co_broadcast of a section')
end subroutine

subroutine check_large
    real(8), allocatable :: a(:)
    integer :: i
    allocate (a(100000))
    a = [(me * real(i, 8), i = 1, size(a))]
    call co_sum(a)
    call check(all(a == [(n * (n + 1) / 2 * real(i, 8), i = 1, size(a))]), 'co_sum of many elements')
    a = me
    call co_broadcast(a, 1)
    call check(all(a == 1), 'co_broadcast of many elements')
end subroutine

subroutine check_characters
    character(9) :: s(2)
    write (s(1), '(a, i3.3)') 'image ', me
    write (s(2), '(i3.3, a)') 999 - me, ' image'
    call co_max(s)
    call check(s(1) == 'image ' // digits(n) .and. s(2) == '998 image', 'co_max of characters')
end subroutine

character(3) function digits(i)
    integer, intent(in) :: i
    write (digits, '(i3.3)') i
end function

subroutine check_broadcasts
    type(point) :: p(5)
    character(20) :: text
    logical :: l(3)
    integer :: i, source
    do source = 1, n
        p = [(point(me * i, int(me, 1), digits(me)), i = 1, 5)]
        text = 'of ' // digits(me)
        l = [me == source, .false., .true.]
        call co_broadcast(p, source)
        call co_broadcast(text, source)
        call co_broadcast(l, source)
        call check(all(p%x == [(source * i, i = 1, 5)]) .and. all(p%c == source) .and. &
            all(p%name == digits(source)), 'co_broadcast of a derived type')
        call check(text == 'of ' // digits(source), 'co_broadcast of characters')
        call check(all(l .eqv. [.true., .false., .true.]), 'co_broadcast of logicals')
    end do
end subroutine

subroutine check_errors
    integer :: i, stat
    character(200) :: message
    character(6) :: short
    i = me
    message = 'as before'
    stat = 55
    call co_sum(i, stat=stat, errmsg=message)
    call check(stat == 0 .and. message == 'as before', 'stat of co_sum')
    call co_broadcast(i, n + 1, stat=stat, errmsg=message)
    call check(stat /= 0 .and. index(message, 'source_image') > 0, 'stat of a wrong source_image')
    call co_max(i, result_image=-3, stat=stat, errmsg=short)
    call check(stat /= 0 .and. short /= 'as bef', 'stat of a wrong result_image')
end subroutine
end program
