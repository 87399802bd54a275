! images: 2 3 4
! args: check
! sources: bench/timing/timing.f90 bench/timing/prif_images.f90
! The times of PRIF's procedures, called through its module: puts and gets of 8 bytes to 1 MiB, with and without the end
! of the segment, strided ones; atomics; synchronization, events; collectives; coarrays and teams.
module procedure_rows
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: real64
    use prif
    use prif_images
    use timing
    implicit none
    integer, parameter :: most_words = 2**17
    type(prif_coarray_handle) :: handle, events
    type(c_ptr) :: memory, event_memory, mine
    real(real64), pointer :: words(:)
    real(real64), allocatable, target :: own(:)
    type(prif_event_type), pointer :: event_pair(:)
    type(prif_team_type) :: team
    integer(c_size_t) :: bytes
    integer(c_size_t), parameter :: event_bytes = storage_size(prif_event_type()) / 8
    integer(c_int) :: partner
    integer(PRIF_ATOMIC_INT_KIND) :: old
    integer :: words_in_use

contains

    subroutine put(n)
        integer, intent(in) :: n
        integer :: i
        if (bench%me /= 1) return
        do i = 1, n
            call prif_put(2, handle, 0_c_size_t, mine, bytes)
        end do
        call prif_sync_memory
    end subroutine

    subroutine put_sync(n)
        integer, intent(in) :: n
        integer :: i
        if (bench%me /= 1) return
        do i = 1, n
            call prif_put(2, handle, 0_c_size_t, mine, bytes)
            call prif_sync_memory
        end do
    end subroutine

    subroutine get(n)
        integer, intent(in) :: n
        integer :: i
        if (bench%me /= 1) return
        do i = 1, n
            call prif_get(2, handle, 0_c_size_t, mine, bytes)
        end do
    end subroutine

    ! The strided rows transfer every second word, in rows of 16.
    subroutine put_strided(n)
        integer, intent(in) :: n
        integer :: i
        if (bench%me /= 1) return
        do i = 1, n
            call prif_put_strided(2, handle, 0_c_size_t, [16_c_ptrdiff_t, 512_c_ptrdiff_t], mine, &
                [16_c_ptrdiff_t, 512_c_ptrdiff_t], 8_c_size_t, [16_c_size_t, int(words_in_use / 64, c_size_t)])
        end do
        call prif_sync_memory
    end subroutine

    subroutine get_strided(n)
        integer, intent(in) :: n
        integer :: i
        if (bench%me /= 1) return
        do i = 1, n
            call prif_get_strided(2, handle, 0_c_size_t, [16_c_ptrdiff_t, 512_c_ptrdiff_t], mine, &
                [16_c_ptrdiff_t, 512_c_ptrdiff_t], 8_c_size_t, [16_c_size_t, int(words_in_use / 64, c_size_t)])
        end do
    end subroutine

    subroutine add(n)
        integer, intent(in) :: n
        integer :: i
        if (bench%me /= 1) return
        do i = 1, n
            call prif_atomic_add(2, handle, 0_c_size_t, 1_PRIF_ATOMIC_INT_KIND)
        end do
        call prif_sync_memory
    end subroutine

    subroutine fetch_add(n)
        integer, intent(in) :: n
        integer :: i
        if (bench%me /= 1) return
        do i = 1, n
            call prif_atomic_fetch_add(2, handle, 0_c_size_t, 1_PRIF_ATOMIC_INT_KIND, old)
        end do
    end subroutine

    subroutine swap(n)
        integer, intent(in) :: n
        integer :: i
        if (bench%me /= 1) return
        do i = 1, n
            call prif_atomic_cas_int(2, handle, 0_c_size_t, old, int(i, PRIF_ATOMIC_INT_KIND), 7_PRIF_ATOMIC_INT_KIND)
        end do
    end subroutine

    subroutine sync_all(n)
        integer, intent(in) :: n
        integer :: i
        do i = 1, n
            call prif_sync_all
        end do
    end subroutine

    subroutine sync_images(n)
        integer, intent(in) :: n
        integer :: i
        if (partner > bench%images) return
        do i = 1, n
            call prif_sync_images([partner])
        end do
    end subroutine

    ! From image 1 to image 2 and back.
    subroutine event_round_trip(n)
        integer, intent(in) :: n
        integer :: i
        if (bench%me > 2) return
        do i = 1, n
            if (bench%me == 1) then
                call prif_event_post(2, events, 0_c_size_t)
                call prif_event_wait(event_memory)
            else
                call prif_event_wait(event_memory)
                call prif_event_post(1, events, 0_c_size_t)
            end if
        end do
    end subroutine

    subroutine sum_all(n)
        integer, intent(in) :: n
        integer :: i
        do i = 1, n
            call prif_co_sum(own(:words_in_use))
        end do
    end subroutine

    subroutine broadcast(n)
        integer, intent(in) :: n
        integer :: i
        do i = 1, n
            call prif_co_broadcast(own(:words_in_use), 1 + mod(i, bench%images))
        end do
    end subroutine

    subroutine co_max_to_first(n)
        integer, intent(in) :: n
        integer :: i
        do i = 1, n
            call prif_co_max(own(:words_in_use), 1)
        end do
    end subroutine

    subroutine allocation(n)
        integer, intent(in) :: n
        type(prif_coarray_handle) :: another
        type(c_ptr) :: where
        integer :: i
        do i = 1, n
            call allocate_bytes(4096, another, where)
            call prif_deallocate_coarray(another)
        end do
    end subroutine

    subroutine form_team(n)
        integer, intent(in) :: n
        type(prif_team_type) :: one
        integer :: i
        do i = 1, n
            call prif_form_team(int(1 + mod(bench%me, 2), c_int64_t), one)
        end do
    end subroutine

    subroutine change_team(n)
        integer, intent(in) :: n
        integer :: i
        do i = 1, n
            call prif_change_team(team)
            call prif_end_team
        end do
    end subroutine
