! images: 1 2 3 4 5 8
! co_min and co_max of integers and reals of every kind and of characters: scalars, ranks 1 and 2, sections,
! result_image, stat and errmsg, large arrays; values of all sizes and signs.
module co_minmaxs_m
    use check_m, only: check, check_end
    use values_m, only: value, text, expect
    implicit none
    integer, parameter :: large = 20000
    integer :: k_
    integer, parameter :: sequence(large) = [(k_, k_ = 1, large)]
    integer, parameter :: k9(9) = [(k_, k_ = 1, 9)], k43(4, 3) = reshape([(k_, k_ = 100, 111)], [4, 3])
contains
! Types that gfortran does not distinguish are refused (co_refused.f90).
#define UP_TO_DOUBLE
#define BODY "co_minmax.inc"
#include "each_integer.inc"
#include "each_real.inc"
#undef BODY

    subroutine characters
        character(11) :: s, a(4), least(4), most(4), t
        integer :: image, i
        do i = 1, 4
            least(i) = text(1, i, 11)
            most(i) = least(i)
            do image = 2, num_images()
                t = text(image, i, 11)
                if (t < least(i)) least(i) = t
                if (t > most(i)) most(i) = t
            end do
            a(i) = text(this_image(), i, 11)
        end do
        s = a(1)
        call co_min(s)
        call expect(s, least(1), 'co_min of characters')
        s = a(2)
        call co_max(s, result_image=1)
        if (this_image() == 1) call expect(s, most(2), 'co_max of characters to one image')
        call co_max(a(1:3:2))
        call expect(a(1), most(1), 'co_max of an array of characters')
        call expect(a(3), most(3), 'co_max of an array of characters')
        call expect(a(2), text(this_image(), 2, 11), 'an element between those of the section')
        call co_min(a(4:2:-2))
        call expect(a(4), least(4), 'co_min of an array of characters')
        call expect(a(2), least(2), 'co_min of an array of characters')
    end subroutine
end module

program co_minmaxs
    use co_minmaxs_m
    implicit none
#define BODY "call_test.inc"
#include "each_integer.inc"
#include "each_real.inc"
#undef BODY
    call characters
    call check_end
end program
