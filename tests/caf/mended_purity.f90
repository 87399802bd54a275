! images: 2 3
! flags: -O2 -fno-inline
! Functions that read VOLATILE variables, or query the states of images, which gfortran regards as pure (mend.cc): a
! loop must call them each time.
module mended_purity_m
    use, intrinsic :: iso_fortran_env, only: stat_failed_image
    implicit none
    integer, volatile, save :: seen[*] = 0
contains
    integer function seen_here()
        seen_here = seen
    end function

    integer function twice()
        twice = 2 * seen_here()
    end function

    logical function has_failed(image)
        integer, intent(in) :: image
        has_failed = image_status(image) == stat_failed_image
    end function

    logical function any_failed()
        any_failed = size(failed_images()) > 0
    end function

    subroutine wait_a_little
        integer(8) :: now, begin, rate
        call system_clock(begin, rate)
        do
            call system_clock(now)
            if (now - begin > rate / 10) exit
        end do
    end subroutine
end module

program mended_purity
    use mended_purity_m
    use check_m, only: check, check_end, neighbour
    implicit none
    integer :: last
    last = num_images()
    call wait_a_little
    seen[neighbour(1)] = 1
    do while (seen_here() == 0)
    end do
    sync all
    call wait_a_little
    seen[neighbour(1)] = 2
    do while (twice() == 2)
    end do
    sync all
    if (this_image() == last) then
        call wait_a_little
        fail image
    end if
    if (this_image() == 1) then
        do while (.not. has_failed(last))
        end do
    else
        do while (.not. any_failed())
        end do
    end if
    call check_end(survivors=.true.)
end program
