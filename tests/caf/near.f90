! images: 1 2 4
! flags: -O2 -Wno-caf
! Coindexed accesses that the plugin turns into loads and stores: elements in loops, varying subscripts, sections, and
! this image's own part by both names.
program near
    use check_m, only: check, check_end
    implicit none
    integer, parameter :: n = 50
    integer, allocatable :: h(:)[:]
    real(8), allocatable :: q(:, :)[:]
    integer :: me, next, i
    integer :: idx(n), a(n)
    me = this_image()
    next = merge(1, me + 1, me == num_images())
    allocate (h(n)[*], q(4, 5)[*])
    idx = [(mod(i*7, n) + 1, i=1, n)]

    h = 0
    sync all
    do i = 1, n
        h(i)[next] = i*me
    end do
    sync all
    a = 0
    do i = 1, n
        a(i) = h(i)[next]
    end do
    call check(all(a == [(i*me, i=1, n)]), "elements in a loop")
    sync all
    do i = 1, n
        h(idx(i))[mod(i, num_images()) + 1] = i
    end do
    sync all
    call check(all([(h(idx(i))[mod(i, num_images()) + 1] == i, i=1, n)]), "varying subscripts and images")
    sync all

    h(2:n - 1)[next] = a(2:n - 1)
    sync all
    a = 0
    a(1:n/2) = h(n/2 + 1:n)[next]
    call check(all(a(1:n/2 - 1) == [(i*me, i=n/2 + 1, n - 1)]), "sections")
    sync all

    h = 1
    h(3)[me] = h(2) + 1
    h(4) = h(3)[me] + h(3)
    do i = 5, 20
        h(i)[me] = h(i - 1) + h(i - 2)[me]
    end do
    call check(h(5) == 6 .and. h(20) == 8362, "this image's own part by both names")
    q(2, 3)[next] = 2.5d0*me
    sync all
    call check(q(2, 3)[next] == 2.5d0*me, "two dimensions")
    call check_end()
end program
