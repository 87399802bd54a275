! images: 1 2 4 5
! Gets with subscripts that are not literals: a module's variable, this_image() and num_images(), which change with the
! current team. A repeated statement therefore gets from other addresses.
module changing_places_subscript
    implicit none
    integer :: n = 1
end module

program changing_places
    use, intrinsic :: iso_fortran_env, only: team_type
    use changing_places_subscript
    implicit none
    integer, parameter :: most = 100, teams = 2
    integer :: a(most)[*]
    type(team_type) :: halves
    integer :: i, k, team_number, errors = 0

    a = [(1000 * this_image() + i, i = 1, most)]
    sync all
    do k = 1, 3
        n = k
        call expect('a variable of a module', a(n)[num_images()], 1000 * num_images() + k)
    end do
    team_number = 1 + mod(this_image(), teams)
    form team (team_number, halves)
    call get_both(1)
    change team (halves)
        call get_both(a(1)[1] / 1000)
    end team
    call get_both(1)
    sync all
    if (errors > 0) error stop 1

contains

    !> Gets from image 1 of the current team, which is image `first` of the initial team.
    subroutine get_both(first)
        integer, intent(in) :: first
        call expect('this_image()', a(this_image())[1], 1000 * first + this_image())
        call expect('num_images()', a(num_images())[1], 1000 * first + num_images())
    end subroutine

    subroutine expect(what, got, right)
        character(len=*), intent(in) :: what
        integer, intent(in) :: got, right
        if (got == right) return
        errors = errors + 1
        print *, 'subscript ', what, ': image ', this_image(), ' got ', got, ', not ', right
    end subroutine
end program
