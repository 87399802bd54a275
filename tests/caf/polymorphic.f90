! images: 1 2 3 4 5 8
! Polymorphic coarrays that gfortran 12 compiles right, without arrays: scalars allocated with a type, coindexed access
! to components of the declared type, the dynamic type in a local procedure, local polymorphic components (for another
! image's component, gfortran 12 uses a wrong offset).
module polymorphic_m
    use check_m, only: check, check_end, neighbour
    use values_m, only: value, expect
    implicit none
    type :: shape
        integer(8) :: id
        real(8) :: x(3)
    end type
    type, extends(shape) :: circle
        real(4) :: radius
    end type
    type :: holder
        integer(1) :: pad
        class(shape), allocatable :: p
    end type
    integer, parameter :: k(3) = [1, 2, 3]
contains
    subroutine set(s, k0)
        class(shape), intent(inout) :: s
        integer, intent(in) :: k0
        s%id = value(this_image(), k0, 1_8)
        s%x = value(this_image(), k0 + k, 1.0d0)
        select type (s)
        type is (circle)
            s%radius = value(this_image(), k0 + 4, 1.0)
        end select
    end subroutine

    subroutine check_radius(s, k0)
        class(shape), intent(in) :: s
        integer, intent(in) :: k0
        select type (s)
        type is (circle)
            call expect(s%radius, value(this_image(), k0 + 4, 1.0), 'component of the dynamic type')
        class default
            call check(.false., 'dynamic type')
        end select
    end subroutine

    subroutine create(s)
        class(shape), allocatable, intent(inout) :: s[:]
        allocate (circle :: s[*])
    end subroutine
end module

program polymorphic
    use polymorphic_m
    implicit none
    class(shape), allocatable :: s[:]
    type(holder), save :: h[*]
    integer :: me, left, right
    integer(8) :: id
    real(8) :: x(3)
    me = this_image()
    left = neighbour(-1)
    right = neighbour(1)
    call create(s)
    allocate (circle :: h%p)
    call set(s, 10)
    call set(h%p, 100)
    sync all
    id = s[left]%id
    call expect(id, value(left, 10, 1_8), 'get of a component')
    x = s[left]%x
    call expect(x, value(left, 10 + k, 1.0d0), 'get of an array component')
    x(1) = s[right]%x(2)
    call expect(x(1), value(right, 12, 1.0d0), 'get of an element of an array component')
    sync all
    s[right]%id = value(me, 2, 1_8)
    s[right]%x(3) = value(me, 3, 1.0d0)
    sync all
    call expect(s%id, value(left, 2, 1_8), 'put to a component')
    call expect(s%x(2), value(me, 12, 1.0d0), 'element not written to')
    call expect(s%x(3), value(left, 3, 1.0d0), 'put to an element of a component')
    call check_radius(s, 10)
    call check_radius(h%p, 100)
    call expect(h%p%id, value(me, 100, 1_8), 'polymorphic component')
    deallocate (s)
    allocate (s[*])
    call set(s, 70)
    sync all
    id = s[right]%id
    call expect(id, value(right, 70, 1_8), 'after an allocation as the declared type')
    call check_end
end program
