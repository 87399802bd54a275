! The exchange of values in a ring of PEs.
module neighbours
    use shmem
    implicit none
    integer, save, private, asynchronous :: box
contains
    ! The value of the previous PE.
    integer function passed_on(value)
        integer, intent(in) :: value
        call shmem_p(box, value, mod(shmem_my_pe() + 1, shmem_n_pes()))
        call shmem_barrier_all
        passed_on = box
        call shmem_barrier_all
    end function
end module
