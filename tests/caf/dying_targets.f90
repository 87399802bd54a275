! images: 2
! flags: -Wno-target-lifetime
! Gets through a pointer component with stat= while their image dies. The target is on the stack, so the kernel copies
! it, or between nodes the image itself. Either the values or the status are right.
program dying_targets
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
        integer, pointer :: p(:)
    end type
    type(part), save :: o[*]
    call run(num_images())
    call check_end(survivors=.true.)

contains

    subroutine run(dies)
        integer, intent(in) :: dies
        integer, target :: local(3)    ! of constant size, therefore on the stack
        integer :: v(3), state, pause
        integer(8) :: began, now, rate
        local = this_image()
        o%p => local
        sync all
        call system_clock(began, rate)
        if (this_image() == dies) then
            now = began
            do while (now - began < rate / 20)
                call system_clock(now)
            end do
            pause = raise(9_c_int)
        end if
        state = 0
        do while (state == 0)
            v = -1
            v(:) = o[dies, stat=state]%p(:)
            if (state == 0) call check(all(v == dies), 'values')
            if (any(v /= dies)) exit
        end do
        call check(state, stat_failed_image, 'stat=')
    end subroutine
end program
