! images: 1 2
! A static coarray uses memory only for written pages: little of 256 MiB is resident, and the rest is zero.
program static_untouched
    use check_m, only: check, check_end, memory_kib, neighbour
    implicit none
    integer, parameter :: n = 8192
    integer, save :: a(n, n)[*]
    integer :: right, kib

    kib = memory_kib('RssShmem')
    call check(kib < 64 * 1024, 'memory at the start')
    right = neighbour(1)
    a(4711, 17)[right] = this_image()
    sync all
    call check(a(4711, 17), neighbour(-1), 'the written element')
    call check(a(n, n), 0, 'an element that was not written')
    call check_end()

end program static_untouched
