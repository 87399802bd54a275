! images: 1 2 3 4 8
! The module shmem in a coarray program, on the same data: static and allocatable coarrays. Each interface reads data
! that the other has written.
program module_shmem
    use shmem
    use check_m
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    real(real64), allocatable, asynchronous :: field(:, :)[:]
    integer(int64), allocatable, asynchronous :: flags(:)[:]
    integer, save, asynchronous :: row(4)[*]
    integer :: me, n, right, left, i, failed

    me = this_image() - 1
    n = num_images()
    right = mod(me + 1, n)
    left = mod(me + n - 1, n)
    call check(shmem_my_pe() == me, 'shmem_my_pe is this_image() - 1')
    call check(shmem_n_pes() == n, 'shmem_n_pes is num_images()')
    allocate (field(5, 3)[*], flags(n)[*])
    field = -1
    flags = 0
    row = 0
    sync all

    ! OpenSHMEM writes the data; this image and another image read it.
    call shmem_put(field(:, 2), [(me * 10 + i / 8.0_real64, i=1, 5)], 5, right)
    call shmem_put(row(2:3), [me, -me], 2, right)
    do i = 0, n - 1
        call shmem_p(flags(me + 1), me + 100_int64, i)
    end do
    call shmem_wait_until_all(flags, n, cmp=SHMEM_CMP_GE, cmp_value=100)
    call check(all(flags == [(i + 100_int64, i=0, n - 1)]), 'flags from all')
    sync all
    call check(all(field(:, 2) == [(left * 10 + i / 8.0_real64, i=1, 5)]), 'a column')
    call check(all(field(:, [1, 3]) == -1), 'the other columns')
    call check(all(row == [0, left, -left, 0]), 'a static coarray')
    call check(field(4, 2)[right + 1] == me * 10 + 0.5_real64, 'a coindexed read of data that a put wrote')

    ! An image writes the data; OpenSHMEM reads it.
    sync all
    field(1, 3)[right + 1] = me + 0.25_real64
    sync all
    call check(shmem_g(field(1, 3), right) == me + 0.25_real64, 'g of data that an image wrote')
    failed = shmem_sum_reduce(SHMEM_TEAM_WORLD, field(:, 1), field(:, 2), 5)
    call check(failed == 0, 'shmem_sum_reduce')
    call check(all(field(:, 1) == [(5 * n * (n - 1) + n * i / 8.0_real64, i=1, 5)]), 'a sum over coarrays')
    call shmem_atomic_add(flags(1), 5_int64, 0)
    sync all
    call check(flags(1)[1] == 100 + 5 * n, 'an atomic on a coarray')
    deallocate (field, flags)
    call check_end()
end program
