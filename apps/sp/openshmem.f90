!> The few routines of OpenSHMEM that the program calls, by their C interfaces, which every OpenSHMEM has.
module openshmem
    use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr, c_size_t
    implicit none
    public

    integer(c_int), parameter :: SHMEM_CMP_GE = 5  !< the value in the headers of Copal and of Open MPI

    interface
        subroutine shmem_init() bind(C)
        end subroutine

        subroutine shmem_finalize() bind(C)
        end subroutine

        subroutine shmem_global_exit(status) bind(C)
            import :: c_int
            integer(c_int), value :: status
        end subroutine

        integer(c_int) function shmem_my_pe() bind(C)
            import :: c_int
        end function

        integer(c_int) function shmem_n_pes() bind(C)
            import :: c_int
        end function

        type(c_ptr) function shmem_malloc(bytes) bind(C)
            import :: c_ptr, c_size_t
            integer(c_size_t), value :: bytes
        end function

        type(c_ptr) function shmem_ptr(address, pe) bind(C)
            import :: c_int, c_ptr
            type(c_ptr), value :: address
            integer(c_int), value :: pe
        end function

        subroutine shmem_putmem(to, from, bytes, pe) bind(C)
            import :: c_int, c_ptr, c_size_t
            type(c_ptr), value :: to, from
            integer(c_size_t), value :: bytes
            integer(c_int), value :: pe
        end subroutine

        subroutine shmem_int64_p(to, value, pe) bind(C)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: to
            integer(c_int64_t), value :: value
            integer(c_int), value :: pe
        end subroutine

        subroutine shmem_int64_wait_until(variable, comparison, value) bind(C)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: variable
            integer(c_int), value :: comparison
            integer(c_int64_t), value :: value
        end subroutine

        subroutine shmem_fence() bind(C)
        end subroutine

        subroutine shmem_barrier_all() bind(C)
        end subroutine
    end interface
end module
