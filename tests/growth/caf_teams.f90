! images: 2 4
! Teams: formed with the same and with new numbers, within other teams, entered and left, with coarrays in them.
module teams_m
    use, intrinsic :: iso_fortran_env, only: team_type
    use growth_m, only: growth_begin, growth_goes_on
    implicit none
    integer, parameter :: kept = 1100   ! the core keeps the memory of 1024 teams that have ended
    type box
        real, allocatable :: data(:)
    end type
contains
    subroutine form(turns)
        integer, intent(in) :: turns
        type(team_type) :: t
        integer :: i
        i = 0
        call growth_begin('form team, the same again', turns)
        do while (growth_goes_on())
            form team (1 + mod(this_image(), 2), t)
        end do
        do i = 1, kept
            form team (2*i + mod(this_image(), 2), t)
        end do
        call growth_begin('form team, numbers not seen before', turns)
        do while (growth_goes_on())
            i = i + 1
            form team (2*i + mod(this_image(), 2), t)
        end do
        call growth_begin('form team, new numbers, entered', turns)
        do while (growth_goes_on())
            i = i + 1
            form team (2*i + mod(this_image(), 2), t)
            change team (t)
                sync all
            end team
        end do
    end subroutine

    ! Runs within a team, so that records and memory of nested teams are created and freed with the team.
    subroutine within(turns)
        integer, intent(in) :: turns
        type(team_type) :: t, inner
        integer :: i
        i = 0
        form team (1, t)
        change team (t)
            do i = 1, kept
                form team (2*i + mod(this_image(), 2), inner)
            end do
            call growth_begin('form team within a team, new numbers', turns)
            do while (growth_goes_on())
                i = i + 1
                form team (2*i + mod(this_image(), 2), inner)
                change team (inner)
                    sync all
                end team
            end do
        end team
    end subroutine

    subroutine enter(turns)
        integer, intent(in) :: turns
        type(team_type) :: t
        integer, allocatable :: a(:)[:]
        type(box), allocatable :: o[:], os(:)[:]
        integer :: x
        form team (1 + mod(this_image(), 2), t)
        call growth_begin('change team, end team, sync team', turns)
        do while (growth_goes_on())
            change team (t)
                sync all
            end team
            sync team (t)
        end do
        call growth_begin('coarrays that end team deallocates', turns)
        do while (growth_goes_on())
            change team (t)
                allocate (a(1000)[*], o[*], os(3)[*])
                allocate (o%data(1000), os(2)%data(500))
                a = 1
                x = a(1)[1]
            end team
        end do
        call growth_begin('coarrays deallocated in a team', turns)
        do while (growth_goes_on())
            change team (t)
                allocate (a(1000)[*], o[*])
                allocate (o%data(1000))
                deallocate (a)
                deallocate (o)
                x = 1
                call co_sum(x)
            end team
        end do
        if (x < 1) error stop 'wrong sum'
    end subroutine
end module

program caf_teams
    use growth_m, only: growth_end
    use teams_m, only: enter, form, within
    implicit none
    call form(5000)
    call within(5000)
    call enter(1000)
    call growth_end
end program
