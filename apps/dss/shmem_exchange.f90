!> The exchange by OpenSHMEM: a put with signal stores a PE's sums into a neighbour's buffer.
module exchange
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use shmem, only: SHMEM_CMP_GE, SHMEM_SIGNAL_OP_SET, shmem_calloc, shmem_finalize, shmem_global_exit, shmem_init, &
                     shmem_malloc, shmem_my_pe, shmem_n_pes, shmem_signal_wait_until, shmem_sync_all
    implicit none
    private
    public :: join, connect, begin_step, send, take, end_step, meet, stop_all, leave

    interface
        subroutine shmem_putmem_signal(to, from, bytes, signal, value, how, pe) bind(C)
            import :: c_int, c_int64_t, c_ptr, c_size_t
            type(c_ptr), value :: to, from, signal
            integer(c_size_t), value :: bytes
            integer(c_int64_t), value :: value
            integer(c_int), value :: how, pe
        end subroutine
    end interface

    integer, parameter :: line = 8  ! words in a line of the cache: each signal has its own
    real(dp), pointer, asynchronous :: arrived(:, :)          ! for even and for odd steps
    integer(c_int64_t), pointer, asynchronous :: signals(:)   ! the last step whose values of a PE are here
    integer, allocatable :: pes(:), firsts(:), theres(:), lengths(:)
    integer :: self, next
    integer(c_int64_t) :: now

contains

    subroutine join(me, n_pes)
        integer, intent(out) :: me, n_pes
        call shmem_init()
        self = shmem_my_pe()
        me = self
        n_pes = shmem_n_pes()
    end subroutine

    subroutine connect(n_pes, links, pe, first, there, length, most)
        integer, intent(in) :: n_pes, links, pe(links), first(links), there(links), length(links), most
        pes = pe
        firsts = first
        theres = there
        lengths = length
        call c_f_pointer(shmem_malloc(16_c_size_t * max(most, 1)), arrived, [max(most, 1), 2])
        call c_f_pointer(shmem_calloc(int(line * n_pes, c_size_t), 8_c_size_t), signals, [line * n_pes])
        call shmem_sync_all()  ! shmem_calloc has zeroed the signals
    end subroutine

    subroutine begin_step(step)
        integer, intent(in) :: step
        now = step
        next = 0
    end subroutine

    subroutine send(l, values)
        integer, intent(in) :: l
        real(dp), intent(in), target :: values(lengths(l))
        call shmem_putmem_signal(c_loc(arrived(theres(l) + 1, 1 + mod(now, 2_c_int64_t))), c_loc(values), &
            8_c_size_t * lengths(l), c_loc(signals(line * self + 1)), now, SHMEM_SIGNAL_OP_SET, pes(l))
    end subroutine

    subroutine take(l, values)
        integer, intent(out) :: l
        type(c_ptr), intent(out) :: values
        integer(c_int64_t) :: seen
        next = next + 1
        l = next
        seen = shmem_signal_wait_until(signals(line * pes(l) + 1), SHMEM_CMP_GE, now)
        values = c_loc(arrived(firsts(l) + 1, 1 + mod(now, 2_c_int64_t)))
    end subroutine

    subroutine end_step()
    end subroutine

    subroutine meet()
        call shmem_sync_all()  ! each put has arrived: its neighbour has waited for it
    end subroutine

    subroutine stop_all()
        call shmem_global_exit(1)
    end subroutine

    subroutine leave()
        call shmem_finalize()
    end subroutine
end module
