! images: 1 2
! compilers: 12 13 14
! A dummy argument may divide the characters of the actual argument into strings of another length (Fortran 2018,
! 15.5.2.11). A string that begins in the middle of an actual element is no substring.
program dummy_lengths
    use check_m, only: check, check_end
    implicit none
    character(4), save :: a(3)[*]
    a = 'abcd'
    sync all
    call put(a)
    sync all
    call check(all(a == ['abcx', 'yzcd', 'auvw']), 'puts')
    call get(a)
    call check_end
contains
    subroutine put(c)
        character(3), intent(inout) :: c(4)[*]
        character(3) :: s
        s = 'xyz'
        if (this_image() == num_images()) c(2)[1] = s
        s = 'uvw'
        if (this_image() == 1) c(4)[num_images()] = s
        sync all
        if (num_images() == 1) return
        if (this_image() == 1) c(4) = s
        if (this_image() == 2) c(2) = 'xyz'
    end subroutine

    subroutine get(c)
        character(3), intent(in) :: c(4)[*]
        character(3) :: s
        s = c(2)[num_images()]
        call check(s == 'xyz', 'get')
    end subroutine
end program
