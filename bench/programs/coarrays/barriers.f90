! images: 1 2 4
! args: check
! sources: bench/timing/timing.f90 bench/timing/images.f90
! The time of a synchronization: sync all; sync images with both neighbours in a ring; sync images with image 1. In a
! module procedure, gfortran 15 and 16 cannot compile accesses to coarrays of its module, or of modules that this module
! uses. Therefore each procedure uses the coarrays' module itself.
module barrier_coarray
    implicit none
    integer, allocatable :: heard(:)[:]  ! (i): what image i has put here last: 100 * round + i
end module

module barrier_rows
    use, intrinsic :: iso_fortran_env, only: real64
    use timing
    implicit none
    integer, allocatable :: beside(:)    ! the neighbours in the ring

contains

    subroutine sync_all(n)
        integer, intent(in) :: n
        integer :: i
        do i = 1, n
            sync all
        end do
    end subroutine

    subroutine sync_ring(n)
        integer, intent(in) :: n
        integer :: i
        do i = 1, n
            sync images (beside)
        end do
    end subroutine

    subroutine sync_first(n)
        integer, intent(in) :: n
        integer :: i
        if (this_image() == 1) then
            do i = 1, n
                sync images (*)
            end do
        else
            do i = 1, n
                sync images (1)
            end do
        end if
    end subroutine

    ! Checks that a number put before the synchronization has arrived after it.
    subroutine check(row, meet, others)
        use barrier_coarray
        character(len=*), intent(in) :: row
        procedure(operation) :: meet
        integer, intent(in) :: others(:)
        integer :: round, k
        do round = 1, 50
            do k = 1, size(others)
                heard(this_image())[others(k)] = round * 100 + this_image()
            end do
            call meet(1)
            do k = 1, size(others)
                call expect(row, round, real(heard(others(k)), real64), real(round * 100 + others(k), real64))
            end do
            call meet(1)
        end do
    end subroutine
end module

program barriers
    use barrier_coarray
    use barrier_rows
    use images
    implicit none
    integer :: left, right, i

    call start_images(1)
    left = modulo(this_image() - 2, num_images()) + 1
    right = mod(this_image(), num_images()) + 1
    allocate (beside(merge(1, 2, left == right)))
    beside(1) = left
    beside(size(beside)) = right
    allocate (heard(num_images())[*])

    call measure('sync_all', 0, sync_all)
    call check('sync_all', sync_all, [(i, i = 1, num_images())])
    call measure('sync_ring', 0, sync_ring)
    call check('sync_ring', sync_ring, beside)
    call measure('sync_first', 0, sync_first)
    call check('sync_first', sync_first, [(i, i = 1, merge(num_images(), 1, this_image() == 1))])
    call end_images()
end program
