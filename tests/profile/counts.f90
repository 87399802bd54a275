! A program whose statements are known: test_profile.py compares its profile with them.  Image i sends to i + 1.
program counts
    use, intrinsic :: iso_fortran_env, only: atomic_int_kind, event_type
    implicit none
    integer :: a(100)[*], i, me, n, next, s
    type(event_type) :: e[*]
    integer(atomic_int_kind) :: atom[*]

    me = this_image()
    n = num_images()
    next = merge(1, me + 1, me == n)
    a = me
    call atomic_define(atom, 0)
    sync all
    do i = 1, 10
        a(i)[next] = me
    end do
    a(1:50)[next] = a(1:50)
    s = a(99)[next]
    if (s /= next) error stop 'wrong'
    a(98)[next] = a(97)[next]
    event post(e[next])
    event wait(e)
    call atomic_add(atom[1], 1)
    sync all
    s = me
    call co_sum(s)
    if (s /= n * (n + 1) / 2) error stop 'wrong sum'
    critical
        s = s + 1
    end critical
end program
