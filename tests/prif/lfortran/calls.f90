! images: 1 2 3 4
! LFortran's calls for coarrays, as its option --show-fortran prints them, with the module of lfortran.f90: each
! procedure at least once, for compilers that follow the standard.
program calls
    use, intrinsic :: iso_c_binding
    use prif
    implicit none
    interface
        subroutine lcompilers_prif_start(stat) bind(C)
            import
            integer(c_int), intent(out) :: stat
        end subroutine
    end interface
    procedure(prif_coarray_cleanup_interface), pointer :: none => null()
    type(prif_coarray_handle) :: handle
    type(prif_team_type) :: team
    type(c_ptr) :: memory
    integer(c_int), pointer :: x(:)
    integer(c_int), target :: got, mine
    integer(c_int) :: me, n, next, image, stat, i
    integer(c_int64_t) :: bound, bounds(2)
    real(c_double) :: r(2, 2)
    character(len=4) :: words(2)
    character(len=100) :: message
    type pair
        integer(c_int) :: a, b
    end type
    type(pair), target :: p

    do i = 1, 2    ! each file of a program calls this start procedure
        call lcompilers_prif_start(stat)
        call check(stat == 0, 'start')
    end do
    call prif_sync_all
    call prif_this_image_no_coarray(this_image=me)
    call prif_num_images(n)
    next = mod(me, n) + 1

    call prif_allocate_coarray([1_c_int64_t, 0_c_int64_t], [1_c_int64_t], 12_c_size_t, none, handle, memory, stat)
    call check(stat == 0, 'allocation')
    call c_f_pointer(memory, x, [3])
    x = 10 * me
    call prif_sync_all(stat)
    call prif_initial_team_index(handle, [1_c_int64_t, next - 1_c_int64_t], image)
    call check(image == next, 'image')
    call prif_get(image, handle, 4_c_size_t, c_loc(got), 4_c_size_t)
    call check(got == 10 * next, 'get')
    mine = -me
    call prif_put(image, handle, 8_c_size_t, c_loc(mine), 4_c_size_t, stat)
    call prif_sync_memory
    call prif_sync_images(errmsg=message)
    call check(stat == 0 .and. x(3) == -merge(n, me - 1, me == 1) .and. x(2) == 10 * me, 'put')
    call prif_sync_images([me], stat)
    call check(stat == 0, 'sync images')
    call prif_lcobound_with_dim(handle, 2, bound)
    call check(bound == 0, 'lower bound')
    call prif_ucobound_with_dim(handle, 2, bound)
    call check(bound == n - 1, 'upper bound')
    call prif_lcobound_no_dim(handle, bounds)
    call check(all(bounds == [1, 0]), 'lower bounds')
    call prif_ucobound_no_dim(handle, bounds)
    call check(all(bounds == [1, n - 1]), 'upper bounds')
    call prif_coshape(handle, bounds)
    call check(all(bounds == [1, n]), 'coshape')
    call prif_deallocate_coarray(handle, stat)
    call check(stat == 0, 'deallocation')

    call prif_form_team(int(2 - mod(me, 2), c_int64_t), team)
    call prif_change_team(team)
    call prif_num_images(i)
    call check(i == merge((n + 1) / 2, n / 2, mod(me, 2) == 1), 'images of a team')
    call prif_end_team
    call prif_sync_team(team)
    call prif_this_image_no_coarray(team, i)
    call check(i == (me + 1) / 2, 'the image in a team')

    r = me
    call prif_co_sum(r)
    call check(all(abs(r - n * (n + 1) / 2) < 1d-9), 'co_sum')
    i = me
    call prif_co_max(i)
    call check(i == n, 'co_max')
    call prif_co_min(i, 1, stat)
    call check(i == n .and. stat == 0, 'co_min')
    words = ['abcd', 'zzzz']
    if (me == n) words = ['efgh', 'aaaa']
    call prif_co_max_character(words)
    call check(words(1) == 'efgh' .and. words(2) == merge('aaaa', 'zzzz', n == 1), 'co_max of texts')
    words = ['abcd', 'zzzz']
    if (me == n) words = ['efgh', 'aaaa']
    call prif_co_min_character(words)
    call check(words(2) == 'aaaa' .and. words(1) == merge('efgh', 'abcd', n == 1), 'co_min of texts')
    r = me
    call prif_co_broadcast(r, n)
    call check(all(abs(r - n) < 1d-9), 'co_broadcast')
    p = pair(me, 2 * me)
    call prif_co_broadcast_cptr(c_loc(p), 8_c_size_t, n)
    call check(p%a == n .and. p%b == 2 * n, 'co_broadcast of a derived type')

    call prif_co_sum(i, n + 1, stat, message)
    call check(stat /= 0 .and. index(message, 'result_image') > 0, 'errmsg')
    call prif_sync_all
    if (me == 1) print '(a)', 'PASSED'
    flush (6)
    call prif_stop(.true._c_bool)
contains

    subroutine check(ok, what)
        logical, intent(in) :: ok
        character(*), intent(in) :: what
        if (ok) return
        print '(3a)', what, ' is wrong: check(s) failed'
        error stop
    end subroutine
end program

! Replace the library's functions of these names, because gfortran passes its own descriptors.
subroutine copal_lfortran_array(to, a, elements)
    use, intrinsic :: iso_c_binding
    implicit none
    type(*), intent(inout), target :: to
    type(*), intent(in), target :: a(..)
    integer(c_int64_t), intent(in) :: elements
    interface
        subroutine copy_of(to, a, bytes) bind(C, name='memcpy')
            import
            type(c_ptr), intent(in), value :: to
            type(*), intent(in), target :: a(..)
            integer(c_size_t), intent(in), value :: bytes
        end subroutine
    end interface
    if (size(a) /= elements) error stop 'elements'
    call copy_of(c_loc(to), a, int(24 + 24 * rank(a), c_size_t))
end subroutine

subroutine copal_lfortran_text(to, a, elements)
    use, intrinsic :: iso_c_binding
    implicit none
    type(*), intent(inout), target :: to
    character(len=*, kind=c_char), intent(in), target :: a(..)
    integer(c_int64_t), intent(in) :: elements
    interface
        subroutine copy_of(to, a, bytes) bind(C, name='memcpy')
            import
            type(c_ptr), intent(in), value :: to
            character(len=*, kind=c_char), intent(in), target :: a(..)
            integer(c_size_t), intent(in), value :: bytes
        end subroutine
    end interface
    if (size(a) /= elements) error stop 'elements'
    call copy_of(c_loc(to), a, int(24 + 24 * rank(a), c_size_t))
end subroutine
