! images: 1 2 3 4 5 7
! The collective subroutines that LFortran 0.67 compiles, and errors that a program requests.
program collectives
    use, intrinsic :: iso_fortran_env, only: team_type
    implicit none
    character(len=200) :: message
    integer :: me, n, state, k

    me = this_image()
    n = num_images()
    call numbers
    call texts
    call gaps
    call mistakes
    sync all
    if (me == 1) print '(a)', 'PASSED'
contains

    subroutine numbers
        real(8) :: r(4, 3)
        real(4) :: s
        complex(8) :: c
        integer(8) :: i8
        integer(1) :: i1
        logical :: yes
        type pair
            integer :: a
            real(8) :: b
        end type
        type(pair) :: p
        r = me * 1.5d0
        call co_sum(r)
        if (any(abs(r - 0.75d0 * n * (n + 1)) > 1d-9)) error stop 'co_sum of reals'
        r = me
        call co_sum(r(2:3, 2:3))
        if (abs(sum(r) - 8 * me - 2 * n * (n + 1)) > 1d-9) error stop 'co_sum of a section'
        s = me
        call co_max(s)
        if (s /= n) error stop 'co_max'
        i8 = me + 100000000000_8
        call co_min(i8, result_image=n)
        if (me == n .and. i8 /= 100000000001_8) error stop 'co_min for one image'
        i1 = int(me, 1)
        call co_max(i1)
        if (i1 /= n) error stop 'co_max of a byte'
        c = cmplx(me, -me, 8)
        call co_sum(c)
        if (abs(c - cmplx(n * (n + 1) / 2, -n * (n + 1) / 2, 8)) > 1d-9) error stop 'co_sum of a complex number'
        p%a = me
        p%b = me
        call co_broadcast(p, n)
        if (p%a /= n .or. p%b /= n) error stop 'co_broadcast of a derived type'
        yes = me == 1
        call co_broadcast(yes, 1)
        if (.not. yes) error stop 'co_broadcast of a logical'
        r = me
        call co_broadcast(r(1:4:2, 2), 1)
        if (abs(sum(r) - 10 * me - 2) > 1d-9) error stop 'co_broadcast of a section'
    end subroutine

    ! Arrays with gaps are dummy arguments and pointers.
    subroutine gaps
        real(8), target :: r(10), grid(4, 4)
        real(8), pointer :: p(:)
        character(len=3) :: words(4)
        r = me
        call sum_of(r(2:10:4))
        if (any(abs(r(2:10:4) - n * (n + 1) / 2) > 1d-9) .or. abs(sum(r) - 7 * me - 3 * n * (n + 1) / 2) > 1d-9) &
            error stop 'co_sum with gaps'
        grid = me
        call greatest(grid(1:4:2, 2:3))
        if (abs(sum(grid) - 12 * me - 4 * n) > 1d-9 .or. abs(grid(3, 3) - n) > 1d-9 .or. abs(grid(2, 2) - me) > 1d-9) &
            error stop 'co_max with gaps'
        r = me
        p => r(1:9:4)
        call co_min(p)
        if (any(abs(r(1:9:4) - 1) > 1d-9) .or. abs(sum(r) - 7 * me - 3) > 1d-9) error stop 'co_min of a pointer'
        words = 'abc'
        if (me == n) words = ['xyz', 'zzz', 'efg', 'zzz']
        call last(words(1:3:2))
        if (words(1) /= 'xyz' .or. words(3) /= 'efg' .or. words(2) /= merge('zzz', 'abc', me == n)) &
            error stop 'co_max of texts with gaps'
    end subroutine

    subroutine sum_of(x)
        real(8), intent(inout) :: x(:)
        call co_sum(x)
    end subroutine

    subroutine greatest(x)
        real(8), intent(inout) :: x(:, :)
        call co_max(x)
    end subroutine

    subroutine last(x)
        character(len=3), intent(inout) :: x(:)
        call co_max(x)
    end subroutine

    subroutine texts
        character(len=5) :: word, words(2)
        word = 'aaaaa'
        if (me == n) word = 'zebra'
        call co_max(word)
        if (word /= 'zebra') error stop 'co_max of a text'
        words = ['bcdef', 'xyzuv']
        if (me == n) words = ['abcde', 'yyyyy']
        call co_min(words)
        if (words(1) /= 'abcde' .or. words(2) /= merge('yyyyy', 'xyzuv', n == 1)) error stop 'co_min of texts'
        if (me == 1) word = 'first'
        call co_broadcast(word, 1)
        if (word /= 'first') error stop 'co_broadcast of a text'
    end subroutine

    subroutine mistakes
        type(team_type) :: team
        character(len=:), allocatable :: any_length
        message = ' '
        sync images (n + 1, stat=state, errmsg=message)
        if (state == 0 .or. index(message, 'sync images') == 0) error stop 'an image that is not there'
        k = me
        call co_sum(k, result_image=n + 1, stat=state, errmsg=message)
        if (state == 0 .or. index(message, 'result_image') == 0) error stop 'result_image'
        form team (1, team, new_index=n + 1, stat=state, errmsg=message)
        if (state == 0 .or. index(message, 'new_index') == 0) error stop 'new_index'
        any_length = 'as long as can be, so that it holds the sentence'
        sync images (n + 1, stat=state, errmsg=any_length)
        if (index(any_length, 'sync images') == 0) error stop 'errmsg of a length of its own'
    end subroutine
end program
