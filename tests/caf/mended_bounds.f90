! images: 1 2 3
! compilers: 15 16
! flags: -O2
! Associate names for coindexed arrays with bounds of another kind than 8 (src/caf/plugin/mend.cc).
module mended_bounds_m
    use check_m, only: check
    implicit none
    integer, allocatable :: a(:)[:]
contains
    subroutine named(image, n, m)
        integer, intent(in) :: image, n
        integer(2), intent(in) :: m
        associate (b => (a(1:n)[image]))
            call check(size(b), n, 'a size')
            call check(all(b == image * [10, 20, 30]), 'values')
        end associate
        associate (b => (a(m:n)[image]))
            call check(size(b), 2, 'a size of two kinds')
            call check(all(b == image * [20, 30]), 'values of two kinds')
        end associate
    end subroutine
end module

program mended_bounds
    use mended_bounds_m
    use check_m, only: check_end, neighbour
    implicit none
    integer :: i
    allocate (a(4)[*])
    a = this_image() * [(10 * i, i = 1, 4)]
    sync all
    call named(neighbour(1), 3, 2_2)
    call check_end
end program
