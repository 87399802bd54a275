! images: 2 3
! Image 1, which has the lock of CRITICAL, fails while image 2 is in the block: END CRITICAL, which has no stat=, is no
! error.
program critical_left
    use, intrinsic :: iso_fortran_env, only: atomic_int_kind, stat_failed_image
    use check_m, only: check, check_end
    implicit none
    integer(atomic_int_kind), save :: inside[*] = 0
    integer(atomic_int_kind) :: seen
    integer :: state
    seen = 0
    if (this_image() == 1) then
        do while (seen == 0)
            call atomic_ref(seen, inside)
        end do
        fail image
    end if
    if (this_image() == 2) then
        critical
            call atomic_define(inside[1], 1)
            do while (image_status(1) /= stat_failed_image)
            end do
        end critical
    end if
    sync all (stat=state)
    call check(state /= 0, 'stat= of sync all')
    call check_end(survivors=.true.)
end program
