! images: 2 4
! Compares x[1] with x[n], and calls the same function with x[1] and with x[n]. With -O1 and higher, the front end of
! gfortran 15 and 16 treats two coindexed objects as equal if only their images differ.
program mended_compared
    use check_m, only: check, check_end
    implicit none
    integer, allocatable :: x[:], y(:)[:]
    real(8), save :: r[*]
    character(4), save :: c[*]
    integer :: b(8), n
    n = num_images()
    allocate (x[*], y(3)[*])
    x = this_image()
    y = x + [1, 2, 3]
    r = (3 * x)**2
    c = 'a'//achar(iachar('a') + x)
    b = [1, 2, 3, 4, 5, 6, 7, 8]
    sync all
    call check(.not. x[1] == x[n], 'equal')
    call check(x[1] /= x[n], 'not equal')
    call check(x[1] < x[n] .and. .not. x[1] >= x[n], 'less')
    call check(.not. (c[1] == c[n] .or. trim(c[1]) == trim(c[n])), 'strings')
    call check(.not. any(y(:)[1] == y(:)[n]), 'sections')
    call check(maxval(y(:)[1]) /= maxval(y(:)[n]) .and. sum(y(1:2)[1]) /= sum(y(1:2)[n]), 'values of sections')
    call check(b(x[1]) /= b(x[n]), 'subscripts')
    call check(sqrt(r[1]) + sqrt(r[n]) == 3 * (n + 1), 'an intrinsic function')
    call check(sqrt(r[n]) - sqrt(r) == 3 * (n - x), 'an intrinsic function, also of this image')
    call check(twice(x[1]) + twice(x[n]) == 2 * (n + 1), 'a pure function')
    b(x[n]:x[n] + 2) = b(x[1]:x[1] + 2) + b(x[n]:x[n] + 2)
    call check(all(b(n:n + 2) == [n + 1, n + 3, n + 5]), 'bounds that overlap')
    call check_end
contains
    pure integer function twice(v)
        integer, intent(in) :: v
        twice = 2 * v
    end function
end program
