! images: 1 2 3
! flags: -O2 -fchecking -Wno-function-elimination -Wno-caf
! Forms of coindexed accesses that the plugin turns into loads, stores, copies or loops.
module near_forms_m
    implicit none
    type plain
        integer :: i
        real(8) :: x(3)
        character(5) :: c
    end type
    type pair
        integer(2) :: a, b
    end type
    type parts
        integer :: n
        real(8), allocatable :: p(:), q(:, :)
        real(8), pointer :: r(:)
        integer, allocatable :: s
        integer(2) :: w(5)
        type(plain) :: plain
    end type
    integer, allocatable :: h(:)[:]
    integer :: scalar[*]
    type(parts) :: a[*]
    type(parts), allocatable :: many(:)[:]
end module

program near_forms
    use check_m, only: check, check_end
    use near_forms_m
    implicit none
    integer :: next, i
    next = merge(1, this_image() + 1, this_image() == num_images())
    allocate (h(20)[*], many(0:2)[*])
    call conversions
    call bytes
    call sections(h(:), 20)
    call components
    call between
    call own
    call check_end
contains
    subroutine conversions
        real(4), save :: r4[*]
        real(8), save :: r8(3)[*]
        real(10), save :: r10[*]
        real(16), save :: r16[*]
        complex(4), save :: c4(1)[*]
        complex(8), save :: c8(1)[*]
        complex(16), save :: c16(1)[*]
        integer(1), save :: i1[*]
        integer(16), save :: i16[*]
        logical(1), save :: l1[*]
        logical(8), save :: l8[*]
        integer :: i4
        real(8) :: x
        real(16) :: y(2)
        real(10), save :: t10(2)[*]
        logical :: l
        y = [1.25, 2.5]
        sync all
        scalar[next] = 3.7d0
        r4[next] = 7
        r8(:)[next] = [1, 2, 3]
        r10[next] = 1.5
        r16[next] = 2.25d0
        c4(1)[next] = (1., 2.)
        c8(1)[next] = (5.5d0, 0d0)
        c16(1)[next] = (1._16, -1._16)
        i1[next] = 300_8 - 256_8
        i16[next] = -12
        l1[next] = .true.
        l8[next] = .false._1
        sync all
        call check(scalar == 3 .and. r4 == 7 .and. all(r8 == [1, 2, 3]) .and. r10 == 1.5 .and. r16 == 2.25, 'numbers')
        call check(c4(1) == (1, 2) .and. c8(1) == 5.5 .and. c16(1) == (1, -1), 'complex numbers')
        call check(i1 == 44 .and. i16 == -12 .and. logical(l1) .and. .not. logical(l8), 'integers and logicals')
        x = scalar[next]
        i4 = r4[next]
        call check(x == 3 .and. i4 == 7, 'numbers got')
        x = c8(1)[next]
        call check(x == 5.5 .and. real(c4(1)[next]) == 1 .and. aimag(c16(1)[next]) == -1, 'complex numbers got')
        i4 = i16[next]
        l = l1[next]
        call check(i4 == -12 .and. l .and. r10[next] == 1.5 .and. r16[next] == 2.25, 'others got')
        sync all
        t10(:)[next] = y
        sync all
        call check(all(t10 == y), 'a kind of the same size')
    end subroutine

    subroutine bytes
        type(plain), save :: p(2)[*]
        type(pair), save :: q[*]
        character(8), save :: c(3)[*]
        character(20), save :: d[*]
        type(plain) :: mine
        type(pair) :: two
        character(8) :: text
        integer :: me
        c = ' '
        sync all
        p(2)[next] = plain(this_image(), [1d0, 2d0, 3d0], 'hello')
        q[next] = pair(-1_2, int(this_image(), 2))
        c(2)[next] = 'abcdefgh'
        c(3)[next](2:3) = 'xy'
        d[next] = 'a longer text of 20'
        sync all
        mine = p(2)[next]
        two = q[next]
        text = c(2)[next]
        call check(mine%i == this_image() .and. all(mine%x == [1, 2, 3]) .and. mine%c == 'hello', 'a derived type')
        call check(two%a == -1 .and. two%b == this_image(), 'a small derived type')
        call check(text == 'abcdefgh' .and. d[next] == 'a longer text of 20', 'characters')
        call check(c(3)(2:3) == 'xy' .and. p(2)[next]%x(3) == 3, 'parts')
        sync all
        c(2)[next](5:8) = '12345678'
        me = this_image()
        q%a = 5
        q[me] = pair(7_2, 8_2)
        call check(q%a == 7 .and. q%b == 8, 'a small derived type of this image, by both names')
        sync all
        call check(c(2) == 'abcd1234' .and. c(3)(2:3) == 'xy' .and. c(3)(1:1) /= '5', 'a part that is put')
    end subroutine

    subroutine sections(b, n)
        integer, intent(in) :: n
        integer, intent(inout) :: b(:)
        real(8), allocatable, save :: m(:, :, :)[:]
        real(8) :: t(3, 4, 5)
        real(8), allocatable :: u(:, :)
        integer, allocatable :: v(:)
        allocate (m(3, 4, 5)[*])
        m = this_image()
        h = [(i, i=1, n)]
        sync all
        t = m(:, :, :)[next]
        call check(all(t == next), 'a whole array')
        u = m(:, :, 2)[next]
        v = h(:)[next]
        call check(size(u) == 12 .and. all(u == next) .and. all(v == [(i, i=1, n)]), 'allocatable left-hand sides')
        sync all
        t = 7
        m(:, 2:3, 1)[next] = t(:, 1:2, 1)
        m(:, :, 5)[next] = 9
        m(1:2, :, 4)[next] = -1
        v = b
        sync all
        h(1:n)[next] = v(n:1:-1)
        sync all
        call check(all(m(:, 2:3, 1) == 7) .and. all(m(:, 4, 1) == this_image()), 'columns')
        call check(all(m(:, :, 5) == 9) .and. all(m(1:2, :, 4) == -1) .and. all(m(3, :, 4) == this_image()), 'planes')
        call check(all(h == [(n + 1 - i, i=1, n)]), 'backwards')
        sync all
        m(1, 1, 1)[next] = 1
        h(5:4)[next] = h(7:6)
        t(:, 1, 1) = h(2:4)[next]
        call check(all(t(:, 1, 1) == [19, 18, 17]), 'a section converted')
        sync all
    end subroutine

    subroutine components
        real(8) :: v(4)
        real(8), allocatable :: w(:, :)
        integer :: k
        allocate (a%p(0:9), a%q(2, 3), a%s)
        allocate (a%r(10))
        many%n = this_image()
        do k = 0, 2
            allocate (many(k)%p(5))
            many(k)%p = k
        end do
        a%p = [(i, i=0, 9)]
        a%q = this_image()
        a%r = -1
        sync all
        a[next]%p(3) = 33
        a[next]%r(2:4) = [5, 6, 7]
        a[next]%s = 4.5
        a[next]%n = 12
        a[next]%w(2) = 2
        a[next]%q(:, 2) = 8
        a[next]%plain%x(2) = 2.5
        many(2)[next]%p(4) = 44
        sync all
        call check(a%p(3) == 33 .and. all(a%r(2:4) == [5, 6, 7]) .and. a%r(1) == -1 .and. a%s == 4, 'components')
        call check(a%n == 12 .and. a%w(2) == 2 .and. all(a%q(:, 2) == 8) .and. a%plain%x(2) == 2.5, 'more components')
        call check(many(2)%p(4) == 44 .and. many(2)%p(3) == 2, 'of an element')
        v(1) = a[next]%p(3)
        v(2) = a[next]%s
        v(3) = many(2)[next]%p(4)
        v(4) = a[next]%plain%x(2)
        call check(all(v == [33d0, 4d0, 44d0, 2.5d0]), 'components got')
        v = a[next]%p(1:4)
        call check(all(v == [1, 2, 33, 4]), 'a section of a component got')
        v(1:3) = a[next]%r(2:4)
        call check(all(v(1:3) == [5, 6, 7]), 'a section of a pointer got')
        allocate (w(3, 2))
        w = a[next]%q(:, :)
        call check(size(w, 1) == 2 .and. all(w(:, 2) == 8), 'a left-hand side of another shape')
        sync all
    end subroutine

    subroutine between
        h = [(i*this_image(), i=1, 20)]
        scalar = 0
        sync all
        scalar[next] = h(3)[this_image()]
        sync all
        call check(scalar[next] == 3*this_image(), 'between images')
        h(1:5)[next] = h(11:15)[next]
        sync all
        call check(all(h(1:5)[next] == [(i*next, i=11, 15)]), 'sections between images')
        sync all
    end subroutine

    ! Accesses to this image's own part by both names, in order, and to overlapping memory.
    subroutine own
        integer :: me
        me = this_image()
        h = [(i, i=1, 20)]
        h(2:11)[me] = h(1:10)
        call check(all(h(1:11) == [1, (i, i=1, 10)]), 'an overlap')
        h(1:10) = h(2:11)[me]
        call check(all(h(1:10) == [(i, i=1, 10)]), 'an overlap got')
        h(:)[me] = h(3)
        h(4) = 5
        h(5)[me] = h(4)[me] + h(3)
        call check(h(5) == 8 .and. h(20) == 3, 'in order')
        h(1:4)[me] = h(2:5)[me]
        call check(all(h(1:4) == [3, 3, 5, 8]), 'between this image and itself')
        scalar[me] = 1
        do while (scalar[me] < 5)
            scalar = scalar + 1
        end do
        call check(scalar == 5, 'a loop that changes it')
    end subroutine
end program
