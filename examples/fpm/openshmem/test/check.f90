program check
    use neighbours, only: passed_on
    use shmem
    implicit none
    integer :: before
    call shmem_init
    before = modulo(shmem_my_pe() - 1, shmem_n_pes())
    if (passed_on(10 * shmem_my_pe()) /= 10 * before) error stop 'another value than that of the PE before'
    if (shmem_my_pe() == 0) print '(a)', 'passed'
    call shmem_finalize
end program
