! Coarrays, which exist before MPI_Init and after MPI_Finalize; MPI's part is in beside_mpi_ranks.c.
program beside_mpi
    use, intrinsic :: iso_c_binding, only: c_int
    implicit none
    interface
        integer(c_int) function sum_by_mpi(image, images) bind(c)
            import :: c_int
            integer(c_int), value :: image, images
        end function
    end interface
    integer :: heard[*], me, n, next

    me = this_image()
    n = num_images()
    next = merge(1, me + 1, me == n)
    heard[next] = me
    sync all
    if (sum_by_mpi(me, n) /= n * (n + 1) / 2) error stop 'MPI has other ranks'
    sync all
    heard[next] = me + 100
    sync all
    if (heard /= 100 + merge(n, me - 1, me == 1)) error stop 'a wrong neighbour'
    print '(a, i0, a, i0)', 'image ', me, ' of ', n
end program
