! images: 1 2 3 4
! flags: -O2 -fcheck=recursion
! Errors of gfortran that the plugin corrects (src/caf/plugin/mend.cc).
module mended_m
    use, intrinsic :: iso_fortran_env, only: atomic_int_kind
    use check_m, only: check, neighbour
    implicit none
    type :: box
        integer(atomic_int_kind) :: n = 0
        integer, allocatable :: d(:), e(:, :)
    end type
    integer, save :: line(5)[*]
    type(box), save :: counted[*]
    integer, allocatable :: late(:)[:]
contains
    ! For such a put, gfortran 15 and 16 declare the accessor's arguments and number in the module's scope.
    subroutine put_to_own(image, i, j)
        integer, intent(in) :: image, i, j
        integer :: got
        line(i)[image] = 10 * i
        line(j:j + 1)[image] = [j, j + 1]
        got = line(i)[image]
        late(i)[image] = got + 1
    end subroutine

    subroutine in_block(image)
        integer, intent(in) :: image
        integer, save :: x[*]
        x = 0
        sync all
        block
            x[image] = this_image()
        end block
        sync all
        call check(x, neighbour(-1), 'a coarray in a BLOCK')
    end subroutine

    ! gfortran declares is_recursive, by which -fcheck=recursion detects recursive calls, in no scope.
    subroutine broadcast(o)
        type(box), intent(inout) :: o
        call co_broadcast(o, 1)
    end subroutine

    function filled(by) result(o)
        integer, intent(in) :: by
        type(box) :: o
        o%n = by
        o%d = by * [1, 2, 3]
        o%e = by * reshape([1, 2, 3, 4, 5, 6], [2, 3])
    end function

    subroutine check_box(o, by, what)
        type(box), intent(in) :: o
        integer, intent(in) :: by
        character(*), intent(in) :: what
        call check(o%n, by, what // ', n')
        call check(allocated(o%d) .and. allocated(o%e), what // ', allocated')
        call check(all(o%d == by * [1, 2, 3]), what // ', d')
        call check(all(o%e == by * reshape([1, 2, 3, 4, 5, 6], [2, 3])), what // ', e')
    end subroutine

    subroutine copies
        type(box), allocatable :: many(:)[:], one[:]
        type(box) :: o
        integer :: me, from, i
        me = this_image()
        from = neighbour(1)
        o = filled(me)
        allocate (many(3)[*], one[*], source=o)
        do i = 1, 3
            call check_box(many(i), me, 'source=')
        end do
        call check_box(one, me, 'source= of a scalar')
        sync all
        call check(many(2)[from]%d(3), 3 * from, 'a component of another image')
        call check(one[from]%e(2, 3), 6 * from, 'a component of a scalar of another image')
        sync all
        o = filled(10 * me)
        many(2) = o
        one = o
        call check_box(many(1), me, 'an element that is not assigned to')
        call check_box(many(2), 10 * me, 'an element')
        call check_box(one, 10 * me, 'a scalar')
        sync all
        call check(many(2)[from]%d(2), 20 * from, 'an element of another image')
        sync all
        many = filled(100 * me)
        do i = 1, 3
            call check_box(many(i), 100 * me, 'a whole array')
        end do
        deallocate (o%d)
        many(3) = o
        call check(.not. allocated(many(3)%d), 'a component that is not allocated')
        call check(all(many(3)%e == o%e), 'the other component')
    end subroutine

    subroutine complex_scalar
        complex, save :: z[*]
        z = (1.0, 2.0) * this_image()
        sync all
        call check(abs(z - (1.0, 2.0) * this_image()) < 1e-6, 'a complex coarray')
        call check(abs(z[neighbour(1)] - (1.0, 2.0) * neighbour(1)) < 1e-6, 'a complex coarray of another image')
        sync all
        z[neighbour(1)] = (0.0, 1.0) * this_image()
        sync all
        call check(abs(z - (0.0, 1.0) * neighbour(-1)) < 1e-6, 'a put to a complex coarray')
    end subroutine

    subroutine atomics
        integer(atomic_int_kind) :: value
        counted%n = 0
        sync all
        call atomic_add(counted[1]%n, this_image())
        call atomic_add(counted%n, 100)
        sync all
        call atomic_ref(value, counted[1]%n)
        call check(value, 100 + num_images() * (num_images() + 1) / 2, 'an atomic component')
        sync all
    end subroutine
end module

program mended
    use mended_m
    use check_m, only: check_end
    implicit none
    type(box) :: o
    allocate (late(5)[*])
    line = 0
    late = 0
    sync all
    call put_to_own(neighbour(1), 2, 4)
    sync all
    call check(all(line == [0, 20, 0, 4, 5]), "puts to the module's own coarray")
    call check(late(2), 21, 'to an allocatable one')
    call in_block(neighbour(1))
    o = filled(this_image())
    call broadcast(o)
    call check_box(o, 1, 'co_broadcast with -fcheck=recursion')
    call copies
    call complex_scalar
    call atomics
    call check_end
end program
