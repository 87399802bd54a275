! Image 1 gets a whole object from the last image and uses an allocatable component of it as the argument says. (For
! arrays of such objects gfortran 15 crashes, and 16 generates accessors that crash.)
module objects_m
    implicit none
    type :: box
        integer :: tag
        integer, allocatable :: v(:)
        integer, allocatable :: s
    end type
    type :: outer
        integer :: tag
        type(box) :: inner(2)
    end type
    type(box), save :: a[*]
    type(outer), save :: o[*]
    type(box), allocatable :: b(:)[:]
    integer :: k
    logical :: right = .true.
contains
    subroutine use_component(how)
        character(*), intent(in) :: how
        type(box) :: x, y(3), z(2)
        type(outer) :: w
        select case (how)
        case ('array')
            x = a[k]
            right = all(x%v == k)
        case ('scalar')
            x = a[k]
            right = x%s == k
        case ('printed')
            x = a[k]
            print '(4i0)', x%v
        case ('copied')
            x = a[k]
            y(2) = x
            right = all(y(2)%v == k)
        case ('element')
            x = b(3)[k]
            right = all(x%v == k)
#if __GNUC__ < 15
        case ('section')
            y = b(:)[k]
            right = all(y(3)%v == k)
        case ('stride')
            z = b(::2)[k]
            right = all(z(2)%v == k)
#endif
        case ('inner')
            w = o[k]
            right = all(w%inner(2)%v == k)
        case ('argument')
            call take(a[k])
        end select
    end subroutine

    subroutine take(x)
        type(box), intent(in) :: x
        right = all(x%v == k)
    end subroutine
end module

program objects
    use objects_m
    implicit none
    character(20) :: how
    call get_command_argument(1, how)
    allocate (b(3)[*])
    allocate (a%v(4), a%s, b(1)%v(4), b(3)%v(4), o%inner(2)%v(4))
    a%s = this_image()
    a%v = this_image()
    b(1)%v = 10
    b(3)%v = this_image()
    o%inner(2)%v = this_image()
    sync all
    k = num_images()
    if (this_image() == 1) call use_component(trim(how))
    sync all
    if (right) print '(a)', 'right'
end program