end module

program procedures
    use procedure_rows
    implicit none
    integer :: size, i

    call start_images
    call allocate_bytes(8 * most_words, handle, memory)
    call c_f_pointer(memory, words, [most_words])
    allocate (own(most_words))
    mine = c_loc(own)
    partner = merge(bench%me + 1, bench%me - 1, mod(bench%me, 2) == 1)
    call allocate_bytes(2 * int(event_bytes), events, event_memory)
    call c_f_pointer(event_memory, event_pair, [2])
    event_pair = prif_event_type()

    size = 1
    do while (size <= most_words)
        bytes = 8 * size
        words_in_use = size
        call moved('put', put, from=1, to=2)
        call moved('put_sync', put_sync, from=1, to=2)
        call moved('get', get, from=2, to=1)
        size = size * 8
        if (size > most_words .and. size < 8 * most_words) size = most_words
    end do
    words_in_use = 4096
    bytes = 8 * words_in_use
    call measure('put_strided', int(bytes / 4), put_strided)
    call measure('get_strided', int(bytes / 4), get_strided)

    words = 0
    call prif_sync_all
    call measure('atomic_add', 8, add)
    call measure('atomic_fetch_add', 8, fetch_add)
    call measure('atomic_cas', 8, swap)
    call measure('sync_all', 0, sync_all)
    call measure('sync_images', 0, sync_images)
    call measure('event_round_trip', 0, event_round_trip)
    words_in_use = 1
    do i = 1, 3
        own = 0
        call measure('co_sum', 8 * words_in_use, sum_all)
        own = bench%me
        call sum_all(1)
        call expect('co_sum', words_in_use, own(words_in_use), real(bench%images * (bench%images + 1) / 2, real64))
        own = bench%me
        call measure('co_broadcast', 8 * words_in_use, broadcast)
        own = bench%me
        call broadcast(1)    ! from image 2
        call expect('co_broadcast', words_in_use, own(words_in_use), 2.0_real64)
        own = bench%me
        call measure('co_max', 8 * words_in_use, co_max_to_first)
        if (bench%me == 1) call expect('co_max', words_in_use, own(words_in_use), real(bench%images, real64))
        words_in_use = merge(512, most_words, i == 1)
    end do
    call measure('allocate', 4096, allocation)
    call prif_form_team(int(1 + mod(bench%me, 2), c_int64_t), team)
    call measure('change_team', 0, change_team)
    call measure('form_team', 0, form_team, most=50)
    call end_images

contains

    ! Measures the row and checks its data.
    subroutine moved(row, step, from, to)
        character(*), intent(in) :: row
        procedure(operation) :: step
        integer, intent(in) :: from, to
        integer :: i
        words = [(pattern(bench%me, i), i = 1, most_words)]
        own = [(pattern(bench%me, i), i = 1, most_words)]
        call prif_sync_all
        call measure(row, int(bytes), step)
        call prif_sync_all
        if (bench%me /= to) return
        if (to == 1) call expect_pattern(row, own(:words_in_use), from)
        if (to == 2) call expect_pattern(row, words(:words_in_use), from)
    end subroutine
end program
