! images: 2
! args: nothing
! Errors of coindexed accesses; the argument selects one. test_near.py compares the messages with and without the
! plugin.
module near_errors_m
    implicit none
    type parts
        real(8), allocatable :: p(:)
        integer :: n
    end type
    integer, allocatable :: h(:)[:], none(:)[:]
    integer :: scalar[*]
    character(4), save :: words(4)[*]
    type(parts) :: a[*]
contains
    subroutine err(what, k, n)
        character(*), intent(in) :: what
        integer, intent(in) :: k, n
        integer :: i, x(n + 1)
        real(8) :: y
        x = 1
        select case (what)
        case ('put')
            h(n + 5)[k] = 1
        case ('get')
            x(1) = h(-n)[k]
        case ('loop')
            do i = 1, n + 1
                h(i)[k] = x(i)
            end do
        case ('late_exit')
            call late(h, k, x(1), n)
        case ('get_loop')
            do i = n, -1, -1
                x(1) = x(1) + h(i)[k]
            end do
        case ('section')
            h(2:n + 1)[k] = x(1:n)
        case ('get_section')
            x(1:n) = h(0:n - 1)[k]
        case ('scalar_to_section')
            h(1:n + 1)[k] = 4
        case ('image')
            scalar[k + 75] = 3
        case ('get_image')
            x(1) = scalar[k - 2]
        case ('unallocated')
            none(3)[k] = 1
        case ('get_unallocated')
            x = none(1:n + 1)[k]
        case ('component')
            y = a[k]%p(n)
        case ('component_section')
            a[k]%p(2:n) = 1
        case ('unallocated_component')
            if (this_image() == 1) y = a[1]%p(n)
        case ('between')
            h(n + 1)[k] = h(1)[1]
        case ('longer_character')
            call longer(words(n - 96), k)
        case ('get_longer_character')
            call get_longer(words(n - 96), k, x(1))
        case ('own')
            h(n + 1)[this_image()] = 3
        end select
        if (x(1) == -12345) print *, x, y
    end subroutine

    ! The dummy arguments reach beyond the coarray.
    subroutine longer(c, k)
        character(8), intent(inout) :: c[*]
        integer, intent(in) :: k
        c[k] = 'too long'
    end subroutine

    subroutine get_longer(c, k, n)
        character(8), intent(in) :: c[*]
        integer, intent(in) :: k
        integer, intent(out) :: n
        character(8) :: mine
        mine = c[k]
        n = ichar(mine(8:8))
    end subroutine

    ! The compiler may test the end of the loop only in some iterations.
    subroutine late(c, k, times, n)
        integer, intent(in) :: k, n
        integer, intent(inout) :: c(n)[*], times
        integer :: i
        i = 0
        do
            i = i + 1
            c(i)[k] = i
            if (mod(i, 60) == 0) then
                times = times + 1
                if (i > n/2 + 20) exit
            end if
        end do
    end subroutine
end module

program near_errors
    use check_m, only: check_end
    use near_errors_m
    implicit none
    character(30) :: what
    call get_command_argument(1, what)
    allocate (h(100)[*])
    h = 1
    if (this_image() == 2) allocate (a%p(10))
    sync all
    if (this_image() == 1) call err(what, 2, 100)
    sync all
    call check_end
end program
