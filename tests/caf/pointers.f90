! images: 1 2 3 4 5 8
! flags: -Wno-target-lifetime
! Pointer components of coarrays: targets that are allocated, static, on the stack, parts of other arrays (strided and
! backwards), allocatable targets, other coarrays; each image with other sizes and bounds; linked lists followed
! locally.
program pointers
    use check_m, only: check_end, neighbour
    use values_m, only: value, expect
    implicit none
    type :: node
        integer(4) :: tag
        integer(8), pointer :: s
        real(8), pointer :: p(:)
        integer(2), pointer :: m(:, :)
    end type
    type :: box
        integer :: pad
        type(node) :: inner
        type(node), pointer :: next
        type(node), pointer :: nodes(:)
    end type
    integer :: k_
    integer, parameter :: k(100) = [(k_, k_ = 1, 100)]
    integer(8), target, save :: static_scalar
    real(8), target, save :: static_array(100)
    type(node), save :: c[*], a(3)[*]
    real(8), allocatable, target :: block(:), coarray(:)[:]
    real(8), pointer :: strided(:)
    integer :: me

    me = this_image()

    allocate (c%s, c%p(5 + me))
    call fill(100)
    call visit(100, 5 + neighbour(-1), 'allocated')
    deallocate (c%s, c%p)

    c%s => static_scalar
    c%p => static_array
    call fill(300)
    call visit(300, 100, 'static')
    c%p => static_array(100:3:-3)
    call fill(400)
    call visit(400, 33, 'strided static')
    call on_the_stack(7)
    c%s => static_scalar

    allocate (block(20 + 2 * me), coarray(50)[*])
    c%p => block
    call fill(500)
    call visit(500, 20 + 2 * neighbour(-1), 'allocatable')
    strided => block(1::2)
    c%p(1:) => strided
    call fill(600)
    call visit(600, 10 + neighbour(-1), 'a pointer to a stride')
    c%p => coarray(7:47:4)
    call fill(700)
    call visit(700, 11, 'a part of a coarray')
    allocate (c%p(1000000 + me))
    c%p = 0
    c%p(1000001:1000000 + me) = value(me, k(:me), 1.0d0)
    sync all
    coarray(1) = c[neighbour(-1)]%p(1000000 + neighbour(-1))
    call expect(coarray(1), value(neighbour(-1), neighbour(-1), 1.0d0), 'the end of a large target')
    sync all
    deallocate (c%p)
    call nested
    call elements
    call check_end

