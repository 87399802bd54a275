! build: caf hybrid.f90 hybrid_histogram.o -o hybrid
! run: cafrun -n 4 ./hybrid
! prints: all values counted
! Coarrays and OpenSHMEM in one program, on the same data: a C function that calls shmem_* (hybrid_histogram.c) adds to
! the coarray, and Fortran reads it. Image i is PE i - 1.
program hybrid
    use, intrinsic :: iso_c_binding, only: c_int, c_int64_t
    implicit none
    integer(c_int), parameter :: bins = 8, values = 10000

    interface
        subroutine histogram_add(counts, bins, values, n) bind(c)
            import :: c_int, c_int64_t
            integer(c_int64_t), intent(inout) :: counts(*)
            integer(c_int), value :: bins, n
            integer(c_int), intent(in) :: values(*)
        end subroutine
    end interface

    integer(c_int64_t) :: counts(bins)[*] = 0   ! on each image: `bins` of the bins of all images
    integer(c_int) :: mine(values)
    integer(c_int64_t) :: total
    integer :: i

    mine = [(mod(i * (2 * this_image() + 5), bins * num_images()), i = 1, values)]
    call histogram_add(counts, bins, mine, values)  ! adds to the coarrays of all images
    sync all

    total = 0
    if (this_image() == 1) then
        do i = 1, num_images()
            total = total + sum(counts(:)[i])       ! read as coarrays
        end do
        if (total /= int(values, c_int64_t) * num_images()) error stop 'values were lost'
        print '(i0,a)', total, ' values: all values counted'
    end if
end program
