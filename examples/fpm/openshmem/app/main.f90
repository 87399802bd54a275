program main
    use neighbours, only: passed_on
    use shmem
    implicit none
    integer :: from
    call shmem_init
    from = passed_on(shmem_my_pe())
    print '(2(a, i0))', 'PE ', shmem_my_pe(), ' heard from PE ', from
    call shmem_finalize
end program
