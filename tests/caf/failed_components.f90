! images: 2 3
! Expressions with components of an image that has failed: stat= reports it, and an array has no elements.
program failed_components
    use, intrinsic :: iso_fortran_env, only: stat_failed_image
    use check_m, only: check, check_end
    implicit none
    type part
        integer, allocatable :: v(:), m(:, :)
    end type
    type(part), save :: o[*]
    integer, allocatable :: twice(:)
    integer :: state, total
    allocate (o%v(5), o%m(2, 3))
    o%v = this_image()
    o%m = this_image()
    sync all
    if (this_image() == 2) fail image
    sync all (stat=state)
    twice = 2 * o[2, stat=state]%v(:)
    call check(state, stat_failed_image, 'stat= in an expression')
    call check(size(twice), 0, 'elements of the expression')
    total = sum(o[2, stat=state]%v(2:4))
    call check(state, stat_failed_image, 'stat= in an argument')
    total = sum(o[2, stat=state]%m(:, 2:3))
    call check(state, stat_failed_image, 'stat= of a matrix')
    call check_end(survivors=.true.)
end program
