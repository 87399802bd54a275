! images: 2 3
! flags: -O2 -fno-inline
! Functions that read VOLATILE variables, query the states of images, or put (15, 16), which gfortran regards as pure
! (mend.cc): each call must be executed.
module mended_purity_m
    use, intrinsic :: iso_fortran_env, only: stat_failed_image
    implicit none
    integer, volatile, save :: seen[*] = 0
    integer, save :: put(4)[*] = 0
contains
    integer function put_scalar(image, value)
        integer, intent(in) :: image, value
        put(1)[image] = value
        put_scalar = 0
    end function

    integer function put_section(image, value)
        integer, intent(in) :: image, value
        put(3:4)[image] = value
        put_section = 0
    end function

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
    integer :: last, i
    last = num_images()
    do i = 1, 3
        if (put_scalar(neighbour(1), i) + put_section(neighbour(1), 2*i) /= 0) error stop
    end do
    sync all
    call check(all(put == [3, 0, 6, 6]), "functions that put")
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
