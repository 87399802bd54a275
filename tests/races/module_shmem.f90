! Fortran: the module shmem.
! pes: 2
include 'rules.inc'

program module_shmem
    use shmem
    use rules
    implicit none
    integer :: me

    call shmem_init()
    me = shmem_my_pe()
    if (chosen('put_and_load')) call put_and_load()
    if (chosen('get_nbi')) call get_nbi()
    if (chosen('put_signal')) call put_signal()
    if (chosen('sections')) call sections()
    if (chosen('reduce')) call reduce()
    if (chosen('lock')) call lock()
    call shmem_barrier_all()
    call finish()
    call shmem_finalize()
contains

! 9.6.1.1, put: in Fortran, too, the target may load after a barrier what was put before the barrier.
subroutine put_and_load()
    integer, save, asynchronous :: row(4) = 0

    call shmem_barrier_all()
    if (me == 0) call shmem_put(row, [1, 2, 3, 4], 4, 1) ! put
    if (right) call shmem_barrier_all()
    if (me == 1) call look(row(3), 3) ! load
end subroutine

! 9.6.2.2, get_nbi: its dest may be read after quiet.
subroutine get_nbi()
    integer, save, asynchronous :: row(4) = 5
    integer, asynchronous :: copy(4)

    call shmem_barrier_all()
    copy = 0
    if (me /= 0) return
    call shmem_get_nbi(copy, row, 4, 1) ! get
    if (right) call shmem_quiet()
    call look(copy(4), 5) ! load
    call shmem_quiet()
end subroutine

! 9.8.3, put_signal: a PE that has waited for the signal sees the data.
subroutine put_signal()
    use, intrinsic :: iso_fortran_env, only: int64
    integer, save, asynchronous :: row(4) = 0
    integer(int64), save, asynchronous :: signal = 0
    integer(int64) :: seen

    call shmem_barrier_all()
    if (me == 0) call shmem_put_signal(row, [1, 2, 3, 4], 4, signal, 1_int64, SHMEM_SIGNAL_OP_SET, 1) ! put
    if (me /= 1) return
    if (right) seen = shmem_signal_wait_until(signal, SHMEM_CMP_EQ, 1_int64)
    call look(row(4), 4) ! load
end subroutine

! 9.6.1.3, iput: the elements between those of a strided put are not accessed.
subroutine sections()
    integer, save, asynchronous :: row(8) = 0

    call shmem_barrier_all()
    if (me == 0) call shmem_iput(row, [1, 2, 3, 4], 2, 1, 4, 1) ! put
    if (me == 1) row(merge(2, 3, right)) = 7 ! store
    call shmem_barrier_all()
    call look(row(7), merge(4, 0, me == 1))
end subroutine

! 9.10.9, reduce: dest must be ready on all PEs before any PE calls it.
subroutine reduce()
    integer, save, asynchronous :: total = 0, mine = 3
    integer :: status

    call shmem_barrier_all()
    if (me == 1) total = 7 ! store
    if (right) call shmem_sync_all()
    status = shmem_sum_reduce(SHMEM_TEAM_WORLD, total, mine, 1) ! call
    call look(total, 6 + status)
end subroutine

! 9.13, set_lock: each PE must acquire the lock.
subroutine lock()
    use, intrinsic :: iso_c_binding, only: c_long
    integer(c_long), save, asynchronous :: key = 0
    integer, save, asynchronous :: word = 0

    call shmem_barrier_all()
    if (me == 0 .or. right) call shmem_set_lock(key)
    if (me == 0) call shmem_put(word, [1], 1, 1) ! put
    if (me == 1) call look(min(word, 0), 0) ! load
    if (me == 0 .or. right) call shmem_clear_lock(key)
end subroutine
end program
