! pes: 1 2 4 7
! Setup, queries, teams, contexts, sessions, order, locks.
program teams
    use, intrinsic :: iso_c_binding
    use shmem
    use checks
    use, intrinsic :: iso_fortran_env, only: int64
    implicit none
    integer :: me, npes, i, ierr, major, minor
    integer(c_int) :: level, started
    character(len=80) :: text
    character(len=5) :: short

    call shmem_query_initialized(started)
    call check(started == 0, 'shmem_query_initialized before')
    call check(shmem_init_thread(SHMEM_THREAD_FUNNELED, level) == 0 .and. level >= SHMEM_THREAD_FUNNELED, &
        'shmem_init_thread')
    call shmem_query_initialized(started)
    call check(started == 1, 'shmem_query_initialized')
    call shmem_query_thread(level)
    call check(level >= SHMEM_THREAD_FUNNELED .and. level <= SHMEM_THREAD_MULTIPLE, 'shmem_query_thread')
    me = shmem_my_pe()
    npes = shmem_n_pes()
    call shmem_info_get_version(major, minor)
    call check(major == SHMEM_MAJOR_VERSION .and. minor == SHMEM_MINOR_VERSION, 'shmem_info_get_version')
    call shmem_info_get_name(text)
    call check(text == SHMEM_VENDOR_STRING, 'shmem_info_get_name')
    call shmem_info_get_name(short)
    call check(short == SHMEM_VENDOR_STRING(1:5), 'shmem_info_get_name, cut')
    call check(shmem_pe_accessible(npes - 1) == 1, 'shmem_pe_accessible')
    call check(shmem_pe_accessible(npes) == 0, 'shmem_pe_accessible of a PE too many')
    call shmem_pcontrol(1)

    call test_teams()
    call test_contexts()
    call test_ptr()
    call test_order()
    call test_lock()
    call check_end()
    call shmem_finalize()
    call shmem_query_initialized(started)
    call check(started == 0, 'shmem_query_initialized after')
    call check_end()

