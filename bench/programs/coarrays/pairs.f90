! images: 1 2 4
! args: check
! sources: bench/timing/timing.f90 bench/timing/images.f90 bench/programs/coarrays/pair_rows.f90
! Contiguous put and get between pairs of images (the thesis, Figures 5.1 and 5.2, a and b). In a module procedure,
! gfortran 15 and 16 cannot compile accesses to coarrays of its module, or of modules that this module uses. Therefore
! each procedure uses the coarrays' module itself.
module pairs_coarray
    use, intrinsic :: iso_fortran_env, only: real64
    use pair_rows, only: most
    implicit none
    real(real64), save :: remote(most)[*]
end module

module pairs_by_coarrays
    use pair_rows
    implicit none

contains

    subroutine put(n)
        use pairs_coarray
        integer, intent(in) :: n
        integer :: i
        if (sends) then
            do i = 1, n
                remote(:words)[partner] = local(:words)
            end do
        end if
        sync all
    end subroutine

    subroutine put_sync(n)
        use pairs_coarray
        integer, intent(in) :: n
        integer :: i
        if (sends) then
            do i = 1, n
                remote(:words)[partner] = local(:words)
                sync memory
            end do
        end if
        sync all
    end subroutine

    subroutine get(n)
        use pairs_coarray
        integer, intent(in) :: n
        integer :: i
        if (sends) then
            do i = 1, n
                local(:words) = remote(:words)[partner]
            end do
        end if
        sync all
    end subroutine
end module

program pairs
    use pairs_coarray
    use pairs_by_coarrays
    use images
    implicit none
    call start_images(1)
    call choose_partner()
    call run_pair_rows(remote, put, put_sync, get)
    call end_images()
end program
