! images: 1 2 3 4 5 8
! Dummy coarrays: explicit shape, assumed size, assumed shape (contiguous), allocatable, scalars, parts of coarrays as
! actual arguments, cobounds that differ in the callee, module coarrays, coarrays of procedures, function results of
! gets.
module dummies_m
    use check_m, only: check, check_end, neighbour
    use values_m, only: value, expect
    implicit none
    integer :: k_
    integer, parameter :: k(40) = [(k_, k_ = 1, 40)]
    real(8), save :: shared(10)[*]
    integer(2), allocatable, save :: later(:, :)[:]
contains
    ! Checks that a has the values value(image, k0 + k) on every image.
    subroutine explicit_shape(a, n, k0)
        integer, intent(in) :: n, k0
        integer(8), intent(inout) :: a(n)[*]
        integer(8) :: y(n)
        y = a(:)[neighbour(-1)]
        call expect(y, value(neighbour(-1), k0 + k(:n), 1_8), 'explicit shape')
        y(1:2) = a(n:1:1 - n)[neighbour(-1)]
        call expect(y(1:2), value(neighbour(-1), k0 + [n, 1], 1_8), 'section of explicit shape')
        sync all
        a(2)[neighbour(1)] = value(this_image(), k0, 1_8)
        sync all
        call expect(a(2), value(neighbour(-1), k0, 1_8), 'put to explicit shape')
        call expect(a(3), value(this_image(), k0 + 3, 1_8), 'element not written to, explicit shape')
        sync all
        a(2) = value(this_image(), k0 + 2, 1_8)
        sync all
    end subroutine

    subroutine other_bounds(a, k0)
        integer, intent(in) :: k0
        integer(8), intent(inout) :: a(0:2, -1:4)[0:1, 5:*]
        integer(8) :: x
        integer :: from
        from = neighbour(-1) - 1
        x = a(1, 0)[mod(from, 2), 5 + from / 2]
        call expect(x, value(from + 1, k0 + 5, 1_8), 'assumed size, other cobounds')
        call check(this_image(a), [mod(this_image() - 1, 2), 5 + (this_image() - 1) / 2], 'cosubscripts')
        call check(lcobound(a, 2), 5, 'lower cobound')
        call check(ucobound(a, 1), 1, 'upper cobound')
        sync all
    end subroutine

    subroutine assumed_shape(a, k0)
        integer, intent(in) :: k0
        integer(8), contiguous, intent(inout) :: a(:)[2, *]
        integer(8) :: y(size(a)), x
        integer :: from
        from = neighbour(1)
        y = a(:)[2 - mod(from, 2), (from + 1) / 2]
        call expect(y, value(from, k0 + k(:size(a)), 1_8), 'assumed shape')
        x = a(size(a))[2 - mod(from, 2), (from + 1) / 2]
        call expect(x, value(from, k0 + size(a), 1_8), 'last of assumed shape')
        sync all
        a(1)[2 - mod(from, 2), (from + 1) / 2] = value(this_image(), k0, 1_8)
        sync all
        call expect(a(1), value(neighbour(-1), k0, 1_8), 'put to assumed shape')
        sync all
        a(1) = value(this_image(), k0 + 1, 1_8)
        sync all
    end subroutine

    subroutine scalar(s, k0)
        integer(8), intent(inout) :: s[*]
        integer, intent(in) :: k0
        integer(8) :: x
        x = s[neighbour(-1)]
        call expect(x, value(neighbour(-1), k0, 1_8), 'scalar dummy')
        sync all
        s[neighbour(1)] = value(this_image(), k0 - 7, 1_8)
        sync all
        call expect(s, value(neighbour(-1), k0 - 7, 1_8), 'put to a scalar dummy')
        sync all
        s = value(this_image(), k0, 1_8)
        sync all
    end subroutine

    subroutine create(a, n)
        complex(8), allocatable, intent(inout) :: a(:, :)[:]
        integer, intent(in) :: n
        integer :: i
        if (allocated(a)) deallocate (a)
        allocate (a(n, 3)[*])
        do i = 1, 3
            a(:, i) = value(this_image(), 100 * i + k(:n), (1.0d0, 0.0d0))
        end do
    end subroutine

    subroutine use_and_free(a, n)
        complex(8), allocatable, intent(inout) :: a(:, :)[:]
        integer, intent(in) :: n
        complex(8) :: y(n)
        sync all
        y = a(:, 2)[neighbour(-1)]
        call expect(y, value(neighbour(-1), 200 + k(:n), (1.0d0, 0.0d0)), 'allocatable dummy')
        deallocate (a)
    end subroutine

    ! A local coarray, which is kept between calls and used in an expression.
    integer(4) function counted(add)
        integer, intent(in) :: add
        integer(4), save :: sum[*] = 0
        sync all
        sum[neighbour(1)] = sum[neighbour(1)] + add
        sync all
        counted = 2 * sum[neighbour(-1)] + sum
        sync all
    end function

    ! Passes its argument to another procedure; the local coarray is deallocated at every return. (gfortran 12 keeps
    ! the descriptor of a local coarray in static memory, also in recursive procedures, so there is no recursion here.)
    subroutine passed_on(a, round)
        integer, intent(in) :: round
        integer(8), intent(inout) :: a(*)[*]
        integer(8), allocatable :: own[:]
        integer(8) :: x
        allocate (own[*])
        own = value(this_image(), round, 1_8)
        call explicit_shape(a, 20, 500)
        x = own[neighbour(-1)]
        call expect(x, value(neighbour(-1), round, 1_8), 'local coarray')
        x = a(3)[neighbour(1)]
        call expect(x, value(neighbour(1), 503, 1_8), 'dummy of a dummy')
    end subroutine
