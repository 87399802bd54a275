! images: 1 2 4
! The result of a get is a value: it does not change when the coarray changes, also if it is named, kept or passed on.
program got_values
    implicit none
    integer, parameter :: n = 20000, rounds = 12
    integer, save :: a(n)[*]
    integer :: wrong = 0, round, m, k
    type :: kept
        integer, pointer :: p(:)
    end type
    type(kept) :: keeps(rounds)
    integer, allocatable :: x(:), y(:)
    integer, pointer :: p(:)

    m = n
    k = mod(this_image(), num_images()) + 1
    do round = 1, rounds
        call begin
        call argument((a(:)[k]), 'an argument of constant length')
        call begin
        call argument((a(1:m)[k]), 'an argument')
        call begin
        associate (b => (a(:)[k]))
            y = a(:)[k]
            call change
            call check(b, 'an associate name of constant length')
        end associate
        call begin
        if (allocated(x)) deallocate (x)
        allocate (x, source=a(1:m)[k])
        call change
        call check(x, 'a source')
        call begin
        allocate (p(n))
        p(:) = a(:)[k]
        keeps(round)%p => p
        call change
        call begin
        x = gotten()
        call change
        call check(x, 'a result')
        call begin
        x = [a(1:m)[k], a(1:m)[k]]
        call change
        call check(x, 'a constructor')
        call begin
        y = a(1:m)[k]
        call move_alloc(y, x)
        call change
        call check(x, 'what has been moved')
    end do
    do round = 1, rounds
        call check(keeps(round)%p, 'what a pointer has kept')
        deallocate (keeps(round)%p)
    end do
    if (wrong /= 0) error stop 'wrong values'

contains

    subroutine begin
        sync all
        a = round
        sync all
    end subroutine

    subroutine change
        sync all
        a = a + 1000
        sync all
    end subroutine

    subroutine check(b, what)
        integer, intent(in) :: b(:)
        character(*), intent(in) :: what
        if (all_are(b, round)) return
        wrong = wrong + 1
        print '(a, i0, 3a, i0, a, i0)', 'image ', this_image(), ': ', what, ' is ', b(1), ' in place of ', round
    end subroutine

    pure logical function all_are(b, value)
        integer, intent(in) :: b(:), value
        all_are = all(b == value)
    end function

    subroutine argument(b, what)
        integer, intent(in) :: b(:)
        character(*), intent(in) :: what
        call change
        call check(b, what)
    end subroutine

    function gotten()
        integer :: gotten(n)
        gotten = a(:)[k]
    end function
end program
