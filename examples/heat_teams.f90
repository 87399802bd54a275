! run: cafrun -n 4 ./heat_teams
! prints: each rod ends with the heat it began with
! Two teams solve a problem each at the same time: how heat spreads in an insulated rod, of copper and of iron.
! Inside CHANGE TEAM images count from 1 again; END TEAM deallocates the coarrays that the team has allocated there.
program heat_teams
    use, intrinsic :: iso_fortran_env, only: real64, team_type
    implicit none
    integer, parameter :: points = 50, steps = 2000
    real(real64), parameter :: diffusion(2) = [0.46_real64, 0.09_real64]
    type(team_type) :: rod
    real(real64) :: hottest
    integer :: which

    which = mod(this_image() - 1, 2) + 1
    form team (which, rod)
    change team (rod)
        call spread_heat(diffusion(which), hottest)
        if (this_image() == 1) print '(a,i0,a,i0,a,f0.3)', 'rod ', which, ' on ', num_images(), ' images: ', hottest
    end team
    sync all
    if (this_image() == 1) print '(a)', 'each rod ends with the heat it began with'

contains

    ! Each image of the team has one part of the rod; u(0) and u(points + 1) are copies of the neighbours' ends.
    subroutine spread_heat(speed, hottest)
        real(real64), intent(in) :: speed
        real(real64), intent(out) :: hottest
        real(real64), allocatable :: u(:)[:]
        real(real64) :: heat
        integer :: me, step

        me = this_image()
        allocate (u(0:points + 1)[*])
        u = 0
        if (me == 1) u(1:5) = 100       ! only one end is hot
        do step = 1, steps
            sync all                    ! the team's images have completed the last step
            u(0) = u(1)                 ! nothing flows out of the ends of the rod
            u(points + 1) = u(points)
            if (me > 1) u(0) = u(points)[me - 1]
            if (me < num_images()) u(points + 1) = u(1)[me + 1]
            sync all                    ! all images have read the neighbours' ends
            u(1:points) = u(1:points) + speed * (u(0:points - 1) - 2 * u(1:points) + u(2:points + 1))
        end do
        heat = sum(u(1:points))
        hottest = maxval(u(1:points))
        call co_sum(heat)               ! over the team
        call co_max(hottest)
        if (.not. abs(heat - 500) <= 1e-9_real64) error stop 'heat was lost'
    end subroutine
end program
