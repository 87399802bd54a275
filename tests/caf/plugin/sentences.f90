! images: 2
! args: 1
! args: 2
! args: 3
! args: 4
! args: 5
! args: 6
! args: 7
! args: 8
! args: 9
! args: 10
! args: 11
! args: 12
! args: 13
! args: 14
! args: 15
! args: 16
! args: 17
! args: 18
! args: 19
! args: 20
! args: 21
! args: 22
! args: 23
! args: 24
! args: 25
! args: 26
! args: 27
! args: 28
! args: 29
! args: 30
! args: 31
! args: 32
! args: 33
! args: 34
! args: 35
! args: 36
! Wrong and unusual accesses: loops that end beyond or just within a coarray, nonexistent images, unallocated memory.
! Near accesses report errors by the library's sentences.
program sentences
    implicit none
    type list
        integer, allocatable :: v(:)
        integer, pointer :: p(:)
        integer :: c(4)
    end type
    type(list), save :: o[*]
    integer, save :: x(10)[*], z(4, 4)[*]
    integer, allocatable :: y(:)[:]
    integer(8), allocatable :: y8(:, :)[:]
    character(8) :: arg
    integer :: case, n, i, a(40), k, me, m
    call get_command_argument(1, arg)
    read (arg, *) case
    me = this_image()
    n = num_images()
    a = 7
    allocate (o%v(5), o%p(5))
    o%v = 1
    o%p = 2
    x = me
    z = me
    if (case == 23 .or. case == 24) allocate (y8(5, 5)[*])
    sync all
    m = 12
    k = 2
    if (me == 1) then
        select case (case)
        case (1)
            do i = 1, m
                x(i)[k] = a(i)
            end do
        case (2)
            do i = 1, m
                a(i) = x(i)[k]
            end do
        case (3)
            do i = 10, -2, -1
                x(i)[k] = a(2)
            end do
        case (4)
            do i = 1, 20
                if (i <= 10) x(i)[k] = a(i)
            end do
        case (5)
            do i = 1, 16, 3
                a(i) = x(i)[k]
            end do
        case (6)
            do i = 1, m
                y(i)[k] = a(i)
            end do
        case (7)
            a(1) = y(3)[k]
        case (8)
            k = n + 1
            x(1)[k] = 3
        case (9)
            k = 0
            x(1)[k] = 3
        case (10)
            do i = 1, 5
                x(1)[i - 1] = i
            end do
        case (11)
            k = -huge(k) - 1
            a(1) = x(2)[k]
        case (12)
            o[k]%v(m) = 5
        case (13)
            do i = 1, m
                a(i) = o[k]%v(i)
            end do
        case (14)
            x(5:m)[k] = a(1:8)
        case (15)
            a(1:8) = x(5:m)[k]
        case (16)
            do i = 1, 5
                z(i, 1)[k] = i
            end do
            print *, z(1, 2)[k]
        case (17)
            do i = 1, 5
                z(1, i)[k] = i
            end do
        case (18)
            o[k]%p(0) = 1
        case (19)
            do i = 1, m
                o[k]%p(i) = a(i)
            end do
        case (20)
            x(m)[me] = 1
        case (21)
            a(1) = x(m)[me]
        case (22)
            do i = 1, m
                o[me]%v(i) = a(i)
            end do
        case (23)
            do i = 1, 6
                y8(i, 5)[k] = a(i)
            end do
        case (24)
            y8(:, m)[k] = 5
        case (25)
            x(:)[n + 1] = 3
        case (26)
            a(1:10) = x(:)[n + 2]
        case (27)
            o[k]%v(2:m) = 3
        case (28)
            a(1:5) = o[k]%v(2:6)
        case (29)
            x(1)[k] = x(m)[k]
        case (30)
            o[n + 1]%v(1) = 3
        case (31)
            o[k]%c(2) = 3
            o[k]%c(m) = 3
        case (32)
            x(1:m)[k] = a(1:m)
        case (33)
            a(1:m) = x(1:m)[k]
        case (34)
            y(1:3)[k] = a(1:3)
        case (35)
            x(2:4)[n + 1] = a(2:4)
            x(m:1)[n + 1] = a(m:1)
        case (36)
            x(m:1)[k] = a(m:1)
            a(1:9) = x(1:9)[n + 1]
        end select
    end if
    sync all
    if (me == 2) print *, sum(x), sum(z), sum(o%v), sum(o%p)
end program
