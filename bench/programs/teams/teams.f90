! images: 1 2 4
! args: check
! sources: bench/timing/timing.f90 bench/timing/images.f90 bench/programs/teams/team_rows.f90
! Team microbenchmarks ("A Team-Based Methodology ...", V-B): barrier, all-reduce, broadcast, forming a team and
! changing to it, by coarray teams.
module teams_by_coarrays
    use, intrinsic :: iso_fortran_env, only: real64, team_type
    use team_rows
    implicit none
    type(team_type) :: team

contains

    subroutine form(number)
        integer, intent(in) :: number
        form team (number, team)
    end subroutine

    ! This image's index in the team and the team's number of images.
    subroutine locate(index, count)
        integer, intent(out) :: index, count
        change team (team)
            index = this_image()
            count = num_images()
        end team
    end subroutine

    subroutine barrier(n)
        integer, intent(in) :: n
        integer :: i
        change team (team)
            call start_clock()
            do i = 1, n
                sync all
            end do
            call stop_clock()
        end team
    end subroutine

    subroutine reduce(n)
        integer, intent(in) :: n
        integer :: i
        change team (team)
            call start_clock()
            do i = 1, n
                call co_sum(x(:words))
            end do
            call stop_clock()
        end team
    end subroutine

    subroutine broadcast(n)
        integer, intent(in) :: n
        integer :: i
        change team (team)
            call start_clock()
            do i = 1, n
                call co_broadcast(x(:words), mod(first_root + i - 2, num_images()) + 1)
            end do
            call stop_clock()
        end team
    end subroutine

    subroutine form_again(n)
        integer, intent(in) :: n
        type(team_type) :: again
        integer :: i
        call start_clock()
        do i = 1, n
            form team (my_number, again)
        end do
        call stop_clock()
    end subroutine

    subroutine change(n)
        integer, intent(in) :: n
        integer :: i
        call start_clock()
        do i = 1, n
            change team (team)
            end team
        end do
        call stop_clock()
    end subroutine

    subroutine sum_over_all(values)
        real(real64), intent(inout) :: values(:)
        call co_sum(values)
    end subroutine
end module

program teams
    use teams_by_coarrays
    use images
    implicit none
    call start_images(1)
    call run_team_rows(actions(form, locate, barrier, reduce, broadcast, form_again, change, sum_over_all))
    call end_images()
end program
