! images: 2 4
! Short-lived coarrays: allocated by statements; deallocated by statements or at the end of procedures, BLOCK and teams;
! moved; with components; and refused allocations.
module allocations_m
    use growth_m, only: growth_begin, growth_goes_on
    implicit none
    type box
        real, allocatable :: data(:)
    end type
    type chest
        type(box), allocatable :: boxes(:)
        character(:), allocatable :: label
    end type
    integer, parameter :: turns = 5000
contains
    subroutine local_array(n)
        integer, intent(in) :: n
        integer, allocatable :: a(:)[:]
        allocate (a(n)[*])
        a = n
    end subroutine

    subroutine local_box(n)
        integer, intent(in) :: n
        type(box), allocatable :: o[:]
        allocate (o[*])
        if (n == 0) return
        allocate (o%data(n))
        o%data = 1
        sync all
        if (n < 0) return
        o[1 + mod(this_image(), num_images())]%data(1:1) = 2
        sync all
    end subroutine

    subroutine local_boxes(n)
        integer, intent(in) :: n
        type(box), allocatable :: o(:)[:]
        integer :: i
        allocate (o(3)[*])
        do i = 1, 3
            allocate (o(i)%data(n))
        end do
    end subroutine

    integer function local_chest(n)
        integer, intent(in) :: n
        type(chest), allocatable :: o[:]
        integer :: i
        allocate (o[*])
        allocate (o%boxes(2))
        o%label = repeat('x', n)
        do i = 1, 2
            allocate (o%boxes(i)%data(n))
        end do
        local_chest = size(o%boxes(2)%data)
    end function

    subroutine statements
        integer, allocatable :: a(:)[:], b(:)[:], c(:)[:], d[:]
        type(box), allocatable :: o[:]
        integer :: i, state
        character(100) :: why
        i = 0
        call growth_begin('allocate, deallocate', turns)
        do while (growth_goes_on())
            i = i + 1
            allocate (a(1 + mod(7919*i, 5000))[*], d[*])
            a(1) = i
            deallocate (a, d)
        end do
        call growth_begin('three, deallocated in another order', turns)
        do while (growth_goes_on())
            i = i + 1
            allocate (a(1 + mod(31*i, 100))[*], b(1 + mod(97*i, 1000))[*], c(10)[*])
            deallocate (b)
            deallocate (a)
            deallocate (c)
        end do
        call growth_begin('allocate that fails, with stat=', turns)
        do while (growth_goes_on())
            allocate (a(2_8**48)[*], stat=state, errmsg=why)
            if (state == 0) error stop 'allocated 2**48 integers'
        end do
        call growth_begin('move_alloc', turns)
        do while (growth_goes_on())
            allocate (a(100)[*])
            call move_alloc(a, b)
            deallocate (b)
        end do
        call growth_begin('move_alloc onto an allocated one', turns)
        allocate (b(1)[*])
        do while (growth_goes_on())
            allocate (a(100)[*])
            call move_alloc(a, b)
        end do
        deallocate (b)
        call growth_begin('a box with data', turns)
        do while (growth_goes_on())
            allocate (o[*])
            allocate (o%data(1000))
            deallocate (o)
        end do
        call growth_begin('components, assigned and deallocated', turns)
        allocate (o[*])
        do while (growth_goes_on())
            i = i + 1
            o%data = [real :: 1, 2, i]
            deallocate (o%data)
            allocate (o%data(mod(i, 3000)), source=1.0)
            deallocate (o%data)
        end do
        deallocate (o)
    end subroutine

    subroutine scopes
        integer :: i, sum
        i = 0
        sum = 0
        call growth_begin('a local array', turns)
        do while (growth_goes_on())
            i = i + 1
            call local_array(mod(i, 1000))
        end do
        call growth_begin('a local box', turns)
        do while (growth_goes_on())
            i = i + 1
            call local_box(1000)
        end do
        call growth_begin('a local box, left early', turns)
        do while (growth_goes_on())
            i = i + 1
            call local_box(-100*mod(i, 2))
        end do
        call growth_begin('a local array of boxes', turns)
        do while (growth_goes_on())
            i = i + 1
            call local_boxes(1000)
        end do
        call growth_begin('a function with a local chest', turns)
        do while (growth_goes_on())
            sum = sum + local_chest(300)
        end do
        call growth_begin('a block with a box and an array', turns)
        do while (growth_goes_on())
            block
                type(box), allocatable :: o[:]
                integer, allocatable :: a(:)[:]
                allocate (o[*], a(10)[*])
                allocate (o%data(1000))
                sum = sum + size(o%data) + size(a)
            end block
        end do
        if (sum == 0) error stop 'no sizes'
    end subroutine
end module

program caf_allocations
    use allocations_m, only: scopes, statements
    use growth_m, only: growth_end
    implicit none
    call statements
    call scopes
    call growth_end
end program
