! images: 1 2 3 4 5 8 16
! Critical: one image at a time in each construct; a procedure's construct is the same for all calls; the next image
! sees all writes of the previous image inside the construct.
program critical_sections
    use check_m, only: check, check_end
    implicit none
    integer, parameter :: rounds = 300
    integer, save :: counter[*] = 0, other[*] = 0, common_one[*] = 0
    integer :: i, j, old, expected, calls
    expected = 0
    calls = 0
    do i = 1, rounds
        critical
            old = counter[1]
            counter[1] = old + 1
        end critical
        if (mod(i + this_image(), 3) == 0) then
            critical
                old = other[num_images()]
                other[num_images()] = old + this_image()
            end critical
        else
            call in_procedure
        end if
    end do
    sync all
    call check(counter[1], rounds * num_images(), 'counter in a critical construct')
    do i = 1, num_images()
        do j = 1, rounds
            if (mod(i + j, 3) == 0) expected = expected + i
            if (mod(i + j, 3) /= 0) calls = calls + 1
        end do
    end do
    call check(other[num_images()], expected, 'counter in the second construct')
    call check(common_one[1], calls, 'counter in a construct of a procedure')
    call check_end
contains
    subroutine in_procedure
        integer :: seen
        critical
            seen = common_one[1]
            common_one[1] = seen + 1
        end critical
    end subroutine
end program
