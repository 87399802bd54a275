! images: 1 2 3 4
! Many accesses to the same sections: after several accesses, the library for gfortran 15 and 16 moves the section
! itself instead of calling the compiler's function. Both must give the same results. Rows and columns, strides of both
! signs, vector subscripts, values that change, and local memory that is part of the coarray.
program repeated_sections
    use check_m, only: check, check_end, neighbour
    implicit none
    integer, parameter :: turns = 14
    integer :: static(3000)[*], found(2000), i, turn
    integer, allocatable :: w(:)
    call random_init(.true., .false.)    ! the same bounds on all images
    call integers(6)
    call longs(4)
    call reals(4)
    call doubles(6)
    call complexes(4)
    call double_complexes(4)
    call logicals(4)
    call extended(4)

    ! An allocatable vector subscript, whose values change and whose address does not.
    static = [(i + 1000*this_image(), i=1, 3000)]
    sync all
    if (num_images() == 1) then
        allocate (w(2000))
        do turn = 1, 200    ! until malloc has returned the same memory for the compiler's copy several times
            w = [(turn + i, i=1, 2000)]
            found = static(w)[1]
            call check(all(found == w + 1000), 'get of an allocatable vector')
        end do
    end if
    ! Bounds that are constants, or variables of the module or the host.
    do turn = 1, turns
        call check(all(static(:)[neighbour(1)] == [(i + 1000*neighbour(1), i=1, 3000)]), 'get of all')
        call check(all(static(2500:101:-1)[neighbour(1)] == [(i + 1000*neighbour(1), i=2500, 101, -1)]), 'get back')
        call host(20*turn)
    end do
    sync all
    call check_end()

contains

    subroutine host(n)
        integer, intent(in) :: n
        call check(all(static(n:n + 1500)[neighbour(1)] == [(i + 1000*neighbour(1), i=n, n + 1500)]), 'get of a part')
    end subroutine

    subroutine random_bounds(n, first, last, step)
        integer, intent(in) :: n
        integer, intent(out) :: first, last, step
        real :: r(2)
        call random_number(r)
        step = merge(1, 2, r(1) < 0.6)
        first = 1 + int(r(2)*n/4)
        last = n - int(r(1)*n/4)
        if (r(2) < 0.4) then
            step = -step
            i = first
            first = last
            last = i
        end if
    end subroutine

    elemental integer(8) function long(i)
        integer, intent(in) :: i
        long = int(i, 8)*4000000000_8
    end function

    elemental complex(8) function double_complex(i)
        integer, intent(in) :: i
        double_complex = cmplx(i, -i, 8)
    end function

    elemental real(10) function extend(i)
        integer, intent(in) :: i
        extend = 1/real(i, 10)
    end function

    elemental logical function third(i)
        integer, intent(in) :: i
        third = modulo(i, 3) == 0
    end function

#define ELEMENT integer
#define NAME integers
#define VALUE int
#define SAME ==
#include "repeated_sections.inc"
#define ELEMENT integer(8)
#define NAME longs
#define VALUE long
#define SAME ==
#include "repeated_sections.inc"
#define ELEMENT real
#define NAME reals
#define VALUE real
#define SAME ==
#include "repeated_sections.inc"
#define ELEMENT real(8)
#define NAME doubles
#define VALUE dble
#define SAME ==
#include "repeated_sections.inc"
#define ELEMENT complex
#define NAME complexes
#define VALUE cmplx
#define SAME ==
#include "repeated_sections.inc"
#define ELEMENT complex(8)
#define NAME double_complexes
#define VALUE double_complex
#define SAME ==
#include "repeated_sections.inc"
#define ELEMENT real(10)
#define NAME extended
#define VALUE extend
#define SAME ==
#include "repeated_sections.inc"
#define ELEMENT logical
#define NAME logicals
#define VALUE third
#define SAME .eqv.
#include "repeated_sections.inc"

end program
