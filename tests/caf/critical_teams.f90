! images: 2 3 4 5
! Critical in teams that are siblings: one image at a time executes the block, of all images, not only of the team
! (Fortran 2018, 11.1.6).
program critical_teams
    use, intrinsic :: iso_c_binding, only: c_int
    use, intrinsic :: iso_fortran_env, only: team_type
    use check_m, only: check, check_end
    implicit none
    interface
        integer(c_int) function shmem_int_g(source, pe) bind(c)
            import :: c_int
            integer(c_int), intent(inout) :: source
            integer(c_int), value :: pe
        end function
        subroutine shmem_int_p(dest, value, pe) bind(c)
            import :: c_int
            integer(c_int), intent(inout) :: dest
            integer(c_int), value :: value, pe
        end subroutine
        subroutine shmem_quiet() bind(c)
        end subroutine
    end interface
    integer, parameter :: rounds = 10000
    integer(c_int), save :: counter[*] = 0
    type(team_type) :: part, one
    integer :: i
    form team (1 + mod(this_image(), 2), part)
    change team (part)
        do i = 1, rounds
            call count_one
        end do
        form team (this_image(), one)
        change team (one)
            do i = 1, rounds
                call count_one
            end do
        end team
    end team
    do i = 1, rounds
        call count_one
    end do
    sync all
    if (this_image() == 1) call check(counter, 3 * rounds * num_images(), 'counter of all images')
    call check_end
contains
    ! The counter of image 1 of the initial team, which no image selector reaches in a team.
    subroutine count_one
        integer(c_int) :: before
        critical
            before = shmem_int_g(counter, 0)
            call shmem_int_p(counter, before + 1, 0)
            call shmem_quiet
        end critical
    end subroutine
end program
