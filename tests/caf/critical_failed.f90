! images: 3 4 5
! Image 1, in a team of its own, fails while the images of another team execute and enter critical blocks: these images
! go on, one at a time, also in nested blocks.
program critical_failed
    use, intrinsic :: iso_c_binding, only: c_int
    use, intrinsic :: iso_fortran_env, only: team_type
    use check_m, only: check, check_end
    implicit none
    interface
        integer(c_int) function shmemx_pe_state(pe) bind(c)
            import :: c_int
            integer(c_int), value :: pe
        end function
    end interface
    integer(c_int), parameter :: dead = 2
    integer, parameter :: rounds = 1000
    integer, save :: counter[*] = 0
    type(team_type) :: part
    integer :: i
    form team (merge(1, 2, this_image() == 1), part)
    change team (part)
        if (team_number() == 1) call fail_soon
        critical
            do while (shmemx_pe_state(0_c_int) /= dead)
            end do
            call count_one
        end critical
        do i = 2, rounds
            call count_one
        end do
        sync team (part)
        if (this_image() == 1) call check(counter, rounds * num_images(), 'counter')
        call check_end(survivors=.true.)
    end team
contains
    subroutine fail_soon
        integer(8) :: now, begin, rate
        call system_clock(begin, rate)
        do
            call system_clock(now)
            if (now - begin > rate / 5) exit
        end do
        fail image
    end subroutine

    subroutine count_one
        integer :: before
        critical
            before = counter[1]
            counter[1] = before + 1
        end critical
    end subroutine
end program
