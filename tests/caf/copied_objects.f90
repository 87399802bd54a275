! images: 2 3
! flags: -O2
! compilers: 12 13 14
! A type with allocatable components: x = a[k] copies the object without them, and then x%v = a[k]%v copies one. If a
! program uses x%v without the second statement, an error message advises it.
program copied_objects
    use check_m, only: check, check_end, neighbour
    implicit none
    type t
        integer :: n
        integer, allocatable :: v(:), s
    end type
    type(t), save :: a[*]
    type(t) :: x
    integer :: next
    next = neighbour(1)
    a%n = this_image()
    allocate (a%v(3), source=this_image())
    allocate (a%s, source=10 * this_image())
    sync all
    x = a[next]
    x%v = a[next]%v
    call check(x%n, next, 'n')
    call check(size(x%v), 3, 'size of v')
    call check(x%v, next, 'v')
    deallocate (x%s)
    x%s = a[next]%s
    call check(x%s, 10 * next, 's')
    sync all
    deallocate (a%v)
    allocate (a%v(5), source=-this_image())
    sync all
    x = a[next]
    x%v = a[next]%v
    call check(size(x%v), 5, 'size of a larger v')
    call check(x%v, -next, 'a larger v')
    call check_end
end program
