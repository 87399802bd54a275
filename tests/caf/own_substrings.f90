! images: 1 2
! compilers: 15 16
! Puts of characters to this image itself whose source is a part of the characters that they change.
program own_substrings
    use check_m, only: check, check_end
    implicit none
    type object
        integer, allocatable :: a(:)
        character(4) :: c(4)
    end type
    type(object), save :: o[*]
    character(4), save :: c(4)[*]
    c = ['abcd', 'efgh', 'ijkl', 'mnop']
    o%c = c
    c(:)[this_image()] = c(2)(2:3)
    call check(all(c == 'fg'), 'into all elements')
    o[this_image()]%c(:) = o%c(2)(2:3)
    call check(all(o%c == 'fg'), 'into all elements of a component')
    call check_end
end program
