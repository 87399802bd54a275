! images: 1 2 3
! flags: -O3
! Puts to this image itself whose source is the memory that they change, also behind components. The program puts to a
! component of a dummy argument and reads it by its other name, and vice versa, also in procedures that GCC inlines.
module own_overlaps_m
    implicit none
    type :: object
        integer :: i
        integer, allocatable :: a(:)
        integer, pointer :: p(:)
    end type
    type :: small
        integer :: i
        integer, allocatable :: a(:)
    end type
contains
    subroutine put_i(o, k, i)
        type(object), intent(inout) :: o[*]
        integer, value :: k, i
        o[k]%i = i
    end subroutine

    integer function got_i(o, k)
        type(object), intent(in) :: o[*]
        integer, value :: k
        got_i = o[k]%i
    end function
end module

subroutine by_both_names(o, k, other, read)
    use own_overlaps_m
    implicit none
    type(object), intent(inout) :: o[*]
    integer, intent(in) :: k
    integer, intent(in), target :: other(:)
    integer, intent(out) :: read(5)
    integer, pointer :: old(:)
    integer :: got
    o%i = 5
    read(1) = o[k]%i
    o%i = 6
    got = o[k]%i    ! gfortran 15 and 16 read this image's object if an assignment to o[k] has it
    o[k]%i = got + 10
    read(2) = o%i
    old => o%p
    read(3) = o[k]%p(2)
    o%p => other
    read(4) = o[k]%p(2)
    o%p => old
    read(5) = o[k]%p(2)
end subroutine

subroutine by_calls(o, k, read)
    use own_overlaps_m
    implicit none
    type(object), intent(inout) :: o[*]
    integer, intent(in) :: k
    integer, intent(out) :: read(2)
    o%i = 5
    call put_i(o, k, 6)
    read(1) = o%i
    o%i = 7
    read(2) = got_i(o, k)
end subroutine

subroutine by_both_names_of_allocatable(o, k, read)
    use own_overlaps_m
    implicit none
    type(small), allocatable, intent(inout) :: o(:)[:]
    integer, intent(in) :: k
    integer, intent(out) :: read(2)
    integer :: got
    o(2)%i = 5
    read(1) = o(2)[k]%i
    o(2)%i = 6
    got = o(2)[k]%i
    o(2)[k]%i = got + 10
    read(2) = o(2)%i
end subroutine

program own_overlaps
    use check_m, only: check, check_end
    use own_overlaps_m
    implicit none
    interface
        subroutine by_both_names(o, k, other, read)
            use own_overlaps_m
            type(object), intent(inout) :: o[*]
            integer, intent(in) :: k
            integer, intent(in), target :: other(:)
            integer, intent(out) :: read(5)
        end subroutine
        subroutine by_calls(o, k, read)
            use own_overlaps_m
            type(object), intent(inout) :: o[*]
            integer, intent(in) :: k
            integer, intent(out) :: read(2)
        end subroutine
        subroutine by_both_names_of_allocatable(o, k, read)
            use own_overlaps_m
            type(small), allocatable, intent(inout) :: o(:)[:]
            integer, intent(in) :: k
            integer, intent(out) :: read(2)
        end subroutine
    end interface
    type(object), save :: o[*]
    type(small), allocatable :: many(:)[:]
    integer, target, allocatable :: target(:)
    integer :: me, i, read(5)
    me = this_image()
    allocate (o%a(10), o%p(10), target(10))
    o%p = [(i, i = 1, 10)]
    target = o%p * 10
    call by_both_names(o, me, target, read)
    call check(all(read == [5, 16, 2, 20, 2]), 'a component of a dummy argument')
    call by_calls(o, me, read(:2))
    call check(all(read(:2) == [6, 7]), 'a component of a dummy argument, in procedures that are called')
    allocate (many(3)[*])
    call by_both_names_of_allocatable(many, me, read(:2))
    call check(all(read(:2) == [5, 16]), 'a component of an allocatable dummy argument')

    o%a = [(i, i = 1, 10)]
    o[me]%a(2:8) = o%a(1:7)
    call check(all(o%a == [1, 1, 2, 3, 4, 5, 6, 7, 9, 10]), 'an allocatable component')
    o%a = [(i, i = 1, 10)]
    o[me]%a(7:1:-1) = o%a(1:7)
    call check(all(o%a == [7, 6, 5, 4, 3, 2, 1, 8, 9, 10]), 'backwards')
    o[me]%p(2:8) = o%p(1:7)
    call check(all(o%p == [1, 1, 2, 3, 4, 5, 6, 7, 9, 10]), 'a pointer component')
    o%p => target
    o[me]%p(3:9) = target(2:8)
    call check(all(target == [10, 20, 20, 30, 40, 50, 60, 70, 80, 100]), 'by the name of the target')
    sync all
    call check_end
end program
