! images: 1 2 4
! Puts into allocatable and pointer components. On another node, the target image finds the component's address for the
! first puts; for later puts, the origin requests the address. Each put is in order with gets and puts of the same data,
! and reaches the component's current address.
! gfortran 15 and 16 cannot compile puts of a module procedure to a coarray of its module, or of a module that its
! module uses. Therefore each procedure uses the module of the coarrays itself.
module component_puts_coarrays
    implicit none

    type :: leaf
        integer :: tag
        real(8), allocatable :: v(:)
    end type
    type :: tree
        integer :: tag
        real(8), allocatable :: v(:), m(:, :), s
        integer, allocatable :: i(:)
        character(:), allocatable :: word
        character(5), allocatable :: words(:)
        real(8), pointer :: p(:) => null()
        type(leaf), allocatable :: c, few(:)
        type(leaf) :: fixed(2)
    end type

    type(tree), save :: t[*], many(3)[*]
    real(8), target, save :: behind(10)
end module

module component_puts_m
    use check_m, only: check, check_end, neighbour
    implicit none
contains
    elemental real(8) function value(image, x)
        integer, intent(in) :: image, x
        value = 100000d0 * image + x
    end function

    subroutine expect(found, image, first, what)
        real(8), intent(in) :: found(:)
        integer, intent(in) :: image, first
        character(*), intent(in) :: what
        integer :: k
        call check(all(abs(found - [(value(image, k), k = first, first + size(found) - 1)]) < 0.5d0), what)
    end subroutine

    subroutine fill()
        use component_puts_coarrays
        integer :: k
        allocate (t%v(-3:96), t%m(12, 9), t%s, t%i(6), t%words(3), t%c, t%few(2:4))
        t%v = -1
        t%m = -1
        t%s = -1
        t%i = -1
        t%words = '-----'
#if __GNUC__ < 15
        t%p => behind
#else
        allocate (t%p(10))      ! other images cannot access variables
#endif
        t%p = -1
        allocate (t%c%v(5), source=-1d0)
        do k = 2, 4
            allocate (t%few(k)%v(k), source=-1d0)
        end do
        allocate (t%fixed(2)%v(4), source=-1d0)
        do k = 1, 3
            allocate (many(k)%v(7), source=-1d0)
        end do
    end subroutine

    ! Each form of component and of value occurs once, so that no put uses an address that an earlier put has requested.
    subroutine forms()
        use component_puts_coarrays
        integer :: to, k, from, order(3)
        real(8) :: x(100)
        order = [7, 1, 4]                   ! with a constant, gfortran 15 and 16 crash
        to = neighbour(1)
        from = neighbour(-1)
        x = [(value(this_image(), k), k = 1, 100)]
        call fill()
        sync all
        t[to]%v(-3:6) = x(1:10)
        t[to]%m(2:12:5, 9:1:-4) = reshape(x(1:9), [3, 3])
        t[to]%s = x(1)
        t[to]%i(:) = x(1:6)                 ! converted by the other image
        t[to]%words(2:3) = ['two  ', 'three']
        t[to]%p(3:) = x(1:16:2)             ! not contiguous here
        t[to]%c%v(2:4) = x(2:4)
        t[to]%few(3)%v = x(1:3)
        t[to]%few(4)%v(:) = x(7)            ! one value for all
        t[to]%fixed(2)%v(4:1:-1) = x(1:4)
        many(2)[to]%v(order) = x(1:3)       ! by an index vector
        t[to]%v(90:80) = x(1:0)             ! nothing
        sync all
        call expect(t%v(-3:6), from, 1, 'array')
        call check(all(abs(t%v(7:) + 1) < 0.5d0), 'rest of the array')
        call expect([t%m(2:12:5, 9), t%m(2:12:5, 5), t%m(2:12:5, 1)], from, 1, 'section')
        call check(count(t%m > 0) == 9, 'rest of the section')
        call expect([t%s], from, 1, 'scalar')
        call expect(real(t%i, 8), from, 1, 'converted')
        call check(t%words(1) == '-----' .and. t%words(2) == 'two' .and. t%words(3) == 'three', 'characters')
        call check(all(abs(t%p(3:) - value(from, [1, 3, 5, 7, 9, 11, 13, 15])) < 0.5d0), 'pointer')
        call check(all(abs(t%p(:2) + 1) < 0.5d0), 'rest behind the pointer')
        call expect(t%c%v(2:4), from, 2, 'component of a component')
        call expect(t%few(3)%v, from, 1, 'component of an element')
        call check(all(abs(t%few(4)%v - value(from, 7)) < 0.5d0), 'one value')
        call expect(t%fixed(2)%v(4:1:-1), from, 1, 'fixed part')
        call expect(many(2)%v([7, 1, 4]), from, 1, 'index vector')
        sync all
    end subroutine

    ! Many puts to one location, so that the last puts use the requested address; a get in between returns the latest
    ! value, and the last value remains.
    subroutine in_order()
        use component_puts_coarrays
        integer :: to, k
        real(8) :: seen, block(3000)
        to = neighbour(1)
        sync all
        do k = 1, 100
            t[to]%v(5) = value(this_image(), k)
            if (mod(k, 7) == 0) then
                seen = t[to]%v(5)
                call check(abs(seen - value(this_image(), k)) < 0.5d0, 'get behind a put')
            end if
            t[to]%v(k - 4) = value(this_image(), k)
        end do
        sync all
        call check(abs(t%v(5) - value(neighbour(-1), 100)) < 0.5d0, 'the last')
        t%v(5) = value(neighbour(-1), 9)
        call expect(t%v, neighbour(-1), 1, 'many')
        sync all
        ! large and small puts to the same address
        deallocate (t%v)
        allocate (t%v(8000), source=-1d0)
        block = [(value(this_image(), k), k = 1, 3000)]
        sync all
        t[to]%v(2) = 0
        t[to]%v(1:3000) = block
        t[to]%v(1000) = 1
        t[to]%v(2001:8000) = [block, block]
        t[to]%v(8000) = 2
        sync all
        call expect(t%v(1:999), neighbour(-1), 1, 'large')
        call expect(t%v(1001:2000), neighbour(-1), 1001, 'large, behind')
        call expect(t%v(2001:5000), neighbour(-1), 1, 'larger')
        call check(abs(t%v(1000) - 1) < 0.5d0 .and. abs(t%v(8000) - 2) < 0.5d0, 'small upon large')
        sync all
    end subroutine

    ! The component has another address and size in each segment.
    subroutine elsewhere()
        use component_puts_coarrays
        integer :: turn, to, k
        real(8), allocatable :: before(:)
        to = neighbour(1)
        do turn = 1, 20
            before = t%v
            deallocate (t%v)
            allocate (t%v(turn:turn + 10 * turn), source=-1d0)
            sync all
            t[to]%v(turn + 1:turn + 10 * turn) = [(value(this_image(), turn + k), k = 1, 10 * turn)]
            sync all
            call expect(t%v(turn + 1:), neighbour(-1), turn + 1, 'elsewhere')
            call check(abs(t%v(turn) + 1) < 0.5d0, 'before it')
            sync all
        end do
    end subroutine
end module

program component_puts
    use component_puts_m
    implicit none
    call forms()
    call in_order()
    call elsewhere()
    call check_end()
end program
