! images: 1 2
! compilers: 15 16
! flags: -O2
! Gets in WHERE.
program near_wheres
    use check_m, only: check, check_end, neighbour
    implicit none
    integer, save :: x(10, 6)[*]
    integer :: a(10, 6), i
    real :: m(10, 6)
    x = reshape([(this_image() * 100 + i, i = 1, 60)], [10, 6])
    m = reshape([(mod(i, 3) - 1, i = 1, 60)], [10, 6])
    a = 0
    sync all
    where (m(10:1:-1, :) > 0)
        a(10:1:-1, :) = x(10:1:-1, :)[neighbour(1)]
    elsewhere
        a(10:1:-1, :) = x(:, 6:1:-1)[neighbour(1)] + 1000
    end where
    call check(all(pack(a, m > 0) == pack(neighbour(1) * 100 + reshape([(i, i = 1, 60)], [10, 6]), m > 0)), 'where')
    call check(a(10, 1) == merge(neighbour(1) * 100 + 10, neighbour(1) * 100 + 1051, m(10, 1) > 0), 'elsewhere')
    sync all
    call check_end
end program
