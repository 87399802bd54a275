! images: 1 2 4
! args: check
! args: quick
! sources: bench/timing/timing.f90 bench/timing/images.f90
! All images acquire and release the lock on image 1 (the thesis, Figure 5.3): the time divided by all
! acquisitions. In a module procedure, gfortran 15 and 16 cannot compile accesses to coarrays of its module, or of
! modules that this module uses. Therefore each procedure uses the coarrays' module itself.
module lock_coarrays
    use, intrinsic :: iso_fortran_env, only: lock_type
    implicit none
    type(lock_type), save :: guard[*]
    integer, save :: total[*]
end module

module lock_rows
    use, intrinsic :: iso_fortran_env, only: real64
    use timing
    implicit none
    integer :: counted = 0  ! this image's increments

contains

    subroutine lock_empty(n)
        use lock_coarrays
        integer, intent(in) :: n
        integer :: i
        do i = 1, n
            lock (guard[1])
            unlock (guard[1])
        end do
        sync all
    end subroutine

    ! Checks increments of one variable by all images; without the lock, some would be lost.
    subroutine lock_count(n)
        use lock_coarrays
        integer, intent(in) :: n
        integer :: i, had  ! gfortran 15 reads total[1] + 1 of this image where it assigns to another
        do i = 1, n
            lock (guard[1])
            had = total[1]
            total[1] = had + 1
            unlock (guard[1])
        end do
        sync all
        counted = counted + n
    end subroutine

    real(real64) function per_acquisition(us)
        real(real64), intent(in) :: us
        per_acquisition = us / num_images()
    end function
end module

program locks
    use lock_coarrays
    use lock_rows
    use images
    implicit none
    call start_images(1)
    total = 0
    call measure('lock_empty', 0, lock_empty, figure=per_acquisition)
    call measure('lock_count', 0, lock_count, figure=per_acquisition)
    call lock_count(merge(2, 100, bench%emulated))
    if (this_image() == 1) &
        call expect('lock_count', 0, real(total, real64), real(counted, real64) * num_images())
    call end_images()
end program
