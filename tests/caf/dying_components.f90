! images: 2
! Gets of components with stat= while their image dies: between nodes, a get may have sent its request. Either the
! values or the status are right.
program dying_components
    use, intrinsic :: iso_c_binding, only: c_int
    use, intrinsic :: iso_fortran_env, only: stat_failed_image
    use check_m, only: check, check_end
    implicit none
    interface
        integer(c_int) function raise(signal) bind(c)
            import :: c_int
            integer(c_int), value :: signal
        end function
    end interface
    type part
        integer, allocatable :: v(:)
    end type
    type(part), save :: o[*]
    integer :: v(3), state, pause
    integer(8) :: began, now, rate
    allocate (o%v(3))
    o%v = this_image()
    sync all
    call system_clock(began, rate)
    if (this_image() == 2) then
        now = began
        do while (now - began < rate / 20)
            call system_clock(now)
        end do
        pause = raise(9_c_int)
    end if
    state = 0
    do while (state == 0)
        v = -1
        v(:) = o[2, stat=state]%v(:)
        if (state == 0) call check(all(v == 2), 'values')
        if (any(v /= 2)) exit
    end do
    call check(state, stat_failed_image, 'stat=')
    call check_end(survivors=.true.)
end program
