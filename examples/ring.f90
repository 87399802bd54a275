! run: oshrun -n 4 ./ring
! The module shmem: each PE fills a row of a table for its right neighbour and signals it; then all PEs add up.
program ring
    use, intrinsic :: iso_fortran_env, only: int64
    use shmem
    implicit none
    integer, parameter :: n = 8
    real(8), save, asynchronous :: table(n, 2) ! variables with SAVE are symmetric
    integer(int64), save, asynchronous :: arrived = 0
    real(8), save :: sum_here, sum_of_all
    integer :: me, npes, left, right, i, pe, failed

    call shmem_init()
    me = shmem_my_pe()
    npes = shmem_n_pes()
    right = mod(me + 1, npes)
    left = mod(me + npes - 1, npes)

    table(:, 1) = [(100 * me + i, i=1, n)]
    call shmem_put_signal(table(:, 2), table(:, 1), n, arrived, 1_int64, SHMEM_SIGNAL_OP_SET, right)
    if (shmem_signal_wait_until(arrived, SHMEM_CMP_EQ, 1_int64) /= 1) error stop 'the signal is wrong'
    if (any(table(:, 2) /= [(100 * left + i, i=1, n)])) error stop 'the row from the left is wrong'

    sum_here = sum(table(:, 2))
    failed = shmem_sum_reduce(SHMEM_TEAM_WORLD, sum_of_all, sum_here, 1)
    if (failed /= 0 .or. sum_of_all /= sum([((100d0 * pe + i, i=1, n), pe=0, npes - 1)])) error stop 'the sum is wrong'
    if (me == 0) print '(a, i0, a, f0.1)', 'sum over ', npes, ' PEs: ', sum_of_all
    call shmem_finalize()
end program
