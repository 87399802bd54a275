! images: 1 2 4
! args: check
! sources: bench/timing/timing.f90 bench/timing/images.f90 bench/programs/coarrays/strided_rows.f90
! Put and get of two-dimensional sections (the thesis, 4.4 and Figures 5.1 and 5.2, c and d). In a module procedure,
! gfortran 15 and 16 cannot compile accesses to coarrays of its module, or of modules that this module uses. Therefore
! each procedure uses the coarrays' module itself.
module strided_coarray
    use strided_rows, only: leading, width
    implicit none
    integer, save :: grid(leading, width)[*]
end module

module strided_by_coarrays
    use strided_rows
    implicit none

contains

    subroutine put(n)
        use strided_coarray
        integer, intent(in) :: n
        integer :: i
        if (this_image() /= 1) return
        do i = 1, n
            grid(1:last_row:stride, 1:last_column:column_stride)[partner] = &
                own(1:last_row:stride, 1:last_column:column_stride)
        end do
        sync memory
    end subroutine

    subroutine get(n)
        use strided_coarray
        integer, intent(in) :: n
        integer :: i
        if (this_image() /= 1) return
        do i = 1, n
            own(1:last_row:stride, 1:last_column:column_stride) = &
                grid(1:last_row:stride, 1:last_column:column_stride)[partner]
        end do
    end subroutine
end module

program strided
    use strided_coarray
    use strided_by_coarrays
    use images
    implicit none
    call start_images(1)
    call run_strided_rows(grid, put, get)
    call end_images()
end program