contains

    subroutine test_teams()
        type(shmem_team_t) :: rest, row, column, left_over
        type(shmem_team_config_t) :: config
        integer, parameter :: width = 3
        call check(SHMEM_TEAM_WORLD == SHMEM_TEAM_WORLD .and. SHMEM_TEAM_WORLD /= SHMEM_TEAM_INVALID, 'teams compared')
        call check(left_over == SHMEM_TEAM_INVALID, 'a team not yet made')
        call check(shmem_team_n_pes(SHMEM_TEAM_SHARED) == npes, 'the node')
        call check(shmem_team_my_pe(SHMEM_TEAM_SHARED) == me, 'my number in the node')
        config%num_contexts = 2
        ierr = shmem_team_split_strided(SHMEM_TEAM_WORLD, npes - 1, -1, npes, config, SHMEM_TEAM_NUM_CONTEXTS, rest)
        call check(ierr == 0, 'the world backwards')
        call check(shmem_team_my_pe(rest) == npes - 1 - me, 'a stride of -1')
        call check(shmem_team_translate_pe(rest, 0, SHMEM_TEAM_WORLD) == npes - 1, 'shmem_team_translate_pe')
        config%num_contexts = 0
        call check(shmem_team_get_config(rest, SHMEM_TEAM_NUM_CONTEXTS, config) == 0, 'shmem_team_get_config')
        call check(config%num_contexts == 2, 'num_contexts')
        call shmem_team_destroy(rest)
        ierr = shmem_team_split_2d(SHMEM_TEAM_WORLD, width, xaxis_mask=0_c_long, xaxis_team=row, yaxis_mask=0_c_long, &
            yaxis_team=column)
        call check(ierr == 0, 'shmem_team_split_2d')
        call check(shmem_team_my_pe(row) == mod(me, min(width, npes)), 'my column')
        call check(shmem_team_my_pe(column) == me / width, 'my row')
        call check(shmem_team_sync(row) == 0, 'sync of rows')
        call check(shmem_sync(column) == 0, 'sync of columns')
        call shmem_team_destroy(row)
        call shmem_team_destroy(column)
    end subroutine

    subroutine test_contexts()
        type(shmem_ctx_t) :: ctx, none
        type(shmem_team_t) :: team, of_ctx
        type(shmem_ctx_session_config_t) :: session
        integer, save :: from = -1
        call check(none == SHMEM_CTX_INVALID .and. none /= SHMEM_CTX_DEFAULT, 'contexts compared')
        ierr = shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, config_mask=0_c_long, new_team=team)
        call check(shmem_team_create_ctx(team, ior(SHMEM_CTX_PRIVATE, SHMEM_CTX_NOSTORE), ctx) == 0, &
            'shmem_team_create_ctx')
        call check(shmem_ctx_get_team(ctx, of_ctx) == 0 .and. of_ctx == team, 'shmem_ctx_get_team')
        session%total_ops = 1
        call shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, session, SHMEM_CTX_SESSION_TOTAL_OPS)
        call shmem_put(ctx, from, me, 1, mod(me + 1, npes))
        call shmem_fence(ctx)
        call shmem_ctx_session_stop(ctx)
        call shmem_ctx_session_start(ctx, 0_c_long, config_mask=0_c_long)
        call shmem_ctx_session_stop(ctx)
        call shmem_pe_quiet(ctx, [mod(me + 1, npes)], 1_c_size_t)
        call shmem_quiet(ctx)
        call shmem_sync_all()
        call check(from == mod(me + npes - 1, npes), 'a put on the context of a team')
        call shmem_ctx_destroy(ctx)
        call shmem_team_destroy(team)
    end subroutine

    ! Loads from and stores to the right neighbour's memory.
    subroutine test_ptr()
        integer, asynchronous, save, target :: table(3, 2)
        integer, pointer :: theirs(:, :)
        type(c_ptr) :: address
        integer :: right, outside
        right = mod(me + 1, npes)
        table = reshape([(100 * me + i, i=1, 6)], [3, 2])
        call shmem_barrier_all()
        call c_f_pointer(shmem_ptr(table, right), theirs, [3, 2])
        call check(all(theirs == reshape([(100 * right + i, i=1, 6)], [3, 2])), 'shmem_ptr')
        call c_f_pointer(shmem_team_ptr(SHMEM_TEAM_WORLD, table(2, 1), right), theirs, [1, 1])
        call check(theirs(1, 1) == 100 * right + 2, 'shmem_team_ptr')
        call shmem_barrier_all()
        theirs(1, 1) = -me
        call shmem_barrier_all()
        call check(table(2, 1) == -mod(me + npes - 1, npes), 'a store through shmem_team_ptr')
        address = c_loc(table)
        call check(c_associated(shmem_ptr(address, right), shmem_ptr(table, right)), 'shmem_ptr of an address')
        call check(.not. c_associated(shmem_ptr(outside, right)), 'shmem_ptr of a private object')
        call check(shmem_addr_accessible(table, right) == 1, 'shmem_addr_accessible')
        call check(shmem_addr_accessible(outside, right) == 0, 'shmem_addr_accessible of a private object')
    end subroutine

    subroutine test_order()
        integer(int64), save, asynchronous :: flag = 0, sum = 0
        integer, save, asynchronous :: data(4)
        integer :: all_pes(npes)
        integer :: right
        right = mod(me + 1, npes)
        all_pes = [(i, i=0, npes - 1)]
        call shmem_put(data, [me, -me, 2 * me, 7], 4, right)
        call shmem_fence()
        call shmem_signal_set(flag, 9_int64, right)
        call check(shmem_signal_wait_until(flag, SHMEM_CMP_GE, 9_int64) == 9, 'shmem_signal_set')
        i = mod(me + npes - 1, npes)
        call check(all(data == [i, -i, 2 * i, 7]), 'data before its signal')
        call shmem_pe_quiet(all_pes, int(npes, c_size_t))
        call shmem_signal_add(sum, me + 1_int64, 0)
        call shmem_signal_add(SHMEM_CTX_DEFAULT, sum, 1000_int64, 0)
        call shmem_quiet()
        call shmem_barrier_all()
        if (me == 0) call check(shmem_signal_fetch(sum) == npes * (npes + 1) / 2 + 1000 * npes, 'shmem_signal_add')
        call shmem_signal_set(SHMEM_CTX_DEFAULT, flag, 11_int64, right)
        call check(shmem_signal_wait_until(flag, SHMEM_CMP_EQ, 11_int64) == 11, 'shmem_signal_set with a context')
    end subroutine

    ! Two counters on PE 0 that differ only while a PE holds the lock.
    subroutine test_lock()
        integer(c_long), save :: lock = 0
        integer, save, asynchronous :: counters(2) = 0
        integer :: mine(2), held
        do i = 1, 50
            if (mod(i, 2) == 0) then
                call shmem_set_lock(lock)
            else
                do
                    held = shmem_test_lock(lock)
                    if (held == 0) exit
                end do
            end if
            call shmem_get(mine, counters, 2, 0)
            call check(mine(1) == mine(2), 'counters under the lock', i)
            call shmem_p(counters(1), mine(1) + 1, 0)
            call shmem_p(counters(2), mine(2) + 1, 0)
            call shmem_clear_lock(lock)
        end do
        call shmem_barrier_all()
        if (me == 0) call check(all(counters == 50 * npes), 'counters at the end')
    end subroutine
end program
