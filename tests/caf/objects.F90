! images: 1 2 3 4
! Whole objects with pointer and allocatable components, got from other images. Pointer and allocatable components are
! not copied with the object; its other components are, and all components can get new values.
! (tests/caf/object_endings.py has programs that use such components.)
module objects_m
    use check_m, only: check, check_end, neighbour
    implicit none

    type :: part
        integer :: tag
        integer, pointer :: p(:) => null()
    end type
    type :: node
        integer :: tag
        real(8), pointer :: p(:) => null()
        integer, pointer :: s => null()
        type(part) :: parts(2)
        integer(8) :: last
    end type
    type :: box
        integer :: tag
        integer, allocatable :: v(:)
        integer, allocatable :: s
        integer(8) :: last
    end type
    type :: numbers ! values that resemble the library's own notes in objects
        integer(8) :: n(32)
    end type

    type(node), save :: a[*]
    type(node), save :: b(3)[*]
    type(box), save :: c[*]
    type(box), allocatable :: d(:)[:]
    type(numbers), save :: e(2)[*]

contains

    subroutine pointers(k)
        integer, intent(in) :: k
        type(node) :: x, y(3)
        real(8), target :: mine(2)
        mine = 7
        x = a[k]
        call check(x%tag, k, 'scalar with pointers')
        call check(int(x%last), 2 * k, 'end of a scalar with pointers')
        call check(x%parts(2)%tag, 30 + k, 'nested one with pointers')
        if (k == this_image()) call check(size(x%p), 3, 'pointer on this image')
        x%p => mine
        nullify (x%s)
        call check(nint(sum(x%p)), 14, 'new target')
        y = b(:)[k]
        call check(y%tag, [10, 20, 30] + k, 'array with pointers')
        x = b(2)[k]
        call check(x%tag, 20 + k, 'element with pointers')
    end subroutine

    subroutine not_allocated(k)
        integer, intent(in) :: k
        type(box) :: x
#if __GNUC__ < 15
        type(box) :: y(3)
#endif
        x = c[k]
        call check(.not. allocated(x%v) .and. .not. allocated(x%s), 'components that are not allocated')
        call check(int(x%last), 2 * k, 'end of a scalar')
        x%v = [1, 2, 3]
        x%s = 4
        call check(sum(x%v) + x%s, 10, 'new components')
#if __GNUC__ < 15
        y = d(:)[k]
        call check(y%tag, [10, 20, 30] + k, 'array')
#endif
        x = d(2)[k]
        call check(x%tag, 20 + k, 'element')
    end subroutine

    subroutine patterns(k)
        integer, intent(in) :: k
        type(numbers) :: x
        x = e(1)[k]
        call check(all(x%n == pattern(1)), 'numbers like notes of arrays')
        x = e(2)[k]
        call check(all(x%n == pattern(2)), 'numbers like notes of scalars')
    end subroutine

    pure function pattern(i) result(n)
        integer, intent(in) :: i
        integer(8) :: n(32)
        integer :: j
        n = [(ior(shiftl(int(z'caf0', 8) + i, 48), int(8 * j, 8)), j = 0, 31)]
    end function

#if __GNUC__ < 15
    ! gfortran 15 and 16 copy the components with the object, and compile gets of arrays of such objects wrong.
    subroutine not_used(k)
        integer, intent(in) :: k
        type(box) :: x, y(3), z
        x = c[k]
        call check(x%tag, k, 'scalar without its components')
        call check(int(x%last), 2 * k, 'its end')
        call check(allocated(x%v) .and. allocated(x%s), 'components are allocated')
        call check(size(x%v), 4, 'size of a component')
        x%v = [1, 2, 3]
        call check(sum(x%v), 6, 'new array')
        y = d(:)[k]
        call check(y%tag, [10, 20, 30] + k, 'array without its components')
        call check(size(y(3)%v), 5, 'size of an element''s component')
        deallocate (y(3)%v)
        call check(.not. allocated(y(3)%v), 'deallocated')
        z = d(3)[k]
        call take(c[k], k)
    end subroutine

    subroutine take(x, k)
        type(box), intent(in) :: x
        integer, intent(in) :: k
        call check(x%tag, k, 'argument without its components')
    end subroutine
#endif
end module

program objects
    use objects_m
    implicit none
    integer :: me, i, k
    real(8), target, save :: own(3)
    me = this_image()
    allocate (d(3)[*])
    own = me
    a%tag = me
    a%last = 2 * me
    a%parts%tag = [20, 30] + me
    a%p => own
    allocate (a%s, a%parts(1)%p(4))
    do i = 1, 3
        b(i)%tag = 10 * i + me
        allocate (b(i)%p(i))
        d(i)%tag = 10 * i + me
    end do
    c%tag = me
    c%last = 2 * me
    e(1)%n = pattern(1)
    e(2)%n = pattern(2)
    sync all
    do k = 1, num_images()
        call pointers(k)
        call not_allocated(k)
        call patterns(k)
    end do
    sync all
    allocate (c%v(4), c%s, d(3)%v(5))
    sync all
#if __GNUC__ < 15
    do i = 1, num_images() - 1
        call not_used(neighbour(i))
    end do
#endif
    call check_end
end program
