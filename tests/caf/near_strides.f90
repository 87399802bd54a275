! images: 1 2 4
! compilers: 15 16
! flags: -O3
! Expressions for which gfortran reads the bounds of a get's temporary, but no stride, because the extent of the first
! dimension is constant.  gfortran 12 to 14 give the temporary of the sum a wrong shape.
program near_strides
    use check_m, only: check, check_end, neighbour
    implicit none
    integer, save :: x(5, 6)[*]
    integer, allocatable :: y(:, :)[:]
    integer :: next, i, last, a(3), b(3, 4)
    next = neighbour(1)
    allocate (y(5, 6)[*])
    x = reshape([(100*this_image() + i, i=1, 30)], [5, 6])
    y = x
    last = size(y, 2) - 1
    sync all
    a = sum(x(2:4, 2:last)[next], 2)
    call check(all(a == [(400*next + 50 + 4*i, i=2, 4)]), "the sum of columns of a static coarray")
    a = sum(y(2:4, 2:last)[next], 2)
    call check(all(a == [(400*next + 50 + 4*i, i=2, 4)]), "the sum of columns of an allocatable coarray")
    b = 7
    b(:, 1:last - 1) = b(:, last - 1:1:-1) + x(2:4, 2:last)[next]
    call check(all(b == 7 + 100*next + reshape([7, 8, 9, 12, 13, 14, 17, 18, 19, 22, 23, 24], [3, 4])), &
               "a part in an expression with the left-hand side")
    call check_end
end program
