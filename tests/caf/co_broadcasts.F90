! images: 1 2 3 4 5 8
! co_broadcast of every type and kind, of characters and of derived types, with allocatable components too, from every
! image: scalars, ranks 1 to 3, sections, stat and errmsg, large arrays.
module co_broadcasts_m
    use check_m, only: check, check_end
    use values_m, only: value, text, expect
    implicit none
    integer, parameter :: large = 20000
    integer :: k_
    integer, parameter :: sequence(large) = [(k_, k_ = 1, large)]
    integer, parameter :: k9(9) = [(k_, k_ = 1, 9)], k43(4, 3) = reshape([(k_, k_ = 100, 111)], [4, 3])
    integer, parameter :: k232(2, 3, 2) = reshape([(k_, k_ = 200, 211)], [2, 3, 2])
    type :: plain
        integer(1) :: flag
        real(8) :: x(3)
        character(5) :: word
    end type
    type :: rich
        integer(2) :: n
        real(8), allocatable :: v(:)
        type(plain) :: p
        integer(8), allocatable :: s
    end type
contains
#define BODY "co_broadcast.inc"
#include "each_type.inc"
#undef BODY

    subroutine characters
        character(13) :: s, a(5)
        integer :: source, i
        do source = 1, num_images()
            s = text(this_image(), 9, 13)
            do i = 1, 5
                a(i) = text(this_image(), i, 13)
            end do
            call co_broadcast(s, source)
            call expect(s, text(source, 9, 13), 'co_broadcast of characters')
            call co_broadcast(a(1:5:2), source)
            do i = 1, 5
                call expect(a(i), text(merge(source, this_image(), mod(i, 2) == 1), i, 13), &
                    'co_broadcast of characters')
            end do
        end do
    end subroutine

    type(plain) function make(image, k) result(v)
        integer, intent(in) :: image, k
        v%flag = value(image, k, 1_1)
        v%x = value(image, 10 * k + k9(:3), 1.0d0)
        v%word = text(image, k, 5)
    end function

    subroutine same(found, expected, what)
        type(plain), intent(in) :: found, expected
        character(*), intent(in) :: what
        call expect(found%flag, expected%flag, what // ', flag')
        call expect(found%x, expected%x, what // ', x')
        call expect(found%word, expected%word, what // ', word')
    end subroutine

    subroutine derived
        type(plain) :: s, a(6)
        type(rich) :: r
        integer :: source, i, n
        do source = 1, num_images()
            s = make(this_image(), 1)
            call co_broadcast(s, source)
            call same(s, make(source, 1), 'co_broadcast of a derived type')
            do i = 1, 6
                a(i) = make(this_image(), i)
            end do
            call co_broadcast(a(6:1:-2), source)
            do i = 1, 6
                call same(a(i), make(merge(source, this_image(), mod(i, 2) == 0), i), 'co_broadcast of derived types')
            end do
            ! allocated on all images, with the same shape
            n = 3 + source
            if (allocated(r%v)) deallocate (r%v, r%s)
            allocate (r%v(n), r%s)
            r%n = value(this_image(), source, 1_2)
            r%v = value(this_image(), k9(1) + [(i, i = 1, n)], 1.0d0)
            r%p = make(this_image(), 3)
            r%s = value(this_image(), 4, 1_8)
            call co_broadcast(r, source)
            call expect(r%n, value(source, source, 1_2), 'co_broadcast with allocatable components')
            call check(allocated(r%v) .and. allocated(r%s), 'allocated components')
            call expect(r%v, value(source, k9(1) + [(i, i = 1, n)], 1.0d0), 'allocatable component')
            call same(r%p, make(source, 3), 'component beside')
            call expect(r%s, value(source, 4, 1_8), 'allocatable scalar component')
        end do
    end subroutine
end module

program co_broadcasts
    use co_broadcasts_m
    implicit none
#define BODY "call_test.inc"
#include "each_type.inc"
#undef BODY
    call characters
    call derived
    call check_end
end program