end module

program dummies
    use dummies_m
    implicit none
    integer(8), save :: a(20)[*], s[*]
    integer(8), allocatable :: d(:)[:], ds[:]
    complex(8), allocatable :: z(:, :)[:]
    integer :: me, n, round
    me = this_image()
    n = num_images()
    allocate (d(0:19)[*], ds[*])
    a = value(me, 500 + k(:20), 1_8)
    d = value(me, 600 + k(:20), 1_8)
    s = value(me, 700, 1_8)
    ds = value(me, 800, 1_8)
    sync all
    call explicit_shape(a, 20, 500)
    call explicit_shape(d, 20, 600)
    call explicit_shape(a(4:12), 9, 503)
    call explicit_shape(d(10), 6, 610)
    call other_bounds(a, 500)
    call other_bounds(d, 600)
    call assumed_shape(a, 500)
    call assumed_shape(d, 600)
    call assumed_shape(d(5:9), 605)
    call scalar(s, 700)
    call scalar(ds, 800)
    call scalar(a(7), 507)
    call scalar(d(7), 608)
    call create(z, 6)
    call use_and_free(z, 6)
    call check(.not. allocated(z), 'freed by the dummy')
    call create(z, 8)
    call create(z, 5)
    call use_and_free(z, 5)
    do round = 1, 3
        ! every image adds its own number to its right neighbour's
        call check(counted(me), round * (2 * neighbour(-2) + neighbour(-1)), 'coarray of a function')
    end do
    do round = 1, 3
        call passed_on(a, round)
    end do
    shared = value(me, k(:10), 1.0d0)
    allocate (later(4, -1:1)[*])
    later = value(me, 9, 1_2)
    sync all
    call expect([shared(4)[neighbour(1)]], [value(neighbour(1), 4, 1.0d0)], 'module coarray')
    call expect([later(2, 1)[neighbour(1)]], [value(neighbour(1), 9, 1_2)], 'module allocatable')
    sync all
    deallocate (later)
    call check(n == num_images(), 'number of images')
    call check_end
end program