contains

    ! Reads and writes the node of the left image: its p has n elements value(left, k0 + i), and its s has k0.
    subroutine visit(k0, n, what)
        integer, intent(in) :: k0, n
        character(*), intent(in) :: what
        integer :: left, i, m
        real(8) :: x, y(100)
        real(4) :: z(3)
        integer(8) :: s
        left = neighbour(-1)
        sync all
        s = c[left]%s
        call expect(s, value(left, k0, 1_8), 'scalar, ' // what)
        do i = 1, n
            x = c[left]%p(i)
            call expect(x, value(left, k0 + i, 1.0d0), 'element, ' // what)
        end do
        y(:n) = c[left]%p(:)
        call expect(y(:n), value(left, k0 + k(:n), 1.0d0), 'whole, ' // what)
        y(1:3) = c[left]%p(n:n - 4:-2)
        call expect(y(1:3), value(left, k0 + [n, n - 2, n - 4], 1.0d0), 'backward section, ' // what)
        z = c[left]%p(2:4)
        call expect(z, real(value(left, k0 + [2, 3, 4], 1.0d0), 4), 'converted section, ' // what)
        sync all
        c[left]%p(2:n:2) = value(this_image(), k0 + 200 + k(:n / 2), 1.0d0)
        c[left]%p(1) = value(this_image(), k0 + 300, 1.0d0)
        c[left]%s = value(this_image(), k0 + 400, 1_8)
        sync all
        m = size(c%p)
        call expect(c%p(2:m:2), value(neighbour(1), k0 + 200 + k(:m / 2), 1.0d0), 'put to a section, ' // what)
        call expect(c%p(1), value(neighbour(1), k0 + 300, 1.0d0), 'put to an element, ' // what)
        call expect(c%p(3), value(this_image(), k0 + 3, 1.0d0), 'an element not written to, ' // what)
        call expect(c%s, value(neighbour(1), k0 + 400, 1_8), 'put to a scalar, ' // what)
        sync all
    end subroutine

    subroutine fill(k0)
        integer, intent(in) :: k0
        c%s = value(this_image(), k0, 1_8)
        c%p = value(this_image(), k0 + k(:size(c%p)), 1.0d0)
    end subroutine

    subroutine on_the_stack(n)
        integer, intent(in) :: n
        real(8), target :: local(n)
        integer(8), target :: scalar
        c%s => scalar
        c%p => local
        call fill(1000)
        call visit(1000, n, 'on the stack')
        c%p(1:n) => local(n:1:-1)
        call fill(2000)
        call visit(2000, n, 'backwards on the stack')
    end subroutine

    subroutine nested
        type(box), save :: b[*]
        type(node), target :: other, next
        type(node), target, save :: nodes(20)
        integer :: me, left, i
        real(8) :: x, y(3)
        integer(4) :: tag
        integer(2) :: m(2, 3), row(3)
        me = this_image()
        left = neighbour(-1)
        b%inner%tag = value(me, 1, 1)
        allocate (b%inner%p(me + 3), b%inner%m(me + 2, 0:me + 4), other%p(3))
        ! gfortran 12 compiles an allocate of an object with pointers wrong, so these targets are variables
        b%next => next
        b%nodes => nodes(1:me + 2)
        b%inner%p = value(me, 10 + k(:me + 3), 1.0d0)
        do i = 0, me + 4
            b%inner%m(:, i) = value(me, 100 + 20 * i + k(:me + 2), 1_2)
        end do
        b%next%tag = value(me, 2, 1)
        b%next%p => other%p
        other%p = value(me, 30 + k(:3), 1.0d0)
        do i = 1, me + 2
            b%nodes(i)%tag = value(me, 50 + i, 1)
            b%nodes(i)%p => b%inner%p(i:)
        end do
        sync all
        x = b[left]%inner%p(left + 3)
        call expect(x, value(left, 10 + left + 3, 1.0d0), 'last element of a nested pointer')
        m = b[left]%inner%m(left + 2:1:-left - 1, 1:5:2)
        do i = 1, 3
            call expect(m(:, i), value(left, 80 + 40 * i + [left + 2, 1], 1_2), 'section of a matrix')
        end do
        row = b[left]%inner%m(2, 0:2)
        call expect(row, value(left, 100 + 20 * [0, 1, 2] + 2, 1_2), 'row of a matrix')
        tag = b[left]%next%tag
        call expect(tag, value(left, 2, 1), 'component of a pointer')
        y = b[left]%next%p(:)
        call expect(y, value(left, 30 + k(:3), 1.0d0), 'pointer of a pointer')
        tag = b[left]%nodes(left + 2)%tag
        call expect(tag, value(left, 50 + left + 2, 1), 'component of an element of a pointer')
        y(1:2) = b[left]%nodes(2)%p(1:2)
        call expect(y(1:2), value(left, 11 + k(1:2), 1.0d0), 'pointer of an element of a pointer')
        sync all
        b[left]%inner%m(1:2, 0) = value(me, 900 + k(1:2), 1_2)
        b[left]%next%tag = value(me, 3, 1)
        b[left]%nodes(1)%p(2) = value(me, 4, 1.0d0)
        sync all
        call expect(b%inner%m(1:2, 0), value(neighbour(1), 900 + k(1:2), 1_2), 'put to a matrix')
        call expect(b%next%tag, value(neighbour(1), 3, 1), 'put to a component of a pointer')
        call expect(b%inner%p(2), value(neighbour(1), 4, 1.0d0), 'put to a pointer of an element of a pointer')
        sync all
        deallocate (b%inner%p, b%inner%m, other%p)
    end subroutine

    ! Elements of an array coarray, each with a target of a different size.
    subroutine elements
        integer :: me, left, i
        real(8) :: y(7), x
        me = this_image()
        left = neighbour(-1)
        do i = 1, 3
            allocate (a(i)%p(-i:me + i))
            a(i)%p = value(me, 100 * i + k(:size(a(i)%p)), 1.0d0)
        end do
        sync all
        do i = 1, 3
            y(1:2) = a(i)[left]%p(-i:left + i:left + 2 * i)
            call expect(y(1:2), value(left, 100 * i + [1, left + 2 * i + 1], 1.0d0), 'pointer of an element')
            x = a(i)[left]%p(left + i)
            call expect(x, value(left, 100 * i + left + 2 * i + 1, 1.0d0), 'last of the pointer of an element')
        end do
        sync all
        do i = 1, 3
            deallocate (a(i)%p)
        end do
    end subroutine
end program
