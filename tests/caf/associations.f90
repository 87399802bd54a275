! images: 1 2 3
! compilers: 16
! flags: -O2
! ASSOCIATE names for elements and sections of coarrays: gfortran 16 makes them coarrays, too.
module associations_m
    use check_m, only: check, neighbour
    implicit none
    integer, save :: v(8)[*]
    integer, allocatable :: y(:)[:]
contains
    subroutine fill
        integer :: i
        sync all
        v = [(100 * this_image() + i, i = 1, 8)]
        y = v
        sync all
    end subroutine

    subroutine named(n)
        integer, intent(in) :: n
        integer :: k, own, other
        k = neighbour(1)
        own = 100 * this_image()
        other = 100 * k
        call fill
        associate (one => v(n), part => v(n:8:2), late => y(n:n + 2), last => y(9))
            call check(one, own + n, 'an element')
            call check(all(part == own + [n, n + 2, n + 4]), 'a section with a stride')
            call check(all(late == own + n - 2 + [1, 2, 3]), 'a section of an allocatable coarray')
            call check(one[k], other + n, 'an element of another image')
            call check(part(2)[k], other + n + 2, 'an element of a section of another image')
            call check(all(part(2:3)[k] == other + [n + 2, n + 4]), 'a section of a section of another image')
            call check(all(late(:)[k] == other + n - 2 + [1, 2, 3]), 'another section of another image')
            call check(last[k], other + 8, 'the last element of another image')
            sync all
            one = 1
            late(2)[k] = 2
            last[k] = 3
        end associate
        sync all
        call check(v(n), 1, 'an assignment to an element')
        call check(y(n + 1), 2, 'a put into a section')
        call check(y(9), 3, 'a put into an element')
        call check(v(1) == own + 1 .and. y(2) == own + 1, 'the elements before')
    end subroutine

    subroutine passed(x, n)
        integer, intent(in) :: n
        integer, intent(inout) :: x(8)[*]
        integer :: k
        k = neighbour(1)
        call fill
        associate (part => x(n:6), all => x)
            call check(part(2)[k], 100 * k + n + 1, 'an element of a section of a dummy argument')
            call check(all(2)[k], 100 * k + 2, 'an element of a whole dummy argument')
        end associate
    end subroutine
end module

program associations
    use associations_m
    use check_m, only: check_end
    implicit none
    integer :: i
    allocate (y(2:9)[*])
    do i = 1, 3
        call named(i + 1)
        call passed(v, i)
        call passed(y, i)
    end do
    call check_end
end program
